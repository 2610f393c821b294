# A file that is compiled again, while its first model is there and after it.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%amp_src/python %python %s %t amp-compile
import os
import shutil
import subprocess
import sys

import numpy as np

import amp_runtime

path = os.path.join(sys.argv[1], "model.so")
source = os.path.join(sys.argv[1], "model.mlir")


def compile(factor, output=path):
    with open(source, "w") as file:
        file.write(
            "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
            f"  %c = arith.constant dense<{factor}.0> : tensor<3xf32>\n"
            "  %y = arith.mulf %x, %c : tensor<3xf32>\n"
            "  return %y : tensor<3xf32>\n"
            "}\n"
        )
    subprocess.run([sys.argv[2], source, "-o", output], check=True)


def times(model):
    return model(np.ones(3, np.float32)).tolist()[0]


compile(2)
models = [amp_runtime.load(path), amp_runtime.load(path)]
for factor in (3, 4):
    compile(factor)
    models.append(amp_runtime.load(path))
assert [times(model) for model in models] == [2, 2, 3, 4]
assert times(amp_runtime.load(path)) == 4
del models
assert times(amp_runtime.load(path)) == 4

# A link that goes elsewhere by now.
compile(5, os.path.join(sys.argv[1], "other.so"))
link = os.path.join(sys.argv[1], "link.so")
os.symlink("model.so", link)
assert times(amp_runtime.load(link)) == 4
os.remove(link)
os.symlink("other.so", link)
assert times(amp_runtime.load(link)) == 5

# Nobody knows what of a file that is written over was in memory already.
copy = os.path.join(sys.argv[1], "copy.so")
shutil.copyfile(path, copy)
model = amp_runtime.load(copy)
assert times(model) == 4
os.utime(copy, (1, 1))
try:
    amp_runtime.load(copy)
except amp_runtime.ModelError as error:
    assert str(error).startswith(f"'{copy}' was written over after it had been loaded"), error
else:
    raise AssertionError("nothing was raised")
