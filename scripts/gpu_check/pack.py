#!/usr/bin/env python3
"""Packs what checks and times amp on a bare CUDA machine into one folder.

    pack.py FOLDER --amp-compile=PATH [--target=sm_90a] [--only=TEXT] [--suite=NAME]
            [--without-benchmarks|--tiny-benchmarks] [--check]

The folder gets a library for every example, every integration program (under f32,
f16 and bf16) and every benchmark; their f64 references and data; the Python
package that loads them; and run.py, which needs Python with NumPy, a CUDA driver,
and, for the timings, torch. FOLDER/manifest.json lists the programs. Exit code 1
if a program does not compile, or the folder is larger than 32 MB. With
--tiny-benchmarks the benchmarks have small shapes, to try run.py on the simulator;
--check ends, with exit code 2 if options are wrong, before anything is made.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "gpu"))
import programs  # noqa: E402

TYPES = (("f32", "off"), ("f16", "f16"), ("bf16", "bf16"))
LIMIT_BYTES = 32 << 20


def integration_programs():
    """(case of the oracle, module) of every integration test that the oracle judges."""
    folder = os.path.join(ROOT, "test", "Integration", "CPU")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".mlir"):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                match = re.search(r"RUN: .*oracle\.py (\S+) %s", file.read())
            if match:
                yield match.group(1), path


ATTENTION = os.path.join(ROOT, "examples", "attention", "attention.mlir")


def digits_programs():
    folder = os.path.join(ROOT, "examples", "digits")
    for name, weights in (("mlp", "mlp"), ("cnn", "cnn"), ("mlp_tosa", "mlp")):
        yield "digits-" + name, os.path.join(folder, name + ".mlir"), os.path.join(folder, weights + ".npz")


def jobs(args):
    """One dictionary for each library."""
    for case, path in integration_programs() if not args.suite else ():
        for fmt, autocast in TYPES:
            # Several programs have one reference.
            program = os.path.splitext(os.path.basename(path))[0]
            yield {"kind": "oracle", "name": f"{program}-{fmt}", "case": case, "type": fmt, "model": path,
                   "options": ["--autocast=" + autocast]}
    for fmt, autocast in TYPES if not args.suite else ():
        yield {"kind": "oracle" if fmt == "f32" else "distance", "name": f"attention-{fmt}", "case": "attention",
               "type": fmt, "model": ATTENTION, "options": ["--autocast=" + autocast]}
    for name, path, weights in digits_programs() if not args.suite else ():
        for fmt, autocast in TYPES:
            yield {"kind": "digits", "name": f"{name}-{fmt}", "case": name, "type": fmt, "model": path,
                   "options": ["--autocast=" + autocast, "--weights=" + weights]}
    if args.without_benchmarks:
        return
    chosen = programs.tiny() if args.tiny_benchmarks else programs.programs()
    # By its whole name only: it stands in for one of the benchmarks where that takes too long.
    if args.only == programs.blocks.simulated_mlp().name:
        chosen = [programs.blocks.simulated_mlp()]
    for program in chosen:
        if args.suite in (None, program.suite):
            yield {"kind": "benchmark", "name": program.name, "suite": program.suite, "text": program.mlir, "options": list(program.options)}


def compile_one(job, args):
    """Compiles one library; returns the command and what it said if it fails, or None."""
    model = job.get("model")
    if model is None:
        model = os.path.join(args.folder, "models", job["name"] + ".mlir")
        with open(model, "w", encoding="utf-8") as file:
            file.write(job["text"])
    library = os.path.join(args.folder, "models", job["name"] + ".so")
    command = [args.amp_compile, model, "-o", library, "--target=" + args.target, *job["options"], *args.option]
    done = subprocess.run(command, capture_output=True, text=True)
    # A warning is one of ptxas: registers spilled, or matrix instructions serialised.
    if done.returncode != 0 or "warning" in done.stderr:
        return " ".join(command), f"ended with code {done.returncode}:\n{done.stdout}{done.stderr}"
    os.remove(os.path.splitext(library)[0] + ".h")
    return None


def archive_models(folder):
    """One file instead of the folder of libraries: most of a library is the runtime, which is the same in each."""
    models = os.path.join(folder, "models")
    shutil.make_archive(models, "zip", models)
    shutil.rmtree(models)


def copy_files(folder):
    for source, target in (
        *((f"scripts/gpu_check/{name}.py", name + ".py") for name in ("run", "cublaslt", "graphs", "peers", "plot", "report", "timing")),
        *((f"benchmarks/gpu/{name}.py", name + ".py")
          for name in ("attentions", "blocks", "builder", "convolutions", "gemms", "programs", "rows")),
        ("test/Integration/cases.py", "cases.py"),
        ("test/Integration/numerics.py", "numerics.py"),
        ("test/Integration/oracle.py", "oracle.py"),
        ("examples/digits/digits.npz", "digits.npz"),
    ):
        shutil.copy(os.path.join(ROOT, source), os.path.join(folder, target))
    shutil.copytree(os.path.join(ROOT, "python", "amp_runtime"), os.path.join(folder, "amp_runtime"),
                    dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


def find_commit():
    """What git calls this tree; "unknown" outside of a clone."""
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"
    except OSError:
        return "unknown"


def folder_bytes(folder):
    return sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(folder) for name in names)


def check_options(parser, args):
    """Ends the program where the options make no sense; returns the jobs. What --target and --option say is amp-compile's to know."""
    if os.path.exists(args.folder) and not os.path.isdir(args.folder):
        parser.error(f"{args.folder!r} is not a folder")
    if not re.fullmatch(r"(sim|(sim:)?sm_\d+[a-z]?)", args.target):
        parser.error(f"argument --target: expected such as sm_90a, or sim, but found {args.target!r}")
    if args.jobs < 1:
        parser.error(f"argument --jobs: expected 1 or more, but found {args.jobs}")
    chosen = [job for job in jobs(args) if args.only in job["name"]]
    if not chosen:
        parser.error(f"no program has {args.only!r} in its name")
    names = [job["name"] for job in chosen]
    if len(set(names)) < len(names):
        parser.error("several programs are called " + ", ".join(sorted({n for n in names if names.count(n) > 1})))
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--amp-compile", required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--only", default="", help="only the programs whose name holds this text")
    parser.add_argument("--suite", choices=programs.SUITES, help="only the benchmarks of one suite")
    benchmarks = parser.add_mutually_exclusive_group()
    benchmarks.add_argument("--without-benchmarks", action="store_true")
    benchmarks.add_argument("--tiny-benchmarks", action="store_true")
    parser.add_argument("--option", action="append", default=[], help="a further option for amp-compile; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true", help="only check these options")
    args = parser.parse_args()
    chosen = check_options(parser, args)
    if args.check:
        return 0
    os.makedirs(os.path.join(args.folder, "models"), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        errors = [error for error in pool.map(lambda job: compile_one(job, args), chosen) if error]
    # A target that does not exist is wrong for every program in the same words.
    commands = {}
    for command, text in errors:
        commands.setdefault(text, []).append(command)
    for text, same in commands.items():
        more = f" (and {len(same) - 1} more)" if len(same) > 1 else ""
        print(f"{same[0]}{more}\n{text}", file=sys.stderr)
    archive_models(args.folder)
    copy_files(args.folder)
    entries = [{key: job[key] for key in ("kind", "name", "suite", "case", "type") if key in job} for job in chosen]
    with open(os.path.join(args.folder, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"target": args.target, "commit": find_commit(), "programs": entries}, file, indent=1)
    size = folder_bytes(args.folder)
    print(f"{len(chosen) - len(errors)} of {len(chosen)} programs for {args.target} in {args.folder}, {size / 2**20:.1f} MB")
    if size > LIMIT_BYTES:
        print(f"pack.py: error: more than {LIMIT_BYTES >> 20} MB", file=sys.stderr)
    return 1 if errors or size > LIMIT_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
