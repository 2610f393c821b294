#!/usr/bin/env python3
"""Times a 1024^3 matmul of i8 into i32 against amp's own f32 one, through amp-run, one thread.

    int8.py --amp-run build/bin/amp-run [--results NAME]

Every element of the i8 result is first compared with integer arithmetic. The rounds of
the two programs alternate, so that a noisy neighbour hits both. The ratio is f32's time
over i8's: above 1, i8 is faster. A processor without AVX512-VNNI, AVX-VNNI or AMX has no
instruction for i8; the report says what this one has.
"""
import argparse
import datetime
import os
import subprocess
import sys
import tempfile

from matmul import HERE, ROOT, SIZE, amp, cpu_facts, fail, minimum

PROGRAMS = ("matmul_f32.mlir", "matmul_i8.mlir")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--amp-run", default=os.path.join(ROOT, "build", "bin", "amp-run"), help="path of amp-run")
    parser.add_argument("--rounds", type=int, default=7, help="alternating rounds (default 7)")
    parser.add_argument("--runs", type=int, default=20, help="runs of each program in a round (default 20)")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    import numpy as np

    if not os.path.exists(args.amp_run):
        fail(f"there is no {args.amp_run}; build it first: ninja -C build amp-run")
    rng = np.random.default_rng(0)
    ints = {name: rng.integers(-128, 128, (SIZE, SIZE)).astype(np.int8) for name in "ab"}
    floats = {name: rng.standard_normal((SIZE, SIZE)).astype(np.float32) for name in "ab"}
    times = {program: [] for program in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        paths = {PROGRAMS[0]: os.path.join(folder, "f32.npz"), PROGRAMS[1]: os.path.join(folder, "i8.npz")}
        np.savez(paths[PROGRAMS[0]], **floats)
        np.savez(paths[PROGRAMS[1]], **ints)
        output = os.path.join(folder, "out.npz")
        amp(args.amp_run, PROGRAMS[1], "off", paths[PROGRAMS[1]], "--output=" + output)
        # f64 holds these sums exactly.
        want = ints["a"].astype(np.float64) @ ints["b"].astype(np.float64)
        with np.load(output) as file:
            if not np.array_equal(file["c"], want.astype(np.int32)):
                fail("the i8 program gives a wrong result")
        for _ in range(args.rounds):
            for program in PROGRAMS:
                text = amp(args.amp_run, program, "off", paths[program], f"--time={args.runs}")
                times[program].append(minimum(text))

    name, flags = cpu_facts()
    known = [flag for flag in ("avx512_vnni", "avx_vnni", "amx_int8") if flag in flags]
    f32, i8 = (times[program] for program in PROGRAMS)
    ratios = sorted(a / b for a, b in zip(f32, i8))
    lines = [
        f"Machine: {name}, {os.cpu_count()} processors, one thread used; for i8 it has {', '.join(known) or 'nothing'}  ",
        f"Matrices: {SIZE} x {SIZE} x {SIZE}, {args.rounds} alternating rounds, best of {args.runs} runs in each  ",
        "",
        "| program | best ms | median of rounds ms | Gop/s at best |",
        "|---|---|---|---|",
    ]
    for label, seconds in (("amp f32", f32), ("amp i8 to i32", i8)):
        best, median = min(seconds), float(np.median(seconds))
        lines.append(f"| {label} | {best * 1e3:.2f} | {median * 1e3:.2f} | {2 * SIZE**3 / best / 1e9:.1f} |")
    lines += [
        "",
        f"i8 is {min(f32) / min(i8):.2f} times as fast as f32 at best; round by round between {ratios[0]:.2f} and {ratios[-1]:.2f} times, "
        f"{ratios[len(ratios) // 2]:.2f} in the middle.",
    ]
    print("\n".join(lines))
    if args.results:
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        today = datetime.date.today().isoformat()
        path = os.path.join(HERE, "results", f"{today}-{args.results}.md")
        command = f"benchmarks/int8.py --rounds {args.rounds} --runs {args.runs} --results {args.results}"
        head = [f"# {args.results}, {today}", "", f"Command: `{command}`, at commit {commit.stdout.strip()}", ""]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(head + lines) + "\n")
        print("wrote " + os.path.relpath(path, ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
