# Random ops on random types, by amp and by torch itself: the same result types,
# and errors where torch has one.
#
# torch is no dependency: scripts/test.sh --with-torch installs it.
#
# REQUIRES: torch
# RUN: %torch_python %s --amp-opt amp-opt --output %t --cases 4000
"""usage: torch_differential.py [--amp-opt PATH] [--output FOLDER] [--cases N] [--seed N] [--verbose]"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import warnings
from collections import Counter

warnings.filterwarnings("ignore")
import torch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# MLIR's spelling of torch's types, and how often one is drawn.
DTYPES = {
    "i1": (torch.bool, 3),
    "ui8": (torch.uint8, 2),
    "i8": (torch.int8, 2),
    "i16": (torch.int16, 2),
    "i32": (torch.int32, 4),
    "i64": (torch.int64, 3),
    "ui16": (torch.uint16, 1),
    "ui32": (torch.uint32, 1),
    "f8E4M3FN": (torch.float8_e4m3fn, 1),
    "f8E5M2": (torch.float8_e5m2, 1),
    "f16": (torch.float16, 6),
    "bf16": (torch.bfloat16, 6),
    "f32": (torch.float32, 7),
    "f64": (torch.float64, 4),
    "complex<f16>": (torch.complex32, 1),
    "complex<f32>": (torch.complex64, 2),
    "complex<f64>": (torch.complex128, 1),
}
NAMES = {dtype: name for name, (dtype, _) in DTYPES.items()}
NARROWED = {"F": ["f16", "bf16", "f32", "f64"]}
LP = {"f16": torch.float16, "bf16": torch.bfloat16}

# The newest torch whose names of ops the rules were compared with: one that an
# older torch lacks may be new.
NEWEST = (2, 15)

# What torch says when types do not go together, or are not those of the op; and
# what it refuses for another reason.
TYPE_ERRORS = re.compile(
    r"same (scalar )?(d?types?|dtypes)|Promotion for|floating|different dtypes|did not match|[Ee]xpected scalar type|"
    r"expected dtype|Type promoting|can't be cast|prioritize|dtypes match|have the same"
)
OTHER_ERRORS = re.compile(
    r"not implemented|[Nn]ot supported|not support|doesn't support|[Uu]nsupported|Subtraction, the|Negation, the|"
    r"[Bb]oolean|Integers to negative|ZeroDivision|[Cc]omplex|[Ii]ntegral|singular|positive-definite|INTERNAL ASSERT|"
    r"Low precision|bool|must be a|does not have"
)


def is_type_error(error):
    return "not implemented for" not in error and bool(TYPE_ERRORS.search(error) or not OTHER_ERRORS.search(error))


def is_decomposed(name):
    """Whether torch takes the op apart before autocast sees it: its parts are what is cast then."""
    packet, _, overload = name.removeprefix("aten.").partition(".")
    schema = f"aten::{packet}" + (f".{overload}" if overload else "")
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    return has(schema, "CompositeImplicitAutograd") and not has(schema, "AutocastCPU")


ATEN = torch.ops.aten


def products():
    """Ops by hand: name, shapes of the operands, attributes, and how torch is called.

    Letters are shapes: M 3x3, V 3, B 1x3x3, and of fixed types: I and J indices of
    3x3 and 3, K a mask of 3x3; F is 3x3 of floats."""

    def plain(name):
        packet, _, overload = name.partition(".")
        return getattr(getattr(ATEN, packet), overload or "default")

    simple = {
        "mm": "MM", "bmm": "BB", "matmul": "MM", "mv": "MV", "dot": "VV", "vdot": "VV", "inner": "MM",
        "linear": "MM", "addmm": "MMM", "addmv": "VMV", "addbmm": "MBB", "baddbmm": "BBB", "addr": "MVV",
        "outer": "VV", "ger": "VV", "kron": "MM", "linalg_vecdot": "MM", "linalg_cross": "MM",
        "prelu": "MV", "cosine_similarity": "MM", "dist": "MM", "cdist": "MM", "mse_loss": "MM", "l1_loss": "MM",
        "smooth_l1_loss": "MM", "huber_loss": "MM", "binary_cross_entropy": "MM",
        "binary_cross_entropy_with_logits": "MM", "kl_div": "MM", "soft_margin_loss": "MM",
        "hinge_embedding_loss": "MM", "margin_ranking_loss": "MMM", "triplet_margin_loss": "FFF",
        "masked_scatter": "MKM", "equal": "MM", "allclose": "MM", "isclose": "MM", "lerp.Tensor": "MMM",
        "mean": "M", "sum": "M", "prod": "M", "trace": "M", "max": "M", "median": "M", "argmax": "M",
        "nonzero": "M", "t": "M", "clone": "M", "tril": "M", "detach": "M", "relu": "M", "silu": "M", "gelu": "M",
        "softplus": "M", "hardswish": "M", "log_sigmoid": "M", "zeros_like": "M", "isnan": "M", "logaddexp": "MM",
        "sort": "M", "norm.Scalar": "M", "linalg_vector_norm": "M", "std": "M", "var": "M", "std_mean": "M",
        "var_mean": "M", "aminmax": "M", "count_nonzero": "M", "nansum": "M", "real": "M", "angle": "M",
        "conj": "M", "fft_fft": "M", "fft_rfft": "M", "fft_irfft": "M", "linalg_inv": "M", "linalg_svd": "M",
        "linalg_eigh": "M", "linalg_eig": "M", "linalg_solve": "MM", "linalg_det": "M", "linalg_qr": "M",
        "linalg_cholesky_ex": "M", "matrix_exp": "M", "all": "M", "any": "M", "embedding": "MJ", "index_select": None,
        "maximum": "MM", "fmax": "MM", "max.other": "MM", "copysign.Tensor": "MM", "heaviside": "MM", "hypot": "MM",
        "frac": "M", "frexp.Tensor": "M", "histc": "M", "cov": "M", "bernoulli": "M", "trapezoid.x": "MM",
    }
    for name, shapes in simple.items():
        if shapes and hasattr(ATEN, name.partition(".")[0]):
            try:
                yield name, shapes, "", plain(name)
            except AttributeError:
                pass
    yield "einsum", "MM", 'equation = "ij,jk->ik"', lambda a, b: ATEN.einsum("ij,jk->ik", [a, b])
    yield "tensordot", "MM", "", lambda a, b: ATEN.tensordot(a, b, [1], [0])
    yield "chain_matmul", "MMM", "", lambda *a: ATEN.chain_matmul(list(a))
    yield "linalg_multi_dot", "MMM", "", lambda *a: ATEN.linalg_multi_dot(list(a))
    yield "bilinear", "MMC", "", lambda a, b, w: ATEN.bilinear(a, b, w, None)
    yield "scaled_dot_product_attention", "BBB", "", ATEN.scaled_dot_product_attention
    yield "conv1d", "BC", "", lambda a, w: ATEN.conv1d(a, w.reshape(3, 3, 1) if w.numel() == 9 else w)
    yield "cat", "MMM", "", lambda *a: ATEN.cat(list(a))
    yield "stack", "MM", "", lambda *a: ATEN.stack(list(a))
    yield "where.self", "KMM", "", ATEN.where.self
    yield "scatter.src", "MIM", "", lambda a, i, b: ATEN.scatter.src(a, 0, i, b)
    yield "scatter_add", "MIM", "", lambda a, i, b: ATEN.scatter_add(a, 0, i, b)
    yield "gather", "MI", "", lambda a, i: ATEN.gather(a, 0, i)
    yield "index_add", "MJM", "", lambda a, i, b: ATEN.index_add(a, 0, i, b)
    yield "index_copy", "MJM", "", lambda a, i, b: ATEN.index_copy(a, 0, i, b)
    yield "index_select", "MJ", "", lambda a, i: ATEN.index_select(a, 0, i)
    yield "index_put", "MJM", "operandSegmentSizes = array<i32: 1, 1, 1>", lambda a, i, b: ATEN.index_put(a, [i], b)
    yield "masked_fill.Tensor", "MKS", "", ATEN.masked_fill.Tensor
    yield "nll_loss", "MJV", "", lambda a, i, w: ATEN.nll_loss(a, i, w)
    yield "cross_entropy_loss", "MJ", "", lambda a, i: ATEN.cross_entropy_loss(a, i)
    yield "select_scatter", "MV", "", lambda a, b: ATEN.select_scatter(a, b, 0, 0)
    yield "softmax.int", "M", "dim = 0 : i64", lambda a: ATEN.softmax.int(a, 0)
    yield "log_softmax.int", "M", "dim = 0 : i64", lambda a: ATEN.log_softmax.int(a, 0)
    yield "cumsum", "M", "", lambda a: ATEN.cumsum(a, 0)
    yield "cumprod", "M", "", lambda a: ATEN.cumprod(a, 0)
    yield "amax", "M", "", lambda a: ATEN.amax(a, [0])
    yield "max.dim", "M", "", lambda a: ATEN.max.dim(a, 0)
    yield "topk", "M", "", lambda a: ATEN.topk(a, 1)
    yield "logsumexp", "M", "", lambda a: ATEN.logsumexp(a, [0])
    yield "layer_norm", "M", "", lambda a: ATEN.layer_norm(a, [3])
    yield "group_norm", "M", "", lambda a: ATEN.group_norm(a, 3)
    yield "div.Tensor_mode", "MM", 'rounding_mode = "floor"', lambda a, b: ATEN.div.Tensor_mode(a, b, rounding_mode="floor")
    for name in ("f16", "f32", "i64", "complex<f32>"):
        dtype = DTYPES[name][0]
        yield "to.dtype", "M", f"dtype = {name}", lambda a, d=dtype: ATEN.to.dtype(a, d)
        yield "sum", "M", f"dtype = {name}", lambda a, d=dtype: ATEN.sum(a, dtype=d)
        yield "mean", "M", f"dtype = {name}", lambda a, d=dtype: ATEN.mean(a, dtype=d)
        yield "cumsum", "M", f"dtype = {name}", lambda a, d=dtype: ATEN.cumsum(a, 0, dtype=d)
        yield "zeros_like", "M", f"dtype = {name}", lambda a, d=dtype: ATEN.zeros_like(a, dtype=d)
    for name in ("add_.Tensor", "mul_.Tensor", "copysign_.Tensor"):
        packet, overload = name.split(".")
        yield name, "MM", "", getattr(getattr(ATEN, packet), overload)


# Ops of the table whose torch twin is random, has other parameters, or is known
# under this name to Python only.
SKIPPED = {
    "normal", "cauchy", "exponential", "geometric", "log_normal", "glu", "nll_loss", "pdist", "logsumexp", "fill",
    "cat", "addr", "dot", "vdot", "prelu", "where", "cumprod", "cumsum", "prod", "sum", "std", "std_mean", "var",
    "all", "any", "amax", "amin", "huber_loss", "poisson_nll_loss", "l1_loss", "mse_loss", "smooth_l1_loss", "logit",
}


def elementwise():
    """Every overload, on tensors and Python numbers only, of the ops of the table."""
    with open(os.path.join(ROOT, "test", "Inputs", "type_promotion.json")) as file:
        ops = json.load(file)["ops"]
    for name in ops:
        if name.endswith("_") or name in SKIPPED or not hasattr(ATEN, name):
            continue
        packet = getattr(ATEN, name)
        for overload in packet.overloads():
            op = getattr(packet, overload)
            arguments = [a for a in op._schema.arguments if not a.has_default_value()]
            optional = [a for a in op._schema.arguments if a.name in ("min", "max") and a.has_default_value()]
            kinds = [str(a.type) for a in arguments]
            tensors = {"Tensor": "M", "number": "#"}
            # Without tensors it is Python's arithmetic.
            if "Tensor" not in kinds or not all(kind in tensors for kind in kinds) or any(a.is_out for a in op._schema.arguments):
                continue
            if len(op._schema.returns) != 1:
                continue
            spelling = name if overload == "default" else f"{name}.{overload}"
            yield spelling, arguments + optional, op


def make(name, shape):
    """Values between 0 and 1, and a matrix that has an inverse."""
    value = torch.full(shape, 0.25)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        value = value + 0.5 * torch.eye(shape[-1])
    dtype = DTYPES[name][0]
    return (value if dtype.is_floating_point or dtype.is_complex else value.ceil()).to(dtype)


class Case:
    def __init__(self, number, rng, scope):
        self.number = number
        self.scope = scope
        self.rng = rng

    def dtype(self, names=None):
        names = names or list(DTYPES)
        # Mostly equal types, so that ops that take one type succeed now and then.
        if getattr(self, "last", None) in names and self.rng.random() < 0.4:
            return self.last
        self.last = self.rng.choices(names, [DTYPES[n][1] for n in names])[0]
        return self.last

    def by_shapes(self, name, shapes, attributes, call):
        sizes = {"M": (3, 3), "F": (3, 3), "V": (3,), "B": (1, 3, 3), "C": (3, 3, 3), "S": (), "I": (3, 3), "J": (3,), "K": (3, 3)}
        fixed = {"I": "i64", "J": "i64", "K": "i1"}
        kinds = [fixed.get(letter) or self.dtype(NARROWED.get(letter)) for letter in shapes]
        tensors = [make(kind, sizes[letter]) for letter, kind in zip(shapes, kinds)]
        for index, letter in enumerate(shapes):
            if letter in "IJ":
                tensors[index] = torch.zeros(sizes[letter], dtype=torch.int64)
                if letter == "J":
                    tensors[index] = torch.arange(3)
        self.name, self.attributes = "aten." + name, attributes
        self.types = ["tensor<" + "".join(f"{n}x" for n in sizes[l]) + k + ">" for l, k in zip(shapes, kinds)]
        self.run(lambda: call(*tensors))

    def by_schema(self, name, arguments, op):
        values, keywords, attributes, self.types = [], {}, [], []
        for argument in arguments:
            # One of min and max has to be there.
            if argument.has_default_value() and keywords and self.rng.random() < 0.4:
                continue
            if "Tensor" in str(argument.type):
                kind = self.dtype()
                shape = () if self.rng.random() < 0.3 else (3, 3)
                value = make(kind, shape)
                self.types.append("tensor<" + "".join(f"{n}x" for n in shape) + kind + ">")
            else:
                choices = [(2, "2 : i64"), (0.5, "0.5 : f64"), (True, "true")]
                # A power of True is the base itself, whatever types say.
                value, text = self.rng.choice(choices[:2] if "pow" in name else choices)
                attributes.append(f"{argument.name} = {text}")
            if argument.has_default_value():
                keywords[argument.name] = value
            else:
                values.append(value)
        self.name, self.attributes = "aten." + name, ", ".join(attributes)
        self.run(lambda: op(*values, **keywords))

    def run(self, call):
        self.error, self.results = None, []
        try:
            if self.scope:
                with torch.autocast("cpu", dtype=LP[self.scope]):
                    result = call()
            else:
                result = call()
        except Exception as error:
            self.error = str(error).split("\n")[0]
            return
        for value in result if isinstance(result, (tuple, list)) else [result]:
            self.results.append(NAMES.get(value.dtype, str(value.dtype)) if isinstance(value, torch.Tensor) else "i1")

    def text(self):
        arguments = ", ".join(f"%{i}: {t}" for i, t in enumerate(self.types))
        names = [f"%{i}" for i in range(len(self.types))]
        lines = []
        if self.scope:
            captures = ", ".join(f"%a{i} = %{i} : {t}" for i, t in enumerate(self.types))
            lines.append(f'amp.autocast device("cpu") dtype({self.scope}) ({captures}) {{')
            names = [f"%a{i}" for i in range(len(self.types))]
        count = max(1, len(self.results))
        result = "%r" if count == 1 else f"%r:{count}"
        types = ", ".join(["tensor<2x2xf32>"] * count)
        attributes = ", ".join(filter(None, [f'case = "{self.number}"', self.attributes]))
        lines.append(
            f'{result} = "{self.name}"({", ".join(names)}) {{{attributes}}} : ({", ".join(self.types)})'
            f' -> {types if count == 1 else "(" + types + ")"} loc("case {self.number}")'
        )
        if self.scope:
            lines += ["amp.yield", "}"]
        return f"func.func @f({arguments}) {{\n" + "\n".join(lines + ["return", "}"])

    def describe(self):
        scope = f" under autocast to {self.scope}" if self.scope else ""
        return f"{self.name}({', '.join(self.types)}) {{{self.attributes}}}{scope}"


def check_names():
    """Every rule names an op of torch, or one that torch had: names of the rules that do not."""
    folder = os.path.join(ROOT, "include", "amp", "Types")
    unknown = []
    for table, macros in (("AtenTypes.def", "ATEN|FIRST|EQUAL|FLOATS"), ("TypePromotion.def", "ELEMENTWISE")):
        with open(os.path.join(folder, table)) as file:
            names = re.findall(rf'^AMP_(?:{macros})\("([^"]+)"', file.read(), re.MULTILINE)
        for name in names:
            packet, _, overload = name.partition(".")
            if not hasattr(ATEN, packet) or (overload and overload not in getattr(ATEN, packet).overloads()):
                unknown.append(name)
    # Gone since torch 2.6, whose policies list them.
    return sorted(set(unknown) - {"cholesky", "qr"})


RESULT = re.compile(r'case = "(\d+)".*?\} : \(.*\) -> (.*?)(?: loc.*)?$')
ELEMENT = re.compile(r"tensor<2x2x([\w<>]+?)>(?=[,)]|$)")
ERROR = re.compile(r'error: loc\("case (\d+)"\): (.*)')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--amp-opt", default="amp-opt")
    parser.add_argument("--output", default=".")
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    unknown = check_names()
    if unknown:
        version = tuple(map(int, torch.__version__.split(".")[:2]))
        text = f"rules for ops that torch {torch.__version__} does not have: {', '.join(unknown)}"
        if version >= NEWEST:
            sys.exit(text)
        print(f"{text}; a later one does")
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    tables = [("by_shapes", list(products())), ("by_schema", list(elementwise()))]
    cases = []
    for number in range(options.cases):
        method, table = tables[number % 2]
        case = Case(number, rng, rng.choice([None, None, "bf16", "f16"]) if method == "by_shapes" else None)
        # Every op is drawn, and drawn as often as any other.
        getattr(case, method)(*table[(number // 2) % len(table)])
        cases.append(case)
    os.makedirs(options.output, exist_ok=True)
    path = os.path.join(options.output, "cases.mlir")
    with open(path, "w") as file:
        file.write("\n// -----\n".join(case.text() for case in cases))
    command = [options.amp_opt, path, "--allow-unregistered-dialect", "--split-input-file"]
    command += ["--amp-decide-precision=strict", "--amp-apply-precision"]
    done = subprocess.run(command, capture_output=True, text=True)
    errors = {int(m[1]): m[2] for m in map(ERROR.search, done.stderr.splitlines()) if m}
    results = {}
    for line in done.stdout.splitlines():
        match = RESULT.search(line)
        if match:
            results[int(match[1])] = ELEMENT.findall(match[2])
    counts, wrong = Counter(), []
    for case in cases:
        if case.scope and is_decomposed(case.name):
            counts["taken apart by torch before autocast"] += 1
        elif case.error and not is_type_error(case.error):
            counts["refused by torch for another reason"] += 1
        elif case.error:
            counts["errors"] += 1
            if case.number not in errors:
                wrong.append((case, f"torch: {case.error}; amp gives {results.get(case.number)}"))
        else:
            counts["types"] += 1
            if case.number in errors:
                wrong.append((case, f"torch gives {case.results}; amp: {errors[case.number]}"))
            elif results.get(case.number) != case.results:
                wrong.append((case, f"torch gives {case.results}; amp {results.get(case.number)}"))
    print(f"torch {torch.__version__}, seed {options.seed}: " + ", ".join(f"{n} {name}" for name, n in counts.items()))
    for case, what in wrong[: None if options.verbose else 40]:
        print(f"{case.describe()}: {what}")
    print(f"{len(wrong)} of {len(cases)} differ")
    sys.exit(1 if wrong or not counts["types"] or not counts["errors"] else 0)


if __name__ == "__main__":
    main()
