# Rows whose length is no multiple of a vector, as device code on the simulator: softmax, layer norm, row sums, argmax and a bias, in f32, in
# f16, and from f32 to f16. Dynamic functions run for every length from 1 to 70 and for 1003, 4099 and 20003; static ones have one length each.
# The last call of a function has an argument whose base is not aligned, so that its rows are not aligned like those of the result.
# Oracle: NumPy in f64. Bounds: 1e-5 for f32, half a unit in the last place of f16 (5e-4) more for f16, equality for argmax.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext \
# RUN:   PYTHONPATH=%amp_src/python:%S/../CPU/Inputs %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(7)
suite = Suite()
ID, ROW, COLUMN = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (j)>"


class Body:
    """Text of a function on rows: `each` is a generic of elements, `fold` a reduction, both in f32."""

    def __init__(self, columns, dtype):
        self.columns, self.dtype, self.text, self.next = columns, dtype, "", 0
        self.full, self.row = tensor((-1, columns), "f32"), tensor((-1,), "f32")
        self.text += ("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                      f"  %n = tensor.dim %x, %c0 : {tensor((-1, columns), dtype)}\n")
        if columns < 0:
            self.text += f"  %c = tensor.dim %x, %c1 : {tensor((-1, columns), dtype)}\n"

    def empty(self, type):
        self.next += 1
        sizes = "%n" if "?x?" not in type else "%n, %c"
        self.text += f"  %e{self.next} = tensor.empty({sizes}) : {type}\n"
        return f"%e{self.next}"

    def each(self, inputs, lines, result, dtype="f32"):
        """`inputs`: (value, type, map); `lines` compute %r from %a0, %a1, ..."""
        out = tensor((-1, self.columns), dtype)
        e = self.empty(out)
        self.next += 1
        name = f"%v{self.next}"
        maps = ", ".join([m for _, _, m in inputs] + [ID])
        kinds = ", ".join(f"%a{k}: {t[:-1].split('x')[-1]}" for k, (_, t, _) in enumerate(inputs))
        self.text += (f'  {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}} '
                      f'ins({", ".join(v for v, _, _ in inputs)} : {", ".join(t for _, t, _ in inputs)}) outs({e} : {out}) {{\n'
                      f"  ^bb0({kinds}, %o: {dtype}):\n{lines}    linalg.yield {result} : {dtype}\n  }} -> {out}\n")
        return name

    def fold(self, value, op, start):
        e = self.empty(self.row)
        self.next += 1
        k = self.next
        self.text += (f"  %s{k} = arith.constant {start} : f32\n"
                      f"  %f{k} = linalg.fill ins(%s{k} : f32) outs({e} : {self.row}) -> {self.row}\n"
                      f'  %v{k} = linalg.generic {{indexing_maps = [{ID}, {ROW}], iterator_types = ["parallel", "reduction"]}} '
                      f"ins({value} : {self.full}) outs(%f{k} : {self.row}) {{\n  ^bb0(%a: f32, %b: f32):\n"
                      f"    %r = {op} %a, %b : f32\n    linalg.yield %r : f32\n  }} -> {self.row}\n")
        return f"%v{k}"

    def widened(self):
        type = tensor((-1, self.columns), self.dtype)
        if self.dtype == "f32":
            return "%x"
        return self.each([("%x", type, ID)], "    %w = arith.extf %a0 : f16 to f32\n", "%w")

    def rounded(self, inputs, lines, to):
        if to == "f32":
            return self.each(inputs, lines, "%r")
        return self.each(inputs, lines + f"    %t = arith.truncf %r : f32 to {to}\n", "%t", to)


def softmax(columns, source, target):
    b = Body(columns, source)
    x = b.widened()
    top = b.fold(x, "arith.maximumf", "0xFF800000")
    p = b.each([(x, b.full, ID), (top, b.row, ROW)], "    %d = arith.subf %a0, %a1 : f32\n    %r = math.exp %d : f32\n", "%r")
    total = b.fold(p, "arith.addf", "0.0")
    y = b.rounded([(p, b.full, ID), (total, b.row, ROW)], "    %r = arith.divf %a0, %a1 : f32\n", target)
    return b, y


def norm(columns, source, target):
    b = Body(columns, source)
    x = b.widened()
    total = b.fold(x, "arith.addf", "0.0")
    square = b.each([(x, b.full, ID)], "    %r = arith.mulf %a0, %a0 : f32\n", "%r")
    squares = b.fold(square, "arith.addf", "0.0")
    g = tensor((columns,), source)
    wide = "" if source == "f32" else "    %g = arith.extf %a3 : f16 to f32\n    %h = arith.extf %a4 : f16 to f32\n"
    gamma, beta = ("%g", "%h") if wide else ("%a3", "%a4")
    y = b.rounded([(x, b.full, ID), (total, b.row, ROW), (squares, b.row, ROW), ("%gamma", g, COLUMN), ("%beta", g, COLUMN)],
                  wide + f"""    %i = arith.constant {1.0 / 64} : f32
    %m = arith.mulf %a1, %i : f32
    %d = arith.subf %a0, %m : f32
    %q = arith.mulf %a2, %i : f32
    %one = arith.constant 1.0 : f32
    %u = arith.addf %q, %one : f32
    %s = math.rsqrt %u : f32
    %z = arith.mulf %d, %s : f32
    %zg = arith.mulf %z, {gamma} : f32
    %r = arith.addf %zg, {beta} : f32
""", target)
    return b, y


def add(kind, columns, source, target, x, aligned=True):
    """Adds a case of a function with a static length or none."""
    static = columns if columns > 0 else -1
    name = f"{kind}_{source}_{target}_{static if static > 0 else 'any'}"
    wide = widen(x, source)
    t = tensor((-1, static), source)
    out, rank = tensor((-1, static), target), 2
    args, more, tolerance = [x], "", {"f32": 1e-5, "f16": 1e-3}[target]
    if kind == "softmax":
        p = np.exp(wide - wide.max(1, keepdims=True))
        want, make = p / p.sum(1, keepdims=True), softmax
    elif kind == "norm":
        gamma, beta = (narrow(rng.standard_normal(x.shape[1]), source) for _ in range(2))
        args, more = [x, gamma, beta], "".join(f", %{n}: {tensor((static,), source)}" for n in ("gamma", "beta"))
        mean, squares = wide.sum(1, keepdims=True) / 64, (wide**2).sum(1, keepdims=True) / 64
        want = (wide - mean) / np.sqrt(squares + 1) * widen(gamma, source) + widen(beta, source)
        tolerance, make = tolerance * 4, norm
    elif kind == "sum":
        want, out, rank, make = wide.sum(1), tensor((-1,), "f32"), 1, None
        tolerance = 1e-5 * max(8, x.shape[1] ** 0.5)
    elif kind == "argmax":
        want, out, rank, make = wide.argmax(1), tensor((-1,), "i64"), 1, None
    elif kind == "bias":
        bias = narrow(rng.standard_normal(x.shape[1]), source)
        args, more = [x, bias], f", %bias: {tensor((static,), source)}"
        want, make = np.maximum(wide + widen(bias, source), 0), None
    b = Body(static, source)
    if make:
        b, y = make(static, source, target)
    elif kind == "sum":
        y = b.fold(b.widened(), "arith.addf", "0.0")
    elif kind == "bias":
        g = tensor((static,), source)
        lines = "    %s = arith.addf %a0, %a1 : " + source + "\n    %zero = arith.constant 0.0 : " + source + "\n"
        lines += f"    %m = arith.maximumf %s, %zero : {source}\n"
        result = "%m" if source == target else "%t"
        y = b.each([("%x", t, ID), ("%bias", g, COLUMN)],
                   lines + ("" if source == target else f"    %t = arith.truncf %m : {source} to {target}\n"), result, target)
    else:
        value, place = b.empty(tensor((-1,), source)), b.empty(tensor((-1,), "i64"))
        rows, places = tensor((-1,), source), tensor((-1,), "i64")
        b.text += f"""  %low = arith.constant {"0xFF800000" if source == "f32" else "0xFC00"} : {source}
  %none = arith.constant 0 : i64
  %f0 = linalg.fill ins(%low : {source}) outs({value} : {rows}) -> {rows}
  %f1 = linalg.fill ins(%none : i64) outs({place} : {places}) -> {places}
  %best:2 = linalg.generic {{indexing_maps = [{ID}, {ROW}, {ROW}], iterator_types = ["parallel", "reduction"]}}
      ins(%x : {t}) outs(%f0, %f1 : {rows}, {places}) {{
  ^bb0(%a: {source}, %b: {source}, %i: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %g = arith.cmpf ogt, %a, %b : {source}
    %r = arith.select %g, %a, %b : {source}
    %s = arith.select %g, %k, %i : i64
    linalg.yield %r, %s : {source}, i64
  }} -> ({rows}, {places})
"""
        y = "%best#1"
    text = f"func.func @{name}(%x: {t}{more}) -> {out} {{\n{b.text}  return {y} : {out}\n}}"
    if not aligned:
        # One element behind an aligned address.
        whole = np.empty(x.size + 1, x.dtype)
        args[0] = whole[1:].reshape(x.shape)
        args[0][...] = x
    dtype = "i64" if kind == "argmax" else "f32" if kind == "sum" else target
    suite.add(name, text, args, [(dtype, rank)], [want], 0 if kind == "argmax" else tolerance)


def rows(count, columns, dtype, kind):
    if kind == "argmax":  # Equal elements, of which the first counts.
        return narrow(rng.integers(-9, 9, (count, columns)), dtype)
    return narrow(rng.standard_normal((count, columns)), dtype)


CASES = [("softmax", "f32", "f32"), ("softmax", "f16", "f16"), ("softmax", "f32", "f16"), ("norm", "f32", "f32"), ("norm", "f16", "f16"),
         ("norm", "f32", "f16"), ("sum", "f32", "f32"), ("sum", "f16", "f32"), ("argmax", "f32", "f32"), ("argmax", "f16", "f16"),
         ("bias", "f32", "f32"), ("bias", "f16", "f16"), ("bias", "f32", "f16")]


def add_all(kind, source, target, lengths, static, count):
    for n in lengths:
        x = rows(count, n, source, kind)
        add(kind, n if static else -1, source, target, x)
    add(kind, lengths[-1] if static else -1, source, target, x, aligned=False)


for case in CASES:
    add_all(*case, [*range(1, 71), 1003, 4099] + ([20003] if case[0] in ("sum", "argmax") else []), static=False, count=9)
    for length in {"softmax": (1003, 4099), "sum": (1003, 20003)}.get(case[0], (1003,)):
        add_all(*case, [length], static=True, count=9)
suite.run()
