# What follows a depthwise convolution or a pool, computed where its sums are: bias, activation, residual, quotient, casts, several results, results transposed.
# Static, odd, dynamic and strided. Oracle: NumPy in f64. Bound: 1e-5, for bf16 one half unit in the last place more.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic no-scalar-fallback}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(2)
suite = Suite()


def floats(*shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def windows(x, size, stride):
    """x [n, h, w, c] as [n, oh, ow, size, size, c]."""
    out = [(x.shape[1 + i] - size) // stride + 1 for i in range(2)]
    rows = np.arange(out[0])[:, None] * stride + np.arange(size)
    columns = np.arange(out[1])[:, None] * stride + np.arange(size)
    return x[:, rows[:, None, :, None], columns[None, :, None, :]]


def check(name, kind, n, h, w, c, size=3, stride=1, dynamic=False, init=False, turned=False, element="f32"):
    """element: of the image and of a depthwise filter, which sums are wider than."""
    x, filter, bias = floats(n, h, w, c), floats(size, size, c), floats(c)
    args = [narrow(x, element), narrow(filter, element) if kind == "depthwise" else filter]
    x = widen(args[0], element)
    filter = widen(args[1], element) if kind == "depthwise" else filter
    win = windows(x.astype(np.float64), size, stride)
    sums = {"depthwise": (win * filter).sum((3, 4)), "sum": win.sum((3, 4)), "max": win.max((3, 4))}[kind]
    start, residual = floats(*sums.shape), floats(*sums.shape)
    if init:
        sums = np.maximum(sums, start) if kind == "max" else sums + start
    y = np.clip(sums / size**2 + bias, 0, 6)
    z = y + residual
    grow = lambda shape: [-1, -1, -1, c] if dynamic else shape
    tx, ty = tensor(grow(x.shape), element), tensor(grow(y.shape), "f32")
    tf = tensor((size, size, c), element) if kind == "depthwise" else tensor((size, size), "f32")
    op = {"depthwise": "depthwise_conv_2d_nhwc_hwc", "sum": "pooling_nhwc_sum", "max": "pooling_nhwc_max"}[kind]
    neutral = "0xFF800000" if kind == "max" else "0.0"
    same, row = "affine_map<(a, b, c, d) -> (a, b, c, d)>", "affine_map<(a, b, c, d) -> (d)>"
    out = "affine_map<(a, b, c, d) -> (b, a, c, d)>" if turned else same
    shape = [y.shape[i] for i in (1, 0, 2, 3)] if turned else y.shape
    tz = tensor(grow(shape), "bf16")
    sizes = "%n, %oh, %ow" if dynamic else ""
    kinds = "iterator_types = [" + ", ".join(['"parallel"'] * 4) + "]"
    suite.add(name, f"""func.func @{name}(%x: {tx}, %filter: {tf if kind == "depthwise" else tensor((size, size, c), "f32")}, %bias: {tensor((c,), "f32")}, %residual: {ty}, %start: {ty}) -> ({ty}, {tz}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %start, %c0 : {ty}
  %oh = tensor.dim %start, %c1 : {ty}
  %ow = tensor.dim %start, %c2 : {ty}
  %first = arith.constant {neutral} : f32
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %count = arith.constant {float(size**2)} : f32
  %e = tensor.empty({sizes}) : {ty}
  %eb = tensor.empty({"%oh, %n, %ow" if turned and dynamic else sizes}) : {tz}
  %f = linalg.fill ins(%first : f32) outs(%e : {ty}) -> {ty}
  %window = tensor.empty() : {tensor((size, size), "f32")}
  %sums = linalg.{op} {{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}
      ins(%x, {"%filter" if kind == "depthwise" else "%window"} : {tx}, {tf}) outs({"%start" if init else "%f"} : {ty}) -> {ty}
  %y = linalg.generic {{indexing_maps = [{same}, {row}, {same}], {kinds}}} ins(%sums, %bias : {ty}, {tensor((c,), "f32")}) outs(%e : {ty}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %count : f32
    %s = arith.addf %q, %b : f32
    %t = arith.maximumf %s, %zero : f32
    %u = arith.minimumf %t, %six : f32
    linalg.yield %u : f32
  }} -> {ty}
  %z = linalg.generic {{indexing_maps = [{same}, {same}, {out}], {kinds}}} ins(%y, %residual : {ty}, {ty}) outs(%eb : {tz}) {{
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %s = arith.addf %a, %b : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }} -> {tz}
  return %y, %z : {ty}, {tz} }}""", [*args, bias, residual, start], [("f32", 4), ("bf16", 4)], [y, np.swapaxes(z, 0, 1) if turned else z],
              lambda value, oracle: np.abs(value - oracle) <= (1e-5 + np.abs(oracle) / 256 if value.shape == tuple(shape) and np.any(value != value.astype(np.float32)) else 1e-5 + np.abs(oracle) / 250))


for kind in ("depthwise", "sum", "max"):
    for c in (16, 33, 64, 100, 3):
        check(f"{kind}_{c}", kind, 2, 9, 12, c)
        check(f"{kind}_{c}_strided", kind, 1, 11, 9, c, stride=2)
    check(f"{kind}_dynamic", kind, 2, 9, 12, 40, dynamic=True)
    check(f"{kind}_dynamic_strided", kind, 1, 10, 13, 19, stride=2, dynamic=True)
    check(f"{kind}_init", kind, 1, 8, 9, 48, init=True)
    check(f"{kind}_init_dynamic", kind, 1, 8, 9, 48, init=True, dynamic=True)
    check(f"{kind}_large", kind, 1, 13, 12, 64, size=5)
    check(f"{kind}_turned", kind, 3, 8, 9, 32, turned=True)
    for stride in (1, 2):  # Images that no second cache holds, whose rows are asked for.
        check(f"{kind}_asked_{stride}", kind, 2, 40, 41, 208, stride=stride)
    check(f"{kind}_turned_dynamic", kind, 3, 8, 9, 35, turned=True, dynamic=True)
for element in ("bf16", "f16"):
    for size, h, w, c in ((3, 9, 20, 40), (5, 12, 19, 33), (7, 9, 22, 16), (9, 11, 24, 16)):
        check(f"{element}_{size}", "depthwise", 2, h, w, c, size=size, element=element)
        check(f"{element}_{size}_strided", "depthwise", 1, h, w, c, size=size, stride=2, element=element)
    check(f"{element}_dynamic", "depthwise", 2, 10, 18, 40, dynamic=True, element=element)
    check(f"{element}_asked", "depthwise", 3, 50, 44, 208, size=5, element=element)
suite.run()
