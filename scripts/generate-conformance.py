#!/usr/bin/env python3
"""Writes lit files from test/Conformance/Inputs/op-lists.txt.

Usage: generate-conformance.py TABLE SECTION [-o FILE]; SECTION is the name of a
file that the table has (with several types, "-TYPE" behind). The table says what torch does; what it says becomes both the
op of a test and its CHECK, so that nothing comes from the output of amp.
"""
import argparse
import re
import sys

HEADER = """// {what}
// Written by scripts/generate-conformance.py from Inputs/op-lists.txt: do not edit.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \\
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s
"""
WHAT = {"C-op-lists-lower": "Section C: the op lists of torch's CUDA autocast tests, promotion and lower precision.",
        "C-op-lists-fp32": "Section C: the op lists of torch's CUDA autocast tests, f32 and autocast's promotion.",
        "D-op-lists-bf16": "Section D: the op lists of torch's CPU autocast tests, under bf16.",
        "D-op-lists-f16": "Section D: the op lists of torch's CPU autocast tests, under f16."}


def fail(line, message):
    sys.exit(f"generate-conformance.py: {message}: {line}")


def tensor(text, lower, element=None):
    """tensor<8x8xf32> for f32[8x8], with another element type if wanted."""
    match = re.fullmatch(r"(\w+)(?:\[([0-9x]*)\])?", text)
    own, shape = match.groups()
    own = element or own
    own = lower if own == "LP" else own
    if shape is None:
        return own
    return f"tensor<{shape}x{own}>" if shape else f"tensor<{own}>"


def split(text):
    return [part.strip() for part in text.split(",")] if text.strip() else []


def section(text, device, lower, row):
    fields = [field.strip() for field in row.split("|")]
    if len(fields) != 8:
        fail(row, f"expected 8 fields, found {len(fields)}")
    number, case, op, operands, attributes, results, taken, given = fields
    op, _, applied = (part.strip() for part in op.partition(">"))
    operands, results, taken, given = split(operands), split(results), taken.split(), given.split()
    if len(operands) != len(taken) or len(results) != len(given):
        fail(row, "a type is missing")
    plus = attributes.endswith("+ dtype")
    shown = attributes.removesuffix("+ dtype").strip()
    name = re.sub(r"\W", "_", op.replace("torch.aten.", "").replace("aten.", ""))
    before = [tensor(type, lower) for type in operands]
    after = [tensor(type, lower, element) for type, element in zip(operands, taken)]
    declared = [tensor(type, lower) for type in results]
    final = [tensor(type, lower, element) for type, element in zip(results, given)]
    parameters = ", ".join(f"%a{index}: {type}" for index, type in enumerate(before))
    captures = ", ".join(f"%x{index} = %a{index} : {type}" for index, type in enumerate(before))
    values = ", ".join(f"%x{index}" for index in range(len(before)))
    types = lambda list: list[0] if len(list) == 1 else f"({', '.join(list)})"
    checked = "{{.*}}dtype = f32{{.*}}" if plus else "{{.*}}"
    out = ["", "// -----", ""] if text else [""]
    out.append(f"// {number}. {case}")
    function = f"@case_{number}_{name}"
    out.append(f"// CHECK-LABEL: func.func {function}(")
    out.append(f'// CHECK: "{applied or op}"({{{{.*}}}}){checked} : ({", ".join(after)}) -> {types(final)}')
    out.append(f"func.func {function}({parameters}) -> ({', '.join(declared)}) {{")
    many = f":{len(declared)}" if len(declared) > 1 else ""
    uses = ", ".join(f"%r#{i}" for i in range(len(declared))) if many else "%r"
    leaves = ", ".join(f"%s#{i}" for i in range(len(declared))) if many else "%s"
    out.append(f'  %s{many} = amp.autocast device("{device}") dtype({lower}) ({captures}) -> ({", ".join(declared)}) {{')
    braces = f" {{{shown}}}" if shown else ""
    out.append(f'    %r{many} = "{op}"({values}){braces} : ({", ".join(before)}) -> {types(declared)}')
    out.append(f"    amp.yield {uses} : {', '.join(declared)}")
    out.append("  }")
    out.append(f"  return {leaves} : {', '.join(declared)}")
    out.append("}")
    return out


def generate(table, wanted):
    out, device, files = [], "", {}
    for line in table.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("="):
            name, device, *types = line[1:].split()
            files = {f"{name}-{type}" if len(types) > 1 else name: type for type in types}
            continue
        if wanted in files:
            out += section(out, device, files[wanted], line)
    if not out:
        sys.exit(f"generate-conformance.py: the table has no section {wanted}")
    return HEADER.format(what=WHAT[wanted]) + "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table")
    parser.add_argument("section")
    parser.add_argument("-o", dest="output")
    arguments = parser.parse_args()
    with open(arguments.table) as file:
        text = generate(file.read(), arguments.section)
    if not arguments.output:
        sys.stdout.write(text)
        return
    with open(arguments.output, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
