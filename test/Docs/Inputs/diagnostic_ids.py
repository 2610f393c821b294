"""Compares the ids of diagnostics in the code with those in docs/diagnostics*.md.

Usage: diagnostic_ids.py ROOT. Every id of Diagnostics.def must be emitted by
some source, have a section with the same title, and an example that shows it;
and no section may be of an id that does not exist.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
table = (root / "include/amp/Dialect/AMP/IR/Diagnostics.def").read_text()
defined = dict(re.findall(r'^AMP_DIAGNOSTIC\((\w+), "([^"]*)"\)$', table, re.MULTILINE))
page = "\n".join(path.read_text() for path in sorted((root / "docs").glob("diagnostics*.md")))
sections = re.split(r"^### AMP-", page, flags=re.MULTILINE)[1:]
documented = {}
mistakes = []
for section in sections:
    title, _, text = section.partition("\n")
    code, _, words = title.partition(": ")
    if code in documented:
        mistakes.append(f"AMP-{code} has two sections")
    documented[code] = words
    if f"[AMP-{code}]" not in text:
        mistakes.append(f"no example in the section of AMP-{code} expects [AMP-{code}]")
    for word in ("Cause:", "Cure:"):
        if word not in text:
            mistakes.append(f"the section of AMP-{code} has no '{word}'")
sources = "".join(
    path.read_text()
    for folder in ("lib", "tools")
    for path in sorted((root / folder).rglob("*.cpp"))
)
for code, words in defined.items():
    if code not in documented:
        mistakes.append(f"AMP-{code} has no section in docs/diagnostics*.md")
    elif documented[code] != words:
        mistakes.append(f"AMP-{code} is '{words}' in the code, but '{documented[code]}' in the docs")
    if not re.search(rf"\bDiagnosticId::{code}\b", sources):
        mistakes.append(f"no source emits AMP-{code}")
for code in documented:
    if code not in defined:
        mistakes.append(f"AMP-{code} is documented, but not in the code")
print("\n".join(mistakes) or f"{len(defined)} diagnostics agree")
sys.exit(1 if mistakes or not defined else 0)
