# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# Conversions of the 8-bit floats, bf16 and f16 are exact: every code of every 8-bit format widens to its value, and f32 and f64 values (all
# midpoints between neighbours, their neighbours in f64, and random ones) round once, to nearest even; NaN keeps its sign. 8-bit floats widen
# through f16 where the processor does (as this one may), and by integers where not. All bf16 numbers are scaled, and added and multiplied,
# each result being rounded, on vectors whose even and odd lanes lie apart. Oracle: the formats' values in f64, f32 results of NumPy for bf16.
# CHECK-NOT: wrong
# CHECK: all conversions exact
import ctypes
import itertools

import numpy as np
from harness import NUMPY, TARGET, Module, compile_module, from_bf16
from narrow_floats import FORMATS, value

COUNT = 4096
rng = np.random.default_rng(1)
failed = False


def rounded(v, middles, name):
    """The code of the nearest value; None for NaN."""
    mantissa, exponent, largest, infinity, fnuz = FORMATS[name]
    sign, a = (0x80 if np.signbit(v) else 0), abs(v)
    if np.isnan(v):
        return None
    if a > middles[-1] or (a == middles[-1] and largest & 1):
        return sign | (largest + 1) if infinity else None
    i = int(np.searchsorted(middles, a, side="left"))
    if i < len(middles) and a == middles[i] and i & 1:
        i += 1
    return 0 if fnuz and i == 0 else sign | i


def samples(middles, values):
    y = np.concatenate([middles, -middles, values, -values, np.nextafter(middles, 0), np.nextafter(middles, np.inf),
                        [np.inf, -np.inf, np.nan, -np.nan, 1e30, -1e30, 1e-30, 1e-300, -1e-300]])
    return np.concatenate([y, rng.standard_normal(COUNT) * np.exp2(rng.uniform(-20, 18, COUNT))])[:COUNT]


source = []
for name in FORMATS:
    NUMPY[name] = np.uint8
    source.append(f"""func.func @up_{name}(%x: tensor<256x{name}>) -> (tensor<256xf32>, tensor<256xf64>, tensor<256xf16>, tensor<256xbf16>) {{
 %0 = arith.extf %x : tensor<256x{name}> to tensor<256xf32>
 %1 = arith.extf %x : tensor<256x{name}> to tensor<256xf64>
 %2 = arith.extf %x : tensor<256x{name}> to tensor<256xf16>
 %3 = arith.extf %x : tensor<256x{name}> to tensor<256xbf16>
 return %0, %1, %2, %3 : tensor<256xf32>, tensor<256xf64>, tensor<256xf16>, tensor<256xbf16>
}}
func.func @down_{name}(%x: tensor<{COUNT}xf32>, %y: tensor<{COUNT}xf64>) -> (tensor<{COUNT}x{name}>, tensor<{COUNT}x{name}>) {{
 %0 = arith.truncf %x : tensor<{COUNT}xf32> to tensor<{COUNT}x{name}>
 %1 = arith.truncf %y : tensor<{COUNT}xf64> to tensor<{COUNT}x{name}>
 return %0, %1 : tensor<{COUNT}x{name}>, tensor<{COUNT}x{name}>
}}""")
for name in ("f16", "bf16"):
    source.append(f"""func.func @down_{name}(%x: tensor<{COUNT}xf32>, %y: tensor<{COUNT}xf64>) -> (tensor<{COUNT}x{name}>, tensor<{COUNT}x{name}>) {{
 %0 = arith.truncf %x : tensor<{COUNT}xf32> to tensor<{COUNT}x{name}>
 %1 = arith.truncf %y : tensor<{COUNT}xf64> to tensor<{COUNT}x{name}>
 return %0, %1 : tensor<{COUNT}x{name}>, tensor<{COUNT}x{name}>
}}""")
# All codes, and the first ones again, to end within a vector.
ALL = f"tensor<{0x10000 + 13}xbf16>"
source.append(f"""func.func @scale(%x: {ALL}, %s: f32) -> {ALL} {{
 %e = tensor.empty() : {ALL}
 %0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
     ins(%x : {ALL}) outs(%e : {ALL}) {{
 ^bb0(%a: bf16, %o: bf16):
  %w = arith.extf %a : bf16 to f32
  %p = arith.mulf %w, %s : f32
  %r = arith.truncf %p : f32 to bf16
  linalg.yield %r : bf16 }} -> {ALL}
 return %0 : {ALL}
}}
func.func @chain(%x: {ALL}, %y: {ALL}) -> ({ALL}, {ALL}) {{
 %0 = arith.addf %x, %y : {ALL}
 %1 = arith.mulf %0, %x : {ALL}
 return %0, %1 : {ALL}, {ALL}
}}""")
module = compile_module("\n".join(source))
modules = [module]
if TARGET == "cpu":
    modules.append(Module("\n".join(source), "amp-lower-to-cpu{cpu=generic}"))

for name, module_of_f8 in itertools.product(FORMATS, modules):
    codes = np.arange(256).astype(np.uint8)
    fnuz = FORMATS[name][4]
    want = np.array([value(int(c), name) for c in codes])
    ups = module_of_f8("up_" + name, [codes], [("f32", 1), ("f64", 1), ("f16", 1), ("bf16", 1)])
    ups[3] = from_bf16(ups[3])
    for got in ups:
        # f8E4M3B11FNUZ and the like reach below f16's normal range, never below its smallest number.
        signs = np.zeros(256, bool) if fnuz else codes >= 0x80
        signs[np.signbit(want)] = True
        if not np.array_equal(got.astype(float), want, equal_nan=True) or not np.array_equal(np.signbit(got), signs):
            failed = True
            print(name, "wrong when widened to", got.dtype)
    largest = FORMATS[name][2]
    values = np.array([value(c, name) for c in range(largest + 1)])
    middles = (values[1:] + values[:-1]) / 2
    middles = np.append(middles, values[-1] + (values[-1] - values[-2]) / 2)
    y = samples(middles, values)
    x = y.astype(np.float32)
    for got, source in zip(module_of_f8("down_" + name, [x, y], [(name, 1), (name, 1)]), (x.astype(float), y)):
        for code, v in zip(got, source):
            expected = rounded(v, middles, name)
            sign = 0x80 if fnuz or np.signbit(v) else 0
            if code != expected if expected is not None else not np.isnan(value(int(code), name)) or code & 0x80 != sign:
                failed = True
                print(name, "wrong:", v, "became", code, "instead of", expected)

# f16: NumPy rounds once from either type. bf16: half-way values and their f64 neighbours, against exact rounding of the bits.
halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(float)
middles = rng.permutation((halves[1:] + halves[:-1]) / 2)[:400]
y = samples(middles, halves[:400])
x = y.astype(np.float32)
got32, got64 = module("down_f16", [x, y], [("f16", 1), ("f16", 1)])
with np.errstate(over="ignore"):
    pairs = [(got32, x.astype(np.float16)), (got64, y.astype(np.float16))]
for got, want in pairs:
    if not np.array_equal(got, want, equal_nan=True):
        failed = True
        print("f16 wrong")
grid = np.arange(0x7F80, dtype=np.uint16)
values = from_bf16(grid).astype(float)
pick = np.concatenate([np.arange(130), rng.integers(0, 0x7F7E, 300)])
middles = (values[pick] + values[pick + 1]) / 2
even = np.where(pick % 2 == 0, pick, pick + 1)
below, above = np.nextafter(middles, 0), np.nextafter(middles, np.inf)
y = np.zeros(COUNT)
y[:3 * len(pick)] = np.concatenate([middles, below, above])
want = np.zeros(COUNT, np.uint16)
want[:3 * len(pick)] = np.concatenate([even, pick, pick + 1])
_, got = module("down_bf16", [y.astype(np.float32), y], [("bf16", 1), ("bf16", 1)])
got32, _ = module("down_bf16", [np.append(middles, np.zeros(COUNT - len(middles))).astype(np.float32), y], [("bf16", 1), ("bf16", 1)])
exact = middles.astype(np.float32).astype(float) == middles
if not np.array_equal(got, want) or not np.array_equal(got32[:len(pick)][exact], even[exact]):
    failed = True
    print("bf16 wrong")


def nearest(x):
    """The codes of the bf16 nearest to f32 values, NaN quiet."""
    bits = x.view(np.uint32).astype(np.uint64)
    upper = bits >> 16
    return np.where(np.isnan(x), upper | 0x40, (bits + 0x7FFF + (upper & 1)) >> 16).astype(np.uint16)


codes = np.resize(np.arange(0x10000, dtype=np.uint16), 0x10000 + 13)
x = from_bf16(codes).astype(np.float32)
other = rng.permutation(codes)
y = from_bf16(other).astype(np.float32)
with np.errstate(all="ignore"):
    for (where, name), s in itertools.product(zip(modules, ("here", "generic")), (1.0, 1.0078125 + 2.0**-16, -1e-20, 3e30)):
        (got,) = where("scale", [codes, ctypes.c_float(s)], [("bf16", 1)])
        want = nearest(x * np.float32(s))
        # A NaN has the sign of a product; the upper bits of its payload are not defined.
        isnan = np.isnan(x)
        if not np.array_equal(got[~isnan], want[~isnan]) or not np.isnan(from_bf16(got[isnan])).all() or not (got[isnan] & 0x40).all():
            failed = True
            print("bf16 times", s, "wrong", name)
    for where, name in zip(modules, ("here", "generic")):
        total = nearest(x + y)
        product = nearest(from_bf16(total).astype(np.float32) * x)
        for got, want in zip(where("chain", [codes, other], [("bf16", 1), ("bf16", 1)]), (total, product)):
            isnan = np.isnan(from_bf16(want))
            if not np.array_equal(got[~isnan], want[~isnan]) or not np.isnan(from_bf16(got[isnan])).all():
                failed = True
                print("bf16 chain wrong", name)
if not failed:
    print("all conversions exact")
