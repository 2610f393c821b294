"""Reads out of bounds of an array (argument `array`), or of a buffer of the runtime that is shorter than its block (`buffer`) or free (`free`)."""
import ctypes
import sys

import numpy as np
from harness import RUNTIME, Module

module = Module("""func.func @pick(%x: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %x[%i] : tensor<?xf32>
  return %0 : f32
}""")
module.lib.pick.restype = ctypes.c_float
array = np.arange(8, dtype=np.float32)
address = array.ctypes.data
if sys.argv[1] != "array":
    RUNTIME.amp_alloc.restype = ctypes.c_void_p
    address = RUNTIME.amp_alloc(ctypes.c_uint64(32))
    ctypes.memmove(address, array.ctypes.data, 32)


def pick(i):
    return module.lib.pick(*(ctypes.c_void_p(address),) * 2, *map(ctypes.c_int64, (0, 8, 1, i)))


assert pick(7) == 7
print("inside", flush=True)
if sys.argv[1] == "free":
    RUNTIME.amp_free(address)
    pick(7)
else:
    pick(8)
print("outside")
