"""Matrix products of the GPU benchmarks, bare and with what networks do behind them.

A name is `gemm-<layout>-<M>x<N>x<K>-<type>[-<epilogue>]`, with a batch in front of M.
The layout says how A and B are stored, as in BLAS: n for A[M, K] and B[K, N], t for
A[K, M] and B[N, K]. Products of floats are added in f32, and rounded once.
"""
from dataclasses import dataclass

from builder import Builder, Operand, gelu, narrowed, widened


@dataclass(frozen=True)
class Element:
    """Of operands, sums and results; `unit` is the relative error of a rounded result."""

    sums: str
    result: str
    unit: float


ELEMENTS = {
    "f16": Element("f32", "f16", 2**-11), "bf16": Element("f32", "bf16", 2**-8), "i8": Element("i32", "i32", 0.0),
    # Operands of tf32 have 11 bits, those of 8-bit floats are exact; sums of wgmma in 8 bits have about 14.
    "tf32": Element("f32", "f32", 2**-10), "f8E4M3FN": Element("f32", "bf16", 2**-8), "f8E5M2": Element("f32", "bf16", 2**-8),
}


def bias_gelu(b, gemm, y):
    return gelu(b, [y, b.operand("bias", "n")], gemm.result.element)


def bias_relu(b, gemm, y):
    zero, inputs = b.constant("0.0"), [y, b.operand("bias", "n")]
    return b.map(inputs, [*widened(inputs), "{v}s = arith.addf {0}, {v}x1 : f32", f"{{v}}y = arith.maximumf {{v}}s, {zero} : f32",
                          *narrowed("{v}y", gemm.result.element)], gemm.result.element)


def bias_residual(b, gemm, y):
    """As under autocast: the product with its bias is rounded before it meets the residual, which is f32."""
    inputs, element = [y, b.operand("bias", "n"), b.operand("residual", "mn")], gemm.element
    return b.map(inputs, [*widened(inputs), "{v}s = arith.addf {0}, {v}x1 : f32", f"{{v}}l = arith.truncf {{v}}s : f32 to {element}",
                          f"{{v}}w = arith.extf {{v}}l : {element} to f32", "{v}y = arith.addf {v}w, {2} : f32", "{v}y"])


def silu_pair(b, gemm, y):
    """silu(A B) * (A B2)"""
    one = b.constant("1.0")
    a_axes, b_axes = gemm.axes
    other = b.contract(b.operand("a", a_axes), b.operand("b2", b_axes), y.axes, "f32")
    return b.map([y, other], ["{v}m = arith.negf {0} : f32", "{v}e = math.exp {v}m : f32", f"{{v}}d = arith.addf {{v}}e, {one} : f32",
                              "{v}g = arith.divf {0}, {v}d : f32", "{v}y = arith.mulf {v}g, {1} : f32",
                              *narrowed("{v}y", gemm.result.element)], gemm.result.element)


#: Name: (function, operands beside as (name, axes, element or None for that of A), torch's expression of y).
EPILOGUES = {
    "": (lambda b, gemm, y: b.cast(y, gemm.result.element), (), "y"),
    "bias_relu": (bias_relu, (("bias", "n", None),), "F.relu(y + bias)"),
    "bias_gelu": (bias_gelu, (("bias", "n", None),), "F.gelu(y + bias)"),
    "bias_residual": (bias_residual, (("bias", "n", None), ("residual", "mn", "f32")), "(y + bias).to(residual.dtype) + residual"),
    "silu_pair": (silu_pair, (("b2", None, None),), "F.silu(y) * y2"),
}
#: The epilogues that cublasLt has too.
LIBRARY_EPILOGUES = ("", "bias_relu", "bias_gelu")


@dataclass(frozen=True)
class Gemm:
    """Y = epilogue(A B). `residual`, and then Y, is f32."""

    layout: str
    m: int
    n: int
    k: int
    element: str = "f16"
    epilogue: str = ""
    batch: int = 0

    against_copy = False
    peer_elements = {}

    @property
    def suite(self):
        return "fused" if self.epilogue else "gemm"

    @property
    def options(self):
        return ("--allow-tf32",) if self.element == "tf32" else ()

    @property
    def name(self):
        sizes = [self.batch] * bool(self.batch) + [self.m, self.n, self.k]
        return "-".join(["gemm", self.layout, "x".join(map(str, sizes)), self.element] + [self.epilogue] * bool(self.epilogue))

    def shape(self, axes):
        sizes = {"m": self.m, "n": self.n, "k": self.k, "z": self.batch}
        return tuple(sizes[axis] for axis in axes)

    @property
    def batched(self):
        return "z" if self.batch else ""

    @property
    def axes(self):
        """Those of A and of B."""
        return self.batched + ("mk" if self.layout[0] == "n" else "km"), self.batched + ("kn" if self.layout[1] == "n" else "nk")

    @property
    def stored(self):
        """The type in memory of A and B."""
        return "f32" if self.element == "tf32" else self.element

    @property
    def operands(self):
        # Results of about 1 where there is an epilogue, so that activations have something to do.
        deviation = self.k**-0.5 if self.epilogue else 1.0
        result = [Operand("a", self.shape(self.axes[0]), self.stored), Operand("b", self.shape(self.axes[1]), self.stored, deviation)]
        for name, axes, element in EPILOGUES[self.epilogue][1]:
            result.append(Operand(name, self.shape(axes or self.axes[1]), element or self.stored, 1.0 if axes else deviation))
        return result

    @property
    def result(self):
        element = "f32" if self.epilogue == "bias_residual" else ELEMENTS[self.element].result
        return Operand("y", self.shape(self.batched + "mn"), element)

    @property
    def flops(self):
        return 2 * max(self.batch, 1) * self.m * self.n * self.k * (2 if self.epilogue == "silu_pair" else 1)

    @property
    def bytes(self):
        """Bytes that have to move: operands read once, the result written once."""
        return sum(operand.bytes for operand in self.operands) + self.result.bytes

    @property
    def bound(self):
        """Of |result - exact| over the largest |exact|: of the rounded result, and what sums and inner roundings add."""
        return 4 * max(ELEMENTS[self.element].unit, 2.0**-11) if self.element != "i8" else 0.0

    @property
    def mlir(self):
        b = Builder(self.operands, m=self.m, n=self.n, k=self.k, z=self.batch)
        a, w = b.operand("a", self.axes[0]), b.operand("b", self.axes[1])
        sums = b.contract(a, w, self.batched + "mn", ELEMENTS[self.element].sums)
        return b.function(sums if self.element == "i8" else EPILOGUES[self.epilogue][0](b, self, sums))

    @property
    def torch(self):
        """An expression of a, b and the others."""
        def product(name):
            sides = (x if self.axes[k][-1] == last else f"{x}.transpose(-1, -2)" for k, (x, last) in enumerate((("a", "k"), (name, "n"))))
            return f"torch.matmul({', '.join(sides)})"

        text = EPILOGUES[self.epilogue][2]
        return text.replace("y2", product("b2")).replace("y", product("b"), 1)

    @property
    def exact(self):
        return self.torch

    @property
    def contestants(self):
        if self.element in ("f8E4M3FN", "f8E5M2"):
            result = {"eager": "peers.scaled_mm(a, b)"} if self.layout == "nt" else {}
        elif self.element == "i8":
            result = {"eager": "torch._int_mm(a, b.t())"} if self.layout == "nt" and self.m > 16 else {}
        else:
            result = {"eager": f"peers.with_tf32(lambda: {self.torch})" if self.element == "tf32" else self.torch}
        if self.epilogue:
            result["compiled"] = self.torch
        if self.epilogue in LIBRARY_EPILOGUES:
            bias = "bias" if self.epilogue else "None"
            result["cublasLt"] = f"peers.lt_matmul(a, b, y, {self.layout!r}, {bias}, {self.epilogue!r}, {self.element!r})"
        return result

    @property
    def goals(self):
        """Ratios that this product alone must reach; those of a suite are means (SUITE_GOALS)."""
        if self.epilogue or self.batch:
            return {}
        sizes = (self.m, self.n, self.k)
        wide = self.element in ("f16", "bf16")
        if self.m <= 64:
            return {"cublasLt": 1.0 if self.layout[1] == "t" else 0.95}
        if sizes == (4095, 4097, 4099):
            return {"eager": 4.0}
        if wide and any(size % 8 for size in sizes):
            return {"eager": 2.5}
        if sizes == (1000, 1000, 1000):
            return {"cublasLt": 0.9}
        if wide and max(sizes) <= 512:
            return {"cublasLt": 1.5}
        if wide and min(sizes) >= 1024 and not any(size % 64 for size in sizes):
            return {"cublasLt": 0.93, "eager": 0.93}
        return {}


def llm(element="f16"):
    """The linear layers of models of 7 and 70 billion parameters: (N, K) of QKV, projection, gate and up, down."""
    layers = ((12288, 4096), (4096, 4096), (22016, 4096), (4096, 11008), (10240, 8192), (8192, 8192), (57344, 8192), (8192, 28672))
    return [Gemm("nt", m, n, k, element) for n, k in layers for m in (1, 16, 128, 2048, 8192)]


def bare():
    result = [Gemm("nn", n, n, n, t) for t in ("f16", "bf16") for n in (512, 1000, 1024, 2048, 4096, 8192, 16384)]
    result += [Gemm(layout, 4096, 4096, 4096, t) for t in ("f16", "bf16") for layout in ("nt", "tn", "tt")]
    result += [Gemm("nt", n, n, n, t) for t in ("i8", "f8E4M3FN", "tf32") for n in (1024, 4096, 8192)] + [Gemm("nt", 4096, 4096, 4096, "f8E5M2")]
    result += [Gemm("nn", 8192, 4096, 1024), Gemm("nn", 8192, 28672, 4096), Gemm("nn", 8192, 4096, 14336)]
    result += [Gemm("nt", 4096, 4096, k) for k in (64, 128, 256, 512, 2048, 16384)] + [Gemm("nt", 256, 256, 16384)]
    result += [Gemm("nn", 4095, 4097, 4099), Gemm("nn", 2047, 2049, 2051), Gemm("nn", 1000, 1003, 997), Gemm("nt", 4095, 4097, 4099, "bf16")]
    result += [Gemm(layout, m, 14336, 4096) for layout in ("nt", "nn") for m in (1, 16, 64)]
    return result + [Gemm("nt", 16, 4096, 14336), Gemm("nn", 128, 128, 128, batch=256), Gemm("nt", 512, 512, 64, batch=96)] + llm()


def fused():
    result = [Gemm("nn", m, 4096, 1024, epilogue=e) for m in (128, 8192) for e in ("bias_relu", "bias_gelu", "silu_pair")]
    result += [Gemm("nn", m, 1024, 4096, epilogue="bias_residual") for m in (128, 8192)]
    return result + [Gemm("nt", 8192, 4096, 4096, "bf16", "bias_gelu"), Gemm("nt", 2048, 11008, 4096, epilogue="silu_pair")]


def programs():
    return list(dict.fromkeys(bare() + fused()))


def tiny():
    return [Gemm("nn", 40, 48, 64), Gemm("nt", 36, 40, 32, "i8"), Gemm("tt", 5, 7, 9, "tf32"), Gemm("nt", 40, 48, 64, "f8E4M3FN"),
            *(Gemm("nt", 40, 48, 64, epilogue=e) for e in EPILOGUES if e)]
