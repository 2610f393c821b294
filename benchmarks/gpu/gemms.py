"""Matrix products of the GPU benchmarks, as MLIR text, with their torch equivalents.

A name is `gemm-<layout>-<M>x<N>x<K>-<type>[-<epilogue>]`, with a batch in front of M.
The layout says how A and B are stored, as in BLAS: n for A[M, K] and B[K, N], t for
A[K, M] and B[N, K]. Products of floats are added in f32, and rounded once.
"""
import math
from dataclasses import dataclass

#: The element type, that of sums, torch's name.
ELEMENTS = {"f16": ("f32", "float16"), "bf16": ("f32", "bfloat16"), "i8": ("i32", "int8")}
#: What follows the sums: (operands beside, their index maps, MLIR lines, torch's expression of y).
GELU = ["%h = arith.constant 0.5 : f32", "%one = arith.constant 1.0 : f32", "%root = arith.constant 0.70710678118654757 : f32",
        "%z = arith.extf %bi : {t} to f32", "%s = arith.addf %c, %z : f32", "%r = arith.mulf %s, %root : f32", "%e = math.erf %r : f32",
        "%p = arith.addf %e, %one : f32", "%g = arith.mulf %s, %h : f32", "%v = arith.mulf %g, %p : f32",
        "%o = arith.truncf %v : f32 to {t}"]
RESIDUAL = ["%z = arith.extf %bi : {t} to f32", "%s = arith.addf %c, %z : f32", "%l = arith.truncf %s : f32 to {t}",
            "%w = arith.extf %l : {t} to f32", "%o = arith.addf %w, %x : f32"]
EPILOGUES = {
    "": ((), ["%o = arith.truncf %c : f32 to {t}"], "y"),
    "bias_gelu": (("bias",), GELU, "F.gelu(y + bias)"),
    "bias_residual": (("bias", "residual"), RESIDUAL, "(y + bias).float() + residual"),
}


@dataclass(frozen=True)
class Gemm:
    """Y = epilogue(A B). `residual` and then Y are f32; all else has one type."""

    layout: str
    m: int
    n: int
    k: int
    element: str = "f16"
    epilogue: str = ""
    batch: int = 0

    @property
    def name(self):
        sizes = [self.batch] * bool(self.batch) + [self.m, self.n, self.k]
        return "-".join(["gemm", self.layout, "x".join(map(str, sizes)), self.element] + [self.epilogue] * bool(self.epilogue))

    @property
    def result(self):
        if self.element == "i8":
            return "i32"
        return "f32" if self.epilogue == "bias_residual" else self.element

    def shape(self, axes):
        sizes = {"m": self.m, "n": self.n, "k": self.k}
        return tuple([self.batch] * (bool(self.batch) and axes != "n") + [sizes[a] for a in axes])

    @property
    def axes(self):
        """Those of A and of B."""
        return ("mk" if self.layout[0] == "n" else "km"), ("kn" if self.layout[1] == "n" else "nk")

    @property
    def operands(self):
        """(name, shape, element type)"""
        more = {"bias": ("n", self.element), "residual": ("mn", "f32")}
        result = [("a", self.shape(self.axes[0]), self.element), ("b", self.shape(self.axes[1]), self.element)]
        return result + [(name, self.shape(more[name][0]), more[name][1]) for name in EPILOGUES[self.epilogue][0]]

    @property
    def flops(self):
        return 2 * max(self.batch, 1) * self.m * self.n * self.k

    @property
    def bytes(self):
        """Bytes that have to move: operands read once, the result written once."""
        width = {"f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1}
        tensors = [(shape, element) for _, shape, element in self.operands] + [(self.shape("mn"), self.result)]
        return sum(math.prod(shape) * width[element] for shape, element in tensors)

    @property
    def mlir(self):
        acc = ELEMENTS[self.element][0]
        outer = "b, " if self.batch else ""

        def tensor(shape, element):
            return "tensor<" + "x".join([*map(str, shape), element]) + ">"

        def index(axes, loops):
            return f"affine_map<({outer}{loops}) -> ({outer if axes != 'n' else ''}{', '.join(axes)})>"

        parallel = ", ".join(['"parallel"'] * (3 if self.batch else 2))
        types = [tensor(s, e) for _, s, e in self.operands]
        sums, result = tensor(self.shape("mn"), acc), tensor(self.shape("mn"), self.result)
        maps = ", ".join(index(axes, "m, n, k") for axes in (*self.axes, "mn"))
        is_float = self.element != "i8"
        widen, times, plus = ("extf", "mulf", "addf") if is_float else ("extsi", "muli", "addi")
        lines = [
            f"%zero = arith.constant {'0.0' if is_float else '0'} : {acc}",
            f"%empty = tensor.empty() : {sums}",
            f"%start = linalg.fill ins(%zero : {acc}) outs(%empty : {sums}) -> {sums}",
            f'%sums = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{parallel}, "reduction"]}}',
            f"    ins(%a, %b : {types[0]}, {types[1]}) outs(%start : {sums}) {{",
            f"^bb0(%l: {self.element}, %r: {self.element}, %acc: {acc}):",
            f"  %lw = arith.{widen} %l : {self.element} to {acc}",
            f"  %rw = arith.{widen} %r : {self.element} to {acc}",
            f"  %p = arith.{times} %lw, %rw : {acc}",
            f"  %s = arith.{plus} %acc, %p : {acc}",
            f"  linalg.yield %s : {acc}",
            f"}} -> {sums}",
        ]
        value = "%sums"
        if is_float:
            names, body, _ = EPILOGUES[self.epilogue]
            maps = ", ".join(index(axes, "m, n") for axes in ("mn", *["n" if n == "bias" else "mn" for n in names], "mn"))
            blocks = ["%c: f32"] + [{"bias": f"%bi: {self.element}", "residual": "%x: f32"}[n] for n in names]
            lines += [
                f"%out = tensor.empty() : {result}",
                f"%y = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{parallel}]}}",
                f"    ins({', '.join(['%sums'] + ['%' + n for n in names])} : {', '.join([sums] + types[2:])}) outs(%out : {result}) {{",
                f"^bb0({', '.join(blocks)}, %old: {self.result}):",
                *["  " + line.format(t=self.element) for line in body],
                f"  linalg.yield %o : {self.result}",
                f"}} -> {result}",
            ]
            value = "%y"
        arguments = ",\n    ".join(f'%{n}: {t} {{amp.name = "{n}"}}' for (n, _, _), t in zip(self.operands, types))
        return "\n".join([f'func.func @main(\n    {arguments}) -> ({result} {{amp.name = "y"}}) {{', *["  " + line for line in lines],
                          f"  return {value} : {result}", "}", ""])

    @property
    def torch(self):
        """An expression of a, b and the others; None where torch has none."""
        if self.element == "i8":
            return None
        a, b = (x if axes[0] == first else f"{x}.transpose(-1, -2)" for x, axes, first in zip("ab", self.axes, "mk"))
        return EPILOGUES[self.epilogue][2].replace("y", f"torch.matmul({a}, {b})", 1)


def gemms():
    """Squares, layouts, odd sizes, those of language models, batches; fused epilogues."""
    result = [Gemm("nn", n, n, n) for n in (512, 1000, 1024, 2048, 4096, 8192)]
    result += [Gemm(layout, 4096, 4096, 4096) for layout in ("nt", "tn", "tt")]
    result += [Gemm("nt", 4096, 4096, 4096, "bf16"), Gemm("nt", 4096, 4096, 4096, "i8")]
    result += [Gemm("nn", 8192, 4096, 1024), Gemm("nt", 4096, 14336, 4096), Gemm("nt", 8192, 8192, 64), Gemm("nt", 2048, 4096, 16384)]
    result += [Gemm("nn", 4095, 4097, 4099), Gemm("nn", 2047, 2049, 2051)]
    result += [Gemm(layout, m, 14336, 4096) for layout in ("nt", "nn") for m in (1, 16, 64, 128)]
    result += [Gemm("nn", 128, 128, 128, batch=256), Gemm("nt", 512, 512, 64, batch=96)]
    result += [Gemm("nn", m, 4096, 1024, epilogue="bias_gelu") for m in (128, 8192)]
    result += [Gemm("nn", m, 1024, 4096, epilogue="bias_residual") for m in (128, 8192)]
    result += [Gemm("nt", 8192, 4096, 4096, "bf16", "bias_gelu")]
    return result


def known():
    """Every product, by name."""
    return {gemm.name: gemm for gemm in gemms()}
