"""What a profile should say of arrays: NumPy in f64, one sample at a time.

Also the checks that the tests of calibration share.
"""
import json
import subprocess
import sys

import numpy as np


def run(*command):
    """The finished process, whose output is text; any exit code."""
    return subprocess.run(command, capture_output=True, text=True)


def run_ok(*command):
    """Standard output; ends the test if the command fails."""
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def find(profile, name, op=None):
    """The only entry with that name, and that op if one is given."""
    found = [v for v in profile["values"] if v["name"] == name and op in (None, v["op"])]
    if len(found) != 1:
        sys.exit(f"expected one entry {name}, found {len(found)} of {[v['name'] for v in profile['values']]}")
    return found[0]


def expected(arrays):
    """The fields of an entry for arrays of f64, all of one rank."""
    x = np.concatenate([a.reshape(-1) for a in arrays]).astype(np.float64)
    finite = x[np.isfinite(x)]
    nonzero = np.abs(finite[finite != 0])
    result = {
        "observations": len(arrays),
        "min_shape": [int(min(s)) for s in zip(*(a.shape for a in arrays))],
        "max_shape": [int(max(s)) for s in zip(*(a.shape for a in arrays))],
        "count": x.size,
        "nan": int(np.isnan(x).sum()),
        "inf": int(np.isinf(x).sum()),
        "zero": int((x == 0).sum()),
        "subnormal": int((nonzero < 2.0**-126).sum()),
    }
    if finite.size:
        # Zero has no sign in a profile.
        result["min"] = float(finite.min()) + 0.0
        result["max"] = float(finite.max()) + 0.0
    if nonzero.size:
        result["absmin"] = float(nonzero.min())
    # frexp gives [0.5, 1) times a power of two.
    exponents, counts = np.unique(np.frexp(nonzero)[1] - 1, return_counts=True)
    result["log2"] = {str(e): int(c) for e, c in zip(exponents, counts)}
    return result


def check(entry, arrays):
    """Ends the test if the entry does not say what NumPy says."""
    for field, value in expected(arrays).items():
        if entry[field] != value:
            sys.exit(f"{entry['name']}: {field}: expected {value}, found {entry[field]}")
    for field in ("min", "max", "absmin"):
        if field in entry and field not in expected(arrays):
            sys.exit(f"{entry['name']}: {field} is there without a meaning")
