"""Compiles functions on tensors with amp-lower-to-cpu and calls them on NumPy arrays.

Environment: AMP_OPT, MLIR_TRANSLATE, LLC, AMP_RUNTIME name the tools and the runtime library; CXX links.
"""
import ctypes
import os
import subprocess
import tempfile

import numpy as np

RUNTIME = ctypes.CDLL(os.environ["AMP_RUNTIME"], mode=ctypes.RTLD_GLOBAL)
RUNTIME.amp_free.argtypes = [ctypes.c_void_p]
RUNTIME.amp_live_bytes.restype = ctypes.c_int64

# Types that NumPy lacks travel as their bits.
NUMPY = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16, "f8E4M3FN": np.uint8,
         "f8E5M2": np.uint8, "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i1": np.bool_,
         "index": np.int64}


def to_bf16(x):
    """f32 or f64 array to bf16 bits, to nearest even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def narrow(x, dtype):
    """`x` rounded to `dtype`, in that type's representation."""
    return to_bf16(x) if dtype == "bf16" else np.asarray(x).astype(NUMPY[dtype])


def widen(x, dtype):
    """An array in `dtype`'s representation as f64 (integers as int64)."""
    if dtype == "bf16":
        return from_bf16(x).astype(np.float64)
    return x.astype(np.int64 if x.dtype.kind in "iub" else np.float64)


def _descriptor(rank):
    class Descriptor(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)] + (
            [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)] if rank else [])
    return Descriptor


def _pack(array):
    d = _descriptor(array.ndim)()
    d.allocated = d.aligned = array.ctypes.data
    d.offset = 0
    for i in range(array.ndim):
        d.sizes[i] = array.shape[i]
        d.strides[i] = int(np.prod(array.shape[i + 1:], dtype=np.int64))
    return d


class Module:
    def __init__(self, source, pipeline="amp-lower-to-cpu", cpu="native", attrs=""):
        self.dir = tempfile.TemporaryDirectory()
        base = os.path.join(self.dir.name, "m")
        with open(base + ".mlir", "w") as f:
            f.write(source)
        run = lambda *cmd: subprocess.run(cmd, check=True)
        run(os.environ["AMP_OPT"], base + ".mlir", f"--pass-pipeline=builtin.module({pipeline})", "-o", base + ".llvm.mlir")
        run(os.environ["MLIR_TRANSLATE"], "--mlir-to-llvmir", base + ".llvm.mlir", "-o", base + ".ll")
        run(os.environ["LLC"], "-O3", f"-mcpu={cpu}", *([f"-mattr={attrs}"] if attrs else []), "-relocation-model=pic",
            "-filetype=obj", base + ".ll", "-o", base + ".o")
        run(os.environ.get("CXX", "c++"), "-shared", base + ".o", os.environ["AMP_RUNTIME"], "-lm", "-o", base + ".so")
        self.lib = ctypes.CDLL(base + ".so")
        self.base = base

    def prepare(self, name, args, results):
        """`results` is a list of (element type, rank). Returns a call and a way to take its results."""
        structs = [_descriptor(rank) for _, rank in results]

        class Result(ctypes.Structure):
            _fields_ = [(f"r{i}", s) for i, s in enumerate(structs)]
        out = Result()
        packed = [ctypes.byref(_pack(a)) if isinstance(a, np.ndarray) else a for a in args]
        function = getattr(self.lib, "_mlir_ciface_" + name)
        function.restype = None

        def call():
            function(ctypes.byref(out), *packed)

        def take(copy=True):
            arrays = []
            for i, (dtype, rank) in enumerate(results):
                d = getattr(out, f"r{i}")
                if copy:
                    shape = [d.sizes[k] for k in range(rank)]
                    strides = [d.strides[k] for k in range(rank)]
                    dt = np.dtype(NUMPY[dtype])
                    count = 0 if 0 in shape else 1 + sum((s - 1) * t for s, t in zip(shape, strides))
                    raw = ctypes.string_at(d.aligned + d.offset * dt.itemsize, count * dt.itemsize)
                    flat = np.frombuffer(raw, dt)
                    arrays.append(np.lib.stride_tricks.as_strided(flat, shape, [t * dt.itemsize for t in strides]).copy())
                RUNTIME.amp_free(d.allocated)
            return arrays
        return call, take

    def __call__(self, name, args, results):
        """Calls once; checks that the arguments stay as they are and that nothing leaks."""
        before = [a.copy() for a in args if isinstance(a, np.ndarray)]
        live = RUNTIME.amp_live_bytes()
        call, take = self.prepare(name, args, results)
        call()
        arrays = take()
        for a, b in zip([a for a in args if isinstance(a, np.ndarray)], before):
            assert a.tobytes() == b.tobytes(), f"{name} wrote into an argument"
        assert RUNTIME.amp_live_bytes() == live, f"{name} leaks {RUNTIME.amp_live_bytes() - live} bytes"
        return arrays
