"""Writes the arrays that the tests of amp-run read into the folder argv[1]."""
import os
import sys

import numpy as np

folder = sys.argv[1]


def path(name):
    return os.path.join(folder, name)


x = np.arange(6, dtype=np.float32).reshape(2, 3)
b = np.array([-1, 10, 19], dtype=np.float32)
np.save(path("x.npy"), x)
np.save(path("b.npy"), b)
np.save(path("fortran.npy"), np.asfortranarray(x))
np.save(path("bytes.npy"), x.astype(np.uint8))
np.save(path("double.npy"), x.astype(np.float64))
np.save(path("half.npy"), x.astype(np.float16))
np.save(path("big-endian.npy"), x.astype(">f4"))
np.save(path("complex.npy"), x.astype(np.complex64))
np.save(path("flat.npy"), x.reshape(-1))
np.save(path("wide.npy"), np.zeros((2, 4), np.float32))
np.save(path("large.npy"), np.array([0, 300], np.int32))
nan = x.copy()
nan[0, 1] = nan[1, 1] = np.nan
nan[1, 2] = np.inf
np.save(path("nan.npy"), nan)

np.savez(path("named.npz"), x=x, b=b)
np.savez(path("numbered.npz"), x, b)
np.savez_compressed(path("deflated.npz"), b=b, left=np.zeros(1))
np.savez(path("other.npz"), images=x, labels=np.arange(2))

with open(path("x.npy"), "rb") as file:
    whole = file.read()
with open(path("truncated.npy"), "wb") as file:
    file.write(whole[:-5])
with open(path("header.npy"), "wb") as file:
    file.write(whole[:40])
with open(path("named.npz"), "rb") as file:
    whole = bytearray(file.read())
with open(path("truncated.npz"), "wb") as file:
    file.write(whole[:-30])
# The first byte of the data of the member b, which is the last one.
whole[whole.rindex(b.tobytes())] ^= 1
with open(path("damaged.npz"), "wb") as file:
    file.write(whole)
open(path("text.npy"), "w").write("1 2 3\n")
