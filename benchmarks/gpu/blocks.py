"""Whole blocks of networks of the GPU benchmarks: f32 in and out, compiled under autocast to f16.

Weights are marked `amp.weight`: what only depends on them is computed once, when a
model is loaded.
"""
from dataclasses import dataclass

from builder import Builder, Operand, Value, gelu, layer_norm, softmax
from convolutions import conv2d


class Block:
    """What all have in common. The function `torch_name` of peers.py takes the operands by name."""

    suite = "block"
    options = ("--autocast=f16",)
    against_copy = False
    peer_elements = {}
    #: Of |result - exact| over the largest |exact|. A model that rounds every intermediate once to f16 comes to less than 2 u of it.
    bound = 4 * 2.0**-11

    @property
    def weights(self):
        return [operand for operand in self.operands if operand.is_weight]

    @property
    def result(self):
        return Operand("y", self.operands[0].shape, "f32")

    @property
    def bytes(self):
        return sum(operand.bytes for operand in (*self.operands, self.result))

    @property
    def exact(self):
        return f"peers.{self.torch_name}({', '.join(operand.name for operand in self.operands)})"

    @property
    def contestants(self):
        """Eager torch launches kernel by kernel; all the others are captured."""
        call = f"peers.autocast(lambda: {self.exact})"
        return dict.fromkeys(("eager", "eager, graph", "weights cast before", "compiled"), call)

    @property
    def cast_before(self):
        """The weights that autocast casts: all but those of norms."""
        return [operand.name for operand in self.weights if operand.name[0] == "w" or operand.name in ("b1", "b2", "bo", "bqkv")]


def weight(name, shape, deviation=1.0):
    return Operand(name, shape, "f32", deviation, True)


@dataclass(frozen=True)
class Mlp(Block):
    """x + f2(gelu(f1(layer_norm(x))))"""

    rows: int
    width: int
    hidden: int

    torch_name = "mlp"

    @property
    def name(self):
        return f"mlp-{self.rows}x{self.width}x{self.hidden}"

    @property
    def flops(self):
        return 4 * self.rows * self.width * self.hidden

    @property
    def operands(self):
        d, h = self.width, self.hidden
        return [Operand("x", (self.rows, d), "f32"), weight("gamma", (d,)), weight("beta", (d,)), weight("w1", (d, h), d**-0.5), weight("b1", (h,)),
                weight("w2", (h, d), h**-0.5), weight("b2", (d,))]

    @property
    def goals(self):
        return {(8192, 1024): {"weights cast before": 1.45, "compiled": 1.7}, (8192, 4096): {"weights cast before": 1.08, "compiled": 1.03},
                (128, 1024): {"weights cast before": 1.08, "compiled": 5.0}}.get((self.rows, self.width), {})

    @property
    def mlir(self):
        b = Builder(self.operands, n=self.rows, c=self.width, h=self.hidden)
        x = b.operand("x", "nc")
        return b.function(feed_forward(b, x, layer_norm(b, x, "c", b.operand("gamma", "c"), b.operand("beta", "c"))))


def matmul(b, x, w):
    into = b.filled(x.axes[0] + w.axes[1], "f32", "0.0")
    result = Value(b.fresh(), into.axes, "f32")
    b.emit(f"{result.name} = linalg.matmul ins({x.name}, {w.name} : {b.type(x)}, {b.type(w)}) outs({into.name} : {b.type(into)}) -> {b.type(into)}")
    return result


def add(b, inputs):
    """Of two or three, of the axes of the first; the last two first."""
    body = ["{v}s = arith.addf {1}, {2} : f32", "{v}y = arith.addf {0}, {v}s : f32", "{v}y"]
    return b.map(inputs, body if len(inputs) == 3 else ["{v}y = arith.addf {0}, {1} : f32", "{v}y"])


def feed_forward(b, x, normed):
    """x + w2 gelu(w1 normed + b1) + b2, on rows "n" of columns "c"."""
    active = gelu(b, [matmul(b, normed, b.operand("w1", "ch")), b.operand("b1", "h")])
    return add(b, [x, matmul(b, active, b.operand("w2", "hc")), b.operand("b2", "c")])


@dataclass(frozen=True)
class Transformer(Block):
    """The usual encoder block, norms in front: self-attention with its projections, then the MLP, four times as wide."""

    batch: int
    length: int
    width: int
    heads: int

    torch_name = "transformer"

    @property
    def name(self):
        return f"transformer-{self.batch}x{self.length}x{self.width}-{self.heads}"

    @property
    def flops(self):
        """12 d^2 weights for each token, and attention."""
        tokens = self.batch * self.length
        return 24 * tokens * self.width**2 + 4 * tokens * self.length * self.width

    @property
    def operands(self):
        d, h = self.width, 4 * self.width
        return [Operand("x", (self.batch, self.length, d), "f32"), weight("gamma1", (d,)), weight("beta1", (d,)), weight("wqkv", (d, 3 * d), d**-0.5),
                weight("bqkv", (3 * d,)), weight("wo", (d, d), d**-0.5), weight("bo", (d,)), weight("gamma", (d,)), weight("beta", (d,)),
                weight("w1", (d, h), d**-0.5), weight("b1", (h,)), weight("w2", (h, d), h**-0.5), weight("b2", (d,))]

    @property
    def goals(self):
        return {"weights cast before": 1.3, "compiled": 1.4} if (self.batch, self.length) == (8, 1024) else {}

    @property
    def exact(self):
        return super().exact.replace("(", f"({self.heads}, ", 1)

    @property
    def mlir(self):
        head = self.width // self.heads
        b = Builder(self.operands, b=self.batch, t=self.length, u=self.length, c=self.width, n=self.batch * self.length, e=3 * self.width,
                    i=3, k=self.heads, d=head, f=self.width, h=4 * self.width)
        x = b.reshape(b.operand("x", "btc"), "nc", "[[0, 1], [2]]")
        normed = layer_norm(b, x, "c", b.operand("gamma1", "c"), b.operand("beta1", "c"))
        qkv = b.map([matmul(b, normed, b.operand("wqkv", "ce")), b.operand("bqkv", "e")], ["{v}y = arith.addf {0}, {1} : f32", "{v}y"])
        qkv = b.reshape(qkv, "btikd", "[[0, 1], [2, 3, 4]]")
        q, k, v = (b.take(qkv, "i", index) for index in range(3))
        k, v = k._replace(axes="bukd"), v._replace(axes="bukd")
        scale = b.constant(head**-0.5)
        scores = b.map([b.contract(q, k, "bktu", "f32")], [f"{{v}}y = arith.mulf {{0}}, {scale} : f32", "{v}y"])
        mixed = b.reshape(b.contract(softmax(b, scores), v, "btkd", "f32"), "nc", "[[0, 1], [2, 3]]")
        projected = matmul(b, mixed, b.operand("wo", "cf"))._replace(axes="nc")
        x = add(b, [x, projected, b.operand("bo", "c")])
        normed = layer_norm(b, x, "c", b.operand("gamma", "c"), b.operand("beta", "c"))
        return b.function(b.reshape(feed_forward(b, x, normed), "btc", "[[0, 1], [2]]"))


@dataclass(frozen=True)
class ConvBlock(Block):
    """relu(norm(conv2(relu(conv1(x))))), windows of 3 x 3, images as [N, H, W, C]; the norm is batch norm with given statistics."""

    batch: int
    size: int
    channels: int
    filters: int

    torch_name = "conv_block"

    @property
    def name(self):
        return f"conv-block-{self.batch}x{self.size}x{self.channels}x{self.filters}"

    @property
    def flops(self):
        return 18 * self.batch * self.size**2 * self.filters * (self.channels + self.filters)

    @property
    def operands(self):
        c, f = self.channels, self.filters
        return [Operand("x", (self.batch, self.size, self.size, c), "f32"), weight("w1", (f, 3, 3, c), (9 * c) ** -0.5), weight("b1", (f,)),
                weight("w2", (f, 3, 3, f), (9 * f) ** -0.5), weight("b2", (f,)), weight("mean", (f,)),
                Operand("variance", (f,), "f32", 1.0, True, True), weight("gamma", (f,)), weight("beta", (f,))]

    @property
    def result(self):
        return Operand("y", (self.batch, self.size, self.size, self.filters), "f32")

    @property
    def goals(self):
        return {"compiled": 1.8}

    @property
    def mlir(self):
        b = Builder(self.operands, n=self.batch, h=self.size, w=self.size, c=self.channels, f=self.filters, g=self.filters, r=3, s=3)
        zero, eps = b.constant("0.0"), b.constant("1.0e-5")
        first = conv2d(b, b.operand("x", "nhwc"), b.operand("w1", "frsc"), (3, 3), 1, 1, "nhwf")
        active = b.map([first, b.operand("b1", "f")], ["{v}s = arith.addf {0}, {1} : f32", f"{{v}}y = arith.maximumf {{v}}s, {zero} : f32", "{v}y"])
        second = conv2d(b, active, b.operand("w2", "grsf"), (3, 3), 1, 1, "nhwg")
        vectors = [b.operand(name, "g") for name in ("b2", "mean", "variance", "gamma", "beta")]
        return b.function(b.map([second, *vectors], [
            "{v}a = arith.addf {0}, {1} : f32", "{v}b = arith.subf {v}a, {2} : f32", f"{{v}}e = arith.addf {{3}}, {eps} : f32",
            "{v}r = math.rsqrt {v}e : f32", "{v}c = arith.mulf {v}b, {v}r : f32",
            "{v}g = arith.mulf {v}c, {4} : f32", "{v}h = arith.addf {v}g, {5} : f32", f"{{v}}y = arith.maximumf {{v}}h, {zero} : f32", "{v}y"]))


#: The MLP of which launches take the most time, next to its work.
LAUNCH_BOUND = Mlp(128, 1024, 4096)


def programs():
    return [LAUNCH_BOUND, Mlp(8192, 1024, 4096), Mlp(8192, 4096, 16384), Transformer(8, 1024, 1024, 16), Transformer(2, 4096, 1024, 16),
            ConvBlock(32, 56, 64, 128)]


def tiny():
    return [Mlp(16, 64, 128), Transformer(1, 20, 32, 2), ConvBlock(1, 6, 8, 8)]


def simulated_mlp():
    """As LAUNCH_BOUND, with fewer rows: the simulator takes half a minute for each run of 128."""
    return Mlp(16, 1024, 4096)
