# Attentions of which an address is no multiple of 16 bytes: the kernels that the host launches instead of those by TMA, which the
# simulator would refuse to start. Each operand in turn is off by one element. Oracle and bound: Inputs/named_attentions.py.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim:sm_90a AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext AMP_SIM_CAPABILITY=90 \
# RUN:   AMP_SIM_WRITES=all PYTHONPATH=%amp_src/python:%S/../CPU/Inputs:%S/Inputs %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import compile_module, narrow, widen
from named_attentions import Named

PROGRAMS = {
    "causal": Named(33, 47, 64, heads=(2, 1), causal=True, lse=True),
    "bias": Named(20, 30, 32, columns=16, mask=(20, 30), maskElement="f16", result="f32"),
    "packed": Named(40, 40, 64, offsets=((0, 13, 40),) * 2, element="bf16"),
}


class Shifted:
    """An array on the device, one element behind a multiple of 16 bytes."""

    def __init__(self, model, array, dtype):
        self.memory = model.upload(np.concatenate([np.zeros(1, array.dtype), array.ravel()]).view(dtype))
        pointer = self.memory.__cuda_array_interface__["data"][0]
        assert pointer % 16 == 0
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.view(dtype).dtype.str, "version": 3, "strides": None,
                                         "data": (pointer + array.itemsize, True)}


rng = np.random.default_rng(3)
module = compile_module("\n".join(program.source(name) for name, program in PROGRAMS.items()))
failures = 0
for name, program in PROGRAMS.items():
    arrays = program.inputs(rng)
    want, bounds = program.oracle(arrays)
    values = [arrays[n] if e == "i32" else narrow(arrays[n], e) for n, _, e in program.arguments()]
    results = [(element, len(shape)) for shape, element in program.results()]
    for moved in range(len(values) + 1):  # the last time none
        arguments = [Shifted(module.model, v, "V2" if e == "bf16" else v.dtype) if i == moved else v
                     for i, (v, (_, _, e)) in enumerate(zip(values, program.arguments()))]
        got = module(name, arguments, results)
        good = all(np.all(abs(widen(g, e) - w) <= b) for g, (e, _), w, b in zip(got, results, want, bounds))
        failures += not good
        print(f"{name}, argument {moved}: {'ok' if good else 'FAILED'}")
print("all passed" if failures == 0 else f"{failures} failed")
