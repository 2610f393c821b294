#!/usr/bin/env python3
"""Times calls of libraries for the CPU whose weights are prepared against calls that pack them.

    weights.py --build build [--threads 1] [--only f32] [--rounds 11] [--seconds 0.1] [--results NAME]

Each row is a product of M rows of an input with K x N weights, in functions of one
library: the weights are an argument marked amp.weight, which `<entry>_init` packs once;
the same, compiled for any number of rows; the argument without the mark, which each call packs
or reads where it is; and weights that the library
holds (amp-compile --weights), packed as it is compiled. They take turns, each for about
--seconds in a round; a time is the best over rounds of the mean time of a call, so that other work on
the machine counts little. The result of each is compared with f64 (integers: exactly) before it
is timed. "prepare" is how long the init function takes: the best call after
ampModelReloadWeights less the best single one without.
"""
import argparse
import datetime
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "python")]

#: M, N, K.
SHAPES = [*((m, 4096, 4096) for m in (1, 2, 4, 8, 12, 32)), (1, 1024, 1024), (8, 1024, 1024), (16, 1024, 1024), (32, 1024, 1024), (64, 1024, 1024), (128, 1024, 4096), (128, 4096, 1024), (512, 1024, 1024)]
#: Elements of the operands in memory, of the sums, what the operands are rounded to, and the layout of the weights.
KINDS = {
    "f32": ("f32", "f32", None, "kn"),
    "f32 transposed": ("f32", "f32", None, "nk"),
    "bf16 autocast": ("f32", "f32", "bf16", "kn"),
    "i8": ("i8", "i32", None, "kn"),
}


def write_function(name, shape, kind, marked, is_known=True):
    m, n, k = shape
    size, dim = "", ""
    element, acc, narrow, layout = KINDS[kind]
    b = f"{n}x{k}" if layout == "nk" else f"{k}x{n}"
    zero, add, mul = ("0", "arith.addi", "arith.muli") if acc == "i32" else ("0.0", "arith.addf", "arith.mulf")
    casts, left, right = "", "%a", "%b"
    if element == "i8":
        casts = "%l = arith.extsi %a : i8 to i32\n    %r = arith.extsi %b : i8 to i32"
        left, right = "%l", "%r"
    elif narrow:
        casts = "\n    ".join(f"%{v}n = arith.truncf %{v} : f32 to {narrow}\n    %{v}w = arith.extf %{v}n : {narrow} to f32" for v in "ab")
        left, right = "%aw", "%bw"
    if not is_known:
        m, size = "?", "%m"
        dim = f"  %c0 = arith.constant 0 : index\n  %m = tensor.dim %x, %c0 : tensor<?x{k}x{element}>\n"
    mark = ", amp.weight" if marked else ""
    weight_map = "(i, j, k) -> (j, k)" if layout == "nk" else "(i, j, k) -> (k, j)"
    return f"""func.func @{name}(%x: tensor<{m}x{k}x{element}> {{amp.name = "x"}}, %w: tensor<{b}x{element}> {{amp.name = "w"{mark}}}) -> tensor<{m}x{n}x{acc}> {{
{dim}  %z = arith.constant {zero} : {acc}
  %e = tensor.empty({size}) : tensor<{m}x{n}x{acc}>
  %f = linalg.fill ins(%z : {acc}) outs(%e : tensor<{m}x{n}x{acc}>) -> tensor<{m}x{n}x{acc}>
  %y = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<{weight_map}>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %w : tensor<{m}x{k}x{element}>, tensor<{b}x{element}>) outs(%f : tensor<{m}x{n}x{acc}>) {{
  ^bb0(%a: {element}, %b: {element}, %o: {acc}):
    {casts}
    %p = {mul} {left}, {right} : {acc}
    %s = {add} %o, %p : {acc}
    linalg.yield %s : {acc}
  }} -> tensor<{m}x{n}x{acc}>
  return %y : tensor<{m}x{n}x{acc}>
}}
"""


def make(shape, element, seed):
    random = np.random.default_rng(seed)
    if element == "i8":
        return random.integers(-128, 128, shape).astype(np.int8)
    return random.standard_normal(shape).astype(np.float32)


def round_to(values, narrow):
    if not narrow:
        return values
    bits = values.view(np.uint32).astype(np.uint64)
    return (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)


def check(what, y, x, w, kind):
    """Against f64: each of K terms is rounded as it is added, in units of 2^-24 of the sum of absolute terms."""
    element, _, narrow, layout = KINDS[kind]
    w = w.T if layout == "nk" else w
    if element == "i8":
        assert (y == x.astype(np.int32) @ w.astype(np.int32)).all(), what
        return
    x, w = round_to(x, narrow).astype(np.float64), round_to(w, narrow).astype(np.float64)
    error = np.max(np.abs(y - x @ w) / (np.abs(x) @ np.abs(w)))
    assert error <= x.shape[1] * 2.0**-24, (what, error)


class Call:
    """A call of a function with its arguments and its result set up once, so that Python takes little of its time."""

    def __init__(self, model, name, x, weights, y):
        import amp_runtime._abi as abi

        self.function, self.handle, self.keep = model.functions[name], model._handle, [x, weights, y]
        self.arguments, self.count = self.function._set_arguments([x, *weights], {}, None, self.keep)
        self.results = (abi.Tensor * 1)()
        self.function._set_result(self.function.results[0], self.function._result_types[0], y, self.results[0], None, self.keep)

    def __call__(self):
        library, handle = self.handle.library, self.handle
        handle.check(library.ampModelRun(handle.model, self.function._index, self.arguments, self.count, self.results, 1, None))


def mean_time(call, count):
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def time_row(args, folder, shape, kind):
    import amp_runtime

    m, n, k = shape
    element, acc, _, layout = KINDS[kind]
    x, w = make((m, k), element, 1), make((n, k) if layout == "nk" else (k, n), element, 2)
    compiler = os.path.join(args.build, "bin", "amp-compile")
    text, constants = os.path.join(folder, "m.mlir"), os.path.join(folder, "w.npz")
    with open(text, "w", encoding="utf-8") as file:
        file.write(write_function("prepared", shape, kind, True) + write_function("packed", shape, kind, False) + write_function("any", shape, kind, True, is_known=False))
    np.savez(constants, w=w)
    # Each library has a name of its own: the process keeps those of before.
    number = len(os.listdir(folder))
    passed, held = (os.path.join(folder, f"{name}{number}.so") for name in ("passed", "held"))
    common = [compiler, text, f"--threads={args.threads}", "--amp-no-scalar-fallback"]
    subprocess.run(common + ["-o", passed], check=True, capture_output=True)
    subprocess.run(common + ["--entry=prepared", f"--weights={constants}", "-o", held], check=True, capture_output=True)
    model, other = amp_runtime.load(passed), amp_runtime.load(held)
    y = np.zeros((m, n), np.int32 if acc == "i32" else np.float32)
    calls = {"packed": Call(model, "packed", x, [w], y), "prepared": Call(model, "prepared", x, [w], y), "held": Call(other, "prepared", x, [], y), "any": Call(model, "any", x, [w], y)}
    for name, call in calls.items():
        y[...] = 0
        call()
        check((name, shape, kind), y, x, w, kind)
    counts = {name: max(1, int(args.seconds / mean_time(call, 3))) for name, call in calls.items()}
    times = {name: [] for name in calls}
    for _ in range(args.rounds):
        for name, call in calls.items():
            times[name].append(mean_time(call, counts[name]))
    first, later = [], []
    for _ in range(args.rounds):
        model.reload_weights()
        first.append(mean_time(calls["prepared"], 1))
        later.append(mean_time(calls["prepared"], 1))
    is_prepared = model.stats()["preparations"] == args.rounds + 2
    return {name: min(values) for name, values in times.items()}, min(first) - min(later) if is_prepared else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="", help="only kinds that start with this")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a contender in a round")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    from kernels import cpu_name

    lines = [f"Machine: {cpu_name()[0]}, {os.cpu_count()} processors, {args.threads} of them used  ",
             f"Rounds: {args.rounds} of {args.seconds} s for each contender; microseconds of a call", "",
             "| kernel, M x N x K | packed in each call | prepared once | held by the library | any rows, prepared | packed / prepared | held / prepared | any / prepared | prepare |", "|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for shape in SHAPES:
                if not kind.startswith(args.only):
                    continue
                times, prepare = time_row(args, folder, shape, kind)
                cells = [f"{times[name] * 1e6:.0f}" for name in ("packed", "prepared", "held", "any")]
                cells += [f"{times[name] / times['prepared']:.2f}" for name in ("packed", "held", "any")]
                cells.append(f"{prepare * 1e6:.0f}" if prepare is not None else "-")
                lines.append(f"| {kind} {'x'.join(map(str, shape))} | " + " | ".join(cells) + " |")
                print(lines[-1], flush=True)
    if args.results:
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        today = datetime.date.today().isoformat()
        path = os.path.join(ROOT, "benchmarks", "results", f"{today}-{args.results}.md")
        command = " ".join(["benchmarks/cpu/weights.py", *sys.argv[1:]])
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([f"# {args.results}, {today}", "", f"Command: `{command}`, at commit {commit.stdout.strip()}", ""] + lines) + "\n")
        print("wrote " + os.path.relpath(path, ROOT))


if __name__ == "__main__":
    main()
