# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic no-scalar-fallback}" | FileCheck %s
# Convolutions with stride, dilation, padding and groups, with a bias and relu behind. Oracle: f64 (int64) on the same inputs.
# Bounds: 1e-5 of the largest sum for f32 accumulators, exact for i32.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools

import numpy as np
from harness import Suite, narrow, random_values, tensor, widen

rng = np.random.default_rng(5)
suite = Suite()
values = functools.partial(random_values, rng)


def windows(x, kernel, stride, dilation):
    """x [n, h, w, ...] as [n, oh, ow, kh, kw, ...]."""
    out = [(x.shape[1 + i] - (kernel[i] - 1) * dilation - 1) // stride + 1 for i in range(2)]
    rows = np.arange(out[0])[:, None] * stride + np.arange(kernel[0]) * dilation
    columns = np.arange(out[1])[:, None] * stride + np.arange(kernel[1]) * dilation
    return x[:, rows[:, None, :, None], columns[None, :, None, :]]


def conv(name, n, h, w, c, f, kernel=(3, 3), stride=1, dilation=1, pad=(0, 0, 0, 0), element="f32", layout="hwcf", relu=False, groups=1,
         dynamic=False, init=False, special=False):
    """pad: top, left, bottom, right. dynamic: all sizes, "batch", "images": those of images too, or "window": those of the kernel's rows and
    columns. special: some pixels are infinite or NaN."""
    acc = "i32" if element == "i8" else "f32"
    exact = np.int64 if element == "i8" else np.float64
    gx, gf = ((groups, c), (groups, f)) if groups > 1 else ((c,), (f,))
    x = values((n, h, w, *gx), element)
    if special:
        x[0, 5, ::6, -1], x[0, 11, 9, 0], x[0, 3, 4, 0] = narrow(np.array([np.nan, np.inf, -np.inf]), element)
    k = values({"hwcf": (*kernel, c, f), "fhwc": (f, *kernel, c), "gfhwc": (groups, f, *kernel, c)}[layout], element)
    padded = np.pad(widen(x, element), [(0, 0), (pad[0], pad[2]), (pad[1], pad[3])] + [(0, 0)] * len(gx))
    win = windows(padded.astype(exact), kernel, stride, dilation)
    want = np.einsum({"hwcf": "nyxhwc,hwcf->nyxf", "fhwc": "nyxhwc,fhwc->nyxf", "gfhwc": "nyxhwgc,gfhwc->nyxgf"}[layout], win,
                     widen(k, element).astype(exact), optimize=True)
    op = {"hwcf": "conv_2d_nhwc_hwcf", "fhwc": "conv_2d_nhwc_fhwc", "gfhwc": "conv_2d_nhwgc_gfhwc"}[layout]
    grow = lambda s: [-1] * len(s) if dynamic is True else [-1, *s[1:]] if dynamic == "batch" else s
    images = lambda s: [-1, -1, -1, *s[3:]] if dynamic == "images" else grow(s)
    window = [-1 if dynamic == "window" and d in "hw" else size for d, size in zip(layout, k.shape)]
    tx, tp, ty = (tensor(images(a.shape), t) for a, t in ((x, element), (padded, element), (want, acc)))
    tk = tensor(grow(window), element)
    bias = (rng.integers(-99, 99, gf[-1]) if acc == "i32" else rng.uniform(-1, 1, gf[-1])).astype({"i32": np.int32, "f32": np.float32}[acc])
    args, parameters = [x, k], f"%x: {tx}, %k: {tk}"
    zero = "0" if acc == "i32" else "0.0"
    lines = [f"%z = arith.constant {zero} : {acc}"]
    source = "%x"
    if any(pad):
        lines += [f"%zero = arith.constant {'0' if element == 'i8' else '0.0'} : {element}",
                  f"""%p = tensor.pad %x low[0, {pad[0]}, {pad[1]}, {', '.join('0' * len(gx))}] high[0, {pad[2]}, {pad[3]}, {', '.join('0' * len(gx))}] {{
        ^bb0({', '.join(f'%i{d}: index' for d in range(3 + len(gx)))}):
          tensor.yield %zero : {element} }} : {tx} to {tp}"""]
        source = "%p"
    if dynamic or init:
        args.append(values(want.shape, "f32") if acc == "f32" else rng.integers(-9, 9, want.shape).astype(np.int32))
        want = want + args[-1]
        parameters += f", %c: {ty}"
    else:
        lines += [f"%e = tensor.empty() : {ty}", f"%c = linalg.fill ins(%z : {acc}) outs(%e : {ty}) -> {ty}"]
    lines.append(f"""%r = linalg.{op} {{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<{dilation}> : tensor<2xi64>}}
      ins({source}, %k : {tp if any(pad) else tx}, {tk}) outs(%c : {ty}) -> {ty}""")
    last = "%r"
    if relu:
        rank = want.ndim
        dims = ", ".join(f"d{i}" for i in range(rank))
        args.append(bias)
        parameters += f", %bias: {tensor(bias.shape, acc)}"
        full, row = f"affine_map<({dims}) -> ({dims})>", f"affine_map<({dims}) -> (d{rank - 1})>"
        add, most = ("addi", "maxsi") if acc == "i32" else ("addf", "maximumf")
        lines.append(f"""%y = linalg.generic {{indexing_maps = [{full}, {row}, {full}], iterator_types = [{', '.join(['"parallel"'] * rank)}]}}
          ins(%r, %bias : {ty}, {tensor(bias.shape, acc)}) outs(%c : {ty}) {{
        ^bb0(%v: {acc}, %b: {acc}, %o: {acc}):
          %1 = arith.{add} %v, %b : {acc}
          %2 = arith.{most} %1, %z : {acc}
          linalg.yield %2 : {acc} }} -> {ty}""")
        last, want = "%y", np.maximum(want + bias, 0)
    body = "\n      ".join(lines)
    suite.add(name, f"func.func @{name}({parameters}) -> {ty} {{\n      {body}\n      return {last} : {ty} }}", args, [(acc, want.ndim)], [want],
              0 if acc == "i32" else 1e-5 * max(1, kernel[0] * kernel[1] * c / 64))


conv("plain", 2, 12, 13, 16, 32)
conv("relu", 1, 14, 14, 64, 64, relu=True)
conv("odd", 3, 9, 11, 19, 37, relu=True)
conv("first", 1, 30, 31, 3, 40, kernel=(7, 7), stride=2, pad=(3, 3, 3, 3), relu=True)
conv("first_valid", 2, 19, 21, 3, 40, kernel=(5, 3), stride=3)
conv("first_dilated", 1, 19, 21, 3, 40, dilation=2)
conv("first_bf16", 1, 16, 17, 3, 33, element="bf16", pad=(1, 1, 1, 1))
conv("first_fhwc", 1, 16, 17, 5, 33, layout="fhwc", relu=True)
conv("one_channel", 2, 16, 17, 1, 48, kernel=(5, 5))
conv("same", 1, 12, 12, 32, 48, pad=(1, 1, 1, 1))
conv("uneven", 2, 11, 10, 33, 18, kernel=(2, 4), pad=(0, 2, 3, 1), relu=True)
conv("strided", 1, 15, 17, 32, 32, stride=2, pad=(1, 1, 1, 1))
conv("dilated", 1, 20, 21, 24, 32, dilation=2, pad=(2, 2, 2, 2))
conv("large_c", 1, 6, 7, 300, 40, pad=(1, 1, 1, 1))
conv("point", 2, 14, 15, 64, 96, kernel=(1, 1), relu=True)
conv("point_strided", 2, 14, 15, 64, 32, kernel=(1, 1), stride=2)
conv("fhwc", 1, 12, 12, 32, 48, layout="fhwc", pad=(1, 1, 1, 1), relu=True)
conv("fhwc_odd", 1, 10, 12, 21, 33, layout="fhwc")
conv("grouped", 1, 10, 12, 32, 16, layout="gfhwc", groups=4, pad=(1, 1, 1, 1))
conv("bf16", 1, 12, 12, 33, 48, element="bf16", pad=(1, 1, 1, 1), relu=True)
conv("f16", 1, 12, 12, 16, 32, element="f16", relu=True)
conv("i8", 1, 12, 12, 33, 48, element="i8", pad=(1, 1, 1, 1), relu=True)
conv("i8_three", 1, 20, 20, 3, 24, element="i8", pad=(1, 1, 1, 1))
conv("i8_fhwc", 1, 12, 12, 30, 48, element="i8", layout="fhwc", pad=(1, 1, 1, 1))
conv("init", 1, 10, 10, 32, 32, init=True)
conv("dynamic", 2, 11, 12, 33, 40, dynamic=True)
conv("dynamic_padded", 2, 11, 12, 33, 40, pad=(1, 1, 1, 1), dynamic=True, relu=True)
conv("dynamic_bf16", 1, 12, 12, 20, 40, element="bf16", dynamic=True, stride=2)
# Rows of a window whose last pair of bf16 ends behind them: of what is there, infinities and NaN must not count.
for c, kernel, stride in ((3, (3, 3), 1), (3, (7, 7), 2), (1, (5, 5), 1), (5, (3, 3), 2)):
    conv(f"short_rows_bf16_{c}_{kernel[0]}_{stride}", 2, 20, 23, c, 40, kernel=kernel, stride=stride, element="bf16", relu=True)
    conv(f"short_rows_bf16_{c}_{kernel[0]}_{stride}_special", 1, 20, 23, c, 40, kernel=kernel, stride=stride, element="bf16", special=True)
    conv(f"short_rows_i8_{c}_{kernel[0]}_{stride}", 1, 20, 23, c, 40, kernel=kernel, stride=stride, element="i8")
# The pixels of all images as one loop.
conv("pixels_one", 1, 30, 1, 32, 48, kernel=(3, 1), relu=True)
conv("pixels_batch", 5, 9, 7, 32, 48, pad=(1, 1, 1, 1), relu=True, init=True)
conv("pixels_bf16", 3, 10, 9, 40, 64, element="bf16", stride=2, pad=(1, 0, 1, 0), relu=True)
conv("pixels_deep", 2, 8, 8, 600, 40, pad=(1, 1, 1, 1), relu=True)
for element in ("f32", "bf16", "i8"):
    for kernel, stride in (((3, 3), 1), ((3, 3), 2), ((1, 1), 2), ((1, 1), 1)):
        conv(f"pixels_any_{element}_{kernel[0]}_{stride}", 3, 10, 9, 40, 48, kernel=kernel, stride=stride, element=element, dynamic="batch", relu=True)
    conv(f"pixels_any_{element}_padded", 2, 10, 9, 40, 48, element=element, pad=(1, 1, 1, 1), dynamic="batch", relu=True)
    conv(f"pixels_any_{element}_first", 2, 20, 21, 3, 48, element=element, pad=(1, 1, 1, 1), stride=2, dynamic="batch", relu=True)
    # Rows of the image that are narrower than a register tile, so that its rows are in several of them, and wider.
    for n, h, w, c in ((2, 20, 31, 3), (3, 9, 3, 3), (2, 12, 5, 24), (3, 7, 3, 40), (1, 1, 90, 40)):
        kernel = (1, 3) if h == 1 else (3, 3)
        conv(f"pixels_images_{element}_{h}_{w}", n, h, w, c, 40, kernel=kernel, element=element, dynamic="images", relu=True)
        conv(f"pixels_images_{element}_{h}_{w}_2", n, h, w, c, 40, kernel=kernel, stride=2, element=element, dynamic="images")
        conv(f"pixels_batch_{element}_{h}_{w}", n, h, w, c, 40, kernel=kernel, element=element, dynamic="batch", init=True)
        conv(f"pixels_known_{element}_{h}_{w}", n, h, w, c, 40, kernel=kernel, element=element)
    conv(f"pixels_images_{element}_padded", 2, 6, 5, 24, 40, pad=(1, 1, 1, 1), element=element, dynamic="images", relu=True)
    conv(f"pixels_images_{element}_point", 2, 6, 5, 24, 40, kernel=(1, 1), stride=2, element=element, dynamic="images")
    conv(f"pixels_any_{element}_none", 0, 10, 9, 40, 48, element=element, dynamic="batch", relu=True)
# A few filters, which are vectors along channels or pixels.
for element in ("f32", "bf16", "f16", "i8"):
    for c in (1, 2, 3, 5, 8, 16, 17, 64):
        for f in (1, 2, 3, 4, 8):
            for layout in ("hwcf", "fhwc"):
                if element == "i8" and (c not in (3, 16) or f not in (1, 4)):
                    continue
                conv(f"few_{element}_{c}_{f}_{layout}", 1, 11, 21, c, f, element=element, layout=layout, pad=(1, 1, 1, 1) if c % 2 else (0, 0, 0, 0), relu=f == 3,
                     stride=2 if f == 2 else 1, dilation=2 if c == 17 else 1)
for f in (1, 2, 4):
    conv(f"few_dynamic_{f}", 2, 12, 13, 40, f, dynamic=True, pad=(1, 1, 1, 1))
    conv(f"few_window_{f}", 1, 12, 13, 20, f, layout="fhwc", dynamic="window")
    conv(f"few_init_{f}", 1, 9, 23, 16, f, init=True, relu=True)
# Blocks of several rows and columns of a window, of which there may be none.
conv("dynamic_window", 2, 11, 12, 20, 40, dynamic="window", relu=True)
conv("dynamic_window_fhwc", 2, 11, 12, 20, 40, layout="fhwc", dynamic="window", stride=2)
conv("dynamic_window_bf16", 1, 12, 12, 20, 40, element="bf16", dynamic="window")
conv("dynamic_window_i8", 1, 12, 12, 20, 40, element="i8", dynamic="window")
conv("no_window", 1, 6, 7, 20, 40, kernel=(0, 3), dynamic="window", relu=True)
conv("no_window_i8", 1, 6, 7, 20, 40, kernel=(3, 0), element="i8", dynamic="window")
# One row or column of pixels of an image that has more than its window reaches.
for element in ("f32", "bf16", "i8"):
    for h, w in ((30, 4), (4, 30), (5, 5)):
        for f in (1, 40):
            conv(f"rest_{element}_{h}_{w}_{f}", 1, h, w, 20, f, stride=3, element=element, relu=f == 40)
            conv(f"rest_dynamic_{element}_{h}_{w}_{f}", 1, h, w, 20, f, stride=3, element=element, dynamic="images")
suite.run()
