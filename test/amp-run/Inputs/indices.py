"""Writes the indices that indices.mlir reads into the folder argv[1]."""
import os
import sys

import numpy as np


def save(name, values, dtype):
    np.save(os.path.join(sys.argv[1], name + ".npy"), np.array(values, dtype))


rows = np.arange(70, dtype=np.int32) % 50
save("rows", rows, np.int32)
rows[69] = 50
save("rows-high", rows, np.int32)
rows[69], rows[3] = 49, -1
save("rows-low", rows, np.int32)
save("elements", [[0, 1, 2], [2, 2, 0]], np.int64)
save("elements-high", [[0, 1, 2], [2, 3, 0]], np.int64)
save("elements-low", [[0, 1], [2, -2]], np.int64)
save("elements-more", [[0, 1], [2, 1], [0, 0]], np.int64)
save("elements-none", np.zeros((2, 0)), np.int64)
table = np.arange(210, dtype=np.int32).reshape(3, 70) % 3
save("long", table, np.int32)
table[2, 69] = 3
save("long-high", table, np.int32)
table[2, 69], table[0, 17] = 0, -1
save("long-low", table, np.int32)
table = np.arange(210, dtype=np.int64).reshape(70, 3) % 70
save("short", table, np.int64)
table[69, 0] = 70
save("short-high", table, np.int64)
save("bytes", [0, 199, 128, 127, 5], np.uint8)
save("bytes-high", [0, 200, 128, 127, 5], np.uint8)
save("threads", np.arange(100000) % 8, np.int64)
save("guarded", [0, 7, 100, 200, 3], np.int32)
save("guarded-high", [0, 8, 100, 200, 3], np.int32)
save("first", [0, 1, 2, 3, 3], np.int32)
save("first-high", [0, 1, 2, 4, 3], np.int32)
save("second", [0, 1, 7, 3], np.int8)
save("second-low", [0, 1, -1, 3], np.int8)
save("eight", range(8), np.int32)
save("zeros", np.zeros((5, 3)), np.int32)
save("ones", np.ones((5, 3)), np.int32)
save("starts", [0, 1, 2, 3, 5], np.int32)
save("starts-high", [0, 1, 2, 3, 8], np.int32)
save("ends", [0, 1, 2, 3, 7], np.int32)
