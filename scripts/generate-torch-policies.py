#!/usr/bin/env python3
"""Writes lib/Policy/TorchPolicies.inc from lib/Policy/TorchPolicies.json.

Usage: generate-torch-policies.py JSON [-o INC]; without -o, to the standard
output. Each set becomes a flat list: the overloads that torch registers, the
composites that take the policy of an op inside them, and the ops of upstream's
dialects that compute the same. Says what is wrong, and exits with 1, for a
list with an op twice, a category that does not exist, or a composite or
equivalent of an op that no set lists.
"""
import argparse
import json
import sys
import textwrap

CATEGORIES = ["lower_precision_fp", "fp32", "fp32_set_opt_dtype", "fp32_append_dtype", "promote", "banned"]
CLASSES = {"contraction": "Contraction", "convolution": "Convolution", "reduction": "Reduction", "normalization": "Normalization"}


def fail(message):
    sys.exit(f"generate-torch-policies.py: {message}")


def entries_of(name, data, device):
    """The policies that torch registers: op name -> category."""
    found = {}
    skipped = data.get("not_on", {}).get(device, [])
    for key, ops in data.items():
        if key in ("devices", "extends", "all_overloads", "not_on"):
            continue
        if key not in CATEGORIES:
            fail(f"set {name}: there is no category '{key}'")
        for op in ops:
            if op in found:
                fail(f"set {name} lists {op} twice")
            if op not in skipped:
                found[op] = key
    return found


def lookup(entries, op, all_overloads):
    """The category of an overload in a set, or None."""
    if not all_overloads:
        return entries.get(op)
    return entries.get(".".join(op.split(".")[:2]))


def flatten(entries, data, all_overloads):
    """All names of a set: op name -> policy; and its classes."""
    names = {op + ".*" if all_overloads else op: policy for op, policy in entries.items()}
    composites = data["composites"]
    # TorchScript's pass sees the graph before ops decompose.
    for op, inner in composites["ops"].items() if not all_overloads else ():
        # A composite may be one of another composite.
        while inner not in entries and inner in composites["ops"]:
            inner = composites["ops"][inner]
        policy = entries.get(inner)
        if policy in ("fp32_set_opt_dtype", "fp32_append_dtype") and op not in composites["takes_dtype"]:
            policy = "fp32"
        if policy:
            names.setdefault(op, policy)
    for op, aten in data["equivalents"]["ops"].items():
        policy = lookup(entries, aten, all_overloads)
        if policy:
            names[op] = policy
    classes = {}
    for key, aten in data["equivalents"]["classes"].items():
        policy = lookup(entries, aten, all_overloads)
        if policy:
            classes[CLASSES[key]] = policy
    return names, classes


def generate(data):
    known = set()
    for name, content in data["sets"].items():
        for device in content["devices"]:
            known |= {".".join(op.split(".")[:2]) for op in entries_of(name, content, device)}
    for table in ("composites", "equivalents"):
        for op, aten in data[table]["ops"].items():
            inner = data["composites"]["ops"].get(aten, aten)
            if ".".join(inner.split(".")[:2]) not in known:
                fail(f"{table}: {op} stands for {aten}, which no set lists")
    macros = ["AMP_APPEND_DTYPE", "AMP_BANNED_ADVICE", "AMP_POLICY_SET", "AMP_POLICY_CLASS", "AMP_POLICY_NAMES"]
    lines = ["// Written by scripts/generate-torch-policies.py from TorchPolicies.json: do not edit.", ""]
    for macro in macros:
        lines += [f"#ifndef {macro}", f"#define {macro}(...)", "#endif"]
    lines.append("")
    for op, overload in data["append_dtype"].items():
        if op != "about":
            lines.append(f'AMP_APPEND_DTYPE("{op}", "{overload}")')
    for op, advice in data["banned_advice"].items():
        text = "\\n".join(advice)
        lines.append(f'AMP_BANNED_ADVICE("{op}", "{text}")')

    def emit(name, device, base, names, classes):
        lines.append("")
        lines.append(f'AMP_POLICY_SET("{name}", "{device}", "{base}")')
        for key in CLASSES.values():
            if key in classes:
                lines.append(f'AMP_POLICY_CLASS("{name}", "{device}", {key}, {classes[key]})')
        for policy in CATEGORIES:
            ops = [f'"{op}"' for op in sorted(names) if names[op] == policy]
            if not ops:
                continue
            text = f'AMP_POLICY_NAMES("{name}", "{device}", {policy}, {", ".join(ops)})'
            lines.extend(textwrap.wrap(text, 150, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))

    for name, content in data["sets"].items():
        for device in content["devices"]:
            entries = entries_of(name, content, device)
            emit(name, device, "", *flatten(entries, data, content.get("all_overloads", False)))
    for name, content in data["later_sets"].items():
        if name == "about":
            continue
        base = data["sets"][content["extends"]]
        device, = base["devices"]
        emit(name, device, content["extends"], entries_of(name, content, device), {})
    lines += [""] + [f"#undef {macro}" for macro in macros]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json")
    parser.add_argument("-o", dest="output")
    arguments = parser.parse_args()
    with open(arguments.json) as file:
        text = generate(json.load(file))
    if not arguments.output:
        sys.stdout.write(text)
        return
    with open(arguments.output, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
