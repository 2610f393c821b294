#!/usr/bin/env python3
"""Times amp's kernels for the CPU against OpenBLAS and oneDNN, in one process.

    kernels.py --build build [--threads 1,2] [--only f32] [--rounds 9] [--results NAME]

The peers are those of two Python packages: NumPy's OpenBLAS, and torch (oneDNN for
bf16, i8 and convolutions, MKL for f32). Kernels of amp are called through their C
interface, as compiled code. The contenders of a row take turns, each for about
--seconds in a round; a number is the median over rounds of the mean time of a call,
and a ratio is the best peer's over amp's: above 1, amp is faster. Memory-bound rows
are compared with a copy of as many bytes as they read and write.

Before it is timed, each kernel is compared with f64 (integers: exactly) on random
rows. A missing package leaves its column empty.
"""
import argparse
import datetime
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "test", "Integration", "CPU", "Inputs"))

#: M, N, K.
SQUARE = [(n, n, n) for n in (256, 512, 1024, 2048)]
GEMMS = SQUARE + [(4096, 1024, 4096), (127, 333, 65), (1, 4096, 4096), (8, 4096, 4096)]


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


def set_blas_threads(threads):
    import ctypes
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = sorted({line.split()[-1] for line in file if re.search(r"/[^/]*openblas[^/]*\.so", line)})
    for path in paths:
        library = ctypes.CDLL(path)
        for prefix in ("", "scipy_"):
            for suffix in ("", "64_"):
                function = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
                if function:
                    function(threads)


class Row:
    """One line of the table: amp's kernel and its peers, each a callable."""

    def __init__(self, name, amp, peers, work, unit):
        self.name, self.amp, self.peers, self.work, self.unit = name, amp, peers, work, unit


def mlir_gemm(name, m, n, k, element, acc, dynamic=False):
    t = lambda a, b, e: f"tensor<?x?x{e}>" if dynamic else f"tensor<{a}x{b}x{e}>"
    zero = "0" if acc.startswith("i") else "0.0"
    if dynamic:
        size = """%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %a, %c0 : tensor<?x?xELT>
      %n = tensor.dim %b, %c1 : tensor<?x?xELT>""".replace("ELT", element)
        empty = f"tensor.empty(%m, %n) : {t(m, n, acc)}"
    else:
        size, empty = "", f"tensor.empty() : {t(m, n, acc)}"
    return f"""func.func @{name}(%a: {t(m, k, element)}, %b: {t(k, n, element)}) -> {t(m, n, acc)} {{
      {size}
      %z = arith.constant {zero} : {acc}
      %e = {empty}
      %f = linalg.fill ins(%z : {acc}) outs(%e : {t(m, n, acc)}) -> {t(m, n, acc)}
      %r = linalg.matmul ins(%a, %b : {t(m, k, element)}, {t(k, n, element)}) outs(%f : {t(m, n, acc)}) -> {t(m, n, acc)}
      return %r : {t(m, n, acc)} }}"""


def mlir_softmax(name, m, n):
    t = f"tensor<{m}x{n}xf32>"
    return f"""func.func @{name}(%x: {t}) -> {t} {{
      %e = tensor.empty() : {t}
      %r = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
      return %r : {t} }}"""


def mlir_layer_norm(name, m, n):
    t, v = f"tensor<{m}x{n}xf32>", f"tensor<{m}xf32>"
    maps = "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>"
    return f"""func.func @{name}(%x: {t}) -> {t} {{
      %z = arith.constant 0.0 : f32
      %n = arith.constant {float(n)} : f32
      %eps = arith.constant 1.0e-5 : f32
      %v = tensor.empty() : {v}
      %e = tensor.empty() : {t}
      %f = linalg.fill ins(%z : f32) outs(%v : {v}) -> {v}
      %s0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%f : {v}) {{
      ^bb0(%a: f32, %s: f32):
        %1 = arith.addf %s, %a : f32
        linalg.yield %1 : f32 }} -> {v}
      %s1 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%f : {v}) {{
      ^bb0(%a: f32, %q: f32):
        %1 = arith.mulf %a, %a : f32
        %2 = arith.addf %q, %1 : f32
        linalg.yield %2 : f32 }} -> {v}
      %r = linalg.generic {{indexing_maps = [{maps}, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
          ins(%x, %s0, %s1 : {t}, {v}, {v}) outs(%e : {t}) {{
      ^bb0(%a: f32, %s: f32, %q: f32, %o: f32):
        %mean = arith.divf %s, %n : f32
        %square = arith.divf %q, %n : f32
        %1 = arith.mulf %mean, %mean : f32
        %variance = arith.subf %square, %1 : f32
        %2 = arith.addf %variance, %eps : f32
        %3 = math.rsqrt %2 : f32
        %4 = arith.subf %a, %mean : f32
        %5 = arith.mulf %4, %3 : f32
        linalg.yield %5 : f32 }} -> {t}
      return %r : {t} }}"""


def mlir_conv(name, n, h, c, f):
    x, w, y = f"tensor<{n}x{h}x{h}x{c}xf32>", f"tensor<3x3x{c}x{f}xf32>", f"tensor<{n}x{h - 2}x{h - 2}x{f}xf32>"
    return f"""func.func @{name}(%x: {x}, %w: {w}) -> {y} {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {y}
      %f = linalg.fill ins(%z : f32) outs(%e : {y}) -> {y}
      %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : {x}, {w}) outs(%f : {y}) -> {y}
      return %r : {y} }}"""


class Bench:
    def __init__(self):
        import numpy as np
        from harness import RUNTIME
        try:
            import torch
        except ImportError:
            torch = None
        self.np, self.torch, self.runtime = np, torch, RUNTIME
        self.rng = np.random.default_rng(0)
        self.rows, self.sources, self.pending = [], [], []

    def set_threads(self, threads):
        self.runtime.ampSetNumThreads(threads)
        set_blas_threads(threads)
        if self.torch:
            self.torch.set_num_threads(threads)

    def add(self, label, name, source, args, result, want, tolerance, peers, work, unit):
        """`want` maps row numbers to rows of the result in f64; `peers` maps names to callables."""
        self.sources.append(source)
        self.pending.append((label, name, args, result, want, tolerance, peers, work, unit))

    def compile(self):
        from harness import Module
        module = Module("\n".join(self.sources), "amp-lower-to-cpu{no-scalar-fallback}")
        for label, name, args, result, want, tolerance, peers, work, unit in self.pending:
            call, take = module.prepare(name, args, [result])
            call()
            self.check(label, take()[0], want, tolerance)

            def run(call=call, take=take):
                call()
                take(copy=False)
            self.rows.append(Row(label, run, peers, work, unit))

    def check(self, label, got, want, tolerance):
        np = self.np
        flat = got.reshape(-1, got.shape[-1])
        at = self.rng.integers(0, flat.shape[0], min(16, flat.shape[0]))
        at[-1] = flat.shape[0] - 1
        reference = want(at)
        error = np.abs(flat[at].astype(np.float64) - reference).max() / max(np.abs(reference).max(), 1e-30)
        if not error <= tolerance:
            sys.exit(f"kernels.py: error: {label}: the error against f64 is {error:.3g}, more than {tolerance:.3g}")

    def gemm(self, m, n, k, kind, dynamic=False):
        np, torch, rng = self.np, self.torch, self.rng
        from harness import from_bf16, to_bf16
        name = f"g_{kind}_{m}_{n}_{k}" + ("_dyn" if dynamic else "")
        label = f"{kind} {m}x{n}x{k}" + (" dynamic" if dynamic else "")
        peers, acc = {}, "i32" if kind == "i8" else "f32"
        if kind == "i8":
            a, b = (rng.integers(-128, 128, s, np.int8) for s in ((m, k), (k, n)))
            wide = lambda x: x.astype(np.float64)
            if torch:
                ta, tb = torch.from_numpy(a), torch.from_numpy(b)
                peers["torch"] = lambda: torch._int_mm(ta, tb)
        else:
            a, b = (rng.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n)))
            wide = lambda x: x.astype(np.float64)
            if kind == "bf16":
                a, b = to_bf16(a), to_bf16(b)
                wide = lambda x: from_bf16(x).astype(np.float64)
            else:
                out = np.empty((m, n), np.float32)
                peers["OpenBLAS"] = lambda: np.matmul(a, b, out=out)
            if torch:
                view = (lambda x: torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)) if kind == "bf16" else torch.from_numpy
                ta, tb = view(a), view(b)
                tc = torch.empty((m, n), dtype=ta.dtype)
                peers["torch"] = lambda: torch.mm(ta, tb, out=tc)
        self.add(label, name, mlir_gemm(name, m, n, k, kind, acc, dynamic), [a, b], (acc, 2),
                 lambda at: wide(a[at]) @ wide(b), 0 if kind == "i8" else 1e-5, peers, 2e-9 * m * n * k, "GFLOP/s")

    def rows_of(self, m, n, kind):
        np, torch = self.np, self.torch
        x = self.rng.standard_normal((m, n)).astype(np.float32)
        name, label = f"r_{kind}_{m}_{n}", f"{kind.replace('_', ' ')} f32 {m}x{n}"
        copy = np.empty_like(x)
        peers = {"memcpy": lambda: np.copyto(copy, x)}
        if kind == "softmax":
            source = mlir_softmax(name, m, n)

            def want(at):
                e = np.exp(x[at].astype(np.float64) - x[at].max(1, keepdims=True))
                return e / e.sum(1, keepdims=True)
            if torch:
                t = torch.from_numpy(x)
                peers["torch"] = lambda: torch.softmax(t, 1)
        else:
            source = mlir_layer_norm(name, m, n)

            def want(at):
                w = x[at].astype(np.float64)
                return (w - w.mean(1, keepdims=True)) / np.sqrt(w.var(1, keepdims=True) + 1e-5)
            if torch:
                t = torch.from_numpy(x)
                peers["torch"] = lambda: torch.nn.functional.layer_norm(t, (n,))
        self.add(label, name, source, [x], ("f32", 2), want, 1e-5, peers, 8e-9 * m * n, "GB/s")

    def conv(self, n, h, c, f):
        np, torch = self.np, self.torch
        x = self.rng.standard_normal((n, h, h, c)).astype(np.float32)
        w = self.rng.standard_normal((3, 3, c, f)).astype(np.float32)
        name, o = f"c_{n}_{h}_{c}_{f}", h - 2

        def want(at):
            rows = []
            for i in at:
                image, y, z = i // (o * o), i // o % o, i % o
                rows.append(np.tensordot(x[image, y:y + 3, z:z + 3].astype(np.float64), w.astype(np.float64), 3))
            return np.array(rows)
        peers = {}
        if torch:
            tx = torch.from_numpy(x).permute(0, 3, 1, 2)
            tw = torch.from_numpy(w).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
            peers["torch"] = lambda: torch.nn.functional.conv2d(tx, tw)
        self.add(f"conv NHWC 3x3 {n}x{h}x{h}x{c}->{f}", name, mlir_conv(name, n, h, c, f), [x, w], ("f32", 4), want,
                 1e-5, peers, 2e-9 * n * o * o * 9 * c * f, "GFLOP/s")


def measure(row, rounds, seconds):
    """Median seconds of a call, by contender."""
    contenders = {"amp": row.amp, **row.peers}
    counts, times = {}, {name: [] for name in contenders}
    for name, call in contenders.items():
        call()
        start = time.perf_counter()
        call()
        counts[name] = max(1, min(1000, int(seconds / max(time.perf_counter() - start, 1e-6))))
    for _ in range(rounds):
        for name, call in contenders.items():
            start = time.perf_counter()
            for _ in range(counts[name]):
                call()
            times[name].append((time.perf_counter() - start) / counts[name])
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--threads", default="1,2", help="numbers of threads (default 1,2)")
    parser.add_argument("--only", default="", help="only rows whose name this regular expression is found in")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.05, help="of a contender in a round")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    prepare_environment(os.path.abspath(args.build))
    bench = Bench()

    def wanted(label):
        return re.search(args.only, label)
    for kind in ("f32", "bf16", "i8"):
        for m, n, k in GEMMS:
            if wanted(f"{kind} {m}x{n}x{k}"):
                bench.gemm(m, n, k, kind)
    for kind in ("f32", "bf16"):
        if wanted(f"{kind} 1024x1024x1024 dynamic"):
            bench.gemm(1024, 1024, 1024, kind, dynamic=True)
    for n, h, c, f in ((1, 58, 64, 64), (4, 58, 128, 128), (1, 16, 256, 256)):
        if wanted(f"conv NHWC 3x3 {n}x{h}x{h}x{c}->{f}"):
            bench.conv(n, h, c, f)
    for kind in ("layer_norm", "softmax"):
        for m, n in ((1024, 1024), (8192, 1000)):
            if wanted(f"{kind.replace('_', ' ')} f32 {m}x{n}"):
                bench.rows_of(m, n, kind)
    bench.compile()
    columns = ["OpenBLAS", "torch", "memcpy"]
    lines = [f"Machine: {cpu_name()[0]}, {os.cpu_count()} processors  ",
             f"Peers: NumPy {bench.np.__version__}, torch {bench.torch.__version__ if bench.torch else 'none'}  ",
             f"Rounds: {args.rounds} of {args.seconds} s for each contender", "",
             "| kernel | threads | unit | amp | " + " | ".join(columns) + " | amp / best |", "|---|---|---|---|" + "---|" * (len(columns) + 1)]
    print("\n".join(lines), flush=True)
    for row in bench.rows:
        for threads in map(int, args.threads.split(",")):
            bench.set_threads(threads)
            times = measure(row, args.rounds, args.seconds)
            best = min((t for name, t in times.items() if name != "amp"), default=None)
            cells = [f"{row.work / times[c]:.1f}" if c in times else "-" for c in columns]
            ratio = f"{best / times['amp']:.2f}" if best else "-"
            lines.append(f"| {row.name} | {threads} | {row.unit} | {row.work / times['amp']:.1f} | " + " | ".join(cells) + f" | {ratio} |")
            print(lines[-1], flush=True)
    if args.results:
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        today = datetime.date.today().isoformat()
        path = os.path.join(ROOT, "benchmarks", "results", f"{today}-{args.results}.md")
        command = " ".join(["benchmarks/cpu/kernels.py", *sys.argv[1:]])
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([f"# {args.results}, {today}", "", f"Command: `{command}`, at commit {commit.stdout.strip()}", ""] + lines) + "\n")
        print("wrote " + os.path.relpath(path, ROOT))


if __name__ == "__main__":
    main()
