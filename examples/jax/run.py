#!/usr/bin/env python3
"""Compiles a model of JAX, in f32 and under bf16 autocast, with its weights in the library, and compares it with what JAX computes.

    run.py --build build

The model reads a picture (convolutions, with a norm and a residual), goes over its rows with a recurrent cell (lax.scan), and draws another picture
(transposed convolutions).
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.dirname(os.path.abspath(__file__))]

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from to_linalg import to_linalg  # noqa: E402

LAYOUT = ("NHWC", "HWIO", "NHWC")


def model(weights, picture):
    w = weights
    x = jax.nn.relu(jax.lax.conv_general_dilated(picture, w["read"], (2, 2), "SAME", dimension_numbers=LAYOUT))
    y = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    x = x + jax.nn.gelu(y @ w["up"]) @ w["down"]

    def step(state, row):
        state = jnp.tanh(row @ w["in"] + state @ w["again"])
        return state, state
    _, rows = jax.lax.scan(step, jnp.zeros((x.shape[0], 64)), x.reshape(x.shape[0], 16, -1).swapaxes(0, 1))
    x = rows.swapaxes(0, 1).reshape(x.shape[0], 4, 16, 16)
    x = jax.nn.relu(jax.lax.conv_transpose(x, w["draw"], (2, 2), "SAME", dimension_numbers=LAYOUT))
    return jax.nn.sigmoid(jax.lax.conv_transpose(x, w["paint"], (2, 2), "SAME", dimension_numbers=LAYOUT))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder of amp (default: build)")
    args = parser.parse_args()
    import amp_runtime
    rng = np.random.default_rng(0)
    shapes = {"read": (3, 3, 3, 32), "up": (32, 128), "down": (128, 32), "in": (512, 64), "again": (64, 64), "draw": (4, 4, 16, 32), "paint": (4, 4, 32, 3)}
    weights = {name: (rng.standard_normal(shape) * np.prod(shape[:-1]) ** -0.5).astype(np.float32) for name, shape in shapes.items()}
    picture = rng.standard_normal((2, 32, 32, 3)).astype(np.float32)
    want = np.asarray(jax.jit(model)(weights, picture))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(to_linalg(model, weights, picture))
        # Weights are put into the library, by their positions among the arguments.
        np.savez(os.path.join(folder, "weights.npz"), *jax.tree.leaves(weights))
        for autocast, bound in (("off", 1e-5), ("bf16", 2e-2)):
            library = os.path.join(folder, f"{autocast}.so")
            subprocess.run([os.path.join(args.build, "bin", "amp-compile"), path, "-o", library, f"--autocast={autocast}",
                            f"--weights={os.path.join(folder, 'weights.npz')}"], check=True)
            error = np.abs(amp_runtime.load(library).main(picture) - want).max()
            print(f"{autocast}: {error:.1e} from JAX's f32")
            if not error < bound:
                sys.exit(f"run.py: error: {autocast} differs from JAX by {error:.1e}, more than {bound}")


if __name__ == "__main__":
    main()
