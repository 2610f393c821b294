"""Programs with scopes, and what eager autocast makes of their element types.

This is the oracle of the stress test. It knows torch's rules, and how values join
where ways meet (a join of formats); it shares nothing with the passes.
"""

# Formats as envelopes: precision, largest exponent, smallest exponent.
FLOATS = {"f16": (11, 15, -14), "bf16": (8, 127, -126), "f32": (24, 127, -126), "f64": (53, 1023, -1022)}


def join(types):
    """The narrowest float that holds all of types; types that are equal stay."""
    types = [kind for kind in types if kind]
    if len(set(types)) < 2:
        return types[0] if types else None
    if not all(kind in FLOATS for kind in types):
        raise ValueError(f"a join of {types}")
    need = [FLOATS[kind] for kind in types]
    for kind, has in FLOATS.items():
        if all(has[0] >= n[0] and has[1] >= n[1] and has[2] <= n[2] for n in need):
            return kind
    raise ValueError(f"no float holds {types}")


def promote(operands, scalar_float=False):
    """torch.result_type of (type, rank): tensors with dimensions, then those without, then scalars."""
    best = None
    for tier in ([k for k, r in operands if r], [k for k, r in operands if not r]):
        if not tier:
            continue
        floats = [k for k in tier if k in FLOATS]
        # Integers are i32 and i64 here: the widest.
        kind = join(floats) if floats else max(tier, key=lambda k: int(k[1:]))
        if best is None or (kind in FLOATS and best not in FLOATS):
            best = kind
    return "f32" if scalar_float and best not in FLOATS else best


# Per op: number of operands, what they may be ("m": matrices of floats; "f":
# floats; "a": floats or integers; "x": as "a", but matrices), the result without
# autocast, and its rank (None: that of the operands).
#   promote: torch's promotion   float: the same, integers become f32
#   sum: the first operand's type, integers become i64   same: the first operand's type
OPS = {
    "aten.mm": (2, "m", "promote", 2),
    "aten.matmul": (2, "m", "promote", 2),
    "aten.linear": (2, "m", "promote", 2),
    "aten.addmm": (3, "m", "promote", 2),
    "aten.exp": (1, "a", "float", None),
    "aten.log": (1, "a", "float", None),
    "aten.rsqrt": (1, "a", "float", None),
    "aten.reciprocal": (1, "f", "float", None),
    "aten.pow.Tensor_Scalar": (1, "a", "float", None),
    "aten.mse_loss": (2, "f", "promote", 0),
    "aten.softmax.int": (1, "m", "same", 2),
    "aten.log_softmax.int": (1, "m", "same", 2),
    "aten.cumsum": (1, "x", "sum", 2),
    "aten.sum": (1, "x", "sum", 0),
    "aten.prod": (1, "x", "sum", 0),
    "aten.norm.Scalar": (1, "m", "same", 0),
    "aten.addcmul": (3, "a", "promote", None),
    "aten.addcdiv": (3, "f", "promote", None),
    "aten.atan2": (2, "a", "float", None),
    "aten.cat": (2, "x", "promote", 2),
    "aten.stack": (2, "x", "promote", 2),
    "aten.add.Tensor": (2, "a", "promote", None),
    "aten.sub.Tensor": (2, "a", "promote", None),
    "aten.mul.Tensor": (2, "a", "promote", None),
    "aten.div.Tensor": (2, "a", "float", None),
    "aten.maximum": (2, "a", "promote", None),
    "aten.relu": (1, "a", "same", None),
    "aten.neg": (1, "a", "same", None),
    "aten.tanh": (1, "a", "float", None),
    "aten.sigmoid": (1, "a", "float", None),
    "aten.gelu": (1, "f", "same", None),
    "aten.mean": (1, "m", "same", 0),
    "aten.t": (1, "x", "same", 2),
    "aten.to.dtype": (1, "a", "same", None),
}
ATTRIBUTES = {
    "aten.softmax.int": "dim = 1 : i64",
    "aten.log_softmax.int": "dim = 1 : i64",
    "aten.cumsum": "dim = 1 : i64",
    "aten.cat": "dim = 0 : i64",
    "aten.stack": "dim = 0 : i64",
    "aten.pow.Tensor_Scalar": "exponent = 2.0 : f64",
    "aten.norm.Scalar": "p = 2 : i64",
}
TAKES_DTYPE = {"aten.softmax.int", "aten.log_softmax.int", "aten.cumsum", "aten.sum"}

LOWER = ["aten.mm", "aten.matmul", "aten.linear", "aten.addmm"]
CUDA = {name: "lower" for name in LOWER}
CUDA.update({f"aten.{n}": "fp32" for n in ("exp", "log", "rsqrt", "reciprocal", "pow.Tensor_Scalar", "mse_loss")})
CUDA.update({f"aten.{n}": "set_dtype" for n in ("softmax.int", "log_softmax.int", "cumsum", "sum", "prod")})
CUDA.update({"aten.norm.Scalar": "append_dtype"})
CUDA.update({f"aten.{n}": "promote" for n in ("addcmul", "addcdiv", "atan2")})
CPU = {name: "lower" for name in LOWER}
CPU.update({"aten.mse_loss": "fp32", "aten.prod": "fp32", "aten.cat": "promote", "aten.stack": "promote"})
POLICIES = {"cuda": CUDA, "xpu": CUDA, "cpu": CPU}


def eligible(kind):
    return kind in FLOATS and kind != "f64"


def result_type(name, operands, dtype, scope):
    """The type of an op's result. operands: (type, rank) each; dtype: the op's own,
    or None; scope: the lower-precision type where autocast is on, as (device,
    type), or None. None if an operand has no type yet."""
    if any(kind is None for kind, _ in operands):
        return None
    policy = POLICIES[scope[0]].get(name) if scope else None
    target = None
    if policy == "lower":
        target = scope[1]
    elif policy == "fp32":
        target = "f32"
    elif policy == "promote" and any(eligible(kind) for kind, _ in operands):
        # In eager a reduced float other than the scope's is an error, or not, by
        # the order of operands; ours is the join.
        target = join([scope[1]] + [kind for kind, _ in operands if eligible(kind)])
    elif policy in ("set_dtype", "append_dtype") and dtype is None and eligible(operands[0][0]):
        dtype = "f32"
    if target:
        operands = [(target if eligible(kind) else kind, rank) for kind, rank in operands]
    if dtype:
        return dtype
    rule = OPS[name][2]
    if rule == "promote":
        return promote(operands)
    if rule == "float":
        return promote(operands, scalar_float=True)
    first = operands[0][0]
    return "i64" if rule == "sum" and first not in FLOATS else first


# ---------------------------------------------------------------------------
# Programs.
# ---------------------------------------------------------------------------


class Value:
    """kind: the type without autocast, or i1 and index. device: as marked, or None."""

    count = 0

    def __init__(self, kind, rank=2, device=None):
        Value.count += 1
        self.name = f"%v{Value.count}"
        self.kind, self.rank, self.device = kind, rank, device

    def type(self):
        if self.kind in ("i1", "index"):
            return self.kind
        return f"tensor<{'8x8x' if self.rank else ''}{self.kind}>"

    def same(self, other):
        return (self.kind, self.rank, self.device) == (other.kind, other.rank, other.device)


class Statement:
    """what: op, call, query, region, pair, loop, repeat (scf.while), branch. ins: operands or initial
    values. bodies: lists of statements, with their arguments and what they yield."""

    def __init__(self, what, **rest):
        self.what = what
        self.ins, self.outs, self.bodies, self.arguments, self.yields = [], [], [], [], []
        self.id = self.name = self.dtype = self.device = self.flag = self.condition = None
        self.enabled, self.results = True, "propagate"
        self.inside = False  # Of a pair that ends with a branch: closed in its arms.
        self.blocks = False  # Of a branch: by cf, where the function's body has blocks.
        self.__dict__.update(rest)


class Function:
    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments
        self.body, self.results = [], []
        self.scope = None  # (device, dtype, enabled) of a decorator.
        self.entry = None  # (device, dtype, state) of outside callers.
        self.root = False
        self.external = False  # A declaration.
        self.shares = False  # One config for all pairs that say the same.


# ---------------------------------------------------------------------------
# The text.
# ---------------------------------------------------------------------------


class Printer:
    def __init__(self):
        self.lines = []
        self.count = 0
        self.configs = {}

    def fresh(self, prefix):
        self.count += 1
        return f"%{prefix}{self.count}"

    def free(self, body, yields, bound):
        """The values that a body uses and does not make, in order."""
        bound = set(bound)
        found = []

        def use(value):
            if value is not None and value not in bound and value not in found:
                found.append(value)

        def walk(statements):
            for s in statements:
                for value in s.ins + [s.condition, s.flag]:
                    use(value)
                for index, inner in enumerate(s.bodies):
                    if s.arguments:
                        bound.update(s.arguments[index])
                    walk(inner)
                    for value in s.yields[index]:
                        use(value)
                bound.update(s.outs)

        walk(body)
        for value in yields:
            use(value)
        return found

    def list(self, values, names):
        return ", ".join(names[v] for v in values)

    def types(self, values):
        return ", ".join(v.type() for v in values)

    def define(self, s, names):
        for value in s.outs:
            names[value] = value.name
        if not s.outs:
            return ""
        if len(s.outs) == 1:
            return f"{s.outs[0].name} = "
        pack = self.fresh("pack")
        for index, value in enumerate(s.outs):
            names[value] = f"{pack}#{index}"
        return f"{pack}:{len(s.outs)} = "

    def emit(self, line):
        self.lines.append(line)

    def terminator(self, name, values, names):
        self.emit(f"{name} {self.list(values, names)} : {self.types(values)}" if values else name)

    def body(self, statements, names):
        for s in statements:
            getattr(self, s.what)(s, names)

    def op(self, s, names):
        attributes = [f'test.id = "{s.id}"', ATTRIBUTES.get(s.name), f"dtype = {s.dtype}" if s.dtype else None]
        text = f'"{s.name}"({self.list(s.ins, names)}) {{{", ".join(filter(None, attributes))}}}'
        self.emit(f"{self.define(s, names)}{text} : ({self.types(s.ins)}) -> {s.outs[0].type()}")

    def call(self, s, names):
        text = f'func.call @{s.name}({self.list(s.ins, names)}) {{test.id = "{s.id}"}}'
        self.emit(f"{self.define(s, names)}{text} : ({self.types(s.ins)}) -> ({self.types(s.outs)})")

    def query(self, s, names):
        on = self.fresh("q")
        self.emit(f'{on} = amp.is_enabled device("{s.device}")')
        self.emit(f'"test.query"({on}) {{test.id = "{s.id}"}} : (i1) -> ()')
        if s.bodies:
            has_blocks, self.has_blocks = self.has_blocks, False
            self.emit(f"scf.if {on} {{")
            self.body(s.bodies[0], dict(names))
            self.emit("} else {")
            self.body(s.bodies[1], dict(names))
            self.emit("}")
            self.has_blocks = has_blocks

    def how(self, s, names):
        flag = f" if {names[s.flag]}" if s.flag else ""
        return f'device("{s.device}") dtype({s.dtype}){"" if s.enabled else " disabled"}{flag}'

    def pair(self, s, names):
        token = self.fresh("t")
        config = self.configs.get(self.how(s, names))
        if not config:
            config = self.fresh("c")
            self.emit(f"{config} = amp.config {self.how(s, names)}")
        self.emit(f"{token} = amp.enter {config}")
        last = s.bodies[0][-1] if s.bodies[0] else None
        if s.inside and last and last.what == "branch":
            self.body(s.bodies[0][:-1], names)
            self.branch(last, names, f"amp.exit {token}")
            return
        self.body(s.bodies[0], names)
        self.emit(f"amp.exit {token}")

    def region(self, s, names):
        captured = self.free(s.bodies[0], s.yields[0], [])
        inner = {value: self.fresh("x") for value in captured}
        captures = ", ".join(f"{inner[v]} = {names[v]} : {v.type()}" for v in captured)
        mode = " results(propagate)" if s.results == "propagate" else ""
        how = self.how(s, names)
        head = self.define(s, names)
        arrow = f" -> ({self.types(s.outs)})" if s.outs else ""
        self.emit(f"{head}amp.autocast {how}{mode} ({captures}){arrow} {{")
        # A region takes no configs from outside.
        configs, self.configs = self.configs, {}
        has_blocks, self.has_blocks = self.has_blocks, False
        self.body(s.bodies[0], inner)
        self.configs, self.has_blocks = configs, has_blocks
        self.terminator("amp.yield", s.yields[0], inner)
        self.emit("}")

    def block(self, s, index, names, terminator):
        inner = dict(names)
        has_blocks, self.has_blocks = self.has_blocks, False
        if s.arguments:
            inner.update({value: value.name for value in s.arguments[index]})
        self.body(s.bodies[index], inner)
        self.has_blocks = has_blocks
        terminator(inner)

    def branch(self, s, names, end=None):
        def close(index, inner):
            if end:
                self.emit(end)
            self.terminator("scf.yield", s.yields[index], inner)

        if s.blocks and self.has_blocks:
            self.diamond(s, names, end)
            return
        arrow = f" -> ({self.types(s.outs)})" if s.outs else ""
        condition = names[s.condition]
        outer = dict(names)
        self.emit(f"{self.define(s, names)}scf.if {condition}{arrow} {{")
        self.block(s, 0, outer, lambda inner: close(0, inner))
        self.emit("} else {")
        self.block(s, 1, outer, lambda inner: close(1, inner))
        self.emit("}")

    def diamond(self, s, names, end):
        (*arms, join), outer = ["^" + self.fresh("b")[1:] for _ in range(3)], dict(names)
        self.emit(f"cf.cond_br {names[s.condition]}, {arms[0]}, {arms[1]}")
        for index, arm in enumerate(arms):
            inner = dict(outer)
            self.emit(f"{arm}:")
            self.body(s.bodies[index], inner)
            if end:
                self.emit(end)
            values = s.yields[index]
            passed = f"({self.list(values, inner)} : {self.types(values)})" if values else ""
            self.emit(f"cf.br {join}{passed}")
        for value in s.outs:
            names[value] = value.name
        given = f"({', '.join(f'{v.name}: {v.type()}' for v in s.outs)})" if s.outs else ""
        self.emit(f"{join}{given}:")

    def loop(self, s, names):
        n, outer = names[s.condition], dict(names)
        init = ", ".join(f"{a.name} = {names[v]}" for a, v in zip(s.arguments[0], s.ins))
        carried = f" iter_args({init}) -> ({self.types(s.outs)})" if s.ins else ""
        self.emit(f"{self.define(s, names)}scf.for {self.fresh('i')} = {n} to {n} step {n}{carried} {{")
        self.block(s, 0, outer, lambda inner: self.terminator("scf.yield", s.yields[0], inner))
        self.emit("}")

    def repeat(self, s, names):
        outer, condition = dict(names), names[s.condition]
        init = ", ".join(f"{a.name} = {names[v]}" for a, v in zip(s.arguments[0], s.ins))
        self.emit(f"{self.define(s, names)}scf.while ({init}) : ({self.types(s.ins)}) -> ({self.types(s.outs)}) {{")
        self.block(s, 0, outer, lambda inner: self.terminator(f"scf.condition({condition})", s.yields[0], inner))
        self.emit("} do {")
        self.emit(f"^bb0({', '.join(f'{a.name}: {a.type()}' for a in s.arguments[1])}):")
        self.block(s, 1, outer, lambda inner: self.terminator("scf.yield", s.yields[1], inner))
        self.emit("}")

    def share(self, statements, names):
        """One config for each that pairs outside of regions enter, at the start."""
        for s in statements:
            if s.what == "pair" and self.how(s, names) not in self.configs:
                self.configs[self.how(s, names)] = config = self.fresh("c")
                self.emit(f"{config} = amp.config {self.how(s, names)}")
            if s.what != "region":
                for inner in s.bodies:
                    self.share(inner, names)

    def function(self, f):
        names = {value: value.name for value in f.arguments}
        mark = lambda v: f' {{amp.device = "{v.device}"}}' if v.device else ""
        arguments = ", ".join(f"{v.name}: {v.type()}{mark(v)}" for v in f.arguments)
        attributes = []
        if f.scope:
            device, dtype, enabled = f.scope
            off = "" if enabled else ", enabled = false"
            attributes.append(f'amp.autocast = #amp.scope<device = "{device}", dtype = {dtype}{off}>, no_inline')
        if f.entry:
            device, dtype, state = f.entry
            attributes.append(f'amp.entry = #amp.entry<device = "{device}", dtype = {dtype}, state = {state}>')
        attributes = f" attributes {{{', '.join(attributes)}}}" if attributes else ""
        private = "" if f.root else "private "
        self.configs = {}
        if f.external:
            self.emit(f"func.func private @{f.name}({self.types(f.arguments)}) -> ({self.types(f.shape)})")
            return
        self.emit(f"func.func {private}@{f.name}({arguments}) -> ({self.types(f.results)}){attributes} {{")
        self.has_blocks = True
        if f.shares:
            self.share(f.body, names)
        self.body(f.body, names)
        self.terminator("return", f.results, names)
        self.emit("}")


def text(functions):
    printer = Printer()
    for function in functions:
        printer.function(function)
    return "\n".join(printer.lines) + "\n"


# ---------------------------------------------------------------------------
# The interpreter.
# ---------------------------------------------------------------------------


class Interpreter:
    """Runs a program on types, to a fixpoint over loops and calls.

    A state is a tuple of (device, type or None where off), the innermost scope
    last. callee(copy, id, context) says which copy of a function a call calls: a
    copy's arguments join over all its callers, whatever their state, while its
    ops must come out alike in each of them.
    """

    def __init__(self, functions, callee):
        self.functions = {f.name: f for f in functions}
        self.callee = callee
        self.nodes = {}  # (copy, function, state) in order of arrival
        self.parameters, self.returned = {}, {}
        self.found = None  # (copy, state) -> {(id, context): type}

    def run(self):
        for f in self.functions.values():
            if f.root:
                self.enter(f.name, f.name, (), [v.kind for v in f.arguments])
        while True:
            before = (len(self.nodes), dict(self.parameters), dict(self.returned))
            self.found = {}
            for node in list(self.nodes):
                self.node(*node)
            if before == (len(self.nodes), self.parameters, self.returned):
                return self.found

    def enter(self, copy, name, state, types):
        self.nodes.setdefault((copy, name, state), None)
        old = self.parameters.get(copy, (None,) * len(types))
        self.parameters[copy] = tuple(join([a, b]) for a, b in zip(old, types))

    @staticmethod
    def scoped(state, device, dtype, enabled):
        return tuple(s for s in state if s[0] != device) + ((device, dtype if enabled else None),)

    def node(self, copy, name, state):
        f = self.functions[name]
        self.copy, self.record = copy, self.found.setdefault((copy, state), {})
        inside, contexts = state, [{}]
        if f.entry:
            device, dtype, kind = f.entry
            if kind == "unknown":
                contexts = [{len(f.arguments): True}, {len(f.arguments): False}]
            else:
                inside = self.scoped(inside, device, dtype, kind == "on")
        self.flags = {value: index for index, value in enumerate(f.arguments)}
        results = [None] * len(f.results)
        for context in contexts:
            here = inside
            for on in context.values():
                here = self.scoped(here, f.entry[0], f.entry[1], on)
            if f.scope:
                here = self.scoped(here, *f.scope)
            types = dict(zip(f.arguments, self.parameters[copy]))
            self.body(f.body, types, here, context)
            results = [join([r, types[v]]) for r, v in zip(results, f.results)]
        old = self.returned.get(copy, results)
        self.returned[copy] = [join([a, b]) for a, b in zip(old, results)]

    def body(self, statements, types, state, context):
        for s in statements:
            getattr(self, s.what)(s, types, state, context)

    def note(self, s, what, context):
        self.record[s.id, tuple(sorted(context.items()))] = what

    def op(self, s, types, state, context):
        device = next((v.device for v in s.ins if v.device), None)
        # A value of no known device is on that of the innermost scope.
        scope = next((x for x in reversed(state) if device in (None, x[0])), None)
        operands = [(types[v], v.rank) for v in s.ins]
        kind = result_type(s.name, operands, s.dtype, scope if scope and scope[1] else None)
        types[s.outs[0]] = kind
        self.note(s, kind, context)

    def call(self, s, types, state, context):
        if self.functions[s.name].external:
            # Casts at the border: a declaration gives what it says.
            types.update((value, value.kind) for value in s.outs)
            return
        copy = self.callee(self.copy, s, context)
        self.enter(copy, s.name, state, [types[v] for v in s.ins])
        for value, kind in zip(s.outs, self.returned.get(copy, [None] * len(s.outs))):
            types[value] = kind

    def query(self, s, types, state, context):
        on = any(device == s.device and dtype for device, dtype in state)
        self.note(s, on, context)
        if s.bodies:
            self.body(s.bodies[0 if on else 1], dict(types), state, context)

    def versions(self, s, state, context):
        if not s.flag:
            return [(self.scoped(state, s.device, s.dtype, s.enabled), context)]
        index = self.flags[s.flag]
        values = [context[index]] if index in context else [True, False]
        return [(self.scoped(state, s.device, s.dtype, on), {**context, index: on}) for on in values]

    def pair(self, s, types, state, context):
        versions = []
        for inner, where in self.versions(s, state, context):
            versions.append(dict(types))
            self.body(s.bodies[0], versions[-1], inner, where)
        for value in versions[0]:
            types[value] = join([version[value] for version in versions])

    def region(self, s, types, state, context):
        out = [None] * len(s.outs)
        for inner, where in self.versions(s, state, context):
            inside = dict(types)
            self.body(s.bodies[0], inside, inner, where)
            out = [join([o, inside[v]]) for o, v in zip(out, s.yields[0])]
        for value, kind in zip(s.outs, out):
            types[value] = value.kind if s.results == "preserve" else kind

    def branch(self, s, types, state, context):
        arms = [dict(types), dict(types)]
        for body, arm in zip(s.bodies, arms):
            self.body(body, arm, state, context)
        for value, a, b in zip(s.outs, *s.yields):
            types[value] = join([arms[0][a], arms[1][b]])

    def loop(self, s, types, state, context):
        carried = [types[v] for v in s.ins]
        while True:
            inside = dict(types)
            inside.update(zip(s.arguments[0], carried))
            self.body(s.bodies[0], inside, state, context)
            after = [join([c, inside[v]]) for c, v in zip(carried, s.yields[0])]
            if after == carried:
                break
            carried = after
        types.update(zip(s.outs, carried))

    def repeat(self, s, types, state, context):
        carried = [types[v] for v in s.ins]
        while True:
            inside = dict(types)
            inside.update(zip(s.arguments[0], carried))
            self.body(s.bodies[0], inside, state, context)
            passed = [inside[v] for v in s.yields[0]]
            inside = dict(types)
            inside.update(zip(s.arguments[1], passed))
            self.body(s.bodies[1], inside, state, context)
            after = [join([c, inside[v]]) for c, v in zip(carried, s.yields[1])]
            if after == carried:
                break
            carried = after
        types.update(zip(s.outs, passed))
