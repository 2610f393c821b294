#!/usr/bin/env python3
"""Times single ops in f32, f16 and bf16 through amp-run on the CPU, one thread.

    narrow_ops.py --amp-run build/bin/amp-run [--results NAME]

Each op is a program of its own whose values are stored in the type, and which computes
in f32 where amp does so under autocast. The rounds of the types alternate, so that a
noisy neighbour hits all. The ratio is the time in the narrow type over that in f32:
above 1, the op is slower in 16 bits. Sums go into f32 in every type.
"""
import argparse
import datetime
import os
import subprocess
import sys
import tempfile

from matmul import HERE, ROOT, cpu_facts, fail, minimum

ROWS, COLUMNS = 512, 1024
TYPES = ("f32", "f16", "bf16")
UNARY = ("math.exp", "math.log", "math.tanh", "math.sqrt", "math.rsqrt", "math.erf", "math.absf")
BINARY = ("arith.addf", "arith.mulf", "arith.divf", "arith.maximumf")


def unary(op):
    return f"""
func.func @main(%x: tensor<{ROWS}x{COLUMNS}xTYPE> {{amp.name = "x"}}) -> tensor<{ROWS}x{COLUMNS}xTYPE> {{
  %0 = {op} %x : tensor<{ROWS}x{COLUMNS}xTYPE>
  return %0 : tensor<{ROWS}x{COLUMNS}xTYPE>
}}"""


def binary(op):
    return f"""
func.func @main(%x: tensor<{ROWS}x{COLUMNS}xTYPE> {{amp.name = "x"}}, %y: tensor<{ROWS}x{COLUMNS}xTYPE> {{amp.name = "y"}}) -> tensor<{ROWS}x{COLUMNS}xTYPE> {{
  %0 = {op} %x, %y : tensor<{ROWS}x{COLUMNS}xTYPE>
  return %0 : tensor<{ROWS}x{COLUMNS}xTYPE>
}}"""


def reduction(axis, shape):
    return f"""
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> ({'i' if axis == 1 else 'j'})>
func.func @main(%x: tensor<{ROWS}x{COLUMNS}xTYPE> {{amp.name = "x"}}) -> tensor<{shape}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{shape}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{shape}xf32>) -> tensor<{shape}xf32>
  %0 = linalg.generic {{indexing_maps = [#in, #out], iterator_types = [{'"parallel", "reduction"' if axis == 1 else '"reduction", "parallel"'}]}} ins(%x : tensor<{ROWS}x{COLUMNS}xTYPE>) outs(%f : tensor<{shape}xf32>) {{
  ^bb0(%a: TYPE, %b: f32):
    WIDEN
    %s = arith.addf %w, %b : f32
    linalg.yield %s : f32
  }} -> tensor<{shape}xf32>
  return %0 : tensor<{shape}xf32>
}}"""


MATMUL = f"""
func.func @main(%x: tensor<{ROWS}x{COLUMNS}xTYPE> {{amp.name = "x"}}, %y: tensor<{COLUMNS}x{ROWS}xTYPE> {{amp.name = "y"}}) -> tensor<{ROWS}x{ROWS}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{ROWS}x{ROWS}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{ROWS}x{ROWS}xf32>) -> tensor<{ROWS}x{ROWS}xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<{ROWS}x{COLUMNS}xTYPE>, tensor<{COLUMNS}x{ROWS}xTYPE>) outs(%f : tensor<{ROWS}x{ROWS}xf32>) -> tensor<{ROWS}x{ROWS}xf32>
  return %0 : tensor<{ROWS}x{ROWS}xf32>
}}"""
TRANSPOSE = f"""
func.func @main(%x: tensor<{ROWS}x{COLUMNS}xTYPE> {{amp.name = "x"}}) -> tensor<{COLUMNS}x{ROWS}xTYPE> {{
  %e = tensor.empty() : tensor<{COLUMNS}x{ROWS}xTYPE>
  %0 = linalg.transpose ins(%x : tensor<{ROWS}x{COLUMNS}xTYPE>) outs(%e : tensor<{COLUMNS}x{ROWS}xTYPE>) permutation = [1, 0]
  return %0 : tensor<{COLUMNS}x{ROWS}xTYPE>
}}"""
PROGRAMS = {
    **{op: unary(op) for op in UNARY},
    **{op: binary(op) for op in BINARY},
    "sum of rows": reduction(1, ROWS),
    "sum of columns": reduction(0, COLUMNS),
    "linalg.matmul": MATMUL,
    "linalg.transpose": TRANSPOSE,
}


def program(text, kind):
    if kind == "f32":
        return text.replace("    WIDEN\n", "").replace("%w", "%a").replace("TYPE", kind)
    return text.replace("WIDEN", f"%w = arith.extf %a : {kind} to f32").replace("TYPE", kind)


def run(amp_run, path, runs):
    command = [amp_run, path, "--device=cpu", "--random=1", f"--time={runs}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(command)}\nended with code {done.returncode}:\n{done.stdout}{done.stderr}")
    return minimum(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--amp-run", default=os.path.join(ROOT, "build", "bin", "amp-run"), help="path of amp-run")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (default 5)")
    parser.add_argument("--runs", type=int, default=50, help="runs of each program in a round (default 50)")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    if not os.path.exists(args.amp_run):
        fail(f"there is no {args.amp_run}; build it first: ninja -C build amp-run")
    name, flags = cpu_facts()
    known = [flag for flag in ("f16c", "avx512_fp16", "avx512_bf16", "amx_bf16", "amx_fp16") if flag in flags]
    lines = [
        f"Machine: {name}, {os.cpu_count()} processors, one thread used; for 16 bits it has {', '.join(known) or 'nothing'}  ",
        f"Operands: {ROWS} x {COLUMNS}, {args.rounds} alternating rounds, best of {args.runs} runs in each  ",
        "",
        "| op | f32 ms | f16 ms | bf16 ms | f16 / f32 | bf16 / f32 |",
        "|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for op, text in PROGRAMS.items():
            times = {kind: [] for kind in TYPES}
            for kind in TYPES:
                with open(os.path.join(folder, kind + ".mlir"), "w", encoding="utf-8") as file:
                    file.write(program(text, kind))
            for _ in range(args.rounds):
                for kind in TYPES:
                    times[kind].append(run(args.amp_run, os.path.join(folder, kind + ".mlir"), args.runs))
            best = {kind: min(seconds) for kind, seconds in times.items()}
            row = " | ".join(f"{best[kind] * 1e3:.3f}" for kind in TYPES)
            lines.append(f"| {op} | {row} | {best['f16'] / best['f32']:.2f} | {best['bf16'] / best['f32']:.2f} |")
            print(lines[-1], flush=True)
    print("\n".join(lines))
    if args.results:
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always"], capture_output=True, text=True)
        today = datetime.date.today().isoformat()
        path = os.path.join(HERE, "results", f"{today}-{args.results}.md")
        command = f"benchmarks/narrow_ops.py --rounds {args.rounds} --runs {args.runs} --results {args.results}"
        head = [f"# {args.results}, {today}", "", f"Command: `{command}`, at commit {commit.stdout.strip()}", ""]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(head + lines) + "\n")
        print("wrote " + os.path.relpath(path, ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
