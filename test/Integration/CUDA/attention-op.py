# Programs of amp.attention on the simulator of sm_90a, where they are one kernel each, and on the CPU, where they are not: masks, shared heads,
# packed sequences, rows that see nothing. Oracle and bound: Inputs/named_attentions.py.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim:sm_90a AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext AMP_SIM_CAPABILITY=90 \
# RUN:   AMP_SIM_WRITES=all PYTHONPATH=%amp_src/python:%S/../CPU/Inputs:%S/Inputs %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/../CPU/Inputs:%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-linalg,amp-lower-to-cpu" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow
from named_attentions import PROGRAMS

rng = np.random.default_rng(11)
suite = Suite()

for name, program in PROGRAMS.items():
    arrays = program.inputs(rng)
    if name == "no_keys":
        arrays["m"][::7] = False
    if name == "few_no_keys":
        arrays["m"][0] = arrays["m"][1, :512] = arrays["m"][2, 512:] = False
    want, bounds = program.oracle(arrays)
    arguments = [arrays[n] if element in ("i1", "i32") else narrow(arrays[n], element) for n, _, element in program.arguments()]
    results = [(element, len(shape)) for shape, element in program.results()]
    limits = {id(w): b for w, b in zip(want, bounds)}

    def isGood(got, oracle, limits=limits):
        bound = limits[id(oracle)]
        if bound.shape != got.shape:
            return np.zeros(got.shape, bool)
        with np.errstate(invalid="ignore"):
            return (np.isnan(got) & np.isnan(oracle)) | (got == oracle) | (abs(got - oracle) <= bound)

    suite.add(name, program.source(name), arguments, results, want, isGood,
              scalar="an element of i1 is a byte in memory and a bit in a vector" if program.boolean else "")

suite.run()
