# RUN: %python %s %t %amp_obj/bin %amp_src/examples/digits
"""The convolutional network of examples/digits, calibrated on its training
split, whole and in shards; its profile is what amp-decide-precision takes.

Oracle: NumPy in f64, with the values of the f32 run within 1e-5 of it, relative
to the largest one; counts and shapes exact, for the images and the weights every
field.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, tools, digits = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
amp_run, amp_opt = os.path.join(tools, "amp-run"), os.path.join(tools, "amp-opt")
model = os.path.join(digits, "cnn.mlir")
weights = os.path.join(digits, "cnn.npz")
data = os.path.join(digits, "digits.npz")


def calibrate(samples, out, *more):
    profiles.run_ok(amp_run, model, "--weights=" + weights, "--calibrate=images=" + samples, "--profile=" + out, *more)
    return profiles.load(out)


out = os.path.join(folder, "out.json")
profile = calibrate(data + ":x_train", out)
images = np.load(data)["x_train"].astype(np.float64) / 16
w = {k: v.astype(np.float64) for k, v in np.load(weights).items()}
assert profile["samples"] == len(images) == 1347
for name, value in w.items():
    profiles.check(profiles.find(profile, name), [value] * 1347)


def conv(x, k, c):
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    return np.tensordot(view, k, axes=([4, 5, 3], [0, 1, 2])), c


x = images[..., None]
m1, c1 = conv(x, w["k1"], w["c1"])
h1 = np.maximum(m1 + c1, 0)
h2 = h1.reshape(-1, 4, 2, 4, 2, 16).max((2, 4))
m3, c2 = conv(h2, w["k2"], w["c2"])
h3 = np.maximum(m3 + c2, 0)
m4 = h3.reshape(-1, 512) @ w["w"]
logits = m4 + w["b"]


def near(entry, array):
    want = profiles.expected([a[None] for a in array])
    for field in ("observations", "count", "nan", "inf", "min_shape", "max_shape"):
        assert entry[field] == want[field], (entry["name"], field, entry[field], want[field])
    bound = 1e-5 * np.abs(array).max()
    for field in ("min", "max"):
        assert abs(entry[field] - want[field]) <= bound, (entry["name"], field, entry[field], want[field])


generics = [v for v in profile["values"] if v["op"] == "linalg.generic"]
generics.sort(key=lambda v: int(v["location"].split(":")[-2]))
for entry, array in zip(generics, (x, h1, h3, logits), strict=True):
    near(entry, array)
profiles.check(generics[0], [a[None] for a in x])
convs = [v for v in profile["values"] if v["op"] == "linalg.conv_2d_nhwc_hwcf"]
convs.sort(key=lambda v: int(v["location"].split(":")[-2]))
for entry, array in zip(convs, (m1, m3), strict=True):
    near(entry, array)
near(profiles.find(profile, "pool"), h2)
near(profiles.find(profile, "dense"), m4)

# Several rows at a time see the same numbers, in fewer samples, the last of
# which is short: 1347 = 42 * 32 + 3.
batched = calibrate(data + ":x_train", os.path.join(folder, "batched.json"), "--calibrate-batch=32")
assert batched["samples"] == 43
first = profiles.find(batched, "pool")
assert first["min_shape"][0] == 3 and first["max_shape"][0] == 32, first
assert first["log2"] == profiles.find(profile, "pool")["log2"]

# Shards give the bytes of the whole.
shards = []
for i, rows in enumerate(np.array_split(np.load(data)["x_train"], 3)):
    np.save(os.path.join(folder, f"{i}.npy"), rows)
    shards.append(os.path.join(folder, f"{i}.json"))
    calibrate(os.path.join(folder, f"{i}.npy"), shards[-1])
merged = os.path.join(folder, "merged.json")
profiles.run_ok(amp_run, "--merge-profiles", *reversed(shards), "-o", merged)
with open(out, "rb") as a, open(merged, "rb") as b:
    assert a.read() == b.read()

# It fits the program, as it is and tidied up, and not another one.
def decide(path, *more):
    return profiles.run(amp_opt, path, *more, f"--amp-decide-precision=scope=function dtype=f16 profile={out}", "-o", os.devnull)


assert decide(model).returncode == 0, decide(model).stderr
assert decide(model, "--cse").returncode == 0, decide(model, "--cse").stderr
edited = os.path.join(folder, "edited.mlir")
with open(model) as source, open(edited, "w") as file:
    text = source.read()
    assert "arith.maximumf" in text
    file.write(text.replace("arith.maximumf", "arith.addf", 1))
done = decide(edited)
assert done.returncode == 1, done
errors = [line for line in done.stderr.splitlines() if "error:" in line]
assert len(errors) == 1 and "edited.mlir:46:" in errors[0] and "has no entry" in errors[0], done.stderr
assert "nearest entry without a value: 'linalg.generic'" in done.stderr, done.stderr
