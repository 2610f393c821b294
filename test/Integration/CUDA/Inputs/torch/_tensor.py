import ctypes

import numpy as np

from . import _driver as _d
from ._dtypes import float64


class Tensor:
    """Row-major, in memory of the device."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), dtype
        self.nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.storage.itemsize
        self.pointer = _d.make("cuMemAlloc_v2", ctypes.c_size_t(max(1, self.nbytes)))

    def __del__(self):
        _d.call("cuMemFree_v2", self.pointer)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.typestr, "data": (self.pointer.value, False), "version": 3}

    def values(self):
        _d.call("cuCtxSynchronize")
        stored = np.empty(self.shape, self.dtype.storage)
        _d.call("cuMemcpyDtoH_v2", stored.ctypes.data_as(ctypes.c_void_p), self.pointer, ctypes.c_size_t(self.nbytes))
        return self.dtype.unpack(stored)

    def set(self, values):
        stored = np.ascontiguousarray(self.dtype.pack(np.asarray(values)))
        _d.call("cuMemcpyHtoD_v2", self.pointer, stored.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.nbytes))

    def copy_(self, other):
        self.set(other.values())

    def to(self, dtype):
        return make(self.values(), dtype)

    def double(self):
        return self.to(float64)

    def t(self):
        return make(self.values().T, self.dtype)

    def transpose(self, first, second):
        return make(np.swapaxes(self.values(), first, second), self.dtype)

    def permute(self, *axes):
        return make(self.values().transpose(axes), self.dtype)

    def unsqueeze(self, axis):
        return make(np.expand_dims(self.values(), axis), self.dtype)

    def view(self, *shape):
        return make(self.values().reshape(shape), self.dtype)

    reshape = view

    def triu(self, diagonal):
        # As torch's: zeros elsewhere, whatever the number.
        keep = np.triu(np.ones(self.shape, bool), diagonal)
        return make(np.where(keep, self.values(), 0.0), self.dtype)

    def __getitem__(self, index):
        return make(self.values()[index], self.dtype)

    def __iter__(self):
        return (self[i] for i in range(self.shape[0]))

    def __setitem__(self, index, other):
        values = self.values()
        values[index] = other.values()
        self.set(values)

    def data_ptr(self):
        return self.pointer.value

    def contiguous(self):
        return self

    def abs(self):
        return make(abs(self.values()), self.dtype)

    def max(self):
        return make(self.values().max(), self.dtype)

    def __float__(self):
        return float(self.values())

    def _with(self, other, function):
        wide = max((self.dtype, getattr(other, "dtype", self.dtype)), key=lambda dtype: dtype.storage.itemsize)
        return make(function(self.values(), other.values() if isinstance(other, Tensor) else other), wide)

    def __add__(self, other):
        return self._with(other, np.add)

    def __sub__(self, other):
        return self._with(other, np.subtract)

    def __mul__(self, other):
        return self._with(other, np.multiply)

    def __truediv__(self, other):
        return self._with(other, np.divide)


def make(values, dtype):
    values = np.asarray(values)
    tensor = Tensor(values.shape, dtype)
    tensor.set(values)
    return tensor
