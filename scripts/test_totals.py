#!/usr/bin/env python3
"""Prints the totals of a lit --output file and a ctest --output-junit file.

The last line is `total: N passed, N failed`. Exits with 1 when a test failed, when no
test ran, or when lit's file is missing.
"""
import collections
import json
import pathlib
import sys
import xml.etree.ElementTree

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
FAILED = {"FAIL", "XPASS", "UNRESOLVED", "TIMEOUT"}


def lit_totals(path):
    """Returns (passed, failed, skipped) of a lit JSON file."""
    codes = collections.Counter(test["code"] for test in json.loads(path.read_text())["tests"])
    passed = sum(codes[code] for code in PASSED)
    failed = sum(codes[code] for code in FAILED)
    return passed, failed, sum(codes.values()) - passed - failed


def ctest_totals(path):
    """Returns (passed, failed, skipped) of a JUnit file."""
    states = collections.Counter()
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        states[case.get("status")] += 1
    skipped = states["notrun"] + states["disabled"]
    return states["run"], sum(states.values()) - states["run"] - skipped, skipped


def main():
    lit_path, ctest_path = map(pathlib.Path, sys.argv[1:3])
    if not lit_path.exists():
        print(f"error: lit left no {lit_path}: it did not run to its end", file=sys.stderr)
        return 1
    total_passed = total_failed = 0
    sources = [("lit", lit_totals, lit_path)]
    if ctest_path.exists():
        sources.append(("ctest", ctest_totals, ctest_path))
    for name, totals, path in sources:
        passed, failed, skipped = totals(path)
        print(f"{name}: {passed} passed, {failed} failed, {skipped} unsupported or skipped")
        total_passed += passed
        total_failed += failed
    print(f"total: {total_passed} passed, {total_failed} failed")
    return 1 if total_failed or not total_passed else 0


if __name__ == "__main__":
    sys.exit(main())
