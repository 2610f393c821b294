# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic no-scalar-fallback}" | FileCheck %s
# Where this processor has no more than AVX2, the first run was one for it.
# RUN: %if beyond-avx2 %{ env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3 no-scalar-fallback}" | FileCheck %s %}
# Contractions of every type, layout and odd size. Oracle: f64 (int64) on the same inputs. Bound: 1e-5 of the largest
# product sum for f32 accumulators (K <= 333, so a worst case of K * 2^-24 relative to sum |a b|), 1e-13 for f64, exact for i32.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools

import numpy as np
from harness import TARGET, Suite, narrow, random_values, tensor, widen

rng = np.random.default_rng(7)
suite = Suite()
values = functools.partial(random_values, rng)
SHAPES = [(127, 333, 65), (1, 1, 1), (64, 64, 64), (8, 16, 200), (0, 5, 7), (5, 0, 7), (5, 7, 0), (64, 65, 0), (3, 300, 100), (70, 9, 130)]


kinds = set()


def is_another_kind(dtype, m, n, k, batch, *others):
    """Whether a device has not had such a product. Most of these cases are for what a CPU does, which has a way of its own for many sizes; a device
    has tiles, and the simulator of one takes seconds for each of the larger ones."""
    magnitude = lambda size: sum(size > limit for limit in (0, 1, 16, 32))
    # A few rows take a whole tile.
    work = max(m, 16) * n * k * max(batch, 1)
    kind = (dtype, batch > 0, *map(bool, others), work > 1 << 22, *map(magnitude, (m, n, k)), n % 8 == 0, k % 8 == 0)
    if kind in kinds or work > 1 << 24:
        return False
    kinds.add(kind)
    return True


def matmul(name, dtype, m, n, k, transpose_a=False, transpose_b=False, dynamic=False, batch=0, init=None, new=False):
    if TARGET == "sim" and not is_another_kind(dtype, m, n, k, batch, transpose_a, transpose_b, dynamic, init or (dynamic and not new)):
        return
    acc = {"f64": "f64", "i8": "i32"}.get(dtype, "f32")
    lead = (batch,) if batch else ()
    a = values(lead + ((k, m) if transpose_a else (m, k)), dtype)
    b = values(lead + ((n, k) if transpose_b else (k, n)), dtype)
    dims, pre = ("b, m, n, k", "b, ") if batch else ("m, n, k", "")
    maps = ", ".join(f"affine_map<({dims}) -> ({pre}{x})>"
                     for x in ("k, m" if transpose_a else "m, k", "n, k" if transpose_b else "k, n", "m, n"))
    static = lambda shape: [size if size != m and dynamic == "rows" or size == m and dynamic == "but rows" else -1 for size in shape] if dynamic else shape
    ta, tb, tc = tensor(static(a.shape), dtype), tensor(static(b.shape), dtype), tensor(static(lead + (m, n)), acc)
    start = rng.integers(-9, 9, lead + (m, n)).astype(np.int32 if acc == "i32" else np.float64 if acc == "f64" else np.float32)
    args, parameters = [a, b], f"%a: {ta}, %b: {tb}"
    starts = init or (dynamic and not new)
    if starts:
        args.append(start)
        parameters += f", %c: {tc}"
    unknown = [] if not new else [f"%a, {len(lead) + transpose_a}", f"%b, {len(lead) + 1 - transpose_b}"][: 1 if dynamic == "rows" else 2]
    sizes = "".join(f"""%i{i} = arith.constant {at.split()[1]} : index
  %d{i} = tensor.dim {at.split(",")[0]}, %i{i} : {(ta, tb)[i]}
  """ for i, at in enumerate(unknown))
    filled = "" if starts else f"""{sizes}%z = arith.constant {"0" if acc == "i32" else "0.0"} : {acc}
  %e = tensor.empty({", ".join(f"%d{i}" for i in range(len(unknown)))}) : {tc}
  %c = linalg.fill ins(%z : {acc}) outs(%e : {tc}) -> {tc}"""
    wa, wb = widen(a, dtype), widen(b, dtype)
    want = (np.swapaxes(wa, -1, -2) if transpose_a else wa) @ (np.swapaxes(wb, -1, -2) if transpose_b else wb)
    if starts:
        want = want + start
    scale = 1.0 if acc == "i32" else max(1.0, k / 8)
    suite.add(name, f"""func.func @{name}({parameters}) -> {tc} {{
  {filled}
  %r = linalg.contract indexing_maps = [{maps}] ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) -> {tc}
  return %r : {tc}
}}""", args, [(acc, 2 + (batch > 0))], [want], {"i32": 0, "f64": 1e-13}.get(acc, 1e-6 * scale))


for i, (m, n, k) in enumerate(SHAPES):
    matmul(f"f32_{i}", "f32", m, n, k)
    matmul(f"f32_dynamic_{i}", "f32", m, n, k, dynamic=True)
for dtype in ("f16", "bf16", "f64", "i8"):
    matmul(f"{dtype}_odd", dtype, 127, 333, 65)
    matmul(f"{dtype}_bt", dtype, 67, 129, 65, transpose_b=True, dynamic=True)
    matmul(f"{dtype}_at", dtype, 67, 129, 65, transpose_a=True, init=True)
matmul("long_k", "f32", 20, 40, 1500, transpose_b=True, init=True)
# What the sums start from is a tensor of the caller, of which the first vector that is written is at the origin.
for m, n, k in ((2, 100, 5), (3, 70, 9), (4, 100, 30), (2, 37, 5), (1, 70, 9)):
    matmul(f"origin_{m}_{n}", "f32", m, n, k, init=True)
matmul("batch", "f32", 17, 19, 24, batch=3)
matmul("batch_bt", "bf16", 33, 47, 24, batch=3, transpose_b=True)
matmul("vecmat", "f32", 1, 1000, 100)
matmul("matvec", "f32", 100, 1, 1000)
matmul("vecmat_t", "bf16", 1, 100, 1000, transpose_b=True)
# The last panel of columns, of one register and more; rows of whole tiles and others; sums that start from C.
for dtype in ("f32", "bf16", "i8"):
    for m, n, k in ((96, 100, 66), (101, 72, 65), (300, 49, 130)):
        matmul(f"last_panel_{dtype}_{n}", dtype, m, n, k, init=m % 2 == 0)
        matmul(f"last_panel_any_{dtype}_{n}", dtype, m, n, k, dynamic=True, new=m % 2 == 0)
    # The last tile of rows is half of one; parts of columns for threads.
    for m, n, k in ((18, 29, 131), (91, 78, 300)):
        matmul(f"half_tile_{dtype}_{m}", dtype, m, n, k, dynamic=True, new=m % 2 == 0)
    matmul(f"any_rows_by_few_{dtype}", dtype, 37, 200, 131, dynamic="rows")
    # By one to three panels: the numbers of rows that have tiles of their own.
    for m, n in ((17, 80), (18, 80), (29, 41), (21, 10), (63, 96), (64, 80)):
        matmul(f"any_rows_by_panels_{dtype}_{m}_{n}", dtype, m, n, 131, dynamic="rows", new=m % 2 == 0)
# Columns that leave many lanes idle: the transposed product.
for dtype in ("f32", "f64", "bf16", "i8"):
    matmul(f"idle_{dtype}", dtype, 150, 9 if dtype == "f64" else 17, 70)
    matmul(f"idle_bt_{dtype}", dtype, 131, 17, 129, transpose_b=True, init=True)
matmul("idle_at", "f32", 160, 34, 65, transpose_a=True)
# A few rows, which read B where it is.
for dtype in ("f32", "f64", "bf16", "f16", "i8"):
    matmul(f"{dtype}_one_row", dtype, 1, 333, 301)
    matmul(f"{dtype}_eight_rows", dtype, 8, 1100, 77, init=True)
matmul("five_rows", "f32", 5, 2050, 40, batch=2)
# Words of two bf16: an even and an odd number of columns, of whole registers or not.
for m, n, k in ((2, 127, 33), (4, 64, 20), (6, 1, 40), (8, 97, 19), (8, 2050, 100), (11, 95, 35)):
    matmul(f"words_{m}_{n}", "bf16", m, n, k, init=True)
# A few columns: the transposed product has them as rows.
for dtype in ("f32", "f64", "bf16", "f16", "i8"):
    for m, n, k in ((32, 2, 33), (33, 2, 130), (64, 3, 301), (200, 5, 257), (129, 8, 256), (41, 10, 513), (300, 12, 257), (31, 4, 200), (8, 3, 800),
                    (16, 8, 300), (15, 8, 300)):
        matmul(f"{dtype}_few_columns_{m}_{n}", dtype, m, n, k)
        matmul(f"{dtype}_few_columns_t_{m}_{n}", dtype, m, n, k, transpose_b=True, init=True)
        matmul(f"{dtype}_few_columns_at_{m}_{n}", dtype, m, n, k, transpose_a=True)
    for m in (0, 1, 7, 150):
        matmul(f"{dtype}_few_columns_any_{m}", dtype, m, 10, 259, dynamic="rows")
        matmul(f"{dtype}_few_columns_any_t_{m}", dtype, m, 4, 258, transpose_b=True, dynamic="rows")
    matmul(f"{dtype}_few_columns_batch", dtype, 70, 6, 140, batch=2)
# Rows of two loops, a bias and what follows.
x, w, bias = rng.uniform(-1, 1, (5, 24, 150)).astype(np.float32), rng.uniform(-1, 1, (150, 10)).astype(np.float32), rng.uniform(-1, 1, 10).astype(np.float32)
for dynamic in (False, True):
    t, u = ("tensor<?x24x150xf32>", "tensor<?x24x10xf32>") if dynamic else ("tensor<5x24x150xf32>", "tensor<5x24x10xf32>")
    name = f"few_columns_head{'_dynamic' if dynamic else ''}"
    suite.add(name, f"""func.func @{name}(%x: {t}, %w: tensor<150x10xf32>, %bias: tensor<10xf32>) -> {u} {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : {t}
  %e = tensor.empty({"%m" if dynamic else ""}) : {u}
  %b = linalg.broadcast ins(%bias : tensor<10xf32>) outs(%e : {u}) dimensions = [0, 1]
  %r = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %w : {t}, tensor<150x10xf32>) outs(%b : {u}) -> {u}
  %y = linalg.generic {{indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%r : {u}) outs(%e : {u}) {{
  ^bb0(%v: f32, %o: f32):
    %s = arith.maximumf %v, %zero : f32
    linalg.yield %s : f32
  }} -> {u}
  return %y : {u} }}""", [x, w, bias], [("f32", 3)], [np.maximum(x.astype(np.float64) @ w + bias, 0)], 2e-5)
# B larger than the second cache, whose rows are prefetched: the last ones of it ask for no more.
for dtype in ("f32", "f64", "f16", "bf16"):
    matmul(f"{dtype}_large_b", dtype, 3, 1501, 1003)
for dtype, m in (("i8", 1), ("i8", 3), ("i8", 6), ("bf16", 6), ("bf16", 13)):
    matmul(f"{dtype}_large_b_{m}", dtype, m, 1501, 1003, init=True)
matmul("large_b_row", "f32", 1, 3000, 501, init=True)
matmul("large_b_batch", "f32", 8, 1500, 1003, batch=2)
# Several register tiles that read rows of B where they are: whole tiles and masked ones, one block of k and several, B in a cache and not.
for dtype, m, n, k in (("f32", 15, 64, 200), ("f32", 16, 1000, 65), ("f32", 40, 2048, 301), ("f32", 48, 62, 64), ("f32", 100, 320, 129), ("f64", 33, 960, 300),
                       ("bf16", 17, 1000, 70), ("bf16", 32, 1920, 600), ("f16", 16, 640, 100), ("f32", 61, 1501, 701), ("bf16", 125, 1501, 701), ("f16", 40, 1500, 701)):
    matmul(f"{dtype}_rows_of_b_{m}_{n}", dtype, m, n, k, init=True)
matmul("rows_of_i8", "i8", 20, 1100, 2050)
matmul("rows_of_i8_t", "i8", 37, 1500, 1501, transpose_a=True, init=True)
matmul("rows_of_i8_many", "i8", 120, 1100, 2050)
matmul("rows_of_bf16", "bf16", 24, 1100, 1051)
matmul("rows_of_bf16_many", "bf16", 110, 1100, 1050)
matmul("rows_of_i8_dynamic", "i8", 61, 150, 43, dynamic="but rows")
# Panels of groups that are packed between the products of the one before: fewer tiles than share one, as many and more; two panels with all columns, one
# and none; whole blocks of k, a part of one, and none.
for dtype in ("bf16", "i8"):
    for m, n, k in ((4, 129, 256), (5, 300, 131), (8, 128, 128), (12, 1000, 300), (20, 64, 257), (40, 333, 192)):
        matmul(f"between_{dtype}_{m}_{n}", dtype, m, n, k, init=m % 3 == 0)
        matmul(f"between_any_{dtype}_{m}_{n}", dtype, m, n, k, dynamic=True, new=m % 3 != 0)
    for m in (0, 3, 7, 10, 14, 200):
        matmul(f"between_any_rows_{dtype}_{m}", dtype, m, 520, 777, dynamic="rows", new=True)
    matmul(f"between_batch_{dtype}", dtype, 9, 200, 270, batch=3)
for dtype, m in (("f32", 8), ("f32", 11), ("f32", 14), ("f64", 9), ("bf16", 8), ("f16", 8)):
    matmul(f"{dtype}_tiles_of_{m}", dtype, m, 1501, 1003, init=True)
matmul("rows_of_b_t", "f32", 23, 1000, 601, transpose_a=True)
matmul("rows_of_b_batch", "f32", 20, 128, 100, batch=3)
matmul("rows_of_b_dynamic", "f32", 24, 1000, 90, dynamic="but rows")
matmul("rows_of_b_words_dynamic", "bf16", 19, 150, 40, dynamic="but rows")
# No size is known: rows of B that are read and asked for in blocks, of which the last may be whole, and columns that end in a tile. Small ones: k and
# columns in more than one block.
for dtype in ("f32", "bf16", "f16", "i8"):
    for m, n, k in ((1, 1503, 1003), (2, 1100, 24), (2, 45, 13), (3, 1503, 97), (4, 1600, 12), (6, 1503, 300), (8, 1501, 1003), (12, 1100, 31), (16, 1501, 130),
                    (40, 1503, 65), (100, 700, 33), (200, 31, 700), (64, 5001, 9)):
        matmul(f"any_{dtype}_{m}_{n}_{k}", dtype, m, n, k, dynamic=True, new=m % 2 == 0)
        if m < 16:
            matmul(f"any_but_rows_{dtype}_{m}_{n}_{k}", dtype, m, n, k, dynamic="but rows")
# Few columns, which are counted when the program runs: each way to compute them, numbers that are too many for it, and rows and k that are too few.
for dtype in ("f32", "f64", "bf16", "f16", "i8"):
    for m, n, k in ((150, 1, 258), (33, 2, 130), (70, 3, 301), (200, 5, 64), (40, 7, 100), (300, 8, 257), (100, 12, 140), (130, 13, 150), (2, 3, 40), (1, 2, 50),
                    (5, 12, 200), (0, 4, 40), (60, 0, 40), (60, 4, 0), (1100, 4, 1030)):
        matmul(f"any_columns_{dtype}_{m}_{n}", dtype, m, n, k, dynamic=True, new=True)
        if dtype in ("f64", "f16"):
            continue
        matmul(f"any_columns_init_{dtype}_{m}_{n}", dtype, m, n, k, dynamic=True)
        matmul(f"any_columns_t_{dtype}_{m}_{n}", dtype, m, n, k, transpose_b=True, dynamic=True, new=True)
        matmul(f"any_columns_at_{dtype}_{m}_{n}", dtype, m, n, k, transpose_a=True, dynamic=True)
# Rows that are counted when the program runs: each way to compute a few of them, and the first numbers that are too many for it.
for dtype in ("f32", "bf16", "f16", "i8"):
    for m in (1, 2, 5, 9, 49, 129, 257):
        matmul(f"any_rows_{dtype}_{m}", dtype, m, 1501, 1003, dynamic="rows", new=m % 3 != 0)
    for m in (1, 2, 3, 4, 6, 7, 12, 13, 65):
        matmul(f"any_rows_small_{dtype}_{m}", dtype, m, 301, 190, dynamic="rows", new=m % 3 != 0)
    for m in (1, 9, 257):
        matmul(f"any_rows_t_{dtype}_{m}", dtype, m, 1100, 1001, transpose_b=True, dynamic="rows", new=True)
        matmul(f"any_size_{dtype}_{m}", dtype, m, 1027, 517, dynamic=True, new=True)
# Whole blocks of an unknown k, and what is left of it; columns that are whole tiles, or not.
for m, n, k in ((1, 256, 512), (1, 257, 509), (8, 512, 64), (8, 520, 7), (3, 70, 3)):
    for dtype in ("f32", "bf16", "i8"):
        matmul(f"any_depth_{dtype}_{m}_{k}", dtype, m, n, k, dynamic="but rows")
# A few rows and a transposed B of long k, both read where they are; k ends in a vector, and in the second of two blocks.
for m, n, k in ((2, 37, 512), (3, 41, 515), (5, 16, 8209), (8, 100, 2049), (12, 300, 700)):
    matmul(f"dot_{m}", "f32", m, n, k, transpose_b=True)
    matmul(f"dot_init_{m}", "bf16", m, n, k, transpose_b=True, init=True)
    matmul(f"dot_dynamic_{m}", "f32", m, n, k, transpose_b=True, dynamic="but rows")
# Of as short a k as their number of rows allows.
for dtype in ("f32", "f64", "bf16", "f16", "i8"):
    for m, n, k in ((1, 700, 40), (2, 701, 32), (2, 300, 63), (4, 300, 64), (3, 250, 97), (8, 90, 256), (7, 133, 130), (12, 70, 257)):
        matmul(f"dot_{dtype}_short_{m}_{k}", dtype, m, n, k, transpose_b=True)
    matmul(f"dot_{dtype}_short_batch", dtype, 2, 130, 65, transpose_b=True, batch=5, init=True)
# Of which the second cache does not hold B.
for dtype, m, n, k in (("f32", 8, 1003, 2051), ("f64", 7, 401, 1025), ("bf16", 12, 700, 3105), ("i8", 9, 1100, 2050)):
    matmul(f"dot_large_{dtype}", dtype, m, n, k, transpose_b=True)
# Nor the last one, in rows that lie in one page and are asked for in turn.
for dtype, m, n, k in (("i8", 1, 11003, 770), ("i8", 4, 11003, 770), ("bf16", 1, 5501, 771), ("bf16", 3, 5501, 771), ("f32", 1, 4203, 515), ("f32", 4, 4203, 515)):
    matmul(f"dot_asked_{dtype}_{m}", dtype, m, n, k, transpose_b=True)
# One row of i8, in more than one part of columns.
for dynamic in (False, "but rows"):
    matmul(f"parts_of_rows_{'any' if dynamic else 'known'}", "i8", 1, 13001, 35, dynamic=dynamic)
# More rows than are multiplied at once.
for dtype, m, n, k in (("f32", 13, 101, 1100), ("f32", 32, 50, 2049), ("bf16", 23, 49, 1090), ("f16", 17, 30, 600), ("f64", 25, 33, 520), ("i8", 24, 95, 515), ("i8", 16, 48, 3200)):
    matmul(f"dot_in_turn_{dtype}_{m}", dtype, m, n, k, transpose_b=True, init=True)
matmul("dot_in_turn_dynamic", "f32", 20, 61, 700, transpose_b=True, dynamic="but rows")
# Whole vectors of an unknown k: there is nothing behind them.
for dtype in ("f32", "bf16", "f16"):
    matmul(f"dot_{dtype}_dynamic_whole", dtype, 4, 21, 512, transpose_b=True, dynamic="but rows")
matmul("dot_f64", "f64", 4, 21, 1001, transpose_b=True)
# Rows of A that are converted are packed first; of bf16 as even and odd elements.
for dtype in ("bf16", "f16", "i8"):
    for m, n, k in ((1, 37, 1000), (3, 41, 515), (4, 21, 1001), (6, 100, 2049), (8, 47, 16411), (12, 300, 700)):
        matmul(f"dot_{dtype}_{m}", dtype, m, n, k, transpose_b=True)
        matmul(f"dot_{dtype}_dynamic_{m}", dtype, m, n, k, transpose_b=True, dynamic="but rows")
    matmul(f"dot_{dtype}_batch", dtype, 6, 70, 641, transpose_b=True, batch=3)
matmul("dot_batch", "f32", 6, 70, 640, transpose_b=True, batch=3)
# A few rows of i8, whose groups along k are made of B where it is: one register tile and several, odd sizes, the last of several blocks of k, and A of any layout.
for m, n, k in ((1, 64, 300), (2, 37, 512), (3, 200, 67), (4, 333, 129), (6, 70, 257), (7, 130, 66), (8, 1000, 131), (11, 65, 64), (13, 257, 70), (16, 512, 77)):
    matmul(f"i8_rows_{m}", "i8", m, n, k)
    matmul(f"i8_rows_init_{m}", "i8", m, n, k + 1, init=True)
    matmul(f"i8_rows_at_{m}", "i8", m, n, k + 2, transpose_a=True)
    matmul(f"i8_rows_dynamic_{m}", "i8", m, n, k, dynamic="but rows")
matmul("i8_rows_batch", "i8", 5, 90, 203, batch=3)
# Rows whose number is not known: blocks for one, for a few and for many, each type, layout and size of which is another way to read B. No rows, too.
for dtype in ("f32", "f64", "bf16", "f16", "i8"):
    for m in (0, 1, 2, 7, 14, 15, 33, 128, 129):
        matmul(f"{dtype}_any_rows_{m}", dtype, m, 150, 43, dynamic=True)
        matmul(f"{dtype}_any_rows_t_{m}", dtype, m, 45, 515, transpose_b=True, dynamic=True)
    for m in (1, 3, 9, 20, 130):
        matmul(f"{dtype}_any_rows_at_{m}", dtype, m, 70, 44, transpose_a=True, dynamic=True)
        matmul(f"{dtype}_any_rows_large_{m}", dtype, m, 1501, 1003, dynamic="rows")
        matmul(f"{dtype}_any_rows_large_t_{m}", dtype, m, 1003, 1501, transpose_b=True, dynamic="rows")
# Those of a batch: one row, or any number.
for dtype in ("f32", "bf16", "i8"):
    for m in (0, 1, 2, 40):
        matmul(f"{dtype}_any_rows_batch_{m}", dtype, m, 150, 43, batch=3, dynamic=True)
        matmul(f"{dtype}_any_rows_batch_t_{m}", dtype, m, 151, 64, batch=3, transpose_b=True, dynamic=True)
# Which are several loops.
for dtype, b, rows in (("f32", 1, 1), ("f32", 2, 3), ("f32", 8, 20), ("i8", 1, 1), ("i8", 3, 2), ("i8", 9, 4)):
    name, acc, n, k = f"{dtype}_any_rows_{b}_{rows}", "i32" if dtype == "i8" else "f32", 90, 301
    xa, xb, start = values((b, rows, k), dtype), values((k, n), dtype), rng.integers(-9, 9, (b, rows, n)).astype(np.int32 if dtype == "i8" else np.float32)
    ta, tb, tc = tensor((-1, -1, -1), dtype), tensor((-1, -1), dtype), tensor((-1, -1, -1), acc)
    suite.add(name, f"""func.func @{name}(%a: {ta}, %b: {tb}, %c: {tc}) -> {tc} {{
  %r = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) -> {tc}
  return %r : {tc}
}}""", [xa, xb, start], [(acc, 3)], [widen(xa, dtype) @ widen(xb, dtype) + start], 0 if dtype == "i8" else 4e-5)
# Few enough rows, of long enough k, for all of A to be packed once.
for dtype in ("f32", "bf16", "i8"):
    matmul(f"{dtype}_all_of_a", dtype, 37, 410, 4101)
    matmul(f"{dtype}_all_of_a_t", dtype, 19, 300, 4100, transpose_a=True, init=True)
    matmul(f"{dtype}_all_of_a_bt", dtype, 33, 290, 4099, transpose_b=True)
# Unsigned bytes, an odd number of pairs.
ua, ub = rng.integers(0, 256, (30, 77)).astype(np.uint8), rng.integers(0, 256, (77, 50)).astype(np.uint8)
suite.add("u8", """func.func @u8(%a: tensor<30x77xi8>, %b: tensor<77x50xi8>) -> tensor<30x50xi32> {
  %z = arith.constant 5 : i32
  %e = tensor.empty() : tensor<30x50xi32>
  %c = linalg.fill ins(%z : i32) outs(%e : tensor<30x50xi32>) -> tensor<30x50xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<30x77xi8>, tensor<77x50xi8>) outs(%c : tensor<30x50xi32>) -> tensor<30x50xi32>
  return %r : tensor<30x50xi32>
}""", [ua, ub], [("i32", 2)], [ua.astype(np.int64) @ ub.astype(np.int64) + 5])
# A few rows with the signs mixed, and the extreme values alone, which no sum of products may saturate.
for name, rows, left, right in (("us", 3, "extui", "extsi"), ("su", 5, "extsi", "extui"), ("uu", 2, "extui", "extui"), ("ss", 9, "extsi", "extsi"), ("us_many", 10, "extui", "extsi")):
    ends = lambda cast, shape: rng.choice(np.array([0, 255] if cast == "extui" else [-128, 127]), shape)
    xa, xb = ends(left, (rows, 515)), ends(right, (515, 200))
    suite.add(f"i8_ends_{name}", f"""func.func @i8_ends_{name}(%a: tensor<{rows}x515xi8>, %b: tensor<515x200xi8>, %c: tensor<{rows}x200xi32>) -> tensor<{rows}x200xi32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<{rows}x515xi8>, tensor<515x200xi8>) outs(%c : tensor<{rows}x200xi32>) {{
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.{left} %x : i8 to i32
    %1 = arith.{right} %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }} -> tensor<{rows}x200xi32>
  return %r : tensor<{rows}x200xi32>
}}""", [xa.astype(np.uint8).view(np.int8), xb.astype(np.uint8).view(np.int8), np.full((rows, 200), 7, np.int32)], [("i32", 2)], [xa @ xb + 7])
# An infinity in the last row of an odd k meets no padding.
inf = narrow(np.where(np.arange(33)[:, None] == 32, np.inf, 1.0) * np.ones((33, 40)), "bf16")
one = narrow(np.ones((30, 33)), "bf16")
suite.add("bf16_inf", """func.func @bf16_inf(%a: tensor<30x33xbf16>, %b: tensor<33x40xbf16>, %c: tensor<30x40xf32>) -> tensor<30x40xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x33xbf16>, tensor<33x40xbf16>) outs(%c : tensor<30x40xf32>) -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}""", [one, inf, np.zeros((30, 40), np.float32)], [("f32", 2)], [np.full((30, 40), np.inf)])
# What follows a few rows of i8: a bias that the sums start from, and the steps of a quantised layer.
for transposed in (False, True):
    for rows in (1, 4, 9):
        ia, ib = rng.integers(-128, 128, (rows, 600)).astype(np.int8), rng.integers(-128, 128, (600, 150)).astype(np.int8)
        bias = rng.integers(-999, 999, 150).astype(np.int32)
        tb = "150x600" if transposed else "600x150"
        name = f"i8_rows_epilogue_{rows}" + ("_t" if transposed else "")
        suite.add(name, f"""func.func @{name}(%a: tensor<{rows}x600xi8>, %b: tensor<{tb}xi8>, %bias: tensor<150xi32>) -> tensor<{rows}x150xi8> {{
  %e = tensor.empty() : tensor<{rows}x150xi32>
  %start = linalg.broadcast ins(%bias : tensor<150xi32>) outs(%e : tensor<{rows}x150xi32>) dimensions = [0]
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({"n, k" if transposed else "k, n"})>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<{rows}x600xi8>, tensor<{tb}xi8>) outs(%start : tensor<{rows}x150xi32>) -> tensor<{rows}x150xi32>
  %o = tensor.empty() : tensor<{rows}x150xi8>
  %q = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}}
      ins(%r : tensor<{rows}x150xi32>) outs(%o : tensor<{rows}x150xi8>) {{
  ^bb0(%x: i32, %old: i8):
    %shift = arith.constant 13 : i32
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %0 = arith.shrsi %x, %shift : i32
    %1 = arith.maxsi %0, %low : i32
    %2 = arith.minsi %1, %high : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  }} -> tensor<{rows}x150xi8>
  return %q : tensor<{rows}x150xi8>
}}""", [ia, np.ascontiguousarray(ib.T) if transposed else ib, bias], [("i8", 2)], [np.clip((ia.astype(np.int64) @ ib.astype(np.int64) + bias) >> 13, -128, 127)])
# Infinities and NaN of bf16 stay in their rows and columns.
xa, xb = rng.standard_normal((4, 1001)).astype(np.float32), rng.standard_normal((30, 1001)).astype(np.float32)
xa[1, 1000], xb[7, 3], xb[29, 1000] = np.inf, np.nan, -np.inf
xa, xb = narrow(xa, "bf16"), narrow(xb, "bf16")
suite.add("bf16_rows_t_inf", """func.func @bf16_rows_t_inf(%a: tensor<4x1001xbf16>, %b: tensor<30x1001xbf16>, %c: tensor<4x30xf32>) -> tensor<4x30xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<4x1001xbf16>, tensor<30x1001xbf16>) outs(%c : tensor<4x30xf32>) -> tensor<4x30xf32>
  return %r : tensor<4x30xf32>
}""", [xa, xb, np.zeros((4, 30), np.float32)], [("f32", 2)], [widen(xa, "bf16") @ widen(xb, "bf16").T], 1e-4)
suite.run()
