"""As much of torch as scripts/gpu_check/timing.py calls, in NumPy, on memory of a CUDA driver: that of the simulator.

Kernels of this torch run at once, in f64, and round once, also while a stream is captured: a graph replays what the driver
captured, which is what others launched. With AMP_FAKE_TORCH=no-compiler, torch.compile fails when its function is called, as without a C compiler;
with AMP_FAKE_TORCH=no-cuda there is no device.
"""
import math
import os

import numpy as np

from . import cuda  # noqa: F401
from ._dtypes import bfloat16, float8_e4m3fn, float8_e5m2, float16, float32, float64, int8, int32, uint8  # noqa: F401
from ._more import *  # noqa: F401,F403
from ._more import _int_mm, _scaled_mm  # noqa: F401
from ._tensor import Tensor, make  # noqa: F401

__version__ = "0.0-fake"


class version:
    cuda = "0.0"


_random = np.random.default_rng(0)


def randn(*shape, device, dtype=float32):
    return make(_random.standard_normal(shape), dtype)


def empty(*shape, device, dtype=float32):
    shape = shape[0] if isinstance(shape[0], (tuple, list)) else shape
    return make(np.zeros(shape), dtype)


def empty_like(tensor):
    return make(np.zeros(tensor.shape), tensor.dtype)


def softmax(x, dim):
    v = x.values()
    e = np.exp(v - v.max(dim, keepdims=True))
    return make(e / e.sum(dim, keepdims=True), x.dtype)


def sum(x, dim, dtype=None):
    return make(x.values().sum(dim), dtype or x.dtype)


def compile(function, mode):
    def call(*args):
        if os.environ.get("AMP_FAKE_TORCH") == "no-compiler":
            raise RuntimeError("Failed to find C compiler.\nPlease specify via CC environment variable.")
        return function(*args)
    return call


def erf(array):
    return np.frompyfunc(math.erf, 1, 1)(array).astype(np.float64)
