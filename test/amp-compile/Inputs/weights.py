"""Writes the weights of weights.mlir, or checks a library with them inside."""
import os
import re
import sys

import numpy as np

# 1 + 2^-11 rounds to 1 in f16, and the products are exact in f32.
W = np.array([[1 + 2**-11, 2, 3], [4, 5, 6]], np.float32)
MASK = np.array([True, True, False])


def write(folder):
    rest = {"mask": MASK, "scale": np.array(0.5, np.float32)}
    np.savez(os.path.join(folder, "w.npz"), w=W, **rest)
    np.savez(os.path.join(folder, "f64.npz"), w=W.astype(np.float64), other=W, **rest)


def check(path, kind):
    import amp_runtime

    model = amp_runtime.load(path)
    assert [value.name for value in model.main.arguments] == ["x"]
    assert [value["name"] for value in model.manifest["functions"][0]["weights"]] == ["w", "mask", "scale"]
    y = model(np.array([[1, 0], [0, 2], [1, 1]], np.float32))
    assert y.dtype == (np.float16 if kind == "propagate" else np.float32)
    first = W[0, 0] if kind == "f32" else 1
    assert y.tolist() == [[first / 2, 1, 0], [4, 5, 0], [(first + 4) / 2 if kind == "f32" else 2.5, 3.5, 0]], y


def processor(path, name):
    import amp_runtime

    with open("/proc/cpuinfo") as file:
        has = name in file.read().replace("_", "")
    try:
        amp_runtime.load(path)
        assert has, "the model was not refused"
    except amp_runtime.ModelError as error:
        assert not has, error
        # The first that lacks is named, which may be one that `name` needs.
        found = re.search("is compiled for a processor with ([a-z0-9-]+), which this one lacks", str(error))
        assert found and found[1].startswith(name[:6]), error


{"write": write, "check": check, "processor": processor}[sys.argv[1]](*sys.argv[2:])
