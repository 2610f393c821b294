#!/usr/bin/env python3
"""The programs of the GPU benchmarks, as MLIR text, with what torch has for them.

    programs.py NAME                  prints one program
    programs.py --list [--suite=S]    prints the names, of one suite

A program is a function `main` on tensors, in upstream's linalg, arith, math and
tensor dialects. What a program offers:

    name, suite
    mlir, options         the text, and options for amp-compile
    operands, result      builder.Operand, in order; the result is named y
    flops, bytes          that a run needs at least; 0 flops where bytes are what counts
    contestants           torch's expressions of the operands (and of `peers`), by name
    peer_elements         types of operands that differ for torch, by name
    exact, bound          torch's expression of operands in f64, and the error that is allowed
    against_copy          whether a copy of as many bytes is timed too
    goals                 by contestant: its time over ours, at least
"""
import argparse
import sys

import attentions
import blocks
import convolutions
import gemms
import rows

SUITES = {"rows": rows.programs, "gemm": gemms.bare, "fused": gemms.fused, "attention": attentions.programs, "conv": convolutions.programs,
          "block": blocks.programs}
#: By suite, part of the programs (a text of their names) and contestant: the least geometric mean of its time over ours.
#: "library" is the best of cublasLt and eager torch.
SUITE_GOALS = (
    ("gemm", "f16", "library", 1.01), ("gemm", "bf16", "library", 1.01), ("gemm", "f8", "library", 1.0), ("gemm", "i8", "library", 1.0),
    ("attention", "x128-", "cuDNN", 1.1), ("attention", "x64-", "cuDNN", 1.05), ("conv", "", "cuDNN", 1.1), ("conv", "bias_relu", "cuDNN", 2.0),
)


def programs(suite=None):
    """All of a suite, or of all suites."""
    return [program for name, make in SUITES.items() if suite in (None, name) for program in make()]


def tiny():
    """What the checker itself is tried with, on the simulator: no time means anything."""
    return [program for module in (rows, gemms, attentions, convolutions, blocks) for program in module.tiny()]


def known():
    """Every program, by name."""
    return {program.name: program for program in programs() + tiny() + [blocks.simulated_mlp()]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--suite", choices=SUITES)
    args = parser.parse_args()
    if args.list:
        print("\n".join(dict.fromkeys(program.name for program in programs(args.suite))))
    elif args.name in known():
        sys.stdout.write(known()[args.name].mlir)
    else:
        parser.error(f"expected a name that --list prints, but found {args.name!r}")


if __name__ == "__main__":
    main()
