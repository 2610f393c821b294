# RUN: %python %s %t %amp_obj/bin
"""A profile of a program fits it with autocast in any form: amp-autocast reads it
after scopes became regions, versions and copies of functions, and its rules see
the ranges there too. All ops called hot, which exceed 10 when the program runs,
and no others, are kept in f32 by them, wherever they stand."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import numpy as np
import profiles

folder, tools = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
amp_run, amp_opt = os.path.join(tools, "amp-run"), os.path.join(tools, "amp-opt")


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


rules = write(
    "rules.mlir",
    """
amp.policy_set @rules device("cuda") extends @classifier {
  amp.rule exclude data_max(10.0)
}
""",
)
# The square has a payload, whose arguments have keys of their own.
OPS = """
  %e = tensor.empty() : tensor<4xf32>
  %k = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"], amp.name = "hot_square"} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.mulf %p, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %n = arith.negf %x {amp.name = "cold"} : tensor<4xf32>
"""
SUB = '  %r = arith.subf %n, %k {amp.name = "hot_end"} : tensor<4xf32>\n'
CALL = '  %c = func.call @callee(%n) : (tensor<4xf32>) -> tensor<4xf32>\n  %r = arith.subf %c, %k {amp.name = "hot_end"} : tensor<4xf32>\n'
CALLEE = (
    "func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {"
    + OPS.replace("hot_square", "hot_inner").replace("cold", "cold_inner")
    + '  %r = arith.subf %k, %n {amp.name = "hot_difference"} : tensor<4xf32>\n  return %r : tensor<4xf32>\n}\n'
)
LOOP = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %z) -> tensor<4xf32> {
BODY
    scf.yield %r : tensor<4xf32>
  }
  return %l : tensor<4xf32>
"""
BACK = "  return %r : tensor<4xf32>\n"


def paired(body, flag=""):
    return '  %cfg = amp.config device("cuda") dtype(f16)' + flag + "\n  %t = amp.enter %cfg\n" + body + "  amp.exit %t\n"


def program(body, attributes="", rest=""):
    return (
        "#m = affine_map<(i) -> (i)>\n"
        + 'func.func @main(%x: tensor<4xf32> {amp.name = "x"}, %on: i1 {amp.name = "on"}) -> tensor<4xf32>'
        + attributes + " {\n" + body + "}\n" + rest
    )


STATE = ' attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline}'
# The call from outside of the scope keeps the callee as it is, so that the
# scope gets a copy.
BOTH = '  %u = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  %v = arith.addf %r, %u {amp.name = "outside"} : tensor<4xf32>\n  return %v : tensor<4xf32>\n'
# Of each: without scopes, and the forms with them.
programs = {
    "local": (program(OPS + SUB + BACK), {
        "attribute": program(OPS + SUB + BACK, STATE),
        "pair": program(paired(OPS + SUB) + BACK),
        "flag": program(paired(OPS + SUB, " if %on") + BACK),
    }),
    "loop": (program(LOOP.replace("BODY", OPS + SUB)), {
        "attribute": program(LOOP.replace("BODY", OPS + SUB), STATE),
        "pair": program(LOOP.replace("BODY", paired(OPS + SUB))),
        "flag": program(LOOP.replace("BODY", paired(OPS + SUB, " if %on"))),
    }),
    "call": (program(OPS + CALL + BACK, rest=CALLEE), {
        "attribute": program(OPS + CALL + BACK, STATE, CALLEE),
        "pair": program(paired(OPS + CALL) + BACK, rest=CALLEE),
        "flag": program(paired(OPS + CALL, " if %on") + BACK, rest=CALLEE),
    }),
    "copies": (program(OPS + CALL + BOTH, rest=CALLEE), {
        "pair": program(paired(OPS + CALL) + BOTH, rest=CALLEE),
        "flag": program(paired(OPS + CALL, " if %on") + BOTH, rest=CALLEE),
    }),
}

# Squares of up to 16; nothing else passes 10 by itself.
samples = os.path.join(folder, "samples.npz")
np.savez(samples, x=np.array([[1, -2, 3, 4]] * 3, np.float32), on=np.array([True] * 3))
for name, (plain, forms) in programs.items():
    profile = os.path.join(folder, name + ".json")
    profiles.run_ok(amp_run, write(name + ".mlir", plain), "--calibrate=" + samples, "--profile=" + profile)
    for form, text in forms.items():
        path = write(f"{name}-{form}.mlir", text)
        done = profiles.run(amp_opt, path, f"--amp-autocast=policy-file={rules} profile={profile} report=true")
        assert done.returncode == 0, (name, form, done.stderr)
        # One record after the other.
        pattern = r'named "((?:hot|cold)\w*)" (?:(?!op_report<).)*? decision <(\w+), .*?compute\(\w+\), (\w+)'
        report = re.findall(pattern, done.stdout)
        inside = [entry for entry in report if entry[2] not in ("outside_scope", "scope_disabled")]
        assert {n for n, _, _ in inside} == set(re.findall(r'amp\.name = "((?:hot|cold)\w*)"', text)), (name, form, report, done.stdout)
        for op, policy, reason in inside:
            want = ("fp32", "data_range") if op.startswith("hot") else ("lower_precision_fp", "default_low")
            assert (policy, reason) == want, (name, form, op, policy, reason)
        # A scope that the profile is not of is found out all the same.
        wrong = write("wrong.mlir", text.replace("arith.negf", "math.absf"))
        failed = profiles.run(amp_opt, wrong, f"--amp-autocast=policy-file={rules} profile={profile}")
        assert failed.returncode != 0 and "is not of this program" in failed.stderr, (name, form, failed.stderr)
