"""Attention programs of the GPU benchmarks: softmax(q k^T / sqrt(D) + mask) v, decomposed, as networks have it.

A name is `attention-<B>x<Hq>x<Hkv>x<S>x<D>-<type>[-causal]`. q is [B, Hq, S, D], k and v
are [B, Hkv, S, D]; query heads share key heads in turn. Softmax runs in f32.
"""
from dataclasses import dataclass

from builder import Builder, Operand, softmax


@dataclass(frozen=True)
class Attention:
    batch: int
    heads: int
    shared: int
    length: int
    width: int
    element: str = "f16"
    is_causal: bool = False

    suite = "attention"
    options = ()
    against_copy = False
    peer_elements = {}
    goals = {}

    @property
    def name(self):
        sizes = "x".join(map(str, (self.batch, self.heads, self.shared, self.length, self.width)))
        return f"attention-{sizes}-{self.element}" + "-causal" * self.is_causal

    @property
    def operands(self):
        shared = (self.batch, self.shared, self.length, self.width)
        return [Operand("q", (self.batch, self.heads, self.length, self.width), self.element),
                Operand("k", shared, self.element), Operand("v", shared, self.element)]

    @property
    def result(self):
        return Operand("y", self.operands[0].shape, self.element)

    @property
    def flops(self):
        """Of both products; half of them where the mask drops half."""
        return 4 * self.batch * self.heads * self.length**2 * self.width // (2 if self.is_causal else 1)

    @property
    def bytes(self):
        return sum(operand.bytes for operand in (*self.operands, self.result))

    @property
    def bound(self):
        """Of |result - exact| over the largest |exact|: probabilities and the result are rounded."""
        return 8 * {"f16": 2**-11, "bf16": 2**-8}[self.element]

    @property
    def mlir(self):
        repeats = self.heads // self.shared
        b = Builder(self.operands, b=self.batch, h=self.heads, g=self.shared, r=repeats, s=self.length, t=self.length, d=self.width)
        q, heads = b.operand("q", "bhsd"), "bh"
        k, v = b.operand("k", "bhtd" if repeats == 1 else "bgtd"), b.operand("v", "bhtd" if repeats == 1 else "bgtd")
        if repeats > 1:
            q, heads = b.reshape(q, "bgrsd", "[[0], [1, 2], [3], [4]]"), "bgr"
        scores = b.contract(q, k, heads + "st", "f32")
        scale, low = b.constant(self.width**-0.5), b.constant("0xFF800000")
        body = [f"{{v}}y = arith.mulf {{0}}, {scale} : f32", "{v}y"]
        if self.is_causal:
            row = len(heads)
            body[-1:] = [f"{{v}}r = linalg.index {row} : index", f"{{v}}c = linalg.index {row + 1} : index",
                         "{v}k = arith.cmpi sle, {v}c, {v}r : index", f"{{v}}z = arith.select {{v}}k, {{v}}y, {low} : f32", "{v}z"]
        weights = b.cast(softmax(b, b.map([scores], body)), self.element)
        y = b.cast(b.contract(weights, v, heads + "sd", "f32"), self.element)
        return b.function(b.reshape(y, "bhsd", "[[0], [1, 2], [3], [4]]") if repeats > 1 else y)

    def torch(self, backend):
        return f"peers.attention(q, k, v, {self.is_causal}, {backend!r})"

    @property
    def exact(self):
        return self.torch("math")

    @property
    def contestants(self):
        return {"cuDNN": self.torch("cudnn"), "flash": self.torch("flash")}


def programs():
    shapes = ((1, 16, 16, 2048), (4, 16, 16, 4096), (1, 16, 16, 8192), (1, 8, 8, 16384))
    result = [Attention(*shape, d, is_causal=c) for d in (128, 64) for shape in shapes for c in (True, False)]
    result += [Attention(4, 32, 8, 4096, d, is_causal=True) for d in (128, 64)]
    result += [Attention(4, 16, 16, 4000, d, is_causal=True) for d in (128, 64)]
    result += [Attention(4, 16, 16, 4096, d) for d in (96, 256)] + [Attention(4, 16, 16, 4096, 128, "bf16", c) for c in (True, False)]
    return result


def tiny():
    return [Attention(1, 2, 2, 20, 16), Attention(1, 4, 2, 9, 16, "bf16", True)]
