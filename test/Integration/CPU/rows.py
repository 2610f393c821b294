# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx AMP_NUM_THREADS=2 \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback cpu=x86-64-v3}" | FileCheck %s
# Ops on the same rows, which share one loop: softmax and its gradient, log-softmax, layer norm with and without a residual that is a
# result too, RMS norm. Of f32, f16 and bf16, static, odd, dynamic, of three dimensions, reduced in the middle, and of values that
# overflow. Oracle: NumPy in f64. Bounds, relative to the largest element: 3e-6 for f32 sums of up to 4099 elements, output rounding for f16 (1e-3)
# and bf16 (8e-3).
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(5)
suite = Suite()
BOUND = {"f32": 3e-6, "f16": 1e-3, "bf16": 8e-3}


def close(bound):
    def check(got, want):
        scale = np.max(np.abs(want), initial=1e-30, where=np.isfinite(want))
        with np.errstate(invalid="ignore"):
            return (np.abs(got - want) <= bound * scale) | (got == want) | (np.isnan(got) & np.isnan(want))
    return check


class Builder:
    """Writes a function of linalg on tensors of one shape, reduced along `axis`."""

    def __init__(self, name, shape, axis, dtype, dynamic, count=1):
        self.name, self.rank, self.axis, self.dtype = name, len(shape), axis, dtype
        self.size = shape[axis]
        sizes = [-1] * len(shape) if dynamic else list(shape)
        self.full = sizes
        self.rows = [n for i, n in enumerate(sizes) if i != axis]
        names = "ijkl"[:self.rank]
        loops = ", ".join(names)
        self.maps = {"full": f"affine_map<({loops}) -> ({loops})>",
                     "rows": f"affine_map<({loops}) -> ({', '.join(n for i, n in enumerate(names) if i != axis)})>",
                     "column": f"affine_map<({loops}) -> ({names[axis]})>"}
        self.arguments = [f"%x{i}: {self.type('full')}" for i in range(count)]
        self.lines, self.number = [], 0
        if dynamic:
            for i in range(self.rank):
                self.lines += [f"%i{i} = arith.constant {i} : index", f"%d{i} = tensor.dim %x0, %i{i} : {self.type('full')}"]
        self.dims = {"full": [f"%d{i}" for i in range(self.rank)] if dynamic else [],
                     "rows": [f"%d{i}" for i in range(self.rank) if i != axis] if dynamic else []}
        self.lines.append(f"%n = arith.constant {float(self.size)} : f32")

    def type(self, kind, dtype=None):
        return tensor({"full": self.full, "rows": self.rows, "column": [self.full[self.axis]]}[kind], dtype or self.dtype)

    def fresh(self):
        self.number += 1
        return f"%v{self.number}"

    def generic(self, inputs, kind, dtype, body, init=None):
        """`inputs`: (value, kind, dtype); `body`: lines over %a0.. and %o that define %r."""
        empty, result = self.fresh(), self.fresh()
        out = self.type(kind, dtype)
        self.lines.append(f"{empty} = tensor.empty({', '.join(self.dims[kind])}) : {out}")
        if init is not None:
            zero, filled = self.fresh(), self.fresh()
            self.lines += [f"{zero} = arith.constant {init} : {dtype}",
                           f"{filled} = linalg.fill ins({zero} : {dtype}) outs({empty} : {out}) -> {out}"]
            empty = filled
        iterators = ["parallel"] * self.rank
        if kind == "rows":
            iterators[self.axis] = "reduction"
        maps = ", ".join(self.maps[k] for k in [k for _, k, _ in inputs] + [kind])
        block = ", ".join([f"%a{i}: {d}" for i, (_, _, d) in enumerate(inputs)] + [f"%o: {dtype}"])
        self.lines.append(f"{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{', '.join(chr(34) + i + chr(34) for i in iterators)}]}} "
                          f"ins({', '.join(v for v, _, _ in inputs)} : {', '.join(self.type(k, d) for _, k, d in inputs)}) outs({empty} : {out}) {{\n"
                          f"^bb0({block}):\n  " + "\n  ".join(body) + f"\n  linalg.yield %r : {dtype}\n}} -> {out}")
        return result

    def widened(self, value):
        if self.dtype == "f32":
            return value
        return self.generic([(value, "full", self.dtype)], "full", "f32", [f"%r = arith.extf %a0 : {self.dtype} to f32"])

    def narrowed(self, value):
        if self.dtype == "f32":
            return value
        return self.generic([(value, "full", "f32")], "full", self.dtype, [f"%r = arith.truncf %a0 : f32 to {self.dtype}"])

    def sum(self, *inputs, body=()):
        """The sum of %t, or without a body of the input."""
        last = "%r = arith.addf %o, %t : f32" if body else "%r = arith.addf %o, %a0 : f32"
        return self.generic([(v, k, "f32") for v, k in inputs], "rows", "f32", [*body, last], "0.0")

    def map(self, inputs, body):
        return self.generic([(v, k, "f32") for v, k in inputs], "full", "f32", body)

    def finish(self, results):
        types = ", ".join(self.type(kind, dtype) for _, kind, dtype in results)
        return (f"func.func @{self.name}({', '.join(self.arguments)}) -> ({types}) {{\n  " + "\n  ".join(self.lines) +
                f"\n  return {', '.join(v for v, _, _ in results)} : {types}\n}}")


def softmax_parts(b, x):
    top = b.generic([(x, "full", "f32")], "rows", "f32", ["%r = arith.maximumf %o, %a0 : f32"], "0xFF800000")
    e = b.map([(x, "full"), (top, "rows")], ["%d = arith.subf %a0, %a1 : f32", "%r = math.exp %d : f32"])
    total = b.sum((e, "full"))
    return top, e, total


def add(b, args, wants):
    source = b.finish(b.results)
    suite.add(b.name, source, args, [(d, len(b.rows) if k == "rows" else b.rank) for _, k, d in b.results], wants, close(BOUND[b.dtype]))


for shape, axis in (((64, 128), 1), ((37, 1001), 1), ((3, 9, 257), 2), ((1, 4099), 1), ((3, 5003), 1), ((5, 33, 20), 1), ((130, 17), 1)):
    for dtype in ("f32", "f16", "bf16"):
        for dynamic in (False, True):
            tail = f"{'x'.join(map(str, shape))}_{axis}_{dtype}" + ("_dyn" if dynamic else "")
            x = narrow(rng.standard_normal(shape) * 3, dtype)
            w = widen(x, dtype)
            n = shape[axis]

            b = Builder("softmax_" + tail, shape, axis, dtype, dynamic)
            top, e, total = softmax_parts(b, b.widened("%x0"))
            y = b.map([(e, "full"), (total, "rows")], ["%r = arith.divf %a0, %a1 : f32"])
            b.results = [(b.narrowed(y), "full", dtype)]
            ex = np.exp(w - w.max(axis, keepdims=True))
            soft = ex / ex.sum(axis, keepdims=True)
            add(b, [x], [soft])

            b = Builder("logsoftmax_" + tail, shape, axis, dtype, dynamic)
            wide = b.widened("%x0")
            top, e, total = softmax_parts(b, wide)
            y = b.map([(wide, "full"), (top, "rows"), (total, "rows")],
                      ["%l = math.log %a2 : f32", "%d = arith.subf %a0, %a1 : f32", "%r = arith.subf %d, %l : f32"])
            # The sums are a result too.
            b.results = [(b.narrowed(y), "full", dtype), (total, "rows", "f32")]
            add(b, [x], [np.log(soft), ex.sum(axis)])

            # Gradient of softmax: y * (g - sum(g * y)).
            g = narrow(rng.standard_normal(shape), dtype)
            b = Builder("softmax_gradient_" + tail, shape, axis, dtype, dynamic, count=2)
            wy, wg = b.widened("%x0"), b.widened("%x1")
            dot = b.sum((wy, "full"), (wg, "full"), body=["%t = arith.mulf %a0, %a1 : f32"])
            y = b.map([(wy, "full"), (wg, "full"), (dot, "rows")], ["%d = arith.subf %a1, %a2 : f32", "%r = arith.mulf %a0, %d : f32"])
            b.results = [(b.narrowed(y), "full", dtype)]
            v = widen(g, dtype)
            add(b, [x, g], [w * (v - (v * w).sum(axis, keepdims=True))])

            # Layer norm of a sum that is a result too, centred before the squares.
            b = Builder("layer_norm_" + tail, shape, axis, dtype, dynamic, count=2)
            wide = b.map([(b.widened("%x0"), "full"), (b.widened("%x1"), "full")], ["%r = arith.addf %a0, %a1 : f32"])
            mean = b.sum((wide, "full"), body=["%t = arith.divf %a0, %n : f32"])
            square = b.sum((wide, "full"), (mean, "rows"), body=["%d = arith.subf %a0, %a1 : f32", "%m = arith.mulf %d, %d : f32",
                                                                 "%t = arith.divf %m, %n : f32"])
            b.lines.append("%eps = arith.constant 1.0e-5 : f32")
            y = b.map([(wide, "full"), (mean, "rows"), (square, "rows")],
                      ["%d = arith.subf %a0, %a1 : f32", "%s = arith.addf %a2, %eps : f32", "%q = math.rsqrt %s : f32", "%r = arith.mulf %d, %q : f32"])
            b.results = [(b.narrowed(y), "full", dtype), (b.narrowed(wide), "full", dtype)]
            s = w + v
            if dtype != "f32":
                s = widen(narrow(s.astype(np.float32), "f32"), "f32")
            centred = s - s.mean(axis, keepdims=True)
            add(b, [x, g], [centred / np.sqrt(s.var(axis, keepdims=True) + 1e-5), s])

            b = Builder("rms_norm_" + tail, shape, axis, dtype, dynamic)
            scale = rng.standard_normal(n).astype(np.float32)
            b.arguments.append(f"%g: {b.type('column', 'f32')}")
            wide = b.widened("%x0")
            b.lines.append("%eps = arith.constant 1.0e-6 : f32")
            square = b.sum((wide, "full"), body=["%t = arith.mulf %a0, %a0 : f32"])
            y = b.map([(wide, "full"), (square, "rows"), ("%g", "column")],
                      ["%m = arith.divf %a1, %n : f32", "%s = arith.addf %m, %eps : f32", "%q = math.rsqrt %s : f32",
                       "%y = arith.mulf %a0, %q : f32", "%r = arith.mulf %y, %a2 : f32"])
            b.results = [(b.narrowed(y), "full", dtype)]
            broad = scale.astype(np.float64).reshape([-1 if i == axis else 1 for i in range(len(shape))])
            add(b, [x, scale], [w / np.sqrt((w * w).mean(axis, keepdims=True) + 1e-6) * broad])

# Values whose exponentials overflow without the subtraction, infinities and NaN: as the formula says in f64. Rows that are short, that are reduced in the loop of the
# exponentials of the one before, and that are too long for it.
for columns, dynamic in ((70, False), (1503, False), (1503, True), (140003, True)):
    x = rng.standard_normal((9, columns)).astype(np.float32)
    x[0] *= 1e4
    x[1, 3] = -np.inf
    x[2, 69] = np.nan
    x[3] = -np.inf
    x[4, 64] = np.inf
    x[5] = 3e38
    x[6, 0], x[6, 5], x[7, columns - 1], x[7, 1] = np.nan, np.inf, np.nan, -np.inf
    x[8] = np.nan
    for name, order in (("softmax_nasty", slice(None)), ("softmax_nasty_reversed", slice(None, None, -1))):
        y = np.ascontiguousarray(x[order])
        b = Builder(f"{name}_{columns}" + "_dyn" * dynamic, y.shape, 1, "f32", dynamic)
        top, e, total = softmax_parts(b, "%x0")
        b.results = [(b.map([(e, "full"), (total, "rows")], ["%r = arith.divf %a0, %a1 : f32"]), "full", "f32")]
        with np.errstate(all="ignore"):
            difference = y.astype(np.float64) - y.max(1, keepdims=True)
            ex = np.exp(difference)
            add(b, [y], [ex / ex.sum(1, keepdims=True)])
        # Of which only the logarithm of a sum of exponentials is seen.
        b = Builder(f"log_{name}_{columns}" + "_dyn" * dynamic, y.shape, 1, "f32", dynamic)
        top, e, total = softmax_parts(b, "%x0")
        b.results = [(b.map([("%x0", "full"), (top, "rows"), (total, "rows")],
                            ["%l = math.log %a2 : f32", "%d = arith.subf %a0, %a1 : f32", "%r = arith.subf %d, %l : f32"]), "full", "f32")]
        with np.errstate(all="ignore"):
            add(b, [y], [difference - np.log(ex.sum(1, keepdims=True))])
        b = Builder(f"log_sum_{name}_{columns}" + "_dyn" * dynamic, y.shape, 1, "f32", dynamic)
        top, e, total = softmax_parts(b, "%x0")
        b.lines += [f"%log = math.log {total} : {b.type('rows')}", f"%sum = arith.addf %log, {top} : {b.type('rows')}"]
        b.results = [("%sum", "rows", "f32")]
        with np.errstate(all="ignore"):
            add(b, [y], [np.log(ex.sum(1)) + y.max(1)])

# Sums of what differs from other rows, or from a column of their own: rows of any length are read along, and sums of -0 alone stay -0.
for size in (3, 6, 9, 10, 14, 16, 17, 20, 31, 40, 130):
    for rows, index in (((5, 33), "j"), ((5, 33), "i, j"), ((1, 7), "i"), ((4, 1), "j")):
        for dynamic in (False, True):
            shape, sizes = (*rows, size), lambda *n: [-1] * len(n) if dynamic else list(n)
            other = [dict(zip("ij", rows))[name] for name in index.split(", ")]
            t, u, v = (tensor(sizes(*n), "f32") for n in (shape, other, rows))
            name = f"apart_{size}_{'x'.join(map(str, rows))}_{index.replace(', ', '')}" + "_dynamic" * dynamic
            x, y = rng.standard_normal(shape).astype(np.float32), rng.standard_normal(other).astype(np.float32)
            start = np.full(rows, -0.0, np.float32)
            broad = y.astype(np.float64).reshape([n if axis in index else 1 for axis, n in zip("ij", rows)] + [1])
            suite.add(name, f"""func.func @{name}(%x: {t}, %y: {u}, %s: {v}) -> {v} {{
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ({index})>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}} ins(%x, %y : {t}, {u}) outs(%s : {v}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %q = arith.mulf %d, %d : f32
    %c = arith.addf %q, %o : f32
    linalg.yield %c : f32
  }} -> {v}
  return %r : {v} }}""", [x, y, start], [("f32", 2)], [((x - broad) ** 2).sum(2)], 3e-6)
        zeros = np.full((5, size), -0.0, np.float32)
        if rows == (5, 33) and index == "j":
            suite.add(f"signed_{size}", f"""func.func @signed_{size}(%x: {tensor((5, size), 'f32')}, %s: tensor<5xf32>) -> tensor<5xf32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}}
      ins(%x : {tensor((5, size), 'f32')}) outs(%s : tensor<5xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %c = arith.addf %a, %o : f32
    linalg.yield %c : f32
  }} -> tensor<5xf32>
  return %r : tensor<5xf32> }}""", [zeros, zeros[:, 0].copy()], [("f32", 1)], [zeros[:, 0]], lambda got, want: (got == want) & np.signbit(got))

# A tensor of which an op reads all rows beside its own: given, and made by what could be a part of the rows' loop.
for rows, columns in ((32, 16), (20, 24), (7, 40)):
    for dynamic in (False, True):
        typed = lambda *shape: tensor([-1] * len(shape) if dynamic else shape, "f32")
        x, square, sums = typed(rows, columns), typed(rows, rows), typed(rows)
        name, sizes = f"gram_{rows}" + "_dynamic" * dynamic, lambda *n: ", ".join(n) if dynamic else ""
        source = lambda name, first: f"""func.func @{name}(%x: {x}) -> ({sums}, {x}) {{
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %i0 : {x}
  %d1 = tensor.dim %x, %i1 : {x}
  %z = arith.constant 0.0 : f32
  %ex = tensor.empty({sizes("%d0", "%d1")}) : {x}
  {first}
  %es = tensor.empty({sizes("%d0", "%d0")}) : {square}
  %zs = linalg.fill ins(%z : f32) outs(%es : {square}) -> {square}
  %s = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}} ins(%y, %y : {x}, {x}) outs(%zs : {square}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }} -> {square}
  %er = tensor.empty({sizes("%d0")}) : {sums}
  %zr = linalg.fill ins(%z : f32) outs(%er : {sums}) -> {sums}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}} ins(%s : {square}) outs(%zr : {sums}) {{
  ^bb0(%a: f32, %o: f32):
    %e = math.absf %a : f32
    %q = arith.addf %o, %e : f32
    linalg.yield %q : f32
  }} -> {sums}
  %w = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%y, %r : {x}, {sums}) outs(%ex : {x}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }} -> {x}
  return %r, %w : {sums}, {x} }}"""
        value = rng.standard_normal((rows, columns)).astype(np.float32)
        for how, first, y in (("given", f"%y = tensor.cast %x : {x} to {x}", value.astype(np.float64)),
                              ("made", f"%y = linalg.add ins(%x, %x : {x}, {x}) outs(%ex : {x}) -> {x}", 2 * value.astype(np.float64))):
            total = np.abs(y @ y.T).sum(1)
            suite.add(f"{name}_{how}", source(f"{name}_{how}", first), [value], [("f32", 1), ("f32", 2)], [total, y / total[:, None]], 1e-5)

# Sums along rows of bf16, whose lanes are taken in any order, of what is widened twice, and of what is rounded on the way.
for columns in (64, 130, 1000):
    x = narrow(rng.standard_normal((17, columns)), "bf16")
    wide = widen(x, "bf16").astype(np.float64)
    rounded = widen(narrow(wide * wide, "bf16"), "bf16")
    for name, sum_type, body, want in (
            ("twice", "f64", "%p = arith.extf %w : f32 to f64", wide),
            ("rounded", "f32", "%q = arith.mulf %w, %w : f32\n%t = arith.truncf %q : f32 to bf16\n%u = arith.extf %t : bf16 to f32\n%p = arith.mulf %u, %w : f32", rounded * wide)):
        t, sums, name = tensor(x.shape, "bf16"), tensor((17,), sum_type), f"{name}_{columns}"
        suite.add(name, f"""func.func @{name}(%x: {t}) -> {sums} {{
  %z = arith.constant 0.0 : {sum_type}
  %e = tensor.empty() : {sums}
  %f = linalg.fill ins(%z : {sum_type}) outs(%e : {sums}) -> {sums}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%f : {sums}) {{
  ^bb0(%a: bf16, %o: {sum_type}):
    %w = arith.extf %a : bf16 to f32
    {body}
    %s = arith.addf %o, %p : {sum_type}
    linalg.yield %s : {sum_type}
  }} -> {sums}
  return %r : {sums} }}""", [x], [(sum_type, 1)], [want.sum(1)], close(1e-12 if sum_type == "f64" else 1e-5))

# What a later op starts from is made before the loop of its rows.
x, a = rng.standard_normal((9, 35)).astype(np.float32), rng.standard_normal(5).astype(np.float32)
y = np.maximum(np.max([x[:, i:i + 33] for i in range(3)], 0), -100.0).astype(np.float64)
suite.add("started", """func.func @started(%x: tensor<?x?xf32>, %a: tensor<5xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %i0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %i1 : tensor<?x?xf32>
  %w = arith.subi %d1, %i2 : index
  %e = tensor.empty(%d0, %w) : tensor<?x?xf32>
  %low = arith.constant -100.0 : f32
  %l = linalg.fill ins(%low : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %window = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : tensor<?x?xf32>, tensor<3xf32>) outs(%l : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.maximumf %p, %o : f32
    linalg.yield %m : f32
  } -> tensor<?x?xf32>
  %ez = tensor.empty() : tensor<f32>
  %lz = linalg.fill ins(%low : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %u = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<?x?xf32>) outs(%lz : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.maximumf %p, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (k)>, affine_map<(i, k, j) -> (i, j)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%y, %a : tensor<?x?xf32>, tensor<5xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %m = arith.maximumf %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<?x?xf32>
  %er = tensor.empty(%d0) : tensor<?xf32>
  %zr = linalg.fill ins(%z : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<?x?xf32>) outs(%zr : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r, %t, %u : tensor<?x?xf32>, tensor<?xf32>, tensor<f32> }""", [x, a], [("f32", 2), ("f32", 1), ("f32", 0)], [y + max(0.0, a.max()), y.sum(1), y.max()], 1e-5)

suite.run()
