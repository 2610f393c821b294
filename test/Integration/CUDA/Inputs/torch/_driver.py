"""The driver that AMP_CUDA_DRIVER names."""
import ctypes
import os

_library = ctypes.CDLL(os.environ["AMP_CUDA_DRIVER"])


def call(name, *arguments):
    error = getattr(_library, name)(*arguments)
    if error:
        raise RuntimeError(f"{name}: CUDA error {error}")


def make(name, *arguments):
    """What a function writes to its first argument."""
    result = ctypes.c_void_p()
    call(name, ctypes.byref(result), *arguments)
    return result


call("cuInit", 0)
_context = ctypes.c_void_p()
call("cuDevicePrimaryCtxRetain", ctypes.byref(_context), 0)
call("cuCtxSetCurrent", _context)
