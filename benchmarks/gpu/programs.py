#!/usr/bin/env python3
"""The programs of the GPU benchmarks, as MLIR text, with their torch equivalents.

    programs.py NAME            prints one program
    programs.py --list          prints the names

A program is a function `main` on tensors, in upstream's linalg, arith and math. A
name is `<op>-<rows>x<columns>-<from>-<to>`: the element types of the input and of
the result. All programs compute in f32, whatever they store, as torch does under
autocast and inside its own kernels.
"""
import argparse
import sys
from dataclasses import dataclass, field


@dataclass
class Builder:
    """Collects the ops of one function on `rows` x `cols` tensors."""

    rows: int
    cols: int
    lines: list = field(default_factory=list)
    count: int = 0

    MAPS = {"rc": "(r, c) -> (r, c)", "r": "(r, c) -> (r)", "c": "(r, c) -> (c)", "cr": "(r, c) -> (c, r)"}

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("    " + text)

    def tensor(self, axes, element):
        shape = "x".join(str({"r": self.rows, "c": self.cols}[a]) for a in axes)
        return f"tensor<{shape}x{element}>"

    def empty(self, axes, element):
        value = self.name()
        self.emit(f"{value} = tensor.empty() : {self.tensor(axes, element)}")
        return value

    def filled(self, axes, constant):
        value = self.name()
        self.emit(f"{value}s = arith.constant {constant} : f32")
        empty = self.empty(axes, "f32")
        kind = self.tensor(axes, "f32")
        self.emit(f"{value} = linalg.fill ins({value}s : f32) outs({empty} : {kind}) -> {kind}")
        return value

    def generic(self, inputs, result, init, axes, body, reduce=False):
        """`inputs` are (value, axes, element); `body` is lines with {0}, {1}.. for
        the elements of the inputs, {out} for that of the init, and last the name yielded."""
        value = self.name()
        maps = ", ".join(f"affine_map<{self.MAPS[a]}>" for a in [i[1] for i in inputs] + [axes])
        kinds = '["parallel", "reduction"]' if reduce else '["parallel", "parallel"]'
        names = [f"{value}i{k}" for k in range(len(inputs))]
        out = value + "o"
        kind = self.tensor(axes, result)
        self.emit(f"{value} = linalg.generic {{indexing_maps = [{maps}], iterator_types = {kinds}}}")
        listed = ", ".join(i[0] for i in inputs)
        types = ", ".join(self.tensor(i[1], i[2]) for i in inputs)
        self.emit(f"    ins({listed} : {types}) outs({init} : {kind}) {{")
        arguments = ", ".join(f"{n}: {i[2]}" for n, i in zip(names, inputs))
        self.emit(f"^bb0({arguments}, {out}: {result}):")
        for line in body[:-1]:
            self.emit("  " + line.format(*names, out=out, v=value))
        self.emit(f"  linalg.yield {body[-1].format(*names, out=out, v=value)} : {result}")
        self.emit(f"}} -> {kind}")
        return value

    def map(self, inputs, result, body, axes="rc"):
        return self.generic(inputs, result, self.empty(axes, result), axes, body)

    def reduce(self, value, op, start):
        return self.generic([(value, "rc", "f32")], "f32", self.filled("r", start), "r",
                            [f"{{v}}y = {op} {{0}}, {{out}} : f32", "{v}y"], reduce=True)

    def widen(self, value, element):
        if element == "f32":
            return value
        return self.map([(value, "rc", element)], "f32", ["{v}y = arith.extf {0} : " + element + " to f32", "{v}y"])

    def narrow(self, value, element):
        if element == "f32":
            return value
        return self.map([(value, "rc", "f32")], element, ["{v}y = arith.truncf {0} : f32 to " + element, "{v}y"])


def softmax(b, x):
    empty, kind = b.empty("rc", "f32"), b.tensor("rc", "f32")
    value = b.name()
    b.emit(f"{value} = linalg.softmax dimension(1) ins({x} : {kind}) outs({empty} : {kind}) -> {kind}")
    return value


def row_op(b, value, body, target="f32"):
    """An elementwise op on one f32 value a row."""
    name = b.name()
    kind, result = b.tensor("r", "f32"), b.tensor("r", target)
    empty = b.empty("r", target)
    one = "affine_map<(r) -> (r)>"
    b.emit(f'{name} = linalg.generic {{indexing_maps = [{one}, {one}], iterator_types = ["parallel"]}}')
    b.emit(f"    ins({value} : {kind}) outs({empty} : {result}) {{")
    b.emit(f"^bb0({name}i: f32, {name}o: {target}):")
    for line in body:
        b.emit("  " + line.format(i=name + "i", v=name))
    b.emit(f"  linalg.yield {name}y : {target}")
    b.emit(f"}} -> {result}")
    return name


def layer_norm(b, x):
    b.emit(f"%count = arith.constant {float(b.cols)} : f32")
    b.emit("%eps = arith.constant 1.0e-5 : f32")
    average = row_op(b, b.reduce(x, "arith.addf", "0.0"), ["{v}y = arith.divf {i}, %count : f32"])
    centred = b.map([(x, "rc", "f32"), (average, "r", "f32")], "f32", ["{v}y = arith.subf {0}, {1} : f32", "{v}y"])
    square = b.map([(centred, "rc", "f32")], "f32", ["{v}y = arith.mulf {0}, {0} : f32", "{v}y"])
    root = row_op(b, b.reduce(square, "arith.addf", "0.0"), [
        "{v}m = arith.divf {i}, %count : f32", "{v}e = arith.addf {v}m, %eps : f32", "{v}y = math.rsqrt {v}e : f32"])
    return b.map([(centred, "rc", "f32"), (root, "r", "f32"), ("%gamma", "c", "f32"), ("%beta", "c", "f32")], "f32", [
        "{v}n = arith.mulf {0}, {1} : f32", "{v}g = arith.mulf {v}n, {2} : f32",
        "{v}y = arith.addf {v}g, {3} : f32", "{v}y"])


def rms_norm(b, x):
    b.emit(f"%count = arith.constant {float(b.cols)} : f32")
    b.emit("%eps = arith.constant 1.0e-5 : f32")
    square = b.map([(x, "rc", "f32")], "f32", ["{v}y = arith.mulf {0}, {0} : f32", "{v}y"])
    root = row_op(b, b.reduce(square, "arith.addf", "0.0"), [
        "{v}m = arith.divf {i}, %count : f32", "{v}e = arith.addf {v}m, %eps : f32", "{v}y = math.rsqrt {v}e : f32"])
    return b.map([(x, "rc", "f32"), (root, "r", "f32"), ("%gamma", "c", "f32")], "f32", [
        "{v}n = arith.mulf {0}, {1} : f32", "{v}y = arith.mulf {v}n, {2} : f32", "{v}y"])


#: The payload of gelu({0} + {1}), with the constants %half, %one and %root.
GELU = ["{v}s = arith.addf {0}, {1} : f32", "{v}r = arith.mulf {v}s, %root : f32", "{v}e = math.erf {v}r : f32",
        "{v}p = arith.addf {v}e, %one : f32", "{v}h = arith.mulf {v}s, %half : f32", "{v}y = arith.mulf {v}h, {v}p : f32",
        "{v}y"]


def bias_gelu(b, x):
    for name, value in (("%half", "0.5"), ("%one", "1.0"), ("%root", "0.70710678118654757")):
        b.emit(f"{name} = arith.constant {value} : f32")
    return b.map([(x, "rc", "f32"), ("%beta", "c", "f32")], "f32", GELU)


def cast(b, x):
    return x


#: Name: (function, extra arguments along the columns, torch's expression of x, gamma, beta).
OPS = {
    "softmax": (softmax, (), "torch.softmax(x, -1)"),
    "layer_norm": (layer_norm, ("gamma", "beta"), "F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5)"),
    "rms_norm": (rms_norm, ("gamma",), "F.rms_norm(x, x.shape[-1:], gamma, 1e-5)"),
    "bias_gelu": (bias_gelu, ("beta",), "F.gelu(x + beta)"),
    "cast": (cast, (), "x"),
}
TYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}


def elementwise_program(op, rows, cols, source, target):
    function, extra, _ = OPS[op]
    b = Builder(rows, cols)
    result = b.narrow(function(b, b.widen("%x", source)), target)
    arguments = [f'%x: {b.tensor("rc", source)} {{amp.name = "x"}}']
    arguments += [f'%{name}: {b.tensor("c", "f32")} {{amp.name = "{name}"}}' for name in extra]
    return function_text(arguments, b.tensor("rc", target), b.lines, result)


def row_sum_program(rows, cols, source, target):
    b = Builder(rows, cols)
    total = b.reduce(b.widen("%x", source), "arith.addf", "0.0")
    if target != "f32":
        total = row_op(b, total, ["{v}y = arith.truncf {i} : f32 to " + target], target)
    return function_text([f'%x: {b.tensor("rc", source)} {{amp.name = "x"}}'], b.tensor("r", target), b.lines, total)


def transpose_program(rows, cols, source, target):
    b = Builder(rows, cols)
    empty = b.empty("cr", target)
    kind = b.tensor("cr", target)
    b.emit(f"%y = linalg.transpose ins(%x : {b.tensor('rc', source)}) outs({empty} : {kind}) permutation = [1, 0]")
    return function_text([f'%x: {b.tensor("rc", source)} {{amp.name = "x"}}'], kind, b.lines, "%y")


def function_text(arguments, result_type, lines, result):
    head = ",\n    ".join(arguments)
    return "\n".join([f"func.func @main(\n    {head}) -> ({result_type} {{amp.name = \"y\"}}) {{",
                      *[line[2:] for line in lines], f"  return {result} : {result_type}", "}", ""])


@dataclass(frozen=True)
class Program:
    """One benchmark: `torch` is an expression of x, gamma, beta, in the input's type."""

    op: str
    rows: int
    cols: int
    source: str
    target: str

    @property
    def name(self):
        return f"{self.op}-{self.rows}x{self.cols}-{self.source}-{self.target}"

    @property
    def mlir(self):
        if self.op == "row_sum":
            return row_sum_program(self.rows, self.cols, self.source, self.target)
        if self.op == "transpose":
            return transpose_program(self.rows, self.cols, self.source, self.target)
        return elementwise_program(self.op, self.rows, self.cols, self.source, self.target)

    @property
    def extra(self):
        return OPS[self.op][1] if self.op in OPS else ()

    @property
    def torch(self):
        if self.op == "row_sum":
            expression = "torch.sum(x, -1, dtype=torch.float32)"
            return expression if self.target == "f32" else f"{expression}.to(torch.{TYPES[self.target]})"
        if self.op == "transpose":
            return "x.t().contiguous()"
        expression = OPS[self.op][2]
        return expression if self.source == self.target else f"{expression}.to(torch.{TYPES[self.target]})"

    @property
    def bytes(self):
        """Bytes that have to move: the input read once, the result written once."""
        width = {"f32": 4, "f16": 2, "bf16": 2}
        written = self.rows if self.op == "row_sum" else self.rows * self.cols
        return self.rows * self.cols * width[self.source] + written * width[self.target]


def shape_programs(rows, cols):
    """Every memory-bound op, in f32, in f16, and from f32 to f16."""
    types = (("f32", "f32"), ("f16", "f16"), ("f32", "f16"))
    result = []
    for op in ("softmax", "layer_norm", "rms_norm", "bias_gelu", "row_sum"):
        result += [Program(op, rows, cols, s, t) for s, t in types]
    result.append(Program("row_sum", rows, cols, "f16", "f32"))
    result += [Program("cast", rows, cols, s, t) for s, t in (("f32", "f16"), ("f32", "bf16"), ("f16", "f32"))]
    result += [Program("transpose", rows, cols, t, t) for t in ("f16", "f32")]
    return result


def programs():
    result = shape_programs(16384, 4096) + shape_programs(8192, 1024)
    result.append(Program("transpose", 1000, 1048, "f16", "f16"))
    result.append(Program("softmax", 4096, 1003, "f16", "f16"))
    result.append(Program("layer_norm", 4096, 1003, "f32", "f16"))
    result.append(Program("softmax", 64, 131072, "f32", "f32"))
    return result


@dataclass(frozen=True)
class Mlp:
    """x + f2(gelu(f1(layer_norm(x)))), f32 in and out, to be compiled under autocast; weights are `amp.weight`."""

    rows: int
    width: int
    hidden: int

    @property
    def name(self):
        return f"mlp-{self.rows}x{self.width}x{self.hidden}"

    @property
    def flops(self):
        return 4 * self.rows * self.width * self.hidden

    @property
    def weights(self):
        """(name, shape, standard deviation)"""
        d, h = self.width, self.hidden
        return (("gamma", (d,), 1.0), ("beta", (d,), 1.0), ("w1", (d, h), d**-0.5), ("b1", (h,), 1.0),
                ("w2", (h, d), h**-0.5), ("b2", (d,), 1.0))

    def linear(self, b, value, columns, weight, bias, out_columns):
        """value * weight + bias on tensors of `out_columns` columns."""
        b.cols = out_columns
        product, zero = b.name(), b.filled("rc", "0.0")
        kind = b.tensor("rc", "f32")
        b.emit(f"{product} = linalg.matmul ins({value}, %{weight} : tensor<{b.rows}x{columns}xf32>, "
               f"tensor<{columns}x{out_columns}xf32>) outs({zero} : {kind}) -> {kind}")
        return product

    @property
    def mlir(self):
        b = Builder(self.rows, self.width)
        normed = layer_norm(b, "%x")
        first = self.linear(b, normed, self.width, "w1", "b1", self.hidden)
        for name, value in (("%half", "0.5"), ("%one", "1.0"), ("%root", "0.70710678118654757")):
            b.emit(f"{name} = arith.constant {value} : f32")
        active = b.map([(first, "rc", "f32"), ("%b1", "c", "f32")], "f32", GELU)
        second = self.linear(b, active, self.hidden, "w2", "b2", self.width)
        result = b.map([("%x", "rc", "f32"), (second, "rc", "f32"), ("%b2", "c", "f32")], "f32",
                       ["{v}s = arith.addf {1}, {2} : f32", "{v}y = arith.addf {0}, {v}s : f32", "{v}y"])
        arguments = [f'%x: {b.tensor("rc", "f32")} {{amp.name = "x"}}']
        for name, shape, _ in self.weights:
            size = "x".join(map(str, shape))
            arguments.append(f'%{name}: tensor<{size}xf32> {{amp.name = "{name}", amp.weight}}')
        return function_text(arguments, b.tensor("rc", "f32"), b.lines, result)


#: The MLP of which launches take the most time, next to its work.
LAUNCH_BOUND = Mlp(128, 1024, 4096)


def mlps():
    return [LAUNCH_BOUND, Mlp(8192, 1024, 4096)]


def tiny():
    """What the checker itself is tried with, on the simulator: no time means anything."""
    return shape_programs(8, 40), [Mlp(16, 64, 128)]


def simulated_mlp():
    """As LAUNCH_BOUND, with fewer rows: the simulator takes half a minute for each run of 128."""
    return Mlp(16, 1024, 4096)


def known():
    """Every program, by name."""
    rows, blocks = tiny()
    return {program.name: program for program in programs() + mlps() + rows + blocks + [simulated_mlp()]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        print("\n".join(known()))
    elif args.name in known():
        sys.stdout.write(known()[args.name].mlir)
    else:
        parser.error(f"expected a name that --list prints, but found {args.name!r}")


if __name__ == "__main__":
    main()
