# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic}" | FileCheck %s
# Gradients of filters whose channels are planes: images of 1 to 3 dimensions, strides, dilation, element types, unknown sizes, sums that start from a
# tensor, and the step that follows. Oracle: NumPy in f64 (integers: exact). Bound: 2^-24 (f64: 2^-53) times 4 sqrt(k) + 4 of the sum of the terms' magnitudes.
# CHECK-NOT: FAILED
# CHECK: all passed
import itertools

import numpy as np
from harness import Suite, random_values, widen

suite = Suite()
rng = np.random.default_rng(11)
ARITH = {"f": ("extf", "mulf", "addf"), "b": ("extf", "mulf", "addf"), "i": ("extsi", "muli", "addi")}


def add(name, element, acc, n, c, f, out, size, stride=1, dilation=1, unknown=(), start=False, update=False):
    """d[f][c][places] = sum over n and pixels of image[n][c][pixel * stride + place * dilation] * gradient[n][f][pixel]."""
    rank = len(out)
    image = [n, c] + [(o - 1) * stride + (s - 1) * dilation + 1 for o, s in zip(out, size)]
    gradient, result = [n, f, *out], [f, c, *size]
    x, g, w = random_values(rng, tuple(image), element), random_values(rng, tuple(gradient), element), random_values(rng, tuple(result), acc)
    xs, gs = widen(x, element), widen(g, element)
    wide = np.float64 if xs.dtype.kind == "f" else np.int64
    want, terms = widen(w, acc).astype(wide) * start, np.abs(widen(w, acc).astype(wide)) * start
    for place in itertools.product(*map(range, size)):
        window = xs.astype(wide)[(slice(None), slice(None), *(slice(p * dilation, p * dilation + (o - 1) * stride + 1, stride) for p, o in zip(place, out)))]
        for total, part in ((want, lambda a: a), (terms, np.abs)):
            total[(slice(None), slice(None), *place)] += np.einsum("nfp,ncp->fc", part(gs.astype(wide)).reshape(n, f, -1), part(window).reshape(n, c, -1))

    def tensor(shape, element, names):
        return "tensor<" + "".join(f"{'?' if name in unknown else size}x" for size, name in zip(shape, names)) + element + ">"
    names = [["n", "c"] + ["image"] * rank, ["n", "f"] + ["out"] * rank, ["f", "c"] + ["size"] * rank]
    ti, tg, tw = tensor(image, element, names[0]), tensor(gradient, element, names[1]), tensor(result, acc, names[2])
    loops = "f, c, " + ", ".join(f"s{i}" for i in range(rank)) + ", n, " + ", ".join(f"o{i}" for i in range(rank))
    maps = ["n, c, " + ", ".join(f"o{i} * {stride} + s{i} * {dilation}" for i in range(rank)), "n, f, " + ", ".join(f"o{i}" for i in range(rank)),
            "f, c, " + ", ".join(f"s{i}" for i in range(rank))]
    ext, mul, plus = ARITH[element[0]]
    casts = "" if element == acc else f"%x = arith.{ext} %p : {element} to {acc}\n %y = arith.{ext} %q : {element} to {acc}"
    a, b = ("%p", "%q") if element == acc else ("%x", "%y")
    sizes = ", ".join(f"%size_{d}" for d in "fc" if d in unknown)
    first = "%w" if start else "%z"
    same = ", ".join(f"d{i}" for i in range(rank + 2))
    then = f"""%u = linalg.generic {{indexing_maps = [{", ".join([f"affine_map<({same}) -> ({same})>"] * 3)}], iterator_types = [{", ".join(['"parallel"'] * (rank + 2))}]}}
    ins(%w, %r : {tw}, {tw}) outs(%e : {tw}) {{
  ^bb0(%p: {acc}, %q: {acc}, %o: {acc}):
    %0 = arith.sub{mul[-1]} %p, %q : {acc}
    linalg.yield %0 : {acc} }} -> {tw}""" if update else ""
    if update:
        want = widen(w, acc).astype(wide) - want
    zero = "0.0" if wide is np.float64 else "0"
    suite.add(name, f"""func.func @{name}(%i: {ti}, %g: {tg}, %w: {tw}) -> {tw} {{
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 1 : index
  %size_f = tensor.dim %w, %at0 : {tw}
  %size_c = tensor.dim %w, %at1 : {tw}
  %c = arith.constant {zero} : {acc}
  %e = tensor.empty({sizes}) : {tw}
  %z = linalg.fill ins(%c : {acc}) outs(%e : {tw}) -> {tw}
  %r = linalg.generic {{indexing_maps = [{", ".join(f"affine_map<({loops}) -> ({m})>" for m in maps)}],
      iterator_types = [{", ".join(['"parallel"'] * (rank + 2) + ['"reduction"'] * (rank + 1))}]}} ins(%i, %g : {ti}, {tg}) outs({first} : {tw}) {{
  ^bb0(%p: {element}, %q: {element}, %o: {acc}):
    {casts}
    %m = arith.{mul} {a}, {b} : {acc}
    %s = arith.{plus} %o, %m : {acc}
    linalg.yield %s : {acc} }} -> {tw}
  {then}
  return {"%u" if update else "%r"} : {tw} }}""", [x, g, w], [(acc, rank + 2)], [want],
              0.0 if acc[0] == "i" else lambda got, oracle, bound=(terms + np.abs(want)) * (2.0 ** (-53 if acc == "f64" else -24)) * (4 * (n * np.prod(out)) ** 0.5 + 4):
              np.abs(got - oracle) <= bound)


for element, acc in (("f32", "f32"), ("bf16", "f32"), ("f16", "f32"), ("f64", "f64"), ("i8", "i32")):
    add(f"plain_{element}", element, acc, 2, 19, 24, (12, 13), (3, 3))
    add(f"stride_{element}", element, acc, 2, 17, 33, (9, 9), (3, 3), stride=2)
    add(f"unknown_{element}", element, acc, 3, 16, 21, (11, 10), (3, 3), unknown="n c f image out".split())
    add(f"unknown_stride_{element}", element, acc, 3, 16, 21, (11, 10), (2, 3), stride=3, unknown="n c f image out".split())
add("dilation", "f32", "f32", 2, 8, 40, (10, 14), (3, 2), dilation=2)
add("dilation_and_stride", "f32", "f32", 2, 8, 40, (10, 14), (3, 2), dilation=3, stride=2)
add("one_image", "f32", "f32", 1, 20, 20, (14, 14), (5, 5))
add("one_channel", "f32", "f32", 4, 1, 20, (24, 24), (5, 5))
add("three_channels", "f32", "f32", 2, 3, 32, (20, 20), (7, 7), stride=2)
add("one_filter", "f32", "f32", 4, 20, 1, (24, 24), (5, 5))
add("points", "f32", "f32", 4, 20, 30, (9, 9), (1, 1))
add("points_and_stride", "bf16", "f32", 4, 20, 30, (9, 9), (1, 1), stride=2)
add("rows", "f32", "f32", 4, 20, 30, (64,), (3,))
add("rows_of_one", "f32", "f32", 1, 20, 30, (64,), (5,))
add("volumes", "f32", "f32", 2, 9, 17, (5, 6, 13), (3, 2, 3))
add("large_filter", "f32", "f32", 2, 8, 16, (20, 20), (13, 13))
add("small_image", "f32", "f32", 8, 32, 32, (4, 4), (3, 3))
add("from_tensor", "f32", "f32", 2, 16, 18, (12, 12), (3, 3), start=True)
add("then_update", "f32", "f32", 2, 16, 18, (12, 12), (3, 3), update=True)
add("unknown_then_update", "bf16", "f32", 2, 16, 18, (12, 12), (3, 3), update=True, unknown="n c f".split())
suite.run()
