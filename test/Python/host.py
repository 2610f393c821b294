# The host side of compiled models, end to end on the simulator: weights that
# are prepared, graphs whose pointers change, captures of the caller, threads,
# devices, memory that runs out. The program is the MLP of the benchmarks, small.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: %python -c "import sys; sys.path.append('%amp_src/benchmarks/gpu'); import blocks; print(blocks.Mlp(16, 64, 128).mlir)" > %t/mlp.mlir
# RUN: amp-compile %t/mlp.mlir --autocast=f16 --target=sim -o %t/mlp.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_DEVICES=2 AMP_SIM_LEAKS=1 PYTHONPATH=%amp_src/python %python %s %t/mlp.so
# Streams that work only when somebody waits show missing synchronisation.
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_DEVICES=2 AMP_SIM_DEFER=1 PYTHONPATH=%amp_src/python %python %s %t/mlp.so
# Launches that do not overlap give the same.
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so AMP_SIM_DEVICES=2 AMP_CUDA_OVERLAP=0 PYTHONPATH=%amp_src/python %python %s %t/mlp.so
import ctypes
import math
import os
import sys
import threading

import numpy as np

import amp_runtime

ROWS, WIDTH, HIDDEN = 16, 64, 128
driver = ctypes.CDLL(os.environ["AMP_CUDA_DRIVER"])


class Stats(ctypes.Structure):
    """ampModelStats"""

    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            "constant_bytes prepared_bytes pool_bytes pool_used_bytes plain_runs graph_runs graphs_built "
            "graph_updates preparations kernels_launched"
        ).split()
    ]


def stats(model):
    result = Stats()
    library = model._handle.library
    library.ampModelGetStats.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    assert library.ampModelGetStats(model._handle.model, ctypes.byref(result)) == 0
    return result


def check(error):
    assert error == 0, f"the driver says {error}"


def make_stream(model):
    stream = ctypes.c_void_p()
    library = model._handle.library
    library.ampStreamCreate.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    assert library.ampStreamCreate(model._handle.model, ctypes.byref(stream)) == 0
    return stream


generator = np.random.default_rng(0)


def make_weights():
    def normal(*shape, scale=1.0):
        return (scale * generator.standard_normal(shape)).astype(np.float32)

    return {
        "gamma": normal(WIDTH),
        "beta": normal(WIDTH),
        "w1": normal(WIDTH, HIDDEN, scale=WIDTH**-0.5),
        "b1": normal(HIDDEN),
        "w2": normal(HIDDEN, WIDTH, scale=HIDDEN**-0.5),
        "b2": normal(WIDTH),
    }


def reference(x, w):
    """In f64."""
    x = x.astype(np.float64)
    centred = x - x.mean(1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w["gamma"] + w["beta"]
    hidden = normed @ w["w1"] + w["b1"]
    hidden = 0.5 * hidden * (1 + np.vectorize(math.erf)(hidden * math.sqrt(0.5)))
    return x + hidden @ w["w2"] + w["b2"]


def close(result, x, w):
    """Bound: 8 u of f16, u = 2^-11, of the largest element; five roundings to
    f16 lie one behind the other."""
    expected = reference(x, w)
    return np.abs(np.asarray(result, np.float64) - expected).max() <= 8 * 2**-11 * np.abs(expected).max()


class Device:
    """An array on the device with nothing but the interface of CUDA."""

    def __init__(self, model, values):
        library = model._handle.library
        self.model, self.shape, self.bytes = model, values.shape, values.nbytes
        pointer = ctypes.c_void_p()
        library.ampModelAllocate.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p]
        assert library.ampModelAllocate(model._handle.model, values.nbytes, ctypes.byref(pointer), None) == 0
        self.pointer = pointer.value
        self.write(values)
        self.__cuda_array_interface__ = {
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (self.pointer, False),
            "version": 3,
        }

    def write(self, values, stream=None):
        values = np.ascontiguousarray(values)
        library = self.model._handle.library
        library.ampModelUpload.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_uint64, ctypes.c_void_p]
        assert library.ampModelUpload(self.model._handle.model, self.pointer, values.ctypes.data, self.bytes, stream) == 0

    def read(self, stream=None):
        result = np.empty(self.shape, np.float32)
        handle = self.model._handle
        assert handle.library.ampModelDownload(handle.model, result.ctypes.data, self.pointer, self.bytes, stream) == 0
        return result

    def __del__(self):
        library = self.model._handle.library
        library.ampModelRelease.argtypes = [ctypes.c_void_p] * 3
        library.ampModelRelease(self.model._handle.model, self.pointer, None)


def inputs():
    return generator.standard_normal((ROWS, WIDTH)).astype(np.float32)


def test_weights_and_graph(model):
    w = make_weights()
    on_device = {name: Device(model, value) for name, value in w.items()}
    x = inputs()
    argument, result = Device(model, x), Device(model, np.zeros_like(x))
    for _ in range(3):
        assert model.main(argument, **on_device, out=result) is result
    assert close(result.read(), x, w)
    s = stats(model)
    # Plain, then recorded, then replayed; the weights were prepared once.
    assert (s.plain_runs, s.graph_runs, s.graphs_built, s.graph_updates) == (1, 2, 1, 0)
    assert s.preparations == 1 and s.prepared_bytes >= 2 * 2 * WIDTH * HIDDEN
    kernels = s.kernels_launched
    # Three kernels: the row reduction, and two products with their neighbours.
    # One of the preparation for each weight that is a matrix.
    assert kernels == 3 + 2, kernels

    # Other pointers: nodes are changed in place.
    others = [inputs() for _ in range(3)]
    places = [Device(model, other) for other in others]
    results = [Device(model, np.zeros_like(x)) for _ in others]
    for other, place, out in zip(others, places, results):
        model.main(place, **on_device, out=out)
        assert close(out.read(), other, w)
    assert close(result.read(), x, w), "an old result was written"
    s = stats(model)
    assert s.graphs_built == 1 and s.graph_runs == 5 and s.graph_updates >= 6, s.graph_updates
    assert s.kernels_launched == kernels

    # Results of the runtime's own.
    kept = [model.main(place, **on_device) for place in places]
    for other, own in zip(others, kept):
        assert close(own.numpy(), other, w)
    assert stats(model).graphs_built == 1
    del kept

    # Contents of weights: seen when they are told of.
    fresh = make_weights()
    for name in w:
        on_device[name].write(fresh[name])
    model.reload_weights()
    model.main(argument, **on_device, out=result)
    assert close(result.read(), x, fresh)
    assert stats(model).preparations == 2 and stats(model).graphs_built == 1

    # Other pointers of weights are seen without.
    third = make_weights()
    moved = {name: Device(model, value) for name, value in third.items()}
    model.main(argument, **moved, out=result)
    assert close(result.read(), x, third)
    assert stats(model).preparations == 3 and stats(model).graphs_built == 1
    assert stats(model).plain_runs == 1
    # Weights of the host: copied once.
    for _ in range(2):
        assert close(model.main(x, **third).numpy(), x, third)
    assert stats(model).preparations == 4
    # Of one function; and arrays that nobody else has, whose memory is not used again for other ones.
    model.main.reload_weights()
    assert close(model.main(x, **third).numpy(), x, third) and stats(model).preparations == 5
    for index in range(6):
        fresh = make_weights()
        assert close(model.main(x, **{name: value.copy() for name, value in fresh.items()}).numpy(), x, fresh)
        assert stats(model).preparations == 6 + index


def test_capture(model):
    w, x = make_weights(), inputs()
    on_device = {name: Device(model, value) for name, value in w.items()}
    argument, result = Device(model, x), Device(model, np.zeros_like(x))
    model.main(argument, **on_device, out=result)
    result.write(np.zeros_like(x))
    before = stats(model)
    stream = make_stream(model)
    context, graph, executable = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    check(driver.cuCtxPushCurrent_v2(context))
    check(driver.cuStreamBeginCapture_v2(stream, 0))
    model.main(argument, **on_device, out=result, stream=stream.value)
    try:
        model.main(x, **on_device, out=result, stream=stream.value)
        raise AssertionError("host memory was captured")
    except amp_runtime.ArgumentError as error:
        assert "argument 0 is in host memory" in str(error), error
    check(driver.cuStreamEndCapture(stream, ctypes.byref(graph)))
    after = stats(model)
    assert after.graph_runs == before.graph_runs and after.plain_runs == before.plain_runs + 1
    assert after.kernels_launched == before.kernels_launched + 3
    assert not result.read().any(), "a captured run has run"
    check(driver.cuGraphInstantiateWithFlags(ctypes.byref(executable), graph, ctypes.c_uint64(0)))
    for values in (x, inputs()):
        argument.write(values, stream)
        check(driver.cuGraphLaunch(executable, stream))
        model.synchronize(stream.value)
        assert close(result.read(stream), values, w)
    check(driver.cuGraphExecDestroy(executable))
    check(driver.cuGraphDestroy(graph))
    library = model._handle.library
    library.ampStreamDestroy.argtypes = [ctypes.c_void_p] * 2
    assert library.ampStreamDestroy(model._handle.model, stream) == 0
    check(driver.cuCtxPopCurrent_v2(ctypes.byref(context)))
    check(driver.cuDevicePrimaryCtxRelease_v2(0))


def test_threads(models):
    """Threads on one model, and on models of two devices."""
    failures = []
    w = make_weights()

    def work(model, number):
        random = np.random.default_rng(number)
        stream = make_stream(model)
        on_device = {name: Device(model, value) for name, value in w.items()}
        for index in range(4):
            x = random.standard_normal((ROWS, WIDTH)).astype(np.float32)
            y = model.main(x, **(on_device if number % 2 else w), stream=stream.value)
            model.synchronize(stream.value)
            if not close(y.numpy(), x, w):
                failures.append((number, index))
            del y
        model.synchronize(stream.value)
        model._handle.library.ampStreamDestroy.argtypes = [ctypes.c_void_p] * 2
        model._handle.library.ampStreamDestroy(model._handle.model, stream)

    threads = [threading.Thread(target=work, args=(models[n % 2], n)) for n in range(4)]
    threads += [threading.Thread(target=work, args=(models[0], 4))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_devices(models):
    x, w = inputs(), make_weights()
    first, second = (model.main(x, **w) for model in models)
    assert (first.__dlpack_device__(), second.__dlpack_device__()) == ((2, 0), (2, 1))
    assert np.array_equal(first.numpy(), second.numpy())
    try:
        models[0].main(second, **w)
        raise AssertionError("an array of another device was taken")
    except amp_runtime.ArgumentError as error:
        assert "expected an array on device 0, found one on device 1" in str(error), error


model = amp_runtime.load(sys.argv[1])
test_weights_and_graph(model)
test_capture(model)
models = [model, amp_runtime.load(sys.argv[1], device=1)]
test_devices(models)
test_threads(models)
