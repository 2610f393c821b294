# RUN: %python %s amp-opt --seeds 40 --lower "--amp-lower-to-linalg --amp-lower-to-cpu"
"""Random programs through autocast: what must hold for every program.

For each seed the generator makes one module of linalg, arith, math, tensor and
scf ops with nested autocast scopes, and checks that

  1. amp-autocast, and the lowering behind it, accept it, and the IR verifies;
  2. deciding twice gives the same text as deciding once;
  3. amp-autocast changes nothing in its own output, and no scope is left;
  4. two runs give the same text;
  5. with all scopes disabled the result is the program written without scopes.

Usage: fuzz.py AMP_OPT [--seeds N] [--first SEED] [--print SEED]
"""

import argparse
import difflib
import random
import subprocess
import sys

FLOATS = ["f32", "f32", "f32", "f16", "bf16", "f64"]
UNARY = ["math.exp", "math.tanh", "math.log", "math.sqrt", "math.absf", "arith.negf"]
BINARY = ["arith.addf", "arith.mulf", "arith.subf", "arith.maximumf", "math.atan2"]
NARROWER = {"f64": ["f32", "f16", "bf16"], "f32": ["f16", "bf16"], "f16": [], "bf16": []}
SIZE = 4


def tensor(element, rank=2):
    return "tensor<" + f"{SIZE}x" * rank + element + ">"


class Generator:
    """Writes one program; all scopes alike are enabled, disabled or absent.

    The choices do not depend on that mode, so that the three texts of one seed
    hold the same ops in the same order.
    """

    def __init__(self, seed, mode):
        self.random = random.Random(seed)
        self.mode = mode
        self.lines = []
        self.count = 0
        self.indent = 1
        self.flag = "%flag"

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def pick(self, values, element=None, rank=2):
        """A value and its element type; only the value if that type is given."""
        fitting = [(v, e) for v, e, r in values if r == rank and element in (None, e)]
        value, found = self.random.choice(fitting)
        return value if element else (value, found)

    def init(self, element, rank=2):
        """A destination."""
        empty = self.name()
        self.emit(f"{empty} = tensor.empty() : {tensor(element, rank)}")
        return empty

    def fill(self, element, rank=2):
        zero, filled = self.name(), self.name()
        self.emit(f"{zero} = arith.constant 0.0 : {element}")
        empty = self.init(element, rank)
        t = tensor(element, rank)
        self.emit(f"{filled} = linalg.fill ins({zero} : {element}) outs({empty} : {t}) -> {t}")
        return filled

    # Each op takes the values in reach, [(name, element, rank)], and adds one.

    def matmul(self, values):
        a, element = self.pick(values)
        b = self.pick(values, element)
        out = self.fill(element) if self.random.random() < 0.7 else self.pick(values, element)
        r, t = self.name(), tensor(element)
        maps = ""
        if self.random.random() < 0.3:
            maps = (
                "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] "
            )
        self.emit(f"{r} = linalg.matmul {maps}ins({a}, {b} : {t}, {t}) outs({out} : {t}) -> {t}")
        values.append((r, element, 2))

    def unary(self, values):
        a, element = self.pick(values)
        r = self.name()
        self.emit(f"{r} = {self.random.choice(UNARY)} {a} : {tensor(element)}")
        values.append((r, element, 2))

    def binary(self, values):
        a, element = self.pick(values)
        r = self.name()
        b = self.pick(values, element)
        self.emit(f"{r} = {self.random.choice(BINARY)} {a}, {b} : {tensor(element)}")
        values.append((r, element, 2))

    def select(self, values):
        a, element = self.pick(values)
        b = self.pick(values, element)
        c, r, t = self.name(), self.name(), tensor(element)
        self.emit(f"{c} = arith.cmpf ogt, {a}, {b} : {t}")
        self.emit(f"{r} = arith.select {c}, {a}, {b} : tensor<{SIZE}x{SIZE}xi1>, {t}")
        values.append((r, element, 2))

    def cast(self, values):
        a, element = self.pick(values)
        r = self.name()
        if NARROWER[element] and self.random.random() < 0.6:
            to, op = self.random.choice(NARROWER[element]), "arith.truncf"
        else:
            wider = [e for e in NARROWER if element in NARROWER[e]]
            if not wider:
                return self.unary(values)
            to, op = self.random.choice(wider), "arith.extf"
        self.emit(f"{r} = {op} {a} : {tensor(element)} to {tensor(to)}")
        values.append((r, to, 2))

    def elementwise_generic(self, values):
        """Two inputs, of types of their own, and a scalar from outside."""
        a, ea = self.pick(values)
        b, eb = self.pick(values)
        to = self.random.choice([ea, eb])
        scalar, out = self.name(), self.init(to)
        self.emit(f"{scalar} = arith.constant 0.3 : {to}")
        r = self.name()
        self.emit(
            f"{r} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, "
            f"affine_map<(i, j) -> {self.random.choice(['(i, j)', '(j, i)'])}>, "
            f"affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}} "
            f"ins({a}, {b} : {tensor(ea)}, {tensor(eb)}) outs({out} : {tensor(to)}) {{"
        )
        self.emit(f"^bb0(%x: {ea}, %y: {eb}, %o: {to}):")
        self.indent += 1
        x, y = self.convert("%x", ea, to), self.convert("%y", eb, to)
        s = self.name()
        self.emit(f"{s} = {self.random.choice(BINARY)} {x}, {y} : {to}")
        if self.random.random() < 0.5:
            u = self.name()
            self.emit(f"{u} = {self.random.choice(UNARY)} {s} : {to}")
            s = u
        m = self.name()
        self.emit(f"{m} = arith.mulf {s}, {scalar} : {to}")
        self.emit(f"linalg.yield {m} : {to}")
        self.indent -= 1
        self.emit(f"}} -> {tensor(to)}")
        values.append((r, to, 2))

    def convert(self, value, element, to):
        if element == to:
            return value
        if to in NARROWER[element] or element in NARROWER[to]:
            r = self.name()
            op = "truncf" if to in NARROWER[element] else "extf"
            self.emit(f"{r} = arith.{op} {value} : {element} to {to}")
            return r
        # f16 and bf16.
        return self.convert(self.convert(value, element, "f32"), "f32", to)

    def reduce(self, values):
        a, element = self.pick(values)
        op = self.random.choice(["addf", "mulf", "maximumf"])
        out = self.fill(element, 1)
        r = self.name()
        self.emit(
            f"{r} = linalg.reduce ins({a} : {tensor(element)}) outs({out} : {tensor(element, 1)}) "
            f"dimensions = [{self.random.randrange(2)}]"
        )
        self.emit(f"  (%in: {element}, %acc: {element}) {{")
        s = self.name()
        self.emit(f"    {s} = arith.{op} %in, %acc : {element}")
        self.emit(f"    linalg.yield {s} : {element}")
        self.emit("  }")
        values.append((r, element, 1))

    def broadcast(self, values):
        if not any(r == 1 for _, _, r in values):
            return self.reduce(values)
        a, element = self.pick(values, rank=1)
        out, r = self.init(element), self.name()
        self.emit(
            f"{r} = linalg.broadcast ins({a} : {tensor(element, 1)}) "
            f"outs({out} : {tensor(element)}) dimensions = [0]"
        )
        values.append((r, element, 2))

    def transpose(self, values):
        a, element = self.pick(values)
        out, r, t = self.init(element), self.name(), tensor(element)
        self.emit(f"{r} = linalg.transpose ins({a} : {t}) outs({out} : {t}) permutation = [1, 0]")
        values.append((r, element, 2))

    def softmax(self, values):
        a, element = self.pick(values)
        out, r, t = self.init(element), self.name(), tensor(element)
        self.emit(f"{r} = linalg.softmax dimension(1) ins({a} : {t}) outs({out} : {t}) -> {t}")
        values.append((r, element, 2))

    def slices(self, values):
        """concat or pad, and back to the usual size, or insert_slice."""
        a, element = self.pick(values)
        b = self.pick(values, element)
        t, half = tensor(element), f"tensor<2x{SIZE}x{element}>"
        big = f"tensor<{2 * SIZE}x{SIZE}x{element}>"
        kind = self.random.randrange(3)
        wide, r = self.name(), self.name()
        if kind == 2:
            self.emit(f"{wide} = tensor.extract_slice {a}[0, 0] [2, {SIZE}] [1, 1] : {t} to {half}")
            self.emit(
                f"{r} = tensor.insert_slice {wide} into {b}[1, 0] [2, {SIZE}] [1, 1] : {half} into {t}"
            )
            values.append((r, element, 2))
            return
        if kind == 0:
            self.emit(f"{wide} = tensor.concat dim(0) {a}, {b} : ({t}, {t}) -> {big}")
        else:
            zero = self.name()
            self.emit(f"{zero} = arith.constant 0.0 : {element}")
            self.emit(f"{wide} = tensor.pad {a} low[0, 0] high[{SIZE}, 0] {{")
            self.emit("^bb0(%i: index, %j: index):")
            self.emit(f"  tensor.yield {zero} : {element}")
            self.emit(f"}} : {t} to {big}")
        self.emit(f"{r} = tensor.extract_slice {wide}[2, 0] [{SIZE}, {SIZE}] [1, 1] : {big} to {t}")
        values.append((r, element, 2))

    def branch(self, values, depth):
        self.region_op(values, depth, loop=False)

    def loop(self, values, depth):
        self.region_op(values, depth, loop=True)

    def region_op(self, values, depth, loop):
        a, element = self.pick(values)
        r, t = self.name(), tensor(element)
        if loop:
            c, low, high, step, arg = (self.name() for _ in range(5))
            for bound, value in ((low, 0), (high, 2), (step, 1)):
                self.emit(f"{bound} = arith.constant {value} : index")
            self.emit(f"{r} = scf.for {c} = {low} to {high} step {step} iter_args({arg} = {a}) -> ({t}) {{")
            bodies = [[(arg, element, 2)]]
        else:
            self.emit(f"{r} = scf.if {self.flag} -> ({t}) {{")
            bodies = [[], []]
        for index, extra in enumerate(bodies):
            if index:
                self.emit("} else {")
            self.indent += 1
            inner = list(values) + extra
            self.ops(inner, self.random.randrange(1, 4), depth + 1)
            self.emit(f"scf.yield {self.last(inner, element)} : {t}")
            self.indent -= 1
        self.emit("}")
        values.append((r, element, 2))

    def last(self, values, element):
        """The newest value of a type: so that what was computed is used."""
        return [v for v, e, r in values if e == element and r == 2][-1]

    def scope(self, values, depth):
        device = self.random.choice(["cuda", "cuda", "cpu"])
        dtype = self.random.choice(["f16", "bf16"])
        disabled = self.random.random() < 0.3
        mode = self.random.choice(["", "", " results(propagate)"])
        leaving = self.random.randrange(1, 4)
        outer_flag = self.flag
        # By position: two values can have one name without the scopes.
        size = len(values)
        places = self.random.choices(range(size), k=4) + [size - 1, max(size - 2, 0), 0]
        captured = [values[place] for place in sorted(set(places))]
        if self.mode == "none":
            inner = list(captured)
            # Names are drawn as they are with scopes.
            self.count += len(captured) + 1
        else:
            inner, list_text = [], []
            for value, element, rank in captured:
                argument = self.name()
                inner.append((argument, element, rank))
                list_text.append(f"{argument} = {value} : {tensor(element, rank)}")
            list_text.append(f"{self.name()} = {self.flag} : i1")
            self.flag = f"%v{self.count}"
        start = len(self.lines)
        self.indent += 1
        self.ops(inner, self.random.randrange(1, 7), depth + 1)
        self.indent -= 1
        self.flag = outer_flag
        results = inner[-leaving:]
        text = self.lines[start:]
        del self.lines[start:]
        if self.mode == "none":
            self.lines += text
            values += results
            self.count += 1
            return
        off = " disabled" if disabled or self.mode == "disabled" else ""
        types = ", ".join(tensor(e, r) for _, e, r in results)
        r = self.name()
        self.emit(
            f'{r}:{len(results)} = amp.autocast device("{device}") dtype({dtype}){off}{mode} '
            f"({', '.join(list_text)}) -> ({types}) {{"
        )
        self.lines += text
        self.emit(f"  amp.yield {', '.join(v for v, _, _ in results)} : {types}")
        self.emit("}")
        values += [(f"{r}#{i}", e, rank) for i, (_, e, rank) in enumerate(results)]

    def ops(self, values, count, depth):
        simple = [
            self.matmul, self.matmul, self.matmul, self.unary, self.binary, self.binary,
            self.select, self.cast, self.elementwise_generic, self.elementwise_generic,
            self.reduce, self.broadcast, self.transpose, self.softmax, self.slices,
        ]  # fmt: skip
        nested = [self.branch, self.loop, self.scope, self.scope]
        for _ in range(count):
            if depth < 4 and self.random.random() < 0.25:
                self.random.choice(nested)(values, depth)
            else:
                self.random.choice(simple)(values)

    def program(self):
        elements = [self.random.choice(FLOATS) for _ in range(3)] + ["f32"]
        values = [(f"%a{i}", e, 2) for i, e in enumerate(elements)]
        devices = [self.random.choice([None, None, None, None, "cpu", "cuda"]) for _ in elements]
        arguments = ", ".join(
            f"{v}: {tensor(e)}" + (f' {{amp.device = "{d}"}}' if d else "")
            for (v, e, _), d in zip(values, devices)
        )
        self.scope(values, 0)
        self.ops(values, self.random.randrange(0, 4), 0)
        self.scope(values, 0)
        results = values[-3:]
        types = ", ".join(tensor(e, r) for _, e, r in results)
        head = [
            f"func.func @main({arguments}, %flag: i1) -> ({types}) {{"
        ]
        tail = [f"  return {', '.join(v for v, _, _ in results)} : {types}", "}", ""]
        return "\n".join(head + self.lines + tail)


class Failure(Exception):
    pass


def run(amp_opt, text, *flags):
    done = subprocess.run(
        [amp_opt, "-", *flags], input=text, capture_output=True, text=True, timeout=120
    )
    if done.returncode != 0:
        raise Failure(f"amp-opt {' '.join(flags)}: exit {done.returncode}\n{done.stderr[:3000]}")
    return done.stdout


def expect_equal(what, found, expected):
    if found != expected:
        diff = difflib.unified_diff(expected.splitlines(), found.splitlines(), lineterm="", n=1)
        raise Failure(what + "\n" + "\n".join(list(diff)[:40]))


def check(amp_opt, seed, lower):
    text = Generator(seed, "mixed").program()
    disabled = Generator(seed, "disabled").program()
    plain = Generator(seed, "none").program()

    decided = run(amp_opt, text, "--amp-decide-precision")
    expect_equal(
        "amp-decide-precision is not idempotent",
        run(amp_opt, decided, "--amp-decide-precision"),
        decided,
    )
    result = run(amp_opt, text, "--amp-autocast")
    if "amp.autocast" in result or "amp.decision" in result:
        raise Failure("a scope or a decision is left after amp-autocast")
    expect_equal("two runs differ", run(amp_opt, text, "--amp-autocast"), result)
    expect_equal(
        "amp-autocast changes its own output", run(amp_opt, result, "--amp-autocast"), result
    )
    expect_equal(
        "the program differs although all scopes are disabled",
        run(amp_opt, disabled, "--amp-autocast"),
        run(amp_opt, plain),
    )
    if lower:
        run(amp_opt, text, "--amp-autocast", *lower)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("amp_opt")
    parser.add_argument("--seeds", type=int, default=40, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--lower", default="", help="flags of the lowering, with spaces")
    parser.add_argument("--print", type=int, help="print the program of one seed and stop")
    arguments = parser.parse_args()
    if arguments.print is not None:
        print(Generator(arguments.print, "mixed").program())
        return 0
    failures = 0
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        try:
            check(arguments.amp_opt, seed, arguments.lower.split())
        except (Failure, subprocess.TimeoutExpired) as failure:
            failures += 1
            print(f"seed {seed}: {failure}", flush=True)
    print(f"{arguments.seeds - failures} of {arguments.seeds} programs passed")
    return 1 if failures or arguments.seeds < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
