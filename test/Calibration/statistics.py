# RUN: %python %s %t %amp_obj/bin/amp-run
"""Profiles of random and nasty numbers of every float type are what NumPy says.

Oracle: NumPy on the same numbers as f64, which holds all of f16, bf16 and f32
exactly. Bound: none, every field is equal.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, amp_run = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(5)


def bf16_to_f64(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def make(kind, shape):
    """Bits with all patterns, then the nasty ones: (array for the file, f64)."""
    width = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[kind]
    unsigned = {16: np.uint16, 32: np.uint32, 64: np.uint64}[width]
    bits = rng.integers(0, 2**width, shape, dtype=unsigned)
    mantissa = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[kind]
    infinity = ((1 << (width - 1)) - 1) >> mantissa << mantissa
    nasty = [0, 1, 2, (1 << mantissa) - 1, 1 << mantissa, infinity - 1, infinity, infinity + 1]
    nasty += [n | 1 << (width - 1) for n in nasty]
    flat = bits.reshape(-1)
    flat[: len(nasty)] = np.array(nasty, dtype=unsigned)[: flat.size]
    if kind == "bf16":
        return bits.view("V2"), bf16_to_f64(bits)
    values = bits.view({"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind])
    with np.errstate(invalid="ignore"):
        return values, values.astype(np.float64)


MODEL = """
func.func @main(%x: tensor<{shape}x{kind}> {{amp.name = "x"}}) -> tensor<{shape}x{kind}> {{
  return %x : tensor<{shape}x{kind}>
}}
"""

for kind in ("f64", "f32", "f16", "bf16"):
    for shape in ((3, 50), (7, 1, 40), (1,), (0, 3)):
        text = "x".join(str(n) for n in shape)
        model = os.path.join(folder, "model.mlir")
        with open(model, "w") as file:
            file.write(MODEL.format(shape=text, kind=kind))
        samples = [make(kind, shape) for _ in range(3)]
        archive = os.path.join(folder, "x.npz")
        np.savez(archive, x=np.stack([s[0] for s in samples]))
        out = os.path.join(folder, "out.json")
        profiles.run_ok(amp_run, model, "--calibrate=" + archive, "--profile=" + out)
        profile = profiles.load(out)
        assert profile["samples"] == 3
        entry = profiles.find(profile, "x")
        assert entry["element"] == kind
        profiles.check(entry, [s[1] for s in samples])

# All of one kind: only zeros, only NaN, only negative, one number.
for number in (0.0, -0.0, np.nan, np.inf, -np.inf, -3.5, 1e-45, 3.4e38):
    values = np.full((2, 4), number, np.float32)
    with open(model, "w") as file:
        file.write(MODEL.format(shape="4", kind="f32"))
    np.savez(archive, x=values)
    profiles.run_ok(amp_run, model, "--calibrate=" + archive, "--profile=" + out)
    profiles.check(profiles.find(profiles.load(out), "x"), list(values.astype(np.float64)))

# 8-bit floats are seen as the f32 that they are, all 256 of them.
with open(model, "w") as file:
    file.write(MODEL.format(shape="256", kind="f8E5M2"))
bits = np.arange(256, dtype=np.uint8)
np.savez(archive, x=bits.reshape(1, 256).view("V1"))
profiles.run_ok(amp_run, model, "--calibrate=" + archive, "--profile=" + out)
# f8E5M2 is the upper half of f16.
with np.errstate(invalid="ignore"):
    values = (bits.astype(np.uint16) << 8).view(np.float16).astype(np.float64)
profiles.check(profiles.find(profiles.load(out), "x"), [values])
