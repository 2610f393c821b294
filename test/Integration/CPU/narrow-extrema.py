# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic}" | FileCheck %s
# The largest and the smallest of rows, columns and windows of floats of 8 and 16 bits. Most of 8 bits have no infinity that all numbers are less than, and
# a NaN that is one for `maxnumf` only. Rows of numbers, rows with NaN, and one of nothing else; from a tensor and from a fill. Oracle: NumPy on f64.
# Equality.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import NUMPY, Suite, tensor
from narrow_floats import FORMATS, value

#: What the codes of each format are worth.
VALUES = {name: np.array([value(code, name) for code in range(256)]) for name in FORMATS}
VALUES["f8E8M0FNU"] = np.append(2.0 ** np.arange(-127, 128), np.nan)
with np.errstate(invalid="ignore"):
    for name, numbers in (("f16", np.arange(65536).astype(np.uint16).view(np.float16)), ("bf16", (np.arange(65536).astype(np.uint32) << 16).view(np.float32))):
        # NumPy takes a signalling NaN for the larger number.
        VALUES[name] = np.where(np.isnan(numbers), np.nan, numbers.astype(np.float64))

COMBINERS = {"maximumf": np.maximum, "minimumf": np.minimum, "maxnumf": np.fmax, "minnumf": np.fmin}
rng = np.random.default_rng(5)
suite = Suite()


def extremum(name, combiner, element, shape, maps, kinds, axes, window=(), fill=None):
    """A reduction of `shape` to what `axes` leave, from a tensor or from the number of a code; its result is widened to f32, which is exact."""
    codes = VALUES[element]
    numbers, nan = np.flatnonzero(np.isfinite(codes)).astype(f"u{np.dtype(NUMPY[element]).itemsize}"), np.flatnonzero(np.isnan(codes))[0]
    x = numbers[rng.integers(0, len(numbers), shape)]
    x[1][rng.random(shape[1:]) < 0.3] = nan
    x[2] = nan
    seen = codes[x]
    if window:
        seen = np.lib.stride_tricks.sliding_window_view(seen, window, axis=1)[:, ::2]
    out = [size for axis, size in enumerate(seen.shape) if axis not in axes]
    init = numbers[rng.integers(0, len(numbers), out)]
    if fill is not None:
        init[...] = fill
    want = codes[init]
    for part in np.moveaxis(seen, axes, range(len(axes))).reshape(-1, *out):
        want = COMBINERS[combiner](want, part)
    operands, types = ("%x, %w", f"{tensor(shape, element)}, {tensor(window, element)}") if window else ("%x", tensor(shape, element))
    extra = f", %w: {tensor(window, element)}" if window else ""
    block = "%a: E, %b: E, %c: E" if window else "%a: E, %c: E"
    place = ", ".join(f"d{i}" for i in range(len(out)))
    same = f"affine_map<({place}) -> ({place})>"
    start = "" if fill is None else f"""%s = arith.constant {fill:#x} : {element}
  %p = tensor.empty() : {tensor(out, element)}
  %q = linalg.fill ins(%s : {element}) outs(%p : {tensor(out, element)}) -> {tensor(out, element)}"""
    suite.add(name, f"""func.func @{name}(%x: {tensor(shape, element)}{extra}, %i: {tensor(out, element)}) -> {tensor(out, "f32")} {{
  {start}
  %r = linalg.generic {{indexing_maps = [{", ".join(f"affine_map<{m}>" for m in maps)}], iterator_types = [{", ".join(f'"{k}"' for k in kinds)}]}}
      ins({operands} : {types}) outs({"%q" if start else "%i"} : {tensor(out, element)}) {{
  ^bb0({block.replace("E", element)}):
    %0 = arith.{combiner} %c, %a : {element}
    linalg.yield %0 : {element}
  }} -> {tensor(out, element)}
  %e = tensor.empty() : {tensor(out, "f32")}
  %f = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{", ".join(['"parallel"'] * len(out))}]}}
      ins(%r : {tensor(out, element)}) outs(%e : {tensor(out, "f32")}) {{
  ^bb0(%a: {element}, %c: f32):
    %0 = arith.extf %a : {element} to f32
    linalg.yield %0 : f32
  }} -> {tensor(out, "f32")}
  return %f : {tensor(out, "f32")}
}}""", [a.view(NUMPY[element]) for a in ([x, np.zeros(window, x.dtype), init] if window else [x, init])], [("f32", len(out))], [want],
              lambda got, oracle: (got == oracle) | (np.isnan(got) & np.isnan(oracle)))


for element, codes in VALUES.items():
    NUMPY.setdefault(element, np.uint8)
    for combiner in COMBINERS:
        extremum(f"rows_{combiner}_{element}", combiner, element, (5, 37), ["(i, j) -> (i, j)", "(i, j) -> (i)"], ["parallel", "reduction"], (1,))
        extremum(f"columns_{combiner}_{element}", combiner, element, (7, 21), ["(i, j) -> (i, j)", "(i, j) -> (j)"], ["reduction", "parallel"], (0,))
        extremum(f"filled_{combiner}_{element}", combiner, element, (5, 70), ["(i, j) -> (i, j)", "(i, j) -> (i)"], ["parallel", "reduction"], (1,),
                 fill=np.flatnonzero(np.isfinite(codes))[9])
        extremum(f"all_{combiner}_{element}", combiner, element, (3, 5, 9), ["(i, j, k) -> (i, j, k)", "(i, j, k) -> (i)"],
                 ["parallel", "reduction", "reduction"], (1, 2))
        extremum(f"windows_{combiner}_{element}", combiner, element, (3, 18), ["(i, j, w) -> (i, 2 * j + w)", "(i, j, w) -> (w)", "(i, j, w) -> (i, j)"],
                 ["parallel", "parallel", "reduction"], (2,), (2,))
suite.run()
