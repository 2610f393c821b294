# RUN: %python %s %t %amp_obj/bin
"""The rules about numbers, on a program that was calibrated: its own values, made
with NumPy, and not a profile that is written for the test.

The numbers of the cases are those of docs/classifier.md. Of N5 the profile of a
program has no integers, so that compat=modelopt sees those of constants alone.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, tools = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
amp_run, amp_opt = os.path.join(tools, "amp-run"), os.path.join(tools, "amp-opt")
MODEL = """
#m = affine_map<(i) -> (i)>
func.func @main(%edge: tensor<8xf32> {amp.name = "edge"}, %small: tensor<8xf32> {amp.name = "small"}, %holes: tensor<8xf32> {amp.name = "holes"},
                %tiny: tensor<8xf32> {amp.name = "tiny"}, %weight: tensor<8xf32> {amp.name = "weight"}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c512 = arith.constant dense<512.0> : tensor<8xf32>
  %0 = arith.minimumf %edge, %c512 {amp.name = "at_limit"} : tensor<8xf32>
  %1 = arith.addf %small, %weight {amp.name = "add"} : tensor<8xf32>
  %2 = arith.mulf %1, %small {amp.name = "mul"} : tensor<8xf32>
  %3 = arith.negf %holes {amp.name = "nan"} : tensor<8xf32>
  %4 = arith.negf %tiny {amp.name = "subnormal"} : tensor<8xf32>
  %5 = arith.mulf %edge, %edge {amp.name = "large_output"} : tensor<8xf32>
  %6 = arith.minimumf %5, %c512 {amp.name = "clamp"} : tensor<8xf32>
  %7 = arith.negf %6 {amp.name = "after_clamp"} : tensor<8xf32>
  %8 = arith.negf %small {amp.name = "before_large"} : tensor<8xf32>
  %9 = arith.mulf %8, %edge {amp.name = "large_user"} : tensor<8xf32>
  %n = arith.constant dense<1000> : tensor<8xi64>
  %e = tensor.empty() : tensor<8xf32>
  %10 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"], amp.name = "integers"} ins(%small, %n : tensor<8xf32>, tensor<8xi64>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %k: i64, %o: f32):
    %zero = arith.constant 0 : i64
    %p = arith.cmpi sgt, %k, %zero : i64
    %s = arith.negf %x : f32
    %r = arith.select %p, %s, %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %11 = arith.addf %0, %2 : tensor<8xf32>
  return %11, %3, %4, %7, %9, %10 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
"""
model = os.path.join(folder, "model.mlir")
with open(model, "w", encoding="utf-8") as file:
    file.write(MODEL)

# 20 samples; what is out of range is in one of them only.
generator = np.random.default_rng(7)
data = {
    "edge": generator.uniform(-100, 100, (20, 8)),
    "small": generator.uniform(-0.4, 0.4, (20, 8)),
    "holes": generator.uniform(-1, 1, (20, 8)),
    "tiny": generator.uniform(1e-6, 5e-6, (20, 8)),
    "weight": generator.uniform(0, 3, (20, 8)),
}
data["edge"][11, 3] = -512
data["small"][5, 2], data["weight"][5, 2] = 0.4, 4
data["holes"][17, 0] = np.nan
data = {name: value.astype(np.float32) for name, value in data.items()}
archive = os.path.join(folder, "samples.npz")
np.savez(archive, **data)
profile = os.path.join(folder, "profile.json")
profiles.run_ok(amp_run, model, "--calibrate=" + archive, "--profile=" + profile)
seen = profiles.load(profile)
assert profiles.find(seen, "edge")["min"] == -512 and profiles.find(seen, "holes")["nan"] == 1
assert abs(profiles.find(seen, "add")["max"] - 4.4) < 1e-6


def decide(options):
    """What becomes of each named op, and the diagnostics."""
    done = profiles.run(amp_opt, model, f"--amp-decide-precision=scope=function profile={profile} {options}")
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = {}
    for line in done.stdout.splitlines():
        match = re.search(r"#amp.decision<(\w+), .* compute ?\(.*?\), (\w+)", line)
        name = re.search(r'amp\.name = "(\w+)"', line)
        if match and name:
            found[name[1]] = match.groups()
    return found, done.stderr


def expect(options, low, high):
    found, warnings = decide(options)
    for name in low:
        assert found[name][0] == "lower_precision_fp", (options, name, found)
    for name, reason in high.items():
        assert found[name] == ("fp32", reason), (options, name, found)
    return warnings


# amp's own rules: f16 is exact to a half up to 512. N1: at the limit is low. N2:
# NaN is out of range, with a warning. N3: the op's own output. N4: its users'
# does not count. N5: integers do not count. N14: subnormal numbers.
warnings = expect(
    "low-precision-type=f16",
    ["at_limit", "add", "mul", "after_clamp", "before_large", "integers"],
    {"nan": "not_finite", "subnormal": "underflow", "large_output": "data_range", "clamp": "data_range"},
)
assert "'arith.negf' stays in f32: operand 0" in warnings and "was seen as NaN 1 times" in warnings, warnings
assert warnings.count("warning:") == 1, warnings
# C3: the limit is between 512 and what the samples reach. C5: the sum of both
# is 4.4, so the add goes by its output, and the mul by its input.
expect("low-precision-type=f16 data-max=511", ["add", "mul"], {"at_limit": "data_range"})
expect("low-precision-type=f16 data-max=4.1", ["before_large", "integers"], {"add": "data_range", "mul": "data_range"})
expect("low-precision-type=f16 data-max=4.5", ["add", "mul"], {"at_limit": "data_range"})
# Without a limit no magnitude counts.
expect("low-precision-type=f16 data-max=inf", ["at_limit", "large_output", "clamp", "large_user"], {})
# N14: all numbers of `tiny` are below the normal ones.
expect("low-precision-type=f16 max-underflow=1", ["subnormal"], {})
# N15: bf16 has 8 bits: 64; it has the range of f32, so that nothing is tiny.
expect("low-precision-type=bf16", ["add", "mul", "subnormal"], {"at_limit": "data_range", "large_user": "data_range", "nan": "not_finite"})

# ModelOpt: 512 for both types (N15), NaN and tiny numbers unseen (N2, N14), own
# outputs (N3), integers compared (N5).
for kind in ("f16", "bf16"):
    warnings = expect(
        f"low-precision-type={kind} compat=modelopt",
        ["at_limit", "add", "mul", "nan", "subnormal", "before_large"],
        {"large_output": "data_range", "clamp": "data_range", "integers": "data_range"},
    )
    assert "NaN" not in warnings, warnings
expect("low-precision-type=f16 compat=modelopt data-max=4.1", ["before_large", "nan"], {"add": "data_range", "mul": "data_range"})
# Torch-TensorRT: what the op before and the op after give. So what has a large
# output and a clamp behind it is low (N3), what feeds an op with a large output is
# not (N4), and NaN and tiny numbers are unseen (N2, N14).
expect("low-precision-type=f16 compat=torch-trt", ["nan", "subnormal", "large_output"], {"clamp": "data_range"})
expect("low-precision-type=f16 compat=torch-trt data-max=10", ["nan"], {"before_large": "data_range"})
expect("low-precision-type=f16 data-max=10", ["before_large"], {"large_user": "data_range"})
