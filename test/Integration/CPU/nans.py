# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# NaN of all bits through what rounds to bf16, be it known to be NaN of bf16 or not: each result is a quiet NaN of the same sign, where
# one operation made it, and numbers beside it are numbers.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, tensor

suite = Suite()
ROW, COLUMN = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>"


def nans(dtype):
    """Every NaN of bf16, or those of f32 with such an upper half and some lower halves, between numbers."""
    bits = np.array([b for b in range(0x10000) if b & 0x7F80 == 0x7F80 and b & 0x7F], np.uint32)
    if dtype == "f32":
        upper = np.concatenate([bits, [0x7F80, 0xFF80]]).astype(np.uint32) << 16
        bits = np.concatenate([upper | low for low in (1, 0x7FFF, 0x8000, 0x8001, 0xFFFF)])
    both = np.empty((1, 2 * bits.size), np.uint32 if dtype == "f32" else np.uint16)
    both[0, ::2], both[0, 1::2] = bits, 0x3F800000 if dtype == "f32" else 0x3F80
    return both.view(np.float32) if dtype == "f32" else both


def bits_of(got):
    """Of results that are taken as 16-bit integers."""
    return np.ascontiguousarray(got).astype(np.int64) & 0xFFFF


def is_nan(bits):
    return (bits & 0x7FFF) > 0x7F80


def is_quiet_nan(bits):
    return is_nan(bits) & ((bits & 0x40) != 0)


def check_for(x, keeps_sign):
    sign = (x.view(np.uint32) >> 16 if x.dtype == np.float32 else x) >> 15

    def check(got, want):
        bits = bits_of(got)
        is_number = np.arange(x.shape[1]) % 2 == 1
        return np.where(is_number, ~is_nan(bits), is_quiet_nan(bits) & ((bits >> 15 == sign) | (not keeps_sign)))
    return check


#: Lines from %x, of f32, to %r, and whether the sign of NaN stays.
BODIES = {
    "cast": ("%r = arith.addf %x, %zero : f32", True),
    "sum": ("%s = arith.addf %x, %x : f32\n%r = arith.mulf %s, %x : f32", True),
    "chosen": ("%s = arith.addf %x, %x : f32\n%r = arith.maximumf %s, %zero : f32", False),
    "exp": ("%r = math.exp %x : f32", False),
    "decay": ("%s = math.absf %x : f32\n%t = arith.negf %s : f32\n%e = math.exp %t : f32\n%r = arith.mulf %e, %e : f32", False),
    "gelu": ("%s = math.erf %x : f32\n%t = arith.addf %s, %zero : f32\n%r = arith.mulf %t, %x : f32", False),
    "root": ("%s = math.sqrt %x : f32\n%t = math.rsqrt %x : f32\n%u = math.tanh %x : f32\n%v = arith.addf %s, %t : f32\n%r = arith.addf %u, %v : f32", False),
}
for dtype in ("bf16", "f32"):
    for name, (body, keeps_sign) in BODIES.items():
        x = nans(dtype)
        source, result = tensor(x.shape, dtype), tensor(x.shape, "bf16")
        widen = "%x = arith.extf %a : bf16 to f32" if dtype == "bf16" else "%x = arith.addf %a, %zero : f32"
        suite.add(f"{name}_{dtype}", f"""
func.func @{name}_{dtype}(%input: {source}) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {result}
  %y = linalg.generic {{indexing_maps = [{ROW}, {ROW}], iterator_types = ["parallel", "parallel"]}} ins(%input : {source}) outs(%empty : {result}) {{
  ^bb0(%a: {dtype}, %o: bf16):
    {widen}
    {body}
    %z = arith.truncf %r : f32 to bf16
    linalg.yield %z : bf16
  }} -> {result}
  return %y : {result}
}}""", [x], [("i16", 2)], [x], check_for(x, keeps_sign))

# Ops on bf16, whose results are rounded one by one.
x = nans("bf16")
full = tensor(x.shape, "bf16")
suite.add("narrow_ops", f"""
func.func @narrow_ops(%x: {full}) -> {full} {{
  %0 = arith.addf %x, %x : {full}
  %1 = arith.mulf %0, %x : {full}
  %2 = arith.maximumf %1, %x : {full}
  return %2 : {full}
}}""", [x], [("i16", 2)], [x], check_for(x, False))

# Sums of rows, one NaN in each: all of the row is NaN, and quiet.
rows = x[0, ::2]
matrix = np.full((rows.size, 40), 0x3F80, np.uint16)
matrix[:, 7] = rows
full = tensor(matrix.shape, "bf16")
sums = tensor(matrix.shape[:1], "f32")
suite.add("mean", f"""
func.func @mean(%x: {full}) -> {full} {{
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : {sums}
  %f = linalg.fill ins(%zero : f32) outs(%v : {sums}) -> {sums}
  %s = linalg.generic {{indexing_maps = [{ROW}, {COLUMN}], iterator_types = ["parallel", "reduction"]}} ins(%x : {full}) outs(%f : {sums}) {{
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %r = arith.addf %o, %w : f32
    linalg.yield %r : f32
  }} -> {sums}
  %e = tensor.empty() : {full}
  %y = linalg.generic {{indexing_maps = [{ROW}, {COLUMN}, {ROW}], iterator_types = ["parallel", "parallel"]}} ins(%x, %s : {full}, {sums}) outs(%e : {full}) {{
  ^bb0(%a: bf16, %m: f32, %o: bf16):
    %w = arith.extf %a : bf16 to f32
    %r = arith.subf %w, %m : f32
    %z = arith.truncf %r : f32 to bf16
    linalg.yield %z : bf16
  }} -> {full}
  return %y : {full}
}}""", [matrix], [("i16", 2)], [matrix], lambda got, want: is_quiet_nan(bits_of(got)))
suite.run()
