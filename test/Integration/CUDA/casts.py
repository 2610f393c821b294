# Casts as device code on the simulator, against the CPU, whose casts a unit test compares with APFloat: every pattern of the 8-bit and 16-bit floats to
# every other float, and f32 values at the borders of each format (its values, the middles between them, and their neighbours), with and without
# saturation. The bound is equality of bits; a NaN meets a NaN.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext \
# RUN:   AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   PYTHONPATH=%amp_src/python:%S/../CPU/Inputs %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: {{[1-9][0-9][0-9][0-9][0-9][0-9]+}} casts: all passed
import sys

import numpy as np
from harness import NUMPY, DeviceModule, Module, from_bf16, tensor

BYTES = ["f8E4M3FN", "f8E5M2", "f8E4M3", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU"]
NUMPY.update({name: np.uint8 for name in BYTES})
WIDE = ["f16", "bf16", "f32", "f64"]
rng = np.random.default_rng(5)


def borders(values):
    """f32 numbers around the finite numbers `values` of a format, sorted and positive."""
    values = values.astype(np.float64)
    last = values[-1] + (values[-1] - values[-2])
    middles = (np.append(values[1:], last) + values) / 2
    some = np.concatenate([values, middles, [last, values[0] / 2, values[0] / 4]]).astype(np.float32)
    around = [np.nextafter(some, np.float32(0)), some, np.nextafter(some, np.float32(np.inf))]
    extremes = np.array([0.0, 2.0**-149, 2.0**-127, np.finfo(np.float32).max, np.inf, np.nan], np.float32)
    x = np.concatenate(around + [extremes])
    return np.concatenate([x, -x])


functions, source = [], []
for a in BYTES + WIDE:
    for b in BYTES + WIDE:
        if a == b or a == "f64" or (a == "f32" and b == "f64"):
            continue
        for mode in ["", "{overflow = saturate}"]:
            name = f"cast_{a}_{b}" + ("_saturate" if mode else "")
            x, y = tensor((-1,), a), tensor((-1,), b)
            source.append(f"func.func @{name}(%x: {x}) -> {y} {{\n  %0 = amp.cast %x {mode} : {x} to {y}\n  return %0 : {y}\n}}")
            functions.append((name, a, b))
device = DeviceModule("\n".join(source))
host = Module("\n".join(source), "amp-lower-to-linalg,amp-lower-to-cpu")


def widened(name):
    """The finite non-negative values of a narrow format, from the CPU."""
    bits = 8 if name in BYTES else 16
    codes = np.arange(1 << bits).astype(np.uint8 if bits == 8 else np.uint16)
    values = host(f"cast_{name}_f32", [codes.view(NUMPY[name])], [("f32", 1)])[0]
    return np.unique(values[np.isfinite(values) & (values >= 0)])


def is_nan(x, name):
    if name in BYTES:
        x = host(f"cast_{name}_f32", [x], [("f32", 1)])[0]
    return np.isnan(from_bf16(x) if name == "bf16" else x)


failures = checked = 0
for name, a, b in functions:
    if a == "f32":
        narrow = widened(b)
        x = borders(narrow if len(narrow) < 1000 else np.concatenate([narrow[:1100], rng.choice(narrow, 2000), narrow[-100:]]))
        x = np.unique(x.view(np.uint32)).view(np.float32)
    else:
        x = np.arange(256 if a in BYTES else 65536).astype(np.uint8 if a in BYTES else np.uint16).view(NUMPY[a])
    want, got = host(name, [x], [(b, 1)])[0], device(name, [x], [(b, 1)])[0]
    bits = f"u{want.itemsize}"
    wrong = (want.view(bits) != got.view(bits)) & ~(is_nan(want, b) & is_nan(got, b))
    checked += len(x)
    if wrong.any():
        failures += 1
        i = int(np.argmax(wrong))
        print(f"{name}: FAILED for {wrong.sum()} of {len(x)}, the first {x[i]}: {got[i]} instead of {want[i]}")
print(f"{checked} casts: " + ("all passed" if failures == 0 else f"{failures} failed"))
sys.exit(failures != 0)
