"""Counts casts and bytes in an MLIR module in generic form.

The printer of MLIR's generic form (`amp-opt --mlir-print-op-generic`) puts an
operation without regions on one line, and one with regions on a first line that
ends in `({` and a last line that starts with `})`. That is all that is used here.

Bytes, by one rule: a tensor counts where it is written, with its own element
type, but a value that only casts read counts as what it is cast to. Reshapes are
views of what they reshape; `tensor.empty`, fills, constants and the dimensions
of a tensor count nothing. The form of a function argument counts as weights.
"""
import re

BITS = {"index": 64, "bf16": 16, "tf32": 32}
VIEWS = ("tensor.collapse_shape", "tensor.expand_shape", "tensor.cast", "tensor.reshape", "tosa.reshape")
NO_BYTES = ("tensor.empty", "linalg.fill", "arith.constant", "tosa.const", "tosa.const_shape")
CASTS = ("amp.cast", "amp.promote")


def bytes_of(text, dynamic):
    """Bytes of a type such as `tensor<?x64xf16>`; 0 for what is not a tensor.

    A dimension that is not known counts as `dynamic`.
    """
    match = re.match(r"tensor<((?:(?:\d+|\?)x)*)([A-Za-z]\w*)", text)
    if not match:
        return 0
    element = match.group(2)
    digits = re.search(r"\d+", element)
    bits = BITS.get(element) or (int(digits.group()) if digits else 64)
    count = 1
    for dim in match.group(1).split("x")[:-1]:
        count *= dynamic if dim == "?" else int(dim)
    return count * bits // 8


def split_types(text):
    """Splits `T, T` at the commas that are in no bracket."""
    parts, depth, last = [], 0, 0
    for i, char in enumerate(text):
        if char in "<([{":
            depth += 1
        elif char in ")]}" or (char == ">" and text[i - 1] != "-"):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    parts.append(text[last:].strip())
    return [part for part in parts if part]


class Op:
    """One operation: its name, operand names, result names and result types."""

    def __init__(self, line):
        head = re.match(r'(?:%([\w#$.-]+)(?::(\d+))? = )?"([\w.$-]+)"\(([^)]*)\)', line)
        if not head:
            raise ValueError(f"not an operation in generic form: {line[:120]}")
        name, count, self.name, operands = head.groups()
        self.operands = [operand.strip().lstrip("%") for operand in operands.split(",") if operand.strip()]
        self.results = [] if name is None else [name] if count is None else [f"{name}#{i}" for i in range(int(count))]
        self.types = []

    def close(self, line):
        """Takes the result types from the line that ends the operation."""
        result = line[line.rindex(" -> ") + 4 :].strip()
        self.types = split_types(result[1:-1] if result.startswith("(") else result)
        if len(self.types) != len(self.results) and self.results:
            raise ValueError(f"{len(self.results)} results but {len(self.types)} types: {line[-120:]}")


def function_body(text, entry):
    """The arguments, as (name, type), and the outermost operations of a function."""
    arguments, ops, stack, inside = None, [], [], None
    for line in (raw.strip() for raw in text.splitlines()):
        if line.startswith("^"):
            if inside is not None and len(stack) == inside and arguments is None:
                pairs = split_types(line[line.index("(") + 1 : line.rindex(")")]) if "(" in line else []
                arguments = [tuple(pair.lstrip("%").split(": ", 1)) for pair in pairs]
        elif line.startswith("})"):
            op = stack.pop()
            op.close(line)
            if inside is not None and len(stack) < inside:
                inside = None
        elif re.match(r'(%\S+ = )?"', line):
            op = Op(line)
            if inside is not None and len(stack) == inside:
                ops.append(op)
            if line.endswith("({"):
                stack.append(op)
                if op.name == "func.func" and f'sym_name = "{entry}"' in line:
                    inside = len(stack)
            else:
                op.close(line)
    if not ops:
        raise ValueError(f"no function @{entry} in the module")
    return arguments or [], ops


def count(text, weights, batch, entry="main"):
    """Returns (casts, bytes of weights, bytes of activations) of a function.

    `weights` are the positions of the arguments that are weights; `batch` is what
    a dynamic dimension counts as.
    """
    arguments, ops = function_body(text, entry)
    kinds = {name: type_ for name, type_ in arguments}
    root = {name: name for name in kinds}
    source = {name: position in weights for position, (name, _) in enumerate(arguments)}
    read, narrowed, counted = set(), {}, []
    casts = 0
    for op in ops:
        roots = [root[operand] for operand in op.operands]
        for position, (result, type_) in enumerate(zip(op.results, op.types)):
            kinds[result] = type_
            root[result] = roots[0] if op.name in VIEWS and roots else result
            source[result] = op.name in CASTS and source[roots[position]]
        if op.name in CASTS:
            for result, origin in zip(op.results, roots):
                casts += kinds[result] != kinds[origin] or op.name == "amp.cast"
                narrowed.setdefault(origin, []).append(result)
        elif op.name not in VIEWS and op.name != "tensor.dim":
            read.update(roots)
        if op.name not in VIEWS + NO_BYTES:
            counted += op.results
    counted += [name for name, _ in arguments if source[name]]
    total = {True: 0, False: 0}
    for name in counted:
        if name in read or name not in narrowed:
            total[source[name]] += bytes_of(kinds[name], batch)
    return casts, total[True], total[False]
