# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, by the names that each of the protocols has for them."""

import struct
from typing import NamedTuple, Optional


class Dtype(NamedTuple):
    """An element type."""

    #: ampDtype, amp/Runtime/Model.h
    code: int
    #: MLIR's name.
    name: str
    #: NumPy's, or ml_dtypes's.
    numpy_name: str
    #: Of __array_interface__; a "V" is a pattern of bits.
    typestr: str
    #: DLDataTypeCode, dlpack.h
    dlpack: int
    #: Bytes.
    size: int
    #: For scalars: of the module struct, where that has one.
    format: Optional[str] = None


_ALL = (
    Dtype(0, "i1", "bool", "|b1", 6, 1, "?"),
    Dtype(1, "i8", "int8", "|i1", 0, 1, "b"),
    Dtype(2, "i16", "int16", "<i2", 0, 2, "<h"),
    Dtype(3, "i32", "int32", "<i4", 0, 4, "<i"),
    Dtype(4, "i64", "int64", "<i8", 0, 8, "<q"),
    Dtype(5, "ui8", "uint8", "|u1", 1, 1, "B"),
    Dtype(6, "ui16", "uint16", "<u2", 1, 2, "<H"),
    Dtype(7, "ui32", "uint32", "<u4", 1, 4, "<I"),
    Dtype(8, "ui64", "uint64", "<u8", 1, 8, "<Q"),
    Dtype(9, "f16", "float16", "<f2", 2, 2, "<e"),
    Dtype(10, "bf16", "bfloat16", "<V2", 4, 2),
    Dtype(11, "f32", "float32", "<f4", 2, 4, "<f"),
    Dtype(12, "f64", "float64", "<f8", 2, 8, "<d"),
    Dtype(13, "f8E4M3FN", "float8_e4m3fn", "|V1", 10, 1),
    Dtype(14, "f8E5M2", "float8_e5m2", "|V1", 12, 1),
    Dtype(15, "f8E4M3FNUZ", "float8_e4m3fnuz", "|V1", 11, 1),
    Dtype(16, "f8E5M2FNUZ", "float8_e5m2fnuz", "|V1", 13, 1),
    Dtype(17, "f8E4M3B11FNUZ", "float8_e4m3b11fnuz", "|V1", 9, 1),
    Dtype(18, "f8E4M3", "float8_e4m3", "|V1", 8, 1),
    Dtype(19, "f8E3M4", "float8_e3m4", "|V1", 7, 1),
    Dtype(20, "f8E8M0FNU", "float8_e8m0fnu", "|V1", 14, 1),
    Dtype(21, "complex<f32>", "complex64", "<c8", 5, 8),
    Dtype(22, "complex<f64>", "complex128", "<c16", 5, 16),
)
#: Stands for any type that says itself what it is.
ANY = Dtype(-1, "a type that has a name", "", "", -1, 0)
_BY_CODE = {dtype.code: dtype for dtype in _ALL}
_BY_NUMPY_NAME = {dtype.numpy_name: dtype for dtype in _ALL}
#: By NumPy's dtype, and the code of the type that is wanted.
_BY_NUMPY = {}
_BY_TORCH = {}
_BY_DLPACK = {(dtype.dlpack, 8 * dtype.size): dtype for dtype in _ALL}
_BY_TYPESTR = {dtype.typestr: dtype for dtype in _ALL if dtype.typestr != "|V1"}


def from_code(code):
    return _BY_CODE[code]


def from_dlpack(code, bits):
    """The type, or None."""
    return _BY_DLPACK.get((code, bits))


def from_typestr(typestr, wanted):
    """The type, or None. A pattern of 8 bits is the 8-bit float wanted."""
    if typestr in ("|V1", "<V1", "<f1", "|f1"):
        return wanted if wanted.typestr == "|V1" else None
    if typestr == "|V2":
        typestr = "<V2"
    return _BY_TYPESTR.get(typestr)


def from_numpy(dtype, wanted):
    """The type of a NumPy dtype, or None."""
    key = dtype, wanted.code
    if key not in _BY_NUMPY:
        # NumPy makes a name anew each time, which takes longer than all else.
        found = _BY_NUMPY_NAME.get(dtype.name) or from_typestr(dtype.str, wanted)
        _BY_NUMPY[key] = found if dtype.isnative else None
    return _BY_NUMPY[key]


def from_torch(dtype):
    """The type of a torch dtype, or None."""
    if dtype not in _BY_TORCH:
        _BY_TORCH[dtype] = _BY_NUMPY_NAME.get(str(dtype).rpartition(".")[2])
    return _BY_TORCH[dtype]


def as_wanted(found, wanted):
    """MLIR's integers have no sign: `wanted` where `found` is as wide."""
    if found.dlpack in (0, 1) and wanted.dlpack == 0 and found.size == wanted.size:
        return wanted
    return found


def numpy_dtype(dtype, numpy):
    """The NumPy dtype: ml_dtypes' where NumPy has none, or else plain bits."""
    if dtype.typestr not in ("<V2", "|V1"):
        return numpy.dtype(dtype.numpy_name)
    try:
        import ml_dtypes

        return numpy.dtype(getattr(ml_dtypes, dtype.numpy_name))
    except (ImportError, AttributeError):
        return numpy.dtype(dtype.typestr)


def _bfloat16_bits(value):
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    if bits & 0x7FFFFFFF > 0x7F800000:
        return bits >> 16 | 0x40
    return bits + 0x7FFF + (bits >> 16 & 1) >> 16


def pack_scalar(dtype, value):
    """The bytes of a number. Raises TypeError, ValueError, OverflowError or
    struct.error where the type does not hold it."""
    if isinstance(value, (bytes, bytearray)) and len(value) == dtype.size:
        return bytes(value)
    if dtype.name == "bf16":
        return struct.pack("<H", _bfloat16_bits(float(value)))
    if dtype.format is None:
        import ml_dtypes
        import numpy

        return numpy.array(value).astype(getattr(ml_dtypes, dtype.numpy_name)).tobytes()
    if dtype.dlpack in (0, 1):
        value = value.__index__()
    elif dtype.dlpack == 6:
        value = bool(value)
    else:
        value = float(value)
    return struct.pack(dtype.format, value)


def unpack_scalar(dtype, data):
    """The number in the bytes; the bytes where Python has no such number."""
    if dtype.name == "bf16":
        return struct.unpack("<f", b"\0\0" + data)[0]
    if dtype.format is None:
        return data
    return struct.unpack(dtype.format, data)[0]
