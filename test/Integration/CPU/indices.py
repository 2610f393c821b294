# Reductions of index, as of 64 bits, along rows and columns, and what numbers are less that.
# Oracle: NumPy. Equality.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback cpu=host}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64}" | FileCheck %s
# CHECK: 72 reductions, 0 wrong
import sys

import numpy as np
from harness import Module

# What each starts from, and NumPy's, of unsigned numbers where the op is.
OPS = {"addi": (0, np.add, np.int64), "muli": (1, np.multiply, np.int64), "maxsi": (-2**63, np.maximum, np.int64), "minsi": (2**63 - 1, np.minimum, np.int64),
       "maxui": (0, np.maximum, np.uint64), "minui": (-1, np.minimum, np.uint64), "andi": (-1, np.bitwise_and, np.int64), "ori": (0, np.bitwise_or, np.int64),
       "xori": (0, np.bitwise_xor, np.int64)}


def source(op, m, n, axis):
    kept, kinds = ("i", '"parallel", "reduction"') if axis == 1 else ("j", '"reduction", "parallel"')
    t, v = f"tensor<{m}x{n}xindex>", f"tensor<{m if axis == 1 else n}xindex>"
    whole, part = "affine_map<(i, j) -> (i, j)>", f"affine_map<(i, j) -> ({kept})>"
    return f"""func.func @{op}_{axis}(%x: {t}) -> ({t}, {v}) {{
      %z = arith.constant {OPS[op][0]} : index
      %v = tensor.empty() : {v}
      %f = linalg.fill ins(%z : index) outs(%v : {v}) -> {v}
      %s = linalg.generic {{indexing_maps = [{whole}, {part}], iterator_types = [{kinds}]}} ins(%x : {t}) outs(%f : {v}) {{
      ^bb0(%a: index, %o: index):
        %m = arith.{op} %a, %o : index
        linalg.yield %m : index }} -> {v}
      %e = tensor.empty() : {t}
      %r = linalg.generic {{indexing_maps = [{whole}, {part}, {whole}], iterator_types = ["parallel", "parallel"]}} ins(%x, %s : {t}, {v}) outs(%e : {t}) {{
      ^bb0(%a: index, %q: index, %o: index):
        %m = arith.subi %a, %q : index
        linalg.yield %m : index }} -> {t}
      return %r, %s : {t}, {v} }}"""


rng, wrong, count = np.random.default_rng(0), 0, 0
for m, n in ((64, 1024), (5, 37), (3, 1), (300, 70)):
    module = Module("\n".join(source(op, m, n, axis) for op in OPS for axis in (0, 1)), sys.argv[1])
    x = rng.integers(-2**63, 2**63 - 1, (m, n), np.int64)
    for op, (_, reduce, number) in OPS.items():
        for axis in (0, 1):
            rest, got = module(f"{op}_{axis}", [x], [("index", 2), ("index", 1)])
            want = reduce.reduce(x.view(number), axis=axis, keepdims=True).view(np.int64)
            count += 1
            wrong += not (np.array_equal(got, want.ravel()) and np.array_equal(rest, x - want))
print(f"{count} reductions, {wrong} wrong")
