# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3 no-scalar-fallback}" | FileCheck %s
# Depthwise convolutions and maxima of windows, channels last, of images whose sizes are known and not: rows of whole tiles of pixels and
# of all that may be left of one, blocks of channels, with zeros as what sums start from and relu behind. Oracle: f64 (int64). Bounds: exact for i8 and maxima,
# 1e-5 of the largest sum otherwise.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools

import numpy as np
from harness import Suite, random_values, tensor, widen

rng = np.random.default_rng(3)
suite = Suite()
values = functools.partial(random_values, rng)


def add(name, n, h, w, c, size, stride, element, dynamic, pools=False):
    """Images [n, h, w, c] by windows of size x size; `dynamic`: which of n, h and w (as i) are unknown."""
    acc = element if pools else "i32" if element == "i8" else "f32"
    exact = np.int64 if element == "i8" else np.float64
    out = [(s - size) // stride + 1 for s in (h, w)]
    x, k = values((n, h, w, c), element), values((size, size) if pools else (size, size, c), element)
    rows, columns = (np.arange(o)[:, None] * stride + np.arange(size) for o in out)
    parts = widen(x, element).astype(exact)[:, rows[:, None, :, None], columns[None, :, None, :]]
    want = parts.max((3, 4)) if pools else np.maximum(np.einsum("nyxhwc,hwc->nyxc", parts, widen(k, element).astype(exact)), 0)
    grow = lambda s: [-1 if "n" in dynamic else s[0], *([-1, -1] if "i" in dynamic else s[1:3]), s[3]]
    tx, tk, ty = tensor(grow(x.shape), element), tensor(k.shape, element), tensor(grow(want.shape), acc)
    zero = "0" if acc in ("i32", "i8") else "0.0"
    start = {"i8": "-128"}.get(acc, "0xFF800000" if acc == "f32" else "0xFF80" if acc == "bf16" else "0xFC00") if pools else zero
    lines, sizes = [f"%s = arith.constant {start} : {acc}", f"%zero = arith.constant {zero} : {acc}"], []
    for d, which in enumerate("nii"):
        if which not in dynamic:
            continue
        lines.append(f"%i{d} = arith.constant {d} : index\n      %d{d} = tensor.dim %x, %i{d} : {tx}")
        if which == "i":
            lines.append(f"%by{d} = arith.constant {stride} : index\n      %less{d} = arith.constant {size - stride} : index\n"
                         f"      %rest{d} = arith.subi %d{d}, %less{d} : index\n      %o{d} = arith.divui %rest{d}, %by{d} : index")
        sizes.append(f"%{'o' if which == 'i' else 'd'}{d}")
    op = "pooling_nhwc_max" if pools else "depthwise_conv_2d_nhwc_hwc"
    lines += [f"%e = tensor.empty({', '.join(sizes)}) : {ty}", f"%f = linalg.fill ins(%s : {acc}) outs(%e : {ty}) -> {ty}",
              f"%r = linalg.{op} {{strides = dense<{stride}> : tensor<2xi64>}} ins(%x, %k : {tx}, {tk}) outs(%f : {ty}) -> {ty}"]
    last = "%r"
    if not pools:
        most = "maxsi" if acc == "i32" else "maximumf"
        lines.append(f"""%y = linalg.generic {{indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%r : {ty}) outs(%e : {ty}) {{
      ^bb0(%v: {acc}, %o: {acc}):
        %1 = arith.{most} %v, %zero : {acc}
        linalg.yield %1 : {acc} }} -> {ty}""")
        last = "%y"
    body = "\n      ".join(lines)
    suite.add(name, f"func.func @{name}(%x: {tx}, %k: {tk}) -> {ty} {{\n      {body}\n      return {last} : {ty} }}", [x, k], [(acc, 4)], [want],
              0 if element == "i8" or pools else 1e-5)


for element in ("f32", "bf16", "f16", "i8"):
    for width in (3, 5, 10, 14, 17, 21, 25, 30):
        for dynamic in ("", "i", "ni"):
            add(f"dw_{element}_{width}_{dynamic}", 1 + len(dynamic), 7, width, 40, 3, 1, element, dynamic)
    for dynamic in ("n", "i"):
        add(f"dw_{element}_strided_{dynamic}", 2, 11, 31, 70, 3, 2, element, dynamic)
        add(f"dw_{element}_wide_{dynamic}", 1, 9, 33, 24, 5, 1, element, dynamic)
        add(f"dw_{element}_blocks_{dynamic}", 1, 5, 9, 2048 if dynamic == "i" else 1000, 3, 1, element, dynamic)
        add(f"dw_{element}_none_{dynamic}", 1, 9, 2 if dynamic == "i" else 9, 24, 3, 1, element, dynamic)
        add(f"max_{element}_{dynamic}", 2, 9, 27, 40, 3, 2, element, dynamic, pools=True)
        add(f"max_{element}_next_{dynamic}", 1, 6, 15, 17, 2, 1, element, dynamic, pools=True)
suite.run()
