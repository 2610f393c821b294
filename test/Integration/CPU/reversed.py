# Rows that are read from their end, from a place of their own, or by an index that is also a number: all element types, static, odd, dynamic and empty sizes.
# Oracle: NumPy. Equality.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-linalg,amp-lower-to-cpu" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-linalg,amp-lower-to-cpu{cpu=x86-64}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import Suite, narrow, tensor, widen

if len(sys.argv) == 1:
    sys.argv.append("amp-lower-to-linalg,amp-lower-to-cpu")
rng = np.random.default_rng(5)
suite = Suite()


def sample(shape, dtype):
    values = rng.integers(-100, 100, shape) if dtype.startswith("i") else rng.standard_normal(shape)
    return np.asarray(narrow(values, dtype)).reshape(shape)


for dtype in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"):
    for width, dynamic in ((1, False), (5, False), (16, False), (37, False), (100, True), (3, True), (0, True)):
        shape = (3, 4, width)
        value = sample(shape, dtype)
        t = tensor([-1] * 3 if dynamic else shape, dtype)
        for axis in range(3):
            name = f"reverse_{dtype}_{width}_{axis}{'_dynamic' if dynamic else ''}"
            suite.add(name, f"""func.func @{name}(%x: {t}) -> {t} {{
  %r = tosa.reverse %x {{axis = {axis} : i32}} : ({t}) -> {t}
  return %r : {t} }}""", [value], [(dtype, 3)], [widen(np.flip(value, axis), dtype)],
                      scalar="neighbours are rows of one element" if width == 1 else "")

# Beside other operands, from places that differ by row, forwards and backwards; and with the index as a number.
for width in (4, 16, 35):
    x, y, starts = sample((6, 2 * width), "f32"), sample((6, width), "f32"), rng.integers(0, width + 1, 6).astype(np.int32)
    big, row, index = tensor(x.shape, "f32"), tensor(y.shape, "f32"), tensor([6], "i32")
    at = starts[:, None] + np.arange(width)
    for name, lines, where in (
            ("ahead", "%k = arith.addi %s, %j : index", at),
            ("back", f"%c = arith.constant {width - 1} : index\n    %last = arith.addi %s, %c : index\n    %k = arith.subi %last, %j : index", at[:, ::-1]),
            ("both", "%d = arith.subi %j, %s : index\n    %k = arith.subi %j, %d : index", np.broadcast_to(starts[:, None], at.shape))):
        suite.add(f"{name}_{width}", f"""func.func @{name}_{width}(%x: {big}, %y: {row}, %starts: {index}) -> {row} {{
  %e = tensor.empty() : {row}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%starts, %y : {index}, {row}) outs(%e : {row}) {{
  ^bb0(%start: i32, %b: f32, %old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.index_cast %start : i32 to index
    {lines}
    %a = tensor.extract %x[%i, %k] : {big}
    %v = arith.subf %a, %b : f32
    linalg.yield %v : f32
  }} -> {row}
  return %r : {row} }}""", [x, y, starts], [("f32", 2)], [np.take_along_axis(x, where, 1) - y],
                  scalar="what the steps of indices add up to is no index of the loop" if name == "both" else "")
    suite.add(f"numbers_{width}", f"""func.func @numbers_{width}(%x: {row}) -> {row} {{
  %c = arith.constant {width - 1} : index
  %e = tensor.empty() : {row}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} outs(%e : {row}) {{
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c, %j : index
    %a = tensor.extract %x[%i, %k] : {row}
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %v = arith.addf %a, %f : f32
    linalg.yield %v : f32
  }} -> {row}
  return %r : {row} }}""", [y], [("f32", 2)], [y[:, ::-1] + np.arange(width, dtype=np.float32)[::-1]])
suite.run()
