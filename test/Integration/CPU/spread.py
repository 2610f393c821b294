# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3 no-scalar-fallback}" | FileCheck %s
# Convolutions of images, and of filters, whose elements lie apart with zeros between them, as transposed convolutions and the gradients of
# strided ones are written: channels last and first, depthwise, of one and three dimensions, other strides than extents, padding, windows smaller
# than the strides, other starts than zero, a cast between. Oracle: f64 (int64). Bounds: exact for i8, 1e-5 of the largest sum otherwise.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools

import numpy as np
from harness import Suite, narrow, random_values, tensor, widen

rng = np.random.default_rng(3)
suite = Suite()
values = functools.partial(random_values, rng)
LETTERS = "zyx"


def spread(x, dims, offsets, strides, ends):
    """`x` with its elements `strides` apart in `dims`, from `offsets` on, and `ends` zeros behind; and the text of it as value %s."""
    shape = list(x.shape)
    for d, o, s, e in zip(dims, offsets, strides, ends):
        shape[d] = o + (x.shape[d] - 1) * s + 1 + e
    wide = np.zeros(shape, x.dtype)
    at = [slice(None)] * x.ndim
    for d, o, s in zip(dims, offsets, strides):
        at[d] = slice(o, o + (x.shape[d] - 1) * s + 1, s)
    wide[tuple(at)] = x
    full = lambda values, other: [dict(zip(dims, values)).get(d, other) for d in range(x.ndim)]
    return wide, full(offsets, 0), full(strides, 1)


def zero_of(element):
    return "0" if element[0] == "i" else "0.0"


def insert(x, wide, offsets, strides, element, unknown, names):
    """Lines that make `wide` of %x; `unknown`: of an unknown number of images, the first dimension."""
    grow = lambda shape: [-1, *shape[1:]] if unknown else list(shape)
    tx, tw = tensor(grow(x.shape), element), tensor(grow(wide.shape), element)
    sizes = ["%n" if unknown else str(x.shape[0]), *map(str, x.shape[1:])]
    lines = [f"%c0 = arith.constant 0 : index\n      %n = tensor.dim %{names[0]}, %c0 : {tx}"] if unknown else []
    return tx, tw, lines + [
        f"%zero = arith.constant {zero_of(element)} : {element}", f"%we = tensor.empty({'%n' if unknown else ''}) : {tw}",
        f"%wz = linalg.fill ins(%zero : {element}) outs(%we : {tw}) -> {tw}",
        f"%{names[1]} = tensor.insert_slice %{names[0]} into %wz[{', '.join(map(str, offsets))}] [{', '.join(sizes)}] [{', '.join(map(str, strides))}] : {tx} into {tw}"]


def windows(wide, spatial, taps):
    """[..., taps...] of `wide`: the windows at each place of its dimensions `spatial`."""
    return np.lib.stride_tricks.sliding_window_view(wide, taps, spatial)


def finish(name, arguments, lines, acc, features_first, start, want, inputs, op, element, unknown):
    """A function of `op`, with %init as what its sums start from: zeros, a bias or another argument."""
    grow = [-1, *want.shape[1:]] if unknown else list(want.shape)
    ty = tensor(grow, acc)
    rank = want.ndim
    lines.append(f"%e = tensor.empty({'%n' if unknown else ''}) : {ty}")
    if start == "zero":
        lines += [f"%s = arith.constant {zero_of(acc)} : {acc}", f"%init = linalg.fill ins(%s : {acc}) outs(%e : {ty}) -> {ty}"]
    elif start == "bias":
        channel = 1 if features_first else rank - 1
        bias = values((want.shape[channel],), "f32")
        dims = ", ".join(f"d{i}" for i in range(rank))
        lines.append(f"""%init = linalg.generic {{indexing_maps = [affine_map<({dims}) -> (d{channel})>, affine_map<({dims}) -> ({dims})>],
          iterator_types = [{', '.join(['"parallel"'] * rank)}]}} ins(%bias : {tensor(bias.shape, 'f32')}) outs(%e : {ty}) {{
      ^bb0(%i: f32, %o: f32):
        linalg.yield %i : f32 }} -> {ty}""")
        arguments.append(f"%bias: {tensor(bias.shape, 'f32')}")
        inputs.append(bias)
        want = want + bias.astype(np.float64).reshape([-1 if d == channel else 1 for d in range(rank)])
    else:
        more = values(want.shape, "f32")
        arguments.append(f"%init: {ty}")
        inputs.append(more)
        want = want + more
    body = "\n      ".join([*lines, f"%r = {op} outs(%init : {ty}) -> {ty}"])
    suite.add(name, f"func.func @{name}({', '.join(arguments)}) -> {ty} {{\n      {body}\n      return %r : {ty} }}", inputs, [(acc, rank)], [want],
              0 if element == "i8" else 1e-5)


def transposed(name, n, sizes, c, f, taps, strides, offsets, ends, element="f32", first=False, start="zero", cast=False, unknown=False, depthwise=False):
    """Images [n, sizes..., c] (`first`: channels first), whose pixels are `strides` apart, by a filter of `taps` for `f` features."""
    dims = len(sizes)
    acc = "i32" if element == "i8" else "f32"
    spatial = list(range(2, 2 + dims)) if first else list(range(1, 1 + dims))
    x = values((n, c, *sizes) if first else (n, *sizes, c), "f32" if cast else element)
    k = values((*taps, c) if depthwise else (f, c, *taps) if first else (*taps, c, f), element)
    exact = np.int64 if element == "i8" else np.float64
    wide, at, by = spread(widen(x, "f32" if cast else element), spatial, offsets, strides, ends)
    if cast:
        wide = widen(narrow(wide.astype(np.float32), element), element)
    parts = windows(wide.astype(exact), spatial, taps)
    place, tap = LETTERS[:dims], "ijk"[:dims]
    want = np.einsum(f"nc{place}{tap},fc{tap}->nf{place}" if first else f"n{place}c{tap},{tap}c->n{place}c" if depthwise else f"n{place}c{tap},{tap}cf->n{place}f",
                     parts, widen(k, element).astype(exact))
    tx, tw, lines = insert(x, wide, at, by, "f32" if cast else element, unknown, ("x", "w"))
    image = "%w"
    if cast:
        narrow_type = tensor([-1, *wide.shape[1:]] if unknown else wide.shape, element)
        lines.append(f"%wn = arith.truncf %w : {tw} to {narrow_type}")
        image, tw = "%wn", narrow_type
    tk = tensor(k.shape, element)
    named = {(2, True, False): "conv_2d_nchw_fchw", (2, False, False): "conv_2d_nhwc_hwcf", (1, True, False): "conv_1d_ncw_fcw", (1, False, False): "conv_1d_nwc_wcf",
             (3, False, False): "conv_3d_ndhwc_dhwcf", (2, False, True): "depthwise_conv_2d_nhwc_hwc"}[dims, first, depthwise]
    finish(name, [f"%x: {tx}", f"%k: {tk}"], lines, acc, first, start, want, [x, k],
           f"linalg.{named} ins({image}, %k : {tw}, {tk})", element, unknown)


def gradient(name, n, sizes, c, f, taps, strides, offsets, element="f32", behind=0, around=0):
    """The sums over images [n, h, w, c] and what comes back to every `strides`-th pixel of the result [n, sizes..., f], for each of `taps`. There are
    `around` images more on either side, to which nothing comes back."""
    dy = values((n, *sizes, f), element)
    exact = np.int64 if element == "i8" else np.float64
    acc = "i32" if element == "i8" else "f32"
    wide, at, by = spread(widen(dy, element), (0, 1, 2), (around, *offsets), (1, *strides), (around, behind, behind))
    x = values((n + 2 * around, *(s + t - 1 for s, t in zip(wide.shape[1:3], taps)), c), element)
    parts = windows(widen(x, element).astype(exact), (1, 2), wide.shape[1:3])
    want = np.einsum("nijcyx,nyxf->ijcf", parts, wide.astype(exact))
    ty, tw, lines = insert(dy, wide, at, by, element, False, ("dy", "w"))
    tx = tensor(x.shape, element)
    ext = {"i8": ("arith.extsi", "arith.muli", "arith.addi"), "f32": (None, "arith.mulf", "arith.addf")}.get(element, ("arith.extf", "arith.mulf", "arith.addf"))
    casts = "" if ext[0] is None else f"%a1 = {ext[0]} %a : {element} to {acc}\n        %b1 = {ext[0]} %b : {element} to {acc}\n        "
    a, b = ("%a", "%b") if ext[0] is None else ("%a1", "%b1")
    op = f"""linalg.generic {{indexing_maps = [affine_map<(n, f, i, y, j, x, c) -> (n, i + y, j + x, c)>,
          affine_map<(n, f, i, y, j, x, c) -> (n, y, x, f)>, affine_map<(n, f, i, y, j, x, c) -> (i, j, c, f)>],
          iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]}} ins(%x, %w : {tx}, {tw})"""
    result = tensor(want.shape, acc)
    lines += [f"%s = arith.constant {zero_of(acc)} : {acc}", f"%e = tensor.empty() : {result}", f"%init = linalg.fill ins(%s : {acc}) outs(%e : {result}) -> {result}"]
    body = "\n      ".join([*lines, f"""%r = {op} outs(%init : {result}) {{
      ^bb0(%a: {element}, %b: {element}, %o: {acc}):
        {casts}%m = {ext[1]} {a}, {b} : {acc}
        %t = {ext[2]} %o, %m : {acc}
        linalg.yield %t : {acc} }} -> {result}"""])
    suite.add(name, f"func.func @{name}(%x: {tx}, %dy: {ty}) -> {result} {{\n      {body}\n      return %r : {result} }}", [x, dy], [(acc, 4)], [want],
              0 if element == "i8" else 1e-5)


for element in ("f32", "bf16", "i8"):
    for first in (False, True):
        tag = f"{element}_{'first' if first else 'last'}"
        transposed(f"even_{tag}", 2, (5, 8), 24, 40, (2, 2), (2, 2), (1, 1), (1, 1), element, first)
        transposed(f"overlap_{tag}", 1, (7, 8), 16, 33, (4, 4), (2, 2), (2, 2), (2, 2), element, first)
        transposed(f"odd_{tag}", 2, (6, 5), 17, 20, (3, 3), (2, 2), (2, 2), (1, 0), element, first)
        transposed(f"gaps_{tag}", 1, (4, 4), 8, 16, (2, 1), (3, 2), (1, 0), (2, 1), element, first, "zero")
        transposed(f"bare_{tag}", 1, (6, 7), 8, 16, (3, 3), (2, 3), (0, 0), (0, 0), element, first)
        transposed(f"mixed_{tag}", 3, (6, 7), 12, 16, (3, 5), (1, 2), (1, 3), (1, 3), element, first)
        transposed(f"one_{tag}", 1, (9, 8), 16, 1, (4, 4), (2, 2), (2, 2), (2, 2), element, first)
for first in (False, True):
    tag = "first" if first else "last"
    transposed(f"bias_{tag}", 2, (7, 6), 16, 24, (3, 3), (2, 2), (2, 2), (1, 1), "bf16", first, "bias")
    transposed(f"more_{tag}", 1, (7, 8), 16, 24, (3, 3), (2, 2), (1, 1), (1, 1), "f32", first, "more")
    transposed(f"gaps_bias_{tag}", 2, (4, 6), 16, 24, (1, 1), (2, 2), (0, 0), (1, 1), "f32", first, "bias")
    transposed(f"cast_{tag}", 1, (7, 8), 16, 24, (4, 4), (2, 2), (2, 2), (2, 2), "bf16", first, "zero", cast=True)
    transposed(f"images_{tag}", 3, (7, 8), 16, 24, (4, 4), (2, 2), (2, 2), (2, 2), "f32", first, "bias", unknown=True)
    transposed(f"line_{tag}", 2, (33,), 16, 24, (4,), (2,), (2,), (2,), "f32", first)
transposed("volume", 1, (3, 4, 5), 8, 16, (2, 3, 2), (2, 2, 2), (1, 1, 1), (1, 1, 1))
transposed("many", 1, (4, 4), 16, 24, (8, 8), (8, 8), (7, 7), (7, 7))
transposed("depthwise", 2, (7, 8), 24, 24, (4, 4), (2, 2), (2, 2), (2, 2), depthwise=True)
transposed("depthwise_bf16", 2, (7, 8), 40, 40, (3, 3), (2, 2), (2, 2), (1, 1), "bf16", depthwise=True)
for element in ("f32", "bf16", "i8"):
    gradient(f"gradient_{element}", 2, (5, 7), 16, 24, (3, 3), (2, 2), (0, 0), element)
    gradient(f"gradient_behind_{element}", 2, (5, 7), 3, 24, (3, 2), (2, 3), (0, 0), element, behind=1)
    gradient(f"gradient_from_{element}", 1, (5, 7), 16, 8, (2, 2), (2, 2), (1, 2), element)
    gradient(f"gradient_around_{element}", 2, (5, 7), 16, 24, (3, 3), (2, 2), (1, 0), element, behind=1, around=1)
suite.run()
