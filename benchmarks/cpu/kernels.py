#!/usr/bin/env python3
"""Times amp's kernels for the CPU against OpenBLAS and oneDNN, in one process.

    kernels.py --build build [--threads 1,2] [--only f32] [--rounds 9] [--results NAME]

The peers are NumPy's OpenBLAS, oneDNN of a package of the system (libdnnl-dev; compiled
against here), and torch (MKL for f32, a oneDNN of its own for the rest). Kernels of amp
are called through their C interface, as compiled code. The contenders of a row take
turns, each for about --seconds in a round; a number is the median over rounds of the
mean time of a call, and a ratio is the best peer's over amp's: above 1, amp is faster.
"amp / libraries" leaves torch out. Nothing is prepared outside of calls: amp packs B and
filters in each, and oneDNN reorders filters in each. All arrays start at a line of the
caches. Memory-bound rows are compared with a copy of as many bytes as they read and write.
Three more columns are no peers: oneDNN with B or the filter in its own layout before it is
timed, a product of a few rows beside such a copy, and dynamic shapes beside the same kernel
with static ones.

On one thread each round has another order, since what ran before decides what the last cache
holds: after the copy, 8 rows by 4096 x 4096 are a seventh slower. On several threads it has
not: who follows torch's f32 would share the processors with its threads. Each turn begins with
a call that is not timed, and on several threads with a pause, in which other libraries' threads
go to sleep (they look for work for up to some ten milliseconds, on processors that the next
contender needs).

Before it is timed, each kernel is compared with f64 (integers: exactly) on random
rows. A missing package leaves its column empty. Geometric means end the table.
"""
import argparse
import datetime
import math
import os
import random
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "test", "Integration", "CPU", "Inputs"))

from peers import OneDNN, set_blas_threads  # noqa: E402
from unknown import of, with_unknown  # noqa: E402

#: M, N, K.
SQUARE = [(n, n, n) for n in (256, 512, 1024, 2048)]
GEMMS = SQUARE + [(4096, 1024, 4096), (127, 333, 65), (512, 98, 512), (512, 20, 512), (1, 4096, 4096), (8, 4096, 4096), (32, 4096, 4096)]
DYNAMIC_GEMMS = [(256, 256, 256), (512, 512, 512), (1024, 1024, 1024), (197, 768, 3072), (127, 333, 65)]
#: By the sizes that are not known: none, all or that of rows.
DYNAMIC = {"": "", "all": " dynamic", "rows": " dynamic rows"}


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        text = file.read()
    flags = set(re.search(r"^flags\s*: (.*)$", text, re.M).group(1).split())
    known = [f for f in ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_bf16", "amx_int8") if f in flags]
    return re.search(r"^model name\s*: (.*)$", text, re.M).group(1) + " (" + " ".join(known) + ")", flags


def prepare_environment(build):
    """What libraries read when they are loaded."""
    flags = cpu_name()[1]
    wanted = {"OPENBLAS_CORETYPE": "SkylakeX" if "avx512f" in flags else "Haswell",
              "AMP_OPT": os.path.join(build, "bin", "amp-opt"),
              "AMP_RUNTIME": os.path.join(build, "lib", "libamp_runtime.so")}
    tools = subprocess.run(["llvm-config-22", "--bindir"], capture_output=True, text=True).stdout.strip()
    if tools and tools not in os.environ["PATH"].split(os.pathsep):
        wanted["PATH"] = tools + os.pathsep + os.environ["PATH"]
    if any(os.environ.get(key) != value for key, value in wanted.items()):
        os.environ.update(wanted)
        os.execv(sys.executable, [sys.executable, *sys.argv])


#: What a row may be measured against without being a peer, by the rows' unit.
YARDSTICKS = {"GFLOP/s": ("memcpy", "static", "prepacked"), "GB/s": ()}


def aligned(array):
    """A copy that starts at a line of the caches, as frameworks' tensors do. Large arrays of NumPy start 16 bytes behind one."""
    import numpy as np
    raw = np.empty(array.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    copy = raw[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


class Row:
    """One line of the table: amp's kernel and its peers, each a callable."""

    def __init__(self, name, amp, peers, work, unit):
        self.name, self.amp, self.peers, self.work, self.unit = name, amp, peers, work, unit


def mlir_gemm(name, m, n, k, element, acc, transposed=False):
    """C = A B; with B stored [n][k] where it is transposed."""
    t = lambda rows, columns, e: f"tensor<{rows}x{columns}x{e}>"
    ta, tb, tc = t(m, k, element), t(n, k, element) if transposed else t(k, n, element), t(m, n, acc)
    maps = ", ".join(f"affine_map<(m, n, k) -> ({x})>" for x in ("m, k", "n, k" if transposed else "k, n", "m, n"))
    return f"""func.func @{name}(%a: {ta}, %b: {tb}) -> {tc} {{
      %z = arith.constant {"0" if acc.startswith("i") else "0.0"} : {acc}
      %e = tensor.empty() : {tc}
      %f = linalg.fill ins(%z : {acc}) outs(%e : {tc}) -> {tc}
      %r = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {ta}, {tb}) outs(%f : {tc}) -> {tc}
      return %r : {tc} }}"""


def mlir_cast(b, value, shape, source, to):
    """`value` in another element type; `b` collects lines."""
    if source == to:
        return value
    name, op = f"%c{len(b)}", "arith.extf" if NUMPY_WIDTH[source] < NUMPY_WIDTH[to] else "arith.truncf"
    b.append(f"{name} = {op} {value} : tensor<{shape}x{source}> to tensor<{shape}x{to}>")
    return name


NUMPY_WIDTH = {"f8E4M3FN": 8, "f8E5M2": 8, "f16": 16, "bf16": 16, "f32": 32}


def mlir_softmax(name, m, n, element):
    t, io = f"tensor<{m}x{n}xf32>", f"tensor<{m}x{n}x{element}>"
    before, after = [], []
    x = mlir_cast(before, "%x", f"{m}x{n}", element, "f32")
    y = mlir_cast(after, "%r", f"{m}x{n}", "f32", element)
    return "\n".join([f"func.func @{name}(%x: {io}) -> {io} {{", *before, f"""
      %e = tensor.empty() : {t}
      %r = linalg.softmax dimension(1) ins({x} : {t}) outs(%e : {t}) -> {t}""", *(line.replace("%c0", "%d0") for line in after),
                      f"return {y.replace('%c', '%d')} : {io} }}"])


def mlir_norm(name, m, n, element, centred):
    """Layer norm by sums of x and of x * x, or RMS norm, without scale and shift."""
    t, v, w = f"tensor<{m}x{n}x{element}>", f"tensor<{m}xf32>", f"tensor<{m}x{n}x{element}>"
    maps = "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>"
    wide = "%w = arith.addf %a, %z : f32" if element == "f32" else f"%w = arith.extf %a : {element} to f32"
    wide = "" if element == "f32" else wide
    a = "%a" if element == "f32" else "%w"
    last = "linalg.yield %5 : f32" if element == "f32" else f"%6 = arith.truncf %5 : f32 to {element}\n        linalg.yield %6 : {element}"
    mean = "%mean = arith.divf %s, %n : f32" if centred else "%mean = arith.constant 0.0 : f32"
    sums = f"""%s0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%f : {v}) {{
      ^bb0(%a: {element}, %s: f32):
        {wide}
        %1 = arith.addf %s, {a} : f32
        linalg.yield %1 : f32 }} -> {v}""" if centred else ""
    variance = """%1 = arith.mulf %mean, %mean : f32
        %variance = arith.subf %square, %1 : f32
        %2 = arith.addf %variance, %eps : f32""" if centred else "%2 = arith.addf %square, %eps : f32"
    shifted = f"%4 = arith.subf {a}, %mean : f32" if centred else ""
    return f"""func.func @{name}(%x: {t}) -> {w} {{
      %z = arith.constant 0.0 : f32
      %n = arith.constant {float(n)} : f32
      %eps = arith.constant 1.0e-5 : f32
      %v = tensor.empty() : {v}
      %e = tensor.empty() : {w}
      %f = linalg.fill ins(%z : f32) outs(%v : {v}) -> {v}
      {sums}
      %s1 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%f : {v}) {{
      ^bb0(%a: {element}, %q: f32):
        {wide}
        %1 = arith.mulf {a}, {a} : f32
        %2 = arith.addf %q, %1 : f32
        linalg.yield %2 : f32 }} -> {v}
      %r = linalg.generic {{indexing_maps = [{maps}, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
          ins(%x, {"%s0" if centred else "%s1"}, %s1 : {t}, {v}, {v}) outs(%e : {w}) {{
      ^bb0(%a: {element}, %s: f32, %q: f32, %o: {element}):
        {wide}
        {mean}
        %square = arith.divf %q, %n : f32
        {variance}
        %3 = math.rsqrt %2 : f32
        {shifted}
        %5 = arith.mulf {"%4" if centred else a}, %3 : f32
        {last} }} -> {w}
      return %r : {w} }}"""


#: Elementwise chains: lines of MLIR from %x to %y in f32, and what they compute.
CHAINS = {
    "gelu": (["%h = arith.constant dense<0.5> : T", "%k = arith.constant dense<0.70710677> : T", "%o = arith.constant dense<1.0> : T",
              "%1 = arith.mulf %x, %k : T", "%2 = math.erf %1 : T", "%3 = arith.addf %2, %o : T", "%4 = arith.mulf %x, %h : T",
              "%y = arith.mulf %4, %3 : T"]),
    "silu": (["%o = arith.constant dense<1.0> : T", "%1 = arith.negf %x : T", "%2 = math.exp %1 : T", "%3 = arith.addf %2, %o : T",
              "%y = arith.divf %x, %3 : T"]),
    "tanh": (["%y = math.tanh %x : T"]),
    "add": (["%y = arith.addf %x, %x : T"]),
    "cast": ([]),
}


def mlir_chain(name, m, n, kind, element, to):
    shape = f"{m}x{n}"
    before, after = [], []
    x = mlir_cast(before, "%in", shape, element, "f32")
    body = [line.replace(" T", f" tensor<{shape}xf32>").replace("%x", x) for line in CHAINS[kind]]
    y = mlir_cast(after, "%y" if body else x, shape, "f32", to)
    return "\n".join([f"func.func @{name}(%in: tensor<{shape}x{element}>) -> tensor<{shape}x{to}> {{", *before, *body,
                      *(line.replace("%c0 =", "%d0 =") for line in after),
                      f"return {'%d0' if after else y} : tensor<{shape}x{to}> }}"])


def mlir_conv(name, n, h, c, f, size, stride=1, pad=0, first=False, element="f32"):
    """A square convolution, whose result is of f32; with channels first, or last."""
    p, o = h + 2 * pad, (h + 2 * pad - size) // stride + 1
    image = lambda side, channels, of: "tensor<" + "x".join(map(str, (n, channels, side, side) if first else (n, side, side, channels))) + f"x{of}>"
    x, q, y, edge = image(h, c, element), image(p, c, element), image(o, f, "f32"), f"0, 0, {pad}, {pad}" if first else f"0, {pad}, {pad}, 0"
    w = f"tensor<{f}x{c}x{size}x{size}x{element}>" if first else f"tensor<{size}x{size}x{c}x{f}x{element}>"
    padded = f"""%none = arith.constant 0.0 : {element}
      %p = tensor.pad %x low[{edge}] high[{edge}] {{
      ^bb0(%i: index, %j: index, %k: index, %l: index):
        tensor.yield %none : {element} }} : {x} to {q}""" if pad else ""
    return f"""func.func @{name}(%x: {x}, %w: {w}) -> {y} {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {y}
      %f = linalg.fill ins(%z : f32) outs(%e : {y}) -> {y}
      {padded}
      %r = linalg.conv_2d_{"nchw_fchw" if first else "nhwc_hwcf"} {{strides = dense<{stride}> : tensor<2xi64>}}
        ins({"%p" if pad else "%x"}, %w : {q}, {w}) outs(%f : {y}) -> {y}
      return %r : {y} }}"""


def mlir_depthwise(name, n, h, c, size):
    """A depthwise convolution with channels last, a bias and relu."""
    o = h - size + 1
    x, w, v, y = f"tensor<{n}x{h}x{h}x{c}xf32>", f"tensor<{size}x{size}x{c}xf32>", f"tensor<{c}xf32>", f"tensor<{n}x{o}x{o}x{c}xf32>"
    maps = ", ".join(f"affine_map<(n, h, w, c) -> ({r})>" for r in ("n, h, w, c", "c", "n, h, w, c"))
    return f"""func.func @{name}(%x: {x}, %w: {w}, %b: {v}) -> {y} {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {y}
      %f = linalg.fill ins(%z : f32) outs(%e : {y}) -> {y}
      %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : {x}, {w}) outs(%f : {y}) -> {y}
      %y = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
          ins(%r, %b : {y}, {v}) outs(%e : {y}) {{
      ^bb0(%a: f32, %p: f32, %o: f32):
        %1 = arith.addf %a, %p : f32
        %2 = arith.maximumf %1, %z : f32
        linalg.yield %2 : f32 }} -> {y}
      return %y : {y} }}"""


def mlir_planes(name, n, h, c, element):
    """Images with channels last as planes, each channel scaled and shifted; bytes are unsigned."""
    x, w, y = f"tensor<{n}x{h}x{h}x{c}x{element}>", f"tensor<{c}xf32>", f"tensor<{n}x{c}x{h}x{h}xf32>"
    maps = ", ".join(f"affine_map<(n, c, h, w) -> ({r})>" for r in ("n, h, w, c", "c", "c", "n, c, h, w"))
    cast = "%v = arith.uitofp %a : i8 to f32" if element == "i8" else ""
    return f"""func.func @{name}(%x: {x}, %s: {w}, %t: {w}) -> {y} {{
      %e = tensor.empty() : {y}
      %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
          ins(%x, %s, %t : {x}, {w}, {w}) outs(%e : {y}) {{
      ^bb0(%a: {element}, %scale: f32, %shift: f32, %old: f32):
        {cast}
        %1 = arith.subf {"%v" if cast else "%a"}, %shift : f32
        %2 = arith.mulf %1, %scale : f32
        linalg.yield %2 : f32 }} -> {y}
      return %r : {y} }}"""


def mlir_channels_last(name, n, h, c, element):
    """Images in planes with their channels last."""
    x, y = f"tensor<{n}x{c}x{h}x{h}x{element}>", f"tensor<{n}x{h}x{h}x{c}x{element}>"
    return f"""func.func @{name}(%x: {x}) -> {y} {{
      %e = tensor.empty() : {y}
      %r = linalg.transpose ins(%x : {x}) outs(%e : {y}) permutation = [0, 2, 3, 1]
      return %r : {y} }}"""


def mlir_rotary(name, t, h, d):
    """Pairs of neighbours, turned by an angle of each token."""
    x, half, w = f"tensor<{t}x{h}x{d}xf32>", f"tensor<{t}x{h}x{d // 2}xf32>", f"tensor<{t}x{d // 2}xf32>"
    maps = ", ".join(f"affine_map<(t, h, d) -> ({r})>" for r in ("t, h, d", "t, h, d", "t, d", "t, d", "t, h, d"))

    def part(result, first, second, add):
        return f"""%{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel"]}}
          ins(%even, %odd, %{first}, %{second} : {half}, {half}, {w}, {w}) outs(%eh : {half}) {{
      ^bb0(%p: f32, %q: f32, %u: f32, %v: f32, %o: f32):
        %1 = arith.mulf %p, %u : f32
        %2 = arith.mulf %q, %v : f32
        %3 = arith.{add} %1, %2 : f32
        linalg.yield %3 : f32 }} -> {half}"""
    at = [f"[0, 0, {i}] [{t}, {h}, {d // 2}] [1, 1, 2]" for i in (0, 1)]
    return f"""func.func @{name}(%x: {x}, %cos: {w}, %sin: {w}) -> {x} {{
      %even = tensor.extract_slice %x{at[0]} : {x} to {half}
      %odd = tensor.extract_slice %x{at[1]} : {x} to {half}
      %eh = tensor.empty() : {half}
      %e = tensor.empty() : {x}
      {part("a", "cos", "sin", "subf")}
      {part("b", "sin", "cos", "addf")}
      %f = tensor.insert_slice %a into %e{at[0]} : {half} into {x}
      %r = tensor.insert_slice %b into %f{at[1]} : {half} into {x}
      return %r : {x} }}"""


def mlir_linear(name, m, n, k):
    """gelu(x w + b) as bf16, from bf16."""
    x, w, b, c, y = f"tensor<{m}x{k}xbf16>", f"tensor<{k}x{n}xbf16>", f"tensor<{n}xf32>", f"tensor<{m}x{n}xf32>", f"tensor<{m}x{n}xbf16>"
    return f"""func.func @{name}(%x: {x}, %w: {w}, %b: {b}) -> {y} {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {c}
      %f = linalg.fill ins(%z : f32) outs(%e : {c}) -> {c}
      %r = linalg.matmul ins(%x, %w : {x}, {w}) outs(%f : {c}) -> {c}
      %o = tensor.empty() : {y}
      %y = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
          ins(%r, %b : {c}, {b}) outs(%o : {y}) {{
      ^bb0(%v: f32, %bias: f32, %old: bf16):
        %half = arith.constant 0.5 : f32
        %root = arith.constant 0.70710678118 : f32
        %one = arith.constant 1.0 : f32
        %1 = arith.addf %v, %bias : f32
        %2 = arith.mulf %1, %root : f32
        %3 = math.erf %2 : f32
        %4 = arith.addf %3, %one : f32
        %5 = arith.mulf %1, %half : f32
        %6 = arith.mulf %5, %4 : f32
        %7 = arith.truncf %6 : f32 to bf16
        linalg.yield %7 : bf16 }} -> {y}
      return %y : {y} }}"""


class Bench:
    def __init__(self, onednn):
        import numpy as np
        from harness import RUNTIME
        try:
            import torch
        except ImportError:
            torch = None
        self.np, self.torch, self.onednn, self.runtime = np, torch, onednn, RUNTIME
        self.rng = np.random.default_rng(0)
        self.rows, self.sources, self.pending = [], [], []
        # Kernels of amp's that are a peer of another: their arguments and results, then callables.
        self.twins = {}

    def set_threads(self, threads):
        self.runtime.ampSetNumThreads(threads)
        set_blas_threads(threads)
        if self.onednn:
            self.onednn.set_threads(threads)
        if self.torch:
            self.torch.set_num_threads(threads)

    def add(self, label, name, source, args, result, want, tolerance, peers, work, unit):
        """`want` maps row numbers to rows of the result in f64; `peers` maps names to callables, or None."""
        peers = {name: call for name, call in peers.items() if call}
        self.sources.append(source)
        self.pending.append((label, name, args, result, want, tolerance, peers, work, unit))

    def compile(self):
        from harness import Module, from_bf16
        module = Module("\n".join(self.sources), "amp-lower-to-cpu{no-scalar-fallback}", optimize=True)
        for name, (args, result) in self.twins.items():
            self.twins[name] = self.runner(*module.prepare(name, args, [result]))
        for label, name, args, result, want, tolerance, peers, work, unit in self.pending:
            call, take = module.prepare(name, args, [result])
            call()
            self.check(label, self.as_f64(take()[0], result[0]), want, tolerance)
            self.rows.append(Row(label, self.runner(call, take), peers, work, unit))

    @staticmethod
    def runner(call, take):
        def run():
            call()
            take(copy=False)
        return run

    def copy_of(self, size):
        """A copy that reads and writes `size` bytes together."""
        np = self.np
        a, b = aligned(np.ones(size // 2, np.uint8)), aligned(np.zeros(size // 2, np.uint8))
        return lambda: np.copyto(b, a)

    def as_f64(self, value, element):
        from harness import widen
        if element.startswith("f8"):
            import torch
            return torch.from_numpy(value).view(torch.float8_e4m3fn if element == "f8E4M3FN" else torch.float8_e5m2).to(torch.float64).numpy()
        return widen(value, element)

    def check(self, label, got, want, tolerance):
        np = self.np
        flat = got.reshape(-1, got.shape[-1])
        at = self.rng.integers(0, flat.shape[0], min(16, flat.shape[0]))
        at[-1] = flat.shape[0] - 1
        reference = want(at)
        error = np.abs(flat[at].astype(np.float64) - reference).max() / max(np.abs(reference).max(), 1e-30)
        if not error <= tolerance:
            sys.exit(f"kernels.py: error: {label}: the error against f64 is {error:.3g}, more than {tolerance:.3g}")

    def gemm(self, m, n, k, kind, dynamic="", transposed=False):
        np, torch, rng = self.np, self.torch, self.rng
        from harness import from_bf16, to_bf16
        name = f"g_{kind}_{m}_{n}_{k}_{dynamic}" + ("_t" if transposed else "")
        label = f"{kind} {m}x{n}x{k}" + DYNAMIC[dynamic] + (" transposed" if transposed else "")
        peers, acc = {}, "i32" if kind == "i8" else "f32"
        if kind == "i8":
            a, b = (aligned(rng.integers(-128, 128, s, np.int8)) for s in ((m, k), (k, n)))
            wide = lambda x: x.astype(np.float64)
            if torch:
                ta, tb = torch.from_numpy(a), torch.from_numpy(b)
                peers["torch"] = lambda: torch._int_mm(ta, tb)
        else:
            a, b = (aligned(rng.standard_normal(s).astype(np.float32)) for s in ((m, k), (k, n)))
            wide = lambda x: x.astype(np.float64)
            if kind == "bf16":
                a, b = aligned(to_bf16(a)), aligned(to_bf16(b))
                wide = lambda x: from_bf16(x).astype(np.float64)
            else:
                out = aligned(np.zeros((m, n), np.float32))
                peers["OpenBLAS"] = lambda: np.matmul(a, b, out=out)
            if torch:
                view = (lambda x: torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)) if kind == "bf16" else torch.from_numpy
                ta, tb = view(a), view(b)
                tc = torch.empty((m, n), dtype=ta.dtype)
                peers["torch"] = lambda: torch.mm(ta, tb, out=tc)
        stored = aligned(b.T) if transposed else b
        if transposed and torch:
            tb = torch.from_numpy(stored.view(np.int16)).view(torch.bfloat16).t() if kind == "bf16" else torch.from_numpy(stored).t()
        if transposed and kind == "f32":
            peers["OpenBLAS"] = lambda: np.matmul(a, stored.T, out=out)
        if self.onednn:
            result = aligned(np.zeros((m, n), np.int32 if kind == "i8" else np.float32))
            for column, prepacked in (("oneDNN", False), ("prepacked", True)):
                peers[column] = self.onednn.matmul(kind, a, stored, result, transposed, prepacked)
        if m <= 8:
            peers["memcpy"] = self.copy_of(a.nbytes + b.nbytes + 4 * m * n)
        source = mlir_gemm(name, m, n, k, kind, acc, transposed)
        if dynamic:
            twin = name + "_static"
            source = "\n".join([with_unknown(source, of(m) if dynamic == "rows" else of(m, n, k)), mlir_gemm(twin, m, n, k, kind, acc, transposed)])
            self.twins[twin] = [a, stored], (acc, 2)
            peers["static"] = lambda: self.twins[twin]()
        self.add(label, name, source, [a, stored], (acc, 2),
                 lambda at: wide(a[at]) @ wide(b), 0 if kind == "i8" else 1e-5, peers, 2e-9 * m * n * k, "GFLOP/s")

    def narrow(self, x, element):
        """`x` in `element`, as torch sees it, and in f64."""
        np, torch = self.np, self.torch
        from harness import from_bf16, to_bf16
        if element == "bf16":
            bits = aligned(to_bf16(x))
            return bits, torch and torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16), from_bf16(bits).astype(np.float64)
        if element.startswith("f8"):
            import torch as t
            value = torch.from_numpy(x).to(t.float8_e4m3fn if element == "f8E4M3FN" else t.float8_e5m2)
            return value.view(t.uint8).numpy(), value, value.to(t.float64).numpy()
        value = aligned(x.astype(np.float16 if element == "f16" else np.float32))
        return value, torch and torch.from_numpy(value), value.astype(np.float64)

    def memory_bound(self, label, name, source, args, result, want, tolerance, peers, size):
        """Compared with a copy of as many bytes, `size`, as are read and written."""
        peers = {"memcpy": self.copy_of(size), **peers}
        self.add(label, name, source, args, result, want, tolerance, peers, 1e-9 * size, "GB/s")

    def rows_of(self, m, n, kind, element):
        np, torch = self.np, self.torch
        x, t, w = self.narrow(self.rng.standard_normal((m, n)).astype(np.float32), element)
        name, label = f"r_{kind}_{m}_{n}_{element}", f"{kind.replace('_', ' ')} {element} {m}x{n}"
        peers = {}
        if kind == "softmax":
            source = mlir_softmax(name, m, n, element)

            def want(at):
                e = np.exp(w[at] - w[at].max(1, keepdims=True))
                return e / e.sum(1, keepdims=True)
            if torch:
                peers["torch"] = lambda: torch.softmax(t, 1)
        else:
            source = mlir_norm(name, m, n, element, kind == "layer_norm")

            def want(at):
                if kind == "rms_norm":
                    return w[at] / np.sqrt((w[at] * w[at]).mean(1, keepdims=True) + 1e-5)
                return (w[at] - w[at].mean(1, keepdims=True)) / np.sqrt(w[at].var(1, keepdims=True) + 1e-5)
            if torch:
                function = torch.nn.functional.layer_norm if kind == "layer_norm" else torch.nn.functional.rms_norm
                peers["torch"] = lambda: function(t, (n,), eps=1e-5)
        primitive = {"softmax": "Softmax", "layer_norm": "LayerNorm"}.get(kind)
        if self.onednn and primitive:
            peers["oneDNN"] = self.onednn.rows(primitive, element, x, aligned(np.zeros_like(x)))
        self.memory_bound(label, name, source, [x], (element, 2), want, 1e-5 if element == "f32" else 5e-3, peers, 2 * m * n * x.itemsize)

    def chain(self, m, n, kind, element, to):
        np, torch = self.np, self.torch
        x, t, w = self.narrow(self.rng.standard_normal((m, n)).astype(np.float32), element)
        name = f"e_{kind}_{element}_{to}_{m}_{n}"
        label = f"{kind} {element}" + (f"->{to}" if to != element else "") + f" {m}x{n}"
        peers = {}
        if torch:
            dtype = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "f8E4M3FN": torch.float8_e4m3fn, "f8E5M2": torch.float8_e5m2}[to]
            peers["torch"] = {"gelu": lambda: torch.nn.functional.gelu(t), "silu": lambda: torch.nn.functional.silu(t), "tanh": lambda: torch.tanh(t),
                              "add": lambda: t + t, "cast": lambda: t.to(dtype)}[kind]
        if self.onednn and element == to:
            peers["oneDNN"] = self.onednn.chain(kind, element, x, aligned(np.zeros_like(x)))
        of = {"gelu": lambda v: 0.5 * v * (1 + np.vectorize(math.erf)(v * 0.70710677)), "silu": lambda v: v / (1 + np.exp(-v)), "tanh": np.tanh,
              "add": lambda v: v + v, "cast": lambda v: v}[kind]
        bound = {32: 1e-6, 16: 5e-3, 8: 0.1}[NUMPY_WIDTH[to]]
        size = m * n * (NUMPY_WIDTH[element] + NUMPY_WIDTH[to]) // 8
        self.memory_bound(label, name, mlir_chain(name, m, n, kind, element, to), [x], (to, 2), lambda at: of(w[at]), bound, peers, size)

    def planes(self, label, n, h, c, element):
        np, torch = self.np, self.torch
        x = aligned(self.rng.integers(0, 256, (n, h, h, c)).astype(np.uint8 if element == "i8" else np.float32))
        scale, shift = self.rng.uniform(0.01, 0.02, c).astype(np.float32), self.rng.uniform(110, 130, c).astype(np.float32)

        def want(at):
            image, channel, y = at // (c * h), at // h % c, at % h
            return (x[image, y, :, channel].astype(np.float64) - shift[channel, None]) * scale[channel, None]
        peers = {}
        if torch:
            tx, ts, tt = torch.from_numpy(x).permute(0, 3, 1, 2), torch.from_numpy(scale)[:, None, None], torch.from_numpy(shift)[:, None, None]
            peers["torch"] = lambda: tx.to(torch.float32, memory_format=torch.contiguous_format).sub_(tt).mul_(ts)
        self.memory_bound(label, f"p_{n}_{h}_{c}_{element}", mlir_planes(f"p_{n}_{h}_{c}_{element}", n, h, c, element), [x, scale, shift], ("f32", 4),
                          want, 1e-6, peers, x.nbytes + 4 * x.size)

    def channels_last(self, label, n, h, c, element):
        np, torch = self.np, self.torch
        x = aligned(self.rng.integers(0, 256, (n, c, h, h)).astype(np.uint8 if element == "i8" else np.float32))
        peers = {}
        if torch:
            tx = torch.from_numpy(x)
            peers["torch"] = lambda: tx.contiguous(memory_format=torch.channels_last)
        # Bytes come back signed.
        want = lambda at: x[at // (h * h), :, at // h % h, at % h].view(np.int8 if element == "i8" else x.dtype).astype(np.float64)
        self.memory_bound(label, f"l_{n}_{h}_{c}_{element}", mlir_channels_last(f"l_{n}_{h}_{c}_{element}", n, h, c, element), [x], (element, 4), want, 0, peers,
                          2 * x.nbytes)

    def rotary(self, label, t, h, d):
        np, torch = self.np, self.torch
        x, angle = aligned(self.rng.standard_normal((t, h, d)).astype(np.float32)), self.rng.uniform(0, 6, (t, d // 2)).astype(np.float32)
        cos, sin = np.cos(angle), np.sin(angle)
        peers = {}
        if torch:
            tx, tc, ts = torch.from_numpy(x), torch.from_numpy(cos)[:, None], torch.from_numpy(sin)[:, None]

            def turn():
                p, q = tx[..., ::2], tx[..., 1::2]
                return torch.stack((p * tc - q * ts, p * ts + q * tc), -1).flatten(-2)
            peers["torch"] = turn

        def want(at):
            row, c, s = (v[i].astype(np.float64) for v, i in ((x, (at // h, at % h)), (cos, at // h), (sin, at // h)))
            p, q = row[..., ::2], row[..., 1::2]
            return np.stack((p * c - q * s, p * s + q * c), -1).reshape(row.shape)
        self.memory_bound(label, f"r_{t}_{h}_{d}", mlir_rotary(f"r_{t}_{h}_{d}", t, h, d), [x, cos, sin], ("f32", 3), want, 1e-6, peers, 2 * x.nbytes)

    def conv(self, label, n, h, c, f, size=3, stride=1, pad=0, first=False):
        np, torch = self.np, self.torch
        x = aligned(self.rng.standard_normal((n, h, h, c)).astype(np.float32))
        w = aligned(self.rng.standard_normal((size, size, c, f)).astype(np.float32))
        name, o = f"c_{n}_{h}_{c}_{f}_{size}_{stride}_{pad}" + "_first" * first, (h + 2 * pad - size) // stride + 1
        padded = np.pad(x, [(0, 0), (pad, pad), (pad, pad), (0, 0)])

        def pixel(i):
            image, y, z = i // (o * o), i // o % o * stride, i % o * stride
            return padded[image, y:y + size, z:z + size].astype(np.float64)

        def want(at):
            # Rows of the result: the features of a pixel, or a row of pixels of a feature.
            if not first:
                return np.array([np.tensordot(pixel(i), w.astype(np.float64), 3) for i in at])
            return np.array([[np.vdot(pixel((i // (f * o) * o + i % o) * o + z), w[..., i // o % f].astype(np.float64)) for z in range(o)] for i in at])
        peers = {}
        if torch:
            tx = torch.from_numpy(x).permute(0, 3, 1, 2)
            tw = torch.from_numpy(w).permute(3, 2, 0, 1).contiguous(memory_format=torch.contiguous_format if first else torch.channels_last)
            tx = tx.contiguous() if first else tx
            peers["torch"] = lambda: torch.nn.functional.conv2d(tx, tw, stride=stride, padding=pad)
        if first:
            x, w_stored = aligned(x.transpose(0, 3, 1, 2)), aligned(w.transpose(3, 2, 0, 1))
        else:
            w_stored = w
        if self.onednn:
            result = aligned(np.zeros((n, f, o, o) if first else (n, o, o, f), np.float32))
            for column, prepacked in (("oneDNN", False), ("prepacked", True)):
                peers[column] = self.onednn.convolution(x, w_stored, result, stride, pad, first, prepacked)
        self.add(label, name, mlir_conv(name, n, h, c, f, size, stride, pad, first), [x, w_stored], ("f32", 4), want,
                 1e-5, peers, 2e-9 * n * o * o * size * size * c * f, "GFLOP/s")

    def depthwise(self, label, n, h, c, size):
        np, torch = self.np, self.torch
        x, w = (aligned(self.rng.standard_normal(s).astype(np.float32)) for s in ((n, h, h, c), (size, size, c)))
        bias, o = self.rng.standard_normal(c).astype(np.float32), h - size + 1

        def want(at):
            pixels = [x[i // (o * o), i // o % o:i // o % o + size, i % o:i % o + size].astype(np.float64) for i in at]
            return np.array([np.maximum((pixel * w).sum((0, 1)) + bias, 0) for pixel in pixels])
        peers = {}
        if torch:
            tx, tb = torch.from_numpy(x).permute(0, 3, 1, 2), torch.from_numpy(bias)
            tw = torch.from_numpy(w).permute(2, 0, 1)[:, None].contiguous(memory_format=torch.channels_last)
            peers["torch"] = lambda: torch.nn.functional.conv2d(tx, tw, tb, groups=c).relu_()
        name = f"d_{n}_{h}_{c}_{size}"
        self.add(label, name, mlir_depthwise(name, n, h, c, size), [x, w, bias], ("f32", 4), want, 1e-5, peers, 2e-9 * n * o * o * size * size * c, "GFLOP/s")

    def linear(self, label, m, n, k):
        np, torch = self.np, self.torch
        from harness import from_bf16, to_bf16
        x, w = aligned(to_bf16(self.rng.standard_normal((m, k)))), aligned(to_bf16(self.rng.standard_normal((k, n)) / 32))
        bias, name = self.rng.standard_normal(n).astype(np.float32), f"linear_{m}_{n}_{k}"

        def want(at):
            v = from_bf16(x[at]).astype(np.float64) @ from_bf16(w) + bias
            return v * 0.5 * (1 + np.vectorize(math.erf)(v / math.sqrt(2)))
        peers = {}
        if torch:
            view = lambda a: torch.from_numpy(a.view(np.int16)).view(torch.bfloat16)
            tx, tw, tb = view(x), view(w).t().contiguous(), torch.from_numpy(bias).bfloat16()
            peers["torch"] = lambda: torch.nn.functional.gelu(torch.nn.functional.linear(tx, tw, tb))
        self.add(label, name, mlir_linear(name, m, n, k), [x, w, bias], ("bf16", 2), want,
                 2**-8, peers, 2e-9 * m * n * k, "GFLOP/s")


#: Seconds in which threads of all libraries that wait for work fall asleep.
PAUSE = 0.05


def measure(row, rounds, seconds, threads):
    """Median seconds of a call, by contender."""
    contenders = {"amp": row.amp, **row.peers}
    counts, times = {}, {name: [] for name in contenders}
    for name, call in contenders.items():
        if threads > 1:
            time.sleep(PAUSE)
        call()
        start = time.perf_counter()
        call()
        counts[name] = max(1, min(1000, int(seconds / max(time.perf_counter() - start, 1e-6))))
    order, shuffled = list(contenders.items()), random.Random(0)
    for _ in range(rounds):
        if threads == 1:
            shuffled.shuffle(order)
        for name, call in order:
            if threads > 1:
                time.sleep(PAUSE)
            call()
            start = time.perf_counter()
            for _ in range(counts[name]):
                call()
            times[name].append((time.perf_counter() - start) / counts[name])
    return {name: statistics.median(values) for name, values in times.items()}


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


#: Of the table's last lines: what the means are of, and which rows.
MEANS = [("f32 of 512 and more", r"^f32 (512x|1024x|2048x|4096x)\d{3,}x\d+$"), ("bf16 of 256 and more", r"^bf16 (256x|512x|1024x|2048x|4096x)\d{3,}x\d+$"),
         ("i8 of 256 and more", r"^i8 (256x|512x|1024x|2048x|4096x)\d{3,}x\d+$"), ("conv NHWC 3x3", r"^conv NHWC"), ("conv NCHW", r"^conv NCHW"),
         ("softmax, norms", r"^(softmax|layer|rms)"), ("elementwise chains", r"^(gelu|silu|tanh|add)"), ("casts", r"^cast")]


def thread_counts(text):
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", text):
        raise argparse.ArgumentTypeError(f"expected numbers of threads such as 1,2, not '{text}'")
    return [int(t) for t in text.split(",")]


def expression(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {error}")


def command_of(script):
    """The command line, without the paths of one machine."""
    return " ".join([f"benchmarks/cpu/{script}", *("BUILD" if os.path.isabs(argument) else argument for argument in sys.argv[1:])])


def write_results(name, script, lines):
    """Keeps what was printed in benchmarks/results."""
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
    today = datetime.date.today().isoformat()
    path = os.path.join(ROOT, "benchmarks", "results", f"{today}-{name}.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([f"# {name}, {today}", "", f"Command: `{command_of(script)}`, at commit {commit.stdout.strip()}", ""] + lines) + "\n")
    print("wrote " + os.path.relpath(path, ROOT))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--threads", type=thread_counts, default=[1, 2], help="numbers of threads (default 1,2)")
    parser.add_argument("--only", type=expression, default=re.compile(""), help="only rows whose name this regular expression is found in")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.05, help="of a contender in a round")
    parser.add_argument("--onednn", metavar="DIR", help="oneDNN in DIR/include and DIR/lib, not the system's")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    prepare_environment(os.path.abspath(args.build))
    bench = Bench(OneDNN.load(args.onednn))

    def wanted(label):
        return args.only.search(label)
    for kind in ("f32", "bf16", "i8"):
        for m, n, k in GEMMS:
            if wanted(f"{kind} {m}x{n}x{k}"):
                bench.gemm(m, n, k, kind)
    few = [(m, n, n) for n in (512, 4096) for m in (1, 4, 8, 32)]
    for kind in ("f32", "bf16", "i8"):
        for dynamic, (m, n, k) in [("all", shape) for shape in DYNAMIC_GEMMS + few] + [("rows", shape) for shape in few]:
            if wanted(f"{kind} {m}x{n}x{k}" + DYNAMIC[dynamic]):
                bench.gemm(m, n, k, kind, dynamic=dynamic)
    for kind in ("f32", "bf16", "i8"):
        # Layers, and the last one of a language model.
        for m, n, k in [(m, 4096, 4096) for m in (1, 4, 8, 32, 128)] + [(m, 50257, 768) for m in (1, 4, 8)]:
            if wanted(f"{kind} {m}x{n}x{k} transposed"):
                bench.gemm(m, n, k, kind, transposed=True)
    for kind in ("f32", "bf16", "i8"):
        for m, n, k in ((2048, 4, 1024), (1024, 10, 512)):
            for transposed in (False, True):
                if wanted(f"{kind} {m}x{n}x{k}" + " transposed" * transposed):
                    bench.gemm(m, n, k, kind, transposed=transposed)
    if wanted("bf16 linear gelu 1024x4096x1024"):
        bench.linear("bf16 linear gelu 1024x4096x1024", 1024, 4096, 1024)
    for n, h, c, f, stride, pad in ((1, 58, 64, 64, 1, 0), (4, 58, 128, 128, 1, 0), (1, 16, 256, 256, 1, 0), (1, 56, 64, 64, 1, 1),
                                    (1, 56, 128, 256, 2, 1), (1, 14, 512, 512, 1, 1)):
        label = f"conv NHWC 3x3 {n}x{h}x{h}x{c}->{f}" + (f" stride {stride}" if stride > 1 else "") + (f" pad {pad}" if pad else "")
        if wanted(label):
            bench.conv(label, n, h, c, f, 3, stride, pad)
    for size, h, c, f, stride, pad in ((3, 58, 64, 64, 1, 0), (3, 16, 256, 256, 1, 0), (3, 7, 512, 512, 1, 1), (3, 56, 128, 256, 2, 1), (7, 224, 3, 64, 2, 3),
                                       (1, 56, 256, 64, 1, 0), (1, 56, 64, 256, 1, 0), (1, 56, 256, 512, 2, 0)):
        label = f"conv NCHW {size}x{size} 1x{h}x{h}x{c}->{f}" + (f" stride {stride}" if stride > 1 else "") + (f" pad {pad}" if pad else "")
        if wanted(label):
            bench.conv(label, 1, h, c, f, size, stride, pad, first=True)
    for h, c, f, pad in ((224, 64, 3, 1), (66, 256, 4, 0), (224, 1, 1, 1)):
        label = f"conv few filters 3x3 1x{h}x{h}x{c}->{f}" + (f" pad {pad}" if pad else "")
        if wanted(label):
            bench.conv(label, 1, h, c, f, 3, 1, pad)
    for h, c, size in ((114, 64, 3), (32, 240, 5), (62, 96, 7)):
        if wanted(f"depthwise {size}x{size} bias relu 1x{h}x{h}x{c}"):
            bench.depthwise(f"depthwise {size}x{size} bias relu 1x{h}x{h}x{c}", 1, h, c, size)
    for kind in ("layer_norm", "rms_norm", "softmax"):
        for element in ("f32", "bf16", "f16"):
            for m, n in ((1024, 1024), (8192, 1000)):
                if wanted(f"{kind.replace('_', ' ')} {element} {m}x{n}"):
                    bench.rows_of(m, n, kind, element)
    for element, form in (("i8", "u8"), ("f32", "f32")):
        if wanted(f"planes of images {form} 8x224x224x3"):
            bench.planes(f"planes of images {form} 8x224x224x3", 8, 224, 3, element)
        if wanted(f"planes to channels last {form} 8x3x224x224"):
            bench.channels_last(f"planes to channels last {form} 8x3x224x224", 8, 224, 3, element)
    if wanted("rotary f32 512x16x64"):
        bench.rotary("rotary f32 512x16x64", 512, 16, 64)
    narrow_casts = [("cast", "f32", t) for t in ("bf16", "f16")] + [("cast", t, "f32") for t in ("bf16", "f16")]
    if bench.torch:
        narrow_casts += [("cast", "f32", t) for t in ("f8E4M3FN", "f8E5M2")] + [("cast", t, "f32") for t in ("f8E4M3FN", "f8E5M2")]
    for kind, element, to in [(k, e, e) for k in ("add", "gelu", "silu", "tanh") for e in ("f32", "bf16", "f16")] + narrow_casts:
        for m, n in ((1024, 1024), (8192, 1000)):
            if wanted(f"{kind} {element}" + (f"->{to}" if to != element else "") + f" {m}x{n}"):
                bench.chain(m, n, kind, element, to)
    if not bench.pending:
        parser.error(f"--only={args.only.pattern} matches no row; '--only .' shows all")
    bench.compile()
    versions = {"NumPy": bench.np, "oneDNN": bench.onednn, "torch": bench.torch}
    names = [f"{name} {getattr(peer, '__version__', None) or peer.version}" if peer else f"no {name}" for name, peer in versions.items()]
    columns = ["OpenBLAS", "oneDNN", "torch", "prepacked", "memcpy", "static"]
    ratios = ["best", "libraries", "prepacked", "memcpy", "static"]
    lines = [f"Machine: {cpu_name()[0]}, {os.cpu_count()} processors  ",
             f"Peers: {', '.join(names)}  ",
             f"Rounds: {args.rounds} of {args.seconds} s for each contender", "",
             "| kernel | threads | unit | amp | " + " | ".join(columns + ["amp / " + r for r in ratios]) + " |",
             "|---|---|---|---|" + "---|" * (len(columns) + len(ratios))]
    print("\n".join(lines), flush=True)
    seen = []
    for row in bench.rows:
        for threads in args.threads:
            bench.set_threads(threads)
            times = measure(row, args.rounds, args.seconds, threads)
            peers = {name: t for name, t in times.items() if name not in ("amp", *YARDSTICKS[row.unit])}
            times["best"] = min(peers.values(), default=None)
            times["libraries"] = min((peers[name] for name in ("OpenBLAS", "oneDNN") if name in peers), default=None)
            of = {name: times[name] / times["amp"] for name in ratios if times.get(name)}
            seen.append((row.name, threads, of))
            cells = [f"{row.work / times[c]:.1f}" if c in times else "-" for c in columns]
            cells += [f"{of[r]:.2f}" if r in of else "-" for r in ratios]
            lines.append(f"| {row.name} | {threads} | {row.unit} | {row.work / times['amp']:.1f} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    for label, pattern in MEANS:
        for threads in args.threads:
            group = [of for name, t, of in seen if t == threads and re.search(pattern, name)]
            if len(group) < 2:
                continue
            cells = [f"{geomean([of[r] for of in group]):.2f}" if all(r in of for of in group) else "-" for r in ratios]
            lines.append(f"| geometric mean, {label} | {threads} | | |" + " |" * len(columns) + " " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    if args.results:
        write_results(args.results, "kernels.py", lines)


if __name__ == "__main__":
    main()
