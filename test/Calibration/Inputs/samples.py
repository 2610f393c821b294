"""Writes the samples that calibrate-invalid.mlir reads into the folder argv[1]."""
import os
import sys

import numpy as np

folder = sys.argv[1]
x = np.arange(24, dtype=np.float32).reshape(8, 3)
k = np.ones(3, np.float32)


def save(name, **arrays):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    np.savez(path, **arrays)


save("good.npz", x=x, k=k)
save("labels.npz", x=x, k=k, y=np.zeros(8))
save("lacks.npz", x=x)
save("strange.npz", images=x)
save("double.npz", x=x.astype(np.float64), k=k)
save("shape.npz", x=np.zeros((8, 4), np.float32), k=k)
save("few.npz", x=x[:1], k=k)
save("odd.npz", x=x[:7], k=k)
save("counts.npz", x=x, k=np.ones((3, 3), np.float32))
save("empty.npz", x=np.zeros((0, 2, 3), np.float32), k=k)
save("fortran.npz", x=np.asfortranarray(x), k=k)
save("members/0.npz", x=x[:2], k=k)
save("members/1.npz", x=x[:2])
save("text/0.npz", x=x[:2], k=k)
with open(os.path.join(folder, "text", "1.npz"), "w") as file:
    file.write("no archive")
save("damaged.npz", x=x, k=k)
path = os.path.join(folder, "damaged.npz")
with open(path, "rb") as file:
    whole = bytearray(file.read())
whole[whole.index(x.tobytes()) + 40] ^= 1
with open(path, "wb") as file:
    file.write(whole)
os.makedirs(os.path.join(folder, "nothing"), exist_ok=True)
np.save(os.path.join(folder, "x.npy"), x)
