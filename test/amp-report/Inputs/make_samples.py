"""Writes two samples of six numbers, of every kind, as member "x" of argv[1]."""
import sys

import numpy as np

x = np.array([[-2, 0, 1, 2.0**-15, 2.0**-130, 100], [3, -0.0, 0.5, 2.0**100, np.inf, np.nan]], np.float32)
np.savez(sys.argv[1], x=x)
