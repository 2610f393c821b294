# RUN: %python %s --amp-run=%amp_obj/bin/amp-run --programs=16 --first=1 | FileCheck %s
# UNSUPPORTED: sanitizer
# CHECK-NOT: FAILED
# CHECK: 16 of 16 programs passed
"""Random programs, on the CPU and as device code on the simulator.

A program is a DAG of elementwise ops, reductions over any dimensions,
broadcasts, transposes, reshapes, slices, pads, contractions and convolutions, of
odd shapes and mixed types. Both results are compared: integers are equal, floats
within what the narrowest type on the way rounds. Values stay small: sums are
divided by their length, and functions are tame.

Usage: random-programs.py --amp-run=PATH [--programs=N] [--first=SEED]
[--print=SEED] [--keep=FOLDER for programs that fail]
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

# No steps: they make large differences of small ones.
UNARY = ["math.tanh", "math.sin", "math.erf", "math.absf", "arith.negf"]
BINARY = ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.minimumf"]
INTEGER = ["arith.addi", "arith.muli", "arith.xori", "arith.maxsi", "arith.subi", "arith.andi"]
SIZES = [1, 2, 3, 5, 7, 8, 16, 17, 33, 40, 65]
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "i32": 32, "i8": 8}
TOLERANCE = {"f64": 1e-4, "f32": 1e-4, "f16": 3e-2, "bf16": 2e-1}


def tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def elements(shape):
    return int(np.prod(shape, dtype=np.int64))


class Generator:
    """Values are (name, shape, element type, the widest rounding on the way)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.values, self.arguments, self.count = [], [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " + text)

    def add(self, name, shape, element, loss):
        self.values.append((name, tuple(shape), element, loss))
        return name

    def shape(self, rank, limit=20000):
        while True:
            shape = [self.random.choice(SIZES) for _ in range(rank)]
            if elements(shape) <= limit:
                return shape

    def argument(self, shape, element):
        name = f"%a{len(self.arguments)}"
        self.arguments.append((name, shape, element))
        loss = TOLERANCE.get(element, 0)
        return name, tuple(shape), element, loss

    def pick(self, floats=True, rank=None):
        fitting = [v for v in self.values if (v[2][0] != "i" if floats else True) and (rank is None or len(v[1]) >= rank)]
        # Late values more often: programs are deep.
        return self.random.choice(fitting[-4:] if self.random.random() < 0.7 else fitting)

    def empty(self, shape, element):
        name = self.name()
        self.emit(f"{name} = tensor.empty() : {tensor(shape, element)}")
        return name

    def fill(self, shape, element, value):
        constant, filled, t = self.name(), self.name(), tensor(shape, element)
        self.emit(f"{constant} = arith.constant {value} : {element}")
        empty = self.empty(shape, element)
        self.emit(f"{filled} = linalg.fill ins({constant} : {element}) outs({empty} : {t}) -> {t}")
        return filled

    def same(self, shape, element):
        """A value of that shape and type: one that exists, or an argument."""
        fitting = [v for v in self.values if v[1] == tuple(shape) and v[2] == element]
        if fitting and self.random.random() < 0.7:
            return self.random.choice(fitting)
        return self.argument(shape, element)

    def scale(self, value, factor):
        """So that sums of many do not grow."""
        name, shape, element, loss = value
        c, r, t = self.name(), self.name(), tensor(shape, element)
        self.emit(f"{c} = arith.constant dense<{factor:e}> : {t}")
        self.emit(f"{r} = arith.mulf {name}, {c} : {t}")
        return r

    def unary(self):
        x, shape, element, loss = self.pick()
        op, r = self.random.choice(UNARY), self.name()
        self.emit(f"{r} = {op} {x} : {tensor(shape, element)}")
        self.add(r, shape, element, loss)

    def binary(self):
        x, shape, element, loss = self.pick()
        y, _, _, other = self.same(shape, element)
        r = self.name()
        self.emit(f"{r} = {self.random.choice(BINARY)} {x}, {y} : {tensor(shape, element)}")
        self.add(r, shape, element, max(loss, other))

    def integer(self):
        fitting = [v for v in self.values if v[2][0] == "i"]
        x, shape, element, _ = self.random.choice(fitting) if fitting else self.argument(self.shape(2), self.random.choice(["i32", "i8"]))
        y = self.same(shape, element)[0]
        r = self.name()
        self.emit(f"{r} = {self.random.choice(INTEGER)} {x}, {y} : {tensor(shape, element)}")
        self.add(r, shape, element, 0)

    def cast(self):
        x, shape, element, loss = self.pick()
        to = self.random.choice([e for e in ("f16", "bf16", "f32", "f64") if WIDTH[e] != WIDTH[element]])
        r, op = self.name(), "extf" if WIDTH[to] > WIDTH[element] else "truncf"
        self.emit(f"{r} = arith.{op} {x} : {tensor(shape, element)} to {tensor(shape, to)}")
        self.add(r, shape, to, max(loss, TOLERANCE[to]))

    def reduce(self):
        x, shape, element, loss = self.pick(rank=1)
        dims = sorted(self.random.sample(range(len(shape)), self.random.randint(1, len(shape))))
        op, start = self.random.choice([("addf", "0.0"), ("maximumf", "-1.0e+4"), ("minimumf", "1.0e+4")])
        kept = [n for d, n in enumerate(shape) if d not in dims]
        # Long sums in 16 bits depend on their order.
        if op == "addf" and WIDTH[element] == 16 and elements([shape[d] for d in dims]) > 64:
            op, start = "maximumf", "-1.0e+4"
        if op == "addf":
            x = self.scale((x, shape, element, loss), 1 / elements([shape[d] for d in dims]))
        init = self.fill(kept, element, start) if self.random.random() < 0.8 else self.argument(kept, element)[0]
        r, t, to = self.name(), tensor(shape, element), tensor(kept, element)
        self.emit(f"{r} = linalg.reduce {{ arith.{op} }} ins({x} : {t}) outs({init} : {to}) dimensions = {dims}")
        self.add(r, kept, element, max(loss, TOLERANCE[element]))

    def softmax(self):
        x, shape, element, loss = self.pick(rank=1)
        t, r = tensor(shape, element), self.name()
        empty = self.empty(shape, element)
        self.emit(f"{r} = linalg.softmax dimension({self.random.randrange(len(shape))}) ins({x} : {t}) outs({empty} : {t}) -> {t}")
        self.add(r, shape, element, max(loss, TOLERANCE[element]))

    def broadcast(self):
        x, shape, element, loss = self.pick(floats=False)
        if len(shape) > 3:
            return self.transpose()
        dim, size = self.random.randint(0, len(shape)), self.random.choice([2, 3, 5, 8])
        to = list(shape[:dim]) + [size] + list(shape[dim:])
        if elements(to) > 40000:
            return self.transpose()
        empty, r = self.empty(to, element), self.name()
        self.emit(f"{r} = linalg.broadcast ins({x} : {tensor(shape, element)}) outs({empty} : {tensor(to, element)}) dimensions = [{dim}]")
        self.add(r, to, element, loss)

    def transpose(self):
        x, shape, element, loss = self.pick(floats=False, rank=1)
        order = self.random.sample(range(len(shape)), len(shape))
        to = [shape[d] for d in order]
        empty, r = self.empty(to, element), self.name()
        self.emit(f"{r} = linalg.transpose ins({x} : {tensor(shape, element)}) outs({empty} : {tensor(to, element)}) permutation = {order}")
        self.add(r, to, element, loss)

    def reshape(self):
        x, shape, element, loss = self.pick(floats=False, rank=2)
        dim = self.random.randrange(len(shape) - 1)
        groups = [[d] for d in range(dim)] + [[dim, dim + 1]] + [[d] for d in range(dim + 2, len(shape))]
        to = list(shape[:dim]) + [shape[dim] * shape[dim + 1]] + list(shape[dim + 2:])
        r = self.name()
        self.emit(f"{r} = tensor.collapse_shape {x} {groups} : {tensor(shape, element)} into {tensor(to, element)}")
        if self.random.random() < 0.5:
            size = to[dim]
            parts = [p for p in range(1, size + 1) if size % p == 0]
            p = self.random.choice(parts)
            out = to[:dim] + [p, size // p] + to[dim + 1:]
            q = self.name()
            self.emit(f"{q} = tensor.expand_shape {r} {groups} output_shape {out} : {tensor(to, element)} into {tensor(out, element)}")
            r, to = q, out
        self.add(r, to, element, loss)

    def slice(self):
        x, shape, element, loss = self.pick(floats=False, rank=1)
        offsets, sizes, strides = [], [], []
        for n in shape:
            stride = self.random.choice([1, 1, 2]) if n > 2 else 1
            size = self.random.randint(1, (n + stride - 1) // stride)
            offsets.append(self.random.randint(0, n - (size - 1) * stride - 1))
            sizes.append(size)
            strides.append(stride)
        r, t, to = self.name(), tensor(shape, element), tensor(sizes, element)
        self.emit(f"{r} = tensor.extract_slice {x}{offsets} {sizes} {strides} : {t} to {to}")
        if self.random.random() < 0.3:
            y = self.same(shape, element)
            q = self.name()
            self.emit(f"{q} = tensor.insert_slice {r} into {y[0]}{offsets} {sizes} {strides} : {to} into {t}")
            return self.add(q, shape, element, max(loss, y[3]))
        self.add(r, sizes, element, loss)

    def pad(self):
        x, shape, element, loss = self.pick(rank=1)
        low, high = ([self.random.randint(0, 2) for _ in shape] for _ in range(2))
        to = [n + a + b for n, a, b in zip(shape, low, high)]
        if elements(to) > 40000:
            return self.slice()
        c, r = self.name(), self.name()
        self.emit(f"{c} = arith.constant {self.random.choice(['0.0', '0.5'])} : {element}")
        indices = ", ".join(f"%i{d}: index" for d in range(len(shape)))
        self.emit(f"{r} = tensor.pad {x} low{low} high{high} {{ ^bb0({indices}): tensor.yield {c} : {element} }} : {tensor(shape, element)} to {tensor(to, element)}")
        self.add(r, to, element, loss)

    def concat(self):
        x, shape, element, loss = self.pick(floats=False, rank=1)
        dim, y = self.random.randrange(len(shape)), self.same(shape, element)
        to = list(shape)
        to[dim] *= 2
        r, t = self.name(), tensor(shape, element)
        self.emit(f"{r} = tensor.concat dim({dim}) {x}, {y[0]} : ({t}, {t}) -> {tensor(to, element)}")
        self.add(r, to, element, max(loss, y[3]))

    def contract(self):
        x, shape, element, loss = self.pick(rank=2)
        batch, (m, k) = list(shape[:-2]), shape[-2:]
        n = self.random.choice(SIZES)
        if elements(batch) * m * n * k > 400000:
            return self.slice()
        acc = self.random.choice([element, "f32"]) if element != "f64" else "f64"
        right = self.random.choice([[k, n], [n, k]])
        y, _, _, other = self.argument((batch if self.random.random() < 0.5 else []) + right, element)
        shared = len(self.arguments[-1][1]) == 2
        dims = [f"b{i}" for i in range(len(batch))]
        left = ", ".join(dims + ["m", "k"])
        middle = ", ".join(([] if shared else dims) + (["k", "n"] if right == [k, n] else ["n", "k"]))
        out = ", ".join(dims + ["m", "n"])
        loops = ", ".join(dims + ["m", "n", "k"])
        x = self.scale((x, shape, element, loss), 1 / k)
        to = batch + [m, n]
        init = self.fill(to, acc, "0.0") if self.random.random() < 0.8 else self.argument(to, acc)[0]
        iterators = ", ".join(['"parallel"'] * (len(batch) + 2) + ['"reduction"'])
        r, t = self.name(), tensor(to, acc)
        self.emit(f"{r} = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({left})>, affine_map<({loops}) -> ({middle})>, "
                  f"affine_map<({loops}) -> ({out})>], iterator_types = [{iterators}]}} "
                  f"ins({x}, {y} : {tensor(shape, element)}, {tensor(self.arguments[-1 if init[1] != 'a' else -2][1], element)}) outs({init} : {t}) {{")
        self.emit(f"^bb0(%p: {element}, %q: {element}, %o: {acc}):")
        p, q = "%p", "%q"
        if acc != element:
            self.emit(f"  %pw = arith.extf %p : {element} to {acc}")
            self.emit(f"  %qw = arith.extf %q : {element} to {acc}")
            p, q = "%pw", "%qw"
        self.emit(f"  %mul = arith.mulf {p}, {q} : {acc}")
        self.emit(f"  %sum = arith.addf %o, %mul : {acc}")
        self.emit(f"  linalg.yield %sum : {acc}")
        self.emit(f"}} -> {t}")
        self.add(r, to, acc, max(loss, other, TOLERANCE[acc]))

    def conv(self):
        element = self.random.choice(["f32", "f16", "bf16"])
        h, w, c, f = (self.random.choice(s) for s in ([5, 8, 11], [5, 9, 12], [1, 3, 4, 8], [1, 2, 5, 16]))
        kh, kw = self.random.choice([1, 2, 3]), self.random.choice([1, 3])
        s, d = self.random.choice([1, 1, 2]), self.random.choice([1, 1, 2])
        oh, ow = (h - (kh - 1) * d - 1) // s + 1, (w - (kw - 1) * d - 1) // s + 1
        kind = self.random.choice(["conv_2d_nhwc_hwcf", "conv_2d_nchw_fchw", "depthwise_conv_2d_nhwc_hwc", "pooling_nhwc_max", "pooling_nchw_sum"])
        image = [2, c, h, w] if "nchw" in kind else [2, h, w, c]
        filters = {"conv_2d_nhwc_hwcf": [kh, kw, c, f], "conv_2d_nchw_fchw": [f, c, kh, kw], "depthwise_conv_2d_nhwc_hwc": [kh, kw, c]}.get(kind, [kh, kw])
        channels = f if kind.startswith("conv") else c
        to = [2, channels, oh, ow] if "nchw" in kind else [2, oh, ow, channels]
        x = self.same(image, element)
        acc = self.random.choice([element, "f32"]) if kind.startswith("conv") else element
        y = self.argument(filters, element) if "conv" in kind else (self.empty(filters, element), filters, element, 0)
        scaled = self.scale(x, 1 / (kh * kw * c))
        init = self.fill(to, acc, "-1.0e+4" if "max" in kind else "0.0")
        r = self.name()
        self.emit(f"{r} = linalg.{kind} {{strides = dense<{s}> : tensor<2xi64>, dilations = dense<{d}> : tensor<2xi64>}} "
                  f"ins({scaled}, {y[0]} : {tensor(image, element)}, {tensor(filters, element)}) outs({init} : {tensor(to, acc)}) -> {tensor(to, acc)}")
        self.add(r, to, acc, max(x[3], y[3], TOLERANCE[acc]))

    def program(self):
        for _ in range(2):
            self.values.append(self.argument(self.shape(self.random.randint(1, 4)), self.random.choice(["f32", "f32", "f16", "bf16", "f64"])))
        kinds = [self.unary, self.unary, self.binary, self.binary, self.integer, self.cast, self.reduce, self.reduce, self.softmax, self.broadcast,
                 self.transpose, self.reshape, self.slice, self.pad, self.concat, self.contract, self.contract, self.conv]  # fmt: skip
        for _ in range(self.random.randint(4, 12)):
            kind = self.random.choice(kinds)
            if kind in (self.reduce, self.softmax, self.pad, self.contract, self.reshape):
                need = 2 if kind in (self.contract, self.reshape) else 1
                if not any(v[2][0] != "i" and len(v[1]) >= need for v in self.values):
                    kind = self.conv
            kind()
        used = " ".join(re.findall(r"%v\d+", "\n".join(line.split("=", 1)[-1] for line in self.lines))).split()
        results = [v for v in self.values if v[0] not in used and v[0][1] == "v"][-4:] or [self.values[-1]]
        arguments = ", ".join(f"{n}: {tensor(s, e)}" for n, s, e in self.arguments)
        types = ", ".join(tensor(s, e) for _, s, e, _ in results)
        text = [f"func.func @main({arguments}) -> ({types}) {{", *self.lines, f"  return {', '.join(v[0] for v in results)} : {types}", "}", ""]
        return "\n".join(text), [v[3] for v in results]


def run(amp_run, path, device, output):
    environment = {k: v for k, v in os.environ.items() if k != "AMP_CUDA_DRIVER"}
    command = [amp_run, path, "--random", f"--device={device}", f"--output={output}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line or "Assert" in line]
        raise ValueError(f"{device}: exit {done.returncode}: " + "\n".join(errors or [done.stderr])[:1500])
    return dict(np.load(output))


def widen(array):
    """bf16 is written as two bytes without a type."""
    if array.dtype.kind == "V" and array.dtype.itemsize == 2:
        return np.left_shift(array.view(np.uint16), 16, dtype=np.uint32).view(np.float32)
    return array


def check(amp_run, text, losses):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        with open(path, "w") as file:
            file.write(text)
        wants, gots = (run(amp_run, path, device, os.path.join(folder, device + ".npz")) for device in ("cpu", "sim"))
    for (name, want), loss in zip(wants.items(), losses):
        want, got = widen(want), widen(gots[name])
        if got.shape != want.shape or got.dtype != want.dtype:
            raise ValueError(f"{name}: {got.dtype}{got.shape} instead of {want.dtype}{want.shape}")
        good = got == want if want.dtype.kind in "iub" else np.isclose(got.astype(float), want.astype(float), rtol=loss, atol=loss, equal_nan=True)
        if not np.all(good):
            raise ValueError(f"{name}: {np.count_nonzero(~good)} of {good.size} differ by more than {loss}: {got[~good].flat[0]} instead of {want[~good].flat[0]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--amp-run", required=True)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--print", type=int, help="print the program of one seed and stop")
    parser.add_argument("--keep", help="a folder for programs that fail")
    arguments = parser.parse_args()
    if arguments.print is not None:
        print(Generator(arguments.print).program()[0])
        return 0
    failures = 0
    for seed in range(arguments.first, arguments.first + arguments.programs):
        text, losses = Generator(seed).program()
        try:
            check(arguments.amp_run, text, losses)
        except (ValueError, KeyError, subprocess.TimeoutExpired) as error:
            failures += 1
            print(f"program {seed}: FAILED: {error}", flush=True)
            if arguments.keep:
                with open(os.path.join(arguments.keep, f"{seed}.mlir"), "w") as file:
                    file.write(text)
    print(f"{arguments.programs - failures} of {arguments.programs} programs passed")
    return failures != 0 or arguments.programs < 1


if __name__ == "__main__":
    sys.exit(main())
