# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""amp/Runtime/Model.h and dlpack.h for ctypes."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

DYNAMIC = -(2**63)
SCALAR = 1
WEIGHT = 2


class Tensor(Structure):
    """ampTensor"""

    _fields_ = [
        ("data", c_void_p),
        ("dtype", c_int32),
        ("rank", c_int32),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("on_device", c_int32),
        ("reserved", c_int32),
    ]


class ValueInfo(Structure):
    """ampValueInfo"""

    _fields_ = [
        ("name", c_char_p),
        ("dtype", c_int32),
        ("rank", c_int32),
        ("shape", POINTER(c_int64)),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class FunctionInfo(Structure):
    """ampFunctionInfo"""

    _fields_ = [
        ("name", c_char_p),
        ("num_arguments", c_int32),
        ("num_results", c_int32),
        ("arguments", POINTER(ValueInfo)),
        ("results", POINTER(ValueInfo)),
        ("workspace_bytes", c_int64),
    ]


class ModelStats(Structure):
    """ampModelStats"""

    _fields_ = [
        ("constant_bytes", c_uint64),
        ("prepared_bytes", c_uint64),
        ("pool_bytes", c_uint64),
        ("pool_used_bytes", c_uint64),
        ("plain_runs", c_uint64),
        ("graph_runs", c_uint64),
        ("graphs_built", c_uint64),
        ("graph_updates", c_uint64),
        ("preparations", c_uint64),
        ("kernels_launched", c_uint64),
    ]


class DLTensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class DLManagedTensor(Structure):
    _fields_ = [
        ("tensor", DLTensor),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
    ]


class DLManagedTensorVersioned(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("tensor", DLTensor),
    ]


#: Of DLManagedTensorVersioned.flags.
DL_READ_ONLY = 1
#: DLDeviceType.
DL_CPU, DL_CUDA, DL_CUDA_HOST, DL_CUDA_MANAGED = 1, 2, 3, 13

#: What a library must have: names, result types, argument types.
_FUNCTIONS = {
    "ampLastError": (c_char_p, []),
    "ampModelNumFunctions": (c_int32, [c_void_p]),
    "ampModelFunction": (c_int32, [c_void_p, c_int32, POINTER(FunctionInfo)]),
    "ampModelWorkspaceBytes": (c_int32, [c_void_p, c_int32, POINTER(Tensor), c_int32, POINTER(c_int64)]),
    "ampModelManifest": (c_char_p, [c_void_p]),
    "ampModelLoad": (c_int32, [c_void_p, c_int32, POINTER(c_void_p)]),
    "ampModelLevel": (c_char_p, [c_void_p]),
    "ampModelUnload": (None, [c_void_p]),
    "ampModelRun": (c_int32, [c_void_p, c_int32, POINTER(Tensor), c_int32, POINTER(Tensor), c_int32, c_void_p]),
    "ampModelFree": (c_int32, [c_void_p, POINTER(Tensor), c_void_p]),
    "ampModelReloadWeights": (c_int32, [c_void_p, c_int32]),
    "ampModelSynchronize": (c_int32, [c_void_p, c_void_p]),
    "ampModelGetStats": (c_int32, [c_void_p, POINTER(ModelStats)]),
    "ampModelAllocate": (c_int32, [c_void_p, c_uint64, POINTER(c_void_p), c_void_p]),
    "ampModelUpload": (c_int32, [c_void_p, c_void_p, c_void_p, c_uint64, c_void_p]),
    "ampModelDownload": (c_int32, [c_void_p, c_void_p, c_void_p, c_uint64, c_void_p]),
}


def declare(library):
    """Gives the functions of a library their types. Raises AttributeError where
    one is not there."""
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


def sizes(values):
    """An array of int64_t; never empty, so that its address is one."""
    return (c_int64 * max(1, len(values)))(*values)


_api = ctypes.pythonapi
_api.PyCapsule_GetPointer.restype = c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, c_char_p]
_api.PyCapsule_IsValid.restype = ctypes.c_int
_api.PyCapsule_IsValid.argtypes = [ctypes.py_object, c_char_p]
_api.PyCapsule_SetName.restype = ctypes.c_int
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, c_char_p]
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]

capsule_pointer = _api.PyCapsule_GetPointer
capsule_is_valid = _api.PyCapsule_IsValid
capsule_set_name = _api.PyCapsule_SetName
capsule_new = _api.PyCapsule_New

# A capsule that is being destroyed must not be referred to again, so these take
# its address. The prototypes above stay as they are: these are other objects.
_IsValidAt = ctypes.PYFUNCTYPE(ctypes.c_int, c_void_p, c_char_p)
_PointerAt = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)
capsule_is_valid_at = _IsValidAt(("PyCapsule_IsValid", _api))
capsule_pointer_at = _PointerAt(("PyCapsule_GetPointer", _api))
