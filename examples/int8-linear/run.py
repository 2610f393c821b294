#!/usr/bin/env python3
"""Quantises a linear layer, runs it with amp-run, and compares every byte with NumPy's integer arithmetic.

    run.py --amp-run build/bin/amp-run

It also says how far the quantised layer is from the f32 one, in steps of the output.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, IN, OUT, ZERO_POINT = 37, 64, 32, -3


def fixed_point(scale):
    """(multiplier, shift) with multiplier / 2^shift near `scale` and 2^30 <= multiplier < 2^31."""
    fraction, exponent = np.frexp(scale)
    multiplier = np.round(fraction * 2.0**31).astype(np.int64)
    carry = multiplier == 2**31
    multiplier[carry] //= 2
    return multiplier.astype(np.int32), (31 - exponent - carry).astype(np.int32)


def reference(x, w, bias, multiplier, shift):
    """What linear.mlir says, in NumPy's integers."""
    acc = x.astype(np.int32) @ w.astype(np.int32).T + bias
    half = np.int64(1) << (shift.astype(np.int64) - 1)
    scaled = (acc.astype(np.int64) * multiplier + half) >> shift.astype(np.int64)
    return np.clip(scaled + ZERO_POINT, -128, 127).astype(np.int8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--amp-run", default=os.path.join(HERE, "..", "..", "build", "bin", "amp-run"))
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    real_x = rng.standard_normal((ROWS, IN))
    real_w = rng.standard_normal((OUT, IN)) * rng.uniform(0.2, 3, (OUT, 1))
    real_b = rng.standard_normal(OUT)
    scale_x = np.abs(real_x).max() / 127
    scale_w = np.abs(real_w).max(axis=1) / 127
    real_y = real_x @ real_w.T + real_b
    scale_y = np.abs(real_y).max() / 127
    x = np.round(real_x / scale_x).astype(np.int8)
    w = np.round(real_w / scale_w[:, None]).astype(np.int8)
    bias = np.round(real_b / (scale_x * scale_w)).astype(np.int32)
    multiplier, shift = fixed_point(scale_x * scale_w / scale_y)
    # A row of extremes, and channels that saturate on both sides.
    x[0], w[0], w[1] = -128, -128, 127
    bias[2], bias[3] = 2**30, -(2**30)
    inputs = {"x": x, "w": w, "bias": bias, "multiplier": multiplier, "shift": shift}
    with tempfile.TemporaryDirectory() as folder:
        path, output = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
        np.savez(path, **inputs)
        subprocess.run([args.amp_run, os.path.join(HERE, "linear.mlir"), "--weights=" + path, "--output=" + output], check=True)
        with np.load(output) as file:
            y = file["y"]
    want = reference(**inputs)
    if y.dtype != np.int8 or not np.array_equal(y, want):
        print(f"{np.count_nonzero(y != want)} of {want.size} bytes differ")
        return 1
    print(f"all {want.size} bytes equal NumPy's; {np.count_nonzero(np.abs(want.astype(int)) >= 127)} saturated")
    steps = np.abs((want.astype(int) - ZERO_POINT)[1:, 4:] - real_y[1:, 4:] / scale_y)
    inside = np.abs(want.astype(int))[1:, 4:] < 127
    print(f"against f32: at most {steps[inside].max():.2f} steps of the output away")
    return 0


if __name__ == "__main__":
    sys.exit(main())
