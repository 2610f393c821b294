# RUN: %python %s %t %amp_src %amp_obj/bin
"""Every rule option of amp-decide-precision is one of amp-run, amp-compile and
amp-report, by the same name, and decides there what it decides in the pass.

The decisions are those that the tools print behind the pass
(--mlir-print-ir-after); what they do with them is tested elsewhere.
"""
import os
import re
import subprocess
import sys

import numpy as np

folder, source, tools = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def path(name):
    return os.path.join(folder, name)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return path(name)


MODEL = write("model.mlir", """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<4x8xf32> {amp.name = "x"}, %tiny: tensor<4x8xf32> {amp.name = "tiny"}) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) {
  %c = arith.constant dense<[[2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 7.0e4], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<4x8xf32>
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %0 = arith.addf %x, %three {amp.name = "three"} : tensor<4x8xf32>
  %1 = arith.negf %tiny {amp.name = "small"} : tensor<4x8xf32>
  %2 = arith.mulf %tiny, %c {amp.name = "weight"} : tensor<4x8xf32>
  %3 = math.exp %0 {amp.name = "exp"} : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], amp.name = "sum"} ins(%3 : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %1, %2, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>
}
""")
# Slow in 16 bits, but nothing that the tools could run.
SLOW = write("slow.mlir", """
func.func @main(%x: tensor<8xf32>, %i: tensor<8xi64>) -> tensor<8xf32> {
  %0 = "aten.index_add"(%x, %i, %x) {amp.name = "slow", dim = 0 : i64} : (tensor<8xf32>, tensor<8xi64>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
""")
np.savez(path("data.npz"), x=np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8), tiny=np.full((4, 8), 1e-6, np.float32))
subprocess.run([os.path.join(tools, "amp-run"), MODEL, "--calibrate=" + path("data.npz"), "--profile=" + path("data.json")],
               check=True, stdout=subprocess.DEVNULL)
PROFILE = "--profile=" + path("data.json")


def decide(tool, model, options):
    """The reason and the type of the operands, by the name of the op."""
    command = [os.path.join(tools, tool), model, "--policy-device=cuda", "--mlir-print-ir-after=amp-decide-precision"]
    if tool == "amp-compile":
        command += ["-o", path("model.o"), "--emit=obj"]
    if tool == "amp-run":
        command += ["--device=cpu", "--random=1"]
    done = subprocess.run(command + options, capture_output=True, text=True)
    # What no tool can compile is decided all the same.
    assert model == SLOW or done.returncode == 0, (command + options, done.stderr)
    found = {}
    for line in done.stderr.splitlines():
        match = re.search(r"#amp.decision<\w+, .*?to ?\((\w+).*? compute ?\(.*?\), (\w+)", line)
        name = re.search(r'amp\.name = "(\w+)"', line)
        if match and name:
            found[name[1]] = (match[2], match[1])
    assert found, (command + options, done.stderr)
    return found


# Each option: with it and without it, the op whose decision it changes.
F16 = "--autocast=f16"
CLASSIFIER = [F16, "--classifier"]
CASES = {
    "classifier": ([F16], [], "exp", "op_policy", "exp_reduction"),
    "low-precision-type": (["--classifier"], ["bf16"], "three", None, "default_low"),
    "nodes-to-exclude": (CLASSIFIER, ["^thr"], "three", "default_low", "name_rule"),
    "nodes-to-include": (CLASSIFIER, ["exp$"], "exp", "exp_reduction", "included"),
    "targets-to-exclude": (CLASSIFIER, ["arith.addf"], "three", "default_low", "op_rule"),
    "targets-to-include": (CLASSIFIER, ["math.exp"], "exp", "exp_reduction", "included"),
    "data-max": (CLASSIFIER + [PROFILE], ["3.5"], "three", "default_low", "data_range"),
    "data-ulp": (CLASSIFIER + [PROFILE], ["0.001"], "three", "default_low", "data_range"),
    "init-max": (CLASSIFIER, ["2.5"], "three", "default_low", "init_range"),
    "max-depth-of-reduction": (CLASSIFIER + ["--sensitivity=false"], ["7"], "sum", "default_low", "reduction_depth"),
    "max-underflow": (CLASSIFIER + [PROFILE], ["1"], "small", "underflow", "default_low"),
    "sensitivity": (CLASSIFIER, ["false"], "exp", "exp_reduction", "default_low"),
    "performance": (CLASSIFIER, ["false"], "slow", "performance", "default_low"),
    "weight-overflow": (CLASSIFIER, ["saturate"], "weight", "init_range", "default_low"),
    "compat": (CLASSIFIER, ["torch-trt"], "exp", "exp_reduction", "default_low"),
}
# The pass is where the options come from, and the pipeline has them too.
passes = open(os.path.join(source, "include/amp/Dialect/AMP/Transforms/Passes.td"), encoding="utf-8").read()
passes = passes[passes.index("def AmpDecidePrecisionPass"):]
options = re.findall(r'Option<"\w+",\s*"([a-z-]+)"', passes[: passes.index("let statistics")])
rules = options[options.index("classifier"):]
assert sorted(rules) == sorted(CASES), set(rules) ^ set(CASES)
pipeline = open(os.path.join(source, "include/amp/Pipelines/Pipelines.h"), encoding="utf-8").read()
pipeline = pipeline[: pipeline.index("struct LinalgPipelineOptions")]
for option in rules:
    assert f'*this, "{option}"' in pipeline, option

for tool in ("amp-run", "amp-compile", "amp-report"):
    help_text = subprocess.run([os.path.join(tools, tool), "--help"], capture_output=True, text=True, check=True).stdout
    for option, (base, value, op, before, after) in CASES.items():
        assert f"--{option}" in help_text, (tool, option)
        model = SLOW if op == "slow" else MODEL
        given = "--" + option + "".join("=" + v for v in value)
        if before:
            assert decide(tool, model, base)[op][0] == before, (tool, option, decide(tool, model, base))
        found = decide(tool, model, base + [given])[op]
        assert found[0] == after, (tool, option, found)
        # What is low is in the type that was asked for.
        if after in ("default_low", "included"):
            assert found[1] == ("bf16" if option == "low-precision-type" else "f16"), (tool, option, found)
        else:
            assert found[1] == "f32", (tool, option, found)

# Wrong values: one error each, that names the option and what it takes.
for option, value, words in (
    ("low-precision-type", "int8", "expected bf16 or f16, found 'int8'"),
    ("low-precision-type", "bf16", "expected what --autocast says, which is 'f16', found 'bf16'"),
    ("data-ulp", "0", "expected a distance above 0, found '0'"),
    ("max-underflow", "1.5", "expected a share of 0 to 1, found '1.5'"),
    ("max-underflow", "nan", "expected a share of 0 to 1, found 'nan'"),
    ("weight-overflow", "clamp", "expected keep-f32, error or saturate, found 'clamp'"),
):
    for tool in ("amp-run", "amp-compile", "amp-report"):
        command = [os.path.join(tools, tool), MODEL, F16, PROFILE, f"--{option}={value}"]
        done = subprocess.run(command + (["-o", path("none.so")] if tool == "amp-compile" else []), capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.strip() == f"{tool}: error: --{option}: {words}", done
for option in ("data-max=4", "data-ulp=0.25", "max-underflow=0.1"):
    done = subprocess.run([os.path.join(tools, "amp-report"), MODEL, F16, "--" + option], capture_output=True, text=True)
    assert done.returncode == 2 and "it needs --profile=FILE.json" in done.stderr, done
# Without a type, and without regions that say one, there is nothing to decide.
for tool in ("amp-run", "amp-compile", "amp-report"):
    command = [os.path.join(tools, tool), MODEL, "--nodes-to-exclude=^thr"]
    command += {"amp-compile": ["-o", path("none.so")], "amp-run": ["--random=1"], "amp-report": []}[tool]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (1, 2), done
    assert "the rules of the classifier have nothing to decide" in done.stderr and "--autocast=f16" in done.stderr, done
