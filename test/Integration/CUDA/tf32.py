# Contractions of f32 with --allow-tf32 on the simulator: all layouts of the operands, aligned and odd sizes, all tiles.
# Oracle: NumPy in f64. Bound: the operands are rounded to 11 significant bits, so a product is off by 2^-10 of its size at most, and the
# sum by that of the sizes; each step of the f32 sum by 2^-24 of it. That tf32 was used at all: elements of 1 + 2^-12 count as 1, exactly.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext \
# RUN:   PYTHONPATH=%amp_src/python:%S/../CPU/Inputs %python %s --allow-tf32 | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, tensor

rng = np.random.default_rng(32)
suite = Suite()
MAPS = {"mk": "(m, k)", "km": "(k, m)", "kn": "(k, n)", "nk": "(n, k)"}


def contraction(name, maps, shapes, loops, iterators, types=("f32", "f32"), inputs=None, tolerance=None, dynamic=False):
    """`maps` of A, B and C, as indexing maps write them; `loops` are all loops."""
    declared = [tensor([-1] * len(s) if dynamic else s, t) for s, t in zip(shapes, (*types, "f32"))]
    letters = [m.strip("()").replace(" ", "").replace(",", "") for m in maps]
    a, b = inputs or (rng.standard_normal(s).astype({"f32": np.float32, "f16": np.float16}[t]) for s, t in zip(shapes, types))
    equation = f"{letters[0]},{letters[1]}->{letters[2]}"
    want = np.einsum(equation, a.astype(np.float64), b.astype(np.float64))
    sizes = np.einsum(equation, abs(a.astype(np.float64)), abs(b.astype(np.float64)))
    length = np.prod([dict(zip(letters[0], a.shape))[k] for k in set(letters[0]) - set(letters[2])])
    widen = "".join(f"    %{v}1 = arith.extf %{v} : f16 to f32\n" for v, t in zip("xy", types) if t == "f16")
    x, y = ("x1" if types[0] == "f16" else "x"), ("y1" if types[1] == "f16" else "y")
    affine = ", ".join(f"affine_map<({loops}) -> {m}>" for m in maps)
    suite.add(name, f"""func.func @{name}(%a: {declared[0]}, %b: {declared[1]}, %c: {declared[2]}) -> {declared[2]} {{
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : {declared[2]}) -> {declared[2]}
  %r = linalg.generic {{indexing_maps = [{affine}], iterator_types = [{iterators}]}}
      ins(%a, %b : {declared[0]}, {declared[1]}) outs(%f : {declared[2]}) {{
  ^bb0(%x: {types[0]}, %y: {types[1]}, %acc: f32):
{widen}    %p = arith.mulf %{x}, %{y} : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }} -> {declared[2]}
  return %r : {declared[2]}
}}""", [a, b, np.zeros(shapes[2], np.float32)], [("f32", len(shapes[2]))], [want],
              tolerance or (lambda got, oracle: np.abs(got - oracle) <= (2.0**-10 + length * 2.0**-24) * sizes))


def matmul(name, left, right, m, n, k, **options):
    shape = {"m": m, "n": n, "k": k}
    contraction(name, (MAPS[left], MAPS[right], "(m, n)"), ([shape[c] for c in left], [shape[c] for c in right], [m, n]),
                "m, n, k", '"parallel", "parallel", "reduction"', **options)


for left in ("mk", "km"):
    for right in ("kn", "nk"):
        matmul(f"large_{left}_{right}", left, right, 136, 132, 40)
        matmul(f"odd_{left}_{right}", left, right, 33, 35, 37)
        matmul(f"thin_{left}_{right}", left, right, 8, 40, 520)
        matmul(f"dynamic_{left}_{right}", left, right, 68, 20, 24, dynamic=True)
        matmul(f"dynamic_odd_{left}_{right}", left, right, 21, 70, 9, dynamic=True)
matmul("wide", "mk", "kn", 512, 1024, 16)  # 128 x 128
matmul("narrow", "mk", "kn", 256, 24, 16)
matmul("tall", "km", "kn", 8192, 64, 8)
matmul("empty", "mk", "kn", 8, 8, 0)
matmul("mixed", "mk", "kn", 32, 64, 24, types=("f16", "f32"))
contraction("batch", ("(b, m, k)", "(b, k, n)", "(b, m, n)"), ((3, 20, 24), (3, 24, 36), (3, 20, 36)), "b, m, n, k",
            '"parallel", "parallel", "parallel", "reduction"')

# Ties go away from zero; what is below is gone, in both layouts of shared memory.
for left, right in (("mk", "kn"), ("km", "nk")):
    down = [np.full((32, 32), v, np.float32) for v in (1 + 2.0**-12, -1 - 2.0**-12)]
    matmul(f"down_{left}", left, right, 32, 32, 32, inputs=down, tolerance=lambda got, want: got == -32)
    up = [np.full((32, 32), v, np.float32) for v in (1 + 2.0**-11, -1.0)]
    matmul(f"up_{left}", left, right, 32, 32, 32, inputs=up, tolerance=lambda got, want: got == -32 * (1 + 2.0**-10))
special = np.zeros((16, 8), np.float32)
special[:3, 0] = np.inf, -np.inf, np.nan
with np.errstate(all="ignore"):
    matmul("special", "mk", "kn", 16, 8, 8, inputs=[special, np.eye(8, dtype=np.float32)],
           tolerance=lambda got, want: (got == want) | (np.isnan(got) & np.isnan(want)))
suite.run()
