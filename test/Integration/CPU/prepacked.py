# Constants that are packed as they are compiled: every type and layout, under each kind of processor, against f64 and exact integers.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s write %t
# RUN: amp-compile %t/m.mlir --weights=%t/w.npz --convert-inputs --mcpu=x86-64,x86-64-v3,x86-64-v4,x86-64-v4+avx512vnni+avx512bf16 --amp-no-scalar-fallback --remarks -o %t/m.so > %t/remarks.txt 2>&1
# A library has weights or their panels (those of f16 are of f32), not both.
# RUN: amp-compile %t/m.mlir --entry=f16_dynamic --weights=%t/w.npz --convert-inputs --mcpu=x86-64-v4 -o %t/held.so
# RUN: env PYTHONPATH=%amp_src/python %python %s check %t
# Where the caller passes them they are packed once, and again when they change.
# RUN: amp-compile %t/m.mlir --mcpu=x86-64,x86-64-v3,x86-64-v4,x86-64-v4+avx512vnni+avx512bf16 --amp-no-scalar-fallback -o %t/passed.so
# RUN: env PYTHONPATH=%amp_src/python %python %s check_passed %t
import os
import re
import subprocess
import sys
import threading

import numpy as np

LEVELS = {"x86-64": [], "x86-64-v3": ["avx2"], "x86-64-v4": ["avx512f"], "x86-64-v4+avx512vnni+avx512bf16": ["avx512.vnni", "avx512.bf16"]}
PLAIN = ("(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)")
TRANSPOSED = ("(i, j, k) -> (i, k)", "(i, j, k) -> (j, k)", "(i, j, k) -> (i, j)")
SHARED = ("(b, i, j, k) -> (b, i, k)", "(b, i, j, k) -> (k, j)", "(b, i, j, k) -> (b, i, j)")
BATCHED = ("(b, i, j, k) -> (b, i, k)", "(b, i, j, k) -> (b, k, j)", "(b, i, j, k) -> (b, i, j)")
CONV = ("(n, y, x, f, h, w, c) -> (n, y + h, x + w, c)", "(n, y, x, f, h, w, c) -> (h, w, c, f)", "(n, y, x, f, h, w, c) -> (n, y, x, f)")
# Name: maps, einsum, shape of x, of w, of the result; types of x, w and sums; casts of x and of w; whether it is packed ahead.
F32 = ("f32", "f32", "f32", [], [])
F16 = ("f16", "f16", "f32", ["extf f16 f32"], ["extf f16 f32"])
BF16 = ("f32", "bf16", "f32", ["truncf f32 bf16", "extf bf16 f32"], ["extf bf16 f32"])
AUTOCAST = ("f32", "f32", "f32", ["truncf f32 bf16", "extf bf16 f32"], ["truncf f32 bf16", "extf bf16 f32"])
F64 = ("f64", "f64", "f64", [], [])
SIGNED = ("i8", "i8", "i32", ["extsi i8 i32"], ["extsi i8 i32"])
UNSIGNED = ("i8", "i8", "i32", ["extui i8 i32"], ["extsi i8 i32"])
I16 = ("i16", "i16", "i32", ["extsi i16 i32"], ["extsi i16 i32"])
CASES = {
    "f32": (PLAIN, "ik,kj->ij", (33, 70), (70, 80), (33, 80), F32, True),
    "f32_odd": (PLAIN, "ik,kj->ij", (19, 65), (65, 77), (19, 77), F32, True),
    "f32_large": (PLAIN, "ik,kj->ij", (70, 700), (700, 1100), (70, 1100), F32, True),
    "f32_row": (PLAIN, "ik,kj->ij", (1, 300), (300, 210), (1, 210), F32, True),
    "f32_dynamic": (PLAIN, "ik,kj->ij", (None, 65), (65, 77), (None, 77), F32, True),
    "f32_dynamic_large": (PLAIN, "ik,kj->ij", (None, 700), (700, 517), (None, 517), F32, True),
    "f32_dynamic_transposed": (TRANSPOSED, "ik,jk->ij", (None, 129), (517, 129), (None, 517), F32, True),
    "f32_transposed": (TRANSPOSED, "ik,jk->ij", (19, 65), (77, 65), (19, 77), F32, True),
    "f32_few_transposed": (TRANSPOSED, "ik,jk->ij", (4, 129), (131, 129), (4, 131), F32, True),
    "f32_shared": (SHARED, "bik,kj->bij", (3, 20, 40), (40, 50), (3, 20, 50), F32, True),
    "f32_batched_rows": (BATCHED, "bik,bkj->bij", (3, 2, 40), (3, 40, 210), (3, 2, 210), F32, False),
    "f32_batched": (BATCHED, "bik,bkj->bij", (3, 20, 40), (3, 40, 50), (3, 20, 50), F32, False),
    "f16": (PLAIN, "ik,kj->ij", (33, 70), (70, 77), (33, 77), F16, True),
    "f16_dynamic": (PLAIN, "ik,kj->ij", (None, 1300), (1300, 517), (None, 517), F16, True),
    "bf16": (PLAIN, "ik,kj->ij", (33, 71), (71, 80), (33, 80), BF16, True),
    "bf16_transposed": (TRANSPOSED, "ik,jk->ij", (33, 71), (77, 71), (33, 77), BF16, True),
    "autocast": (PLAIN, "ik,kj->ij", (33, 71), (71, 80), (33, 80), AUTOCAST, True),
    "autocast_row": (PLAIN, "ik,kj->ij", (1, 301), (301, 210), (1, 210), AUTOCAST, True),
    "autocast_dynamic": (TRANSPOSED, "ik,jk->ij", (None, 301), (517, 301), (None, 517), AUTOCAST, True),
    "f64": (TRANSPOSED, "ik,jk->ij", (19, 65), (77, 65), (19, 77), F64, True),
    "signed": (PLAIN, "ik,kj->ij", (33, 71), (71, 80), (33, 80), SIGNED, True),
    "signed_rows": (PLAIN, "ik,kj->ij", (3, 301), (301, 210), (3, 210), SIGNED, None),
    "signed_dynamic": (PLAIN, "ik,kj->ij", (None, 301), (301, 517), (None, 517), SIGNED, True),
    "signed_transposed": (TRANSPOSED, "ik,jk->ij", (33, 74), (77, 74), (33, 77), SIGNED, True),
    "unsigned": (PLAIN, "ik,kj->ij", (33, 71), (71, 77), (33, 77), UNSIGNED, True),
    "i16": (PLAIN, "ik,kj->ij", (33, 71), (71, 77), (33, 77), I16, None),
    "conv_pixels": (CONV, "nyxchw,hwcf->nyxf", (1, 4, 4, 36), (3, 3, 36, 80), (1, 2, 2, 80), F32, True),
    "conv_dynamic": (CONV, "nyxchw,hwcf->nyxf", (None, 9, 11, 20), (3, 3, 20, 270), (None, 7, 9, 270), F32, True),
    "conv_dynamic_i8": (CONV, "nyxchw,hwcf->nyxf", (None, 5, 4, 36), (3, 3, 36, 130), (None, 3, 2, 130), SIGNED, True),
    "conv": (CONV, "nyxchw,hwcf->nyxf", (2, 9, 11, 20), (3, 3, 20, 36), (2, 7, 9, 36), F32, True),
    "conv_i8": (CONV, "nyxchw,hwcf->nyxf", (2, 9, 11, 20), (3, 3, 20, 36), (2, 7, 9, 36), SIGNED, True),
}
# Rows of x where their number is dynamic: each way to compute a few of them, and the first numbers that are too many for it.
ROWS = (37, 0, 1, 2, 4, 5, 9, 64, 65, 256, 257)
NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": np.float32, "i8": np.int8, "i16": np.int16}


def make(name, which, shape, element, rows=ROWS[0]):
    random = np.random.default_rng([ord(c) for c in name + which])
    shape = [rows if size is None else size for size in shape]
    if element[0] == "i":
        # The extreme values are there; sums of i16 stay in range.
        limit = 128 if element == "i8" else 1000
        values = random.integers(-limit, limit, shape)
        values.flat[:1] = -limit
        return values.astype(NUMPY[element])
    return random.standard_normal(shape).astype(NUMPY[element])


def write(folder):
    text, weights = "", {}
    for name, (maps, _, x, w, y, (xe, we, acc, xcasts, wcasts), _) in CASES.items():
        weights["w_" + name] = make(name, "w", w, we)
        tensor = lambda shape, element: "tensor<" + "".join(f"{'?' if s is None else s}x" for s in shape) + element + ">"
        loops = maps[0].split("->")[0].count(",") + 1
        parallel = maps[2].split("->")[1].count(",") + 1
        kinds = ", ".join(["\"parallel\""] * parallel + ["\"reduction\""] * (loops - parallel))
        body = ""
        value = {"%a": xcasts, "%b": wcasts}
        last = {}
        for start, casts in value.items():
            last[start] = start
            for i, cast in enumerate(casts):
                kind, source, target = cast.split()
                body += f"    {start}{i} = arith.{kind} {last[start]} : {source} to {target}\n"
                last[start] = f"{start}{i}"
        suffix = "i" if acc[0] == "i" else "f"
        size = "%n" if None in y else ""
        dim = f"  %c0 = arith.constant 0 : index\n  %n = tensor.dim %x, %c0 : {tensor(x, xe)}\n" if size else ""
        zero = "0" if suffix == "i" else "0.0"
        text += f"""func.func @{name}(%x: {tensor(x, xe)} {{amp.name = "x"}}, %w: {tensor(w, we)} {{amp.name = "w_{name}", amp.weight}}) -> {tensor(y, acc)} {{
{dim}  %z = arith.constant {zero} : {acc}
  %e = tensor.empty({size}) : {tensor(y, acc)}
  %f = linalg.fill ins(%z : {acc}) outs(%e : {tensor(y, acc)}) -> {tensor(y, acc)}
  %r = linalg.generic {{indexing_maps = [{", ".join(f"affine_map<{m}>" for m in maps)}], iterator_types = [{kinds}]}}
      ins(%x, %w : {tensor(x, xe)}, {tensor(w, we)}) outs(%f : {tensor(y, acc)}) {{
  ^bb0(%a: {xe}, %b: {we}, %o: {acc}):
{body}    %p = arith.mul{suffix} {last["%a"]}, {last["%b"]} : {acc}
    %s = arith.add{suffix} %o, %p : {acc}
    linalg.yield %s : {acc}
  }} -> {tensor(y, acc)}
  return %r : {tensor(y, acc)}
}}
"""
    with open(os.path.join(folder, "m.mlir"), "w") as file:
        file.write(text)
    np.savez(os.path.join(folder, "w.npz"), **weights)


def to_bf16(values):
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)


def exact(name, w, rows):
    """The result with weights `w` and the sum of absolute terms, in f64 or i64."""
    _, einsum, xshape, _, _, (xe, _, acc, xcasts, wcasts), _ = CASES[name]
    x = make(name, "x", xshape, xe, rows)
    if any("bf16" in cast for cast in xcasts):
        x = to_bf16(x)
    if any("bf16" in cast for cast in wcasts):
        w = to_bf16(w)
    if xcasts and "extui" in xcasts[0]:
        x = x.view(np.uint8)
    wide = np.int64 if acc == "i32" else np.float64
    x, w = x.astype(wide), w.astype(wide)
    if einsum.startswith("nyxchw"):
        x = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))
    return np.einsum(einsum, x, w), np.einsum(einsum, abs(x), abs(w))


def as_passed(values, element):
    """Weights as a caller has them; NumPy has no bf16, but its bits."""
    if element != "bf16":
        return values
    return np.ascontiguousarray(to_bf16(values).view(np.uint16)[..., 1::2]).view("V2")


def compare(level, name, y, w, rows=ROWS[0]):
    result, terms = exact(name, w, rows)
    assert np.shape(y) == result.shape, (level, name, np.shape(y))
    accumulator = CASES[name][5][2]
    if accumulator == "i32":
        assert (np.asarray(y) == result).all(), (level, name, rows)
        return
    # Each of at most 700 terms is rounded as it is added; the errors do not all have one sign.
    unit = 2.0**-53 if accumulator == "f64" else 2.0**-24
    error = np.max(np.abs(y - result) / terms, initial=0)
    assert error <= 64 * unit, (level, name, rows, error / unit)


def run(path):
    import amp_runtime

    model = amp_runtime.load(path)
    for name, case in CASES.items():
        for rows in ROWS if None in case[2] else ROWS[:1]:
            y = model.functions[name](make(name, "x", case[2], case[5][0], rows))
            compare(model.level, name, y, make(name, "w", case[3], case[5][1]), rows)


def run_passed(path):
    import amp_runtime

    model = amp_runtime.load(path)
    assert model.stats()["preparations"] == 0
    for name, case in CASES.items():
        element = case[5][1]
        function = model.functions[name]
        assert [argument.is_weight for argument in function.arguments] == [False, True]
        x, first, other, third = (make(name, which, case[2 if which == "x" else 3], case[5][which != "x"]) for which in ("x", "w", "other", "third"))
        w = as_passed(first.copy(), element)
        before = model.stats()
        y = np.asarray(function(x, w)).copy()
        compare(model.level, name, y, first)
        assert (np.asarray(function(x, w)) == y).all(), (model.level, name)
        for rows in ROWS[1:] if None in case[2] else ():
            compare(model.level, name, function(make(name, "x", case[2], case[5][0], rows), w), first, rows)
        after = model.stats()
        prepared = after["preparations"] - before["preparations"]
        if case[6] is not None:
            assert prepared == int(case[6]), (model.level, name, prepared)
            kept = after["prepared_bytes"] - before["prepared_bytes"]
            assert (w.nbytes // 2 <= kept <= 4 * w.nbytes) == case[6], (model.level, name, kept, w.nbytes)
        # Changed where they are, and told; other ones at another address.
        w[...] = as_passed(other, element)
        model.reload_weights()
        compare(model.level, name, function(x, w), other)
        compare(model.level, name, function(x, as_passed(third, element)), third)
        compare(model.level, name, function(x, w), other)

    # Threads that call one function with different weights, while another says that they change.
    name = "f32_large"
    function, case = model.functions[name], CASES["f32_large"]
    x, failures = make(name, "x", case[2], case[5][0]), []

    def call(which):
        try:
            w = make(name, which, case[3], case[5][1])
            for _ in range(12):
                compare(model.level, name, function(x, w), w)
                if which == "w":
                    model.reload_weights()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=call, args=(which,)) for which in ("w", "w", "other", "fresh")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def run_levels(mode, path):
    with open("/proc/cpuinfo") as file:
        flags = re.search(r"^flags.*$", file.read(), re.M).group().replace("_", ".").split()
    for level, needs in LEVELS.items():
        if all(need in flags or need.replace(".", "") in flags for need in needs):
            subprocess.run([sys.executable, __file__, mode, path], env={**os.environ, "AMP_CPU_LEVEL": level}, check=True)


def check(folder):
    with open(os.path.join(folder, "remarks.txt")) as file:
        remarks = re.findall(r"PrepackedWeights.*?Function=(\w+)", file.read(), re.S)
    for name, case in CASES.items():
        if case[6] is not None:
            assert remarks.count(name) == (len(LEVELS) if case[6] else 0), (name, remarks)
    elements = np.prod(CASES["f16_dynamic"][3])
    assert 4 * elements < os.path.getsize(os.path.join(folder, "held.so")) < 5 * elements
    run_levels("run", os.path.join(folder, "m.so"))


def check_passed(folder):
    run_levels("run_passed", os.path.join(folder, "passed.so"))


modes = {"write": write, "run": run, "check": check, "run_passed": run_passed, "check_passed": check_passed}
modes[sys.argv[1]](*sys.argv[2:])
