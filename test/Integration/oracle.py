#!/usr/bin/env python3
"""Runs one integration test through amp-run and compares it with its f64 reference.

    oracle.py CASE MODEL.mlir --amp-run=PATH --autocast=off|f16|bf16

The inputs come from a generator seeded by the name of the case. Every element
of every result must be within its bound (see numerics.py). Two more things make
the comparison worth something: the bound must be small beside the result, and
under f16 and bf16 at least one element of a run must be outside the bound of f32,
so a run that lowers nothing fails. Exit code 1 and the worst element on failure.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import zlib

import numpy as np

from cases import CASES
from numerics import Num, compare


def nums(arrays, fmt):
    return {name: Num.stored(a.astype(np.float64), 0.0, fmt) for name, a in arrays.items()}


def run(args, arrays, folder):
    """The results of amp-run, by name."""
    weights, output = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
    np.savez(weights, **arrays)
    command = [args.amp_run, args.model, "--weights", weights, "--output", output, "--autocast=" + args.autocast]
    if args.device != "cpu":
        command.append("--device=" + args.device)
    if args.target:
        command.append("--target=" + args.target)
    try:
        # A run takes about a second; one that has crashed may hang instead of ending.
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except OSError as error:
        sys.exit(f"oracle.py: cannot run {args.amp_run}: {error.strerror}")
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)}\ndid not end within 300 s")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    with np.load(output) as file:
        return dict(file)


def check(name, got, want):
    """Prints one line; returns a message if the result is wrong, else None."""
    if got.shape != want.v.shape:
        return f"{name}: shape {got.shape}, expected {want.v.shape}"
    ratio, where = compare(got, want)
    line = f"{name}: {got.size} elements, worst error {ratio:.3g} of its bound"
    if got.size:
        line += f", at {list(where)}: got {got[where]!r}, expected {want.v[where]!r} within {want.e[where]:.3g}"
    print(line)
    if not ratio <= 1:
        return line
    finite = np.isfinite(want.v)
    size, bound = np.abs(want.v[finite]).max(initial=0), want.e[finite].max(initial=0)
    if size and bound > 0.25 * size:
        return f"{name}: a bound of {bound:.3g} for results of up to {size:.3g} says nothing"
    return None


def check_case(case, fmt, run):
    """Runs a case and compares it with its reference; returns the messages of what is wrong.

    `run` takes a run's arrays by argument name and returns its results by name.
    """
    inputs, reference = CASES[case]
    wrong = []
    for index, arrays in enumerate(inputs(np.random.default_rng(zlib.crc32(case.encode())))):
        wants, wides = (reference(nums(arrays, f)) for f in (fmt, "f32"))
        gots = run(arrays)
        run_label = f"{case} {fmt} run {index}"
        missing = sorted(set(wants) - set(gots))
        if missing:
            wrong.append(f"{run_label}: no results {missing}; there are {sorted(gots)}")
            continue
        wrong += [check(f"{run_label} {name}", gots[name], want) for name, want in wants.items()]
        # The one product of a 1x1 run may well be exact in the narrow type.
        tiny = max(a.size for a in arrays.values()) == 1 or all(a.size == 0 for a in gots.values())
        alike = [name for name in wides if gots[name].shape == wides[name].v.shape]
        same = all(compare(gots[name], wides[name])[0] <= 1 for name in alike)
        if fmt != "f32" and not tiny and same:
            wrong.append(f"{run_label}: all within the bound of f32, so nothing ran in {fmt}")
    return [message for message in wrong if message]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=sorted(CASES))
    parser.add_argument("model")
    parser.add_argument("--amp-run", required=True)
    parser.add_argument("--autocast", choices=("off", "f16", "bf16"), default="off")
    parser.add_argument("--device", default="cpu", help="what amp-run runs on (its option --device)")
    parser.add_argument("--target", help="what amp-run compiles for (its option --target)")
    args = parser.parse_args()
    fmt = "f32" if args.autocast == "off" else args.autocast

    def run_model(arrays):
        with tempfile.TemporaryDirectory() as folder:
            return run(args, arrays, folder)

    wrong = check_case(args.case, fmt, run_model)
    for message in wrong:
        print("FAILED " + message, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
