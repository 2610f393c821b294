"""Copies the archive argv[1] to argv[2] with the member argv[3] multiplied by argv[4]."""
import sys

import numpy as np

source, target, name, factor = sys.argv[1:]
with np.load(source) as archive:
    members = dict(archive)
members[name] = (members[name] * np.float32(factor)).astype(np.float32)
np.savez(target, **members)
