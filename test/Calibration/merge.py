# RUN: %python %s %t %amp_obj/bin/amp-run
"""Shards merge to the same bytes in every order, and to those of the whole."""
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, amp_run = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
model = os.path.join(folder, "model.mlir")
with open(model, "w") as file:
    file.write("""
func.func @main(%x: tensor<5xf32> {amp.name = "x"}, %k: tensor<5xf32> {amp.name = "k"}) -> tensor<5xf32> {
  %0 = arith.mulf %x, %k : tensor<5xf32>
  return %0 : tensor<5xf32>
}
""")


def path(name):
    return os.path.join(folder, name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


rng = np.random.default_rng(2)
x = (rng.standard_normal((40, 5)) * 10.0 ** rng.integers(-40, 38, (40, 5))).astype(np.float32)
x[3, 1], x[7, 2], x[8, 3], x[9] = np.nan, np.inf, -np.inf, 0
np.save(path("k.npy"), np.array([1, -2, 0.5, 3, 1e20], np.float32))
shards = ("a", "b", "c", "d")
bounds = (0, 1, 10, 27, 40)
for name, begin, end in zip(shards + ("whole",), (*bounds[:-1], 0), (*bounds[1:], 40)):
    np.savez(path(name + ".npz"), x=x[begin:end])
    profiles.run_ok(amp_run, model, "--calibrate=" + path(name + ".npz"), "--input=k=" + path("k.npy"),
                    "--profile=" + path(name + ".json"))


def merge(out, *names):
    profiles.run_ok(amp_run, "--merge-profiles", *(path(n + ".json") for n in names), "-o", path(out + ".json"))


for order in itertools.permutations(shards):
    merge("all", *order)
    assert read("all.json") == read("whole.json"), order
# In trees.
merge("ab", "a", "b")
merge("cd", "d", "c")
merge("all", "cd", "ab")
assert read("all.json") == read("whole.json")
merge("bcd", "b", "c", "d")
merge("all", "bcd", "a")
assert read("all.json") == read("whole.json")
# One profile alone stays what it is.
merge("one", "whole")
assert read("one.json") == read("whole.json")
assert read("a.json") != read("whole.json")

# Profiles of two programs do not merge, and nothing is written.
with open(path("other.mlir"), "w") as file:
    file.write(open(model).read().replace("arith.mulf", "arith.addf"))
profiles.run_ok(amp_run, path("other.mlir"), "--calibrate=" + path("a.npz"), "--input=k=" + path("k.npy"),
                "--profile=" + path("other.json"))
done = profiles.run(amp_run, "--merge-profiles", path("a.json"), path("other.json"), "-o", path("none.json"))
assert done.returncode == 2, done
assert "are not profiles of one program: only" in done.stderr and "arith." in done.stderr, done.stderr
assert not os.path.exists(path("none.json"))
