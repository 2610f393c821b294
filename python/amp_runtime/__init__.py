# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models that amp-compile has made.

    import amp_runtime

    model = amp_runtime.load("model.so")
    y = model(x)                      # the only function, or "main"
    y = model.main(x, w=w)            # arguments by position or by name
    model.main(x, out=y)              # results into arrays of the caller

Nothing but Python is needed; with NumPy, results of models for the CPU are
NumPy arrays. Arguments may be NumPy arrays and anything that exports
``__dlpack__``, ``__cuda_array_interface__`` or ``__array_interface__``, such as
tensors of torch and CuPy; they are not copied unless they are on the other side
of the bus, or have gaps between their rows. Results of models for CUDA export
the same protocols.

docs/python-runtime.md is the manual.
"""

from ._errors import ArgumentError, CheckError, DeviceError, Error, ModelError, OutOfMemoryError
from ._model import Function, Model, Value, load
from ._results import Array

__all__ = [
    "load",
    "Model",
    "Function",
    "Value",
    "Array",
    "Error",
    "ArgumentError",
    "CheckError",
    "DeviceError",
    "ModelError",
    "OutOfMemoryError",
]
