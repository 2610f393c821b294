# Models for the CPU from Python, with NumPy.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/types.mlir -o %t/types.so
# RUN: env PYTHONPATH=%amp_src/python %python %s %t/types.so
import gc
import resource
import sys
import threading
import weakref

import numpy as np

import amp_runtime

model = amp_runtime.load(sys.argv[1])


def expect(kind, text, call):
    """The call must raise an error of this class with this text in it."""
    try:
        call()
    except amp_runtime.Error as error:
        assert type(error) is kind, f"expected {kind.__name__}, found {type(error).__name__}: {error}"
        assert text in str(error), f"expected '{text}' in '{error}'"
        return
    raise AssertionError(f"nothing was raised; expected {kind.__name__}: {text}")


# What a model says of itself.
assert list(model.functions)[:2] == ["add", "mixed"] and model.device is None
assert model.add.arguments[1] == ("y", "f32", (None, None), False, False)
assert str(model.add.results[0]) == "f32 [?, ?]" and model.add.results[0].name == "sum"
assert model.manifest["functions"][0]["arguments"][0]["shape"] == [None, None]
assert [str(value) for value in model.mixed.results] == ["i1", "f64 [3]", "f16", "i64", "i8 []", "i8"]

# Values, by position and by name, with any strides and sizes.
x = np.arange(12, dtype=np.float32).reshape(3, 4)
y = 100 * x
for a in (x, np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2], np.broadcast_to(x[:1], (3, 4))):
    assert np.array_equal(model.add(a, y), a + y)
    assert np.array_equal(model.add(y=y, x=a), a + y)
for shape in ((0, 4), (3, 0), (0, 0), (1, 1), (257, 3)):
    result = model.add(np.ones(shape, np.float32), np.ones(shape, np.float32))
    assert result.shape == shape and (result == 2).all()

# Tensors and numbers side by side.
flag, values, half, index, scalar, byte = model.mixed(-3, np.array([1.0, 2.0, 3.0]), 0.5, 2**40, True)
assert flag is True and half == 0.5 and index == 2**40 and byte == -3
assert values.tolist() == [0.5, 1, 1.5] and scalar.shape == () and scalar == -3
assert model.mixed(np.int8(7), np.ones(3), np.float16(2), np.array(5), np.bool_(False))[3] == 5
assert model.number(1.00390625) == 1.0 and model.number(1.01171875) == 1.015625  # ties to even
assert np.isnan(model.number(float("nan"))) and model.number(float("-inf")) == float("-inf")
assert model.nothing() is None

# Types that NumPy has no name for are bits, and ml_dtypes' where it is there.
bits = np.array([0x3F80, 0xC000, 0x7FC0], np.uint16)
assert np.array_equal(model.bf16(bits.view("V2")).view(np.uint16), bits)
assert np.array_equal(model.f8(np.array([1, 0x80, 0x7F], np.uint8).view("V1")).view(np.uint8), [1, 0x80, 0x7F])
assert model.bool(np.array([True, False])).tolist() == [True, False]
assert model.unsigned(np.array([65535], np.uint16)).dtype == np.uint16

# Results in memory of the caller.
out = np.full((3, 8), -1, np.float32)
assert model.add(x, y, out=out[:, ::2]) is not None
assert np.array_equal(out[:, ::2], x + y) and (out[:, 1::2] == -1).all()
copy = x.copy()
model.add(copy, y, out=copy)  # over an argument
assert np.array_equal(copy, x + y)
scalar = np.zeros((), np.int8)
results = model.mixed(1, np.ones(3), 1.0, 1, True, out=(None, None, None, None, scalar, None))
assert results[4] is scalar and scalar == 1

# Errors say what was expected and what was found.
Argument = amp_runtime.ArgumentError
read_only = np.zeros((3, 4), np.float32)
read_only.flags.writeable = False
expect(Argument, "add: argument 'x': expected f32 [?, ?], found f64 [3, 4]", lambda: model.add(x.astype("f8"), y))
expect(Argument, "add: argument 'x': expected f32 [?, ?], found f32 [4]", lambda: model.add(x[0], y))
expect(Argument, "found >f4", lambda: model.add(x.astype(">f4"), y))
expect(Argument, "expected strides of at least 0", lambda: model.add(x[::-1], y))
expect(Argument, "found list", lambda: model.add([[1.0]], y))
expect(Argument, "arguments are missing: y", lambda: model.add(x))
expect(Argument, "expected 2 arguments, found 3", lambda: model.add(x, y, y))
expect(Argument, "argument 'x' is given twice", lambda: model.add(x, x=x))
expect(Argument, "no argument is called 'z'; there are: x, y", lambda: model.add(x, z=x))
expect(Argument, "argument 1, 'arg1': expected f64 [3], found f64 [4]", lambda: model.mixed(1, np.ones(4), 1, 1, 1))
expect(Argument, "'arg0': expected a number of type i8, found 128", lambda: model.mixed(128, np.ones(3), 1, 1, 1))
expect(Argument, "expected a number of type i8, found 1.5", lambda: model.mixed(1.5, np.ones(3), 1, 1, 1))
expect(Argument, "out: expected 1 arrays, found 2", lambda: model.add(x, y, out=(x, y)))
expect(Argument, "found memory for f32 [2, 4]", lambda: model.add(x, y, out=np.zeros((2, 4), np.float32)))
expect(Argument, "result 'sum': the array is read-only", lambda: model.add(x, y, out=read_only))
expect(Argument, "result 'sum': expected f32 [?, ?], found f64 [3, 4]", lambda: model.add(x, y, out=np.zeros((3, 4))))
expect(Argument, "has no streams", lambda: model.add(x, y, stream=64))
expect(Argument, "call one of: add, mixed", lambda: model(x, y))
expect(amp_runtime.CheckError, "types.mlir:", lambda: model.checked(np.ones(5, np.float32)))
expect(amp_runtime.CheckError, "do not agree", lambda: model.add(x, y[:2]))
expect(amp_runtime.OutOfMemoryError, "memory", lambda: model.large(2**58))
expect(amp_runtime.DeviceError, "device 0; found device 3", lambda: amp_runtime.load(sys.argv[1], device=3))
try:
    model.none
    raise AssertionError("a function that is not there")
except AttributeError as error:
    assert "it has: add, mixed" in str(error)
# After errors the model goes on.
assert model.checked(np.ones(4, np.float32)).tolist() == [1, 1, 1, 1]

# A result lives as long as somebody looks at it, longer than the model, and no
# longer: neither results, nor failed calls, nor copies of arguments stay.
big = np.ones((1024, 1024), np.float32)
tail = model.add(big, big)[-1:]
for _ in range(3):
    model.add(big.T, big)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(200):
    model.add(big, big)
    model.add(big.T, big)
    try:
        model.add(big, big[:2])
    except amp_runtime.CheckError:
        pass
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 100 * 1024, f"{grown} KiB more for 200 calls of 4 MiB each"


class Memory(np.ndarray):
    """An array that can be referred to weakly."""


argument = np.ones((2, 2), np.float32).view(Memory)
death = weakref.ref(argument)
second = amp_runtime.load(sys.argv[1])
kept = second.add(argument, argument)
del argument, second
gc.collect()
assert death() is None, "the call keeps its argument"
assert (kept == 2).all() and (tail == 2).all()

# Threads.
failures = []


def work(number):
    a = np.full((64, 64), number, np.float32)
    for _ in range(200):
        if not (model.add(a, a) == 2 * number).all():
            failures.append(number)
        try:
            model.add(a, a[:number])
        except amp_runtime.CheckError:
            continue
        failures.append(-number)


threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
