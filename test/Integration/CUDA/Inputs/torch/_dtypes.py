import numpy as np


class Dtype:
    def __init__(self, name, storage, typestr):
        self.name, self.storage, self.typestr = name, np.dtype(storage), typestr

    def pack(self, values):
        """Numbers to the elements in memory, to nearest even."""
        if self.name != "bfloat16":
            return values.astype(self.storage)
        bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)

    def unpack(self, stored):
        if self.name != "bfloat16":
            return stored.astype(np.float64)
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


float64, float32 = Dtype("float64", "<f8", "<f8"), Dtype("float32", "<f4", "<f4")
float16, bfloat16 = Dtype("float16", "<f2", "<f2"), Dtype("bfloat16", "<u2", "<V2")
uint8 = Dtype("uint8", "|u1", "|u1")
