#!/usr/bin/env python3
"""Prints how many tests that require a lit feature ran, from lit's --output file.

Usage: feature_totals.py FEATURE LIT_JSON TEST_ROOT. Exits with 1 when none ran.
"""
import json
import pathlib
import re
import sys

RAN = {"PASS", "XFAIL", "FLAKYPASS", "FAIL", "XPASS", "UNRESOLVED", "TIMEOUT"}


def main():
    feature, lit_json, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    requires = re.compile(rf"REQUIRES:.*\b{re.escape(feature)}(?![\w-])")
    ran = skipped = 0
    for test in json.loads(lit_json.read_text())["tests"]:
        path = root / test["name"].split(" :: ", 1)[1]
        if not path.is_file() or not requires.search(path.read_text(errors="replace")):
            continue
        if test["code"] in RAN:
            ran += 1
        else:
            skipped += 1
    print(f"{feature}: {ran} tests ran, {skipped} did not")
    return 0 if ran else 1


if __name__ == "__main__":
    sys.exit(main())
