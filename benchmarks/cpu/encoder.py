#!/usr/bin/env python3
"""Times an encoder layer, f32 and under bf16 autocast, against torch, and the compilation of a stack of layers.

    encoder.py --build build [--tokens 512 --width 1024 --heads 16] [--dynamic] [--rounds 7] [--threads 1] [--results NAME]
    encoder.py --build build --compile-only --layers 12 [--dynamic] [--limit 10]

A layer is self-attention with four projections and biases, a residual and a layer norm, then two dense layers of
4 times the width with GELU between, a residual and a layer norm. The four contenders (amp and torch, f32 and
bf16) take turns in one process; a number is the median over rounds, with the ratio of torch's time to amp's: above 1, amp is
faster. Before it is timed, the f32 result is compared with torch's. Without torch only amp is timed.

--dynamic leaves the number of tokens to be counted when the layer runs (tensor<?x1024xf32>), and compares that with the layer of a known
number, too: above 1, the dynamic one is faster. --compile-only times amp-compile of --layers layers, under bf16 autocast and not, and fails
above --limit seconds.
"""
import argparse
import datetime
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.dirname(os.path.abspath(__file__))]

from kernels import command_of, cpu_name  # noqa: E402

#: Weights of a layer: name, and shape in units of the width.
WEIGHTS = [("wq", (1, 1)), ("bq", (1,)), ("wk", (1, 1)), ("bk", (1,)), ("wv", (1, 1)), ("bv", (1,)), ("wo", (1, 1)), ("bo", (1,)),
           ("g1", (1,)), ("h1", (1,)), ("wu", (1, 4)), ("bu", (4,)), ("wd", (4, 1)), ("bd", (1,)), ("g2", (1,)), ("h2", (1,))]


class Writer:
    """Writes a stack of layers as linalg on tensors. Without `tokens`, the number of those is counted when the layers run."""

    def __init__(self, tokens, width, heads, layers):
        self.t, self.w, self.h, self.lines, self.number = tokens or "?", width, heads, [], 0
        arguments = [f"%x: {self.type(self.t, width)}"]
        value = "%x"
        if not tokens:
            self.lines += ["%zero = arith.constant 0 : index", f"%tokens = tensor.dim %x, %zero : {self.type(self.t, width)}"]
        for layer in range(layers):
            names = {name: f"%{name}_{layer}" for name, _ in WEIGHTS}
            arguments += [f"{names[name]}: {self.type(*(n * width for n in shape))}" for name, shape in WEIGHTS]
            value = self.layer(value, names)
        out = self.type(self.t, width)
        self.text = "\n".join([f"func.func @main({', '.join(arguments)}) -> {out} {{", *self.lines, f"return {value} : {out}", "}"])

    @staticmethod
    def type(*shape):
        return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"

    def op(self, text):
        self.number += 1
        self.lines.append(f"%v{self.number} = {text}")
        return f"%v{self.number}"

    def constant(self, value):
        return self.op(f"arith.constant {value:.9e} : f32")

    def empty(self, *shape):
        return self.op(f"tensor.empty({', '.join('%tokens' for n in shape if n == '?')}) : {self.type(*shape)}")

    def filled(self, value, *shape):
        scalar, empty, t = self.constant(value), self.empty(*shape), self.type(*shape)
        return self.op(f"linalg.fill ins({scalar} : f32) outs({empty} : {t}) -> {t}")

    def generic(self, inputs, shape, body, reduced=False):
        """`inputs`: (value, shape, map); the map of the result is all loops, or all but the last where that is `reduced`."""
        loops = [f"d{i}" for i in range(len(shape) + reduced)]
        maps = [f"affine_map<({', '.join(loops)}) -> ({m})>" for *_, m in inputs]
        maps.append(f"affine_map<({', '.join(loops)}) -> ({', '.join(loops[:len(shape)])})>")
        kinds = ['"parallel"'] * len(shape) + ['"reduction"'] * reduced
        out = self.type(*shape)
        init = self.filled(0.0, *shape) if reduced else self.empty(*shape)
        block = ", ".join([f"%a{i}: f32" for i in range(len(inputs))] + ["%o: f32"])
        return self.op(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{', '.join(kinds)}]}} "
                       f"ins({', '.join(v for v, *_ in inputs)} : {', '.join(self.type(*s) for _, s, _ in inputs)}) outs({init} : {out}) {{\n"
                       f"^bb0({block}):\n" + "\n".join(body) + f"\nlinalg.yield %r : f32 }} -> {out}")

    def product(self, name, a, a_shape, b, b_shape, shape):
        init, out = self.filled(0.0, *shape), self.type(*shape)
        return self.op(f"linalg.{name} ins({a}, {b} : {self.type(*a_shape)}, {self.type(*b_shape)}) outs({init} : {out}) -> {out}")

    def dense(self, x, rows, columns, weight, bias, body=("%r = arith.addf %a0, %a1 : f32",)):
        m = self.product("matmul", x, (self.t, rows), weight, (rows, columns), (self.t, columns))
        return self.generic([(m, (self.t, columns), "d0, d1"), (bias, (columns,), "d1")], (self.t, columns), body)

    def transpose(self, x, shape, order):
        to = [shape[i] for i in order]
        empty = self.empty(*to)
        return self.op(f"linalg.transpose ins({x} : {self.type(*shape)}) outs({empty} : {self.type(*to)}) permutation = {list(order)}")

    def norm(self, x, residual, scale, shift):
        t, w = self.t, self.w
        x = self.generic([(x, (t, w), "d0, d1"), (residual, (t, w), "d0, d1")], (t, w), ["%r = arith.addf %a0, %a1 : f32"])
        n, eps = self.constant(float(w)), self.constant(1e-5)
        mean = self.generic([(x, (t, w), "d0, d1")], (t,), [f"%1 = arith.divf %a0, {n} : f32", "%r = arith.addf %o, %1 : f32"], True)
        variance = self.generic([(x, (t, w), "d0, d1"), (mean, (t,), "d0")], (t,),
                                ["%1 = arith.subf %a0, %a1 : f32", "%2 = arith.mulf %1, %1 : f32", f"%3 = arith.divf %2, {n} : f32",
                                 "%r = arith.addf %o, %3 : f32"], True)
        return self.generic([(x, (t, w), "d0, d1"), (mean, (t,), "d0"), (variance, (t,), "d0"), (scale, (w,), "d1"), (shift, (w,), "d1")], (t, w),
                            ["%1 = arith.subf %a0, %a1 : f32", f"%2 = arith.addf %a2, {eps} : f32", "%3 = math.rsqrt %2 : f32",
                             "%4 = arith.mulf %1, %3 : f32", "%5 = arith.mulf %4, %a3 : f32", "%r = arith.addf %5, %a4 : f32"])

    def layer(self, x, p):
        t, w, h = self.t, self.w, self.h
        d = w // h
        heads = []
        for name in "qkv":
            y = self.dense(x, w, w, p["w" + name], p["b" + name])
            y = self.op(f"tensor.expand_shape {y} [[0], [1, 2]] output_shape [{'%tokens' if t == '?' else t}, {h}, {d}] : {self.type(t, w)} into {self.type(t, h, d)}")
            heads.append(self.transpose(y, (t, h, d), (1, 2, 0) if name == "k" else (1, 0, 2)))
        q, k, v = heads
        scores = self.product("batch_matmul", q, (h, t, d), k, (h, d, t), (h, t, t))
        factor = self.constant(d ** -0.5)
        scores = self.generic([(scores, (h, t, t), "d0, d1, d2")], (h, t, t), [f"%r = arith.mulf %a0, {factor} : f32"])
        out = self.type(h, t, t)
        empty = self.empty(h, t, t)
        scores = self.op(f"linalg.softmax dimension(2) ins({scores} : {out}) outs({empty} : {out}) -> {out}")
        y = self.product("batch_matmul", scores, (h, t, t), v, (h, t, d), (h, t, d))
        y = self.transpose(y, (h, t, d), (1, 0, 2))
        y = self.op(f"tensor.collapse_shape {y} [[0], [1, 2]] : {self.type(t, h, d)} into {self.type(t, w)}")
        x = self.norm(self.dense(y, w, w, p["wo"], p["bo"]), x, p["g1"], p["h1"])
        half, root = self.constant(0.5), self.constant(0.5 ** 0.5)
        one = self.constant(1.0)
        y = self.dense(x, w, 4 * w, p["wu"], p["bu"],
                       ["%1 = arith.addf %a0, %a1 : f32", f"%2 = arith.mulf %1, {root} : f32", "%3 = math.erf %2 : f32",
                        f"%4 = arith.addf %3, {one} : f32", f"%5 = arith.mulf %1, {half} : f32", "%r = arith.mulf %5, %4 : f32"])
        return self.norm(self.dense(y, 4 * w, w, p["wd"], p["bd"]), x, p["g2"], p["h2"])


def compile_model(build, text, folder, name, options):
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(text)
    start = time.perf_counter()
    subprocess.run([os.path.join(build, "bin", "amp-compile"), path + ".mlir", "-o", path + ".so", *options], check=True)
    return path + ".so", time.perf_counter() - start


def time_in_turns(calls, rounds):
    """The median time of each of `calls` in seconds, which take turns, after one call of each that is not timed."""
    times = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def write_results(name, script, lines):
    """Writes `lines`, which `script` has printed, to benchmarks/results/<date>-`name`.md, with the command, the commit and the machine."""
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    today = datetime.date.today().isoformat()
    with open(os.path.join(ROOT, "benchmarks", "results", f"{today}-{name}.md"), "w", encoding="utf-8") as file:
        file.write("\n".join([f"# {name}, {today}", "", f"Command: `{command_of(script)}`, at commit {commit}", "", f"Machine: {cpu_name()[0]}, {os.cpu_count()} processors", "", *lines]) + "\n")


def torch_layer(torch, x, weights, heads):
    p = dict(zip([name for name, _ in WEIGHTS], weights))
    f, (t, w) = torch.nn.functional, x.shape
    split = lambda y: y.view(t, heads, w // heads).transpose(0, 1)
    q, k, v = (split(torch.addmm(p["b" + n], x, p["w" + n])) for n in "qkv")
    scores = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * (w // heads) ** -0.5, 2)
    y = torch.bmm(scores, v).transpose(0, 1).reshape(t, w)
    x = f.layer_norm(torch.addmm(p["bo"], y, p["wo"]) + x, (w,), p["g1"], p["h1"])
    y = torch.addmm(p["bd"], f.gelu(torch.addmm(p["bu"], x, p["wu"])), p["wd"])
    return f.layer_norm(y + x, (w,), p["g2"], p["h2"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--layers", type=int, default=12, help="for --compile-only")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--dynamic", action="store_true", help="count the tokens when the layer runs")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--limit", type=float, help="seconds that --compile-only may take")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    for option in ("tokens", "width", "heads", "layers", "threads", "rounds"):
        if getattr(args, option) < 1:
            parser.error(f"--{option}: expected 1 or more, found {getattr(args, option)}")
    if args.width % args.heads:
        parser.error(f"--width: expected a multiple of --heads, {args.heads}, found {args.width}")
    modes = {"f32": [], "bf16": ["--autocast=bf16"]}
    lines = []

    def say(line):
        lines.append(line)
        print(line, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if args.compile_only:
            text = Writer(None if args.dynamic else args.tokens, args.width, args.heads, args.layers).text
            say("| layers" + (", dynamic" if args.dynamic else "") + " | mode | seconds |")
            say("|---|---|---|")
            times = []
            for mode, options in modes.items():
                times.append(compile_model(args.build, text, folder, mode, options)[1])
                say(f"| {args.layers} | {mode} | {times[-1]:.1f} |")
        else:
            run(args, folder, modes, say)
    if args.results:
        write_results(args.results, "encoder.py", lines)
    if args.compile_only and args.limit is not None and max(times) > args.limit:
        sys.exit(f"encoder.py: error: {max(times):.1f} s to compile, more than {args.limit} s")


def run(args, folder, modes, say):
    os.environ["AMP_NUM_THREADS"] = str(args.threads)
    import numpy as np
    import amp_runtime
    try:
        import torch
        torch.set_num_threads(args.threads)
    except ImportError:
        torch = None
    rng = np.random.default_rng(0)
    x = rng.standard_normal((args.tokens, args.width)).astype(np.float32)
    weights = []
    for _, shape in WEIGHTS:
        shape = [n * args.width for n in shape]
        weights.append((rng.standard_normal(shape) * shape[0] ** -0.5).astype(np.float32))
    calls, out = {}, np.empty_like(x)
    for kind in ("static", "amp") if args.dynamic else ("amp",):
        text = Writer(None if args.dynamic and kind == "amp" else args.tokens, args.width, args.heads, 1).text
        for mode, options in modes.items():
            path, _ = compile_model(args.build, text, folder, f"{kind}-{mode}", options)
            model = amp_runtime.load(path)
            calls[f"{kind} {mode}"] = lambda model=model: model.main(x, *weights, out=out)
    if torch:
        tx, tw = torch.from_numpy(x), [torch.from_numpy(v) for v in weights]

        def plain():
            with torch.inference_mode():
                return torch_layer(torch, tx, tw, args.heads)

        def autocast():
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
                return torch_layer(torch, tx, tw, args.heads)
        calls.update({"torch f32": plain, "torch bf16": autocast})
        want = plain().numpy()
        for mode, bound in (("f32", 1e-4), ("bf16", 6e-2)):
            error = np.abs(calls["amp " + mode]() - want).max()
            if not error < bound:
                sys.exit(f"encoder.py: error: {mode} differs from torch's f32 by {error:.3g}, more than {bound}")
    middle = time_in_turns(calls, args.rounds)
    say(f"{args.tokens} tokens, width {args.width}, {args.heads} heads, {args.threads} threads; median of {args.rounds} rounds" + (f"; torch {torch.__version__}" if torch else ""))
    say("")
    say("| mode | amp ms | torch ms | torch / amp |" + (" static ms | static / amp |" if args.dynamic else ""))
    say("|---|---|---|---|" + ("---|---|" if args.dynamic else ""))
    for mode in modes:
        line = f"| {mode} | {1e3 * middle['amp ' + mode]:.1f} |"
        for peer in ("torch", "static") if args.dynamic else ("torch",):
            time = middle.get(f"{peer} {mode}")
            line += f" {1e3 * time:.1f} | {time / middle['amp ' + mode]:.2f} |" if time else " - | - |"
        say(line)
    say("")
    say(f"amp bf16 over amp f32: {middle['amp f32'] / middle['amp bf16']:.2f} times as fast")


if __name__ == "__main__":
    main()
