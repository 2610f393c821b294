# Random programs with scopes: what the passes make of every op's element type,
# against an interpreter of the eager rules (eager.py), which knows nothing of the
# passes.
#
# RUN: %python %s --amp-opt amp-opt --output %t --programs %{stress_programs}
"""Random programs with scopes against an interpreter of the eager rules.

usage: scopes.py [--amp-opt PATH] [--output FOLDER] [--programs N] [--first SEED] [--with CLASSES]
"""

import argparse
import copy
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import eager
from eager import Function, Statement, Value

STAGES = [
    "--amp-structurize-scopes",
    "--amp-version-scopes",
    "--amp-specialize-scopes",
    "--amp-decide-precision",
    "--amp-apply-precision",
    "--amp-promote-types",
    "--amp-resolve-promotions",
]
# A class of programs that cannot pass is named here, with the reason, and made only
# where --with names it; there is none today.
GAPS = {}


def reached(program):
    """The functions that run: what others pass to their callees says nothing."""
    names, work = set(), [f for f in program if f.root]
    while work:
        f = work.pop()
        if f.name not in names:
            names.add(f.name)
            called = {s.name for body in bodies([f]) for s in body if s.what == "call"}
            work += [g for g in program if g.name in called]
    return [f for f in program if f.name in names]


class Generator:
    def __init__(self, seed, classes):
        self.random = random.Random(seed)
        self.prefix = f"p{seed}"
        self.classes = classes
        self.count = 0

    def chance(self, p):
        return self.random.random() < p

    def program(self):
        r = self.random
        # Programs whose values have a device, and programs whose values are where the scopes are.
        self.marks = ["cuda", "cpu"] if self.chance(0.4) else [None]
        self.shells = []
        for index in range(r.choice([1, 1, 2, 3, 4])):
            root = index == 0 or (index == 1 and self.chance(0.2))
            tensors = []
            for device in self.marks:
                for _ in range(r.choice([2, 2, 3])):
                    tensors.append(Value(r.choice(["f32"] * 5 + ["f16", "bf16"]), 2, device))
                if self.chance(0.2):
                    tensors.append(Value(r.choice(["f64", "i32", "i64"]), 2, device))
            arguments = tensors + [Value("i1") for _ in range(4)] + [Value("index")]
            f = Function(f"{self.prefix}_f{index}", arguments)
            f.root = root
            if self.chance(0.2):
                f.scope = (r.choice(["cuda", "cuda", "cpu"]), r.choice(["f16", "bf16"]), self.chance(0.6))
            elif root and self.chance(0.25):
                f.entry = (r.choice(["cuda", "cuda", "cpu"]), r.choice(["f16", "bf16"]), r.choice(["on", "on", "unknown", "off"]))
            # What comes back has the types of some arguments.
            f.external = not root and self.chance(0.15)
            f.shares = self.chance(0.5)
            if f.external:
                f.scope = None
            # What nobody knows the body of gives values on the device that wins.
            given = [v for v in tensors if v.device == self.marks[0]] if f.external else tensors
            f.shape = [r.choice(given) for _ in range(r.choice([1, 1, 2]))]
            self.shells.append(f)
        for f in self.shells:
            if f.external:
                continue
            self.function = f
            self.flags, self.conditions = f.arguments[-5:-3], f.arguments[-3:-1]
            self.n = f.arguments[-1]
            self.budget = r.randint(4, 14)
            visible = [v for v in f.arguments if v.rank and v.kind not in ("i1", "index")]
            f.body = self.statements(visible, 0, True)
            f.results = [self.like(v, visible, f.body) for v in f.shape]
        return reached(self.shells)

    def id(self):
        self.count += 1
        return f"{self.prefix}.{self.count}"

    def like(self, wanted, visible, body):
        """A value of wanted's type: the newest, any, or one that is cast."""
        fit = [v for v in visible if v.same(wanted)]
        if fit and self.chance(0.9):
            return fit[-1] if self.chance(0.6) else self.random.choice(fit)
        source = [v for v in visible if v.rank == wanted.rank and v.device == wanted.device]
        out = Value(wanted.kind, wanted.rank, wanted.device)
        body.append(
            Statement("op", name="aten.to.dtype", ins=[self.random.choice(source)], outs=[out], dtype=wanted.kind, id=self.id())
        )
        visible.append(out)
        return out

    def statements(self, visible, depth, calls):
        body = []
        for _ in range(self.random.randint(1, 5 if depth == 0 else 3)):
            self.statement(visible, body, depth, calls)
        return body

    def statement(self, visible, body, depth, calls):
        self.budget -= 1
        kinds = ["op"] * 5
        if depth < 4 and self.budget > 0:
            kinds += ["region"] * 3 + ["pair"] * 2 + ["branch", "loop", "repeat", "query"]
        if calls:
            kinds += ["call"]
        getattr(self, self.random.choice(kinds))(visible, body, depth, calls)

    def pick(self, visible, device, want):
        fit = [v for v in visible if v.device == device]
        if want in "mx":
            fit = [v for v in fit if v.rank == 2]
        if want in "mf":
            fit = [v for v in fit if v.kind in eager.FLOATS]
        # Newer values more often.
        return self.random.choice(fit[-3:] if self.chance(0.6) else fit) if fit else None

    def op(self, visible, body, depth, calls):
        name = self.random.choice(list(eager.OPS))
        count, want, _, rank = eager.OPS[name]
        device = self.random.choice(self.marks)
        ins = [self.pick(visible, device, want) for _ in range(count)]
        if None in ins:
            return
        dtype = None
        if name == "aten.to.dtype" or (name in eager.TAKES_DTYPE and self.chance(0.15)):
            dtype = self.random.choice(["f16", "bf16", "f32", "f32"])
        kind = eager.result_type(name, [(v.kind, v.rank) for v in ins], dtype, None)
        out = Value(kind, max(v.rank for v in ins) if rank is None else rank, device)
        body.append(Statement("op", name=name, ins=ins, outs=[out], dtype=dtype, id=self.id()))
        visible.append(out)

    def scope(self, what):
        r = self.random
        device = r.choice(["cuda", "cuda", "cuda", "cpu", "xpu"])
        s = Statement(what, device=device, dtype=r.choice(["f16", "bf16"]))
        kind = r.choice(["on", "on", "on", "off", "flag"])
        s.enabled = kind != "off"
        s.flag = r.choice(self.flags) if kind == "flag" else None
        return s

    def region(self, visible, body, depth, calls):
        s = self.scope("region")
        s.results = self.random.choice(["propagate", "propagate", "preserve"])
        inner = list(visible)
        s.bodies = [self.statements(inner, depth + 1, calls)]
        new = inner[len(visible):] or inner
        s.yields = [[self.random.choice(new) for _ in range(self.random.choice([0, 1, 1, 2]))]]
        s.outs = [Value(v.kind, v.rank, v.device) for v in s.yields[0]]
        body.append(s)
        visible += s.outs

    def pair(self, visible, body, depth, calls):
        s = self.scope("pair")
        s.bodies, s.yields = [self.statements(visible, depth + 1, calls)], [[]]
        s.inside = self.chance(0.5)
        body.append(s)

    def branch(self, visible, body, depth, calls):
        s = Statement("branch", condition=self.random.choice(self.conditions))
        arms = [list(visible), list(visible)]
        s.bodies = [self.statements(arm, depth + 1, calls) for arm in arms]
        wanted = [self.random.choice(arms[0]) for _ in range(self.random.choice([0, 1, 2]))]
        s.yields = [wanted, [self.like(v, arms[1], s.bodies[1]) for v in wanted]] if self.fits(wanted, arms[1]) else [[], []]
        s.outs = [Value(v.kind, v.rank, v.device) for v in s.yields[0]]
        s.blocks = self.chance(0.5)
        body.append(s)
        visible += s.outs

    @staticmethod
    def fits(wanted, visible):
        return all(any(v.rank == w.rank and v.device == w.device for v in visible) for w in wanted)

    def carried(self, visible):
        return [self.random.choice(visible) for _ in range(self.random.choice([1, 1, 2, 3]))]

    def loop(self, visible, body, depth, calls):
        s = Statement("loop", condition=self.n)
        s.ins = self.carried(visible)
        s.arguments = [[Value(v.kind, v.rank, v.device) for v in s.ins]]
        inner = list(visible) + s.arguments[0]
        s.bodies = [self.statements(inner, depth + 1, calls)]
        s.yields = [[self.like(v, inner, s.bodies[0]) for v in s.ins]]
        s.outs = [Value(v.kind, v.rank, v.device) for v in s.ins]
        body.append(s)
        visible += s.outs

    def repeat(self, visible, body, depth, calls):
        s = Statement("repeat", condition=self.random.choice(self.conditions))
        s.ins = self.carried(visible)
        first = [Value(v.kind, v.rank, v.device) for v in s.ins]
        inner = list(visible) + first
        before = self.statements(inner, depth + 1, calls)
        passed = self.carried(inner)
        second = [Value(v.kind, v.rank, v.device) for v in passed]
        inner = list(visible) + second
        after = self.statements(inner, depth + 1, calls)
        back = [self.like(v, inner, after) for v in s.ins]
        s.arguments, s.bodies, s.yields = [first, second], [before, after], [passed, back]
        s.outs = [Value(v.kind, v.rank, v.device) for v in passed]
        body.append(s)
        visible += s.outs

    def query(self, visible, body, depth, calls):
        s = Statement("query", device=self.random.choice(["cuda", "cpu"]), id=self.id())
        if self.chance(0.4):
            s.bodies = [self.statements(list(visible), depth + 1, False) for _ in range(2)]
            s.yields = [[], []]
        body.append(s)

    def call(self, visible, body, depth, calls):
        callees = [f for f in self.shells if not f.root]
        if not callees:
            return
        f = self.random.choice(callees)
        # What calls back does so on one way only.
        back = not self.function.root and f.name <= self.function.name
        arms = [list(visible), list(visible)] if back else [visible]
        bodies = [[], []] if back else [body]
        flags = {}
        for v in f.arguments:
            if v.kind == "i1":
                flags[v] = self.random.choice(self.flags + self.conditions)
            elif v.kind == "index":
                flags[v] = self.n
        ins = [flags.get(v) or self.like(v, arms[0], bodies[0]) for v in f.arguments]
        outs = [Value(v.kind, v.rank, v.device) for v in f.shape]
        bodies[0].append(Statement("call", name=f.name, ins=ins, outs=outs, id=self.id()))
        if not back:
            visible += outs
            return
        s = Statement("branch", condition=self.random.choice(self.conditions), bodies=bodies)
        s.yields = [outs, [self.like(v, arms[1], bodies[1]) for v in outs]]
        s.outs = [Value(v.kind, v.rank, v.device) for v in outs]
        body.append(s)
        visible += s.outs


# ---------------------------------------------------------------------------
# What the passes make of a program.
# ---------------------------------------------------------------------------

FUNCTION = re.compile(r"func\.func (?:private )?@(p\d+_f\d+)(\w*)\(")
IF = re.compile(r"scf\.if (%\S+)")
OP = re.compile(r'"aten\.[^"]*"\(.*test\.id = "(p\d+\.\d+)".* -> tensor<(?:8x8x)?(\w+)>$')
CALL = re.compile(r'call @(\w+)\(.*test\.id = "(p\d+\.\d+)"')
QUERY = re.compile(r'"test\.query"\((%\w+)\).*test\.id = "(p\d+\.\d+)"')
ARGUMENT = re.compile(r"%arg(\d+)$")


def read(lines):
    """copy -> id -> list of (context, what): of an op its type, of a call the callee, of
    a query the value. A context: the arguments that scf.if has asked."""
    copies, here, stack = {}, None, []
    for line in lines:
        line = line.strip()
        function = FUNCTION.search(line)
        if function:
            here, stack = copies.setdefault(function[1] + function[2], {}), []
            continue
        if line.startswith("}"):
            closed = stack.pop() if stack else None
            if line.startswith("} else {"):
                stack.append(closed and (closed[0], not closed[1]))
                continue
        if line.endswith("{"):
            asked = IF.search(line)
            argument = asked and ARGUMENT.match(asked[1])
            stack.append((int(argument[1]), True) if argument else None)
            continue
        for pattern, key, what in ((OP, 1, 2), (CALL, 2, 1), (QUERY, 2, 1)):
            match = pattern.search(line)
            if match:
                context = [c for c in stack if c]
                here.setdefault(match[key], []).append((context, match[what]))
    return copies


def agree(found, context):
    return all(context.get(index, value) == value for index, value in found)


class Disagreement(Exception):
    pass


def compare(program, copies):
    def callee(copy, s, context):
        names = {name for where, name in copies.get(copy, {}).get(s.id, []) if agree(where, context)}
        if len(names) != 1:
            raise Disagreement(f"in @{copy}, call {s.id} under {context} calls {sorted(names) or 'nothing'}")
        name = names.pop()
        if name not in copies:
            raise Disagreement(f"in @{copy}, call {s.id} calls @{name}, which is not there")
        if not re.fullmatch(s.name + r"(_\w*)?", name):
            raise Disagreement(f"in @{copy}, call {s.id} of @{s.name} calls @{name}")
        return name

    checked = 0
    for (copy, state), expected in eager.Interpreter(program, callee).run().items():
        for (id, context), want in expected.items():
            context = dict(context)
            got = set()
            for where, what in copies[copy].get(id, []):
                if agree(where, context):
                    if isinstance(want, bool):
                        argument = ARGUMENT.match(what)
                        what = context.get(int(argument[1])) if argument else {"t": True, "f": False}.get(what[1])
                    got.add(what)
            checked += 1
            if got != {want}:
                raise Disagreement(
                    f"in @{copy}, entered in state {state}, {id} with flags {context} gives {sorted(map(str, got)) or 'nothing'}, but in eager {want}"
                )
    return checked


def run(options, source, passes):
    command = [options.amp_opt, "-", "--allow-unregistered-dialect", "--mlir-print-op-generic=false"] + passes
    return subprocess.run(command, input=source, capture_output=True, text=True)


def split(output):
    """The text of each program's functions."""
    parts, here = {}, None
    for line in output.splitlines():
        function = FUNCTION.search(line)
        if function:
            here = parts.setdefault(function[1].split("_")[0], [])
        if here is not None:
            here.append(line)
    return parts


def check(options, programs, once=False):
    """programs: seed -> functions. Returns the number of checks, and seed -> why it is wrong."""
    source = "".join(eager.text(program) for program in programs.values())
    done = run(options, source, ["--verify-each"] + STAGES)
    reruns, failed = [], done if done.returncode else None
    if not failed and not once:
        reruns.append(("a second run", run(options, done.stdout, ["--verify-each"] + STAGES)))
        if options.twice:
            twice = ["--verify-each"] + [p for stage in STAGES for p in (stage, stage)]
            reruns.append(("running each stage twice", run(options, source, twice)))
        failed = next((d for _, d in reruns if d.returncode), None)
    if failed:
        if len(programs) == 1:
            return 0, {seed: f"amp-opt fails ({failed.returncode}):\n{failed.stderr[:1500]}" for seed in programs}
        seeds = list(programs)
        halves = [seeds[: len(seeds) // 2], seeds[len(seeds) // 2 :]]
        both = [check(options, {seed: programs[seed] for seed in half}) for half in halves]
        return both[0][0] + both[1][0], {**both[0][1], **both[1][1]}
    wrong, checked = {}, 0
    first = split(done.stdout)
    others = [(split(rerun.stdout), what) for what, rerun in reruns]
    for seed, program in programs.items():
        lines = first.get(f"p{seed}", [])
        try:
            checked += compare(program, read(lines))
            for other, what in others:
                if other.get(f"p{seed}", []) != lines:
                    raise Disagreement(f"{what} of the pipeline changes the program")
        except Disagreement as error:
            wrong[seed] = str(error)
    return checked, wrong


# ---------------------------------------------------------------------------
# A failing program, made smaller.
# ---------------------------------------------------------------------------


def bodies(program):
    def walk(body):
        yield body
        for s in body:
            for inner in s.bodies:
                yield from walk(inner)

    for f in program:
        yield from walk(f.body)


def replace(program, old, new):
    for f in program:
        f.results = [new if v is old else v for v in f.results]
    for body in bodies(program):
        for s in body:
            s.ins = [new if v is old else v for v in s.ins]
            s.yields = [[new if v is old else v for v in y] for y in s.yields]


def smaller(program):
    """Programs that lack a statement, with what it gave taken from an argument."""
    for index, f in enumerate(program):
        called = any(s.what == "call" and s.name == f.name for body in bodies(program) for s in body)
        if not called and (not f.root or sum(g.root for g in program) > 1):
            yield copy.deepcopy(program[:index] + program[index + 1 :])
    total = sum(len(body) for body in bodies(program))
    for index in reversed(range(total)):
        for flatten in (False, True):
            clone = copy.deepcopy(program)
            at = index
            for body in bodies(clone):
                if at < len(body):
                    break
                at -= len(body)
            s = body.pop(at)
            if flatten:
                if s.what not in ("pair", "region"):
                    continue
                body[at:at] = s.bodies[0]
                for old, new in zip(s.outs, s.yields[0]):
                    replace(clone, old, new)
                yield clone
                continue
            gone = s.outs + ([v for b in inside(s) for x in b for v in x.outs] if s.what == "pair" else [])
            owner = next(f for f in clone if any(b is body for b in bodies([f])))
            for value in gone:
                fit = next((a for a in owner.arguments if a.same(value)), None)
                if fit is not None:
                    replace(clone, value, fit)
            yield clone
    for index, f in enumerate(program):
        for name in ("scope", "entry"):
            if getattr(f, name):
                clone = copy.deepcopy(program)
                setattr(clone[index], name, None)
                yield clone


def inside(s):
    for body in s.bodies:
        yield body
        for inner in body:
            if inner.what == "pair":
                yield from inside(inner)


def kind_of(why):
    if "amp-opt fails" in why:
        line = next((l for l in why.splitlines() if "error:" in l), why.splitlines()[-1])
        return re.sub(r"\S*\d\S*", "", line)
    return "changes" if "changes" in why else "type" if " gives " in why else "call"


def minimise(options, seed, program, why):
    wanted, tries = kind_of(why), 0
    again = True
    while again and tries < options.tries:
        again = False
        for candidate in smaller(program):
            tries += 1
            if tries > options.tries:
                break
            try:
                candidate = reached(candidate)
                _, wrong = check(options, {seed: candidate}, once=wanted in ("type", "call"))
            except (KeyError, ValueError):
                continue
            if wrong and kind_of(wrong[seed]) == wanted:
                program, why, again = candidate, wrong[seed], True
                break
    return program, why


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--amp-opt", default="amp-opt")
    parser.add_argument("--output", default=".")
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--pack", type=int, default=250, help="programs in one module")
    parser.add_argument("--tries", type=int, default=300, help="programs tried to make a failing one smaller")
    parser.add_argument("--shown", type=int, default=3, help="failing programs that are made smaller and shown")
    parser.add_argument("--twice", action="store_true", help="also run each stage twice in a row")
    parser.add_argument("--with", dest="classes", default="", help=f"classes that are left out: {', '.join(GAPS)}")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    classes = set(filter(None, options.classes.split(",")))
    checked, wrong = 0, {}
    make = lambda seed: Generator(seed, classes).program()
    for start in range(options.first, options.first + options.programs, options.pack):
        seeds = range(start, min(start + options.pack, options.first + options.programs))
        more, bad = check(options, {seed: make(seed) for seed in seeds})
        checked += more
        wrong.update(bad)
    for seed, why in list(wrong.items())[: options.shown]:
        program, why = minimise(options, seed, make(seed), why)
        path = os.path.join(options.output, f"seed-{seed}.mlir")
        with open(path, "w") as file:
            file.write(eager.text(program))
        print(f"seed {seed}: {why}\n{path}:\n{eager.text(program)}")
    for seed in list(wrong)[options.shown :]:
        print(f"seed {seed}: {wrong[seed].splitlines()[0]}")
    print(f"{checked} types in {options.programs} programs, {len(wrong)} programs wrong")
    sys.exit(1 if wrong or not checked else 0)


if __name__ == "__main__":
    main()
