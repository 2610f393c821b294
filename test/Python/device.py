# Models for a device from Python, on the simulator in the place of the driver:
# arrays by DLPack and by the array interface of CUDA, streams, weights, errors.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/types.mlir --entry=add --entry=bf16 --target=sim -o %t/types.so
# RUN: env AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator.so PYTHONPATH=%amp_src/python %python %s %t/types.so
import gc
import sys

import numpy as np

import amp_runtime
from amp_runtime import _results

model = amp_runtime.load(sys.argv[1])
assert model.device == 0 and model.manifest["target"] == "sim"
assert model.manifest["kernels"], "no kernels in the manifest"

# Arrays of the CPU are copied in; results stay on the device.
x = np.arange(12, dtype=np.float32).reshape(3, 4)
first = model.add(x, 100 * x)
assert isinstance(first, amp_runtime.Array) and first.on_device
assert not hasattr(first, "__array_interface__")
assert np.array_equal(first.numpy(), 101 * x) and first.tolist() == (101 * x).tolist()
interface = first.__cuda_array_interface__
assert interface["shape"] == (3, 4) and interface["typestr"] == "<f4" and interface["data"] == (first.data_ptr, False)
assert first.__dlpack_device__() == (2, 0)


class Foreign:
    """The array of another library: the interface of CUDA alone."""

    def __init__(self, array, strides=None, shape=None):
        self.array = array
        self.__cuda_array_interface__ = {
            **array.__cuda_array_interface__,
            "strides": strides,
            "shape": shape or array.shape,
        }


class Producer:
    """By DLPack alone; notes the stream that it is told."""

    def __init__(self, array):
        self.array, self.streams = array, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None):
        self.streams.append(stream)
        return self.array.__dlpack__(stream=stream, max_version=max_version)


for wrap in (lambda array: array, Foreign, Producer):
    assert np.array_equal(model.add(wrap(first), wrap(first)).numpy(), 202 * x)
    gc.collect()
    assert not _results._exported
producer = Producer(first)
model.add(producer, x)
assert producer.streams == [1], "the default stream is number 1 of DLPack"

# Strides: columns 0 and 2 of the array.
columns = Foreign(first, strides=(16, 8), shape=(3, 2))
assert np.array_equal(model.add(columns, columns).numpy(), 202 * x[:, ::2])

# Results in memory of the caller, on the device and on the CPU.
target = Foreign(model.add(x, x))
assert model.add(first, x, out=target) is target
assert np.array_equal(target.array.numpy(), 102 * x)
host = np.zeros((3, 4), np.float32)
model.add(first, first, out=host)
assert np.array_equal(host, 202 * x)

# Types without a name in NumPy.
bits = np.array([0x3F80, 0xC000], np.uint16)
assert np.array_equal(model.bf16(bits.view("V2")).numpy().view(np.uint16), bits)

# A result outlives the model; an exported one its array.
second = amp_runtime.load(sys.argv[1])
kept = second.add(x, x)
capsule = kept.__dlpack__(stream=-1)
del second, kept
gc.collect()
assert len(_results._exported) == 1
del capsule
gc.collect()
assert not _results._exported


def expect(kind, text, call):
    try:
        call()
    except amp_runtime.Error as error:
        assert type(error) is kind and text in str(error), f"expected '{text}' in {type(error).__name__}: {error}"
        return
    raise AssertionError(f"nothing was raised; expected {kind.__name__}: {text}")


class Elsewhere(Producer):
    """On a device that the model is not on."""

    def __dlpack_device__(self):
        return (2, 5)


expect(amp_runtime.ArgumentError, "expected an array on device 0, found one on device 5", lambda: model.add(Elsewhere(first), x))
expect(amp_runtime.ArgumentError, "expected f32", lambda: model.add(x.astype(np.float64), x))
expect(amp_runtime.ArgumentError, "stream: expected an address", lambda: model.add(x, x, stream="fast"))
expect(amp_runtime.CheckError, "do not agree", lambda: model.add(x, x[:2]))
expect(amp_runtime.DeviceError, "no CUDA device 7", lambda: amp_runtime.load(sys.argv[1], device=7))

# Memory of a call, where the manifest knows none.
assert model.add.workspace_bytes_for(x, x) == 0
expect(amp_runtime.ArgumentError, "expected f32 [?, ?], found f32 [4]", lambda: model.add.workspace_bytes_for(x[0], x))

# Arrays that the caller brings to the device, and what the model counts.
mine = model.upload(x)
assert mine.on_device and (mine.shape, mine.dtype) == ((3, 4), "f32")
before = model.stats()
assert np.array_equal(model.add(mine, mine).numpy(), 2 * x)
assert model.stats()["plain_runs"] + model.stats()["graph_runs"] == before["plain_runs"] + before["graph_runs"] + 1
assert model.upload(x + 1, out=mine) is mine and np.array_equal(mine.numpy(), x + 1)
expect(amp_runtime.ArgumentError, "upload: expected an array of the CPU, without gaps", lambda: model.upload(mine))
expect(amp_runtime.ArgumentError, "upload: expected an array of the CPU, without gaps", lambda: model.upload(x.T))
expect(amp_runtime.ArgumentError, "upload: out: expected an array of the model's device", lambda: model.upload(x, out=host))
expect(amp_runtime.ArgumentError, "upload: out: expected f32 [2, 4], found f32 [3, 4]", lambda: model.upload(x[:2], out=mine))
expect(amp_runtime.ArgumentError, "expected f64 [3, 4], found f32 [3, 4]", lambda: model.upload(x.astype("f8"), out=Foreign(mine)))
expect(amp_runtime.ArgumentError, "expected elements of a type that has a name, found |V1", lambda: model.upload(np.zeros(3, "V1")))
del mine
model.synchronize()
model.reload_weights()
