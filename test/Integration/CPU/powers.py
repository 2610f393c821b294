# Powers of f32, f16 and bf16: random bases and exponents, those whose powers go to the ends of the range, and all pairs of special values.
# Oracle: NumPy's power in f64, which is C's. Bound: 0.51 ulp of f32; f16 and bf16 are the f32 result rounded once: half an ulp and 2^-13 (f16) or 2^-16 (bf16) of one.
# NaN, infinities and the sign of zero as in C.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, widen

#: Precision, smallest and largest exponent.
FORMATS = {"f32": (24, -126, 127), "f16": (11, -14, 15), "bf16": (8, -126, 127)}
rng = np.random.default_rng(0)
special = np.array([0, 1, 2, 3, 0.5, 1.5, 0.3, 5, 7, 2.0**-149, 2.0**-126, 2.0**23 + 1, 2.0**24 - 1, 2.0**24, 2.0**24 + 2, 1e30, 3.4e38,
                    1 + 2.0**-23, 1 - 2.0**-24, np.inf, np.nan])
special = np.concatenate([special, -special])
pairs = [v.ravel() for v in np.meshgrid(special, special)]


def bits(count):
    """f32 of all exponents."""
    with np.errstate(invalid="ignore"):
        return rng.integers(0, 2**32, count, dtype=np.uint64).astype(np.uint32).view(np.float32).astype(np.float64)


count = 200000
x, y = [pairs[0]], [pairs[1]]
x.append(bits(count)), y.append(bits(count))
x.append(rng.uniform(0, 20, count)), y.append(rng.uniform(-30, 30, count))
x.append(rng.uniform(-20, 20, count)), y.append(np.rint(rng.uniform(-30, 30, count)))
# Results of all exponents, subnormal ones and those just beyond the range too.
with np.errstate(all="ignore"):
    base = np.abs(bits(count))
    x.append(base), y.append(rng.uniform(-152, 130, count) / np.log2(base))
    near = 1 + rng.uniform(-1, 1, count) * 2.0 ** rng.integers(-20, 0, count)
    x.append(near), y.append(rng.uniform(-152, 130, count) / np.log2(near))
    x, y = np.concatenate(x), np.concatenate(y)


def good(dtype):
    precision, low, high = FORMATS[dtype]
    bound = 0.51 if dtype == "f32" else 0.5 + 2.0 ** (precision - 24)

    def check(got, want):
        with np.errstate(all="ignore"):
            # Beyond the format, infinity stands for the next power of two.
            top = 2.0 ** (high + 1)
            exponent = np.clip(np.frexp(want)[1] - 1, low, high)
            error = np.abs(np.clip(got, -top, top) - np.clip(want, -top, top)) * 2.0 ** (precision - 1 - exponent)
            plain = np.isfinite(want) & (want != 0)
            print(f"{dtype}: {error[plain].max():.4f} ulp")
            return np.where(plain, (error <= bound) & (np.signbit(got) == np.signbit(want)),
                            (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want))
    return check


suite = Suite()
for dtype in FORMATS:
    with np.errstate(all="ignore"):
        a, b = narrow(x.astype(np.float32), dtype), narrow(y.astype(np.float32), dtype)
        if dtype == "bf16":
            # Rounding bits carries NaN away.
            a[np.isnan(x)], b[np.isnan(y)] = 0x7FC0, 0x7FC0
        want = np.power(widen(a, dtype), widen(b, dtype))
    suite.add("power_" + dtype, f"""func.func @power_{dtype}(%x: tensor<?x{dtype}>, %y: tensor<?x{dtype}>) -> tensor<?x{dtype}> {{
  %0 = math.powf %x, %y : tensor<?x{dtype}>
  return %0 : tensor<?x{dtype}> }}""", [a, b], [(dtype, 1)], [want], good(dtype))
suite.run()
