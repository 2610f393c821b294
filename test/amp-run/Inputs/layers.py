"""Writes the inputs of attribute-error.mlir to argv[1].npz: numbers of f32 without signs, so
that no sum cancels; the products of the first layer are beyond f16."""
import sys

import numpy as np

random = np.random.default_rng(1)
def draw(rows, scale):
    return (random.uniform(0.5, 1.5, (rows, 8)) * scale).astype(np.float32)

x, w1, w2, w3 = draw(4, 1), draw(8, 2.0**14), draw(8, 2.0**-17), draw(8, 1)
assert np.max(w1) < 65504 < np.min(x.astype(np.float64) @ w1)
assert np.min(w2) > 2.0**-24
np.savez(sys.argv[1] + ".npz", x=x, w1=w1, w2=w2, w3=w3)
