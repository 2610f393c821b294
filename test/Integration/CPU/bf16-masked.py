# Masked accesses to bf16, whose masks are constant: LLVM 22.1 cannot store the odd last element on processors with AVX512-BF16 unless it is an integer.
# The program is run on this machine's processor, and compiled for one that has the instructions. Oracle: NumPy in f64; every op rounds to
# bf16, 2^-8 of a value: softmax (exponentials, sum, quotient) and the product are within 0.04.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s %t.mlir | FileCheck %s
# RUN: amp-compile %t.mlir --mcpu=sapphirerapids --emit=obj -o %t.o
# RUN: amp-compile %t.mlir --mcpu=sapphirerapids --emit=llvm -o - | FileCheck %s --check-prefix=LLVM --implicit-check-not=@llvm.masked.store.v{{[0-9]+}}bf16
# LLVM: @llvm.masked.store.v{{[0-9]+}}i16
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import Suite, from_bf16, tensor, to_bf16

rng = np.random.default_rng(16)
suite = Suite()
text = ""
for n in (1, 7, 31, 33, 63, 65):
    t = tensor((16, 1, 7, n), "bf16")
    source = f"""func.func @softmax_{n}(%x: {t}, %y: {t}) -> {t} {{
  %e = tensor.empty() : {t}
  %0 = linalg.softmax dimension(2) ins(%x : {t}) outs(%e : {t}) -> {t}
  %1 = arith.mulf %0, %y : {t}
  return %1 : {t}
}}"""
    x, y = (to_bf16(rng.standard_normal((16, 1, 7, n))) for _ in range(2))
    a, b = (from_bf16(v).astype(np.float64) for v in (x, y))
    e = np.exp(a - a.max(2, keepdims=True))
    suite.add(f"softmax_{n}", source, [x, y], [("bf16", 4)], [e / e.sum(2, keepdims=True) * b], 0.04,
              scalar="the last dimension has one element" if n == 1 else "")
    text += source + "\n"
with open(sys.argv.pop(1), "w") as file:
    file.write(text)
suite.run()
