# Arrays of other libraries than NumPy: in by DLPack and the array interface,
# out by DLPack; without NumPy, and with it.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/types.mlir -o %t/types.so
# RUN: env PYTHONPATH=%amp_src/python %python %s %t/types.so
import ctypes
import gc
import sys

sys.modules["numpy"] = None  # "import numpy" fails
import amp_runtime  # noqa: E402
from amp_runtime import _results  # noqa: E402

model = amp_runtime.load(sys.argv[1])


class Floats:
    """An array by the array interface alone."""

    def __init__(self, *values, read_only=False):
        self.data = (ctypes.c_float * len(values))(*values)
        self.__array_interface__ = {
            "shape": (1, len(values)),
            "typestr": "<f4",
            "data": (ctypes.addressof(self.data), read_only),
            "version": 3,
        }


def expect(text, call):
    try:
        call()
    except (amp_runtime.ArgumentError, BufferError) as error:
        assert text in str(error), f"expected '{text}' in '{error}'"
        return
    raise AssertionError(f"nothing was raised; expected: {text}")


# Without NumPy results are arrays of the runtime.
result = model.add(Floats(1, 2, 3), Floats(10, 20, 30))
assert isinstance(result, amp_runtime.Array)
assert (result.shape, result.dtype, result.size, result.nbytes) == ((1, 3), "f32", 3, 12)
assert result.tolist() == [[11, 22, 33]] and not result.on_device
assert repr(result) == "<amp_runtime.Array f32 [1, 3] on cpu>"
assert not hasattr(result, "__cuda_array_interface__")
assert result.__array_interface__["data"] == (result.data_ptr, False)
empty = model.large(0)
assert empty.shape == (0,) and empty.tolist() == [] and empty.tobytes() == b""
out = Floats(0, 0, 0)
assert model.add(result, result, out=out) is out and list(out.data) == [22, 44, 66]
expect("the array is read-only", lambda: model.add(result, result, out=Floats(0, 0, 0, read_only=True)))

# The CPU is a device as well.
mine = model.upload(Floats(1, 2, 3))
assert not mine.on_device and mine.tolist() == [[1, 2, 3]]
assert model.upload(Floats(4, 5, 6), out=mine) is mine and mine.tolist() == [[4, 5, 6]]
expect("that can be written, without gaps", lambda: model.upload(Floats(1, 2, 3), out=Floats(0, 0, 0, read_only=True)))
assert model.stats()["plain_runs"] > 0 and model.stats()["graph_runs"] == 0
del mine

# Results go back in by DLPack. A capsule that is taken is given back after the
# call; one that is not, when it dies.
assert not _results._exported
assert model.add(result, result).tolist() == [[22, 44, 66]]
gc.collect()
assert not _results._exported
capsule = result.__dlpack__()
versioned = result.__dlpack__(max_version=(1, 1))
assert len(_results._exported) == 2
del capsule, versioned
gc.collect()
assert not _results._exported


class Producer:
    """By DLPack alone: of version 1, or older."""

    def __init__(self, array, is_old, device=(1, 0)):
        self.array, self.is_old, self.device, self.options = array, is_old, device, None

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if self.is_old and "max_version" in options:
            raise TypeError("max_version is not known")
        self.options = options
        return self.array.__dlpack__(**options)


for is_old in (False, True):
    producer = Producer(result, is_old)
    assert model.add(producer, producer).tolist() == [[22, 44, 66]]
    assert "stream" not in producer.options  # the CPU has none
    gc.collect()
    assert not _results._exported


class Twice(Producer):
    """Hands out the same capsule again."""

    def __dlpack__(self, **options):
        self.capsule = getattr(self, "capsule", None) or self.array.__dlpack__()
        return self.capsule


class Bad(Producer):
    """Hands out no capsule."""

    def __dlpack__(self, **options):
        return 3


twice = Twice(result, False)
expect("one that was used before", lambda: model.add(twice, twice))
expect("DLPack's device type 10", lambda: model.add(Producer(result, False, (10, 0)), result))
expect("no capsule of DLPack", lambda: model.add(Bad(result, False), result))
expect("not (2, 0)", lambda: result.__dlpack__(dl_device=(2, 0)))
expect("without a copy", lambda: result.__dlpack__(copy=True))
del twice
gc.collect()
assert not _results._exported

# With NumPy again.
del sys.modules["numpy"]
import numpy as np  # noqa: E402

view = np.from_dlpack(result)
pointer = result.data_ptr
del result, producer
gc.collect()
assert view.ctypes.data == pointer and view.tolist() == [[11, 22, 33]]
assert len(_results._exported) == 1
del view
gc.collect()
assert not _results._exported
assert np.asarray(empty).shape == (0,)
assert np.asarray(model.add(Floats(1), Floats(2))).tolist() == [[3]]


class Hidden:
    """A NumPy array, by DLPack alone."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


source = np.arange(6, dtype=np.float32).reshape(2, 3)
assert np.array_equal(model.add(Hidden(source.T), Hidden(source.T)), 2 * source.T)
gc.collect()
references = sys.getrefcount(source)
for _ in range(10):
    model.add(Hidden(source), Hidden(source))
gc.collect()
assert sys.getrefcount(source) == references
target = np.zeros((2, 3), np.float32)
model.add(source, source, out=Hidden(target))
assert np.array_equal(target, 2 * source)
source.flags.writeable = False
# NumPy before 2.1 does not export such an array, and says so itself.
exports = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1)
expect("read-only" if exports else "readonly", lambda: model.add(target, target, out=Hidden(source)))
# A capsule that is left when Python ends must not call into it.
leftover = np.from_dlpack(empty)
