# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# Named and generic linalg ops in f64 and integers, on odd sizes. Oracle: upstream's scalar loops on the same functions.
# Bound: 1e-12 for f64, which reassociation of at most 1000 terms of size 1 keeps; equality for integers.
# CHECK-NOT: FAILED
# CHECK: all passed
import re

import numpy as np
from harness import NUMPY, Module, compile_module

rng = np.random.default_rng(3)
SCALAR = ("one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
          "func.func(convert-linalg-to-loops),amp-lower-to-cpu")
functions = {}


def add(name, op, ins, out, attributes="", body="", maps=""):
    """One op, its last operand the accumulator."""
    args = ", ".join(f"%a{i}: tensor<{t}>" for i, t in enumerate(ins)) + f", %o: tensor<{out}>"
    names = ", ".join(f"%a{i}" for i in range(len(ins)))
    types = ", ".join(f"tensor<{t}>" for t in ins)
    functions[name] = ([*ins, out], out, f"""func.func @{name}({args}) -> tensor<{out}> {{
  %r = linalg.{op} {maps} {attributes} ins({names} : {types}) outs(%o : tensor<{out}>) {body} -> tensor<{out}>
  return %r : tensor<{out}>
}}""")


def window(stride, dilation, rank=2):
    return f"{{strides = dense<{stride}> : tensor<{rank}xi64>, dilations = dense<{dilation}> : tensor<{rank}xi64>}}"


def generic(name, ins, out, maps, iterators, body):
    add(name, "generic", ins, out, maps="{indexing_maps = [" + ", ".join(f"affine_map<{m}>" for m in maps) + "], iterator_types = ["
        + ", ".join(f'"{i}"' for i in iterators) + "]}", body="{ " + body + " }")


add("dot_", "dot", ["1000xf64", "1000xf64"], "f64")
add("matvec_", "matvec", ["37x53xf64", "53xf64"], "37xf64")
add("vecmat_", "vecmat", ["53xf64", "53x41xf64"], "41xf64")
add("batch_matvec_", "batch_matvec", ["3x17x23xf64", "3x23xf64"], "3x17xf64")
add("batch_vecmat_", "batch_vecmat", ["3x23xf64", "3x23x17xf64"], "3x17xf64")
add("batch_reduce", "batch_reduce_matmul", ["3x33x40xf64", "3x40x29xf64"], "33x29xf64")
add("mmt4d_", "mmt4d", ["3x5x8x2xf64", "4x5x6x2xf64"], "3x4x8x6xf64")
add("quantized", "quantized_matmul", ["9x17xi8", "17x11xi8", "i32", "i32"], "9x11xi32")
add("matmul_i16", "matmul", ["40x33xi16", "33x50xi16"], "40x50xi32")
add("matmul_i64", "matmul", ["40x33xi64", "33x50xi64"], "40x50xi64")
add("conv1d", "conv_1d_nwc_wcf", ["2x19x5xf64", "3x5x7xf64"], "2x9x7xf64", window(2, 1, 1))
add("conv1d_plain", "conv_1d", ["40xf64", "7xf64"], "34xf64")
add("conv2d_plain", "conv_2d", ["12x40xf64", "3x3xf64"], "10x38xf64")
add("conv3d", "conv_3d_ndhwc_dhwcf", ["1x6x7x8x3xf64", "2x2x2x3x9xf64"], "1x5x6x7x9xf64", window(1, 1, 3))
add("conv_fhwc", "conv_2d_nhwc_fhwc", ["1x9x9x6xf64", "5x3x3x6xf64"], "1x7x7x5xf64", window(1, 1))
add("conv_s3", "conv_2d_nchw_fchw", ["1x3x20x23xf64", "4x3x2x2xf64"], "1x4x7x8xf64", window(3, 1))
add("conv_s5", "conv_2d_nchw_fchw", ["1x3x20x43xf64", "4x3x2x2xf64"], "1x4x4x9xf64", window(5, 1))
add("conv_grouped", "conv_2d_ngchw_fgchw", ["1x2x3x9x10xf64", "4x2x3x3x3xf64"], "1x2x4x7x8xf64", window(1, 1))
add("conv_q", "conv_2d_nhwc_hwcf_q", ["1x9x9x4xi8", "3x3x4x5xi8", "i32", "i32"], "1x7x7x5xi32", window(1, 1))
add("dw_nchw", "depthwise_conv_2d_nchw_chw", ["1x5x9x19xf64", "5x3x3xf64"], "1x5x4x9xf64", window(2, 1))
add("dw_mult", "depthwise_conv_2d_nhwc_hwcm", ["1x9x9x5xf64", "3x3x5x2xf64"], "1x7x7x5x2xf64", window(1, 1))
add("pool_sum", "pooling_nchw_sum", ["1x5x9x19xf64", "3x3xf64"], "1x5x4x9xf64", window(2, 1))
add("pool_min", "pooling_nhwc_min", ["1x9x9x13xf64", "3x3xf64"], "1x4x4x13xf64", window(2, 1))
add("pool_max_i8", "pooling_nhwc_max", ["1x9x9x13xi8", "3x3xi8"], "1x4x4x13xi8", window(2, 1))
add("pool_max_u", "pooling_nhwc_max_unsigned", ["1x9x9x13xi32", "3x3xi32"], "1x5x5x13xi32", window(1, 2))
add("pool_1d", "pooling_nwc_max", ["2x19x5xf64", "3xf64"], "2x17x5xf64", window(1, 1, 1))
add("copy_", "copy", ["5x7xf64"], "5x7xf64")
add("exp_", "exp", ["5x7xf64"], "5x7xf64")
add("select_", "select", ["5x7xi1", "5x7xf64", "5x7xf64"], "5x7xf64")
add("powf_", "powf", ["5x7xf64", "5x7xf64"], "5x7xf64")
add("div_i", "div_unsigned", ["5x70xi32", "5x70xi32"], "5x70xi32")
generic("diagonal", ["9x9xf64"], "9xf64", ["(i) -> (i, i)", "(i) -> (i)"], ["parallel"], "^bb0(%a: f64, %b: f64): linalg.yield %a : f64")
generic("reverse", ["31xf64"], "31xf64", ["(i) -> (30 - i)", "(i) -> (i)"], ["parallel"], "^bb0(%a: f64, %b: f64): linalg.yield %a : f64")
generic("perm3", ["6x20x18xf64"], "18x6x20xf64", ["(i, j, k) -> (j, k, i)", "(i, j, k) -> (i, j, k)"], ["parallel"] * 3,
        "^bb0(%a: f64, %b: f64): %s = arith.addf %a, %b : f64\n linalg.yield %s : f64")
generic("perm_i8", ["40x50xi8"], "50x40xi8", ["(i, j) -> (j, i)", "(i, j) -> (i, j)"], ["parallel"] * 2,
        "^bb0(%a: i8, %b: i8): %s = arith.addi %a, %b : i8\n linalg.yield %s : i8")
generic("iota", ["5x21xf64"], "5x21xf64", ["(i, j) -> (i, j)"] * 2, ["parallel"] * 2, """^bb0(%a: f64, %b: f64): %i = linalg.index 0 : index
 %j = linalg.index 1 : index
 %k = arith.addi %i, %j : index
 %l = arith.index_cast %k : index to i64
 %f = arith.sitofp %l : i64 to f64
 linalg.yield %f : f64""")
generic("keepdim", ["4x16x33xf64"], "4x16x1xf64", ["(i, j, k) -> (i, j, k)", "(i, j, k) -> (i, j, 0)"], ["parallel", "parallel", "reduction"],
        "^bb0(%a: f64, %b: f64): %s = arith.maximumf %a, %b : f64\n linalg.yield %s : f64")
generic("middle", ["4x16x33xf64"], "4x33xf64", ["(i, j, k) -> (i, j, k)", "(i, j, k) -> (i, k)"], ["parallel", "reduction", "parallel"],
        "^bb0(%a: f64, %b: f64): %s = arith.mulf %a, %b : f64\n linalg.yield %s : f64")
generic("and_i1", ["4x33xi1"], "4xi1", ["(i, j) -> (i, j)", "(i, j) -> (i)"], ["parallel", "reduction"],
        "^bb0(%a: i1, %b: i1): %s = arith.andi %a, %b : i1\n linalg.yield %s : i1")
generic("last_wins", ["4x33xf64"], "4xf64", ["(i, j) -> (i, j)", "(i, j) -> (i)"], ["parallel", "reduction"],
        "^bb0(%a: f64, %b: f64): linalg.yield %a : f64")
generic("horner", ["4x33xf64"], "4xf64", ["(i, j) -> (i, j)", "(i, j) -> (i)"], ["parallel", "reduction"],
        "^bb0(%a: f64, %b: f64): %h = arith.constant 0.5 : f64\n %m = arith.mulf %b, %h : f64\n %s = arith.addf %a, %m : f64\n linalg.yield %s : f64")
generic("sub_chain", ["4x33xf64"], "4xf64", ["(i, j) -> (i, j)", "(i, j) -> (i)"], ["parallel", "reduction"],
        "^bb0(%a: f64, %b: f64): %s = arith.subf %b, %a : f64\n linalg.yield %s : f64")
generic("sum_squares", ["7x300xf64", "7xf64"], "7xf64", ["(i, j) -> (i, j)", "(i, j) -> (i)", "(i, j) -> (i)"], ["parallel", "reduction"],
        "^bb0(%a: f64, %m: f64, %b: f64): %d = arith.subf %a, %m : f64\n %q = arith.mulf %d, %d : f64\n %s = arith.addf %q, %b : f64\n linalg.yield %s : f64")
generic("outer", ["70xf64", "90xf64"], "70x90xf64", ["(i, j) -> (i)", "(i, j) -> (j)", "(i, j) -> (i, j)"], ["parallel"] * 2,
        "^bb0(%a: f64, %m: f64, %b: f64): %d = arith.mulf %a, %m : f64\n linalg.yield %d : f64")
generic("two_m", ["5x9x30xf64", "30x50xf64"], "5x9x50xf64", ["(b, m, n, k) -> (b, m, k)", "(b, m, n, k) -> (k, n)", "(b, m, n, k) -> (b, m, n)"],
        ["parallel"] * 3 + ["reduction"], "^bb0(%a: f64, %m: f64, %b: f64): %d = arith.mulf %m, %a : f64\n %s = arith.addf %b, %d : f64\n linalg.yield %s : f64")
generic("two_k", ["40x5x30xf64", "5x50x30xf64"], "40x50xf64", ["(m, n, j, k) -> (m, j, k)", "(m, n, j, k) -> (j, n, k)", "(m, n, j, k) -> (m, n)"],
        ["parallel"] * 2 + ["reduction"] * 2, "^bb0(%a: f64, %m: f64, %b: f64): %d = arith.mulf %m, %a : f64\n %s = arith.addf %b, %d : f64\n linalg.yield %s : f64")
generic("out_transposed", ["40x30xf64", "30x50xf64"], "50x40xf64", ["(m, n, k) -> (m, k)", "(m, n, k) -> (k, n)", "(m, n, k) -> (n, m)"],
        ["parallel"] * 2 + ["reduction"], "^bb0(%a: f64, %m: f64, %b: f64): %d = arith.mulf %m, %a : f64\n %s = arith.addf %b, %d : f64\n linalg.yield %s : f64")
generic("inner_batch", ["40x30x3xf64", "30x50x3xf64"], "40x50x3xf64", ["(m, n, k, b) -> (m, k, b)", "(m, n, k, b) -> (k, n, b)", "(m, n, k, b) -> (m, n, b)"],
        ["parallel"] * 2 + ["reduction", "parallel"], "^bb0(%a: f64, %m: f64, %b: f64): %d = arith.mulf %m, %a : f64\n %s = arith.addf %b, %d : f64\n linalg.yield %s : f64")
functions["gather"] = (["9x4xf64", "50xi64", "50x4xf64"], "50x4xf64", """func.func @gather(%x: tensor<9x4xf64>, %i: tensor<50xi64>, %o: tensor<50x4xf64>) -> tensor<50x4xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<50xi64>) outs(%o : tensor<50x4xf64>) {
  ^bb0(%a: i64, %b: f64):
    %k = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%k, %j] : tensor<9x4xf64>
    linalg.yield %v : f64
  } -> tensor<50x4xf64>
  return %r : tensor<50x4xf64>
}""")


def sample(text):
    *shape, dtype = text.split("x")
    shape = [int(s) for s in shape]
    if dtype == "f64":
        return rng.uniform(0.1, 1, shape)
    if dtype == "i1":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype == "i64":
        return rng.integers(0, 9, shape)
    return rng.integers(1, 100, shape).astype(NUMPY[dtype])


# Scalars are tensors of rank 0 to NumPy, but plain values to the functions.
source = "\n".join(text for _, _, text in functions.values())
source = re.sub(r"tensor<(i32)>", r"\1", source)
ours, scalar = compile_module(source), Module(source, pipeline=SCALAR)
failures = 0
for name, (types, out, _) in functions.items():
    args = [int(rng.integers(-5, 5)) if t == "i32" else sample(t) for t in types]
    results = [(out.split("x")[-1], out.count("x"))]
    live = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    got, = ours(name, args, results)
    call, take = scalar.prepare(name, live, results)  # the scalar path may reuse its arguments
    call()
    want, = take(release=False)
    good = np.allclose(got, want, rtol=1e-12, atol=1e-12) if got.dtype == np.float64 else np.array_equal(got, want)
    if not good:
        failures += 1
        print(f"{name}: FAILED: {np.count_nonzero(got != want)} of {got.size} differ, {got.flat[0]} against {want.flat[0]}")
print("all passed" if failures == 0 else f"{failures} of {len(functions)} failed")
