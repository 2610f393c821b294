# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions of the runtime."""


class Error(Exception):
    """What the runtime says went wrong; the other classes derive from it."""


class ArgumentError(Error, ValueError):
    """An argument or a result has a wrong type, shape, device, name or number."""


class DeviceError(Error, RuntimeError):
    """There is no driver or device, or it failed."""


class OutOfMemoryError(Error, MemoryError):
    """Memory of the host or of the device is exhausted."""


class ModelError(Error, OSError):
    """The file is no model, or does not fit this machine."""


class CheckError(Error, RuntimeError):
    """A check of the program failed as it ran, such as one of sizes."""


# ampStatus, amp/Runtime/Model.h
_CLASSES = {
    1: ArgumentError,
    2: DeviceError,
    3: DeviceError,
    4: OutOfMemoryError,
    5: ModelError,
    6: CheckError,
    7: DeviceError,
    8: DeviceError,
}


def from_status(status, text):
    """The exception for a status that is not AMP_OK."""
    return _CLASSES.get(status, Error)(text or f"status {status}")
