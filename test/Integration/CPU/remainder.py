# Remainders of f64, f32, f16 and bf16: random bits, quotients of every size, dividends beside multiples of the divisor, subnormal numbers, and all pairs of special values.
# Oracle: NumPy's fmod, which is C's, in the type or in f64 of narrower ones. Equality, with the sign of zero; NaN for NaN.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, widen

#: Precision, exponent of the smallest subnormal number, and the type that the oracle computes in.
FORMATS = {"f64": (53, -1074, np.float64), "f32": (24, -149, np.float32), "f16": (11, -24, np.float32), "bf16": (8, -133, np.float32)}
rng = np.random.default_rng(0)
COUNT = 50000


def bits(dtype, count=COUNT):
    """All exponents, infinity and NaN."""
    wide = FORMATS[dtype][2]
    raw = rng.integers(0, 2**64, count, dtype=np.uint64)
    if dtype == "f64":
        return raw.view(np.float64)
    if dtype == "f16":
        return (raw >> 48).astype(np.uint16).view(np.float16).astype(wide)
    mask = 0xFFFF0000 if dtype == "bf16" else 0xFFFFFFFF
    return ((raw >> 32).astype(np.uint32) & np.uint32(mask)).view(wide)


def pairs(dtype):
    precision, low, wide = FORMATS[dtype]
    least = np.ldexp(wide(1), low)
    most = {"f64": np.finfo(np.float64).max, "f32": np.finfo(np.float32).max, "f16": wide(65504), "bf16": np.uint32(0x7F7F0000).view(np.float32)}[dtype]
    special = np.array([0, 1, 2, 3, 0.5, 0.1, 0.3, 7, 1e-3, 1e10, least, 3 * least, least * 2.0**(precision - 1), most, most / 3, 1 + 2.0**(1 - precision), 1 - 2.0**-precision,
                        2.0**(precision - 1), 2.0**precision - 1, 2.0**precision, 2.0**precision + 2, np.inf, np.nan], wide)
    special = np.concatenate([special, -special])
    x, y = [v.ravel() for v in np.meshgrid(special, special)]
    yield x, y
    yield bits(dtype), bits(dtype)
    # Quotients of up to as many bits.
    for size in (2, precision - 2, precision + 2, 60, 100, 250, 1000):
        divisor = bits(dtype)
        yield (divisor * 2.0 ** rng.uniform(-2, size, COUNT)).astype(wide), divisor
    # Beside multiples: a divisor of few bits with quotients around the precision, and one of all bits.
    divisor = rng.integers(1, 2 ** (precision // 2), COUNT).astype(wide)
    multiple = (divisor * 2.0 ** rng.uniform(0, precision + 2, COUNT).round()).astype(wide)
    yield multiple, divisor
    divisor = rng.integers(2 ** (precision - 1), 2**precision, COUNT).astype(wide)
    multiple = (divisor * rng.integers(1, 2 ** min(precision, 20), COUNT)).astype(wide)
    for near in (multiple, np.nextafter(multiple, wide(0)), np.nextafter(multiple, wide(np.inf))):
        yield near, divisor
    yield (rng.integers(0, 2**50, COUNT) * least).astype(wide), (rng.integers(1, 2**precision, COUNT) * least).astype(wide)


def same(got, want):
    return (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)


suite = Suite()
for dtype in FORMATS:
    with np.errstate(all="ignore"):
        cases = list(pairs(dtype))
        x, y = (np.concatenate([c[i] for c in cases]) for i in (0, 1))
        a, b = narrow(x, dtype), narrow(y, dtype)
        if dtype == "bf16":
            # Rounding bits carries NaN away.
            a[np.isnan(x)], b[np.isnan(y)] = 0x7FC0, 0x7FC0
        want = np.fmod(widen(a, dtype), widen(b, dtype))
    suite.add("remainder_" + dtype, f"""func.func @remainder_{dtype}(%x: tensor<?x{dtype}>, %y: tensor<?x{dtype}>) -> tensor<?x{dtype}> {{
  %0 = arith.remf %x, %y : tensor<?x{dtype}>
  return %0 : tensor<?x{dtype}> }}""", [a, b], [(dtype, 1)], [want], same)
    # By one number, and by what is the same for a row: none of it is left to the padding of vectors.
    values = (rng.standard_normal((7, 37)) * 1000).astype(np.float64)
    a = narrow(values, dtype)
    rows = narrow(rng.uniform(0.1, 3, 7), dtype)
    want = np.fmod(np.fmod(widen(a, dtype), widen(rows, dtype)[:, None]), 0.75)
    suite.add("rows_" + dtype, f"""func.func @rows_{dtype}(%x: tensor<7x37x{dtype}>, %y: tensor<7x{dtype}>) -> tensor<7x37x{dtype}> {{
  %c = arith.constant 0.75 : {dtype}
  %e = tensor.empty() : tensor<7x37x{dtype}>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %y : tensor<7x37x{dtype}>, tensor<7x{dtype}>) outs(%e : tensor<7x37x{dtype}>) {{
  ^bb0(%a: {dtype}, %b: {dtype}, %o: {dtype}):
    %0 = arith.remf %a, %b : {dtype}
    %1 = arith.remf %0, %c : {dtype}
    linalg.yield %1 : {dtype}
  }} -> tensor<7x37x{dtype}>
  return %r : tensor<7x37x{dtype}> }}""", [a, rows], [(dtype, 2)], [want], same)
suite.run()
