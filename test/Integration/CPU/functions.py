# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# Functions of one number, for f32 of every exponent and sign, subnormal numbers, zeros, infinities and NaN, and for all of f16 and
# bf16. Oracle: the C library in f64. Bounds in ulp of f32 below; f16 and bf16 are the f32 result rounded once: half an ulp and 2^-13 (f16) or 2^-16 of the bound. NaN, infinities
# and the sign of zero as in the C library. An argument, a number n, checks every n-th f32 (default 9973).
# CHECK-NOT: FAILED
# CHECK: all passed
import ctypes
import os
import subprocess
import sys
import tempfile

import numpy as np
from harness import Module, guarded, widen

#: Largest error in ulp of f32; docs/cpu.md has the same.
BOUNDS = {"exp": 1, "exp2": 1, "expm1": 2, "log": 1, "log2": 2, "log10": 3, "log1p": 2, "tanh": 5, "erf": 2, "erfc": 5, "sin": 3,
          "cos": 3, "tan": 5, "atan": 3, "asin": 8, "acos": 2, "cbrt": 1, "sqrt": 0.5, "rsqrt": 2, "sinh": 3, "cosh": 3, "asinh": 3,
          "acosh": 3, "atanh": 3}
#: Precision, smallest exponent, largest exponent.
FORMATS = {"f32": (24, -126, 127), "f16": (11, -14, 15), "bf16": (8, -126, 127)}
PIPELINE = guarded(next((a for a in sys.argv[1:] if not a.isdigit()), "amp-lower-to-cpu"))
STEP = next((int(a) for a in sys.argv[1:] if a.isdigit()), 9973)

folder = tempfile.TemporaryDirectory()
library = os.path.join(folder.name, "functions.so")
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs", "functions.c")
subprocess.run([os.environ.get("CXX", "c++"), "-x", "c", "-O2", "-shared", "-fPIC", source, "-lm", "-o", library], check=True)
oracle = ctypes.CDLL(library)


def reference(name, x):
    y = np.empty_like(x)
    pointer = ctypes.POINTER(ctypes.c_double)
    assert oracle.reference(name.encode(), x.ctypes.data_as(pointer), y.ctypes.data_as(pointer), ctypes.c_long(x.size)) == 0
    return y


def arguments(dtype):
    if dtype != "f32":
        return np.arange(65536, dtype=np.uint32).astype(np.uint16).view(np.float16 if dtype == "f16" else np.uint16)
    bits = np.arange(0, 2**32, STEP, dtype=np.uint64)
    special = [0, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x42B17218, 0x42B17217, 0x42CFF1B4, 0x42CFF1B5]
    special += [s | 0x80000000 for s in special]
    return np.concatenate([bits, special]).astype(np.uint32).view(np.float32)


def check(name, dtype, x, got, label=None, bound=None):
    with np.errstate(all="ignore"):
        wide, got = widen(x, dtype), widen(got, dtype)
    want = reference(name, wide)
    precision, low, high = FORMATS[dtype]
    with np.errstate(all="ignore"):
        # Beyond the format, infinity stands for the next power of two.
        top = 2.0 ** (high + 1)
        exponent = np.clip(np.frexp(want)[1] - 1, low, high)
        error = np.abs(np.clip(got, -top, top) - np.clip(want, -top, top)) * 2.0 ** (precision - 1 - exponent)
        plain = np.isfinite(want) & (want != 0)
        if bound is None:
            bound = BOUNDS[name] if dtype == "f32" else 0.5 + BOUNDS[name] * 2.0 ** (precision - 24)
        good = np.where(plain, error <= bound, (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want))
    worst = error[plain].max()
    if not good.all():
        at = np.flatnonzero(~good)[0]
        print(f"{label or name} {dtype}: FAILED: {np.count_nonzero(~good)} wrong, first f({wide[at]!r}) = {got[at]!r} instead of {want[at]!r}; {worst:.3f} ulp")
        return False
    print(f"{label or name} {dtype}: ok, {worst:.3f} ulp")
    return True


names = [(name, dtype) for name in BOUNDS for dtype in FORMATS]
module = Module("\n".join(f"""func.func @f_{name}_{dtype}(%x: tensor<?x{dtype}>) -> tensor<?x{dtype}> {{
  %0 = math.{name} %x : tensor<?x{dtype}>
  return %0 : tensor<?x{dtype}> }}""" for name, dtype in names) + """
// An exponential with a form of its own: the argument is never positive.
func.func @decay(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.absf %x : tensor<?xf32>
  %1 = arith.negf %0 : tensor<?xf32>
  %2 = math.exp %1 : tensor<?xf32>
  return %2 : tensor<?xf32> }
// And one of a softmax, which loses no more of its argument than the difference before it does.
func.func @share(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.absf %x : tensor<?xf32>
  %1 = arith.negf %0 : tensor<?xf32>
  %2 = math.exp %1 {softmax} : tensor<?xf32>
  return %2 : tensor<?xf32> }""", PIPELINE)
failures = 0
for name, dtype in names:
    x = arguments(dtype)
    got = module(f"f_{name}_{dtype}", [x], [(dtype, 1)])[0]
    failures += not check(name, dtype, x, got)
x = arguments("f32")
failures += not check("exp", "f32", -np.abs(x), module("decay", [x], [("f32", 1)])[0], "exp(-|x|)")
with np.errstate(invalid="ignore"):
    bound = 2 + 2.0 ** -28 * np.abs(x).astype(float) * 2.0 ** 24
failures += not check("exp", "f32", -np.abs(x), module("share", [x], [("f32", 1)])[0], "exp of a softmax", bound)
print("all passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
