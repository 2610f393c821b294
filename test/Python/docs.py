# The examples of docs/python-runtime.md.
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t && mkdir %t && cp %amp_src/examples/digits/digits.npz %t
# RUN: amp-compile %amp_src/examples/digits/mlp.mlir --weights=%amp_src/examples/digits/mlp.npz --autocast=bf16 -o %t/digits.so
# RUN: cd %t && env PYTHONPATH=%amp_src/python %python %s %amp_src/docs/python-runtime.md
import doctest
import re
import sys

with open(sys.argv[1]) as file:
    # A fence is no output.
    text = re.sub(r"^```.*$", "", file.read(), flags=re.M)
test = doctest.DocTestParser().get_doctest(text, {}, "python-runtime.md", sys.argv[1], 0)
assert len(test.examples) > 10
runner = doctest.DocTestRunner(verbose=False)
runner.run(test)
sys.exit(runner.failures > 0)
