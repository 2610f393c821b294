# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3 no-scalar-fallback}" | FileCheck %s
# Convolutions of images with channels first, in one to three dimensions, with stride, dilation, padding, groups and batches, a
# bias as what sums start from, and a bias, a residual and relu behind. Oracle: f64 (int64) on the same inputs. Bounds: 1e-5 of the
# largest sum for f32 accumulators, 1e-13 for f64, exact for i32; what is not finite is where it is in the oracle.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools
import itertools

import numpy as np
from harness import Suite, random_values, tensor, widen

rng = np.random.default_rng(7)
suite = Suite()
values = functools.partial(random_values, rng)


def windows(x, kernel, strides, dilations, axis):
    """x [.., h, w] from dimension `axis` on as [.., oh, ow, kh, kw]."""
    out = [(x.shape[axis + i] - (k - 1) * d - 1) // s + 1 for i, (k, s, d) in enumerate(zip(kernel, strides, dilations))]
    index, rank = [slice(None)] * axis, len(kernel)
    for i, (o, k, s, d) in enumerate(zip(out, kernel, strides, dilations)):
        at = np.arange(o)[:, None] * s + np.arange(k) * d
        shape = [1] * (2 * rank)
        shape[i], shape[rank + i] = at.shape
        index.append(at.reshape(shape))
    return x[tuple(index)]


def conv(name, n, size, c, f, kernel, stride=1, dilation=1, pad=0, element="f32", groups=0, init=None, after="", dynamic="", special=False, order=None):
    """Image [n, (g), c, *size], filter [(g), f, c, *kernel], or with its dimensions (g, f, c, x, y, z) in another order. init: zero, bias or tensor (which sizes that are unknown are taken of).
    dynamic: the sizes that are unknown, of n, f (features), r (rows) and i (all of an image)."""
    init = init or ("tensor" if dynamic else "zero")
    rank = len(size)
    strides = stride if isinstance(stride, tuple) else (stride,) * rank
    dilations = dilation if isinstance(dilation, tuple) else (dilation,) * rank
    acc = {"i8": "i32", "f64": "f64"}.get(element, "f32")
    exact = np.int64 if acc == "i32" else np.float64
    g = (groups,) if groups else ()
    x, w = values((n, *g, c, *size), element), values((*g, f, c, *kernel), element)
    if special:
        flat = x.reshape(-1)
        flat[rng.integers(0, flat.size, 6)] = [np.inf, -np.inf, np.nan, 1e38, -0.0, 1e-42]
    first = 2 + len(g)
    padded = np.pad(widen(x, element), [(0, 0)] * first + [(pad, pad)] * rank).astype(exact)
    win = windows(padded, kernel, strides, dilations, first)
    o, k = "uvw"[:rank], "xyz"[:rank]
    group = "g" if g else ""
    with np.errstate(all="ignore"):
        want = np.einsum(f"n{group}c{o}{k},{group}fc{k}->n{group}f{o}", win, widen(w, element).astype(exact), optimize=not special)
    zero = "0" if acc == "i32" else "0.0"

    unknown = {"n": {0}, "f": {first - 1}, "r": {first}, "i": set(range(first, first + rank))}
    grow = lambda shape, which: [-1 if any(i in unknown[d] for d in dynamic if d in which) else s for i, s in enumerate(shape)]
    tx, tp, ty = tensor(grow(x.shape, "nri"), element), tensor(grow(padded.shape, "nri"), element), tensor(grow(want.shape, "nfri"), acc)
    canonical = group + "fc" + k
    order = order or canonical
    w = np.ascontiguousarray(w.transpose([canonical.index(d) for d in order]))
    tw = tensor([-1 if "f" in dynamic and d == "f" else s for d, s in zip(order, w.shape)], element)
    args, parameters, lines = [x, w], [f"%x: {tx}", f"%w: {tw}"], [f"%z = arith.constant {zero} : {acc}"]

    def more(value, dtype, shape):
        args.append(value)
        parameters.append(f"%p{len(args)}: {tensor(shape, dtype)}")
        return f"%p{len(args)}"

    def numbers(shape):
        return rng.integers(-99, 99, shape).astype(np.int32) if acc == "i32" else rng.uniform(-1, 1, shape).astype({"f32": np.float32, "f64": np.float64}[acc])

    loops = ["n", *group, "f", *o, "c", *k]
    amap = lambda results: f"affine_map<({', '.join(loops)}) -> ({', '.join(results)})>"
    places = [f"{a} * {s} + {b} * {d}" for a, b, s, d in zip(o, k, strides, dilations)]
    source = "%x"
    if pad:
        source = "%padded"
        low = ", ".join(["0"] * first + [str(pad)] * rank)
        indices = ", ".join(f"%i{d}: index" for d in range(first + rank))
        lines.append(f"""%pz = arith.constant {'0' if element == 'i8' else '0.0'} : {element}
        %padded = tensor.pad %x low[{low}] high[{low}] {{
        ^bb0({indices}):
          tensor.yield %pz : {element} }} : {tx} to {tp}""")
    result = ["n", *group, "f", *o]
    parallel = lambda count: ", ".join(['"parallel"'] * count)
    omap = lambda results: f"affine_map<({', '.join(result)}) -> ({', '.join(results)})>"
    if init == "tensor":
        start = numbers(want.shape)
        want = want + start
        begin = more(start, acc, grow(want.shape, "nfri"))
        empty = begin
    else:
        sizes = ""
        if dynamic:
            assert dynamic == "n"
            lines.append(f"%first = arith.constant 0 : index\n        %count = tensor.dim %x, %first : {tx}")
            sizes = "%count"
        lines.append(f"%e = tensor.empty({sizes}) : {ty}")
        empty = "%e"
        if init == "bias":
            bias = numbers(f)
            want = want + bias.reshape(-1, *[1] * rank)
            begin = "%begin"
            lines.append(f"""%begin = linalg.generic {{indexing_maps = [{omap(["f"])}, {omap(result)}], iterator_types = [{parallel(len(result))}]}}
          ins({more(bias, acc, [f])} : {tensor([f], acc)}) outs(%e : {ty}) {{
        ^bb0(%b: {acc}, %o: {acc}):
          linalg.yield %b : {acc} }} -> {ty}""")
        else:
            begin = "%begin"
            lines.append(f"%begin = linalg.fill ins(%z : {acc}) outs(%e : {ty}) -> {ty}")
    widening = {"i8": "extsi", "bf16": "extf", "f16": "extf"}.get(element)
    cast = [f"%{v}w = arith.{widening} %{v} : {element} to {acc}" if widening else "" for v in "ab"]
    names = ("%aw", "%bw") if widening else ("%a", "%b")
    kind = "i" if acc == "i32" else "f"
    lines.append(f"""%r = linalg.generic {{indexing_maps = [{amap(["n", *group, "c", *places])}, {amap(order)}, {amap(result)}],
          iterator_types = [{parallel(len(result))}, {', '.join(['"reduction"'] * (1 + rank))}]}}
          ins({source}, %w : {tp if pad else tx}, {tw}) outs({begin} : {ty}) {{
        ^bb0(%a: {element}, %b: {element}, %o: {acc}):
          {cast[0]}
          {cast[1]}
          %1 = arith.mul{kind} {names[0]}, {names[1]} : {acc}
          %2 = arith.add{kind} %o, %1 : {acc}
          linalg.yield %2 : {acc} }} -> {ty}""")
    last = "%r"
    if "residual" in after:
        other = numbers(want.shape)
        want = want + other
        lines.append(f"""%s = linalg.generic {{indexing_maps = [{omap(result)}, {omap(result)}, {omap(result)}], iterator_types = [{parallel(len(result))}]}}
          ins(%r, {more(other, acc, grow(want.shape, "nfri"))} : {ty}, {ty}) outs({empty} : {ty}) {{
        ^bb0(%v: {acc}, %s: {acc}, %o: {acc}):
          %1 = arith.add{kind} %v, %s : {acc}
          linalg.yield %1 : {acc} }} -> {ty}""")
        last = "%s"
    if "relu" in after:
        bias, most = numbers(f), "maxsi" if kind == "i" else "maximumf"
        with np.errstate(all="ignore"):
            want = np.maximum(want + bias.reshape(-1, *[1] * rank), 0)
        row = [-1] if "f" in dynamic else [f]
        lines.append(f"""%y = linalg.generic {{indexing_maps = [{omap(result)}, {omap(["f"])}, {omap(result)}], iterator_types = [{parallel(len(result))}]}}
          ins({last}, {more(bias, acc, row)} : {ty}, {tensor(row, acc)}) outs({empty} : {ty}) {{
        ^bb0(%v: {acc}, %b: {acc}, %o: {acc}):
          %1 = arith.add{kind} %v, %b : {acc}
          %2 = arith.{most} %1, %z : {acc}
          linalg.yield %2 : {acc} }} -> {ty}""")
        last = "%y"
    body = "\n        ".join(lines)
    bound = {"i32": 0, "f32": 1e-5, "f64": 1e-13}[acc] * max(1, c * int(np.prod(kernel)) / 64)
    suite.add(name, f"func.func @{name}({', '.join(parameters)}) -> {ty} {{\n        {body}\n        return {last} : {ty} }}",
              args, [(acc, want.ndim)], [want.astype(exact)], bound)


conv("plain", 2, (12, 13), 16, 32, (3, 3))
conv("relu", 1, (14, 14), 64, 64, (3, 3), pad=1, after="relu")
conv("residual", 2, (14, 14), 20, 24, (3, 3), pad=1, after="residual relu")
conv("bias", 2, (9, 11), 19, 37, (3, 3), init="bias", after="relu")
conv("init", 1, (10, 12), 32, 32, (3, 3), init="tensor")
conv("first", 1, (30, 31), 3, 40, (7, 7), stride=2, pad=3, after="relu")
conv("strided", 1, (27, 29), 16, 24, (3, 3), stride=2, pad=1)
conv("by_three", 2, (19, 33), 3, 40, (5, 3), stride=3)
conv("by_four", 1, (15, 63), 3, 24, (3, 3), stride=4)
conv("by_five", 1, (21, 101), 8, 16, (3, 3), stride=5)
conv("dilated", 1, (20, 21), 24, 32, (3, 3), dilation=2, pad=2)
conv("uneven", 2, (11, 17), 9, 18, (2, 4), stride=(2, 1), dilation=(1, 3))
conv("small_image", 3, (9, 9), 40, 64, (3, 3), after="relu")
conv("tiny_image", 3, (5, 5), 40, 64, (3, 3))
conv("narrow_image", 2, (40, 4), 16, 24, (3, 3))
conv("large_c", 1, (8, 9), 300, 40, (3, 3))
conv("many_columns", 1, (64, 66), 5, 20, (3, 3))
# Loops of one iteration leave an image larger than the others reach.
conv("one_column", 1, (3, 7), 130, 8, (3, 3), stride=(1, 7), after="residual")
conv("one_place", 1, (3, 8), 4, 8, (3, 3), stride=(1, 7), groups=3, element="f64", init="tensor", after="residual")
conv("one_of_line", 9, (8,), 130, 24, (5,), stride=4, groups=2, element="i8", after="residual")
conv("one_unknown", 4, (12, 12, 4), 33, 24, (2, 1, 3), stride=(1, 5, 7), init="tensor", dynamic="nf", after="relu")
conv("one_padded", 2, (22, 6), 1, 16, (2, 3), stride=(1, 7), pad=1, groups=2, init="tensor", after="residual relu")
# Filters whose reductions are not last, or not in the image's order: in gradients of images, and kept for channels last.
for element in ("f32", "bf16", "i8"):
    for order in ("cfxy", "xycf", "fxyc", "xcyf"):
        conv(f"{order}_{element}", 1, (14, 13), 20, 24, (3, 3), order=order, element=element, after="relu")
        conv(f"{order}_batch_{element}", 3, (9, 9), 40, 24, (3, 3), order=order, element=element, init="bias")
    conv(f"cfxy_strided_{element}", 2, (27, 29), 5, 24, (3, 3), stride=2, pad=1, order="cfxy", element=element, after="residual")
    conv(f"xycf_unknown_{element}", 2, (20, 22), 16, 24, (3, 3), order="xycf", element=element, dynamic="ni")
    conv(f"cfx_{element}", 2, (70,), 16, 24, (5,), dilation=2, order="cfx", element=element)
    conv(f"cfxyz_{element}", 1, (6, 7, 8), 8, 16, (3, 2, 3), order="cfxyz", element=element)
    conv(f"groups_{element}", 1, (12, 12), 16, 16, (3, 3), groups=2, order="xycfg", element=element)
    conv(f"few_pixels_{element}", 1, (5, 5), 16, 24, (3, 3), order="cfxy", element=element)
conv("far", 1, (9, 9), 512, 1100, (3, 3), order="xycf")
# Small images of a batch are the pixels of one product.
conv("batch", 3, (9, 9), 40, 64, (3, 3), pad=1, init="bias", after="residual relu")
conv("batch_plain", 2, (8, 15), 48, 24, (3, 3))
conv("batch_strided", 4, (13, 14), 32, 40, (3, 3), stride=2, pad=1, after="relu")
conv("batch_point", 3, (7, 7), 130, 64, (1, 1), after="relu")
conv("batch_point_strided", 3, (13, 14), 130, 24, (1, 1), stride=2, init="bias")
conv("batch_init", 3, (9, 9), 40, 32, (3, 3), init="tensor", after="relu")
conv("batch_line", 3, (50,), 64, 40, (3,), pad=1, after="relu")
conv("batch_volume", 2, (5, 6, 7), 16, 24, (3, 3, 3), after="relu")
conv("batch_nasty", 3, (9, 8), 20, 24, (3, 3), special=True)
conv("batch_unknown", 3, (9, 9), 40, 64, (3, 3), pad=1, dynamic="n", init="zero", after="residual relu")
conv("batch_unknown_bias", 3, (7, 7), 130, 64, (1, 1), dynamic="n", init="bias", after="relu")
conv("batch_unknown_one", 1, (9, 9), 40, 64, (3, 3), dynamic="n", init="zero")
conv("patches", 2, (80, 80), 3, 40, (16, 16), stride=16, init="bias")
conv("patches_one", 1, (80, 84), 3, 24, (16, 8), stride=(16, 12), after="relu")
conv("point", 2, (14, 15), 64, 96, (1, 1), after="relu")
conv("point_strided", 2, (14, 15), 64, 32, (1, 1), stride=2)
conv("point_column", 2, (32, 1), 64, 32, (1, 1))
conv("grouped", 2, (10, 12), 16, 16, (3, 3), groups=4, pad=1, after="relu")
conv("line", 2, (101,), 20, 24, (3,), pad=1, after="relu")
conv("line_strided", 1, (100,), 33, 40, (5,), stride=2)
conv("volume", 1, (6, 9, 10), 4, 16, (3, 3, 3), pad=1)
conv("volume_strided", 2, (7, 9, 11), 3, 24, (2, 3, 3), stride=(1, 2, 2), after="relu")
conv("one_of_each", 1, (1, 40), 7, 16, (1, 3))
conv("nasty", 1, (13, 14), 6, 24, (3, 3), special=True)
conv("nasty_strided", 1, (13, 14), 6, 24, (3, 3), stride=2, special=True)
for element, (pad, after) in itertools.product(("bf16", "f16", "i8", "f64"), ((0, ""), (1, "relu"))):
    conv(f"{element}_{pad}", 1, (12, 15), 17, 24, (3, 3), pad=pad, element=element, after=after)
    conv(f"{element}_strided_{pad}", 2, (13, 14), 5, 18, (3, 3), stride=2, pad=pad, element=element, after=after)
    conv(f"{element}_batch_{pad}", 3, (8, 9), 33, 24, (3, 3), pad=pad, element=element, init="bias", after=after)
    conv(f"{element}_far_{pad}", 1, (13, 44), 17, 24, (3, 3), stride=(2, 6), pad=pad, element=element, after=after)
    conv(f"{element}_point_{pad}", 1, (9, 8), 33, 24, (1, 1), element=element, after=after)
conv("i8_grouped", 1, (10, 12), 9, 16, (3, 3), groups=2, element="i8", init="bias")
for dynamic in ("n", "f", "r", "nfr"):
    conv(f"unknown_{dynamic}", 2, (12, 13), 16, 24, (3, 3), dynamic=dynamic, after="relu")
    conv(f"unknown_{dynamic}_padded", 2, (12, 13), 16, 24, (3, 3), stride=2, pad=1, dynamic=dynamic)
conv("unknown_bf16", 2, (11, 12), 20, 24, (3, 3), element="bf16", dynamic="n")
# Images of any size: rows that are shorter than a vector, and longer than a panel; no pixels, too. Of three dimensions they are no product.
for element in ("f32", "bf16", "f16", "i8", "f64"):
    for n, size in ((2, (12, 13)), (1, (7, 3)), (3, (3, 9)), (1, (5, 150)), (1, (2, 9)), (2, (9, 2))):
        conv(f"image_{element}_{size[0]}_{size[1]}", n, size, 16, 24, (3, 3), element=element, dynamic="ni", after="residual relu")
    conv(f"image_{element}_strided", 2, (14, 19), 5, 24, (3, 3), stride=2, pad=1, element=element, dynamic="i", after="relu")
    conv(f"image_{element}_far", 1, (13, 44), 17, 24, (3, 3), stride=(2, 6), element=element, dynamic="i")
    conv(f"image_{element}_dilated", 1, (15, 22), 9, 24, (3, 2), stride=(1, 2), dilation=(2, 3), element=element, dynamic="i")
    conv(f"image_{element}_point", 2, (9, 8), 33, 24, (1, 1), element=element, dynamic="ni", after="relu")
    conv(f"image_{element}_point_strided", 2, (9, 8), 33, 24, (1, 1), stride=2, element=element, dynamic="i")
    conv(f"image_{element}_grouped", 2, (10, 12), 9, 16, (3, 3), groups=2, element=element, dynamic="ni")
    conv(f"image_{element}_features", 1, (10, 12), 9, 20, (3, 3), element=element, dynamic="nif", after="relu")
    conv(f"image_{element}_few", 1, (10, 12), 33, 3, (3, 3), element=element, dynamic="i", after="relu")
    conv(f"image_{element}_volume", 1, (5, 6, 7), 8, 16, (3, 3, 3), element=element, dynamic="i")
conv("image_no_window", 1, (6, 7), 20, 40, (0, 3), dynamic="i", after="relu")
conv("image_no_pixels", 2, (2, 9), 20, 40, (3, 3), dynamic="ni", after="relu")
conv("image_no_columns", 2, (9, 2), 20, 40, (3, 3), element="bf16", dynamic="ni")
conv("image_deep", 1, (9, 10), 300, 40, (3, 3), element="bf16", dynamic="i")
conv("image_nasty", 1, (13, 14), 6, 24, (3, 3), dynamic="i", special=True)
suite.run()
