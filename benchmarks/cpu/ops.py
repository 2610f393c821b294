#!/usr/bin/env python3
"""Times single ops beside torch's: data movement, reductions, norms, pools, a rotary embedding, einsums, gradients of convolutions, transposed convolutions, and tosa's resizes and transforms.

    ops.py --build build [--before BUILD] [--threads 1,2] [--only transpose] [--rounds 5] [--seconds 0.02] [--results NAME]

Each row is an op of f32 or bf16 of static shapes (bf16 sums are f32, but of `max`), its time, and the ratio of torch's time to it: above 1,
amp is faster. With --before, the folder of an older build, so is the ratio of that build's time. The contenders take turns in one process; a time is the
median over rounds of the median of calls. Results are compared with torch's in f64 before they are timed. Torch allocates its results, and amp takes them
from its arena.
"""
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "test", "Integration", "CPU", "Inputs")]

import dynamic  # noqa: E402
import kernels  # noqa: E402

P, R = "parallel", "reduction"
PIPELINE = "amp-lower-to-linalg,amp-lower-to-cpu{cpu=host}"


def tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def generic(maps, kinds, inputs, init, body):
    """`inputs` and `init` are (value, type); each map says what it indexes by the loops d0, d1, ..."""
    loops = ", ".join(f"d{i}" for i in range(len(kinds)))
    maps = ", ".join(f"affine_map<({loops}) -> ({m})>" for m in maps)
    ins = f"ins({', '.join(v for v, _ in inputs)} : {', '.join(t for _, t in inputs)}) " if inputs else ""
    kinds = ", ".join(f'"{k}"' for k in kinds)
    return f"%r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {ins}outs({init[0]} : {init[1]}) {{\n{body}\n}} -> {init[1]}"


def filled(shape, element, value):
    t = tensor(shape, element)
    return f"%c = arith.constant {value} : {element}\n%e = tensor.empty() : {t}\n%f = linalg.fill ins(%c : {element}) outs(%e : {t}) -> {t}\n"


def widened(element, *names):
    """Lines that widen block arguments to f32, and what they are then."""
    if element == "f32":
        return "", [f"%{n}" for n in names]
    return "".join(f"%{n}w = arith.extf %{n} : {element} to f32\n" for n in names), [f"%{n}w" for n in names]


def lowest(element):
    return {"f32": "0xFF800000", "bf16": "0xFF80"}[element]


def moves(e):
    for shape, order in (((1024, 1000), (1, 0)), ((8, 64, 56, 56), (0, 2, 3, 1)), ((8, 56, 56, 64), (0, 3, 1, 2)), ((8, 512, 16, 64), (0, 2, 1, 3)), ((33, 77, 129), (2, 1, 0))):
        out = [shape[i] for i in order]
        yield (f"transpose {shape} {order}", [shape], (out, e),
               f"%e = tensor.empty() : {tensor(out, e)}\n%r = linalg.transpose ins(%a0 : {tensor(shape, e)}) outs(%e : {tensor(out, e)}) permutation = {list(order)}",
               lambda t, x, order=order: x.permute(order).contiguous())
    for dim, shape, out in ((0, (1024, 1000), (2048, 1000)), (1, (1024, 1000), (1024, 2000)), (3, (8, 56, 56, 65), (8, 56, 56, 130)), (3, (1, 112, 112, 32), (1, 112, 112, 64)), (3, (1, 80, 80, 4), (1, 80, 80, 8)),
                            (2, (8, 16, 512, 64), (8, 16, 1024, 64)), (0, (4096, 1024), (8192, 1024))):
        s = tensor(shape, e)
        yield (f"concat {shape} dim {dim}", [shape, shape], (out, e), f"%r = tensor.concat dim({dim}) %a0, %a1 : ({s}, {s}) -> {tensor(out, e)}",
               lambda t, x, y, dim=dim: t.cat([x, y], dim))
    for low, shape, out in (([0, 0, 1, 1], (8, 64, 56, 56), (8, 64, 58, 58)), ([0, 1, 1, 0], (8, 56, 56, 64), (8, 58, 58, 64))):
        yield (f"pad {shape} {low}", [shape], (out, e), f"""%c = arith.constant 0.0 : {e}
%r = tensor.pad %a0 low{low} high{low} {{
^bb0(%i: index, %j: index, %k: index, %l: index):
tensor.yield %c : {e}
}} : {tensor(shape, e)} to {tensor(out, e)}""", lambda t, x, low=low: t.nn.functional.pad(x, [n for n in reversed(low) for _ in range(2)]))


def reductions(e):
    for shape, axes in (((4096, 1000), (0,)), ((4096, 4096), (0,)), ((8192, 2048), (0,)), ((16384, 1024), (0,)), ((4096, 1000), (1,)),
                        ((4096, 1000), (0, 1)), ((32, 197, 768), (1,)), ((32, 512, 1024), (1,)), ((2, 4096, 768), (1,)), ((64, 7, 7, 2048), (1, 2)),
                        ((8, 64, 56, 56), (2, 3)), ((8, 64, 56, 56), (0, 2, 3)),
                        ((8, 56, 56, 64), (0, 1, 2)), ((100000, 3), (0,))):
        for kind in ("sum", "max"):
            loops = [f"d{i}" for i in range(len(shape))]
            out, acc = [n for i, n in enumerate(shape) if i not in axes], "f32" if kind == "sum" else e
            lines, (x,) = widened(e, "x") if kind == "sum" else ("", ["%x"])
            yield (f"{kind} {shape} over {axes}", [shape], (out, acc), filled(out, acc, "0.0" if kind == "sum" else lowest(e)) + generic(
                [", ".join(loops), ", ".join(d for i, d in enumerate(loops) if i not in axes)], [R if i in axes else P for i in range(len(shape))],
                [("%a0", tensor(shape, e))], ("%f", tensor(out, acc)),
                f"^bb0(%x: {e}, %o: {acc}):\n{lines}%z = arith.{'addf' if kind == 'sum' else 'maximumf'} %o, {x} : {acc}\nlinalg.yield %z : {acc}"),
                (lambda t, x, axes=axes: t.sum(x, axes, dtype=t.float32 if x.dtype == t.bfloat16 else x.dtype)) if kind == "sum" else (lambda t, x, axes=axes: t.amax(x, axes)))
    for layout in ("nhwc", "nchw"):
        for kind in ("max", "sum"):
            for size, pixels in ((3, 56), (2, 57)):
                shape, out = ((8, 114, 114, 64), (8, pixels, pixels, 64)) if layout == "nhwc" else ((8, 64, 114, 114), (8, 64, pixels, pixels))
                acc = "f32" if kind == "sum" else e
                s, w, o = tensor(shape, e), tensor((size, size), e), tensor(out, acc)

                def peer(t, x, kind=kind, layout=layout, size=size):
                    x = x.permute(0, 3, 1, 2) if layout == "nhwc" else x
                    y = t.nn.functional.max_pool2d(x, size, 2) if kind == "max" else t.nn.functional.avg_pool2d(x, size, 2, divisor_override=1)
                    return y.permute(0, 2, 3, 1) if layout == "nhwc" else y
                yield (f"pool {kind} {layout} {size}x{size}", [shape], (out, acc), filled(out, acc, "0.0" if kind == "sum" else lowest(e)) + f"""%w = tensor.empty() : {w}
%r = linalg.pooling_{layout}_{kind} {{strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} ins(%a0, %w : {s}, {w}) outs(%f : {o}) -> {o}""", peer)


def norms(e):
    """A norm with statistics of its own for each channel, all in one op."""
    for shape in ((8, 56, 56, 64), (8, 28, 28, 256), (8, 7, 7, 2048)):
        c, loops = shape[-1], "d0, d1, d2, d3"
        lines, (x, m, v) = widened(e, "x", "m", "v")
        last = "linalg.yield %z : f32" if e == "f32" else f"%t = arith.truncf %z : f32 to {e}\nlinalg.yield %t : {e}"
        yield (f"batch norm nhwc {shape}", [shape, (c,), (c,)], (shape, e), f"%c = arith.constant 9.0 : f32\n%e = tensor.empty() : {tensor(shape, e)}\n" + generic(
            [loops, "d3", "d3", loops], [P] * 4, [("%a0", tensor(shape, e)), ("%a1", tensor((c,), e)), ("%a2", tensor((c,), e))], ("%e", tensor(shape, e)),
            f"^bb0(%x: {e}, %m: {e}, %v: {e}, %o: {e}):\n{lines}%p = arith.addf {v}, %c : f32\n%q = math.rsqrt %p : f32\n%s = arith.subf {x}, {m} : f32\n"
            f"%z = arith.mulf %s, %q : f32\n{last}"),
            lambda t, x, m, v: t.nn.functional.batch_norm(x.permute(0, 3, 1, 2), m, v, eps=9.0).permute(0, 2, 3, 1))


def products(e):
    """Einsums, and gradients of convolutions, as generics."""
    n, h, c, f = 4, 28, 64, 64
    grad = lambda t: t.nn.grad.conv2d_weight

    def first(x):
        return x.permute(0, 3, 1, 2)
    table = [
        ("einsum bqhd,bkhd->bhqk", (4, 128, 12, 64), (4, 128, 12, 64), (4, 12, 128, 128), ("d0, d2, d1, d4", "d0, d3, d1, d4"), 1, None),
        ("einsum bhqk,bkhd->bqhd", (4, 12, 128, 128), (4, 128, 12, 64), (4, 128, 12, 64), ("d0, d2, d1, d4", "d0, d4, d2, d3"), 1, None),
        ("einsum bsd,bse->de", (8, 197, 768), (8, 197, 768), (768, 768), ("d2, d3, d0", "d2, d3, d1"), 2, None),
        ("einsum bij,bjk->bik", (256, 64, 64), (256, 64, 64), (256, 64, 64), ("d0, d1, d3", "d0, d3, d2"), 1, None),
        ("einsum ij,ij->", (1000, 1000), (1000, 1000), (), ("d0, d1", "d0, d1"), 2, None),
        ("filter gradient nhwc 3x3", (n, h + 2, h + 2, c), (n, h, h, f), (3, 3, c, f), ("d4, d5 + d0, d6 + d1, d2", "d4, d5, d6, d3"), 3,
         lambda t, x, g: grad(t)(first(x), (f, c, 3, 3), first(g)).permute(2, 3, 1, 0)),
        ("filter gradient nchw 3x3", (n, c, h + 2, h + 2), (n, f, h, h), (f, c, 3, 3), ("d4, d1, d5 + d2, d6 + d3", "d4, d0, d5, d6"), 3,
         lambda t, x, g: grad(t)(x, (f, c, 3, 3), g)),
        ("filter gradient nchw 3x3 of 7x7", (n, 512, 9, 9), (n, 512, 7, 7), (512, 512, 3, 3), ("d4, d1, d5 + d2, d6 + d3", "d4, d0, d5, d6"), 3,
         lambda t, x, g: grad(t)(x, (512, 512, 3, 3), g)),
        ("filter gradient nchw 3x3 / 2", (n, c, 57, 57), (n, 128, h, h), (128, c, 3, 3), ("d4, d1, d5 * 2 + d2, d6 * 2 + d3", "d4, d0, d5, d6"), 3,
         lambda t, x, g: grad(t)(x, (128, c, 3, 3), g, stride=2)),
        ("filter gradient nchw 7x7 / 2, 3 channels", (n, 3, 229, 229), (n, 64, 112, 112), (64, 3, 7, 7), ("d4, d1, d5 * 2 + d2, d6 * 2 + d3", "d4, d0, d5, d6"), 3,
         lambda t, x, g: grad(t)(x, (64, 3, 7, 7), g, stride=2)),
        ("image gradient nchw 3x3", (n, f, h + 2, h + 2), (f, c, 3, 3), (n, c, h, h), ("d0, d4, d2 + d5, d3 + d6", "d4, d1, d5, d6"), 3,
         lambda t, x, w: t.nn.functional.conv2d(x, w.permute(1, 0, 2, 3))),
        ("conv nchw 3x3, filter hwio", (n, f, h + 2, h + 2), (3, 3, f, c), (n, c, h, h), ("d0, d4, d2 + d5, d3 + d6", "d5, d6, d4, d1"), 3,
         lambda t, x, w: t.nn.functional.conv2d(x, w.permute(3, 2, 0, 1))),
        ("conv nchw 7x7 / 2, filter hwio", (n, 3, 229, 229), (7, 7, 3, 64), (n, 64, 112, 112), ("d0, d4, d2 * 2 + d5, d3 * 2 + d6", "d5, d6, d4, d1"), 3,
         lambda t, x, w: t.nn.functional.conv2d(x, w.permute(3, 2, 0, 1), stride=2)),
        ("image gradient nhwc 3x3", (n, h + 2, h + 2, f), (3, 3, c, f), (n, h, h, c), ("d0, d1 + d4, d2 + d5, d6", "d4, d5, d3, d6"), 3,
         lambda t, x, w: t.nn.functional.conv2d(first(x), w.permute(2, 3, 0, 1)).permute(0, 2, 3, 1)),
        ("depthwise nchw 3x3", (n, c, h + 2, h + 2), (c, 3, 3), (n, c, h, h), ("d0, d1, d2 + d4, d3 + d5", "d1, d4, d5"), 2,
         lambda t, x, w: t.nn.functional.conv2d(x, w.reshape(c, 1, 3, 3), groups=c)),
        ("depthwise nchw 3x3 / 2", (n, c, 113, 113), (c, 3, 3), (n, c, 56, 56), ("d0, d1, d2 * 2 + d4, d3 * 2 + d5", "d1, d4, d5"), 2,
         lambda t, x, w: t.nn.functional.conv2d(x, w.reshape(c, 1, 3, 3), groups=c, stride=2)),
        ("depthwise nchw 5x5", (n, 128, 32, 32), (128, 5, 5), (n, 128, h, h), ("d0, d1, d2 + d4, d3 + d5", "d1, d4, d5"), 2,
         lambda t, x, w: t.nn.functional.conv2d(x, w.reshape(128, 1, 5, 5), groups=128)),
        ("depthwise nchw 7x7", (n, 96, 62, 62), (96, 7, 7), (n, 96, 56, 56), ("d0, d1, d2 + d4, d3 + d5", "d1, d4, d5"), 2,
         lambda t, x, w: t.nn.functional.conv2d(x, w.reshape(96, 1, 7, 7), groups=96)),
        ("depthwise nhwc 3x3", (n, 16, 16, 512), (3, 3, 512), (n, 14, 14, 512), ("d0, d1 + d4, d2 + d5, d3", "d4, d5, d3"), 2,
         lambda t, x, w: t.nn.functional.conv2d(first(x), w.permute(2, 0, 1).reshape(512, 1, 3, 3), groups=512).permute(0, 2, 3, 1)),
        ("depthwise nhwc 3x3 / 2", (n, 29, 29, 960), (3, 3, 960), (n, 14, 14, 960), ("d0, d1 * 2 + d4, d2 * 2 + d5, d3", "d4, d5, d3"), 2,
         lambda t, x, w: t.nn.functional.conv2d(first(x), w.permute(2, 0, 1).reshape(960, 1, 3, 3), groups=960, stride=2).permute(0, 2, 3, 1)),
        ("depthwise nhwc 7x7", (n, 20, 20, 768), (7, 7, 768), (n, 14, 14, 768), ("d0, d1 + d4, d2 + d5, d3", "d4, d5, d3"), 2,
         lambda t, x, w: t.nn.functional.conv2d(first(x), w.permute(2, 0, 1).reshape(768, 1, 7, 7), groups=768).permute(0, 2, 3, 1)),
        ("depthwise nwc 4", (1, 1027, 2048), (4, 2048), (1, 1024, 2048), ("d0, d1 + d3, d2", "d3, d2"), 1,
         lambda t, x, w: t.nn.functional.conv1d(x.permute(0, 2, 1), w.permute(1, 0).reshape(2048, 1, 4), groups=2048).permute(0, 2, 1)),
        ("depthwise filter gradient nchw 3x3", (n, c, h + 2, h + 2), (n, c, h, h), (c, 3, 3), ("d3, d0, d1 + d4, d2 + d5", "d3, d0, d4, d5"), 3,
         lambda t, x, g: grad(t)(x, (c, 1, 3, 3), g, groups=c).reshape(c, 3, 3)),
    ]
    # A few tokens through a language model's layers: out of its inner width, and to all words.
    table += [(f"einsum {spec} {m}x{width}x{k}", (m, k), (k, width) if spec == "mk,kn->mn" else (width, k), (m, width),
               ("d0, d2", "d2, d1" if spec == "mk,kn->mn" else "d1, d2"), 1, None)
              for spec, width, k in (("mk,kn->mn", 768, 3072), ("mk,kn->mn", 2048, 8192), ("mk,nk->mn", 50257, 768)) for m in (1, 4)]
    lines, (x, y) = widened(e, "x", "y")
    for name, a, b, out, maps, sums, peer in table:
        if peer is None:
            peer = lambda t, p, q, spec=name.split()[1]: t.einsum(spec, p, q)
        result = ", ".join(f"d{i}" for i in range(len(out)))
        yield (name, [a, b], (out, "f32"), filled(out, "f32", "0.0") + generic(
            [*maps, result], [P] * len(out) + [R] * sums, [("%a0", tensor(a, e)), ("%a1", tensor(b, e))], ("%f", tensor(out, "f32")),
            f"^bb0(%x: {e}, %y: {e}, %o: f32):\n{lines}%m = arith.mulf {x}, {y} : f32\n%z = arith.addf %o, %m : f32\nlinalg.yield %z : f32"), peer)


def spread(x, shape, at, e):
    """Lines that make %w of `x`: zeros of `shape`, with the elements of `x` at every second pixel from `at` on in dimensions that are longer than its own."""
    wide, t = tensor(shape, e), tensor(x, e)
    offsets = [at if a != b else 0 for a, b in zip(x, shape)]
    steps = [2 if a != b else 1 for a, b in zip(x, shape)]
    return f"%z = arith.constant 0.0 : {e}\n%we = tensor.empty() : {wide}\n%wz = linalg.fill ins(%z : {e}) outs(%we : {wide}) -> {wide}\n" \
        f"%w = tensor.insert_slice %a0 into %wz{offsets} {list(x)} {steps} : {t} into {wide}\n"


def transposed(e):
    """Transposed convolutions, and gradients of strided ones, as front ends write them: with zeros between pixels. Strides are 2 x 2."""
    lines, (x, y) = widened(e, "x", "y")
    body = f"^bb0(%x: {e}, %y: {e}, %o: f32):\n{lines}%m = arith.mulf {x}, {y} : f32\n%s = arith.addf %o, %m : f32\nlinalg.yield %s : f32"
    for n, h, c, f, k, pad in ((1, 32, 64, 32, 2, 0), (8, 16, 256, 128, 4, 1), (1, 56, 128, 64, 3, 1), (1, 128, 32, 3, 4, 1)):
        at = k - 1 - pad
        wide, size = (h - 1) * 2 + 1 + 2 * at, (h - 1) * 2 + 2 + 2 * at - k
        for layout in ("nhwc", "nchw"):
            last = layout == "nhwc"
            shape = lambda s, c, last=last: (n, s, s, c) if last else (n, c, s, s)
            image, taps, out = shape(h, c), (k, k, c, f) if last else (f, c, k, k), shape(size, f)

            def peer(t, x, w, last=last, pad=pad):
                w = (w.permute(2, 3, 0, 1) if last else w.permute(1, 0, 2, 3)).flip(2, 3)
                y = t.nn.functional.conv_transpose2d(x.permute(0, 3, 1, 2) if last else x, w, stride=2, padding=pad)
                return y.permute(0, 2, 3, 1) if last else y
            maps = ["d0, d1 + d4, d2 + d5, d6", "d4, d5, d6, d3"] if last else ["d0, d4, d2 + d5, d3 + d6", "d1, d4, d5, d6"]
            yield (f"transposed {layout} {k}x{k}, {c} to {f} channels of {h}x{h}", [image, taps], (out, "f32"),
                   spread(image, shape(wide, c), at, e) + filled(out, "f32", "0.0") +
                   generic([*maps, "d0, d1, d2, d3"], [P] * 4 + [R] * 3, [("%w", tensor(shape(wide, c), e)), ("%a1", tensor(taps, e))], ("%f", tensor(out, "f32")), body), peer)
    n, h, c, f = 4, 28, 64, 128
    back, image, wide, out = (n, h, h, f), (n, 57, 57, c), (n, 55, 55, f), (3, 3, c, f)
    yield ("filter gradient nhwc 3x3 / 2, with zeros", [back, image], (out, "f32"), spread(back, wide, 0, e) + filled(out, "f32", "0.0") +
           generic(["d4, d5 + d0, d6 + d1, d2", "d4, d5, d6, d3", "d0, d1, d2, d3"], [P] * 4 + [R] * 3, [("%a1", tensor(image, e)), ("%w", tensor(wide, e))],
                   ("%f", tensor(out, "f32")), body),
           lambda t, g, x: t.nn.grad.conv2d_weight(x.permute(0, 3, 1, 2), (f, c, 3, 3), g.permute(0, 3, 1, 2), stride=2).permute(2, 3, 1, 0))


def embeddings(e):
    """A rotary embedding of neighbours, which are a dimension of their own."""
    shape = (1, 1024, 16, 64)
    whole, pairs, half, angle = tensor(shape, e), tensor((*shape[:3], 32, 2), e), tensor((*shape[:3], 32), e), tensor((1024, 32), e)
    groups = "[[0], [1], [2], [3, 4]]"
    lines, (x, y, c, s) = widened(e, "x", "y", "c", "s")
    last = "linalg.yield %z : f32" if e == "f32" else f"%t = arith.truncf %z : f32 to {e}\nlinalg.yield %t : {e}"
    text = f"%p = tensor.expand_shape %a0 {groups} output_shape [1, 1024, 16, 32, 2] : {whole} into {pairs}\n%e = tensor.empty() : {half}\n%w = tensor.empty() : {pairs}\n"
    for i in range(2):
        text += f"%x{i} = tensor.extract_slice %p[0, 0, 0, 0, {i}] [1, 1024, 16, 32, 1] [1, 1, 1, 1, 1] : {pairs} to {half}\n"
    for i, (op, first, second) in enumerate((("subf", c, s), ("addf", s, c))):
        text += generic(["d0, d1, d2, d3", "d0, d1, d2, d3", "d1, d3", "d1, d3", "d0, d1, d2, d3"], [P] * 4, [("%x0", half), ("%x1", half), ("%a1", angle), ("%a2", angle)],
                        ("%e", half), f"^bb0(%x: {e}, %y: {e}, %c: {e}, %s: {e}, %o: {e}):\n{lines}%u = arith.mulf {x}, {first} : f32\n%v = arith.mulf {y}, {second} : f32\n"
                        f"%z = arith.{op} %u, %v : f32\n{last}").replace("%r =", f"%r{i} =") + "\n"
        text += f"%w{i} = tensor.insert_slice %r{i} into {'%w0' if i else '%w'}[0, 0, 0, 0, {i}] [1, 1024, 16, 32, 1] [1, 1, 1, 1, 1] : {half} into {pairs}\n"
    text += f"%r = tensor.collapse_shape %w1 {groups} : {pairs} into {whole}"

    def peer(t, x, c, s):
        x, c, s = x.reshape(1, 1024, 16, 32, 2), c[None, :, None], s[None, :, None]
        return t.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], -1).reshape(shape)
    yield ("rotary embedding of neighbours", [shape, (1024, 32), (1024, 32)], (shape, e), text, peer)


def images(e):
    """Of tosa, where torch has channels last; of resizes the pixels' centres stay."""
    for mode, name in (("BILINEAR", "bilinear"), ("NEAREST_NEIGHBOR", "nearest")):
        for n, h, w, c in ((4, 56, 56, 64), (2, 28, 28, 256), (1, 224, 224, 3)):
            shape, out = (n, h, w, c), (n, 2 * h, 2 * w, c)
            lines = "".join(f"%{name} = tosa.const_shape {{values = dense<{values}> : tensor<{len(values)}xindex>}} : () -> !tosa.shape<{len(values)}>\n"
                            for name, values in (("s", [4, 2, 4, 2]), ("o", [-1, -1]), ("b", [1, 1])))
            yield (f"resize {name} {shape}", [shape], (out, e),
                   lines + f"%r = tosa.resize %a0, %s, %o, %b {{mode = {mode}}} : ({tensor(shape, e)}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> {tensor(out, e)}",
                   lambda t, x, name=name: t.nn.functional.interpolate(x.permute(0, 3, 1, 2), scale_factor=2, mode=name).permute(0, 2, 3, 1))
    if e == "f32":
        for n, h, w in ((8, 16, 16), (1, 64, 64), (1, 256, 256)):
            t, half = tensor((n, h, w), e), tensor((n, h, w // 2 + 1), e)
            yield (f"real part of rfft2 {(n, h, w)}", [(n, h, w)], ((n, h, w // 2 + 1), e), f"%r, %i = tosa.rfft2d %a0 : ({t}) -> ({half}, {half})",
                   lambda t, x: t.fft.rfft2(x).real)


def make_ops():
    """(name, shapes of arguments, their element, shape and element of the result, lines that make %r of %a0, ..., torch's op)."""
    for element in ("f32", "bf16"):
        for kind in (moves, reductions, norms, embeddings, products, transposed, images):
            for name, shapes, result, lines, peer in kind(element):
                yield f"{name} {element}", shapes, element, result, lines, peer


def main():
    parser = dynamic.make_parser(__doc__, rounds=5, seconds=0.02)
    parser.add_argument("--before", metavar="BUILD", help="folder of an older build")
    args = parser.parse_args()
    kernels.prepare_environment(os.path.abspath(args.build))
    import numpy as np
    import torch
    from harness import RUNTIME, Module, to_bf16, widen
    rng = np.random.default_rng(0)
    chosen = [op for op in make_ops() if args.only.search(op[0])]
    source = "\n".join(f"func.func @k{number}({', '.join(f'%a{i}: {tensor(shape, element)}' for i, shape in enumerate(shapes))}) -> {tensor(*result)} {{\n{lines}\nreturn %r : {tensor(*result)} }}"
                       for number, (_, shapes, element, result, lines, _) in enumerate(chosen))
    modules = {"amp": Module(source, PIPELINE, optimize=True)}
    if args.before:
        os.environ["AMP_OPT"] = os.path.join(os.path.abspath(args.before), "bin", "amp-opt")
        modules["before"] = Module(source, PIPELINE, optimize=True)
    names = ["torch", *list(modules)[1:]]
    lines = [f"Machine: {kernels.cpu_name()[0]}, {os.cpu_count()} processors, torch {torch.__version__}  ", f"Rounds: {args.rounds} of {args.seconds} s for each contender", "",
             "| op | threads | amp, us | " + " | ".join(f"{name} / amp" for name in names) + " |", "|---" * (3 + len(names)) + "|"]
    print("\n".join(lines))
    for number, (label, shapes, element, result, _, peer) in enumerate(chosen):
        values = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        inputs = [kernels.aligned(to_bf16(x) if element == "bf16" else x) for x in values]
        tensors = [torch.from_numpy(x.view(np.int16)).view(torch.bfloat16) if element == "bf16" else torch.from_numpy(x) for x in inputs]
        calls = {name: module.prepare(f"k{number}", inputs, [(result[1], len(result[0]))]) for name, module in modules.items()}
        want = peer(torch, *(x.to(torch.float64) for x in tensors)).numpy()
        for name, (call, take) in calls.items():
            call()
            error = np.max(np.abs(widen(take()[0], result[1]) - want)) / max(1e-30, np.max(np.abs(want)))
            if error > (1e-4 if result[1] == "f32" else 8e-3):
                sys.exit(f"{label}, {name}: differs from torch's result in f64 by {error:.1e} of the largest element")
        # Torch's threads look for work for a while after a call.
        calls = {"torch": (lambda: peer(torch, *tensors), lambda copy: None), "pause": (lambda: time.sleep(0.02), lambda copy: None)} | calls
        for threads in args.threads:
            RUNTIME.ampSetNumThreads(threads)
            torch.set_num_threads(threads)
            times = dynamic.measure(calls, args.rounds, args.seconds)
            lines.append(f"| {label} | {threads} | {times['amp'] * 1e6:.1f} | " + " | ".join(f"{times[name] / times['amp']:.2f}" for name in names) + " |")
            print(lines[-1], flush=True)
    if args.results:
        kernels.write_results(args.results, "ops.py", lines)


if __name__ == "__main__":
    main()
