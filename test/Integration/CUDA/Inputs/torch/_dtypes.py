import numpy as np


class Dtype:
    def __init__(self, name, storage, typestr):
        self.name, self.storage, self.typestr = name, np.dtype(storage), typestr

    def pack(self, values):
        """Numbers to the elements in memory, to nearest even."""
        if self.name in _PATTERNS:
            return _nearest(values, _PATTERNS[self.name])
        if self.name != "bfloat16":
            return values.astype(self.storage)
        bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)

    def unpack(self, stored):
        if self.name in _PATTERNS:
            return _PATTERNS[self.name][stored]
        if self.name != "bfloat16":
            return stored.astype(np.float64)
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def _numbers(exponent_bits, bias, finite):
    """What each of the 256 patterns of an 8-bit float stands for; `finite` of the positive ones are finite."""
    mantissa_bits = 7 - exponent_bits
    pattern = np.arange(128)
    exponent, mantissa = pattern >> mantissa_bits, (pattern & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    size = np.where(exponent > 0, (1 + mantissa) * 2.0 ** (exponent - bias), mantissa * 2.0 ** (1 - bias))
    size[finite:] = np.nan
    return np.concatenate([size, -size])


def _nearest(values, numbers):
    """The pattern of the nearest number, of two equally near ones the even one; values are finite and in range."""
    positive = numbers[:128][~np.isnan(numbers[:128])]
    size = np.abs(values)
    high = np.clip(np.searchsorted(positive, size), 1, len(positive) - 1)
    low = high - 1
    below, above = size - positive[low], positive[high] - size
    pick = np.where((below < above) | ((below == above) & (low % 2 == 0)), low, high)
    return (pick + np.where(np.signbit(values), 128, 0)).astype(np.uint8)


_PATTERNS = {"float8_e4m3fn": _numbers(4, 7, 127), "float8_e5m2": _numbers(5, 15, 124)}
float64, float32 = Dtype("float64", "<f8", "<f8"), Dtype("float32", "<f4", "<f4")
float16, bfloat16 = Dtype("float16", "<f2", "<f2"), Dtype("bfloat16", "<u2", "<V2")
uint8 = Dtype("uint8", "|u1", "|u1")
int8, int32 = Dtype("int8", "|i1", "|i1"), Dtype("int32", "<i4", "<i4")
float8_e4m3fn, float8_e5m2 = Dtype("float8_e4m3fn", "|u1", "|V1"), Dtype("float8_e5m2", "|u1", "|V1")
