#!/usr/bin/env python3
"""Runs the digit classifiers under f32, f16 and bf16 and prints a table.

    run.py --amp-run build/bin/amp-run [--device=cuda] [--time=N]

For each model and each type: accuracy on the test split, largest error of a
logit against the f32 run, bytes of weights and activations, casts inserted, and
the median time of one batch, which is the whole split. Exit code 1 if a model
loses more than 0.5 points of accuracy in a narrow type, 2 if something fails.
Needs NumPy. `amp-opt` is looked for beside `amp-run`.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

import ir_stats

HERE = os.path.dirname(os.path.abspath(__file__))
#: Name in the table, module, weights.
MODELS = (
    ("mlp", "mlp.mlir", "mlp.npz"),
    ("cnn", "cnn.mlir", "cnn.npz"),
    ("mlp (tosa)", "mlp_tosa.mlir", "mlp.npz"),
)
TYPES = (("f32", "off"), ("f16", "f16"), ("bf16", "bf16"))
MOST_POINTS_LOST = 0.5


def call(command, **kwargs):
    """The standard output of a command; ends the program if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **kwargs)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        fail(f"{' '.join(command)}\nended with code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def fail(message):
    print(f"run.py: error: {message}", file=sys.stderr)
    sys.exit(2)


def median_ms(text):
    """Milliseconds of the median that `amp-run --time` prints."""
    match = re.search(r"\bmedian_ms=([\d.]+)", text)
    if not match:
        fail(f"no median_ms= in the output of amp-run --time:\n{text}")
    return float(match.group(1))


class Runner:
    """Runs one model at a time on the test images, with a folder for its output."""

    def __init__(self, amp_run, device, runs, folder):
        self.amp_run = amp_run
        self.device = "--device=" + device
        self.amp_opt = os.path.join(os.path.dirname(amp_run), "amp-opt")
        self.runs = runs
        self.output = os.path.join(folder, "out.npz")

    def command(self, model, weights, autocast, *more):
        return [
            self.amp_run,
            os.path.join(HERE, model),
            "--weights=" + os.path.join(HERE, weights),
            "--input=images=" + os.path.join(HERE, "digits.npz:x_test"),
            "--autocast=" + autocast,
            self.device,
            *more,
        ]

    def logits(self, model, weights, autocast):
        call(self.command(model, weights, autocast, "--output=" + self.output))
        with np.load(self.output) as file:
            return file["logits"].astype(np.float64)

    def time(self, model, weights, autocast):
        """The median of the runs as text; "-" without any."""
        if not self.runs:
            return "-"
        return f"{median_ms(call(self.command(model, weights, autocast, f'--time={self.runs}'))):.3f}"

    def stats(self, model, autocast, batch):
        """Casts, bytes of weights and bytes of activations of what will run."""
        dump = ["--autocast=" + autocast, self.device, "--dump-stage=resolve"]
        text = call([self.amp_run, os.path.join(HERE, model), *dump])
        text = call([self.amp_opt, "--mlir-print-op-generic", "-"], input=text)
        arguments = ir_stats.function_body(text, "main")[0]
        return ir_stats.count(text, set(range(1, len(arguments))), batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--amp-run", required=True, help="path of amp-run")
    parser.add_argument("--device", default="auto", help="what amp-run runs on (its option --device; default auto)")
    parser.add_argument("--time", type=int, default=20, metavar="N", help="timed runs of each batch (default 20; 0: no times)")
    args = parser.parse_args()
    amp_run = os.path.abspath(args.amp_run)
    if not os.path.exists(amp_run):
        fail(f"there is no {amp_run}; build it first: scripts/demo.sh does, or ninja -C build amp-run")
    with np.load(os.path.join(HERE, "digits.npz")) as file:
        labels = file["y_test"]

    print(f"{len(labels)} test images in one batch; errors are against f32; bytes of one batch, in KiB")
    print(
        f"{'model':<11} {'type':<5} {'accuracy':>8} {'max error':>10} "
        f"{'weights':>8} {'activations':>11} {'casts':>5} {'ms/batch':>9}"
    )
    lost = []
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(amp_run, args.device, args.time, folder)
        for name, model, weights in MODELS:
            base = None
            for type_, autocast in TYPES:
                logits = runner.logits(model, weights, autocast)
                accuracy = float((logits.argmax(1) == labels).mean())
                if base is None:
                    base = (logits, accuracy)
                error = np.abs(logits - base[0]).max()
                casts, weight_bytes, activation_bytes = runner.stats(model, autocast, len(labels))
                print(
                    f"{name:<11} {type_:<5} {accuracy:8.4f} {error:10.3g} {weight_bytes / 1024:8.1f} "
                    f"{activation_bytes / 1024:11.1f} {casts:5d} {runner.time(model, weights, autocast):>9}",
                    flush=True,
                )
                if autocast != "off" and (casts == 0 or error == 0):
                    fail(f"{name} under {type_}: nothing ran in {type_}: {casts} casts, results as under f32")
                if not 100 * abs(accuracy - base[1]) <= MOST_POINTS_LOST:
                    lost.append(f"{name} under {type_}: accuracy {accuracy:.4f}, {base[1]:.4f} under f32")
    for line in lost:
        print(f"run.py: more than {MOST_POINTS_LOST} points from f32: {line}", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
