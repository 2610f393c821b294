"""Asks a library, without loading the model on a device, for the memory of calls.

    workspace.py LIBRARY FUNCTION SIZE...

prints the bytes for one f32 argument of that shape, or the error.
"""
import ctypes
import sys

from amp_runtime import _abi

library = ctypes.CDLL(sys.argv[1])
_abi.declare(library)
library.ampModelFindFunction.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
description = ctypes.addressof(ctypes.c_char.in_dll(library, "amp_model"))
shape = [int(size) for size in sys.argv[3:]]
argument = _abi.Tensor(dtype=11, rank=len(shape))
argument.shape = _abi.sizes(shape)
found = ctypes.c_int64()
function = library.ampModelFindFunction(description, sys.argv[2].encode())
status = library.ampModelWorkspaceBytes(description, function, ctypes.byref(argument), 1, ctypes.byref(found))
print(f"status {status}: {library.ampLastError().decode()}" if status else f"{found.value} bytes")
