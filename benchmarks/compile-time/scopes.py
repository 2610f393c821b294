#!/usr/bin/env python3
"""Measures how the compile time of stages 1 to 4 grows with the program.

Writes call graphs of 10^3, 10^4 and 10^5 ops (about ten ops a function, so
10,000 functions in the largest) and takes them through the stages, one after
the other. Each stage is timed by --mlir-timing against upstream's
canonicalize,cse on the very module that the stage takes in, one after the
other in each round, so that both see the same machine; the least time of all
rounds counts. The time of the verifier, which runs behind every pass, is left
out of both (--verify-each=0): canonicalize,cse would have it twice.

Prints the time per op of every stage, and how many times that of
canonicalize,cse it is. Exits with 1 where a pass fails, and with --limit also
where a ratio is above the limit.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

T = "tensor<8x8xf32>"
STAGES = [
    "amp-structurize-scopes", "amp-version-scopes", "amp-specialize-scopes", "amp-decide-precision",
    "amp-apply-precision", "amp-promote-types", "amp-resolve-promotions",
]  # fmt: skip
PEER = "canonicalize,cse"


def function(index, count, shape):
    """One function: a few ops, and two calls of later functions. In `chain` each
    calls the next one only; in `tree` the callees are shared by many callers."""
    public = index == 0
    lines = [f"func.func {'' if public else 'private '}@f{index}(%a: {T}, %w: {T}) -> {T} {{"]
    lines += [
        "  %zero = arith.constant 0.0 : f32",
        f"  %e = tensor.empty() : {T}",
        f"  %f = linalg.fill ins(%zero : f32) outs(%e : {T}) -> {T}",
    ]
    scoped = index % 7 == 0
    if scoped:
        off = " disabled" if index % 3 == 1 else ""
        lines += [f'  %cfg = amp.config device("cuda") dtype(f16){off}', "  %t = amp.enter %cfg"]
    lines += [
        f"  %m = linalg.matmul ins(%a, %w : {T}, {T}) outs(%f : {T}) -> {T}",
        f"  %s = arith.addf %m, %a : {T}",
        f"  %x = math.exp %s : {T}",
    ]
    value = "%x"
    callees = [index + 1] if shape == "chain" else [2 * index + 1, 2 * index + 2]
    if shape == "tree" and index % 2:
        callees[1] = min(index + 1 + index // 2, count - 1)
    for number, callee in enumerate(callees):
        if index < callee < count:
            lines.append(f"  %c{number} = call @f{callee}({value}, %w) : ({T}, {T}) -> {T}")
            value = f"%c{number}"
    lines.append(f"  %r = arith.mulf {value}, %s : {T}")
    if scoped:
        lines.append("  amp.exit %t")
    lines += [f"  return %r : {T}", "}"]
    return lines


def program(ops, shape):
    count = max(1, ops // 10)
    lines = [line for index in range(count) for line in function(index, count, shape)]
    return "\n".join(lines) + "\n", count


def run(amp_opt, source, passes, *options):
    command = [amp_opt, str(source), f"--pass-pipeline=builtin.module({passes})", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[:2000]}")
    return done.stderr


def seconds(amp_opt, source, passes):
    """The wall time of `passes` in one run."""
    total = 0
    timing = ["--verify-each=0", "--mlir-timing", "--mlir-timing-display=list", "-o=/dev/null"]
    for line in run(amp_opt, source, passes, *timing).splitlines():
        match = re.match(r"\s*([\d.]+)\s+\(\s*[\d.]+%\)\s+(\S+)$", line)
        if match and re.match(r"Amp|Canonicalizer$|CSE$", match[2]):
            total += float(match[1])
    return total


def measure(amp_opt, folder, text, rounds):
    """stage -> the least wall time in seconds of it, and of the peer on the same module."""
    sources = [folder / "program.mlir"]
    sources[0].write_text(text)
    for index, stage in enumerate(STAGES[:-1]):
        sources.append(folder / f"{index}.mlirbc")
        run(amp_opt, sources[-2], stage, "--emit-bytecode", f"-o={sources[-1]}")
    best = {}
    for _ in range(rounds):
        for stage, source in zip(STAGES, sources):
            times = seconds(amp_opt, source, stage), seconds(amp_opt, source, PEER)
            best[stage] = tuple(map(min, times, best.get(stage, times)))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("amp_opt")
    parser.add_argument("--ops", type=int, nargs="*", default=[1000, 10000, 100000])
    parser.add_argument("--shape", nargs="*", default=["tree", "chain"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, help="the greatest ratio that is no failure")
    parser.add_argument("--json", type=pathlib.Path, help="also write the numbers there")
    parser.add_argument("--print", action="store_true", help="print the programs and stop")
    arguments = parser.parse_args()
    numbers = []
    if not arguments.print:
        print(f"| shape | ops | functions | stage | ms | us/op | {PEER} ms | ratio |")
        print("|---|---|---|---|---|---|---|---|")
    for shape in arguments.shape:
        for ops in arguments.ops:
            text, functions = program(ops, shape)
            if arguments.print:
                print(text)
                continue
            with tempfile.TemporaryDirectory() as folder:
                best = measure(arguments.amp_opt, pathlib.Path(folder), text, arguments.rounds)
            for stage, (own, peer) in best.items():
                print(
                    f"| {shape} | {ops} | {functions} | {stage} | {own * 1e3:.1f} | {own / ops * 1e6:.2f} "
                    f"| {peer * 1e3:.1f} | {own / peer:.2f} |",
                    flush=True,
                )
                numbers.append({"shape": shape, "ops": ops, "functions": functions, "stage": stage, "seconds": own, "peer": peer})
    if arguments.json:
        arguments.json.write_text(json.dumps(numbers, indent=1) + "\n")
    slow = [n for n in numbers if arguments.limit and n["seconds"] > arguments.limit * n["peer"]]
    for n in slow:
        print(f"{n['stage']} is above the limit on {n['shape']} of {n['ops']} ops", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
