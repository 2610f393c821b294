#!/usr/bin/env python3
"""Checks and times the programs that lie beside this file, on a CUDA device.

    run.py [--part=correctness|sanitizer|timings] ... [--only=TEXT] [--shard=I/N] [--output=results.json]

correctness  every program on seeded inputs against its f64 reference, and the
             accuracy of the digit classifiers
sanitizer    the same under compute-sanitizer: memcheck, racecheck, initcheck
timings      each benchmark against torch eager and torch.compile, in this process

Without --part: all three. `--device=sim` runs libraries that were packed for the
simulator, with AMP_CUDA_DRIVER naming its driver. Exit code 1 if something is wrong.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import amp_runtime  # noqa: E402
import numerics  # noqa: E402
import oracle  # noqa: E402

PARTS = ("correctness", "sanitizer", "timings")
TOOLS = ("memcheck", "racecheck", "initcheck")
#: Points of accuracy that a narrow type may lose, and what f32 reaches at least.
MOST_POINTS_LOST, LEAST_ACCURACY = 0.5, {"digits-mlp": 0.9733, "digits-cnn": 0.9867, "digits-mlp_tosa": 0.9733}


def load(entry):
    return amp_runtime.load(os.path.join(HERE, "models", entry["name"] + ".so"))


def to_numpy(value):
    return value if isinstance(value, np.ndarray) else value.numpy()


def results_of(model, arrays):
    """Runs `main` on NumPy arrays by argument name: its results by name."""
    function = model.functions["main"]
    values = model.main(**{a.name: arrays[a.name] for a in function.arguments})
    values = values if isinstance(values, tuple) else (values,)
    return {r.name: to_numpy(v) for r, v in zip(function.results, values)}


def check_oracle(entry):
    model = load(entry)
    return oracle.check_case(entry["case"], entry["type"], lambda arrays: results_of(model, arrays))


def check_distance(entry):
    """For programs whose reference knows no useful bound in a narrow type: every result is within 4 u of the largest
    element of the f64 reference. A model that rounds every intermediate once comes to less than 2 u."""
    inputs, reference = oracle.CASES[entry["case"]]
    model, wrong = load(entry), []
    for arrays in inputs(np.random.default_rng(0)):
        for name, want in reference(oracle.nums(arrays, "f32")).items():
            got = results_of(model, arrays)[name]
            distance = float(np.abs(got - want.v).max() / np.abs(want.v).max())
            most = 4 * numerics.FORMATS[entry["type"]][0]
            print(f"{entry['name']} {name}: {distance:.3g} of the largest element, at most {most:.3g}")
            if not 0 < distance <= most:
                wrong.append(f"{entry['name']} {name}: {distance:.3g} of the largest element, expected 0 to {most:.3g}")
    return wrong


def accuracy(entry):
    data = np.load(os.path.join(HERE, "digits.npz"))
    model = load(entry)
    (logits,) = results_of(model, {model.functions["main"].arguments[0].name: data["x_test"]}).values()
    return float((logits.argmax(1) == data["y_test"]).mean())


def check_digits(entry):
    least = LEAST_ACCURACY[entry["case"]] - (MOST_POINTS_LOST / 100 if entry["type"] != "f32" else 0) - 5e-5
    found = accuracy(entry)
    print(f"{entry['name']}: accuracy {found:.4f}")
    return [] if found >= least else [f"{entry['name']}: accuracy {found:.4f}, expected at least {least:.4f}"]


def run_correctness(entries):
    """Returns one record a program."""
    records = []
    for entry in entries:
        check = {"oracle": check_oracle, "distance": check_distance, "digits": check_digits}.get(entry["kind"])
        if not check:
            continue
        try:
            wrong = check(entry)
        except amp_runtime.Error as error:
            wrong = [f"{entry['name']}: {type(error).__name__}: {error}"]
        for message in wrong:
            print("FAILED " + message, file=sys.stderr)
        records.append({"name": entry["name"], "correct": not wrong, "messages": wrong})
    print(f"correctness: {sum(r['correct'] for r in records)} of {len(records)} programs")
    return records


def run_sanitizer(args):
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.path.exists(tool):
        print("sanitizer: compute-sanitizer is not on this machine")
        return []
    records = []
    for check in TOOLS:
        command = [tool, "--tool", check, "--error-exitcode", "99", "--target-processes", "application-only", sys.executable,
                   os.path.abspath(__file__), "--part=correctness", "--only=" + args.only, "--shard=" + args.shard]
        done = subprocess.run(command, capture_output=True, text=True)
        summary = [line for line in done.stdout.splitlines() if "SUMMARY" in line]
        print(f"sanitizer: {check}: exit code {done.returncode} {' '.join(summary)}")
        if done.returncode != 0:
            print(done.stdout[-4000:] + done.stderr[-2000:], file=sys.stderr)
        records.append({"tool": check, "clean": done.returncode == 0, "summary": summary})
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--only", default="", help="only the programs whose name holds this text")
    parser.add_argument("--shard", default="0/1", help="I/N: every N-th program, from number I on")
    parser.add_argument("--output", help="a JSON file for the results")
    args = parser.parse_args()
    with open(os.path.join(HERE, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    index, count = map(int, args.shard.split("/"))
    entries = [e for e in manifest["programs"] if args.only in e["name"]][index::count]
    if not entries:
        parser.error(f"no program has {args.only!r} in its name")
    parts = args.part or PARTS
    results = {"target": manifest["target"]}
    if "correctness" in parts:
        results["correctness"] = run_correctness(entries)
    if "sanitizer" in parts:
        results["sanitizer"] = run_sanitizer(args)
    if "timings" in parts:
        import timing

        results["device"], results["timings"] = timing.run(entries, load)
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    wrong = [r for r in results.get("correctness", []) if not r["correct"]]
    wrong += [r for r in results.get("sanitizer", []) if not r["clean"]]
    wrong += [r for r in results.get("timings", []) if not r["correct"]]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
