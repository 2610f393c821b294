# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3 no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64 no-scalar-fallback}" | FileCheck %s
# Windows along lines of pixels, channels first: depthwise convolutions, maxima and sums, of every to every fourth pixel, that share lines or none, with what is left of
# lines and of pixels, of images whose sizes are known and not. Oracle: f64 (int64). Bounds: exact for i8 and maxima, 1e-5 of the largest sum otherwise.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools

import numpy as np
from harness import Suite, random_values, tensor, widen

rng = np.random.default_rng(11)
suite = Suite()
values = functools.partial(random_values, rng)


def add(kind, element, lines, pixels, size, stride, dilation=1, dynamic=False):
    """`lines` x `pixels` windows of size (rows, columns); `stride` and `dilation` are those of columns, rows have at most 2."""
    steps, gaps = (min(stride, 2), stride), (min(dilation, 2), dilation)
    acc = element if kind == "max" else "i32" if element == "i8" else "f32"
    exact = np.int64 if element == "i8" else np.float64
    h, w = ((o - 1) * s + (k - 1) * g + 1 for o, k, s, g in zip((lines, pixels), size, steps, gaps))
    x, k, start = values((2, 3, h, w), element), values((3, *size), element), values((2, 3, lines, pixels), acc)
    rows, columns = (np.arange(o)[:, None] * s + np.arange(n) * g for o, n, s, g in zip((lines, pixels), size, steps, gaps))
    parts = widen(x, element).astype(exact)[:, :, rows[:, None, :, None], columns[None, :, None, :]]
    first = widen(start, acc).astype(exact)
    want = {"depthwise": lambda: first + np.einsum("ncyxhw,chw->ncyx", parts, widen(k, element).astype(exact)),
            "sum": lambda: first + parts.sum((-1, -2)), "max": lambda: np.maximum(first, parts.max((-1, -2)))}[kind]()
    grow = lambda shape: [-1] * 4 if dynamic else shape
    tx, ty = tensor(grow(x.shape), element), tensor(grow(want.shape), acc)
    attributes = f"{{strides = dense<{list(steps)}> : tensor<2xi64>, dilations = dense<{list(gaps)}> : tensor<2xi64>}}"
    name = f"{kind}_{element}_{lines}_{pixels}_{size[0]}_{size[1]}_{stride}_{dilation}{'_dynamic' if dynamic else ''}"
    if kind == "depthwise":
        tk = tensor((-1, *size) if dynamic else k.shape, element)
        suite.add(name, f"""func.func @{name}(%x: {tx}, %k: {tk}, %o: {ty}) -> {ty} {{
  %r = linalg.depthwise_conv_2d_nchw_chw {attributes} ins(%x, %k : {tx}, {tk}) outs(%o : {ty}) -> {ty}
  return %r : {ty} }}""", [x, k, start], [(acc, 4)], [want], 0 if element == "i8" else 1e-5)
    else:
        tk = tensor(size, element)
        suite.add(name, f"""func.func @{name}(%x: {tx}, %o: {ty}) -> {ty} {{
  %k = tensor.empty() : {tk}
  %r = linalg.pooling_nchw_{kind} {attributes} ins(%x, %k : {tx}, {tk}) outs(%o : {ty}) -> {ty}
  return %r : {ty} }}""", [x, start], [(acc, 4)], [want], 0 if element == "i8" or kind == "max" else 1e-5)


for element in ("f32", "bf16", "f16", "i8"):
    for dynamic in (False, True):
        for lines, pixels in ((2, 16), (9, 33), (8, 7), (1, 19), (3, 2)):
            add("depthwise", element, lines, pixels, (3, 3), 1, dynamic=dynamic)
            add("depthwise", element, lines, pixels, (5, 7), 1, dynamic=dynamic)
        for stride in (2, 3, 4):
            add("depthwise", element, 5, 21, (3, 3), stride, dynamic=dynamic)
            add("depthwise", element, 3, 2, (5, 5), stride, dynamic=dynamic)
            add("max", element, 5, 35, (3, 3), stride, dynamic=dynamic)
        add("depthwise", element, 6, 18, (3, 5), 1, 2, dynamic)
        add("depthwise", element, 4, 17, (1, 9), 2, 1, dynamic)
        add("max", element, 4, 24, (2, 2), 2, dynamic=dynamic)
        if element == "f32":
            add("sum", element, 5, 35, (3, 3), 1, dynamic=dynamic)
            add("sum", element, 5, 35, (3, 3), 2, dynamic=dynamic)
suite.run()
