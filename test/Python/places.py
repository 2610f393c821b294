# Results in memory of the caller: written to as they are computed where it may be, else copied; never by a call that fails.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/places.mlir -o %t/places.so
# RUN: env PYTHONPATH=%amp_src/python %python %s %t/places.so
# RUN: env AMP_NUM_THREADS=2 PYTHONPATH=%amp_src/python %python %s %t/places.so
# RUN: amp-compile %S/Inputs/places.mlir --emit=llvm -o - | FileCheck %S/Inputs/places.mlir
import resource
import sys

import numpy as np

import amp_runtime

model = amp_runtime.load(sys.argv[1])
random = np.random.default_rng(0)


def floats(*shape):
    return random.standard_normal(shape, dtype=np.float32)


def place(shape, offset=0, dtype=np.float32):
    """Memory `offset` bytes behind the start of a line of a cache, and what it was filled with."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.full(size + 128, 77, np.uint8)
    begin = -raw.ctypes.data % 64 + offset
    return raw[begin : begin + size].view(dtype).reshape(shape), raw


def expect(kind, text, call):
    try:
        call()
    except amp_runtime.Error as error:
        assert type(error) is kind and text in str(error), f"expected {kind.__name__} with '{text}', found {type(error).__name__}: {error}"
        return
    raise AssertionError(f"nothing was raised; expected {kind.__name__}")


def check_around(array, raw):
    """Nothing but the elements was written to."""
    begin = array.ctypes.data - raw.ctypes.data
    assert (raw[:begin] == 77).all() and (raw[begin + array.nbytes :] == 77).all()


# Anywhere in memory.
for offset in (0, 4, 16, 60):
    for rows in (0, 1, 5, 300):
        x, y, w = floats(rows, 33), floats(rows, 33), floats(300, 70)
        out, raw = place((rows, 33), offset)
        assert model.sum(x, y, out=out) is out and np.array_equal(out, x + y)
        check_around(out, raw)
        x = floats(rows, 300)
        out, raw = place((rows, 70), offset)
        model.product(x, w, out=out)
        assert np.array_equal(out, model.product(x, w)) and np.abs(out - x @ w).max(initial=0) < 1e-3
        check_around(out, raw)
    x = floats(2048, 1040)
    out, raw = place(x.shape, offset)
    model.large(x, out=out)
    assert np.array_equal(out, 2 * x)
    check_around(out, raw)

# With gaps.
x, y = floats(5, 6), floats(5, 6)
wide = np.zeros((5, 12), np.float32)
model.sum(x, y, out=wide[:, ::2])
assert np.array_equal(wide[:, ::2], x + y) and not wide[:, 1::2].any()

# Over an argument, in part and as a whole, and over its own transpose.
for shift in (0, 1, 6, 29, 30):
    memory = floats(60)
    x, out = memory[:30].reshape(5, 6), memory[shift : shift + 30].reshape(5, 6)
    want = x + y
    model.sum(x, y, out=out)
    assert np.array_equal(out, want), shift
square = floats(9, 9)
want = square.T.copy()
model.sum(square.T, np.zeros((9, 9), np.float32), out=square)
assert np.array_equal(square, want)

# Some of several results, and two over each other: the later one is what is left.
x = floats(8, 16)
for given in range(16):
    outs = [place((8, 16))[0], None, place((8, 16), dtype=np.float16)[0], place((128,))[0]]
    outs = [out if given >> i & 1 else None for i, out in enumerate(outs)]
    results = model.several(x, out=outs)
    assert all(out is None or out is result for out, result in zip(outs, results))
    assert np.array_equal(results[0], x + 3) and results[1] == 2 and np.array_equal(results[3], 3 * x.ravel())
    assert np.array_equal(results[2], x.astype(np.float16))
both = floats(8, 16)
model.several(x, out=(both, None, None, both.ravel()))
assert np.array_equal(both, 3 * x)

# What is not written to in place.
x = floats(4, 4)
outs = tuple(place((4, 4))[0] for _ in range(3))
model.same(x, out=outs)
assert np.array_equal(outs[0], 2 * x) and np.array_equal(outs[1], 2 * x) and np.array_equal(outs[2], x)
assert np.array_equal(model.called(x, out=outs[0]), 2 * x)
assert np.array_equal(model.caller(x, out=outs[0]), 8 * x * x)
for turns in (0, 1, 2, 5):
    assert np.allclose(model.repeat(x, turns, out=outs[0]), (turns + 1) * x)
for which in (False, True):
    assert np.array_equal(model.choose(x, which, out=outs[0]), (which + 1) * x)

# A call that fails leaves all as it was.
out, raw = place((4, 3))
expect(amp_runtime.ArgumentError, "found memory for f32 [4, 3]", lambda: model.sum(floats(3, 4), floats(3, 4), out=out))
expect(amp_runtime.CheckError, "as many rows", lambda: model.sum(floats(4, 3), floats(5, 3), out=out))
assert (raw == 77).all()
table = floats(64)
out, raw = place((3,))
expect(amp_runtime.CheckError, "out of the bounds", lambda: model.gather(table, np.array([0, 1, 64]), out=out))
assert (raw == 77).all()
first, whole = place((64,))
expect(amp_runtime.CheckError, "out of the bounds", lambda: model.late(table, np.array([0, 1, 64]), out=(first, out)))
expect(amp_runtime.ArgumentError, "found memory for f32 [3]", lambda: model.late(table, np.array([0, 1]), out=(first, out)))
assert (raw == 77).all() and (whole == 77).all()
first, whole = place((5,))
second, raw = place((6,))
expect(amp_runtime.ArgumentError, "result 1, 'result1': the inputs give f32 [7]", lambda: model.pair(table[:5], table[:7], out=(first, second)))
assert (raw == 77).all() and (whole == 77).all()
model.pair(table[:5], table[:6], out=(first, second))
assert np.array_equal(first, 2 * table[:5]) and np.array_equal(second, abs(table[:6]))
assert np.array_equal(model.pair(table[:5], table[:7], out=(first, None))[1], abs(table[:7]))
first, whole = place((64,))
out, raw = place((3,))
model.late(table, np.array([0, 1, 63]), out=(first, out))
assert np.array_equal(first, 2 * table) and np.array_equal(out, 2 * table[[0, 1, 63]])
assert np.array_equal(model.gather(table, np.array([5, 0, 63]), out=out), table[[5, 0, 63]])

# In place no memory is needed: there is none for a copy.
x = floats(2048, 1040)
out, _ = place(x.shape)
fresh = amp_runtime.load(sys.argv[1])
with open("/proc/self/statm", encoding="utf-8") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
limits = resource.getrlimit(resource.RLIMIT_AS)
del model
resource.setrlimit(resource.RLIMIT_AS, (used, limits[1]))
try:
    fresh.large(x, out=out)
    keep = []
    expect(amp_runtime.OutOfMemoryError, "out of memory", lambda: [keep.append(fresh.large(x)) for _ in range(16)])
finally:
    resource.setrlimit(resource.RLIMIT_AS, limits)
assert np.array_equal(out, 2 * x)
