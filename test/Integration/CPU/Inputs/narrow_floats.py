"""The 8-bit floats, and what their codes are worth."""
import numpy as np

# mantissa bits, exponent of the smallest normal number, largest finite code, has infinity, is FNUZ
FORMATS = {"f8E4M3FN": (3, -6, 0x7E, False, False), "f8E5M2": (2, -14, 0x7B, True, False), "f8E4M3": (3, -6, 0x77, True, False),
           "f8E3M4": (4, -2, 0x6F, True, False), "f8E4M3FNUZ": (3, -7, 0x7F, False, True),
           "f8E5M2FNUZ": (2, -15, 0x7F, False, True), "f8E4M3B11FNUZ": (3, -10, 0x7F, False, True)}


def value(code, name):
    mantissa, exponent, largest, infinity, fnuz = FORMATS[name]
    sign, magnitude = -1.0 if code & 0x80 else 1.0, code & 0x7F
    if fnuz and code == 0x80:
        return np.nan
    if magnitude > largest:
        return sign * np.inf if infinity and magnitude == largest + 1 else np.nan
    e, m = magnitude >> mantissa, magnitude & ((1 << mantissa) - 1)
    return sign * (m * 2.0 ** (exponent - mantissa) if e == 0 else (1 + m / 2**mantissa) * 2.0 ** (exponent + e - 1))
