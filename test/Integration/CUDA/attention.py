# Attentions as one kernel of sm_90a on the simulator, which finds races, deadlocks and early releases: sizes of heads, tails, masks, layouts.
# Oracle and bound: Inputs/attentions.py. AMP_SIM_WRITES: every element of a result is written, and once.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim:sm_90a AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext AMP_SIM_CAPABILITY=90 \
# RUN:   AMP_SIM_WRITES=all PYTHONPATH=%amp_src/python:%S/../CPU/Inputs:%S/Inputs %python %s | FileCheck %s
# The same functions on the CPU: through the kernel functions, and without them.
# RUN: env PYTHONPATH=%S/../CPU/Inputs:%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-form-kernels{fuse-attention=true},amp-inline-kernels,amp-lower-to-cpu" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from attentions import PROGRAMS, round_to
from harness import Suite, narrow

rng = np.random.default_rng(7)
suite = Suite()

for name, program in PROGRAMS.items():
    arrays = program.inputs(rng)
    if name == "no_keys":
        # Some rows see nothing, and so are the mean of all values.
        arrays["mask"][..., ::7, :] = False
    if name in ("few_hidden", "few_mean"):
        # The first part, the second, and both.
        arrays["mask"][::4, :520] = arrays["mask"][1::4, 520:] = arrays["mask"][2::4] = False
    if name == "few_lengths":
        arrays["lengths"][:] = [0, 1, 512, 1000]
    if name.startswith("sentinel"):
        # Scores of some rows all near what hides keys, or all below.
        level = {"sentinel_1e4": 2000, "sentinel_f16": 9000, "sentinel_bf16": 2.0**28, "sentinel_min": 9000}[name]
        arrays["k"][:] = round_to(abs(arrays["k"]), program.element)
        arrays["q"][:, ::5] = -level
        arrays["q"][:, 1::5] = round_to(-level / 1.6 * (1 + arrays["q"][:, 1::5] / 8), program.element)
    if name == "nasty":
        # Products of one key are the largest; weights of all others are zero.
        arrays["k"][:, 70] *= 2.0**8
        arrays["q"][:, 11] *= 2.0**6
    want, bounds = program.oracle(arrays)
    arguments = [narrow(arrays[n], element) if element != "i1" else arrays[n] for n, _, element in program.arguments()]
    results = [(program.result, len(program.out))] + ([("f32", len(program.heads) + 1)] if program.lse else [])
    limits = {id(w): b for w, b in zip(want, bounds)}

    def isGood(got, oracle, limits=limits):
        bound = limits[id(oracle)]
        if bound.shape != got.shape:
            return np.zeros(got.shape, bool)
        return (np.isnan(got) & np.isnan(oracle)) | (np.abs(got - oracle) <= bound)

    scalar = "an element of i1 is a byte in memory and a bit in a vector" if program.boolean else ""
    if name.startswith(("few", "decode", "packed_parts")):
        scalar = "maxima and sums of two or three parts fill no vector"
    suite.add(name, program.source(name), arguments, results, want, isGood, scalar=scalar)

suite.run()
