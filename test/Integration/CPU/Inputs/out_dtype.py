"""Runs out-dtype.mlir. Oracle: NumPy in i64 and f64; integers and single products are equal, the f64 sums within 1e-12."""
import sys

import numpy as np
from harness import compile_module, from_bf16, to_bf16

with open(sys.argv[1]) as file:
    module = compile_module(file.read(), "amp-lower-to-linalg,amp-lower-to-cpu")
rng = np.random.default_rng(0)

x, y = np.array([100, -100, 3, 127], np.int8), np.array([100, 100, -4, 127], np.int8)
np.testing.assert_array_equal(module("wrap", [x, y], [("i8", 1)])[0], [16, -16, -12, 1])

x, y = np.array([7, -7, 250, 1], np.float32), np.array([2, 2, 2, 3], np.float32)
np.testing.assert_array_equal(module("named", [x, y, x], [("i8", 1)])[0], [3, -3, 125, 0])

x, k, init = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((1, 4, 4, 2), (3, 3, 2, 3), (1, 2, 2, 3)))
view = np.lib.stride_tricks.sliding_window_view(x.astype(np.int64), (3, 3), axis=(1, 2))
want = np.einsum("nhwcij,ijcf->nhwf", view, k.astype(np.int64)) + init
np.testing.assert_array_equal(module("conv", [x, k, init], [("i32", 4)])[0], want)

x, y, init = (to_bf16(rng.standard_normal(shape)) for shape in ((4, 8), (8, 3), (4, 3)))
a, b, c = (from_bf16(bits).astype(np.float64) for bits in (x, y, init))
np.testing.assert_allclose(module("generic", [x, y, init], [("f64", 2)])[0], a @ b + c, rtol=0, atol=1e-12)

x, y = (rng.standard_normal(4).astype(np.float16) for _ in range(2))
want = x.astype(np.float32) * y.astype(np.float32)
np.testing.assert_array_equal(module("mul_f16", [x, y, x], [("f32", 1)])[0], want)
