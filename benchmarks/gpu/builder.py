"""Writes functions on tensors as MLIR text: linalg, arith and math."""
import math
from dataclasses import dataclass
from typing import NamedTuple

#: Bytes of an element.
WIDTHS = {"f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1, "f8E4M3FN": 1, "f8E5M2": 1}


class Value(NamedTuple):
    """A tensor: a letter names the extent of each of its dimensions."""

    name: str
    axes: str
    element: str


@dataclass(frozen=True)
class Operand:
    """An argument of a program. Benchmarks fill it with normal numbers of this standard deviation, or the size of such."""

    name: str
    shape: tuple
    element: str
    deviation: float = 1.0
    is_weight: bool = False
    is_positive: bool = False

    @property
    def bytes(self):
        return math.prod(self.shape) * WIDTHS[self.element]


def tensor(shape, element):
    return "tensor<" + "x".join([*map(str, shape), element]) + ">"


class Builder:
    """Collects the ops of one function; `sizes` are those of the axes, by letter."""

    def __init__(self, operands=(), **sizes):
        self.operands, self.sizes = list(operands), sizes
        self.lines, self.count = [], 0

    def operand(self, name, axes):
        """The argument of this name, its dimensions under these letters."""
        found = next(operand for operand in self.operands if operand.name == name)
        assert found.shape == self.shape(axes), (found, axes)
        return Value("%" + name, axes, found.element)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " + text)

    def shape(self, axes):
        return tuple(self.sizes[axis] for axis in axes)

    def type(self, value):
        return tensor(self.shape(value.axes), value.element)

    def constant(self, number, element="f32"):
        name = self.fresh()
        self.emit(f"{name} = arith.constant {number} : {element}")
        return name

    def empty(self, axes, element):
        value = Value(self.fresh(), axes, element)
        self.emit(f"{value.name} = tensor.empty() : {self.type(value)}")
        return value

    def filled(self, axes, element, number):
        start, into = self.constant(number, element), self.empty(axes, element)
        value = Value(self.fresh(), axes, element)
        self.emit(f"{value.name} = linalg.fill ins({start} : {element}) outs({into.name} : {self.type(into)}) -> {self.type(into)}")
        return value

    def generic(self, inputs, init, body, reduced=""):
        """`body` is lines with {0}, {1}.. for the elements of the inputs, {out} for that of the init, {v} in front of
        names of its own, and last the name that is yielded. Loops over the axes of the init and those `reduced`."""
        value = Value(self.fresh(), init.axes, init.element)
        loops = ", ".join(init.axes + reduced)
        maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(v.axes)})>" for v in (*inputs, init))
        kinds = ", ".join(['"parallel"'] * len(init.axes) + ['"reduction"'] * len(reduced))
        names, out = [f"{value.name}i{k}" for k in range(len(inputs))], value.name + "o"
        self.emit(f"{value.name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}")
        self.emit(f"    ins({', '.join(v.name for v in inputs)} : {', '.join(map(self.type, inputs))}) outs({init.name} : {self.type(init)}) {{")
        self.emit(f"^bb0({', '.join(f'{n}: {v.element}' for n, v in zip(names, inputs))}, {out}: {init.element}):")
        for line in body[:-1]:
            self.emit("  " + line.format(*names, out=out, v=value.name))
        self.emit(f"  linalg.yield {body[-1].format(*names, out=out, v=value.name)} : {init.element}")
        self.emit(f"}} -> {self.type(init)}")
        return value

    def map(self, inputs, body, element="f32", axes=None):
        """One element of the result for each of `axes`: those of the first input, unless given."""
        return self.generic(inputs, self.empty(axes or inputs[0].axes, element), body)

    def reduce(self, value, op, start, reduced):
        """Over one axis."""
        into = self.filled(value.axes.replace(reduced, ""), value.element, start)
        return self.generic([value], into, [f"{{v}}y = {op} {{0}}, {{out}} : {value.element}", "{v}y"], reduced)

    def cast(self, value, element):
        """The same between floats of different width; nothing between equal types."""
        if value.element == element:
            return value
        op = "extf" if WIDTHS[element] > WIDTHS[value.element] else "truncf"
        return self.map([value], [f"{{v}}y = arith.{op} {{0}} : {value.element} to {element}", "{v}y"], element)

    def contract(self, a, b, axes, element):
        """The sum of products over the axes that the result lacks; added in `element`, to which both are widened."""
        reduced = "".join(axis for axis in dict.fromkeys(a.axes + b.axes) if axis not in axes)
        is_float = not element.startswith("i")
        widen, times, plus = ("extf", "mulf", "addf") if is_float else ("extsi", "muli", "addi")
        body, names = [], []
        for k, side in enumerate((a, b)):
            names.append(f"{{{k}}}")
            if side.element != element:
                names[k] = f"{{v}}w{k}"
                body.append(f"{names[k]} = arith.{widen} {{{k}}} : {side.element} to {element}")
        body += [f"{{v}}p = arith.{times} {names[0]}, {names[1]} : {element}", f"{{v}}s = arith.{plus} {{out}}, {{v}}p : {element}", "{v}s"]
        return self.generic([a, b], self.filled(axes, element, "0.0" if is_float else "0"), body, reduced)

    def reshape(self, value, axes, groups):
        """The same elements in the same order; `groups` says which dimensions belong together, as MLIR prints it."""
        result = Value(self.fresh(), axes, value.element)
        if len(axes) > len(value.axes):
            sizes = ", ".join(map(str, self.shape(axes)))
            self.emit(f"{result.name} = tensor.expand_shape {value.name} {groups} output_shape [{sizes}] : {self.type(value)} into {self.type(result)}")
        else:
            self.emit(f"{result.name} = tensor.collapse_shape {value.name} {groups} : {self.type(value)} into {self.type(result)}")
        return result

    def take(self, value, axis, index):
        """One index of an axis, which goes away."""
        result = Value(self.fresh(), value.axes.replace(axis, ""), value.element)
        offsets = ", ".join(str(index) if a == axis else "0" for a in value.axes)
        sizes = ", ".join("1" if a == axis else str(self.sizes[a]) for a in value.axes)
        steps = ", ".join("1" for _ in value.axes)
        self.emit(f"{result.name} = tensor.extract_slice {value.name}[{offsets}] [{sizes}] [{steps}] : {self.type(value)} to {self.type(result)}")
        return result

    def function(self, result):
        """The whole text: `main`, from all operands to `y`."""
        def argument(operand):
            weight = ", amp.weight" if operand.is_weight else ""
            return f'%{operand.name}: {tensor(operand.shape, operand.element)} {{amp.name = "{operand.name}"{weight}}}'

        arguments = ",\n    ".join(map(argument, self.operands))
        return "\n".join([f'func.func @main(\n    {arguments}) -> ({self.type(result)} {{amp.name = "y"}}) {{', *self.lines,
                          f"  return {result.name} : {self.type(result)}", "}", ""])


def gelu(b, inputs, element="f32"):
    """GELU, with the error function, of the first input, or of the sum of two; computed in f32."""
    half, one, root = (b.constant(number) for number in ("0.5", "1.0", "0.70710678118654757"))
    body = widened(inputs)
    total = "{v}x0" if inputs[0].element != "f32" else "{0}"
    if len(inputs) > 1:
        other = "{v}x1" if inputs[1].element != "f32" else "{1}"
        body.append(f"{{v}}s = arith.addf {total}, {other} : f32")
        total = "{v}s"
    body += [f"{{v}}r = arith.mulf {total}, {root} : f32", "{v}e = math.erf {v}r : f32", f"{{v}}p = arith.addf {{v}}e, {one} : f32",
             f"{{v}}h = arith.mulf {total}, {half} : f32", "{v}y = arith.mulf {v}h, {v}p : f32", *narrowed("{v}y", element)]
    return b.map(inputs, body, element)


def widened(inputs):
    """Lines that name each element of a narrow float {v}x<k>, in f32."""
    return [f"{{v}}x{k} = arith.extf {{{k}}} : {v.element} to f32" for k, v in enumerate(inputs) if v.element != "f32"]


def narrowed(name, element):
    """Lines that end a body: `name`, of f32, in `element`."""
    return [name] if element == "f32" else [f"{{v}}n = arith.truncf {name} : f32 to {element}", "{v}n"]


def layer_norm(b, x, axis, gamma, beta):
    """(x - mean) / sqrt(variance + 1e-5) * gamma + beta along an axis, in f32."""
    count, eps = b.constant(float(b.sizes[axis])), b.constant("1.0e-5")
    average = b.map([b.reduce(x, "arith.addf", "0.0", axis)], [f"{{v}}y = arith.divf {{0}}, {count} : f32", "{v}y"])
    centred = b.map([x, average], ["{v}y = arith.subf {0}, {1} : f32", "{v}y"])
    square = b.map([centred], ["{v}y = arith.mulf {0}, {0} : f32", "{v}y"])
    root = b.map([b.reduce(square, "arith.addf", "0.0", axis)], [
        f"{{v}}m = arith.divf {{0}}, {count} : f32", f"{{v}}e = arith.addf {{v}}m, {eps} : f32", "{v}y = math.rsqrt {v}e : f32", "{v}y"])
    return b.map([centred, root, gamma, beta], [
        "{v}n = arith.mulf {0}, {1} : f32", "{v}g = arith.mulf {v}n, {2} : f32", "{v}y = arith.addf {v}g, {3} : f32", "{v}y"])


def softmax(b, x):
    """Along the last axis."""
    value, into = Value(b.fresh(), x.axes, x.element), b.empty(x.axes, x.element)
    b.emit(f"{value.name} = linalg.softmax dimension({len(x.axes) - 1}) ins({x.name} : {b.type(x)}) outs({into.name} : {b.type(x)}) -> {b.type(x)}")
    return value
