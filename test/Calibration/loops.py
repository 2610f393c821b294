# RUN: %python %s %t %amp_obj/bin/amp-run
"""Values in loops, branches and callees are seen as often as they are computed.

Oracle: the same program in NumPy. The ops are exact in f32 (sums and products
of small whole numbers), so every field is equal.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, amp_run = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
MODEL = """
func.func private @twice(%a: tensor<?x3xf32> {amp.name = "a"}) -> tensor<?x3xf32> {
  %0 = arith.addf %a, %a {amp.name_of = 1 : i64} : tensor<?x3xf32> loc("twice")
  return %0 : tensor<?x3xf32>
}
func.func @main(%x: tensor<?x3xf32> {amp.name = "x"}, %flag: i1 {amp.name = "flag"}) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %x) -> tensor<?x3xf32> {
    %w = func.call @twice(%v) : (tensor<?x3xf32>) -> tensor<?x3xf32> loc("call")
    %b = scf.if %flag -> tensor<?x3xf32> {
      %0 = arith.mulf %w, %w : tensor<?x3xf32> loc("square")
      scf.yield %0 : tensor<?x3xf32>
    } else {
      %0 = arith.negf %w : tensor<?x3xf32> loc("negate")
      scf.yield %0 : tensor<?x3xf32>
    } loc("branch")
    scf.yield %b : tensor<?x3xf32>
  } loc("loop")
  return %r : tensor<?x3xf32>
}
""".replace("{amp.name_of = 1 : i64} ", "")
model = os.path.join(folder, "model.mlir")
with open(model, "w") as file:
    file.write(MODEL)
data = os.path.join(folder, "data")
os.makedirs(data, exist_ok=True)
rng = np.random.default_rng(1)
seen = {name: [] for name in ("x", "a", "twice", "call", "square", "negate", "branch", "loop")}
# Samples of different sizes, in the order of their names.
for i, (rows, flag) in enumerate(((2, False), (5, True), (1, False))):
    x = rng.integers(-3, 4, (rows, 3)).astype(np.float32)
    np.savez(os.path.join(data, f"sample{i}.npz"), x=x, flag=np.array(flag))
    v = x.astype(np.float64)
    seen["x"].append(v)
    for _ in range(4):
        seen["a"].append(v)
        w = v + v
        seen["twice"].append(w)
        seen["call"].append(w)
        v = w * w if flag else -w
        # The program rounds to f32, and overflows where f64 does not.
        with np.errstate(over="ignore"):
            v = v.astype(np.float32).astype(np.float64)
        seen["square" if flag else "negate"].append(v)
        seen["branch"].append(v)
    seen["loop"].append(v)
out = os.path.join(folder, "out.json")
profiles.run_ok(amp_run, model, "--calibrate=" + data, "--profile=" + out)
profile = profiles.load(out)
assert profile["samples"] == 3
for name, arrays in seen.items():
    profiles.check(profiles.find(profile, name), arrays)

# A branch that is never taken has an entry that says so.
lone = os.path.join(folder, "lone.npz")
np.savez(lone, x=np.ones((1, 3), np.float32), flag=np.array(False))
profiles.run_ok(amp_run, model, "--calibrate=" + lone, "--profile=" + out)
square = profiles.find(profiles.load(out), "square")
assert square["observations"] == 0 and square["count"] == 0 and square["log2"] == {}, square
