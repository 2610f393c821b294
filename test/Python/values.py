# Types, shapes and names of functions on a device, on the simulator.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/values.mlir --target=sim -o %t/values.so 2> %t/log.txt
# RUN: not grep -e warning -e error %t/log.txt
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_LEAKS=1 PYTHONPATH=%amp_src/python %python %s %t/values.so
# A library without any kernel.
# RUN: amp-compile %S/Inputs/values.mlir --target=sim --entry=nothing --entry=source --entry=sink -o %t/none.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_LEAKS=1 PYTHONPATH=%amp_src/python %python %s %t/none.so
# The same for a real device, as far as its assembler goes.
# RUN: amp-compile %S/Inputs/values.mlir --target=sm_80 -o %t/sm_80.so
# RUN: amp-compile %S/Inputs/values.mlir --target=sm_90a -o %t/sm_90a.so
# RUN: amp-compile %S/Inputs/values.mlir --target=sm_90a --entry=nothing --entry=source -o %t/empty.so
import sys

import numpy as np

import amp_runtime

model = amp_runtime.load(sys.argv[1])
f32 = np.float32


def listed(results):
    return [result.tolist() if hasattr(result, "tolist") else result for result in results]


x = np.array([1, 2, 3, 4], f32)
for _ in range(3):  # plain, recorded, replayed
    assert model.nothing() is None and model.sink(x) is None
    assert model.source().tolist() == [[1, 2, 3], [4, 5, 6]]
if "main" not in model.functions:
    assert model.manifest["kernels"] == []
    sys.exit()

assert str(model.signs) == (
    "<amp_runtime.Function signs(arg0: i8 [4], arg1: ui8 [4], arg2: ui16) -> "
    "(result0: f32 [4], result1: f32 [4], result2: ui8 [4], result3: ui32 [2], result4: ui16)>"
), str(model.signs)
bf16 = np.array([0x3F80, 0xC000, 0x7FC0], np.uint16).view("V2")
f8 = np.array([0x38, 0xB8, 0x7E], np.uint8).view("V1")  # 1, -1, 448
for _ in range(3):
    signs = np.array([-1, 2, -128, 127], np.int8), np.array([255, 2, 128, 1], np.uint8)
    assert listed(model.signs(*signs, 65535)) == [
        [-1, 2, -128, 127],
        [255, 2, 128, 1],
        [254, 4, 0, 128],
        [1, 4000000000],
        65535,
    ]
    doubled, eights, wide = model.narrow(bf16, f8)
    assert doubled.numpy().view(np.uint16).tolist() == [0x4000, 0xC080, 0x7FC0]
    # 896 is beyond f8E4M3FN, which has no infinity.
    assert eights.numpy().view(np.uint8).tolist()[:2] == [0x40, 0xC0]
    assert wide.tolist()[:2] == [2, -2] and np.isnan(wide.tolist()[2])
    assert listed(model.bits(np.array([-1, 2, 3], f32), np.array([True, True, False]))) == [
        [True, False, True],
        [-1, 0, 3],
    ]
    assert listed(model.indices(5, np.array([7, 8, 9]))) == [[8, 9, 10, 11, 12], 40]
    assert listed(model.indices(0, np.array([7, 8, 9]))) == [[], 0]
    assert listed(model.rank0(np.array(3.0, f32), np.arange(10, dtype=f32))) == [6, 45, 45]
    assert model.rank0(np.array(3.0, f32), np.zeros(0, f32))[1] == 0
    assert model.init(x).tolist() == [2, 4, 6, 8] and model.main(x).tolist() == [3, 6, 9, 12]
    assert model.functions["strange name-1.2$/é"](x).tolist() == [1, 4, 9, 16]
    assert model.printf(x).tolist() == [0, 0, 0, 0]
    assert model.free(x.astype(np.int32)).tolist() == [2, 4, 6, 8]
