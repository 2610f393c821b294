# Tensors whose elements take turns in another one: stacked in a short last dimension, or put every few elements. As they are given, and computed on the way; static, odd and dynamic sizes.
# Oracle: NumPy. Equality for data movement; what is computed within 1e-6 of f64.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import itertools

import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(23)
suite = Suite()
EXACT = 0
APART = "lies apart"


def sample(shape, dtype):
    """8-bit floats are bits."""
    low, high = {"i1": (0, 2), "f8E4M3FN": (0, 256)}.get(dtype, (-100, 100))
    values = rng.integers(low, high, shape) if dtype.startswith(("i", "f8")) else rng.standard_normal(shape)
    return np.asarray(narrow(values, dtype)).reshape(shape)


def insertion(form, shape, count, number):
    """Where one of `count` tensors of `shape` goes, as what stands between the tensors of `tensor.insert_slice`."""
    zeros, ones, sizes = [0] * len(shape), [1] * len(shape), list(shape)
    if form == "strided":
        return f"[{', '.join(map(str, zeros[:-1] + [number]))}] [{', '.join(map(str, sizes))}] [{', '.join(map(str, ones[:-1] + [count]))}]"
    return f"[{', '.join(map(str, zeros + [number]))}] [{', '.join(map(str, sizes + [1]))}] [{', '.join(map(str, ones + [1]))}]"


# In all types, of few and many channels: rows of 8 words of f32, and of more, are told of. In any order, whole and rank-reduced.
for count, dtype in itertools.product(range(2, 10), ("i1", "i8", "f8E4M3FN", "i16", "f16", "bf16", "f32", "f64", "i64")):
    bits = {"i1": 8, "i8": 8, "f8E4M3FN": 8, "i16": 16, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "i64": 64}[dtype]
    for form, shape in (("strided", (3, 37)), ("stacked", (3, 37)), ("whole", (2, 50)), ("stacked", (1, 64))):
        channels = [sample(shape, dtype) for _ in range(count)]
        x = tensor(shape + (1,) if form == "whole" else shape, dtype)
        y = tensor((*shape[:-1], shape[-1] * count) if form == "strided" else (*shape, count), dtype)
        want = np.stack([widen(c, dtype) for c in channels], -1).reshape([shape[0], -1] if form == "strided" else (*shape, count))
        name = f"{form}_{dtype}_{count}_{shape[0]}"
        lines, last = [f"  %e = tensor.empty() : {y}\n"], "%e"
        for i in rng.permutation(count):
            lines.append(f"  %r{i} = tensor.insert_slice %x{i} into {last}{insertion(form, shape, count, i)} : {x} into {y}\n")
            last = f"%r{i}"
        arguments = [c[..., None] if form == "whole" else c for c in channels]
        isSlow = count > 8 or count * bits % 256 == 0
        suite.add(name, f"func.func @{name}({', '.join(f'%x{i}: {x}' for i in range(count))}) -> {y} {{\n{''.join(lines)}  return {last} : {y} }}", arguments,
                  [(dtype, len(want.shape))], [want], EXACT, scalar=APART if isSlow else "")

# What is concatenated, and computed on the way; sizes that are not known.
for count, (width, dynamic) in itertools.product((2, 3, 4, 5), ((37, False), (64, True), (5, True), (0, True), (1, False))):
    shape = (3, width)
    values = [sample(shape, "f32") for _ in range(count)]
    d = [-1, -1] if dynamic else list(shape)
    x, u, y = tensor(d, "f32"), tensor(d + [1], "f32"), tensor(d + [count], "f32")
    name = f"computed_{count}_{width}{'_dynamic' if dynamic else ''}"
    sizes = "%d0, %d1" if dynamic else ""
    lines = [f"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %d0 = tensor.dim %x0, %c0 : {x}\n  %d1 = tensor.dim %x0, %c1 : {x}\n",
             f"  %e = tensor.empty({sizes}) : {x}\n"]
    want = []
    for i in range(count):
        other = (i + 1) % count
        lines.append(f"  %m{i} = linalg.{'mul' if i % 2 else 'sub'} ins(%x{i}, %x{other} : {x}, {x}) outs(%e : {x}) -> {x}\n"
                     f"  %u{i} = tensor.expand_shape %m{i} [[0], [1, 2]] output_shape [{'%d0, %d1' if dynamic else f'3, {width}'}, 1] : {x} into {u}\n")
        a, b = values[i].astype(np.float64), values[other].astype(np.float64)
        want.append(a * b if i % 2 else a - b)
    lines.append(f"  %r = tensor.concat dim(2) {', '.join(f'%u{i}' for i in range(count))} : ({', '.join([u] * count)}) -> {y}\n")
    suite.add(name, f"func.func @{name}({', '.join(f'%x{i}: {x}' for i in range(count))}) -> {y} {{\n{''.join(lines)}  return %r : {y} }}", values,
              [("f32", 3)], [np.stack(want, -1)], 1e-6)

# Pairs that a rotary embedding turns, of every second element, to where they were.
for width, dtype in itertools.product((6, 32, 64, 128), ("f32", "bf16")):
    shape, half = (5, width), (5, width // 2)
    x, angle = sample(shape, dtype), rng.uniform(0, 6, half).astype(np.float32)
    t, h, a = tensor(shape, dtype), tensor(half, dtype), tensor(half, "f32")
    name = f"rotary_{width}_{dtype}"
    wide = "arith.extf {} : bf16 to f32" if dtype == "bf16" else "arith.addf {}, %zero : f32"
    result = "%n = arith.truncf %s : f32 to bf16\n  linalg.yield %n : bf16" if dtype == "bf16" else "linalg.yield %s : f32"
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * 5)

    def turned(name, ops):
        return f"""  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}} ins(%even, %odd, %c, %s : {h}, {h}, {a}, {a}) outs(%eh : {h}) {{
  ^bb0(%pn: {dtype}, %qn: {dtype}, %cos: f32, %sin: f32, %o: {dtype}):
  %p = {wide.format('%pn')}
  %q = {wide.format('%qn')}
{ops}
  {result}
  }} -> {h}
"""
    suite.add(name, f"""func.func @{name}(%x: {t}, %c: {a}, %s: {a}) -> {t} {{
  %zero = arith.constant -0.0 : f32
  %even = tensor.extract_slice %x[0, 0] [5, {width // 2}] [1, 2] : {t} to {h}
  %odd = tensor.extract_slice %x[0, 1] [5, {width // 2}] [1, 2] : {t} to {h}
  %eh = tensor.empty() : {h}
  %e = tensor.empty() : {t}
{turned("a", "  %u = arith.mulf %p, %cos : f32" + chr(10) + "  %v = arith.mulf %q, %sin : f32" + chr(10) + "  %s = arith.subf %u, %v : f32")}
{turned("b", "  %u = arith.mulf %p, %sin : f32" + chr(10) + "  %v = arith.mulf %q, %cos : f32" + chr(10) + "  %s = arith.addf %u, %v : f32")}
  %r = tensor.insert_slice %a into %e[0, 0] [5, {width // 2}] [1, 2] : {h} into {t}
  %w = tensor.insert_slice %b into %r[0, 1] [5, {width // 2}] [1, 2] : {h} into {t}
  return %w : {t} }}""".replace("%s = arith", "%sum = arith").replace("%s : f32 to bf16", "%sum : f32 to bf16").replace("yield %s", "yield %sum"),
              [x, np.cos(angle), np.sin(angle)], [(dtype, 2)],
              [np.stack([widen(x, dtype)[:, ::2] * np.cos(angle).astype(np.float64) - widen(x, dtype)[:, 1::2] * np.sin(angle).astype(np.float64),
                         widen(x, dtype)[:, ::2] * np.sin(angle).astype(np.float64) + widen(x, dtype)[:, 1::2] * np.cos(angle).astype(np.float64)], -1).reshape(shape)],
              1e-2 if dtype == "bf16" else 1e-6)

# Some channels of a tensor that is there, the same channel twice, and more than a few elements between: the rest is kept.
old, new, small = sample((4, 48), "f32"), sample((4, 16), "f32"), sample((4, 5), "f32")
third, twice, wide = old.copy(), old.copy(), old.copy()
third[:, 1::3] = new
twice[:, ::3], twice[:, 1::3] = new, new + 1
wide[:, 2::10] = small
suite.add("third", """func.func @third(%x: tensor<4x16xf32>, %y: tensor<4x48xf32>) -> tensor<4x48xf32> {
  %r = tensor.insert_slice %x into %y[0, 1] [4, 16] [1, 3] : tensor<4x16xf32> into tensor<4x48xf32>
  return %r : tensor<4x48xf32> }""", [new, old], [("f32", 2)], [third], EXACT, scalar=APART)
suite.add("twice", """func.func @twice(%x: tensor<4x16xf32>, %z: tensor<4x16xf32>, %y: tensor<4x48xf32>) -> tensor<4x48xf32> {
  %q = tensor.insert_slice %x into %y[0, 1] [4, 16] [1, 3] : tensor<4x16xf32> into tensor<4x48xf32>
  %r = tensor.insert_slice %x into %q[0, 0] [4, 16] [1, 3] : tensor<4x16xf32> into tensor<4x48xf32>
  %s = tensor.insert_slice %z into %r[0, 1] [4, 16] [1, 3] : tensor<4x16xf32> into tensor<4x48xf32>
  return %s : tensor<4x48xf32> }""", [new, new + 1, old], [("f32", 2)], [twice], EXACT, scalar=APART)
suite.add("wide", """func.func @wide(%x: tensor<4x5xf32>, %y: tensor<4x48xf32>) -> tensor<4x48xf32> {
  %r = tensor.insert_slice %x into %y[0, 2] [4, 5] [1, 10] : tensor<4x5xf32> into tensor<4x48xf32>
  return %r : tensor<4x48xf32> }""", [small, old], [("f32", 2)], [wide], EXACT, scalar=APART)

# One that others read, too.
suite.add("shared", """func.func @shared(%x: tensor<4x16xf32>, %z: tensor<4x16xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %y = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %q = tensor.insert_slice %x into %y[0, 0] [4, 16] [1, 2] : tensor<4x16xf32> into tensor<4x32xf32>
  %r = tensor.insert_slice %z into %q[0, 1] [4, 16] [1, 2] : tensor<4x16xf32> into tensor<4x32xf32>
  return %q, %r : tensor<4x32xf32>, tensor<4x32xf32> }""", [new, new + 1], [("f32", 2), ("f32", 2)],
          [np.stack([new, 0 * new], -1).reshape(4, 32), np.stack([new, new + 1], -1).reshape(4, 32)], EXACT, scalar=APART)

# Planes to channels last: results that lie so, of operands that do not.
for channels, dtype, width in itertools.product((2, 3, 4, 5, 7), ("i8", "f16", "f32"), (1, 7, 50)):
    value = sample((channels, 3, width), dtype)
    x, y = tensor(value.shape, dtype), tensor((3, width, channels), dtype)
    name = f"last_{channels}_{dtype}_{width}"
    suite.add(name, f"""func.func @{name}(%x: {x}) -> {y} {{
  %e = tensor.empty() : {y}
  %r = linalg.transpose ins(%x : {x}) outs(%e : {y}) permutation = [1, 2, 0]
  return %r : {y} }}""", [value], [(dtype, 3)], [widen(value, dtype).transpose(1, 2, 0)], EXACT)

suite.run()
