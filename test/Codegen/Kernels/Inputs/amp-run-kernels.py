#!/usr/bin/env python3
"""Stands in for amp-run: takes the program through amp-form-kernels and back.

    amp-run-kernels.py MODEL.mlir [options of amp-run]

Autocast and the lowering to linalg are amp-run's; then kernels are formed and
inlined again, and amp-run runs the result as it is. AMP_RUN and AMP_OPT name
the tools. AMP_KERNEL_PASSES replaces the passes between.
"""
import os
import subprocess
import sys
import tempfile

PASSES = os.environ.get("AMP_KERNEL_PASSES", "--amp-form-kernels --amp-inline-kernels").split()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    amp_run, amp_opt = os.environ["AMP_RUN"], os.environ["AMP_OPT"]
    model, options = sys.argv[1], sys.argv[2:]
    precision = [option for option in options if option.startswith("--autocast=")]
    others = [option for option in options if option not in precision]
    with tempfile.TemporaryDirectory() as folder:
        lowered, formed = os.path.join(folder, "lowered.mlir"), os.path.join(folder, "formed.mlir")
        with open(lowered, "w") as file:
            file.write(run(amp_run, model, "--dump-stage=to-linalg", *precision))
        run(amp_opt, lowered, *PASSES, "-o", formed)
        print(run(amp_run, formed, "--autocast=off", *others), end="")


if __name__ == "__main__":
    main()
