# RUN: %python %s %t %amp_obj/bin
"""Cases C9, C10 and N25 of docs/classifier.md, and those of ModelOpt's reference
runner: profiles of several batches, from a directory and from one file, and what
the rules make of their totals, with compat=modelopt and by amp's own.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, tools = sys.argv[1:]
amp_run, amp_opt = os.path.join(tools, "amp-run"), os.path.join(tools, "amp-opt")


def path(*names):
    return os.path.join(folder, *names)


def write(name, text):
    os.makedirs(folder, exist_ok=True)
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return path(name)


def save(directory, batches):
    """One .npz for each batch."""
    os.makedirs(path(directory), exist_ok=True)
    for i, batch in enumerate(batches):
        np.savez(path(directory, f"{i}.npz"), **{k: np.asarray(v, np.float32) for k, v in batch.items()})
    return path(directory)


def calibrate(model, samples, name, *options):
    out = path(name + ".json")
    profiles.run_ok(amp_run, model, "--calibrate=" + samples, "--profile=" + out, *options)
    return out


def decide(model, profile, options):
    """The decision of each named op, once."""
    text = profiles.run_ok(amp_opt, model, f"--amp-decide-precision=scope=function profile={profile} {options}")
    found = {}
    for line in text.splitlines():
        match = re.search(r"#amp.decision<(\w+), .* compute ?\(.*?\), (\w+)", line)
        name = re.search(r'amp\.name = "(\w+)"', line)
        if match and name:
            assert name[1] not in found, name[1]
            found[name[1]] = match.groups()
    return found


SUMS = write("sums.mlir", """
func.func @main(%x: tensor<?x2xf32> {amp.name = "x"}, %y: tensor<?x2xf32> {amp.name = "y"}) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %0 = arith.addf %x, %y {amp.name = "Y1"} : tensor<?x2xf32>
  %1 = arith.mulf %x, %y {amp.name = "Y2"} : tensor<?x2xf32>
  return %0, %1 : tensor<?x2xf32>, tensor<?x2xf32>
}
""")

# The reference runner: totals over three files; with negative numbers; and one
# batch alone. Numbers are absmax, min and max of Y1 and Y2.
for name, pairs, expected in (
    ("positive", [[(1, 2), (2, 2)], [(3, 3), (4, 1)], [(7, 10), (5, 5)]], [(17, 3, 17), (70, 2, 70)]),
    ("negative", [[(-10, 5), (2, 2)], [(3, 3), (4, 1)], [(7, 10), (5, 5)]], [(17, -5, 17), (70, -50, 70)]),
    ("single", [[(1, 2), (3, 3)]], [(6, 3, 6), (9, 2, 9)]),
):
    batches = [{"x": [[a for a, _ in batch]], "y": [[b for _, b in batch]]} for batch in pairs]
    seen = profiles.load(calibrate(SUMS, save(name, batches), name))
    assert seen["samples"] == len(pairs), seen["samples"]
    for value, (absmax, least, most) in zip(("Y1", "Y2"), expected):
        entry = profiles.find(seen, value)
        assert (entry["min"], entry["max"]) == (least, most), (name, value, entry)
        assert max(-entry["min"], entry["max"]) == absmax, (name, value, entry)

# N25: a last batch that is shorter, in a directory and of one array that is cut:
# the profile counts numbers, not batches. (Torch-TensorRT joins the outputs of all
# batches, which fails where other sizes differ; those do here too.)
rows = np.arange(1, 20, dtype=np.float32).reshape(19, 1) * np.ones((1, 2), np.float32)
parts = [rows[0:8], rows[8:16], rows[16:19]]
short = calibrate(SUMS, save("short", [{"x": p, "y": p} for p in parts]), "short", "--calibrate-batch=all")
entry = profiles.find(profiles.load(short), "Y2")
assert entry["count"] == 38 and entry["observations"] == 3, entry
assert entry["min_shape"] == [3, 2] and entry["max_shape"] == [8, 2] and entry["max"] == 361, entry
np.savez(path("whole.npz"), x=rows, y=rows)
whole = profiles.find(profiles.load(calibrate(SUMS, path("whole.npz"), "whole", "--calibrate-batch=8")), "Y2")
assert whole == entry, (whole, entry)
for options in ("compat=modelopt", "compat=torch-trt", "classifier"):
    # 361 is below 512, and above 300.
    assert decide(SUMS, short, options)["Y2"][0] == "lower_precision_fp", options
    expected = ("lower_precision_fp", "default_low") if "torch" in options else ("fp32", "data_range")
    assert decide(SUMS, short, options + " data-max=300")["Y2"] == expected, options

# C9: totals of several batches, of which the least or the greatest number carries
# the magnitude: 9000 is low and 11000 is high, as operand and as result. A value
# that was profiled stands beside one that is a constant. The depth of a product
# comes from the shapes that were seen.
STATISTICS = write("statistics.mlir", """
func.func @main(%x: tensor<?x?xf32> {amp.name = "x"}, %w: tensor<?x4xf32> {amp.name = "w"}) -> (tensor<?x?xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %0 = arith.negf %x {amp.name = "neg"} : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = linalg.matmul {amp.name = "product"} ins(%x, %w : tensor<?x?xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x4xf32>
}
""")
for magnitude, policy in ((9000, "lower_precision_fp"), (11000, "fp32")):
    for sign in (1, -1):
        batches = [{"x": np.full((2, 50), value), "w": np.zeros((50, 4))} for value in (1, sign * magnitude, 2)]
        profile = calibrate(STATISTICS, save(f"c9_{magnitude}_{sign}", batches), f"c9_{magnitude}_{sign}")
        for options in ("compat=modelopt", "classifier"):
            found = decide(STATISTICS, profile, options + " data-max=10000")
            assert found["neg"][0] == policy and found["product"][0] == policy, (magnitude, sign, options, found)
            # 50 elements.
            for limit, depth in ((40, "fp32"), (50, "lower_precision_fp")):
                found = decide(STATISTICS, profile, f"{options} data-max=1e5 max-depth-of-reduction={limit}")
                assert found["product"][0] == depth and found["neg"][0] == "lower_precision_fp", (options, limit, found)

# C10: three batches of a directory. Every op is either high or low, once.
names = {"neg", "product"}
for options in ("compat=modelopt", "classifier"):
    found = decide(STATISTICS, profile, options + " data-max=10000 nodes-to-include=neg")
    high = {name for name, (policy, _) in found.items() if policy == "fp32"}
    low = {name for name, (policy, _) in found.items() if policy == "lower_precision_fp"}
    assert (high, low) == ({"product"}, {"neg"}) and high | low == names and not high & low, found

# A program in which nothing is amp's, not even a name.
PLAIN = write("plain.mlir", """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""")
np.savez(path("plain.npz"), arg0=np.full((3, 4), 5, np.float32))
seen = profiles.load(calibrate(PLAIN, path("plain.npz"), "plain"))
assert seen["samples"] == 3 and profiles.find(seen, "arith.mulf")["max"] == 25, seen

# The reference runner's own errors: names that do not match, another kind of
# file, and a directory without files.
np.savez(path("strange.npz"), images=rows)
write("samples.csv", "1,2\n")
os.makedirs(path("nothing"), exist_ok=True)
for samples, words in (
    ("strange.npz", "has no member with the name of an argument; it has 'images'; the arguments are 'x', 'y'"),
    ("samples.csv", ".npz"),
    ("nothing", "has no .npz file"),
):
    done = profiles.run(amp_run, SUMS, "--calibrate=" + path(samples), "--profile=" + path("none.json"))
    assert done.returncode == 2 and words in done.stderr, done
    assert not os.path.exists(path("none.json"))
