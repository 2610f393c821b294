"""Matrix products by cublasLt, through ctypes: the fastest of its first eight heuristics.

Constants are those of cublasLt.h, of CUDA 12 and 13. All matrices are row-major; the
library is column-major, so it is asked for Y^T = B^T A^T.
"""
import ctypes
import glob
import os
import statistics
import sys

import torch

HEURISTICS = 8
WORKSPACE_BYTES = 64 << 20

#: Type of data, of the computation, and of its scales.
R_32F, R_16F, R_8I, R_32I, R_16BF, R_8F_E4M3, R_8F_E5M2 = 0, 2, 3, 10, 14, 28, 29
COMPUTE_32F, COMPUTE_32I, COMPUTE_32F_FAST_TF32 = 68, 72, 77
TYPES = {"f16": (R_16F, R_16F), "bf16": (R_16BF, R_16BF), "tf32": (R_32F, R_32F), "i8": (R_8I, R_32I),
         "f8E4M3FN": (R_8F_E4M3, R_16BF), "f8E5M2": (R_8F_E5M2, R_16BF)}
EPILOGUES = {"": 1, "bias_relu": 2 | 4, "bias_gelu": 32 | 4}
TRANSA, TRANSB, EPILOGUE, BIAS_POINTER, FAST_ACCUM = 3, 4, 7, 8, 25
BATCH_COUNT, STRIDED_BATCH_OFFSET = 5, 6
MAX_WORKSPACE_BYTES = 1


class HeuristicResult(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t"""

    _fields_ = [("algo", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


class Library:
    """One handle and its workspace."""

    def __init__(self):
        self.library = self.find()
        self.handle = ctypes.c_void_p()
        self.call("cublasLtCreate", ctypes.byref(self.handle))
        self.workspace = torch.empty(WORKSPACE_BYTES, device="cuda", dtype=torch.uint8)

    @staticmethod
    def find():
        """AMP_CUBLASLT, the one that torch has loaded or brought, or the system's."""
        beside = [path for folder in sys.path for path in glob.glob(os.path.join(folder, "nvidia", "*", "lib", "libcublasLt.so.*"))]
        for name in filter(None, (os.environ.get("AMP_CUBLASLT"), "libcublasLt.so.13", "libcublasLt.so.12", *sorted(beside, reverse=True))):
            try:
                return ctypes.CDLL(name)
            except OSError:
                continue
        raise RuntimeError("libcublasLt.so was not found; AMP_CUBLASLT may name it")

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} failed with status {status}")

    def set(self, function, handle, attribute, value):
        self.call(function, handle, attribute, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(value)))


class Product:
    """One shape, with the algorithm that was fastest when it was made."""

    def __init__(self, library, a, b, y, layout, bias, epilogue, element):
        self.library = library
        data, result = TYPES[element]
        is_integer = element == "i8"
        compute = COMPUTE_32I if is_integer else COMPUTE_32F_FAST_TF32 if element == "tf32" else COMPUTE_32F
        scale = ctypes.c_int32 if is_integer else ctypes.c_float
        self.one, self.zero = scale(1), scale(0)
        self.description = ctypes.c_void_p()
        library.call("cublasLtMatmulDescCreate", ctypes.byref(self.description), compute, R_32I if is_integer else R_32F)
        # Stored transposed for us is as it is for a column-major library.
        flags = [(TRANSA, ctypes.c_int32(layout[1] == "t")), (TRANSB, ctypes.c_int32(layout[0] == "t")), (EPILOGUE, ctypes.c_uint32(EPILOGUES[epilogue]))]
        if element.startswith("f8"):
            flags.append((FAST_ACCUM, ctypes.c_int8(1)))
        for attribute, value in flags:
            library.set("cublasLtMatmulDescSetAttribute", self.description, attribute, value)
        self.has_bias = bias is not None
        self.set_bias(bias)
        self.layouts = [self.layout_of(b, data), self.layout_of(a, data), self.layout_of(y, result)]
        self.algorithms = self.heuristics()
        self.algorithm = min(self.algorithms, key=lambda algorithm: self.microseconds(algorithm, a, b, y))

    def set_bias(self, bias):
        if self.has_bias:
            self.library.set("cublasLtMatmulDescSetAttribute", self.description, BIAS_POINTER, ctypes.c_void_p(bias.data_ptr()))

    def layout_of(self, tensor, kind):
        rows, columns = tensor.shape[-2:]
        handle = ctypes.c_void_p()
        self.library.call("cublasLtMatrixLayoutCreate", ctypes.byref(handle), kind, ctypes.c_uint64(columns), ctypes.c_uint64(rows),
                          ctypes.c_int64(columns))
        if len(tensor.shape) == 3:
            for attribute, value in ((BATCH_COUNT, ctypes.c_int32(tensor.shape[0])), (STRIDED_BATCH_OFFSET, ctypes.c_int64(rows * columns))):
                self.library.set("cublasLtMatrixLayoutSetAttribute", handle, attribute, value)
        return handle

    def heuristics(self):
        preference, found = ctypes.c_void_p(), ctypes.c_int()
        self.library.call("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
        self.library.set("cublasLtMatmulPreferenceSetAttribute", preference, MAX_WORKSPACE_BYTES, ctypes.c_size_t(WORKSPACE_BYTES))
        results = (HeuristicResult * HEURISTICS)()
        first, second, last = self.layouts
        self.library.call("cublasLtMatmulAlgoGetHeuristic", self.library.handle, self.description, first, second, last, last, preference,
                          HEURISTICS, results, ctypes.byref(found))
        usable = [result.algo for result in results[:found.value] if result.state == 0]
        if not usable:
            raise RuntimeError("cublasLt has no algorithm for this product")
        return usable

    def run(self, algorithm, a, b, y):
        first, second, last = self.layouts
        pointer, stream = ctypes.c_void_p, torch.cuda.current_stream().cuda_stream
        self.library.call("cublasLtMatmul", self.library.handle, self.description, ctypes.byref(self.one), pointer(b.data_ptr()), first,
                          pointer(a.data_ptr()), second, ctypes.byref(self.zero), pointer(y.data_ptr()), last, pointer(y.data_ptr()), last,
                          ctypes.byref(algorithm), pointer(self.library.workspace.data_ptr()), ctypes.c_size_t(WORKSPACE_BYTES), pointer(stream))

    def microseconds(self, algorithm, a, b, y):
        times = []
        for _ in range(5):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            self.run(algorithm, a, b, y)
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end))
        return statistics.median(times[1:])


_library = None
_products = {}


def matmul(a, b, y, layout, bias, epilogue, element):
    """y = epilogue(a b + bias). The first call for a shape chooses the algorithm, and must not be captured."""
    global _library
    _library = _library or Library()
    key = (tuple(a.shape), tuple(b.shape), layout, epilogue, element)
    if key not in _products:
        _products[key] = Product(_library, a, b, y, layout, bias, epilogue, element)
    product = _products[key]
    product.set_bias(bias)
    product.run(product.algorithm, a, b, y)
    return y
