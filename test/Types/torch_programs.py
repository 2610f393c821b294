# Programs recorded under torch.autocast on a CUDA device, against what amp makes
# of them: the element type of every value, and torch's errors.
#
# Every op's result is written as f32; stages 1 to 4 then have to find out what it
# is. No recorded type is read before the comparison. Programs are written with
# regions, and again with enter and exit.
#
# RUN: %python %s %amp_src/test/Inputs/torch_programs.json --amp-opt amp-opt --output %t --forms regions,pairs
"""usage: torch_programs.py PROGRAMS.json [--amp-opt PATH] [--output FOLDER] [--verbose]"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter

# Strings of the record that are no schema names, as op, attributes, and, where it
# has operands that the record does not mention, where they stand:
# {position: type}. A list parameter comes with the sizes of all segments.
INDEX = "tensor<8x8xi64>"
ONE_INDEX = "tensor<8xi64>"
MASK = "tensor<8x8xi1>"
SPECIAL = {
    "aten.to.f16": ("aten.to.dtype", "dtype = f16", {}),
    "aten.to.bf16": ("aten.to.dtype", "dtype = bf16", {}),
    "aten.to.f32": ("aten.to.dtype", "dtype = f32", {}),
    "aten.to.f64": ("aten.to.dtype", "dtype = f64", {}),
    "aten.to.i32": ("aten.to.dtype", "dtype = i32", {}),
    "aten.to.i64": ("aten.to.dtype", "dtype = i64", {}),
    "aten.to.bool": ("aten.to.dtype", "dtype = i1", {}),
    "aten.linear.bias": ("aten.linear", "", {}),
    # The record shows an op that autocast does not promote: torch.linalg.cross.
    "aten.cross": ("aten.linalg_cross", "", {}),
    "aten.norm": ("aten.norm.Scalar", "p = 2 : i64", {}),
    "aten.add.Scalar": ("aten.add.Scalar", "other = 1 : i64", {}),
    "aten.sub.Scalar": ("aten.sub.Scalar", "other = 1 : i64", {}),
    "aten.mul.Scalar": ("aten.mul.Scalar", "other = 2 : i64", {}),
    "aten.div.Scalar": ("aten.div.Scalar", "other = 2 : i64", {}),
    "aten.add.Scalar_float": ("aten.add.Scalar", "other = 1.5 : f64", {}),
    "aten.sub.Scalar_float": ("aten.sub.Scalar", "other = 1.5 : f64", {}),
    "aten.mul.Scalar_float": ("aten.mul.Scalar", "other = 2.5 : f64", {}),
    "aten.div.Scalar_float": ("aten.div.Scalar", "other = 2.5 : f64", {}),
    "aten.add.Scalar_int": ("aten.add.Scalar", "other = 1 : i64", {}),
    "aten.mul.Scalar_int": ("aten.mul.Scalar", "other = 2 : i64", {}),
    "aten.pow.Tensor_Scalar": ("aten.pow.Tensor_Scalar", "exponent = 1.5 : f64", {}),
    "aten.clamp": ("aten.clamp", "min = 0 : i64, max = 1 : i64", {}),
    "aten.clamp_min": ("aten.clamp_min", "min = 0 : i64", {}),
    "aten.clamp_max": ("aten.clamp_max", "max = 1 : i64", {}),
    "aten.scatter_add": ("aten.scatter_add", "dim = 0 : i64", {1: INDEX}),
    "aten.scatter.src": ("aten.scatter.src", "dim = 0 : i64", {1: INDEX}),
    "aten.gather": ("aten.gather", "dim = 0 : i64", {1: INDEX}),
    "aten.index_add": ("aten.index_add", "dim = 0 : i64", {1: ONE_INDEX}),
    "aten.index_copy": ("aten.index_copy", "dim = 0 : i64", {1: ONE_INDEX}),
    "aten.index_select": ("aten.index_select", "dim = 0 : i64", {1: ONE_INDEX}),
    "aten.index_put": ("aten.index_put", "operandSegmentSizes = array<i32: 1, 1, 1>", {1: ONE_INDEX}),
    "aten.masked_fill.Scalar": ("aten.masked_fill.Scalar", "value = 0.0 : f64", {1: MASK}),
    "aten.masked_scatter": ("aten.masked_scatter", "", {1: MASK}),
    "aten.where.self": ("aten.where.self", "", {0: MASK}),
    "aten.nll_loss": ("aten.nll_loss", "", {1: ONE_INDEX}),
    "aten.cross_entropy_loss": ("aten.cross_entropy_loss", "", {1: ONE_INDEX}),
}
# An einsum, whatever its equation.
EINSUM = re.compile(r"aten\.einsum\.(.*)")

# What the record says of kernels that torch lacks: no business of types.
NO_KERNEL = re.compile(r'"\w+" not implemented for')


def tensor(dtype):
    return f"tensor<8x8x{dtype}>"


class Writer:
    """The text of one program. Values are numbered as in the record."""

    def __init__(self, number, program, structured):
        self.number = number
        self.program = program
        self.structured = structured
        self.lines = []

    def op(self, step, values, result):
        name = self.program["steps"][step]["op"]
        einsum = EINSUM.fullmatch(name)
        if einsum:
            name, attributes, extra = "aten.einsum", f'equation = "{einsum[1]}"', {}
        else:
            name, attributes, extra = SPECIAL.get(name, (name, "", {}))
        operands = [values[index] for index in self.program["steps"][step]["in"]]
        for position, kind in sorted(extra.items()):
            operands.insert(position, (self.extra[kind], kind))
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(kind for _, kind in operands)
        key = f"{self.number}.{step}"
        attributes = ", ".join(filter(None, [f'step = "{key}"', attributes]))
        self.lines.append(
            f'{result} = "{name}"({names}) {{{attributes}}} : ({types}) -> {tensor("f32")} loc("{key}")'
        )

    def steps(self, begin, end, values):
        """Writes steps begin to end; values is a list of (name, type) and grows."""
        step = begin
        while step != end:
            entry = self.program["steps"][step]
            if "op" in entry:
                if "error" not in entry or step == self.cut:
                    result = f"%v{step}_{len(values)}"
                    self.op(step, values, result)
                    values.append((result, tensor("f32")))
                step += 1
            elif "enter" in entry:
                close = self.match(step, end)
                if self.structured:
                    self.region(step, close, values)
                else:
                    self.pair(step, close, values)
                step = min(close + 1, end)
            else:
                raise ValueError(f"program {self.number}: step {step} leaves a region that is not open")

    def match(self, step, end):
        """The exit of the region that step enters; the end if the program is cut before it."""
        depth = 0
        for index in range(step, end):
            entry = self.program["steps"][index]
            if "enter" in entry:
                depth += 1
            elif "exit" in entry:
                # One exit may leave several regions.
                depth -= 1
            if depth == 0:
                return index
        return end

    def pair(self, step, close, values):
        state = self.program["steps"][step]["enter"]
        off = "" if state["enabled"] else " disabled"
        self.lines.append(f'%c{step} = amp.config device("cuda") dtype({state["dtype"]}){off}')
        self.lines.append(f"%t{step} = amp.enter %c{step}")
        self.steps(step + 1, close, values)
        self.lines.append(f"amp.exit %t{step}")

    def region(self, step, close, values):
        state = self.program["steps"][step]["enter"]
        head = len(self.lines)
        self.lines.append("")
        before = len(values)
        outer, outer_extra = list(values), self.extra
        inner = [(f"%a{step}_{index}", kind) for index, (_, kind) in enumerate(values)]
        self.extra = {kind: f"{name}_{step}" for kind, name in outer_extra.items()}
        captures = [f"{own} = {name} : {kind}" for (own, kind), (name, _) in zip(inner, values)]
        captures += [f"{self.extra[kind]} = {name} : {kind}" for kind, name in outer_extra.items()]
        captures = ", ".join(captures)
        self.steps(step + 1, close, inner)
        self.extra = outer_extra
        new = inner[before:]
        types = ", ".join(kind for _, kind in new)
        results = f"%r{step}" + (f":{len(new)}" if len(new) > 1 else "")
        off = "" if state["enabled"] else " disabled"
        self.lines[head] = (
            (f"{results} = " if new else "")
            + f'amp.autocast device("cuda") dtype({state["dtype"]}){off} results(propagate) ({captures})'
            + (f" -> ({types})" if new else "")
            + " {"
        )
        names = ", ".join(name for name, _ in new)
        self.lines.append(f"amp.yield {names} : {types}" if new else "amp.yield")
        self.lines.append("}")
        values[:] = outer + [
            (f"%r{step}" + (f"#{index}" if len(new) > 1 else ""), kind) for index, (_, kind) in enumerate(new)
        ]

    def function(self, cut=None):
        """The program without steps that torch refused; cut: the one that ends it."""
        self.cut = cut
        self.lines = []
        values = [(f"%i{index}", tensor(kind)) for index, kind in enumerate(self.program["inputs"])]
        self.extra = {INDEX: "%index", ONE_INDEX: "%one", MASK: "%mask"}
        arguments = values + [(name, kind) for kind, name in self.extra.items()]
        arguments = ", ".join(f"{name}: {kind}" for name, kind in arguments)
        end = len(self.program["steps"]) if cut is None else cut + 1
        self.steps(0, end, values)
        return f"func.func @p{self.number}({arguments}) {{\n" + "\n".join(self.lines) + "\nreturn\n}\n"


def run(amp_opt, path, passes):
    command = [amp_opt, path, "--allow-unregistered-dialect", "--mlir-print-debuginfo=false"] + passes
    return subprocess.run(command, capture_output=True, text=True)


# The written type of a result, by the step that an op is marked with.
RESULT = re.compile(r'"aten\.[^"]*"\(.*step = "(\d+\.\d+)".* -> tensor<8x8x([\w<>]+)>(?: loc.*)?$')
ERROR = re.compile(r'error: loc\("(\d+\.\d+)"\): (.*)')

SPELLINGS = {"i1": "bool", "ui8": "u8", "complex<f32>": "c64", "complex<f16>": "c32", "complex<f64>": "c128"}


def check_types(programs, structured, options, passes):
    path = os.path.join(options.output, f"programs-{'regions' if structured else 'pairs'}.mlir")
    with open(path, "w") as file:
        for number, program in enumerate(programs):
            file.write(Writer(number, program, structured).function())
    done = run(options.amp_opt, path, passes)
    if done.returncode:
        print(done.stderr[:4000])
        sys.exit(f"amp-opt fails on {path}")
    found = {}
    for line in done.stdout.splitlines():
        match = RESULT.search(line.strip())
        if match:
            if match[1] in found:
                sys.exit(f"step {match[1]} is there twice")
            found[match[1]] = SPELLINGS.get(match[2], match[2])
    wrong = Counter()
    checked = 0
    for number, program in enumerate(programs):
        bad = False
        for step, entry in enumerate(program["steps"]):
            if "out" not in entry:
                continue
            checked += 1
            got = found.get(f"{number}.{step}", "nothing")
            if got != entry["out"]:
                wrong[entry["op"]] += 1
                bad = True
                if options.verbose or sum(wrong.values()) <= 20:
                    print(f"program {number} step {step}: {entry['op']} gives {got}, but in torch {entry['out']}")
        wrong["programs"] += bad
    bad = wrong.pop("programs")
    print(f"{checked} values in {len(programs)} programs, {sum(wrong.values())} wrong in {bad} programs")
    for name, count in sorted(wrong.items()):
        print(f"  {count} of {name}")
    return not wrong and checked > 0


def check_errors(programs, structured, options, passes):
    path = os.path.join(options.output, f"errors-{'regions' if structured else 'pairs'}.mlir")
    expected, skipped = {}, Counter()
    with open(path, "w") as file:
        for number, program in enumerate(programs):
            for step, entry in enumerate(program["steps"]):
                if "error" not in entry:
                    continue
                if NO_KERNEL.search(entry["error"]):
                    skipped[entry["op"]] += 1
                    continue
                expected[f"{number}.{step}"] = entry
                file.write(Writer(number, program, structured).function(cut=step))
                file.write("\n// -----\n\n")
        file.write("func.func @end() {\nreturn\n}\n")
    done = run(options.amp_opt, path, ["--split-input-file"] + passes)
    found = {}
    for line in done.stderr.splitlines():
        match = ERROR.search(line)
        if match:
            found[match[1]] = match[2]
        elif "error:" in line:
            sys.exit(f"an error that is at no step: {line}")
    missing = [key for key in expected if key not in found]
    surplus = [key for key in found if key not in expected]
    for key in missing[: None if options.verbose else 20]:
        print(f"step {key}: {expected[key]['op']} is no error, but in torch: {expected[key]['error']}")
    for key in surplus[: None if options.verbose else 20]:
        print(f"step {key}: an error that torch does not have: {found[key]}")
    print(f"{len(expected)} errors, {len(missing)} not found, {len(surplus)} too many")
    if skipped:
        print("kernels that torch lacks, left out: " + ", ".join(f"{n} of {name}" for name, n in sorted(skipped.items())))
    return not missing and not surplus


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs")
    parser.add_argument("--amp-opt", default="amp-opt")
    parser.add_argument("--output", default=".")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--forms", default="regions")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    with open(options.programs) as file:
        programs = json.load(file)["programs"]
    good = True
    for form in options.forms.split(","):
        structured = form == "regions"
        rest = ["--amp-apply-precision", "--amp-promote-types", "--amp-resolve-promotions"]
        scopes = [] if structured else ["--amp-structurize-scopes"]
        good &= check_types(programs, structured, options, scopes + ["--amp-decide-precision"] + rest)
        good &= check_errors(programs, structured, options, scopes + ["--amp-decide-precision=strict"] + rest)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
