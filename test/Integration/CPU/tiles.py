# REQUIRES: avx512
# RUN: %cc -O3 -march=native -ffp-contract=off -fPIC -c %S/Inputs/tiles.c -o %t.o
# RUN: env PYTHONPATH=%S/Inputs AMP_OBJECTS=%t.o AMP_ATTRS=+amx-tile,+amx-bf16,+amx-int8 AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OBJECTS=%t.o AMP_ATTRS=+amx-tile,+amx-bf16,+amx-int8 AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %S/matmul.py "amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OBJECTS=%t.o AMP_ATTRS=+amx-tile,+amx-bf16,+amx-int8 AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx AMP_NUM_THREADS=2 \
# RUN:   %python %S/epilogue.py "amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OBJECTS=%t.o AMP_ATTRS=+amx-tile,+amx-bf16,+amx-int8 AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %S/convolutions.py "amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OBJECTS=%t.o AMP_ATTRS=+amx-tile,+amx-bf16,+amx-int8 AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %S/channels-first.py "amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OBJECTS=%t.o AMP_ATTRS=+amx-tile,+amx-bf16,+amx-int8 AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %S/cast-rows.py "amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback}" | FileCheck %s
# Code for tile registers (AMX). On a processor without them Inputs/tiles.c does each instruction of theirs on memory, as it traps; all else, AVX-512 that is, runs as it is. Oracle: f64 (int64) on
# the same inputs, subnormal inputs as zero. Bound: 1e-6 of an eighth of k for f32 sums of products below 1, exact for i32. Each case counts the products of tiles that it ran.
# CHECK-NOT: FAILED
# CHECK: all passed
import ctypes

import harness
import numpy as np
from harness import Suite, from_bf16, narrow, tensor, to_bf16, widen

rng = np.random.default_rng(23)
compile_module = harness.compile_module


#: Functions that multiply by the other instructions: one or two rows, and eight that are neighbours in A by a transposed B. Other shapes share the dynamic one.
WITHOUT = {"dots_i8_2_133", "dots_i8_2_133_dynamic", "columns_i8_2", "dots_at_8"}


class Counted:
    """A module whose functions must multiply tiles, but for those of WITHOUT."""

    def __init__(self, source, pipeline):
        self.module = compile_module(source, pipeline)
        self.count = ctypes.c_int64.in_dll(self.module.lib, "amp_emulated_products")

    def __call__(self, name, args, results, behind=0):
        before = self.count.value
        arrays = self.module(name, args, results, behind)
        if self.count.value >= 0 and all(a.size for a in args):
            wanted = name not in WITHOUT or (name.endswith("_dynamic") and args[0].shape[0] > 2)
            assert (self.count.value > before) == wanted, "no product of tiles" if wanted else "products of tiles"
        return arrays


harness.compile_module = Counted
suite = Suite()
WIDE = {"bf16": "extf", "s": "extsi", "u": "extui"}


def values(shape, kind):
    if kind == "bf16":
        return to_bf16(rng.uniform(-1, 1, shape))
    return rng.integers(-128, 128, shape).astype(np.int8) if kind == "s" else rng.integers(0, 256, shape).astype(np.uint8)


def product(name, m, n, k, a="bf16", b="bf16", at=False, bt=False, dynamic=False, batch=0, init=None, given=None, check=None):
    """init: None for a tensor argument, else the number that sums start from. dynamic: all sizes, or "rows"."""
    element, acc = ("bf16", "f32") if a == "bf16" else ("i8", "i32")
    lead = (batch,) if batch else ()
    x, y = given if given else (values(lead + ((k, m) if at else (m, k)), a), values(lead + ((n, k) if bt else (k, n)), b))
    wx, wy = widen(x, element), widen(y, element)
    if a == "bf16":
        wx, wy = (np.where(np.abs(w) < 2.0**-126, 0.0, w) for w in (wx, wy))
    with np.errstate(invalid="ignore", over="ignore"):
        want = (np.swapaxes(wx, -1, -2) if at else wx) @ (np.swapaxes(wy, -1, -2) if bt else wy)
    rows = dynamic == "rows"
    grow = lambda shape: [-1, *shape[1:]] if rows else [-1] * len(shape) if dynamic else shape
    tx, ty, tz = tensor(grow(x.shape), element), tensor(y.shape if rows else grow(y.shape), element), tensor(grow(want.shape), acc)
    args, parameters = [x, y], f"%a: {tx}, %b: {ty}"
    number = {"f32": np.float32, "i32": np.int32}[acc]
    if init is None:
        args.append(rng.integers(-9, 9, want.shape).astype(number))
        want = want + args[-1]
        parameters += f", %c: {tz}"
        start = ""
    else:
        want = want + init
        sizes = ""
        start = ""
        if dynamic:
            start = "\n".join(f"%c{d} = arith.constant {d} : index" for d in range(2))
            start += f"\n%m = tensor.dim %a, %c{int(at)} : {tx}\n%n = tensor.dim %b, %c{int(not bt)} : {ty}\n"
            sizes = "%m" if rows else "%m, %n"
        start += f"""%z = arith.constant {init}{'.0' if acc == 'f32' else ''} : {acc}
          %e = tensor.empty({sizes}) : {tz}
          %c = linalg.fill ins(%z : {acc}) outs(%e : {tz}) -> {tz}"""
    dims, pre, kinds = ("b, m, n, k", "b, ", '"parallel", ') if batch else ("m, n, k", "", "")
    maps = ", ".join(f"affine_map<({dims}) -> ({pre}{e})>" for e in ("k, m" if at else "m, k", "n, k" if bt else "k, n", "m, n"))
    kind = "f" if acc == "f32" else "i"
    suite.add(name, f"""func.func @{name}({parameters}) -> {tz} {{
      {start}
      %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}"parallel", "parallel", "reduction"]}}
          ins(%a, %b : {tx}, {ty}) outs(%c : {tz}) {{
      ^bb0(%x: {element}, %y: {element}, %s: {acc}):
        %0 = arith.{WIDE[a]} %x : {element} to {acc}
        %1 = arith.{WIDE[b]} %y : {element} to {acc}
        %2 = arith.mul{kind} %0, %1 : {acc}
        %3 = arith.add{kind} %s, %2 : {acc}
        linalg.yield %3 : {acc} }} -> {tz}
      return %r : {tz} }}""", args, [(acc, want.ndim)], [want], check if check else 1e-6 * max(1.0, k / 8) if acc == "f32" else 0)


# Exactly one block of tiles; several; less than one in each direction; a few more; some whole; a deep block of k, and several; a vector of rows.
SHAPES = [(32, 32, 32), (32, 64, 64), (64, 96, 128), (9, 70, 33), (70, 9, 31), (33, 49, 65), (70, 104, 40), (47, 81, 2100), (35, 49, 4500), (16, 200, 100), (127, 333, 65)]
for i, (m, n, k) in enumerate(SHAPES):
    for dynamic in (False, True):
        kind = "_dynamic" if dynamic else ""
        product(f"bf16_{i}{kind}", m, n, k, dynamic=dynamic, init=0)
        product(f"i8_{i}{kind}", m, n, k, "s", "s", dynamic=dynamic, init=0)
        product(f"bf16_update_{i}{kind}", m, n, k, dynamic=dynamic)
# All rows of A are packed at once, for each block of columns.
product("all_rows", 300, 700, 800, init=0)
product("all_rows_i8", 270, 650, 1700, "s", "u", init=0)
product("batch_results", 48, 64, 70, batch=3, init=0)
product("batch_results_dynamic", 70, 64, 70, "s", "s", batch=3, dynamic=True, bt=True)
for m, n, k in ((70, 1000, 300), (200, 600, 500), (400, 530, 800), (300, 700, 1700)):
    for dynamic in (False, True, "rows"):
        product(f"columns_of_{m}_{dynamic}", m, n, k, dynamic=dynamic, init=0)
        product(f"columns_of_i8_{m}_{dynamic}", m, n, k, "u", "s", dynamic=dynamic, init=0)
for a in "su":
    for b in "su":
        product(f"{a}{b}", 50, 70, 130, a, b, init=-7)
        product(f"{a}{b}_at_bt", 37, 45, 99, a, b, at=True, bt=True, dynamic=True)
for at, bt in ((True, False), (False, True), (True, True)):
    name = "t" * at + "_" + "t" * bt
    for m, n, k in ((33, 49, 65), (64, 64, 64), (40, 100, 1301)):
        product(f"bf16_{name}_{m}", m, n, k, at=at, bt=bt, init=5)
        product(f"bf16_dynamic_{name}_{m}", m, n, k, at=at, bt=bt, dynamic=True)
        product(f"i8_{name}_{m}", m, n, k, "s", "s", at=at, bt=bt, init=0)
    product(f"batch_{name}", 20, 36, 70, at=at, bt=bt, batch=3, init=0)
    product(f"batch_i8_{name}", 20, 36, 70, "u", "s", at=at, bt=bt, batch=3, dynamic=True)
# B where it is: tiles of 8 rows, of 16, and several; transposed ones with columns and steps of k past the last tile. Many rows by what the second cache does not hold.
for m, n, k in ((2, 133, 300), (7, 140, 130), (8, 128, 256), (16, 131, 129), (17, 144, 700), (40, 150, 700), (64, 129, 520), (112, 128, 300), (100, 70, 300), (8, 16, 1100)):
    for dynamic in (False, True):
        kind = "_dynamic" if dynamic else ""
        if m >= 3:
            product(f"strips_bf16_{m}_{n}{kind}", m, n, k, dynamic=dynamic, init=0 if m % 2 else 3)
            product(f"strips_update_{m}_{n}{kind}", m, n, k, dynamic=dynamic)
        if m >= 8:
            product(f"strips_i8_{m}_{n}{kind}", m, n, k, "s", "u" if m % 3 else "s", dynamic=dynamic, init=0)
        product(f"dots_bf16_{m}_{n}{kind}", m, n, k, bt=True, dynamic=dynamic, init=0 if m % 2 else 3)
        product(f"dots_update_{m}_{n}{kind}", m, n, k, bt=True, dynamic=dynamic)
        product(f"dots_i8_{m}_{n}{kind}", m, n, k, "u" if m % 3 else "s", "s", bt=True, dynamic=dynamic, init=0)
product("strips_far", 40, 1100, 1000, init=0)
product("strips_far_i8", 70, 1500, 1450, "s", "s", init=0)
product("strips_at_5", 5, 140, 150, at=True, init=0)
product("strips_at_dynamic_5", 5, 140, 150, at=True, dynamic=True)
product("strips_at_i8_8", 8, 140, 150, "s", "u", at=True, init=2)
product("dots_at_8", 8, 140, 150, at=True, bt=True, init=0)
product("strips_batch", 9, 140, 150, batch=3, init=0)
product("strips_batch_dynamic", 5, 140, 150, batch=3, dynamic=True)
product("dots_batch", 3, 140, 150, bt=True, batch=3, init=0)
product("dots_batch_dynamic", 5, 140, 150, bt=True, batch=3, dynamic=True)
for n in (2, 10, 16):
    product(f"columns_{n}", 500, n, 300, init=1)
    product(f"columns_dynamic_{n}", 500, n, 301, dynamic=True)
    product(f"columns_i8_{n}", 333, n, 300, "u", "s", init=0)
product("empty_k_dots", 5, 140, 0, bt=True, dynamic=True)
product("empty_k_strips", 5, 140, 0, dynamic=True)
product("empty_n_dots", 5, 0, 140, bt=True, dynamic=True)
product("empty_k", 40, 40, 0, dynamic=True)
product("empty_m", 0, 40, 40, dynamic=True)
product("empty_n", 40, 0, 40, dynamic=True)


def nasty(m, n, k, seed):
    """Few enough odd values for most sums to be finite, in places that padding touches too."""
    r = np.random.default_rng(seed)
    x, y = r.uniform(-1, 1, (m, k)), r.uniform(-1, 1, (k, n))
    odd = [np.inf, -np.inf, np.nan, 2.0**-130, -(2.0**-133), 0.0, -0.0, 3e38, 2.0**-126]
    for value in odd:
        x[r.integers(m), r.integers(k)] = value
        y[r.integers(k), r.integers(n)] = value
    x[-1, -1], y[-1, -1] = np.inf, -np.inf
    return to_nan(x), to_nan(y)


def to_nan(x):
    """bf16 bits, where rounding leaves NaN one."""
    return np.where(np.isnan(x), np.uint16(0x7FC0), to_bf16(np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf)))


def close(scale):
    """Sums that leave the range of f32 on the way may be infinite or not; all others are near, and NaN where the oracle is."""
    def check(found, want):
        large = np.isfinite(want) & (np.abs(want) > 1e38)
        with np.errstate(invalid="ignore"):
            near = np.abs(found - want) <= scale * np.maximum(1.0, np.abs(want))
        return large | near | (found == want) | (np.isnan(found) & np.isnan(want))
    return check


for i, (m, n, k) in enumerate(((33, 49, 65), (64, 64, 63), (40, 70, 1300))):
    product(f"nasty_{i}", m, n, k, given=nasty(m, n, k, i), init=0, check=close(1e-6 * k))
    product(f"nasty_dynamic_{i}", m, n, k, given=nasty(m, n, k, i), dynamic=True, check=close(1e-6 * k))
for m, n, k in ((8, 133, 300), (33, 150, 290)):
    x, y = nasty(m, n, k, m)
    product(f"nasty_strips_{m}", m, n, k, given=(x, y), init=0, check=close(1e-6 * k))
    product(f"nasty_dots_{m}", m, n, k, bt=True, given=(x, np.ascontiguousarray(y.T)), init=0, check=close(1e-6 * k))
    product(f"nasty_dots_dynamic_{m}", m, n, k, bt=True, given=(x, np.ascontiguousarray(y.T)), dynamic=True, check=close(1e-6 * k))


# A of whole tiles, which are read where they are if its rows begin at lines of the caches, and are packed if not (each case runs with both): small and not, several blocks of k
# and of rows. The last tiles of rows that are no multiple of theirs share some with those above.
for m, n, k in ((32, 40, 64), (64, 130, 128), (544, 48, 64), (96, 64, 4160), (512, 600, 832), (512, 300, 256), (160, 33, 2048), (64, 40, 96),
                (33, 70, 64), (101, 40, 128), (500, 600, 832), (70, 48, 4160), (600, 64, 64)):
    for dynamic in (False, True, "rows"):
        name = f"whole_{m}_{k}" + f"_{dynamic}" * bool(dynamic)
        product(f"bf16_{name}", m, n, k, dynamic=dynamic, init=None if n == 40 else 0)
        product(f"i8_{name}", m, n, k, "s", "u", dynamic=dynamic, init=0)
    product(f"batch_whole_{m}_{k}", 64, 48, 96, batch=3, init=None if m == 32 else 0, dynamic=m == 32)
    if m in (33, 101):
        product(f"batch_update_{m}", m, 48, 96, "u", "s", batch=3, dynamic=m == 101)
    product(f"bt_whole_{m}_{k}", m, n, k, bt=True, init=0, dynamic=m in (64, 33, 500))
for m in (64, 75):
    x, y = nasty(m, 80, 128, m)
    product(f"nasty_whole_{m}", m, 80, 128, given=(x, y), init=0, check=close(1e-6 * 128))
    product(f"nasty_whole_update_{m}", m, 80, 128, given=(x, y), dynamic=True, check=close(1e-6 * 128))
# So is A that the function makes.
for m, n, k in ((64, 70, 128), (256, 256, 256)):
    x, y = rng.integers(-60, 60, (m, k)).astype(np.int8), values((k, n), "s")
    suite.add(f"own_{m}", f"""func.func @own_{m}(%a: tensor<{m}x{k}xi8>, %b: tensor<{k}x{n}xi8>) -> (tensor<{m}x{n}xi32>, tensor<{m}x{k}xi8>) {{
      %z = arith.constant 0 : i32
      %t = tensor.empty() : tensor<{m}x{k}xi8>
      %d = linalg.map {{ arith.addi }} ins(%a, %a : tensor<{m}x{k}xi8>, tensor<{m}x{k}xi8>) outs(%t : tensor<{m}x{k}xi8>)
      %e = tensor.empty() : tensor<{m}x{n}xi32>
      %c = linalg.fill ins(%z : i32) outs(%e : tensor<{m}x{n}xi32>) -> tensor<{m}x{n}xi32>
      %r = linalg.matmul ins(%d, %b : tensor<{m}x{k}xi8>, tensor<{k}x{n}xi8>) outs(%c : tensor<{m}x{n}xi32>) -> tensor<{m}x{n}xi32>
      return %r, %d : tensor<{m}x{n}xi32>, tensor<{m}x{k}xi8> }}""", [x, y], [("i32", 2), ("i8", 2)], [2 * x.astype(np.int64) @ y.astype(np.int64), 2 * x], 0)
# The largest sums that i32 holds wrap no sooner than they must.
most = (np.full((20, 4000), 255, np.uint8), np.full((4000, 40), 255, np.uint8))
product("u8_most", 20, 40, 4000, "u", "u", given=most, init=0)
least = (np.full((20, 1001), -128, np.int8), np.full((1001, 40), -128, np.int8))
product("s8_least", 20, 40, 1001, "s", "s", given=least, init=0)

# Casts of f32 while packing, and what follows on the blocks of tiles: bias, relu, and a quantised or a bf16 result.
ALL, ROW = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j)>"
for m, n, k in ((33, 49, 65), (64, 96, 1200)):
    x, y, bias = (rng.uniform(-1, 1, s).astype(np.float32) for s in ((m, k), (k, n), (n,)))
    want = np.maximum(from_bf16(to_bf16(x)).astype(np.float64) @ from_bf16(to_bf16(y)).astype(np.float64) + bias, 0)
    suite.add(f"cast_{m}", f"""func.func @cast_{m}(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>, %v: tensor<{n}xf32>) -> (tensor<{m}x{n}xbf16>, tensor<{m}x{n}xi8>) {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<{m}x{n}xf32>
      %c = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      %an = arith.truncf %a : tensor<{m}x{k}xf32> to tensor<{m}x{k}xbf16>
      %bn = arith.truncf %b : tensor<{k}x{n}xf32> to tensor<{k}x{n}xbf16>
      %r = linalg.matmul ins(%an, %bn : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>) outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      %e1 = tensor.empty() : tensor<{m}x{n}xbf16>
      %e2 = tensor.empty() : tensor<{m}x{n}xi8>
      %g:2 = linalg.generic {{indexing_maps = [{ALL}, {ROW}, {ALL}, {ALL}], iterator_types = ["parallel", "parallel"]}}
          ins(%r, %v : tensor<{m}x{n}xf32>, tensor<{n}xf32>) outs(%e1, %e2 : tensor<{m}x{n}xbf16>, tensor<{m}x{n}xi8>) {{
      ^bb0(%p: f32, %q: f32, %o: bf16, %u: i8):
        %0 = arith.addf %p, %q : f32
        %1 = arith.maximumf %0, %z : f32
        %2 = arith.truncf %1 : f32 to bf16
        %3 = arith.fptosi %1 : f32 to i8
        linalg.yield %2, %3 : bf16, i8 }} -> (tensor<{m}x{n}xbf16>, tensor<{m}x{n}xi8>)
      return %g#0, %g#1 : tensor<{m}x{n}xbf16>, tensor<{m}x{n}xi8> }}""", [x, y, bias], [("bf16", 2), ("i8", 2)],
              [want, want], lambda found, want: np.abs(found - want) < np.where(found == np.floor(found), 1.0 + 1e-3, 2.0**-8 * (1 + np.abs(want))))

# Weights that are packed as they are compiled.
for m, n, k in ((33, 49, 65), (64, 96, 300)):
    for kind, element, acc, zero in (("bf16", "bf16", "f32", "0.0"), ("s", "i8", "i32", "0")):
        x, y = values((m, k), kind), values((k, n), kind)
        suite.add(f"weights_{element}_{m}", f"""func.func @weights_{element}_{m}(%a: tensor<{m}x{k}x{element}>) -> tensor<{m}x{n}x{acc}> {{
          %b = arith.constant dense<"0x{y.tobytes().hex()}"> : tensor<{k}x{n}x{element}>
          %z = arith.constant {zero} : {acc}
          %e = tensor.empty() : tensor<{m}x{n}x{acc}>
          %c = linalg.fill ins(%z : {acc}) outs(%e : tensor<{m}x{n}x{acc}>) -> tensor<{m}x{n}x{acc}>
          %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>) outs(%c : tensor<{m}x{n}x{acc}>) -> tensor<{m}x{n}x{acc}>
          return %r : tensor<{m}x{n}x{acc}> }}""", [x], [(acc, 2)], [widen(x, element) @ widen(y, element)], 1e-6 * k if acc == "f32" else 0)

# An infinite pixel reaches the pixels whose windows hold it: rows of the window are read behind their end.
image = rng.uniform(-1, 1, (1, 12, 20, 3))
image[0, 5, 10, 1] = np.inf
kernel = rng.uniform(0.1, 1, (3, 3, 3, 40))
image, kernel = to_bf16(image), to_bf16(kernel)
wide = widen(image, "bf16")
want = sum(wide[:, i:i + 10, j:j + 18, :] @ widen(kernel, "bf16")[i, j] for i in range(3) for j in range(3))
suite.add("conv_inf", """func.func @conv_inf(%x: tensor<1x12x20x3xbf16>, %k: tensor<3x3x3x40xbf16>) -> tensor<1x10x18x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x10x18x40xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x10x18x40xf32>) -> tensor<1x10x18x40xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x12x20x3xbf16>, tensor<3x3x3x40xbf16>) outs(%c : tensor<1x10x18x40xf32>) -> tensor<1x10x18x40xf32>
  return %r : tensor<1x10x18x40xf32>
}""", [image, kernel], [("f32", 4)], [want], 1e-5)
suite.run()
