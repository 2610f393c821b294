# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s amp-lower-to-cpu | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# A few windows along a line, whose rows of A follow, or overlap, each other in memory: what is behind a row is the next one, or
# infinite, and takes no part. Oracle: f64 (int64). Bounds: exact for i8, 1e-5 for each 64 terms otherwise.
# CHECK-NOT: FAILED
# CHECK: all passed
import functools
import itertools

import numpy as np
from harness import Suite, narrow, random_values, tensor, widen

rng = np.random.default_rng(0)
suite = Suite()
values = functools.partial(random_values, rng)


def windows(name, count, width, channels, stride, features, transposed, element):
    """`count` windows of [width, channels], `stride` apart, by [width, channels, features] or, transposed, [features, width, channels]."""
    acc = "i32" if element == "i8" else "f32"
    exact = np.int64 if acc == "i32" else np.float64
    x = values(((count - 1) * stride + width + 3, channels), element)
    w = values((features, width, channels) if transposed else (width, channels, features), element)
    if element != "i8":
        for first in range(count):
            end = first * stride + width
            gap = end + max(stride - width, 0) if first + 1 < count else len(x)
            x[end:gap] = narrow(np.full((1, channels), np.inf), element)
    image, weights = widen(x, element).astype(exact), widen(w, element).astype(exact)
    parts = np.stack([image[i * stride:i * stride + width] for i in range(count)])
    want = np.einsum("ukc,fkc->uf" if transposed else "ukc,kcf->uf", parts, weights)
    tx, tw, ty = tensor(x.shape, element), tensor(w.shape, element), tensor(want.shape, acc)
    kind, widening = ("i", "extsi") if acc == "i32" else ("f", "extf")
    cast = [f"%{v}w = arith.{widening} %{v} : {element} to {acc}" if element != acc else "" for v in "ab"]
    a, b = ("%aw", "%bw") if element != acc else ("%a", "%b")
    suite.add(name, f"""func.func @{name}(%x: {tx}, %w: {tw}) -> {ty} {{
      %z = arith.constant {'0' if acc == 'i32' else '0.0'} : {acc}
      %e = tensor.empty() : {ty}
      %i = linalg.fill ins(%z : {acc}) outs(%e : {ty}) -> {ty}
      %r = linalg.generic {{indexing_maps = [affine_map<(u, f, x, c) -> (u * {stride} + x, c)>,
          affine_map<(u, f, x, c) -> ({'f, x, c' if transposed else 'x, c, f'})>, affine_map<(u, f, x, c) -> (u, f)>],
          iterator_types = ["parallel", "parallel", "reduction", "reduction"]}} ins(%x, %w : {tx}, {tw}) outs(%i : {ty}) {{
      ^bb0(%a: {element}, %b: {element}, %o: {acc}):
        {cast[0]}
        {cast[1]}
        %1 = arith.mul{kind} {a}, {b} : {acc}
        %2 = arith.add{kind} %o, %1 : {acc}
        linalg.yield %2 : {acc} }} -> {ty}
      return %r : {ty} }}""", [x, w], [(acc, 2)], [want], 0 if acc == "i32" else 1e-5 * max(1, width * channels / 64))


shapes = itertools.product((1, 2, 5, 8, 12), (2, 300), (1, 3, 4, 6), (1, 2, 7), (1, 24, 70), (False, True), ("i8", "bf16", "f32"))
for number, shape in enumerate(shapes):
    if number % 11 == 0:
        windows(f"windows_{number}", *shape)

# One group of k and one panel: what is widened of it leaves the loop that threads divide.
lines, taps = values((30, 43), "i8"), values((64, 3), "i8")
parts = np.stack([lines[:, 5 * i:5 * i + 3] for i in range(9)], axis=1)
suite.add("lines", """func.func @lines(%x: tensor<?x43xi8>, %w: tensor<64x3xi8>, %i: tensor<?x9x64xi32>) -> tensor<?x9x64xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, u, f, x) -> (n, u * 5 + x)>, affine_map<(n, u, f, x) -> (f, x)>, affine_map<(n, u, f, x) -> (n, u, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x43xi8>, tensor<64x3xi8>) outs(%i : tensor<?x9x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %aw = arith.extsi %a : i8 to i32
    %bw = arith.extsi %b : i8 to i32
    %1 = arith.muli %aw, %bw : i32
    %2 = arith.addi %o, %1 : i32
    linalg.yield %2 : i32 } -> tensor<?x9x64xi32>
  return %r : tensor<?x9x64xi32> }""", [lines, taps, np.zeros((30, 9, 64), np.int32)], [("i32", 3)],
          [np.einsum("nux,fx->nuf", parts.astype(np.int64), taps.astype(np.int64))])
suite.run()
