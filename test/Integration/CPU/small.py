# Contractions that read their operands where they are: sizes around registers and tiles, layouts, batches and what follows, under each kind of processor, against f64.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s write %t
# RUN: amp-compile %t/m.mlir --mcpu=x86-64,x86-64-v3,x86-64-v4 --amp-no-scalar-fallback -o %t/m.so
# RUN: env PYTHONPATH=%amp_src/python %python %s check %t/m.so
import os
import re
import subprocess
import sys

import numpy as np

LEVELS = {"x86-64": [], "x86-64-v3": ["avx2"], "x86-64-v4": ["avx512f"]}
PLAIN = ("(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)", "ik,kj->ij")
# A with k outermost.
COLUMNS = ("(i, j, k) -> (k, i)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)", "ki,kj->ij")
BATCHED = ("(b, i, j, k) -> (b, i, k)", "(b, i, j, k) -> (b, k, j)", "(b, i, j, k) -> (b, i, j)", "bik,bkj->bij")
SHARED = ("(b, i, j, k) -> (b, i, k)", "(b, i, j, k) -> (k, j)", "(b, i, j, k) -> (b, i, j)", "bik,kj->bij")
CASES = {}
for m, n, k in [(16, 16, 16), (26, 26, 26), (32, 32, 32), (33, 47, 29), (17, 100, 64), (64, 64, 64), (96, 96, 96), (31, 65, 1000), (200, 16, 17), (15, 33, 40), (128, 128, 128)]:
    CASES[f"plain_{m}_{n}_{k}"] = (PLAIN, (m, k), (k, n), (m, n), "f32", "")
CASES["columns"] = (COLUMNS, (40, 37), (40, 50), (37, 50), "f32", "")
CASES["f64"] = (PLAIN, (33, 40), (40, 52), (33, 52), "f64", "")
CASES["batched"] = (BATCHED, (5, 31, 24), (5, 24, 40), (5, 31, 40), "f32", "")
CASES["many"] = (BATCHED, (300, 32, 32), (300, 32, 32), (300, 32, 32), "f32", "")
CASES["shared"] = (SHARED, (3, 7, 50), (50, 48), (3, 7, 48), "f32", "")
CASES["relu"] = (PLAIN, (33, 40), (40, 52), (33, 52), "f32", "relu")
CASES["bias"] = (PLAIN, (64, 64), (64, 64), (64, 64), "f32", "bias")


def write(folder):
    text = ""
    for name, (maps, a, b, c, t, then) in CASES.items():
        ta, tb, tc = ("tensor<" + "".join(f"{s}x" for s in shape) + t + ">" for shape in (a, b, c))
        parallel, reduction = len(c), len(set(maps[3].replace("->", "").replace(",", ""))) - len(c)
        kinds = ", ".join(['"parallel"'] * parallel + ['"reduction"'] * reduction)
        parallels = ', '.join(['"parallel"'] * len(c))
        bias = f", %bias: tensor<{c[-1]}x{t}>" if then == "bias" else ""
        loops = ", ".join(f"d{i}" for i in range(len(c)))
        identity = f"affine_map<({loops}) -> ({loops})>"
        start = f"  %f = linalg.fill ins(%z : {t}) outs(%e : {tc}) -> {tc}\n"
        if bias:
            start = (f"  %f = linalg.generic {{indexing_maps = [affine_map<({loops}) -> (d{len(c) - 1})>, {identity}], iterator_types = [{parallels}]}}"
                     f" ins(%bias : tensor<{c[-1]}x{t}>) outs(%e : {tc}) {{\n  ^bb0(%p: {t}, %o: {t}):\n    linalg.yield %p : {t}\n  }} -> {tc}\n")
        end = f"  return %r : {tc}\n"
        if then == "relu":
            end = (f"  %s = linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{parallels}]}} ins(%r : {tc}) outs(%e : {tc}) {{\n"
                   f"  ^bb0(%p: {t}, %o: {t}):\n    %q = arith.maximumf %p, %z : {t}\n    linalg.yield %q : {t}\n  }} -> {tc}\n  return %s : {tc}\n")
        text += f"""func.func @{name}(%a: {ta}, %b: {tb}{bias}) -> {tc} {{
  %z = arith.constant 0.0 : {t}
  %e = tensor.empty() : {tc}
{start}  %r = linalg.generic {{indexing_maps = [{", ".join(f"affine_map<{m}>" for m in maps[:3])}], iterator_types = [{kinds}]}} ins(%a, %b : {ta}, {tb}) outs(%f : {tc}) {{
  ^bb0(%x: {t}, %y: {t}, %o: {t}):
    %p = arith.mulf %x, %y : {t}
    %s = arith.addf %o, %p : {t}
    linalg.yield %s : {t}
  }} -> {tc}
{end}}}
"""
    with open(os.path.join(folder, "m.mlir"), "w") as file:
        file.write(text)


def run(path):
    import amp_runtime

    model = amp_runtime.load(path)
    random = np.random.default_rng(3)
    for name, (maps, a, b, c, t, then) in CASES.items():
        numpy = np.float32 if t == "f32" else np.float64
        a, b = random.standard_normal(a).astype(numpy), random.standard_normal(b).astype(numpy)
        # A row of NaN, and columns of infinities, stay where they are.
        if name == "plain_33_47_29":
            a[-1], b[:, -1] = np.nan, np.inf
        bias = [random.standard_normal(c[-1]).astype(numpy)] if then == "bias" else []
        y = model.functions[name](a, b, *bias)
        a, b = a.astype(np.float64), b.astype(np.float64)
        with np.errstate(invalid="ignore"):
            exact, terms = np.einsum(maps[3], a, b), np.einsum(maps[3], abs(a), abs(b))
            if bias:
                exact, terms = exact + bias[0], terms + abs(bias[0])
            if then == "relu":
                exact = np.maximum(exact, 0)
            finite = np.isfinite(exact)
            assert (np.isfinite(y) == finite).all() and np.array_equal(np.isnan(y), np.isnan(exact)), (model.level, name)
            # Each term is rounded as it is added; the errors do not all have one sign.
            unit = 2.0**-53 if t == "f64" else 2.0**-24
            error = np.max(np.abs(y - exact)[finite] / terms[finite])
        assert error <= 64 * unit, (model.level, name, error / unit)


def check(path):
    with open("/proc/cpuinfo") as file:
        flags = re.search(r"^flags.*$", file.read(), re.M).group().split()
    for level, needs in LEVELS.items():
        if all(need in flags for need in needs):
            subprocess.run([sys.executable, __file__, "run", path], env={**os.environ, "AMP_CPU_LEVEL": level}, check=True)


{"write": write, "run": run, "check": check}[sys.argv[1]](*sys.argv[2:])
