#!/usr/bin/env python3
"""Writes the test images and labels of examples/digits as plain bytes.

write_data.py DIGITS.npz OUTPUT; needs NumPy.
"""
import sys

import numpy as np

with np.load(sys.argv[1]) as file:
    images, labels = file["x_test"], file["y_test"]
with open(sys.argv[2], "wb") as output:
    output.write(images.astype(np.uint8).tobytes())
    output.write(labels.astype(np.uint8).tobytes())
