# What goes wrong on a device as a compiled model runs, on the simulator: memory
# that runs out in the middle of a run, faults of kernels, code for another one;
# and indices that are out of bounds on the CPU, where they are checked.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/failures.mlir --target=sim -o %t/failures.so
# RUN: amp-compile %S/Inputs/failures.mlir --entry=gather --target=sm_90a -o %t/hopper.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_MEMORY=4000000 AMP_SIM_LEAKS=1 PYTHONPATH=%amp_src/python %python %s memory %t/failures.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_MEMORY=4000000 AMP_SIM_DEFER=1 PYTHONPATH=%amp_src/python %python %s memory %t/failures.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so PYTHONPATH=%amp_src/python %python %s fault %t/failures.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_DEFER=1 PYTHONPATH=%amp_src/python %python %s fault %t/failures.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_DEFER=1 AMP_CUDA_SYNC=1 PYTHONPATH=%amp_src/python %python %s fault %t/failures.so
# RUN: amp-compile %S/Inputs/failures.mlir --entry=gather -o %t/cpu.so
# RUN: env PYTHONPATH=%amp_src/python %python %s indices %t/cpu.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_CAPABILITY=80 PYTHONPATH=%amp_src/python %python %s code %t/hopper.so
import sys

import numpy as np

import amp_runtime

kind, path = sys.argv[1:]


def expect(kind, texts, call):
    try:
        call()
    except amp_runtime.Error as error:
        assert type(error) is kind, f"expected {kind.__name__}, found {type(error).__name__}: {error}"
        for text in texts:
            assert text in str(error), f"expected '{text}' in: {error}"
        assert "\n" not in str(error), error
        return
    raise AssertionError(f"nothing was raised; expected {kind.__name__}")


if kind == "code":
    expect(
        amp_runtime.ModelError,
        ("compiled for sm_90a", "device 0 of compute capability 8.0", "CUDA_ERROR_NO_BINARY_FOR_GPU"),
        lambda: amp_runtime.load(path),
    )
    sys.exit()

model = amp_runtime.load(path)
x = np.linspace(-1, 1, 64, dtype=np.float32)

if kind == "indices":
    table = np.arange(8, dtype=np.float32)
    for at in ([7, 8], [-1], [2**62, 0], [0] * 99999 + [8]):
        expect(
            amp_runtime.CheckError,
            ("failures.mlir:13:", "an index of 'tensor.extract' is out of the bounds of tensor<?xf32>"),
            lambda: model.gather(table, np.array(at)),
        )
        # The model can be used further.
        assert model.gather(table, np.array([7, 0, 3])).tolist() == [7, 0, 3]
    assert model.gather(table[:0], np.array([], np.int64)).tolist() == []
    sys.exit()


def check_square():
    y, outer = model.square(x)
    assert np.array_equal(outer.numpy(), np.outer(x, x))
    wanted = np.outer(x, x).astype("f8") @ np.outer(x, x) @ x
    assert np.allclose(y.numpy(), wanted, rtol=1e-5, atol=1e-5)


if kind == "memory":
    # 900 x 900 is 3.24 MB: the first matrix is there, the second is not. Again
    # and again: what the failed runs took has come back.
    for _ in range(3):
        expect(
            amp_runtime.OutOfMemoryError,
            ("CUDA_ERROR_OUT_OF_MEMORY",),
            lambda: model.square(np.ones(900, np.float32)),
        )
        check_square()
    # It fits where one matrix is not in the way of another.
    y, outer = model.square(np.ones(400, np.float32))
    assert (outer.numpy() == 1).all() and (y.numpy() == 160000).all()
    sys.exit()

check_square()
table = np.arange(8, dtype=np.float32)
at = np.array([7, 0, 3])
assert model.gather(table, at).tolist() == [7, 0, 3]
texts = ("'gather_", "failures.mlir:", "CUDA_ERROR_ILLEGAL_ADDRESS")
wrong = np.array([7, 2**30, 3])
for _ in range(2):
    expect(amp_runtime.DeviceError, texts, lambda: model.gather(table, wrong).numpy())
# The context is gone: every call says so, none crashes.
expect(amp_runtime.DeviceError, ("CUDA_ERROR_ILLEGAL_ADDRESS",), lambda: model.square(x))
expect(amp_runtime.DeviceError, ("CUDA_ERROR_ILLEGAL_ADDRESS",), model.synchronize)
