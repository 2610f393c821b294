# Reductions that keep one element: argmax and argmin with the value, over rows (lanes that are combined) and columns, and a maximum by compare and select.
# Oracle: the program's own steps, one element after the other, in NumPy. Bound: none, indices and the bits of values are equal, with ties, NaN,
# infinities and zeros of both signs.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import operator
import zlib

import numpy as np
from harness import NUMPY, Suite, narrow, tensor, widen

suite = Suite()
#: Of f32: what the payload says, and whether the element `a` is taken in place of `b`.
OPS = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}
FORMS = {}
for name, compare in OPS.items():
    FORMS["o" + name] = (f"%t = arith.cmpf o{name}, %a, %b : T", "%t, %a, %b", compare)
    # The other way round, and kept where it is true.
    mirror = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}[name]
    FORMS["mirrored_" + name] = (f"%t = arith.cmpf o{mirror}, %b, %a : T", "%t, %a, %b", compare)
    inverse = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}[name]
    FORMS["inverse_" + name] = (f"%t = arith.cmpf u{inverse}, %a, %b : T", "%t, %b, %a", compare)
# tosa.argmax: the first NaN is kept.
FORMS["tosa"] = ("%u = arith.cmpf ugt, %a, %b : T\n %o = arith.cmpf ord, %b, %b : T\n %t = arith.andi %u, %o : i1", "%t, %a, %b",
                 lambda a, b: b == b and not a <= b)
FORMS["last_nan"] = ("%u = arith.cmpf ogt, %a, %b : T\n %o = arith.cmpf uno, %a, %a : T\n %t = arith.ori %u, %o : i1", "%t, %a, %b",
                     lambda a, b: a > b or a != a)
# NaN loses to all, also as what the reduction starts with.
FORMS["nan_loses"] = ("%u = arith.cmpf olt, %a, %b : T\n %q = arith.cmpf une, %b, %b : T\n %h = arith.cmpf ord, %a, %a : T\n"
                      " %o = arith.andi %q, %h : i1\n %t = arith.ori %u, %o : i1", "%t, %a, %b", lambda a, b: a < b or (b != b and a == a))


def fold(x, take, start, place):
    """The steps over the last dimension: values and indices."""
    values, indices = np.empty(x.shape[0], x.dtype), np.empty(x.shape[0], np.int64)
    for row, elements in enumerate(x):
        best, at = start, place
        for i, element in enumerate(elements):
            if take(element, best):
                best, at = element, i
        values[row], indices[row] = best, at
    return values, indices


def bits_equal(got, want):
    if want.dtype.kind != "f":
        return got == want
    return (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)


def sample(rng, shape, dtype):
    if dtype[0] == "i":
        # Few values: many ties.
        return rng.integers(-5 if shape[1] % 2 else -100, 6, shape).astype(NUMPY[dtype])
    x = np.round(rng.standard_normal(shape) * 4) / 4
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0])
    x[1::3] = np.where(rng.random(x[1::3].shape) < 0.4, rng.choice(special, x[1::3].shape), x[1::3])
    x[2::3] = rng.choice(special[3:], x[2::3].shape)
    x[5:6], x[6:7] = np.nan, -np.inf
    return narrow(x, dtype)


def add(name, form, shape, dtype="f32", index="i32", start="0xFF800000", place=0, columns=False, dynamic=False, scalar=""):
    compare, choose, take = form
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    x = sample(rng, shape, dtype)
    wide = widen(x, dtype)
    first = {"0xFF800000": -np.inf, "0xFFC00000": np.nan}.get(start)
    first = float(start) if first is None and dtype[0] != "i" else int(start) if first is None else first
    values, indices = fold(wide, take, first, place)
    if columns:
        x = np.ascontiguousarray(x.T)
    t = "tensor<?x?x" + dtype + ">" if dynamic else tensor(x.shape, dtype)
    n = "?" if dynamic else shape[0]
    size = f"%c = arith.constant {int(columns)} : index\n %n = tensor.dim %x, %c : {t}" if dynamic else ""
    empty = "%n" if dynamic else ""
    cast = f"%i = arith.index_cast %p : index to {index}" if index != "index" else ""
    i = "%i" if cast else "%p"
    bits = {"f16": "0xFC00", "bf16": "0xFF80", "f64": "0xFFF0000000000000"}.get(dtype, start) if start == "0xFF800000" else start
    inner, outer = ("i", "j") if columns else ("j", "i")
    suite.add(name, f"""func.func @{name}(%x: {t}) -> (tensor<{n}x{dtype}>, tensor<{n}x{index}>) {{
 {size}
 %m = arith.constant {bits} : {dtype}
 %z = arith.constant {place} : {index}
 %e = tensor.empty({empty}) : tensor<{n}x{dtype}>
 %ei = tensor.empty({empty}) : tensor<{n}x{index}>
 %f = linalg.fill ins(%m : {dtype}) outs(%e : tensor<{n}x{dtype}>) -> tensor<{n}x{dtype}>
 %fi = linalg.fill ins(%z : {index}) outs(%ei : tensor<{n}x{index}>) -> tensor<{n}x{index}>
 %r:2 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ({outer})>, affine_map<(i, j) -> ({outer})>],
     iterator_types = [{'"reduction", "parallel"' if columns else '"parallel", "reduction"'}]}}
   ins(%x : {t}) outs(%f, %fi : tensor<{n}x{dtype}>, tensor<{n}x{index}>) {{
  ^bb0(%a: {dtype}, %b: {dtype}, %d: {index}):
   %p = linalg.index {int(not columns)} : index
   {cast}
   {compare.replace(": T", ": " + dtype)}
   %v = arith.select {choose} : {dtype}
   %w = arith.select {choose.replace("%a", i).replace("%b", "%d")} : {index}
   linalg.yield %v, %w : {dtype}, {index} }} -> (tensor<{n}x{dtype}>, tensor<{n}x{index}>)
 return %r#0, %r#1 : tensor<{n}x{dtype}>, tensor<{n}x{index}> }}""", [x], [(dtype, 1), (index, 1)], [values, indices], bits_equal, scalar=scalar)


for name, form in FORMS.items():
    start = "0xFF800000" if name.rsplit("_")[-1].lstrip("o") in ("gt", "ge", "tosa", "nan") else "3.5"
    add("form_" + name, form, (11, 203), start=start, place=-7)
    add("dynamic_" + name, form, (8, 61), start=start, index="i64", dynamic=True)
    # Started with NaN.
    add("nan_" + name, form, (8, 37), start="0xFFC00000", place=-1)
for length in (2, 3):
    add(f"length_{length}", FORMS["ogt"], (7, length), scalar="rows of fewer than 4 elements")
for length in (4, 5, 7, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 1000):
    add(f"length_{length}", FORMS["ogt"], (7, length))
    add(f"last_{length}", FORMS["oge"], (7, length), index="index")
for dtype in ("f64", "f16", "bf16"):
    for index in ("i32", "i64", "index"):
        for dynamic in (False, True):
            add(f"type_{dtype}_{index}_{int(dynamic)}", FORMS["oge" if index == "i32" else "ogt"], (9, 147), dtype, index, dynamic=dynamic)
    add(f"columns_{dtype}", FORMS["tosa"], (45, 33), dtype, columns=True)
for dtype in ("i8", "i16", "i32", "i64"):
    for name, compare in OPS.items():
        form = (f"%t = arith.cmpi s{name}, %a, %b : T", "%t, %a, %b", compare)
        start = -100 if name[0] == "g" else 100
        add(f"{dtype}_{name}", form, (6, 149), dtype, "i64" if dtype == "i64" else "i32", start=str(start))
        add(f"{dtype}_{name}_dynamic", form, (6, 70), dtype, start=str(start), dynamic=True)
    unsigned = NUMPY[dtype](0).dtype.str.replace("i", "u")
    add(f"{dtype}_unsigned", ("%t = arith.cmpi ugt, %a, %b : T", "%t, %a, %b", lambda a, b, u=unsigned: np.array(a).astype(u) > np.array(b).astype(u)),
        (6, 149), dtype, start="0")
for columns in (False, True):
    add(f"empty_{int(columns)}", FORMS["ogt"], (4, 0), dynamic=True, columns=columns, place=-3)
for name in ("ogt", "ole", "tosa"):
    add("columns_" + name, FORMS[name], (61, 37), start="0.25", columns=True)
    add("dynamic_columns_" + name, FORMS[name], (61, 37), start="0.25", columns=True, dynamic=True)

rng = np.random.default_rng(5)
x = sample(rng, (9, 301), "f32")
start, place = np.float32([0.5, -np.inf, np.nan, 0, -0.0, 1, 2, -np.inf, 9]), np.arange(-9, 0)
both = [fold(x[i:i + 1], OPS["gt"], start[i], place[i]) for i in range(9)]
# Starts of each row's own; the greatest magnitude, its sign's factor and the place twice as far; a sum besides.
suite.add("starts", """func.func @starts(%x: tensor<9x301xf32>, %s: tensor<9xf32>, %q: tensor<9xi64>) -> (tensor<9xf32>, tensor<9xi64>) {
 %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
   ins(%x : tensor<9x301xf32>) outs(%s, %q : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%a: f32, %b: f32, %d: i64):
   %p = linalg.index 1 : index
   %i = arith.index_cast %p : index to i64
   %t = arith.cmpf ogt, %a, %b : f32
   %v = arith.select %t, %a, %b : f32
   %w = arith.select %t, %i, %d : i64
   linalg.yield %v, %w : f32, i64 } -> (tensor<9xf32>, tensor<9xi64>)
 return %r#0, %r#1 : tensor<9xf32>, tensor<9xi64> }""", [x, start, place], [("f32", 1), ("i64", 1)],
          [np.concatenate([v for v, _ in both]), np.concatenate([i for _, i in both])], bits_equal)
y = rng.integers(-9, 10, (9, 301)).astype(np.float32)
at = np.abs(y).argmax(1)
rows = np.arange(9)
suite.add("several", """func.func @several(%x: tensor<9x301xf32>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xi32>, tensor<9xf32>) {
 %zero = arith.constant 0.0 : f32
 %below = arith.constant -1.0 : f32
 %none = arith.constant -1 : i32
 %e = tensor.empty() : tensor<9xf32>
 %ei = tensor.empty() : tensor<9xi32>
 %f = linalg.fill ins(%below : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
 %g = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
 %fi = linalg.fill ins(%none : i32) outs(%ei : tensor<9xi32>) -> tensor<9xi32>
 %r:4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
     iterator_types = ["parallel", "reduction"]}
   ins(%x : tensor<9x301xf32>) outs(%f, %g, %fi, %g : tensor<9xf32>, tensor<9xf32>, tensor<9xi32>, tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: i32, %s: f32):
   %row = linalg.index 0 : index
   %p = linalg.index 1 : index
   %two = arith.constant 2 : index
   %double = arith.muli %p, %two : index
   %far = arith.addi %double, %row : index
   %i = arith.index_cast %far : index to i32
   %m = math.absf %a : f32
   %t = arith.cmpf ogt, %m, %b : f32
   %v = arith.select %t, %m, %b : f32
   %o = arith.select %t, %a, %c : f32
   %w = arith.select %t, %i, %d : i32
   %sum = arith.addf %s, %a : f32
   linalg.yield %v, %o, %w, %sum : f32, f32, i32, f32 } -> (tensor<9xf32>, tensor<9xf32>, tensor<9xi32>, tensor<9xf32>)
 return %r#0, %r#1, %r#2, %r#3 : tensor<9xf32>, tensor<9xf32>, tensor<9xi32>, tensor<9xf32> }""", [y],
          [("f32", 1), ("f32", 1), ("i32", 1), ("f32", 1)], [np.abs(y)[rows, at], y[rows, at], 2 * at + rows, y.sum(1)], bits_equal)
suite.add("select_max", """func.func @select_max(%x: tensor<2709xf32>) -> tensor<f32> {
 %m = arith.constant 0xFF800000 : f32
 %e = tensor.empty() : tensor<f32>
 %f = linalg.fill ins(%m : f32) outs(%e : tensor<f32>) -> tensor<f32>
 %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
   ins(%x : tensor<2709xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
   %t = arith.cmpf ule, %a, %b : f32
   %v = arith.select %t, %b, %a : f32
   linalg.yield %v : f32 } -> tensor<f32>
 return %r : tensor<f32> }""", [x.ravel()], [("f32", 0)], [fold(x.reshape(1, -1), OPS["gt"], -np.inf, 0)[0][0]], bits_equal)
suite.run()
