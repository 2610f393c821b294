# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# What is made of exponentials and rounded to f16 or bf16: softmax, sigmoid, silu and its product with another number, the square of an exponential. Of
# every number of the type between -80 and 80, and of infinities, NaN and zeros. Oracle: NumPy in f64.
# Bound: half an ulp, and of the result 2^-15 (f16) or 2^-12 (bf16), which is two products of what is 2^-17 or 2^-13 off.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

suite = Suite()
#: Precision, smallest exponent, error of the exponentials in the result.
FORMATS = {"f16": (11, -14, 2.0 ** -15), "bf16": (8, -126, 2.0 ** -12)}
BODIES = {
    "sigmoid": ("%n = arith.negf %x : f32\n%e = math.exp %n : f32\n%s = arith.addf %e, %one : f32\n%r = arith.divf %one, %s : f32",
                lambda x: 1 / (1 + np.exp(-x))),
    "silu": ("%n = arith.negf %x : f32\n%e = math.exp %n : f32\n%s = arith.addf %one, %e : f32\n%r = arith.divf %x, %s : f32",
             lambda x: x / (1 + np.exp(-x))),
    "swiglu": ("%n = arith.negf %x : f32\n%e = math.exp %n : f32\n%s = arith.addf %one, %e : f32\n%q = arith.divf %x, %s : f32\n%r = arith.mulf %q, %x : f32",
               lambda x: x / (1 + np.exp(-x)) * x),
    "square": ("%h = arith.mulf %x, %half : f32\n%e = math.exp %h : f32\n%r = arith.mulf %e, %e : f32", lambda x: np.exp(x / 2) ** 2),
}


def check_for(dtype):
    precision, low, error = FORMATS[dtype]

    def check(got, want):
        with np.errstate(all="ignore"):
            exponent = np.maximum(np.frexp(want)[1] - 1, low)
            bound = 2.0 ** (exponent - precision) + error * np.abs(want)
            top = 2.0 ** 16 if dtype == "f16" else 2.0 ** 128
            return (np.abs(np.clip(got, -top, top) - np.clip(want, -top, top)) <= bound) | (got == want) | (np.isnan(got) & np.isnan(want))
    return check


for dtype in FORMATS:
    every = np.arange(65536, dtype=np.uint32).astype(np.uint16).view(np.float16 if dtype == "f16" else np.uint16)
    values = widen(every, dtype)
    with np.errstate(invalid="ignore"):
        every = every[(np.abs(values) <= 80) | (values == 0)]
    every = np.concatenate([every, narrow(np.array([np.inf, np.nan, 0.0, -0.0]), dtype)])
    for name, (body, function) in BODIES.items():
        x, full = every[None, :], tensor((1, every.size), dtype)
        with np.errstate(all="ignore"):
            want = function(widen(x, dtype).astype(np.float64))
        suite.add(f"{name}_{dtype}", f"""
func.func @{name}_{dtype}(%t: {full}) -> {full} {{
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : {full}
  %y = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%t : {full}) outs(%empty : {full}) {{
  ^bb0(%a: {dtype}, %o: {dtype}):
    %x = arith.extf %a : {dtype} to f32
    {body}
    %z = arith.truncf %r : f32 to {dtype}
    linalg.yield %z : {dtype}
  }} -> {full}
  return %y : {full}
}}
""", [x], [(dtype, 2)], [want], check_for(dtype))

    # Softmax of those: rows of 1 to 333 numbers.
    for columns in (1, 16, 100, 333):
        x = np.resize(every[:-4][np.random.default_rng(columns).permutation(every.size - 4)], (every.size // columns, columns))
        wide, full, name = widen(x, dtype).astype(np.float64), tensor(x.shape, dtype), f"softmax_{columns}_{dtype}"
        exponentials = np.exp(wide - wide.max(1, keepdims=True))
        suite.add(name, f"""func.func @{name}(%x: {full}) -> {full} {{
  %e = tensor.empty() : {full}
  %r = linalg.softmax dimension(1) ins(%x : {full}) outs(%e : {full}) -> {full}
  return %r : {full}
}}
""", [x], [(dtype, 2)], [exponentials / exponentials.sum(1, keepdims=True)], check_for(dtype))
suite.run()
