# A model's calls leave memory for the next ones, which go back to the system when it is unloaded.
# UNSUPPORTED: sanitizer
# RUN: %python %s write %t.mlir
# RUN: amp-compile %t.mlir -o %t.so
# RUN: env PYTHONPATH=%amp_src/python %python %s run %t.so kept
# RUN: env PYTHONPATH=%amp_src/python AMP_CACHE_BYTES=0 %python %s run %t.so bounded
import re
import sys

import numpy as np

SIZE = 2048


def write(path):
    tensor = f"tensor<{SIZE}x{SIZE}xf32>"
    with open(path, "w") as file:
        file.write(f"""func.func @main(%a: {tensor}, %b: {tensor}) -> {tensor} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {tensor}
  %f = linalg.fill ins(%z : f32) outs(%e : {tensor}) -> {tensor}
  %r = linalg.matmul ins(%a, %b : {tensor}, {tensor}) outs(%f : {tensor}) -> {tensor}
  return %r : {tensor}
}}
""")


def resident():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmRSS:\s*(\d+) kB", file.read()).group(1)) * 1024


def run(path, kind):
    import amp_runtime

    a = np.ones((SIZE, SIZE), np.float32)
    model = amp_runtime.load(path)
    before = resident()
    for _ in range(2):
        y = model(a, a)
        assert y[0, 0] == SIZE and y[-1, -1] == SIZE
        del y
    left = resident() - before
    # The result alone is 16 MiB.
    assert left > 12 << 20 if kind == "kept" else left < 8 << 20, left
    del model
    assert resident() - before < 8 << 20, resident() - before


{"write": write, "run": run}[sys.argv[1]](*sys.argv[2:])
