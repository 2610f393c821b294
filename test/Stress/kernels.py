# Random programs on tensors, compiled for the CPU, against f64 with a bound for each element (tensor_programs.py); the same bits on one
# and on three threads; free memory is NaN.
#
# RUN: env AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s --programs %{stress_kernels}
"""Random programs on tensors against f64.

usage: kernels.py [--programs N] [--first SEED] [--length N] [--pipeline P] [--cpu NAME] [--optimize]
"""

import argparse
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "Integration", "CPU", "Inputs")]
from harness import widen  # noqa: E402
from tensor_programs import Program, f8_value  # noqa: E402


def decode(array, element):
    return f8_value(array.astype(np.int64), element) if element.startswith("f8") else widen(array, element)


def differences(program, module, runtime):
    """What is wrong with the results, or None."""
    first = None
    for threads in (1, 3):
        runtime.ampSetNumThreads(threads)
        got = module(program.name, program.arguments, [(v.element, len(v.dims)) for v in program.results])
        if first is None:
            first = got
        for place, (a, b, v) in enumerate(zip(first, got, program.results)):
            if a.shape != v.exact.shape:
                return f"result {place}: shape {a.shape} instead of {v.exact.shape}"
            if a.tobytes() != b.tobytes():
                return f"result {place}: {threads} threads give other bits"
            value = decode(b, v.element)
            good = value == v.exact if not v.is_float else np.abs(value - v.exact) <= v.error * 1.01 + 1e-37
            if not np.all(good):
                at = tuple(np.argwhere(~good)[0])
                return (f"result {place}: {np.count_nonzero(~good)} of {good.size} wrong, first at {[int(i) for i in at]}: {value[at]} instead of "
                        f"{v.exact[at]} +- {v.error[at]}")
    return None


def work(options):
    """Compiles and runs programs in this process, and prints a line for each."""
    from harness import RUNTIME, Module

    programs = [Program(seed, options.length) for seed in range(options.first, options.first + options.programs)]
    module = Module("\n".join(p.text() for p in programs), options.pipeline, options.cpu, optimize=options.optimize)
    for program in programs:
        print(f"run {program.name}", flush=True)
        wrong = differences(program, module, RUNTIME)
        if wrong:
            print(f"wrong {program.name}: {wrong}", flush=True)
    print("end", flush=True)


def attempt(options, first, count, length=None):
    """The seeds that fail among `count` programs, with what they say: {seed: text}."""
    command = [sys.executable, os.path.abspath(__file__), "--worker", f"--first={first}", f"--programs={count}", f"--pipeline={options.pipeline}",
               f"--cpu={options.cpu}", *(["--optimize"] if options.optimize else []), *([f"--length={length}"] if length is not None else [])]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60 + 30 * count)
        output, errors, code = run.stdout, run.stderr, run.returncode
    except subprocess.TimeoutExpired as expired:
        output, errors, code = (expired.stdout or b"").decode(), "timed out", 1
    lines = output.split("\n")
    failures = {int(line.split()[1].strip("p:")): line for line in lines if line.startswith("wrong ")}
    if code == 0 and "end" in lines:
        return failures
    if count == 1:
        return {first: f"crashed, exit status {code}:\n{errors[-3000:]}"}
    half = count // 2
    return {**attempt(options, first, half, length), **attempt(options, first + half, count - half, length)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--length", type=int, help="only so many operations of each program")
    parser.add_argument("--pack", type=int, default=25, help="programs in one module")
    parser.add_argument("--pipeline", default="amp-lower-to-cpu")
    parser.add_argument("--cpu", default="native", help="of llc")
    parser.add_argument("--optimize", action="store_true", help="with LLVM's passes of -O3 before llc, as amp-compile does")
    parser.add_argument("--show", action="store_true", help="print the programs, and do not run them")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        for seed in range(options.first, options.first + options.programs):
            print(Program(seed, options.length).text())
        return 0
    if options.worker:
        work(options)
        return 0
    failures = {}
    for first in range(options.first, options.first + options.programs, options.pack):
        found = attempt(options, first, min(options.pack, options.first + options.programs - first))
        for seed in sorted(found):
            # The first operations that suffice.
            length = next((n for n in range(1, Program(seed).length) if attempt(options, seed, 1, n)), None)
            text = attempt(options, seed, 1, length).get(seed, found[seed]) if length else found[seed]
            print(f"--first {seed} --programs 1{f' --length {length}' if length else ''}: {text}\n{Program(seed, length).text()}", flush=True)
        failures.update(found)
    print(f"{len(failures)} of {options.programs} failed" if failures else f"{options.programs} programs: all as in f64")
    return 1 if failures else 0


sys.exit(main())
