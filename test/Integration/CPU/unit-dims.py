# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# Dimensions of one element in every place, products of vectors and matrices, and layouts that no loop is contiguous along: none of it goes element by element. Oracle: NumPy
# in f64. Bounds, absolute and relative: 1e-4 for f32 sums of up to 1037 terms of about 1 (of bf16, whose products are exact, too), 2e-6 for softmax in f32,
# output rounding for bf16 (2e-2), equality for integers and for data movement, 2e-6 for functions of operands that are turned, and 2e-5 for their sums.
# CHECK-NOT: FAILED
# CHECK: all passed
import itertools

import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(5)
suite = Suite()
ACCUMULATOR = {"f32": "f32", "bf16": "f32", "i8": "i32"}


def sample(shape, dtype):
    values = rng.integers(-9, 9, shape) if dtype in ("i8", "i32") else rng.standard_normal(shape)
    return np.asarray(narrow(values, dtype)).reshape(shape)


def contraction(name, maps, sizes, dtype, dynamic=False, values=None, tolerance=1e-4):
    """`maps` as einsum writes them; the accumulator is an argument."""
    a, b, c = maps.replace("->", ",").split(",")
    loops = sorted(set(a + b + c))
    acc = ACCUMULATOR[dtype]
    shapes = [[sizes[letter] for letter in letters] for letters in (a, b, c)]
    dtypes = [dtype, dtype, acc]
    ta, tb, tc = (tensor([-1 if dynamic else s for s in shape], t) for shape, t in zip(shapes, dtypes))
    affine = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(m)})>" for m in (a, b, c))
    kinds = ", ".join('"parallel"' if letter in c else '"reduction"' for letter in loops)
    kind = "i" if acc == "i32" else "f"
    widened = "" if dtype == acc else "".join(
        f"    %{v}w = arith.{'extsi' if kind == 'i' else 'extf'} %{v} : {dtype} to {acc}\n" for v in "xy")
    x, y = ("%x", "%y") if dtype == acc else ("%xw", "%yw")
    args = values or [sample(shape, t) for shape, t in zip(shapes, dtypes)]
    wide = [widen(v, t) for v, t in zip(args, dtypes)]
    with np.errstate(invalid="ignore", over="ignore"):
        want = wide[2] + np.einsum(f"{a},{b}->{c}", *wide[:2])
    suite.add(name, f"""func.func @{name}(%a: {ta}, %b: {tb}, %c: {tc}) -> {tc} {{
  %r = linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}} ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) {{
  ^bb0(%x: {dtype}, %y: {dtype}, %o: {acc}):
{widened}    %p = arith.mul{kind} {x}, {y} : {acc}
    %s = arith.add{kind} %o, %p : {acc}
    linalg.yield %s : {acc}
  }} -> {tc}
  return %r : {tc}
}}""", args, [(acc, len(c))], [want], 0 if kind == "i" else tolerance)


def orders(letters):
    return ["".join(p) for p in itertools.permutations(letters)]


# Every layout of a small product with every choice of what has one element only.
for dtype in ("f32", "bf16", "i8"):
    for units in itertools.product((False, True), repeat=3):
        sizes = {letter: 1 if unit else size for letter, unit, size in zip("mnk", units, (5, 37, 40))}
        tag = "".join("01"[unit] for unit in units)
        for a, b, c in itertools.product(orders("mk"), orders("kn"), orders("mn")):
            if sum(units) == 0 or (dtype != "f32" and a + b != "mkkn"):
                continue
            contraction(f"product_{dtype}_{tag}_{a}_{b}_{c}", f"{a},{b}->{c}", sizes, dtype)
# A batch of one, and one of three, whose matrices have one row, column or step.
for batch, units in itertools.product((1, 3), itertools.product((False, True), repeat=3)):
    sizes = {letter: 1 if unit else size for letter, unit, size in zip("mnk", units, (6, 35, 33))}
    tag = f"{batch}_" + "".join("01"[unit] for unit in units)
    contraction(f"batch_{tag}", "bmk,bkn->bmn", {**sizes, "b": batch}, "f32")
    contraction(f"batch_transposed_{tag}", "bmk,bnk->bmn", {**sizes, "b": batch}, "f32")
    contraction(f"batch_sum_{tag}", "bmk,bkn->mn", {**sizes, "b": batch}, "f32")

# Operands that lie across each other, with short and long loops.
for dtype, dynamic, size in itertools.product(("f32", "bf16", "i8"), (False, True), (3, 8, 21)):
    tag = f"{dtype}_{size}{'_dynamic' if dynamic else ''}"
    sizes = {"m": size, "n": size + 1, "k": size + 2, "b": 5}
    contraction(f"across_{tag}", "mk,km->", sizes, dtype, dynamic)
    contraction(f"both_across_{tag}", "km,nk->mn", sizes, dtype, dynamic)
    contraction(f"batch_inside_{tag}", "mkb,knb->bmn", sizes, dtype, dynamic)
    contraction(f"batch_sums_{tag}", "bmk,kbm->b", sizes, dtype, dynamic)
    contraction(f"outer_across_{tag}", "bm,bn->mnb", sizes, dtype, dynamic)

# Products of a vector and a matrix, beyond what is left to plain loops.
for dtype in ("f32", "bf16", "i8"):
    for dynamic in (False, True):
        tag = f"{dtype}{'_dynamic' if dynamic else ''}"
        contraction(f"vecmat_{tag}", "k,kn->n", {"k": 1037, "n": 261}, dtype, dynamic)
        contraction(f"matvec_{tag}", "mk,k->m", {"k": 1037, "m": 261}, dtype, dynamic)
        contraction(f"matrix_first_{tag}", "kn,k->n", {"k": 514, "n": 512}, dtype, dynamic)
        contraction(f"transposed_{tag}", "nk,k->n", {"k": 1024, "n": 64}, dtype, dynamic)
        contraction(f"batch_vecmat_{tag}", "bk,bkn->bn", {"b": 3, "k": 533, "n": 131}, dtype, dynamic)
        contraction(f"batch_matvec_{tag}", "bmk,bk->bm", {"b": 3, "k": 533, "m": 131}, dtype, dynamic)
        contraction(f"two_sums_{tag}", "jk,jkn->n", {"j": 7, "k": 133, "n": 131}, dtype, dynamic)
        contraction(f"column_{tag}", "mk,kn->mn", {"m": 261, "k": 133, "n": 1}, dtype, dynamic)
        contraction(f"empty_{tag}", "k,kn->n", {"k": 0, "n": 261}, dtype, dynamic)
# Infinities and NaN stay in their columns; subnormal numbers count.
k, n = 523, 259
a, b, c = sample([k], "f32"), sample([k, n], "f32"), np.zeros(n, np.float32)
b[:, -1], b[7, 3], b[9, 5], b[11, 5] = np.inf, np.nan, np.inf, -np.inf
b[:, 8] = 1e-39
a[9] = a[11] = 1
contraction("nasty", "k,kn->n", {"k": k, "n": n}, "f32", values=[a, b, c],
            tolerance=lambda got, want: (got == want) | np.isnan(got) & np.isnan(want) | (np.abs(np.where(np.isfinite(want), got - want, np.inf)) <= np.where(
                np.abs(want) < 1e-30, 1e-42, 2e-5) + 2e-5 * np.abs(np.where(np.isfinite(want), want, 0))))

# What follows a matrix times a column, and a bias of one element.
x, w, bias = sample([70, 300], "f32"), sample([300, 1], "f32"), sample([1], "f32")
suite.add("column_bias", """func.func @column_bias(%x: tensor<70x300xf32>, %w: tensor<300x1xf32>, %bias: tensor<1xf32>) -> tensor<70x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<70x1xf32>) -> tensor<70x1xf32>
  %r = linalg.matmul ins(%x, %w : tensor<70x300xf32>, tensor<300x1xf32>) outs(%f : tensor<70x1xf32>) -> tensor<70x1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias : tensor<70x1xf32>, tensor<1xf32>) outs(%e : tensor<70x1xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.maximumf %t, %z : f32
    linalg.yield %u : f32
  } -> tensor<70x1xf32>
  return %s : tensor<70x1xf32>
}""", [x, w, bias], [("f32", 2)], [np.maximum(x.astype(np.float64) @ w + bias, 0)], 2e-5)

# Sums of each choice of three dimensions, whose results keep these or do not.
for units in itertools.product((False, True), repeat=3):
    shape = [1 if unit else size for unit, size in zip(units, (6, 35, 40))]
    tag = "".join("01"[unit] for unit in units)
    for axes in itertools.chain.from_iterable(itertools.combinations(range(3), count) for count in (1, 2, 3)):
        for keep in (False, True):
            kept = [d for d in range(3) if keep or d not in axes]
            out = [1 if d in axes else shape[d] for d in kept]
            exprs = ", ".join("0" if d in axes else f"d{d}" for d in kept)
            kinds = ", ".join('"reduction"' if d in axes else '"parallel"' for d in range(3))
            name = f"sum_{tag}_{''.join(map(str, axes))}{'_keep' if keep else ''}"
            a, c = sample(shape, "f32"), sample(out, "f32")
            suite.add(name, f"""func.func @{name}(%a: {tensor(shape, "f32")}, %c: {tensor(out, "f32")}) -> {tensor(out, "f32")} {{
  %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ({exprs})>], iterator_types = [{kinds}]}}
      ins(%a : {tensor(shape, "f32")}) outs(%c : {tensor(out, "f32")}) {{
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }} -> {tensor(out, "f32")}
  return %r : {tensor(out, "f32")}
}}""", [a, c], [("f32", len(out))], [c + a.astype(np.float64).sum(axes, keepdims=keep)], 2e-5)

# Shares of one element are one, and NaN where that is not finite.
for shape, d in (((40, 1), 1), ((40, 1), 0), ((1, 40), 0), ((5, 1, 7), 1), ((1, 1), 1), ((33, 1, 1), 0), ((40,), 0), ((1,), 0)):
    for dtype, bound in (("f32", 2e-6), ("bf16", 2e-2)):
        for dynamic in (False, True):
            name = f"softmax_{'x'.join(map(str, shape))}_{d}_{dtype}{'_dynamic' if dynamic else ''}"
            a = sample(shape, dtype)
            if shape[d] == 1:
                a.flat[0] = narrow(np.inf, dtype)
            x = widen(a, dtype)
            with np.errstate(invalid="ignore"):
                e = np.exp(x - x.max(d, keepdims=True))
            # The dimensions of one element stay static where others are dynamic.
            t = tensor([-1 if dynamic and s > 1 else s for s in shape], dtype)
            suite.add(name, f"""func.func @{name}(%a: {t}, %c: {t}) -> {t} {{
  %r = linalg.softmax dimension({d}) ins(%a : {t}) outs(%c : {t}) -> {t}
  return %r : {t}
}}""", [a, np.zeros_like(a)], [(dtype, len(shape))], [e / e.sum(d, keepdims=True)], bound)

# A scalar in every element, data movement, and what is no loop at all.
for shape in ((3, 4, 2), (1, 4, 1), (5, 1, 33), (1, 1, 1)):
    t, s = tensor(shape, "f32"), tensor([], "f32")
    name = "scalar_" + "x".join(map(str, shape))
    a, b = sample([], "f32"), sample(shape, "f32")
    suite.add(name, f"""func.func @{name}(%a: {s}, %b: {t}, %c: {t}) -> {t} {{
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> ()>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}} ins(%a, %b : {s}, {t}) outs(%c : {t}) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  }} -> {t}
  return %r : {t}
}}""", [a, b, b], [("f32", 3)], [float(a) * b.astype(np.float64)], 1e-6)
for shape in ((1, 40, 17), (40, 1, 17), (40, 17, 1), (1, 1, 17), (17, 1, 1), (3, 40, 2), (2, 5, 3), (7, 3, 33)):
    for p in itertools.permutations(range(3)):
        a = sample(shape, "f32")
        want = a.transpose(p)
        name = f"transpose_{'x'.join(map(str, shape))}_{''.join(map(str, p))}"
        suite.add(name, f"""func.func @{name}(%a: {tensor(shape, "f32")}, %c: {tensor(want.shape, "f32")}) -> {tensor(want.shape, "f32")} {{
  %r = linalg.transpose ins(%a : {tensor(shape, "f32")}) outs(%c : {tensor(want.shape, "f32")}) permutation = [{', '.join(map(str, p))}]
  return %r : {tensor(want.shape, "f32")}
}}""", [a, np.zeros(want.shape, np.float32)], [("f32", 3)], [want])
# What lies across the other operand is turned first where a function is computed of it.
for op, function in (("tanh", np.tanh), ("absf", np.abs), ("sqrt", None)):
    for shape, order in (((40, 31), (1, 0)), ((7, 3, 24), (2, 1, 0)), ((5, 12, 33), (2, 0, 1)), ((20, 17, 5, 12), (2, 3, 1, 0))):
        for dtype in ("f32", "bf16"):
            rank = len(shape)
            dims = [f"d{i}" for i in range(rank)]
            a, b = sample(shape, "f32"), sample([shape[i] for i in order], dtype)
            x, y = tensor(shape, "f32"), tensor(b.shape, dtype)
            name = f"turned_{op}_{rank}_{shape[-1]}_{dtype}"
            # Roots of what is above zero.
            positive = "%p = arith.mulf %w, %w : f32" if op == "sqrt" else "%p = arith.addf %w, %zero : f32"
            wide = widen(b, dtype).transpose(np.argsort(order))
            want = a + (np.abs(wide) if op == "sqrt" else function(wide))
            widened = f"%w = arith.extf %v : {dtype} to f32" if dtype != "f32" else "%w = arith.subf %v, %zero : f32"
            for reduced in (False, True):
                keep = dims[:-1] if reduced else dims
                z = tensor(shape[:len(keep)], "f32")
                result = "%s = arith.addf %o, %t : f32" if reduced else "%s = arith.addf %t, %zero : f32"
                kinds = ", ".join('"parallel"' if d in keep else '"reduction"' for d in dims)
                suite.add(name + "_sum" * reduced, f"""func.func @{name}{"_sum" * reduced}(%a: {x}, %b: {y}) -> {z} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {z}
  %c = linalg.fill ins(%zero : f32) outs(%e : {z}) -> {z}
  %r = linalg.generic {{indexing_maps = [affine_map<({", ".join(dims)}) -> ({", ".join(dims)})>, affine_map<({", ".join(dims)}) -> ({", ".join(dims[i] for i in order)})>,
      affine_map<({", ".join(dims)}) -> ({", ".join(keep)})>], iterator_types = [{kinds}]}} ins(%a, %b : {x}, {y}) outs(%c : {z}) {{
  ^bb0(%u: f32, %v: {dtype}, %o: f32):
    {widened}
    {positive}
    %f = math.{op} %p : f32
    %t = arith.addf %u, %f : f32
    {result}
    linalg.yield %s : f32
  }} -> {z}
  return %r : {z} }}""", [a, b], [("f32", len(keep))], [want.sum(-1) if reduced else want], 2e-5 if reduced else 2e-6,
                          scalar="a copy takes longer than cheap sums" if reduced and op != "tanh" else "")

suite.run()
