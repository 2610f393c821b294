"""Memory-bound programs of the GPU benchmarks: row reductions, maps, casts, transposes.

A name is `<op>-<rows>x<columns>-<from>-<to>`: the element types of the input and of
the result. All compute in f32, whatever they store, as torch does in its own kernels.
"""
from dataclasses import dataclass

from builder import WIDTHS, Builder, Operand, gelu, layer_norm, softmax


def rms_norm(b, x, gamma):
    count, eps = b.constant(float(b.sizes["c"])), b.constant("1.0e-5")
    square = b.map([x], ["{v}y = arith.mulf {0}, {0} : f32", "{v}y"])
    root = b.map([b.reduce(square, "arith.addf", "0.0", "c")], [
        f"{{v}}m = arith.divf {{0}}, {count} : f32", f"{{v}}e = arith.addf {{v}}m, {eps} : f32", "{v}y = math.rsqrt {v}e : f32", "{v}y"])
    return b.map([x, root, gamma], ["{v}n = arith.mulf {0}, {1} : f32", "{v}y = arith.mulf {v}n, {2} : f32", "{v}y"])


#: Name: (function of the input in f32, arguments along the columns, torch's expression of x, gamma, beta).
OPS = {
    "softmax": (softmax, (), "torch.softmax(x, -1)"),
    "layer_norm": (lambda b, x, g, h: layer_norm(b, x, "c", g, h), ("gamma", "beta"), "F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5)"),
    "rms_norm": (rms_norm, ("gamma",), "F.rms_norm(x, x.shape[-1:], gamma, 1e-5)"),
    "bias_gelu": (lambda b, x, h: gelu(b, [x, h]), ("beta",), "F.gelu(x + beta)"),
    "cast": (lambda b, x: x, (), "x"),
    "row_sum": (lambda b, x: b.reduce(x, "arith.addf", "0.0", "c"), (), "torch.sum(x, -1, dtype=torch.float32)"),
    "transpose": (None, (), "x.t().contiguous()"),
}
TORCH = {"f32": "torch.float32", "f16": "torch.float16", "bf16": "torch.bfloat16"}
#: What is asked of 16384 x 4096: our rate over that of a copy, and torch's time over ours.
GOAL_ROWS, OF_COPY, RATIO = 16384, {"transpose": 0.80}, {"cast": 0.98}


@dataclass(frozen=True)
class Rows:
    op: str
    rows: int
    cols: int
    source: str
    target: str

    suite = "rows"
    options = ()
    flops = 0
    against_copy = True

    @property
    def name(self):
        return f"{self.op}-{self.rows}x{self.cols}-{self.source}-{self.target}"

    @property
    def operands(self):
        columns = OPS[self.op][1]
        return [Operand("x", (self.rows, self.cols), self.source)] + [Operand(n, (self.cols,), "f32") for n in columns]

    @property
    def result(self):
        shape = {"row_sum": (self.rows,), "transpose": (self.cols, self.rows)}.get(self.op, (self.rows, self.cols))
        return Operand("y", shape, self.target)

    @property
    def bytes(self):
        """Bytes that have to move: the input read once, the result written once."""
        return self.rows * self.cols * WIDTHS[self.source] + self.result.bytes

    @property
    def bound(self):
        """Of |result - exact| over |exact| + a hundredth of the largest."""
        return 4 * {"f32": 2e-5, "f16": 2e-3, "bf16": 1.6e-2}[self.target]

    @property
    def goals(self):
        if self.rows != GOAL_ROWS:
            return {}
        ratio = RATIO.get(self.op, 1.0)
        return {"copy": OF_COPY.get(self.op, 0.90), "eager": ratio, "compiled": ratio}

    @property
    def mlir(self):
        b = Builder(self.operands, r=self.rows, c=self.cols)
        x = b.operand("x", "rc")
        function, columns, _ = OPS[self.op]
        if function is None:
            return b.function(b.map([x], ["{0}"], self.target, "cr"))
        return b.function(b.cast(function(b, b.cast(x, "f32"), *(b.operand(n, "c") for n in columns)), self.target))

    @property
    def exact(self):
        """torch's expression, of operands in f64."""
        return OPS[self.op][2].replace(", dtype=torch.float32", "")

    @property
    def peer_elements(self):
        """Types of operands in which torch's kernels want them."""
        return {name: self.source for name in OPS[self.op][1]}

    @property
    def contestants(self):
        text = OPS[self.op][2]
        own = "f32" if self.op == "row_sum" else self.source
        eager = text if self.target == own else f"({text}).to({TORCH[self.target]})"
        return {"eager": eager, "compiled": eager}


def shape_programs(rows, cols):
    """Every op, in f32, in f16, and from f32 to f16."""
    types = (("f32", "f32"), ("f16", "f16"), ("f32", "f16"))
    result = [Rows(op, rows, cols, s, t) for op in ("softmax", "layer_norm", "rms_norm", "bias_gelu", "row_sum") for s, t in types]
    result.append(Rows("row_sum", rows, cols, "f16", "f32"))
    result += [Rows("cast", rows, cols, s, t) for s, t in (("f32", "f16"), ("f32", "bf16"), ("f16", "f32"))]
    return result + [Rows("transpose", rows, cols, t, t) for t in ("f16", "f32")]


def programs():
    result = shape_programs(16384, 4096) + shape_programs(8192, 1024)
    result.append(Rows("transpose", 1000, 1048, "f16", "f16"))
    result.append(Rows("softmax", 4096, 1003, "f16", "f16"))
    result.append(Rows("layer_norm", 4096, 1003, "f32", "f16"))
    result.append(Rows("softmax", 64, 131072, "f32", "f32"))
    return result


def tiny():
    """What the checker itself is tried with, on the simulator: no time means anything."""
    return shape_programs(8, 40)
