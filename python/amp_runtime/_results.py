# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that the runtime has allocated, for other libraries."""

import atexit
import ctypes

from . import _abi, _dtypes
from ._errors import from_status

# What DLPack's consumers hold, by the address of the structure that they have.
_exported = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(address):
    _exported.pop(address, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _drop_capsule(capsule):
    """Of a capsule that nobody has consumed."""
    for name in (b"dltensor", b"dltensor_versioned"):
        if _abi.capsule_is_valid_at(capsule, name):
            _exported.pop(_abi.capsule_pointer_at(capsule, name), None)


@atexit.register
def _let_go():
    """Consumers that outlive Python must not call into it."""
    for managed, _, _ in _exported.values():
        managed.deleter = None


def _contiguous_strides(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


class Array:
    """A result: row-major, without gaps, in memory of the model's device.

    It exports ``__dlpack__``; on the CPU ``__array_interface__``, so that
    ``numpy.asarray`` takes it, and on CUDA ``__cuda_array_interface__``. Its
    memory is freed when neither it nor anything that it was exported to is
    left.
    """

    def __init__(self, handle, dtype, tensor, stream):
        self._handle = handle
        self._dtype = dtype
        self._tensor = tensor
        self._stream = stream
        #: The sizes.
        self.shape = tuple(tensor.shape[: tensor.rank])

    def __del__(self):
        if getattr(self, "_tensor", None) is not None and self._tensor.data:
            # Nobody is there to hear of a failure.
            self._handle.library.ampModelFree(self._handle.model, self._tensor, self._stream)

    @property
    def dtype(self):
        """MLIR's name of the element type, such as "bf16"."""
        return self._dtype.name

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        """The number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    @property
    def nbytes(self):
        return self.size * self._dtype.size

    @property
    def data_ptr(self):
        """The address of the first element."""
        return self._tensor.data

    @property
    def on_device(self):
        return bool(self._tensor.on_device)

    def tobytes(self):
        """A copy of the elements; waits for the work that makes them."""
        if not self.on_device:
            return ctypes.string_at(self.data_ptr, self.nbytes) if self.nbytes else b""
        data = (ctypes.c_char * max(1, self.nbytes))()
        self._handle.check(
            self._handle.library.ampModelDownload(
                self._handle.model, data, self.data_ptr, self.nbytes, self._stream
            )
        )
        return bytes(data)[: self.nbytes]

    def tolist(self):
        """Nested lists of numbers (of bytes, for 8-bit floats)."""
        data, width = self.tobytes(), self._dtype.size
        flat = [_dtypes.unpack_scalar(self._dtype, data[i : i + width]) for i in range(0, len(data), width)]

        def nest(shape, begin, end):
            if not shape:
                return flat[begin]
            step = (end - begin) // shape[0] if shape[0] else 0
            return [nest(shape[1:], begin + i * step, begin + (i + 1) * step) for i in range(shape[0])]

        return nest(self.shape, 0, len(flat))

    def numpy(self):
        """A NumPy array: of the same memory on the CPU, else a copy of it."""
        import numpy

        dtype = _dtypes.numpy_dtype(self._dtype, numpy)
        if self.on_device:
            return numpy.frombuffer(bytearray(self.tobytes()), dtype=dtype).reshape(self.shape)
        return numpy.asarray(_Interface(self)).view(dtype)

    def __array__(self, dtype=None, copy=None):
        if self.on_device and copy is False:
            raise ValueError("an array on a CUDA device cannot be seen without a copy")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def __getattr__(self, name):
        # Absent, rather than wrong, on the other kind of device.
        if name == "__array_interface__" and not self.on_device:
            return _interface(self)
        if name == "__cuda_array_interface__" and self.on_device:
            return {**_interface(self), "version": 3, "strides": None, "stream": self._stream or 1}
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dlpack_device__(self):
        if self.on_device:
            return (_abi.DL_CUDA, self._handle.device)
        return (_abi.DL_CPU, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError(f"the array is on device {self.__dlpack_device__()}, not {dl_device}")
        if copy:
            raise BufferError("the array is exported without a copy only")
        if self.on_device and stream not in (-1, self._stream or 1):
            # The consumer works on another stream than the one that the result
            # is made on.
            self._handle.check(self._handle.library.ampModelSynchronize(self._handle.model, self._stream))
        return _export(self, max_version is not None and max_version[0] >= 1)

    def __repr__(self):
        return f"<amp_runtime.Array {self.dtype} {list(self.shape)} on {'cuda' if self.on_device else 'cpu'}>"


class _Interface:
    """What NumPy keeps as the base of an array."""

    def __init__(self, array):
        self._array = array
        self.__array_interface__ = _interface(array)


def _interface(array):
    return {"shape": array.shape, "typestr": array._dtype.typestr, "data": (array.data_ptr or 0, False), "version": 3}


def _export(array, is_versioned):
    """A capsule of DLPack that keeps the array alive."""
    shape, strides = _abi.sizes(array.shape), _abi.sizes(_contiguous_strides(array.shape))
    managed = _abi.DLManagedTensorVersioned() if is_versioned else _abi.DLManagedTensor()
    tensor = managed.tensor
    tensor.data = array.data_ptr
    tensor.device_type, tensor.device_id = array.__dlpack_device__()
    tensor.ndim = array.ndim
    tensor.code, tensor.bits, tensor.lanes = array._dtype.dlpack, 8 * array._dtype.size, 1
    tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = ctypes.cast(_delete, ctypes.c_void_p)
    if is_versioned:
        managed.major = 1
    address = ctypes.addressof(managed)
    _exported[address] = (managed, array, (shape, strides))
    name = b"dltensor_versioned" if is_versioned else b"dltensor"
    return _abi.capsule_new(address, name, ctypes.cast(_drop_capsule, ctypes.c_void_p))
