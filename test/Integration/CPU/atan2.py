# atan2 where the quotient underflows, and at zeros of both signs: the result has the sign of the first operand, and is pi, not zero, on the left.
# Oracle: NumPy in f64. Bound: 32 units in the last place, upstream's polynomial.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, tensor

values = np.array([0.0, -0.0, 2.0**-149, -(2.0**-149), 1e-30, -1e-30, 1.0, -1.0, 3.0, -3.0, 1e30, -1e30, 3e38, -3e38], np.float32)
y, x = (v.ravel() for v in np.meshgrid(values, values))
keep = (y != 0) | (x != 0)
y, x = y[keep], x[keep]
want = np.arctan2(y.astype(np.float64), x.astype(np.float64))
t = tensor(y.shape, "f32")
suite = Suite()
suite.add("angle", f"""func.func @angle(%y: {t}, %x: {t}) -> {t} {{
  %0 = math.atan2 %y, %x : {t}
  return %0 : {t}
}}""", [y, x], [("f32", 1)], [want],
          lambda got, oracle: (np.abs(got - oracle) <= 32 * np.maximum(np.spacing(np.abs(oracle).astype(np.float32)), 2.0**-149))
          & (np.signbit(got) == np.signbit(oracle)))
suite.run()
