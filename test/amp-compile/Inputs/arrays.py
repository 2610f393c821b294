"""Writes the archives of weights that the tests use into the folder argv[1]."""
import os
import sys

import numpy as np

folder = sys.argv[1]
np.savez(os.path.join(folder, "w.npz"), w=np.array([1, 2, 3, 4], np.float32))
np.savez(os.path.join(folder, "b.npz"), b=np.array([1, 2, 3, 4], np.float32))
np.savez(os.path.join(folder, "shape.npz"), w=np.array([1, 2, 3], np.float32))
np.savez(os.path.join(folder, "f64.npz"), w=np.array([1, 2, 3, 4], np.float64))
