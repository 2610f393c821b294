# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries, without copying them."""

import ctypes
import sys
from typing import Any, NamedTuple, Optional, Tuple

from . import _abi, _dtypes
from ._errors import ArgumentError

#: Values are named in messages by no more than their type.
_PROTOCOLS = "__dlpack__, __cuda_array_interface__ or __array_interface__"


class View(NamedTuple):
    """An array of somebody else."""

    pointer: int
    dtype: _dtypes.Dtype
    shape: Tuple[int, ...]
    #: In elements; None for row-major without gaps.
    strides: Optional[Tuple[int, ...]]
    on_device: bool
    #: Number of the CUDA device, where known.
    device: Optional[int]
    read_only: bool
    #: What keeps the memory alive.
    owner: Any


def has_gaps(view):
    """Whether a view is anything else than row-major without gaps."""
    step = 1
    for size, stride in zip(reversed(view.shape), reversed(view.strides or ())):
        if size > 1 and stride != step:
            return True
        step *= size
    return False


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed:
    """A consumed DLPack capsule: its deleter runs when this object dies."""

    def __init__(self, capsule):
        for name, kind in (
            (b"dltensor_versioned", _abi.DLManagedTensorVersioned),
            (b"dltensor", _abi.DLManagedTensor),
        ):
            if _abi.capsule_is_valid(capsule, name):
                self._address = _abi.capsule_pointer(capsule, name)
                self.managed = kind.from_address(self._address)
                # The name must outlive the capsule.
                self._keep = _USED[name]
                _abi.capsule_set_name(capsule, self._keep)
                return
        self._address = None
        raise ArgumentError("__dlpack__ gave no capsule of DLPack, or one that was used before")

    def __del__(self):
        if self._address and self.managed.deleter:
            _Deleter(self.managed.deleter)(self._address)
            self._address = None


_USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}


def _element_strides(strides, size):
    """Strides in bytes to those in elements."""
    if strides is None:
        return None
    for stride in strides:
        if stride % size:
            raise ArgumentError(f"expected strides of whole elements of {size} bytes, found {stride} bytes")
        if stride < 0:
            raise ArgumentError(f"expected strides of at least 0, found {stride} bytes; copy the array")
    return tuple(stride // size for stride in strides)


def _from_interface(interface, wanted, on_device, owner):
    """From the dictionary of __array_interface__ or __cuda_array_interface__."""
    typestr = interface["typestr"]
    dtype = _dtypes.from_typestr(typestr, wanted)
    if dtype is None:
        raise ArgumentError(f"expected elements of {wanted.name}, found '{typestr}'")
    if interface.get("mask") is not None:
        raise ArgumentError("expected an array without a mask")
    data = interface.get("data")
    if data is None:
        raise ArgumentError("expected an array with a data pointer")
    strides = _element_strides(interface.get("strides"), dtype.size)
    return View(data[0] or 0, dtype, tuple(interface["shape"]), strides, on_device, None, bool(data[1]), owner)


def _from_numpy(array, wanted):
    dtype = _dtypes.from_numpy(array.dtype, wanted)
    if dtype is None:
        raise ArgumentError(f"expected elements of {wanted.name}, found {array.dtype}")
    strides = None if array.flags.c_contiguous else _element_strides(array.strides, dtype.size)
    return View(array.ctypes.data, dtype, array.shape, strides, False, None, not array.flags.writeable, array)


def _ask(value, function, **options):
    """What a function of DLPack's protocol gives. A producer refuses by an exception: torch for tensors that require
    gradients, say."""
    try:
        return getattr(value, function)(**options)
    except (BufferError, RuntimeError, ValueError) as error:
        raise ArgumentError(f"this {type(value).__name__} has no export by DLPack: {error}") from None


def _from_dlpack(value, wanted, stream):
    kind, number = _ask(value, "__dlpack_device__")
    kind = int(kind)
    if kind not in (_abi.DL_CPU, _abi.DL_CUDA, _abi.DL_CUDA_HOST, _abi.DL_CUDA_MANAGED):
        raise ArgumentError(f"expected memory of the CPU or of a CUDA device, found DLPack's device type {kind}")
    on_device = kind in (_abi.DL_CUDA, _abi.DL_CUDA_MANAGED)
    options = {}
    if on_device:
        # DLPack: 1 is the default stream; the producer makes its data ready on
        # the stream that it is told.
        options["stream"] = stream or 1
    try:
        capsule = _ask(value, "__dlpack__", max_version=(1, 0), **options)
    except TypeError:  # older than DLPack 1.0
        capsule = _ask(value, "__dlpack__", **options)
    managed = _Managed(capsule)
    tensor = managed.managed.tensor
    dtype = _dtypes.from_dlpack(tensor.code, tensor.bits) if tensor.lanes == 1 else None
    if dtype is None:
        raise ArgumentError(
            f"expected elements of {wanted.name}, found DLPack's type {tensor.code} of "
            f"{tensor.bits} bits and {tensor.lanes} lanes"
        )
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides and tensor.ndim else None
    for stride in strides or ():
        if stride < 0:
            raise ArgumentError(f"expected strides of at least 0, found {stride}; copy the array")
    flags = getattr(managed.managed, "flags", 0)
    pointer = (tensor.data or 0) + tensor.byte_offset
    device = number if on_device else None
    return View(pointer, dtype, shape, strides, on_device, device, bool(flags & _abi.DL_READ_ONLY), managed)


def _from_torch(value, torch):
    """A plain tensor of torch in memory of the CPU, which its own methods tell of several times as fast as DLPack; None for others."""
    device = getattr(value, "device", None)
    if (
        getattr(device, "type", None) != "cpu"
        or value.layout is not torch.strided
        or value.requires_grad
        or value.is_conj()
        or value.is_neg()
    ):
        return None
    # Its name is "torch.float32".
    dtype = _dtypes.from_torch(value.dtype)
    if dtype is None:
        return None
    strides = None if value.is_contiguous() else value.stride()
    return View(value.data_ptr(), dtype, tuple(value.shape), strides, False, None, False, value)


def view(value, wanted, stream):
    """The array `value`, where elements of `wanted` are expected. Raises
    ArgumentError where it is none."""
    numpy = _loaded_numpy()
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return _from_numpy(numpy.asarray(value), wanted)
    torch = sys.modules.get("torch")
    if torch is not None and type(value) is getattr(torch, "Tensor", None):
        found = _from_torch(value, torch)
        if found is not None:
            return found
    # DLPack first: it orders the streams of both sides.
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _from_dlpack(value, wanted, stream)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        return _from_interface(interface, wanted, True, value)
    interface = getattr(value, "__array_interface__", None)
    if interface is not None:
        return _from_interface(interface, wanted, False, value)
    raise ArgumentError(f"expected an array, with {_PROTOCOLS}; found {type(value).__name__}")


def _loaded_numpy():
    """NumPy, if the program uses it; else None: an array of it cannot come."""
    return sys.modules.get("numpy")
