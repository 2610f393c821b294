# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx %python %s | FileCheck %s
# linalg.softmax, which rounds once where it is of 16 bits: long rows and columns, whose sums these do not hold, rows of -inf and with infinities, differences for which
# exponentials are subnormal or zero, numbers whose products with log2(e) are beyond f32, and no rows. Oracle: NumPy in f64.
# Bound: half an ulp (f32: 3 ulp), and what f32 loses in the difference to the largest element, with log2(e): 2^-24 and 2^-26.2 of it.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng, other = np.random.default_rng(5), np.random.default_rng(6)
suite = Suite()
#: What is half an ulp, relative to a number and in itself.
ULP = {"f16": (2.0 ** -11, 2.0 ** -25), "bf16": (2.0 ** -8, 2.0 ** -133), "f32": (6 * 2.0 ** -24, 2.0 ** -150)}
#: Several rows of several registers, which are computed in one loop.
LONG = ((5, 1000), (3, 2048))
for dtype in ("f16", "bf16", "f32"):
    # Sums of f32 down a column lose an ulp every few hundred rows, which 16 bits do not show.
    for shape, axis in [((1, 20003), 1), ((100 if dtype == "f32" else 4096, 8), 0), ((3, 17), 1), ((2, 100, 7), 1), ((0, 5), 1), ((4, 16), 0), *((shape, 1) for shape in LONG)]:
        for spread in (0, 3, 40) if dtype == "f16" else (0, 3, 40, 1e38):
            draw = other if spread == 1e38 or shape in LONG else rng
            x = np.clip(spread * draw.standard_normal(shape), -3.3e38, 3.3e38)
            if spread == 1e38 and x.size:
                x[..., -1] = x.max(-1)
                x[-1] = -np.abs(x[-1])
            if spread and x.size:
                x[0] = -np.inf
            if spread == 40 and x.size:
                x[..., 1] = -np.inf
                x[-1, ..., 2] = np.inf
            x = narrow(x, dtype)
            values = widen(x, dtype)
            with np.errstate(all="ignore"):
                difference = values - values.max(axis=axis, keepdims=True, initial=-np.inf)
                want = np.exp(difference) / np.exp(difference).sum(axis=axis, keepdims=True)
                bound = np.abs(want) * (1.1 * ULP[dtype][0] - 7.3e-8 * difference) + 2 * ULP[dtype][1]

            def check(got, want, bound=bound):
                with np.errstate(invalid="ignore"):
                    return (np.abs(got - want) <= bound) | (got == want) | (np.isnan(got) & np.isnan(want))
            name = f"{dtype}_{'_'.join(map(str, shape))}_{axis}_{spread:g}".replace("+", "")
            full = tensor(shape, dtype)
            suite.add(name, f"""func.func @{name}(%x: {full}) -> {full} {{
  %e = tensor.empty() : {full}
  %r = linalg.softmax dimension({axis}) ins(%x : {full}) outs(%e : {full}) -> {full}
  return %r : {full}
}}
""", [x], [(dtype, len(shape))], [want], check)
suite.run()
