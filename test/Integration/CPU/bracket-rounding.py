# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# The brackets of amp-legalize-dtypes round as if once. Oracle: exact arithmetic, rounded once: sums and products of these formats are exact in f64, and
# a quotient in f64 (53 bits) is no nearer to a tie than the exact one. All pairs of f8E4M3FN and of f8E5M2 values through f16; a million random pairs of bf16
# and of f16 through f32. The bound is equality of bits, for all that is not NaN.
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import NUMPY, Module, from_bf16, to_bf16

rng = np.random.default_rng(9)
FORMATS = {"f8E4M3FN": (3, -6, 0x7E, 0x7F), "f8E5M2": (2, -14, 0x7B, 0x7C)}
OPS = {"add": ("arith.addf", np.add), "mul": ("arith.mulf", np.multiply), "div": ("arith.divf", np.divide), "sub": ("arith.subf", np.subtract)}


def table(name):
    """The values of codes 0 to 127 as f64; those beyond the largest are NaN."""
    mantissa, exponent, largest, _ = FORMATS[name]
    codes = np.arange(128)
    field, fraction = codes >> mantissa, codes & ((1 << mantissa) - 1)
    values = np.where(field == 0, np.ldexp(fraction / 2.0**mantissa, exponent), np.ldexp(1 + fraction / 2.0**mantissa, field - 1 + exponent))
    return np.where(codes <= largest, values, np.nan)


def to_f8(x, name):
    _, _, largest, overflow = FORMATS[name]
    values = table(name)[: largest + 1]
    a = np.abs(x)
    low = np.clip(np.searchsorted(values, a, side="right") - 1, 0, largest)
    above = np.append(values, 2 * values[-1] - values[-2])[low + 1]
    middle = (values[low] + above) / 2
    code = low + ((a > middle) | ((a == middle) & (low % 2 == 1)))
    return (np.where(code > largest, overflow, code) + 0x80 * np.signbit(x)).astype(np.uint8)


def f64_to_bf16(x):
    """One rounding from f64, by way of an f32 that is rounded to odd."""
    near = x.astype(np.float32)
    back = near.astype(np.float64)
    bits = near.view(np.uint32).copy()
    inexact = back != x
    down = inexact & (np.abs(back) > np.abs(x))
    bits[down] -= 1
    bits[inexact] |= 1
    return to_bf16(bits.view(np.float32))


source = []
for dtype in ("f8E4M3FN", "f8E5M2", "bf16", "f16"):
    for name, (op, _) in OPS.items():
        source.append(f"""func.func @{name}_{dtype}(%a: tensor<?x{dtype}>, %b: tensor<?x{dtype}>) -> tensor<?x{dtype}> {{
  %0 = {op} %a, %b : tensor<?x{dtype}>
  return %0 : tensor<?x{dtype}>
}}""")
failures = 0
for target, types in (("legal=elementwise:f16,f32,f64", ("f8E4M3FN", "f8E5M2")), ("target=cpu", ("bf16", "f16", "f8E5M2"))):
    module = Module("\n".join(source), "amp-legalize-dtypes{" + target + "},amp-lower-to-linalg,amp-lower-to-cpu{no-scalar-fallback}")
    for dtype in types:
        if dtype in FORMATS:
            codes = np.arange(256, dtype=np.uint8)
            values = np.concatenate([table(dtype), -table(dtype)])
            i, j = (k.ravel() for k in np.meshgrid(codes, codes))
            keep = ~np.isnan(values[i]) & ~np.isnan(values[j])
            x, y = np.ascontiguousarray(i[keep]), np.ascontiguousarray(j[keep])
            xe, ye = values[x], values[y]
            narrow = lambda v: to_f8(v, dtype)
        else:
            x, y = (rng.integers(0, 65536, 1 << 20).astype(np.uint16) for _ in range(2))
            decode = from_bf16 if dtype == "bf16" else lambda v: v.view(np.float16)
            with np.errstate(invalid="ignore"):
                xe, ye = (decode(v).astype(np.float64) for v in (x, y))
            keep = np.isfinite(xe) & np.isfinite(ye)
            x, y, xe, ye = x[keep], y[keep], xe[keep], ye[keep]
            narrow = f64_to_bf16 if dtype == "bf16" else lambda v: v.astype(np.float16).view(np.uint16)
            if dtype == "f16":
                x, y = x.view(np.float16), y.view(np.float16)
        for name, (_, exact) in OPS.items():
            with np.errstate(all="ignore"):
                wide = exact(xe, ye)
                want = narrow(wide)
            got = module(f"{name}_{dtype}", [x, y], [(dtype, 1)])[0].view(want.dtype)
            good = (got == want) | np.isnan(wide) | (np.isinf(wide) & (dtype == "f8E4M3FN"))
            if not np.all(good):
                k = np.flatnonzero(~good)[0]
                print(f"{name} of {dtype} with {target}: FAILED: {np.count_nonzero(~good)}, first {xe[k]} and {ye[k]}: {got[k]:#x} instead of {want[k]:#x}")
                failures += 1
print("all passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
