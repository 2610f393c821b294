#!/usr/bin/env python3
"""Checks and times the programs that lie beside this file, on a CUDA device.

    run.py [--part=correctness|sanitizer|timings] ... [--suite=NAME] [--only=TEXT] [--shard=I/N]
           [--without=CONTESTANT] ... [--minutes=M] [--output=results.json] [--report=results.md] [--plot=results.png]

correctness  every program on seeded inputs against its f64 reference, the accuracy
             of the digit classifiers, and the launch-bound MLP as a CUDA graph
timings      each benchmark against torch and its libraries, in this process
sanitizer    correctness again under compute-sanitizer: memcheck, racecheck, initcheck

Without --part: all three, in this order. After --minutes no program is begun, and
what is left out is in the results, which are written after each program.
report.py makes one report of several results. Libraries that were packed for the
simulator run with AMP_CUDA_DRIVER naming its driver. Exit code 1 if something is
wrong, 3 if nothing is, but something was left out.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import amp_runtime  # noqa: E402
import graphs  # noqa: E402
import numerics  # noqa: E402
import oracle  # noqa: E402
import plot  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402

PARTS = ("correctness", "timings", "sanitizer")
TOOLS = ("memcheck", "racecheck", "initcheck")
#: Points of accuracy that a narrow type may lose, and what f32 reaches at least.
MOST_POINTS_LOST, LEAST_ACCURACY = 0.5, {"digits-mlp": 0.9733, "digits-cnn": 0.9867, "digits-mlp_tosa": 0.9733}


def load(entry):
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(os.path.join(HERE, "models.zip")) as models:
        return amp_runtime.load(models.extract(entry["name"] + ".so", folder))


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
    """Messages, and the accuracy."""
    least = LEAST_ACCURACY[entry["case"]] - (MOST_POINTS_LOST / 100 if entry["type"] != "f32" else 0) - 5e-5
    found = accuracy(entry)
    print(f"{entry['name']}: accuracy {found:.4f}")
    return [] if found >= least else [f"{entry['name']}: accuracy {found:.4f}, expected at least {least:.4f}"], found


def check_mlp(entry):
    return graphs.check(programs.known()[entry["name"]], load(entry))


#: A NumPy reference in f64 of more rows takes too long.
MOST_GRAPH_ROWS = 128


def find_check(entry):
    """The function that checks a program, or None."""
    if entry["kind"] == "benchmark":
        program = programs.known()[entry["name"]]
        return check_mlp if isinstance(program, programs.blocks.Mlp) and program.rows <= MOST_GRAPH_ROWS else None
    return {"oracle": check_oracle, "distance": check_distance, "digits": check_digits}[entry["kind"]]


class Run:
    """What is asked for, and what has been found so far."""

    def __init__(self, args, manifest):
        self.args = args
        self.begin = time.monotonic()
        index, count = map(int, args.shard.split("/"))
        self.entries = [e for e in manifest["programs"] if args.only in e["name"] and args.suite in (None, e.get("suite"))][index::count]
        command = " ".join(["run.py", *sys.argv[1:]])
        head = {key: manifest[key] for key in ("target", "commit")}
        self.results = {**head, "date": time.strftime("%Y-%m-%d", time.gmtime()), "command": command,
                        "suite_goals": programs.SUITE_GOALS, "left_out": []}

    def seconds_left(self):
        """None for no limit."""
        return None if self.args.minutes is None else max(0, 60 * self.args.minutes - (time.monotonic() - self.begin))

    def has_time_for(self, what):
        """Whether `what` may begin; else takes note."""
        if self.seconds_left() == 0:
            self.results["left_out"].append(what)
            return False
        return True

    def write(self):
        """A reader finds the old file or the new one, also when this process is killed."""
        for path, text in ((self.args.output, json.dumps(self.results, indent=1) + "\n"),
                           (self.args.report, report.make([self.results]))):
            if path:
                with open(path + ".new", "w", encoding="utf-8") as file:
                    file.write(text)
                os.replace(path + ".new", path)

    def correctness(self):
        records = self.results["correctness"] = []
        for entry in self.entries:
            check = find_check(entry)
            if not check or not self.has_time_for("correctness of " + entry["name"]):
                continue
            record = {"name": entry["name"], "kind": entry["kind"]}
            try:
                if check is check_digits:
                    wrong, record["accuracy"] = check_digits(entry)
                else:
                    wrong = check(entry)
            except amp_runtime.Error as error:
                wrong = [f"{entry['name']}: {type(error).__name__}: {error}"]
            for message in wrong:
                print("FAILED " + message, file=sys.stderr)
            records.append({**record, "correct": not wrong, "messages": wrong})
            self.write()
        print(f"correctness: {sum(r['correct'] for r in records)} of {len(records)} programs")

    def timings(self):
        import timing

        if not timing.is_available():
            print("timings: torch with CUDA is not on this machine")
            self.results["left_out"].append("timings: torch with CUDA is not on this machine")
            return
        self.results["device"] = timing.describe_device()
        records = self.results["timings"] = []
        for entry in self.entries:
            if entry["kind"] != "benchmark" or not self.has_time_for("timing of " + entry["name"]):
                continue
            try:
                records.append(timing.measure(entry, load, self.args.rounds, self.args.without))
            except amp_runtime.Error as error:
                message = f"{type(error).__name__}: {error}"
                print(f"FAILED {entry['name']}: {message}", file=sys.stderr)
                records.append({"name": entry["name"], "correct": False, "messages": [message]})
            self.write()
        for text in report.mean_lines(records, programs.SUITE_GOALS):
            print("timings: " + text)

    def sanitizer(self):
        tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        if not os.path.exists(tool):
            print("sanitizer: compute-sanitizer is not on this machine")
            self.results["left_out"].append("sanitizer: compute-sanitizer is not on this machine")
            return
        records = self.results["sanitizer"] = []
        for check in TOOLS:
            if not self.has_time_for("sanitizer: " + check):
                continue
            command = [tool, "--tool", check, "--error-exitcode", "99", "--target-processes", "application-only", sys.executable,
                       os.path.abspath(__file__), "--part=correctness", "--only=" + self.args.only, "--shard=" + self.args.shard]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=self.seconds_left())
            except subprocess.TimeoutExpired:
                print(f"sanitizer: {check}: not finished in time")
                self.results["left_out"].append(f"sanitizer: {check} did not finish")
                continue
            lines = [line for line in done.stdout.splitlines() if "SUMMARY" in line or line.startswith("correctness: ")]
            print(f"sanitizer: {check}: exit code {done.returncode} {' '.join(lines)}")
            if done.returncode != 0:
                print(done.stdout[-4000:] + done.stderr[-2000:], file=sys.stderr)
            records.append({"tool": check, "clean": done.returncode == 0, "summary": lines})
            self.write()

    def exit_code(self):
        wrong = [r for part in ("correctness", "timings") for r in self.results.get(part, []) if not r["correct"]]
        wrong += [r for r in self.results.get("sanitizer", []) if not r["clean"]]
        return 1 if wrong else 3 if self.results["left_out"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--only", default="", help="only the programs whose name holds this text")
    parser.add_argument("--suite", choices=programs.SUITES, help="only the benchmarks of one suite")
    parser.add_argument("--rounds", type=int, default=7, help="of timings, of which medians are taken")
    parser.add_argument("--without", action="append", default=[], choices=sorted({c for p in programs.known().values() for c in p.contestants}),
                        help="a contestant of the timings to leave out, such as compiled, which takes up to a minute for each program")
    parser.add_argument("--shard", default="0/1", help="I/N: every N-th program, from number I on")
    parser.add_argument("--minutes", type=float, help="begin nothing after so many minutes")
    parser.add_argument("--output", help="a JSON file for the results")
    parser.add_argument("--report", help="a Markdown file for them, as in benchmarks/results")
    parser.add_argument("--plot", help="a PNG file of the ratios; needs matplotlib")
    args = parser.parse_args()
    with open(os.path.join(HERE, "manifest.json"), encoding="utf-8") as file:
        run = Run(args, json.load(file))
    if not run.entries:
        parser.error(f"no program of this folder has {args.only!r} in its name" + (f" and is of suite {args.suite}" if args.suite else ""))
    for part in PARTS:
        if part in (args.part or PARTS):
            getattr(run, part)()
    run.write()
    if args.plot:
        plot.draw(run.results, args.plot)
    for what in run.results["left_out"]:
        print("left out: " + what)
    return run.exit_code()


if __name__ == "__main__":
    sys.exit(main())
