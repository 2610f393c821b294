#!/usr/bin/env python3
"""Measures how the compile time of stages 1 to 4 grows with the program.

Writes call graphs of 10^3, 10^4 and 10^5 ops (about ten ops a function, so
10,000 functions in the largest) and runs, in one pipeline each,

    canonicalize,cse
    amp-structurize-scopes,amp-version-scopes,amp-specialize-scopes,
        amp-decide-precision,amp-apply-precision,amp-resolve-promotions

with --mlir-timing. Prints the time per op of every pass, and how many times
that of canonicalize,cse it is. Exits with 1 only where a pass fails: times of
a machine decide nothing.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

T = "tensor<8x8xf32>"
PASSES = [
    "amp-structurize-scopes", "amp-version-scopes", "amp-specialize-scopes",
    "amp-decide-precision", "amp-apply-precision", "amp-resolve-promotions",
]  # fmt: skip


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


def measure(amp_opt, path, passes, repeat):
    """The least wall time in seconds of each pass over `repeat` runs."""
    best = {}
    for _ in range(repeat):
        command = [
            amp_opt, str(path), f"--pass-pipeline=builtin.module({','.join(passes)})",
            "--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr[:2000]}")
        for line in done.stderr.splitlines():
            match = re.match(r"\s*([\d.]+)\s+\(\s*[\d.]+%\)\s+(\S+)$", line)
            if match:
                name, seconds = match[2], float(match[1])
                best[name] = min(best.get(name, seconds), seconds)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("amp_opt")
    parser.add_argument("--ops", type=int, nargs="*", default=[1000, 10000, 100000])
    parser.add_argument("--shape", nargs="*", default=["tree", "chain"])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, help="also write the numbers there")
    parser.add_argument("--print", action="store_true", help="print the programs and stop")
    arguments = parser.parse_args()
    rows = []
    for shape in arguments.shape:
        for ops in arguments.ops:
            text, functions = program(ops, shape)
            if arguments.print:
                print(text)
                continue
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "program.mlir"
                path.write_text(text)
                base = measure(arguments.amp_opt, path, ["canonicalize", "cse"], arguments.repeat)
                stages = measure(arguments.amp_opt, path, PASSES, arguments.repeat)
            rows.append((shape, ops, functions, base, stages))
    if arguments.print:
        return 0
    names = {"canonicalize,cse": ["Canonicalizer", "CSE"]}
    print("| shape | ops | functions | pass | ms | us/op | of canonicalize,cse |")
    print("|---|---|---|---|---|---|---|")
    numbers = []
    for shape, ops, functions, base, stages in rows:
        whole = sum(seconds for name, seconds in base.items() if any(n in name for n in names["canonicalize,cse"]))
        table = [("canonicalize,cse", whole)]
        table += [(name, seconds) for name, seconds in stages.items() if name.startswith("Amp")]
        for name, seconds in table:
            ratio = seconds / whole if whole else float("nan")
            print(f"| {shape} | {ops} | {functions} | {name} | {seconds * 1e3:.1f} | {seconds / ops * 1e6:.2f} | {ratio:.2f} |")
            numbers.append({"shape": shape, "ops": ops, "functions": functions, "pass": name, "seconds": seconds})
    if arguments.json:
        arguments.json.write_text(json.dumps(numbers, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
