# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx AMP_NUM_THREADS=2 \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback cpu=x86-64-v3}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback cpu=generic}" | FileCheck %s
# Tensors of i1, whose elements are bytes in memory and bits in vectors: made by comparisons, of NaN too, combined, counted, selected by, added to, filled, of
# static, odd and dynamic shapes. All results are compared exactly with NumPy, but for softmax: within 3e-6 of the largest element.
# CHECK-NOT: FAILED
# CHECK: all passed
import ctypes

import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(11)
suite = Suite()


def same(got, want):
    return (got == want) | np.isnan(np.asarray(got, np.float64)) & np.isnan(np.asarray(want, np.float64))


def sizes(t, shape, dynamic):
    """Lines that ask %x for its sizes, and these as operands."""
    if not dynamic:
        return "", ""
    lines = "\n".join(f"%i{i} = arith.constant {i} : index\n  %d{i} = tensor.dim %x, %i{i} : {t}" for i in range(len(shape)))
    return lines, ", ".join(f"%d{i}" for i in range(len(shape)))


for shape in ((64, 64), (7, 129), (3, 5, 33), (1, 1), (200, 300), (1000,)):
    for dynamic in (False, True):
        name = "x".join(map(str, shape)) + "_dynamic" * dynamic
        typed = lambda element: tensor([-1] * len(shape) if dynamic else list(shape), element)
        m, rank = typed("i1"), len(shape)
        a, b = rng.random(shape) < 0.5, rng.random(shape) < 0.3
        for dtype in ("f32", "f16", "bf16", "i8", "i32", "f64"):
            t = typed(dtype)
            if dtype.startswith("i"):
                x, y = (rng.integers(-3, 4, shape).astype(np.int8 if dtype == "i8" else np.int32) for _ in range(2))
                compare, add, ones = "arith.cmpi sgt", "arith.addi", "arith.extui"
            else:
                x, y = (narrow(np.where(rng.random(shape) < 0.1, np.nan, rng.integers(-3, 4, shape)), dtype) for _ in range(2))
                compare, add, ones = "arith.cmpf ogt", "arith.addf", "arith.uitofp"
            wx, wy = widen(x, dtype), widen(y, dtype)
            with np.errstate(invalid="ignore"):
                greater = wx > wy
            # A comparison that is a result, and that later ops take.
            suite.add(f"compare_{dtype}_{name}", f"""func.func @compare_{dtype}_{name}(%x: {t}, %y: {t}, %m: {m}) -> ({m}, {m}, {t}) {{
  %g = {compare}, %x, %y : {t}
  %k = arith.andi %g, %m : {m}
  %s = arith.select %k, %x, %y : {m}, {t}
  return %g, %k, %s : {m}, {m}, {t} }}""", [x, y, a], [("i1", rank), ("i1", rank), (dtype, rank)],
                      [greater, greater & a, np.where(greater & a, wx, wy)], same)
            suite.add(f"add_{dtype}_{name}", f"""func.func @add_{dtype}_{name}(%x: {t}, %m: {m}) -> {t} {{
  %w = {ones} %m : {m} to {t}
  %s = {add} %x, %w : {t}
  return %s : {t} }}""", [x, a], [(dtype, rank)], [wx + a], same)
        lines, operands = sizes(m, shape, dynamic)
        # Of masks alone; one of them the same everywhere.
        suite.add(f"logic_{name}", f"""func.func @logic_{name}(%x: {m}, %y: {m}, %f: i1) -> ({m}, {m}, {m}) {{
  {lines}
  %e = tensor.empty({operands}) : {m}
  %t = linalg.fill ins(%f : i1) outs(%e : {m}) -> {m}
  %n = arith.xori %x, %t : {m}
  %o = arith.ori %n, %y : {m}
  return %n, %o, %t : {m}, {m}, {m} }}""", [a, b, ctypes.c_bool(True)], [("i1", rank)] * 3, [~a, ~a | b, np.ones(shape, bool)], same)
    if len(shape) == 2:
        rows, columns = shape
        t, v, c = tensor(shape, "f32"), tensor((columns,), "i1"), tensor((rows,), "i32")
        m, x = tensor(shape, "i1"), rng.standard_normal(shape).astype(np.float32)
        a, of_columns = rng.random(shape) < 0.5, rng.random(columns) < 0.7
        name = f"{rows}x{columns}"
        # A mask of columns for all rows, and how many elements of each row a mask has.
        suite.add(f"columns_{name}", f"""func.func @columns_{name}(%x: {t}, %m: {v}) -> {t} {{
  %z = arith.constant -1.0 : f32
  %e = tensor.empty() : {t}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%x, %m : {t}, {v}) outs(%e : {t}) {{
  ^bb0(%a: f32, %k: i1, %o: f32):
    %s = arith.select %k, %a, %z : f32
    linalg.yield %s : f32
  }} -> {t}
  return %r : {t} }}""", [x, of_columns], [("f32", 2)], [np.where(of_columns, x, -1.0)], same)
        suite.add(f"count_{name}", f"""func.func @count_{name}(%m: {m}) -> {c} {{
  %z = arith.constant 0 : i32
  %e = tensor.empty() : {c}
  %f = linalg.fill ins(%z : i32) outs(%e : {c}) -> {c}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}} ins(%m : {m}) outs(%f : {c}) {{
  ^bb0(%k: i1, %o: i32):
    %w = arith.extui %k : i1 to i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  }} -> {c}
  return %r : {c} }}""", [a], [("i32", 1)], [a.sum(1)], same)
        # A mask that lies across: turned, and selected by; every second and third element of one.
        for dynamic in (False, True):
            typed = lambda shape, element: tensor([-1] * len(shape) if dynamic else list(shape), element)
            name = f"{rows}x{columns}" + "_dynamic" * dynamic
            t, m, turned, every = typed(shape, "f32"), typed(shape, "i1"), typed((columns, rows), "i1"), {step: typed((rows, -(-columns // step)), "i1") for step in (2, 3)}
            suite.add(f"turned_{name}", f"""func.func @turned_{name}(%x: {t}, %m: {turned}) -> ({m}, {t}) {{
  {sizes(t, shape, dynamic)[0]}
  %e = tensor.empty({'%d0, %d1' if dynamic else ''}) : {m}
  %s = linalg.transpose ins(%m : {turned}) outs(%e : {m}) permutation = [1, 0]
  %f = tensor.empty({'%d0, %d1' if dynamic else ''}) : {t}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%x, %m : {t}, {turned}) outs(%f : {t}) {{
  ^bb0(%a: f32, %k: i1, %o: f32):
    %n = arith.negf %a : f32
    %v = arith.select %k, %a, %n : f32
    linalg.yield %v : f32
  }} -> {t}
  return %s, %r : {m}, {t} }}""", [x, np.ascontiguousarray(a.T)], [("i1", 2), ("f32", 2)], [a, np.where(a, x, -x)], same)
            for step, to in every.items():
                count = -(-columns // step)
                extents = "%d0, %q" if dynamic else f"{rows}, {count}"
                suite.add(f"every_{step}_{name}", f"""func.func @every_{step}_{name}(%x: {m}) -> {to} {{
  {sizes(m, shape, True)[0]}
  %w = arith.constant {step} : index
  %q = arith.ceildivui %d1, %w : index
  %s = tensor.extract_slice %x[0, 0] [{extents}] [1, {step}] : {m} to {to}
  %e = tensor.empty({'%d0, %q' if dynamic else ''}) : {to}
  %t = arith.constant true
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%s : {to}) outs(%e : {to}) {{
  ^bb0(%k: i1, %o: i1):
    %n = arith.xori %k, %t : i1
    linalg.yield %n : i1
  }} -> {to}
  return %r : {to} }}""", [a], [("i1", 2)], [~a[:, ::step]], same)
        t, m, name = tensor(shape, "f32"), tensor(shape, "i1"), f"{rows}x{columns}"
        # Rows of softmax where a mask holds, which is one pass over each.
        a = a.copy()
        a[:, 0] = True
        low = np.where(a, x, -1e30).astype(np.float64)
        e = np.exp(low - low.max(1, keepdims=True))
        suite.add(f"softmax_{name}", f"""func.func @softmax_{name}(%x: {t}, %m: {m}) -> {t} {{
  %z = arith.constant dense<-1.0e+30> : {t}
  %s = arith.select %m, %x, %z : {m}, {t}
  %e = tensor.empty() : {t}
  %r = linalg.softmax dimension(1) ins(%s : {t}) outs(%e : {t}) -> {t}
  return %r : {t} }}""", [x, a], [("f32", 2)], [e / e.sum(1, keepdims=True)], lambda got, want: np.abs(got - want) <= 3e-6 * want.max())

suite.run()
