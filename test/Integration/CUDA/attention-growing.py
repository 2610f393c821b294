# Attentions of few rows over a cache that grows, and over batches of any size: one library, in which the keys are in as many parts of 512 as it
# takes, and a rest. Each number of keys gives what Inputs/attentions.py says, the same bits in each run; no keys give zeros.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim:sm_90a AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext AMP_SIM_CAPABILITY=90 \
# RUN:   AMP_SIM_WRITES=all PYTHONPATH=%amp_src/python:%S/../CPU/Inputs:%S/Inputs %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/../CPU/Inputs:%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-form-kernels{fuse-attention=true},amp-inline-kernels,amp-lower-to-cpu" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: 26 results, all as they should be
import sys

import numpy as np
from attentions import Attention
from harness import compile_module, narrow, widen

SIZES = [(1, 0), (2, 1), (1, 7), (3, 64), (1, 511), (2, 512), (1, 513), (1, 1024), (1, 1025), (2, 1100), (1, 1537), (5, 200), (0, 513)]


def rows(batch, keys):
    return Attention(3, keys, 64, batch=(batch, 2, 2), shared=1, dynamic="xj", lse=True, named=False)


def decode(batch, keys):
    return Attention(1, keys, 128, batch=(batch, 3), dynamic="xj", element="bf16", result="f32")


FORMS = {"rows": rows, "decode": decode}
module = compile_module("\n".join(form(2, 64).source(name) for name, form in FORMS.items()),
                        sys.argv[1] if len(sys.argv) > 1 else "")
rng = np.random.default_rng(3)
good = 0
for name, form in FORMS.items():
    for batch, keys in SIZES:
        program = form(batch, keys)
        arrays = program.inputs(rng)
        arguments = [narrow(arrays[n], element) for n, _, element in program.arguments()]
        results = [(program.result, len(program.out))] + ([("f32", 4)] if program.lse else [])
        got, again = (module(name, arguments, results) for _ in range(2))
        same = all(a.tobytes() == b.tobytes() for a, b in zip(got, again))
        values = [widen(a, t) for a, (t, _) in zip(got, results)]
        if keys and batch:
            isNear = all((abs(a - w) <= b).all() and a.shape == w.shape for a, w, b in zip(values, *program.oracle(arrays)))
        else:
            isNear = values[0].shape == tuple(program.shape(program.out)) and (values[0] == 0).all()
        if same and isNear:
            good += 1
        else:
            print(f"FAILED: {name}, {batch} batches of {keys} keys, {'the same' if same else 'other'} bits in each run")
print(f"{good} results, all as they should be" if good == len(FORMS) * len(SIZES) else "FAILED")
