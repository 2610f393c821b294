import os
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.join(sys.argv[1], "examples", "jax"), os.path.join(sys.argv[1], "python")]
import jax
import jax.numpy as jnp
import numpy as np
from to_linalg import to_linalg

import amp_runtime

x = np.arange(6, dtype=np.float32).reshape(2, 3)


def switch(i, x):
    return jax.lax.switch(i, [lambda x: x + 1, lambda x: x * 2, lambda x: -x], x)


def loop(n, x):
    turn = lambda i, x: jax.lax.cond(i % 2 == 0, lambda x: x * 2, lambda x: x + 1, x)
    return jax.lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, jax.lax.fori_loop(0, 3, turn, s[1])), (0, x))[1]


with tempfile.TemporaryDirectory() as folder:
    for function in (switch, loop):
        path = os.path.join(folder, function.__name__)
        with open(path + ".mlir", "w") as file:
            file.write(to_linalg(function, np.int32(0), x))
        subprocess.run([os.path.join(sys.argv[2], "bin", "amp-compile"), path + ".mlir", "-o", path + ".so"], check=True)
        model = amp_runtime.load(path + ".so")
        # Numbers beyond the branches are the nearest one.
        for i in (-1, 0, 1, 2, 5):
            assert np.array_equal(model.main(np.int32(i), x), function(np.int32(i), x)), (function, i)
print("all equal")
try:
    to_linalg(lambda x: jnp.sort(x, 1), x)
except ValueError as error:
    print(error)
