# Arrays of ml_dtypes: bfloat16 and 8-bit floats in NumPy, in and out without a copy.
# REQUIRES: ml_dtypes
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: %python %S/Inputs/float8.py > %t/float8.mlir
# RUN: amp-compile %t/float8.mlir -o %t/float8.so
# RUN: %ml_dtypes_python %s %t/float8.so %amp_src/python
import sys

import ml_dtypes
import numpy as np

sys.path.insert(0, sys.argv[2])
import amp_runtime  # noqa: E402

model = amp_runtime.load(sys.argv[1])
TYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "f8E4M3FNUZ": "float8_e4m3fnuz",
         "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz", "f8E4M3": "float8_e4m3",
         "f8E3M4": "float8_e3m4", "f8E8M0FNU": "float8_e8m0fnu"}
assert set(model.functions) == set(TYPES)
for name, numpy_name in TYPES.items():
    dtype = np.dtype(getattr(ml_dtypes, numpy_name))
    function = model.functions[name]
    patterns = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}")
    values = patterns.view(dtype)
    copy, wide = function(values) if len(function.results) == 2 else (function(values), values.astype(np.float32))
    # Every bit pattern, of that type again; and the same numbers in f32 as ml_dtypes reads.
    assert copy.dtype == dtype and np.array_equal(copy.view(patterns.dtype), patterns), name
    assert np.array_equal(wide, values.astype(np.float32), equal_nan=True), name
    # Into an array of the caller, of every other element, and from one.
    out = np.zeros(2 * values.size, dtype)[::2]
    function(values, out=[out, None][:len(function.results)])
    assert np.array_equal(out.view(patterns.dtype), patterns), name
    for other in (np.float16, np.int8, np.float32):
        try:
            function(np.zeros(4, other))
        except amp_runtime.ArgumentError as error:
            assert f"expected {name} [?]" in str(error), error
        else:
            raise AssertionError(f"{name} took {np.dtype(other)}")
    number = model.upload(values[:3])
    assert number.dtype == name and number.numpy().dtype == dtype
