# Tensors of PyTorch on the CPU, in and out by DLPack without a copy.
# REQUIRES: torch
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: amp-compile %S/Inputs/types.mlir -o %t/types.so
# RUN: %torch_python %s %t/types.so %amp_src/python
import gc
import sys
import weakref

import numpy as np
import torch

sys.path.insert(0, sys.argv[2])
import amp_runtime  # noqa: E402

model = amp_runtime.load(sys.argv[1])


def expect(text, call):
    try:
        call()
    except amp_runtime.ArgumentError as error:
        assert text in str(error), f"expected '{text}' in '{error}'"
        return
    raise AssertionError(f"nothing was raised; expected: {text}")


x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
y = model.add(x, 100 * x)
assert isinstance(y, np.ndarray) and torch.equal(torch.from_dlpack(y), 101 * x)
assert torch.from_dlpack(y).data_ptr() == y.ctypes.data

# Views: transposed, with gaps, broadcast, of one column, of no elements, with an offset.
for view in (x.T, x[:, ::2], x[:1].expand(3, 4), x[:, 1:2], x[:0], x[1:, 2:], x.new_zeros(0, 5)):
    assert torch.equal(torch.from_dlpack(model.add(view, view)), 2 * view), view.stride()

# Results into a tensor, contiguous and not; what lies between stays.
target = torch.full((3, 4), -1.0)
pointer = target.data_ptr()
assert model.add(x, x, out=target) is target and torch.equal(target, 2 * x) and target.data_ptr() == pointer
wide = torch.full((3, 8), -1.0)
model.add(x, x, out=wide[:, ::2])
assert torch.equal(wide[:, ::2], 2 * x) and bool((wide[:, 1::2] == -1).all())
# Elementwise, onto an argument.
model.add(target, x, out=target)
assert torch.equal(target, 3 * x)

# The types that NumPy has not, bit by bit: all patterns of bf16 and of 8 bits.
bits = torch.arange(65536, dtype=torch.int32).to(torch.uint16)
out = torch.empty(65536, dtype=torch.bfloat16)
model.bf16(bits.view(torch.bfloat16), out=out)
assert torch.equal(out.view(torch.int16), bits.view(torch.int16))
values = torch.arange(256, dtype=torch.int32).to(torch.uint8)
out = torch.empty(256, dtype=torch.float8_e4m3fn)
model.f8(values.view(torch.float8_e4m3fn), out=out)
assert torch.equal(out.view(torch.uint8), values)
flags = torch.tensor([True, False, True])
assert torch.equal(torch.from_numpy(model.bool(flags)), flags)
assert torch.equal(torch.from_numpy(model.unsigned(bits)), bits)
number = model.number(torch.tensor(1.5, dtype=torch.bfloat16))
assert number == 1.5

# An array of the runtime is a tensor of the same memory, and lives as long as it.
for dtype, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
    mine = model.upload(torch.arange(6).to(dtype))
    seen = torch.from_dlpack(mine)
    assert (mine.dtype, seen.dtype, seen.data_ptr()) == (name, dtype, mine.data_ptr)
    seen[0] = 5
    del mine
    gc.collect()
    assert seen.tolist() == [5, 1, 2, 3, 4, 5]

# Nothing holds a tensor after the call.
alive = weakref.ref(x)
del x, view
gc.collect()
assert alive() is None

# What does not fit.
x = torch.ones(3, 4)
expect("expected f32 [?, ?], found f64 [3, 4]", lambda: model.add(x.double(), x))
expect("expected f32 [?, ?], found f32 [4]", lambda: model.add(x[0], x))
expect("require gradient", lambda: model.add(x.requires_grad_(), x))
expect("meta", lambda: model.add(torch.ones(3, 4, device="meta"), x.detach()))
expect("layout", lambda: model.add(x.detach().to_sparse(), x.detach()))
assert np.array_equal(model.add(x.detach(), x.detach()), np.full((3, 4), 2, np.float32))
