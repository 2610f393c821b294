# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# Ops of math that become a few others: what is asked of floats, of every number of the 8- and 16-bit types; powers by integers, of integers against Python's and of
# floats against f64; clampf and sincos. Bounds: equality; 4e-6 relative for powers of f32 (the exponent is up to 40, the polynomials' few units in the last
# place), 1e-2 for bf16, 1e-12 for f64; 2e-6 for sines.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import NUMPY, Suite, from_bf16, narrow
from narrow_floats import value

rng = np.random.default_rng(17)
suite = Suite()

special = np.array([0, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x3F800000], np.uint32)
f32 = np.concatenate([special, special | np.uint32(1 << 31), rng.integers(0, 1 << 32, 300).astype(np.uint32)])
small = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022, "f8E5M2": 2.0**-14, "f8E4M3FN": 2.0**-6}
numbers = {"f32": f32.view(np.float32), "f64": np.array([0, 5e-324, 2.0**-1022, 1e300, np.inf, np.nan, -0.0, -np.inf, -3e-310]),
           "f16": np.arange(1 << 16, dtype=np.uint16).view(np.float16), "bf16": np.arange(1 << 16, dtype=np.uint16),
           "f8E5M2": np.arange(256, dtype=np.uint8), "f8E4M3FN": np.arange(256, dtype=np.uint8)}
for dtype, x in numbers.items():
    with np.errstate(invalid="ignore"):
        wide = from_bf16(x).astype(np.float64) if dtype == "bf16" else np.array([value(int(c), dtype) for c in x]) if dtype[:2] == "f8" else x.astype(np.float64)
    n = len(x)
    for name, want in (("isnan", np.isnan(wide)), ("isinf", np.isinf(wide)), ("isfinite", np.isfinite(wide)),
                       ("isnormal", np.isfinite(wide) & (np.abs(wide) >= small[dtype]))):
        suite.add(f"{name}_{dtype}", f"""func.func @{name}_{dtype}(%x: tensor<{n}x{dtype}>) -> tensor<{n}xi1> {{
          %r = math.{name} %x : tensor<{n}x{dtype}>
          return %r : tensor<{n}xi1> }}""", [x], [("i1", 1)], [want.astype(np.int64)])

for dtype, bits in ("i8", 8), ("i16", 16), ("i32", 32), ("i64", 64):
    info = np.iinfo(NUMPY[dtype])
    base = np.concatenate([[0, 1, -1, 2, -2, 3, 10, info.min, info.max], rng.integers(-12, 12, 200)])
    x, e = (a.reshape(-1).astype(NUMPY[dtype]) for a in np.meshgrid(base, np.concatenate([np.arange(-4, 9), [bits - 1, info.max, info.min]])))

    def power(b, k):
        if k < 0:
            return 1 if b == 1 else (1 - 2 * (k % 2) if b == -1 else 0)
        value = pow(b, k, 1 << bits)
        return value - (1 << bits) if value >= 1 << (bits - 1) else value
    n = len(x)
    suite.add(f"ipowi_{dtype}", f"""func.func @ipowi_{dtype}(%x: tensor<?x{dtype}>, %e: tensor<?x{dtype}>) -> tensor<?x{dtype}> {{
      %r = math.ipowi %x, %e : tensor<?x{dtype}>
      return %r : tensor<?x{dtype}> }}""", [x, e], [(dtype, 1)], [np.array([power(int(b), int(k)) for b, k in zip(x, e)])])

for dtype, tolerance in ("f32", 4e-6), ("f64", 1e-12), ("bf16", 1e-2):
    values = np.concatenate([[0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2, -2, 0.5], rng.uniform(-1.5, 1.5, 200)])
    x, e = (a.reshape(-1) for a in np.meshgrid(values, np.concatenate([np.arange(-40, 41), [2**24 + 1, -(2**24) - 1, 2**31 - 1, -(2**31)]]).astype(np.int32)))
    # Of what is close to one a large power is anything.
    keep = (np.abs(e) <= 40) | np.isin(np.abs(x), [0, 1, 0.5, 2, np.inf])
    x, e = narrow(x[keep], dtype), e[keep]
    with np.errstate(all="ignore"):
        wide = from_bf16(x).astype(np.float64) if dtype == "bf16" else x.astype(np.float64)
        want = np.power(wide, e.astype(np.float64))

    def close(got, want, tolerance=tolerance, dtype=dtype):
        least = 2.0**-1022 if dtype == "f64" else 2.0**-126
        most = np.finfo(np.float64).max if dtype == "f64" else 3.38e38
        with np.errstate(all="ignore"):
            return ((got == want) & (np.signbit(got) == np.signbit(want))) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= tolerance * np.abs(want)) | \
                ((np.abs(want) < least) & (np.abs(got) <= least)) | ((np.abs(want) > most) & (np.abs(got) >= most) & (np.sign(got) == np.sign(want)))
    suite.add(f"fpowi_{dtype}", f"""func.func @fpowi_{dtype}(%x: tensor<?x{dtype}>, %e: tensor<?xi32>) -> tensor<?x{dtype}> {{
      %r = math.fpowi %x, %e : tensor<?x{dtype}>, tensor<?xi32>
      return %r : tensor<?x{dtype}> }}""", [x, e], [(dtype, 1)], [want], close)

x, low, high = (rng.uniform(-2, 2, 333).astype(np.float32) for _ in range(3))
x[:4] = np.nan, np.inf, -np.inf, -0.0
low, high = np.minimum(low, high), np.maximum(low, high)
suite.add("clampf", """func.func @clampf(%x: tensor<333xf32>, %low: tensor<333xf32>, %high: tensor<333xf32>) -> tensor<333xf32> {
  %r = math.clampf %x to [%low, %high] : tensor<333xf32>
  return %r : tensor<333xf32> }""", [x, low, high], [("f32", 1)], [np.minimum(np.maximum(x, low), high).astype(np.float64)])

x = rng.uniform(-100, 100, 1000).astype(np.float32)
suite.add("sine_and_cosine", """func.func @sine_and_cosine(%x: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %s, %c = math.sincos %x : tensor<1000xf32>
  return %s, %c : tensor<1000xf32>, tensor<1000xf32> }""", [x], [("f32", 1)] * 2, [np.sin(x.astype(np.float64)), np.cos(x.astype(np.float64))], 2e-6)

suite.run()
