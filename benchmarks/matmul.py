#!/usr/bin/env python3
"""Times a 1024^3 matmul through amp-run against NumPy's BLAS, one thread each.

    matmul.py --amp-run build/bin/amp-run [--results NAME]

Three programs of amp: f32; bf16 operands with an f32 accumulator; and the f32
program under autocast to bf16, whose time includes the casts. The rounds of BLAS
and of amp alternate, so that a noisy neighbour hits both. Every result is first
compared with BLAS. The ratio is BLAS's time over ours: above 1, ours is faster.

OpenBLAS picks its kernels when it is loaded, and may not know the host, so this
program sets OPENBLAS_CORETYPE to the widest that the host has, or to --blas-core,
and starts itself again. The name of the core that OpenBLAS then uses is printed.
"""
import argparse
import ctypes
import datetime
import os
import platform
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SIZE = 1024
FLOPS = 2 * SIZE**3
#: Name, module, autocast, unit roundoff of the operands.
PROGRAMS = (
    ("amp f32", "matmul_f32.mlir", "off", 2.0**-24),
    ("amp bf16", "matmul_bf16.mlir", "off", 2.0**-8),
    ("amp f32, autocast to bf16", "matmul_f32.mlir", "bf16", 2.0**-8),
)


def cpu_facts():
    """(name of the processor, its feature flags), from /proc/cpuinfo."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return platform.processor() or platform.machine(), set()
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    flags = re.search(r"^flags\s*: (.*)$", text, re.M)
    return (name.group(1) if name else platform.machine()), set(flags.group(1).split() if flags else ())


def widest_core():
    """OpenBLAS's name for the widest kernels this processor runs; None to let it choose."""
    flags = cpu_facts()[1]
    return "SkylakeX" if "avx512f" in flags else "Haswell" if "avx2" in flags else None


def fix_environment(core):
    """Starts this program again with one thread and the kernels `core` in OpenBLAS.

    A BLAS and a threading runtime read these variables when they are loaded.
    """
    wanted = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    if core:
        wanted["OPENBLAS_CORETYPE"] = core
    if any(os.environ.get(key) != value for key, value in wanted.items()):
        os.environ.update(wanted)
        os.execv(sys.executable, [sys.executable, *sys.argv])


def blas_core():
    """The name that the loaded OpenBLAS gives its kernels, or what else is loaded."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = sorted({line.split()[-1] for line in file if re.search(r"/[^/]*(blas|mkl|blis)[^/]*\.so", line)})
    for path in paths:
        library = ctypes.CDLL(path)
        for symbol in (
            "openblas_get_corename",
            "openblas_get_corename64_",
            "scipy_openblas_get_corename",
            "scipy_openblas_get_corename64_",
        ):
            function = getattr(library, symbol, None)
            if function:
                function.restype = ctypes.c_char_p
                return f"OpenBLAS {function().decode()} ({os.path.basename(path)})"
    return "unknown: " + (", ".join(os.path.basename(path) for path in paths) or "no BLAS library is loaded")


def fail(message):
    print(f"matmul.py: error: {message}", file=sys.stderr)
    sys.exit(2)


def amp(amp_run, module, autocast, inputs, *more):
    """What amp-run prints; ends the program if it fails."""
    command = [amp_run, os.path.join(HERE, module), "--weights=" + inputs, "--autocast=" + autocast, *more]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        fail(f"cannot run {amp_run}: {error.strerror}")
    if done.returncode != 0:
        fail(f"{' '.join(command)}\nended with code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def minimum(text):
    """Seconds of the fastest run that `amp-run --time` prints."""
    match = re.search(r"\bmin_ms=([\d.]+)", text)
    if not match:
        fail(f"no min_ms= in the output of amp-run --time:\n{text}")
    return float(match.group(1)) / 1e3


def write_inputs(np, folder):
    """Random operands: f32 ones, and the same rounded to bf16, as amp-run reads them."""
    rng = np.random.default_rng(0)
    arrays = {name: rng.standard_normal((SIZE, SIZE)).astype(np.float32) for name in "ab"}
    rounded = {}
    for name, array in arrays.items():
        bits = array.view(np.uint32)
        rounded[name] = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16).view("V2")
    paths = {"f32": os.path.join(folder, "f32.npz"), "bf16": os.path.join(folder, "bf16.npz")}
    np.savez(paths["f32"], **arrays)
    np.savez(paths["bf16"], **rounded)
    return arrays, paths


def measure(np, args):
    """Returns the name of the BLAS, and the best and the median seconds per program."""
    with tempfile.TemporaryDirectory() as folder:
        arrays, paths = write_inputs(np, folder)
        a, b = arrays["a"], arrays["b"]
        want = a @ b
        blas = blas_core()
        output = os.path.join(folder, "out.npz")

        def inputs(module):
            return paths["bf16" if module == "matmul_bf16.mlir" else "f32"]

        for name, module, autocast, roundoff in PROGRAMS:
            amp(args.amp_run, module, autocast, inputs(module), "--output=" + output)
            with np.load(output) as file:
                error = np.abs(file["c"] - want).max()
            # Operands of size 1: SIZE products, two roundings each; six sigmas and
            # the largest operands, with room for the result in bf16.
            bound = 16 * roundoff * np.sqrt(SIZE) + 1e-3
            print(f"{name}: largest difference from BLAS {error:.3g}, at most {bound:.3g} allowed")
            if not error <= bound:
                fail(f"{name} gives a wrong result")

        times = {"BLAS f32": []}
        times.update({program[0]: [] for program in PROGRAMS})
        for _ in range(args.rounds):
            best = float("inf")
            for _ in range(args.runs):
                start = time.perf_counter()
                np.matmul(a, b, out=want)
                best = min(best, time.perf_counter() - start)
            times["BLAS f32"].append(best)
            for name, module, autocast, _ in PROGRAMS:
                text = amp(args.amp_run, module, autocast, inputs(module), f"--time={args.runs}")
                times[name].append(minimum(text))
    return blas, {name: (min(seconds), float(np.median(seconds))) for name, seconds in times.items()}


def report(blas, times, args):
    """The lines of the report, which is Markdown."""
    reference = times["BLAS f32"]
    lines = [
        f"Machine: {cpu_facts()[0]}, {os.cpu_count()} processors, one thread used",
        f"BLAS: {blas}, OPENBLAS_CORETYPE={os.environ.get('OPENBLAS_CORETYPE', '(not set)')}",
        f"Matrices: {SIZE} x {SIZE} x {SIZE}, {args.rounds} alternating rounds, best of {args.runs} runs in each",
        "",
        "| program | best ms | median of rounds ms | GFLOP/s at best | ratio at best | ratio of medians |",
        "|---|---|---|---|---|---|",
    ]
    for name, (best, median) in times.items():
        lines.append(
            f"| {name} | {best * 1e3:.2f} | {median * 1e3:.2f} | {FLOPS / best / 1e9:.1f} "
            f"| {reference[0] / best:.2f} | {reference[1] / median:.2f} |"
        )
    lines += [
        "",
        f"f32: {reference[0] / times['amp f32'][0]:.2f} of the speed of BLAS. "
        f"bf16: {times['amp f32'][0] / times['amp bf16'][0]:.2f} times the speed of amp's f32, "
        f"{times['amp f32'][0] / times['amp f32, autocast to bf16'][0]:.2f} times with the casts of autocast.",
    ]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--amp-run", default=os.path.join(ROOT, "build", "bin", "amp-run"), help="path of amp-run")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (default 5)")
    parser.add_argument("--runs", type=int, default=20, help="runs of each program in a round (default 20)")
    parser.add_argument("--blas-core", default=widest_core(), help="OPENBLAS_CORETYPE (default: %(default)s)")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    fix_environment(args.blas_core)
    import numpy as np  # after the environment is set

    if not os.path.exists(args.amp_run):
        fail(f"there is no {args.amp_run}; build it first: ninja -C build amp-run")
    lines = report(*measure(np, args), args)
    print("\n".join(lines))
    if args.results:
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        today = datetime.date.today().isoformat()
        path = os.path.join(HERE, "results", f"{today}-{args.results}.md")
        command = f"benchmarks/matmul.py --rounds {args.rounds} --runs {args.runs} --results {args.results}"
        head = [f"# {args.results}, {today}", "", f"Command: `{command}`, at commit {commit.stdout.strip()}", ""]
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(head + [line + "  " if ": " in line[:12] else line for line in lines]) + "\n")
        print("wrote " + os.path.relpath(path, ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
