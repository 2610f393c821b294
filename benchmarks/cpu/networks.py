#!/usr/bin/env python3
"""Times whole networks for images, f32 and under bf16 autocast, against torch, and their compilation with their weights.

    networks.py --build build [--networks resnet18,mobilenet2] [--batch 1] [--size 224] [--rounds 7] [--threads 1] [--results NAME]

ResNet-18 and -50 (He et al., 2015), MobileNetV2 (Sandler et al., 2018) and a U-Net (Ronneberger et al., 2015) of three levels, as tosa
with channels last, normalisation folded into the weights, which are random. The contenders (amp and torch, eager, with channels
last, f32 and bf16) take turns in one process; a number is the median over rounds, with the ratio of torch's time to amp's: above 1, amp
is faster. Before it is timed, a result is compared with torch's in f32. Without torch only amp is timed, and its bf16 compared with its
f32.
"""
import argparse
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.dirname(os.path.abspath(__file__))]

from encoder import compile_model, time_in_turns, write_results  # noqa: E402


def tensor(shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"


class Network:
    """Writes tosa, and the same as steps of torch: each is a function of torch and of the values so far."""

    def __init__(self, np, shape):
        self.np, self.rng = np, np.random.default_rng(0)
        self.arguments, self.lines, self.shapes = [f"%x: {tensor(shape)}"], [], {"%x": tuple(shape)}
        self.weights, self.steps = {}, []

    def op(self, text, shape=None, step=None):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        if shape:
            self.shapes[name] = tuple(shape)
        if step:
            self.steps.append((name, step))
        return name

    def type(self, name):
        return tensor(self.shapes[name])

    def weight(self, shape, scale):
        name = f"arg{len(self.arguments)}"
        self.arguments.append(f"%{name}: {tensor(shape)}")
        self.weights[name] = (self.rng.standard_normal(shape) * scale).astype(self.np.float32)
        self.shapes["%" + name] = tuple(shape)
        return "%" + name

    def sizes(self, values):
        return self.op(f"tosa.const_shape {{values = dense<{list(values)}> : tensor<{len(values)}xindex>}} : () -> !tosa.shape<{len(values)}>")

    def zero(self):
        return self.op('"tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>')

    def reshape(self, x, shape):
        sizes = self.sizes(shape)
        return self.op(f"tosa.reshape {x}, {sizes} : ({self.type(x)}, !tosa.shape<{len(shape)}>) -> {tensor(shape)}", shape)

    def window(self, x, kernel, stride, pad):
        """`x`, the padding behind it and the size of the result: tosa wants windows to end where the image does."""
        n, h, _, c = self.shapes[x]
        size, rest = divmod(h + 2 * pad - kernel, stride)
        if rest > pad:
            start, sizes = self.sizes([0] * 4), self.sizes([n, h - rest, h - rest, c])
            x = self.op(f"tosa.slice {x}, {start}, {sizes} : ({self.type(x)}, !tosa.shape<4>, !tosa.shape<4>) -> {tensor((n, h - rest, h - rest, c))}",
                        (n, h - rest, h - rest, c))
            rest = 0
        return x, f"array<i64: {pad}, {pad - rest}, {pad}, {pad - rest}>", size + 1

    def conv(self, x, features, kernel, stride=1, most=None, relu=True, residual=None):
        """A convolution, depthwise without `features`, with what follows it."""
        source, (n, _, _, c) = x, self.shapes[x]
        out, pad = features or c, kernel // 2
        groups = 1 if features else c
        w = self.weight((features, kernel, kernel, c) if features else (kernel, kernel, c, 1), (2 / (kernel * kernel * c / groups)) ** 0.5)
        b = self.weight((out,), 0.1)
        x, padding, size = self.window(x, kernel, stride, pad)
        zero = self.zero()
        y = self.op(f"tosa.{'conv2d' if features else 'depthwise_conv2d'} {x}, {w}, {b}, {zero}, {zero} {{acc_type = f32, pad = {padding}, "
                    f"stride = array<i64: {stride}, {stride}>, dilation = array<i64: 1, 1>}} : ({self.type(x)}, {self.type(w)}, {self.type(b)}, "
                    f"tensor<1xf32>, tensor<1xf32>) -> {tensor((n, size, size, out))}", (n, size, size, out),
                    lambda f, v: f.conv2d(v[source], v[w], v[b], stride, pad, 1, groups))
        if residual:
            y = self.add(y, residual)
        return self.clamp(y, most) if relu or most else y

    def add(self, x, y):
        return self.op(f"tosa.add {x}, {y} : ({self.type(x)}, {self.type(y)}) -> {self.type(x)}", self.shapes[x], lambda f, v: v[x] + v[y])

    def clamp(self, x, most):
        return self.op(f"tosa.clamp {x} {{min_val = 0.0 : f32, max_val = {most or '3.40282347E+38'} : f32}} : ({self.type(x)}) -> {self.type(x)}", self.shapes[x],
                       lambda f, v: f.hardtanh(v[x], 0, most) if most else f.relu(v[x]))

    def pool(self, x, kernel, stride, pad=0):
        source, (n, _, _, c) = x, self.shapes[x]
        x, padding, size = self.window(x, kernel, stride, pad)
        return self.op(f"tosa.max_pool2d {x} {{kernel = array<i64: {kernel}, {kernel}>, stride = array<i64: {stride}, {stride}>, pad = {padding}}} : "
                       f"({self.type(x)}) -> {tensor((n, size, size, c))}", (n, size, size, c), lambda f, v: f.max_pool2d(v[source], kernel, stride, pad))

    def double(self, x):
        """Each pixel four times."""
        n, h, w, c = self.shapes[x]
        scale, offset, border = self.sizes([4, 2, 4, 2]), self.sizes([-1, -1]), self.sizes([1, 1])
        return self.op(f"tosa.resize {x}, {scale}, {offset}, {border} {{mode = NEAREST_NEIGHBOR}} : ({self.type(x)}, !tosa.shape<4>, !tosa.shape<2>, "
                       f"!tosa.shape<2>) -> {tensor((n, 2 * h, 2 * w, c))}", (n, 2 * h, 2 * w, c), lambda f, v: f.interpolate(v[x], scale_factor=2, mode="nearest"))

    def concat(self, x, y):
        shape = (*self.shapes[x][:3], self.shapes[x][3] + self.shapes[y][3])
        return self.op(f"tosa.concat {x}, {y} {{axis = 3 : i32}} : ({self.type(x)}, {self.type(y)}) -> {tensor(shape)}", shape,
                       lambda f, v: f.torch.cat([v[x], v[y]], 1))

    def classes(self, x, count):
        """The mean over pixels, and a dense layer."""
        n, h, w, c = self.shapes[x]
        zero = self.zero()
        mean = self.op(f"tosa.avg_pool2d {x}, {zero}, {zero} {{acc_type = f32, kernel = array<i64: {h}, {w}>, stride = array<i64: 1, 1>, "
                       f"pad = array<i64: 0, 0, 0, 0>}} : ({self.type(x)}, tensor<1xf32>, tensor<1xf32>) -> {tensor((n, 1, 1, c))}", (n, 1, 1, c))
        weight, bias = self.weight((c, count), c ** -0.5), self.weight((count,), 0.1)
        a, b, row = self.reshape(mean, (1, n, c)), self.reshape(weight, (1, c, count)), self.reshape(bias, (1, 1, count))
        y = self.op(f"tosa.matmul {a}, {b}, {zero}, {zero} : ({self.type(a)}, {self.type(b)}, tensor<1xf32>, tensor<1xf32>) -> {tensor((1, n, count))}", (1, n, count))
        y = self.op(f"tosa.add {y}, {row} : ({self.type(y)}, {self.type(row)}) -> {self.type(y)}", self.shapes[y])
        y = self.reshape(y, (n, count))
        self.steps.append((y, lambda f, v: v[x].mean((2, 3)) @ v[weight] + v[bias]))
        return y

    def text(self, result):
        return f"func.func @main({', '.join(self.arguments)}) -> {self.type(result)} {{\n" + "\n".join(self.lines) + f"\nreturn {result} : {self.type(result)} }}\n"

    def in_torch(self, torch):
        """The network as a function of an image with channels last, as torch is fastest."""
        class Functions:
            def __getattr__(self, name):
                return getattr(torch.nn.functional, name)
        functions = Functions()
        functions.torch = torch
        values = {}
        for name, value in self.weights.items():
            value = torch.from_numpy(value)
            if value.ndim == 4:
                depthwise = value.shape[3] == 1
                value = value.permute(2, 3, 0, 1) if depthwise else value.permute(0, 3, 1, 2)
                value = value.contiguous(memory_format=torch.channels_last)
            values["%" + name] = value

        def call(x):
            v = {**values, "%x": x.permute(0, 3, 1, 2)}
            for name, step in self.steps:
                v[name] = step(functions, v)
            result = v[self.steps[-1][0]]
            return result.permute(0, 2, 3, 1) if result.ndim == 4 else result
        return call


def resnet(net, depth):
    x = net.pool(net.conv("%x", 64, 7, 2), 3, 2, 1)
    wide = depth == 50
    for level, blocks in enumerate((3, 4, 6, 3) if wide else (2, 2, 2, 2)):
        features = 64 << level
        for block in range(blocks):
            stride = 2 if level and not block else 1
            out = 4 * features if wide else features
            keeps = stride == 1 and net.shapes[x][3] == out
            residual = x if keeps else net.conv(x, out, 1, stride, relu=False)
            if wide:
                y = net.conv(net.conv(x, features, 1), features, 3, stride)
                x = net.conv(y, out, 1, residual=residual)
            else:
                x = net.conv(net.conv(x, features, 3, stride), out, 3, residual=residual)
    return net.classes(x, 1000)


def mobilenet(net):
    x = net.conv("%x", 32, 3, 2, most=6.0)
    for expand, features, blocks, first in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(blocks):
            stride, c = first if not block else 1, net.shapes[x][3]
            y = net.conv(x, expand * c, 1, most=6.0) if expand > 1 else x
            y = net.conv(y, None, 3, stride, most=6.0)
            x = net.conv(y, features, 1, relu=False, residual=x if stride == 1 and c == features else None)
    return net.classes(net.conv(x, 1280, 1, most=6.0), 1000)


def unet(net):
    x, levels = "%x", []
    for features in (32, 64, 128):
        x = net.conv(net.conv(x, features, 3), features, 3)
        levels.append(x)
        x = net.pool(x, 2, 2)
    x = net.conv(x, 256, 3)
    for features, level in zip((128, 64, 32), reversed(levels)):
        x = net.conv(net.conv(net.concat(net.double(x), level), features, 3), features, 3)
    return net.conv(x, 2, 1, relu=False)


NETWORKS = {"resnet18": lambda net: resnet(net, 18), "resnet50": lambda net: resnet(net, 50), "mobilenet2": mobilenet, "unet": unet}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--networks", default=",".join(NETWORKS), help="some of " + ", ".join(NETWORKS))
    parser.add_argument("--batch", type=int, default=1, help="number of images")
    parser.add_argument("--size", type=int, default=224, help="rows and columns of an image, a multiple of 32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    args = parser.parse_args()
    names = args.networks.split(",")
    for name in names:
        if name not in NETWORKS:
            parser.error(f"--networks: unknown network '{name}'; expected some of {', '.join(NETWORKS)}")
    if args.size < 32 or args.size % 32:
        parser.error(f"--size: expected a multiple of 32, found {args.size}")
    for option in ("batch", "threads", "rounds"):
        if getattr(args, option) < 1:
            parser.error(f"--{option}: expected 1 or more, found {getattr(args, option)}")
    lines = []

    def say(line):
        lines.append(line)
        print(line, flush=True)
    os.environ["AMP_NUM_THREADS"] = str(args.threads)
    import numpy as np
    try:
        import torch
        torch.set_num_threads(args.threads)
    except ImportError:
        torch = None
    say(f"{args.batch} x {args.size} x {args.size} x 3, {args.threads} threads; median of {args.rounds} rounds" + (f"; torch {torch.__version__}" if torch else ""))
    say("")
    say("| network | mode | compiled in s | amp ms | torch ms | torch / amp |")
    say("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            run(args, np, torch, folder, name, say)
    if args.results:
        write_results(args.results, "networks.py", lines)


def run(args, np, torch, folder, name, say):
    import amp_runtime
    net = Network(np, (args.batch, args.size, args.size, 3))
    text = net.text(NETWORKS[name](net))
    weights = os.path.join(folder, name + ".npz")
    np.savez(weights, **net.weights)
    x = net.rng.standard_normal(net.shapes["%x"]).astype(np.float32)
    calls, seconds = {}, {}
    for mode, options in (("f32", []), ("bf16", ["--autocast=bf16"])):
        path, seconds[mode] = compile_model(args.build, text, folder, f"{name}-{mode}", ["--weights=" + weights, *options])
        model = amp_runtime.load(path)
        calls["amp " + mode] = lambda model=model: model.main(x)
    if torch:
        theirs, image = net.in_torch(torch), torch.from_numpy(x)

        def plain():
            with torch.inference_mode():
                return theirs(image)

        def autocast():
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
                return theirs(image)
        calls.update({"torch f32": plain, "torch bf16": autocast})
    want = np.asarray(calls["torch f32" if torch else "amp f32"]())
    for mode, bound in (("f32", 1e-5), ("bf16", 1e-1)):
        error = np.linalg.norm(np.asarray(calls["amp " + mode]()).astype(np.float32) - want) / np.linalg.norm(want)
        if not error < bound:
            sys.exit(f"networks.py: error: {name} in {mode} differs from f32 by {error:.3g} of its norm, more than {bound}")
    middle = time_in_turns(calls, args.rounds)
    for mode in ("f32", "bf16"):
        ours, other = middle["amp " + mode], middle.get("torch " + mode)
        say(f"| {name} | {mode} | {seconds[mode]:.1f} | {1e3 * ours:.1f} | " + (f"{1e3 * other:.1f} | {other / ours:.2f} |" if other else "- | - |"))


if __name__ == "__main__":
    main()
