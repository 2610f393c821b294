#!/usr/bin/env python3
"""Writes include/amp/Types/TypePromotion.def from the promotion data of torch.

usage: generate_type_promotion.py [--data FILE] [--output FILE]

The data (test/Inputs/type_promotion.json) was recorded from torch itself. The
table that the library compiles in is made from it, and committed; a test makes
it again and compares.
"""

import argparse
import json
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

HEADER = """\
// Promotion of element types in torch, as data: made by
// scripts/generate_type_promotion.py from test/Inputs/type_promotion.json. Do
// not edit.
//
//   AMP_DTYPE(name, spelling)             the types, in the order of all tables
//   AMP_PROMOTE(type, result...)          promote_types with every type
//   AMP_CAN_CAST(type, allowed...)        whether a result may be stored as every type
//   AMP_COMPLEX_OF(real, complex)         the complex type with parts like `real`
//   AMP_REAL_OF(complex, real)            the type of the parts
//   AMP_KIND(kind, type, compute, result) what an op of a kind makes of a promoted type
//   AMP_ELEMENTWISE(op, kind, operands)   the kind of an op, and which of its tensors promote

"""

MACROS = ["DTYPE", "PROMOTE", "CAN_CAST", "COMPLEX_OF", "REAL_OF", "KIND", "ELEMENTWISE"]


def generate(data):
    dtypes = data["dtypes"]
    lines = []
    for macro in MACROS:
        lines += [f"#ifndef AMP_{macro}", f"#define AMP_{macro}(...)", "#endif"]
    lines.append("")
    lines += [f'AMP_DTYPE({name.upper()}, "{name}")' for name in dtypes]
    lines.append("")
    for row in dtypes:
        results = ["DType::" + data["promote_types"][row][column].upper() for column in dtypes]
        lines.append(f"AMP_PROMOTE({row.upper()}, {', '.join(results)})")
    lines.append("")
    for row in dtypes:
        allowed = ["true" if column in data["can_cast_to"][row] else "false" for column in dtypes]
        lines.append(f"AMP_CAN_CAST({row.upper()}, {', '.join(allowed)})")
    lines.append("")
    for macro, table in (("COMPLEX_OF", "corresponding_complex"), ("REAL_OF", "corresponding_real")):
        lines += [f"AMP_{macro}({key.upper()}, {value.upper()})" for key, value in data[table].items()]
    lines.append("")
    for kind, table in data["promotion_kinds_unary"].items():
        for name, types in table.items():
            lines.append(f"AMP_KIND({kind}, {name.upper()}, {types['compute'].upper()}, {types['result'].upper()})")
    lines.append("")
    for name, entry in data["ops"].items():
        operands = ",".join(map(str, entry["promoting_args"]))
        lines.append(f'AMP_ELEMENTWISE("{name}", {entry["kind"]}, "{operands}")')
    lines.append("")
    lines += [f"#undef AMP_{macro}" for macro in MACROS]
    return HEADER + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.path.join(ROOT, "test", "Inputs", "type_promotion.json"))
    parser.add_argument("--output", default=os.path.join(ROOT, "include", "amp", "Types", "TypePromotion.def"))
    arguments = parser.parse_args()
    with open(arguments.data) as file:
        text = generate(json.load(file))
    with open(arguments.output, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
