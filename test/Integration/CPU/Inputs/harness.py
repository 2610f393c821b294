"""Compiles functions on tensors with amp-lower-to-cpu and calls them on NumPy arrays.

Environment: AMP_RUNTIME is the runtime library; AMP_OBJECTS names what else is linked, before that, and AMP_ATTRS features for LLC; AMP_OPT, MLIR_TRANSLATE, LLC and CXX name the tools where PATH does not.
With AMP_SANITIZE the code goes through AddressSanitizer (address) or ThreadSanitizer (thread), whose library is preloaded; LLVM's opt is OPT where PATH does not name it.
A command line argument replaces the pass pipeline; for a device, arguments are options of amp-compile.

With AMP_TARGET=sim programs run on the simulator of a device instead: AMP_COMPILE makes a library, amp_runtime loads it.
"""
import ctypes
import functools
import itertools
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

TARGET = os.environ.get("AMP_TARGET", "cpu")
if "AMP_RUNTIME" in os.environ:
    RUNTIME = ctypes.CDLL(os.environ["AMP_RUNTIME"], mode=ctypes.RTLD_GLOBAL)
    RUNTIME.amp_free.argtypes = [ctypes.c_void_p]
    RUNTIME.amp_live_bytes.restype = ctypes.c_int64
    RUNTIME.amp_alloc.argtypes, RUNTIME.amp_alloc.restype = [ctypes.c_uint64], ctypes.c_void_p

if "AMP_SANITIZE" in os.environ:
    # Compilers need not run with its memory.
    os.environ.pop("LD_PRELOAD", None)

# LLVM's passes. ThreadSanitizer sees accesses of up to 16 bytes, and none that are masked.
SANITIZERS = {"address": "asan", "thread": "tsan-module,function(scalarize-masked-mem-intrin,scalarizer<load-store>,tsan)"}

# Types that NumPy lacks travel as their bits.
NUMPY = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16, "f8E4M3FN": np.uint8,
         "f8E5M2": np.uint8, "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i1": np.bool_,
         "index": np.int64}


def to_bf16(x):
    """f32 or f64 array to bf16 bits, to nearest even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.int64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return np.left_shift(bits, 16, dtype=np.uint32).view(np.float32)


def narrow(x, dtype):
    """`x` rounded to `dtype`, in that type's representation."""
    return to_bf16(x) if dtype == "bf16" else np.asarray(x).astype(NUMPY[dtype])


def random_values(rng, shape, dtype):
    """Any i8, or numbers from -1 to 1 rounded to `dtype`."""
    return rng.integers(-128, 128, shape).astype(np.int8) if dtype == "i8" else narrow(rng.uniform(-1, 1, shape), dtype)


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


def place(array, behind):
    """A copy that begins `behind` bytes behind a line of the caches: code may ask for that. Where a sanitizer looks for reads past its end, one that is a block of its own."""
    if "AMP_SANITIZE" in os.environ:
        return array.copy()
    raw = np.empty(array.nbytes + 64 + behind, np.uint8)
    start = -raw.ctypes.data % 64 + behind
    copy = raw[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def fill_free_memory():
    """Makes NaN of what blocks that the runtime hands out next hold: nothing may depend on that."""
    blocks = []
    for bits in range(12, 21):
        for _ in range(3):
            blocks.append(RUNTIME.amp_alloc((1 << bits) - 128))
            ctypes.memset(blocks[-1], 0xff, (1 << bits) - 128)
    for block in blocks:
        RUNTIME.amp_free(block)


class Module:
    def __init__(self, source, pipeline="amp-lower-to-cpu", cpu="native", attrs="", optimize=False):
        """`optimize`: through LLVM's passes of -O3 first, as amp-compile and amp-run do."""
        self.dir = tempfile.TemporaryDirectory()
        base = os.path.join(self.dir.name, "m")
        with open(base + ".mlir", "w") as f:
            f.write(source)
        attrs = attrs or os.environ.get("AMP_ATTRS", "")
        objects = ["-Wl,-Bsymbolic", *os.environ["AMP_OBJECTS"].split()] if "AMP_OBJECTS" in os.environ else []
        tool = lambda name, default: os.environ.get(name, default)
        run = lambda *cmd: subprocess.run(cmd, check=True)
        run(tool("AMP_OPT", "amp-opt"), base + ".mlir", "--allow-unregistered-dialect", f"--pass-pipeline=builtin.module({pipeline})", "--emit-bytecode", "-o", base + ".mlirbc")
        run(tool("MLIR_TRANSLATE", "mlir-translate"), "--mlir-to-llvmir", base + ".mlirbc", "-o", base + ".ll")
        # amp leaves the triple open; where the shadow of memory lies depends on it, and what an instruction costs.
        triple = subprocess.run([tool("CXX", "c++"), "-dumpmachine"], check=True, capture_output=True, text=True).stdout.strip()
        if optimize:
            run(tool("OPT", "opt"), "-S", "-O3", "-mtriple=" + triple, f"-mcpu={cpu}", base + ".ll", "-o", base + ".ll")
        # Sanitizers check the accesses of the code as amp leaves it; what they add takes LLVM minutes to optimise. AMX code stays optimised as ever:
        # without, LLVM configures tiles in another way.
        level, sanitize = "-O3", []
        if "AMP_SANITIZE" in os.environ:
            sanitizer = os.environ["AMP_SANITIZE"]
            with open(base + ".ll") as f:
                level = "-O3" if "x86_amx" in f.read() else "-O0"
            run(tool("OPT", "opt"), f"-force-attribute=sanitize_{sanitizer}", f"-passes=forceattrs,{SANITIZERS[sanitizer]}", "-mtriple=" + triple, base + ".ll", "-o", base + ".ll")
            sanitize = ["-fsanitize=" + sanitizer]
        # For Zen, LLVM 22.1 schedules once more behind register allocation, and then renames tile registers that it has configured.
        fixed = ["-break-anti-dependencies=none"] if "amx-tile" in attrs else []
        # Slower than without, as amp/Support/AvoidedFeatures.h says.
        fixed += ["-mattr=-sse4a"] if "x86_64" in triple else []
        run(tool("LLC", "llc"), level, "-mtriple=" + triple, f"-mcpu={cpu}", *([f"-mattr={attrs}"] if attrs else []), *fixed, "-relocation-model=pic",
            "-filetype=obj", base + ".ll", "-o", base + ".o")
        run(tool("CXX", "c++"), "-shared", *sanitize, base + ".o", *objects, os.environ["AMP_RUNTIME"], "-lm", "-o", base + ".so")
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

        def take(copy=True, release=True):
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
                if release:
                    RUNTIME.amp_free(d.allocated)
            return arrays
        return call, take

    def __call__(self, name, args, results, behind=0):
        """Calls once, with tensors that begin `behind` bytes behind a line; checks that the arguments stay as they are and that nothing leaks."""
        placed = [place(a, behind) if isinstance(a, np.ndarray) else a for a in args]
        fill_free_memory()
        live = RUNTIME.amp_live_bytes()
        call, take = self.prepare(name, placed, results)
        call()
        arrays = take()
        for a, b in zip(args, placed):
            assert not isinstance(a, np.ndarray) or a.tobytes() == b.tobytes(), f"{name} wrote into an argument"
        assert RUNTIME.amp_live_bytes() == live, f"{name} leaks {RUNTIME.amp_live_bytes() - live} bytes"
        return arrays


class DeviceModule:
    """The same for a device: a library of amp-compile."""

    def __init__(self, source):
        import amp_runtime

        self.dir = tempfile.TemporaryDirectory()
        base = os.path.join(self.dir.name, "m")
        with open(base + ".mlir", "w") as f:
            f.write(source)
        options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
        command = [os.environ.get("AMP_COMPILE", "amp-compile"), base + ".mlir", f"--target={TARGET}", "-o", base + ".so",
                   *options]
        subprocess.run(command, check=True)
        self.model = amp_runtime.load(base + ".so")

    def __call__(self, name, args, results):
        """Calls once; checks that the arguments stay as they are."""
        before = [a.copy() for a in args if isinstance(a, np.ndarray)]
        function = self.model.functions[name]
        values = []
        for a, info in zip(args, function.arguments):
            if not isinstance(a, np.ndarray):
                a = getattr(a, "value", a)
            elif info.dtype == "bf16":
                a = a.view("V2")
            elif info.dtype.startswith("f8"):
                a = a.view("V1")
            elif info.dtype.startswith("i"):
                a = a.view(NUMPY[info.dtype])
            values.append(a)
        got = function(*values)
        got = got if isinstance(got, tuple) else (got,)
        arrays = []
        for a, (dtype, rank) in zip(got, results):
            a = a.numpy() if hasattr(a, "numpy") else np.array(a, NUMPY[dtype])
            assert a.ndim == rank, f"rank {a.ndim} instead of {rank}"
            # NumPy cannot view an array without dimensions as another type.
            arrays.append(np.frombuffer(a.tobytes(), NUMPY[dtype]).reshape(a.shape))
        for a, b in zip([a for a in args if isinstance(a, np.ndarray)], before):
            assert a.tobytes() == b.tobytes(), f"{name} wrote into an argument"
        return arrays


def compile_module(source, pipeline="amp-lower-to-cpu"):
    """For what AMP_TARGET says; the pipeline is that of the CPU."""
    return Module(source, pipeline) if TARGET == "cpu" else DeviceModule(source)


def tensor(shape, dtype):
    """The MLIR type of a tensor; a negative size is dynamic."""
    return "tensor<" + "".join(("?" if n < 0 else str(n)) + "x" for n in shape) + dtype + ">"


def guarded(pipeline):
    """`pipeline` with loops that go element by element as errors."""
    if "no-scalar-fallback" in pipeline:
        return pipeline
    return re.sub(r"amp-lower-to-cpu(?:\{([^}]*)\})?", lambda m: "amp-lower-to-cpu{" + (m.group(1) or "") + " no-scalar-fallback}", pipeline)


class Suite:
    """Cases that are compiled together, run, and compared with an oracle. On the CPU none may go element by element, but those
    that say why."""

    def __init__(self):
        self.cases = []
        self.source = {False: {}, True: {}}

    def add(self, name, source, args, results, want, tolerance=0.0, scalar=""):
        """`source` defines function `name`. `want` holds f64 (or integer) arrays, or None for a result that is not compared.
        `tolerance` is both absolute and relative; 0 asks for equality; a function of what was found and of what is wanted
        says for each element whether it is good. `scalar`: why the function may go element by element."""
        assert f"@{name}(" in source, f"the source does not define @{name}"
        # Dynamic shapes of several sizes are one function.
        function, _ = self.source[bool(scalar)].setdefault(source.replace(f"@{name}(", "@("), (name, source))
        self.cases.append((name, function, args, results, want, tolerance, bool(scalar)))

    def run(self):
        pipeline = sys.argv[1] if len(sys.argv) > 1 else "amp-lower-to-cpu"
        modules = {scalar: compile_module("\n".join(source for _, source in functions.values()), pipeline if scalar else guarded(pipeline))
                   for scalar, functions in self.source.items() if functions}
        failures = 0
        for name, function, args, results, want, tolerance, scalar in self.cases:
            try:
                call = functools.partial(modules[scalar], function, args, results)
                got = [*call(), *call(behind=16)] if TARGET == "cpu" else call()
                for value, oracle, (dtype, _) in zip(got, itertools.cycle(want), itertools.cycle(results)):
                    if oracle is None:
                        continue
                    value, oracle = widen(value, dtype), np.asarray(oracle)
                    assert value.shape == oracle.shape, f"shape {value.shape} instead of {oracle.shape}"
                    if callable(tolerance):
                        good = tolerance(value, oracle)
                    elif value.dtype.kind == "f":
                        good = np.isclose(value, oracle, rtol=tolerance, atol=tolerance, equal_nan=True)
                    else:
                        good = value == oracle
                    assert np.all(good), (f"{np.count_nonzero(~good)} wrong, first at {np.argwhere(~good)[0]}: "
                                          f"{value[~good].flat[0]} instead of {oracle[~good].flat[0]}")
                print(f"{name}: ok")
            except (AssertionError, RuntimeError) as error:
                failures += 1
                print(f"{name}: FAILED: {error}")
        print("all passed" if failures == 0 else f"{failures} of {len(self.cases)} failed")
        sys.exit(failures != 0)
