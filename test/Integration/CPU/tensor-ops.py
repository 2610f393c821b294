# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# Ops of tensor that have no form on buffers of their own: gather and scatter of one and several dimensions, with and without the dimensions of one element, by
# index and by i32; bits as another type; a reshape by integers; concatenations of short and long rows, of which the second may be computed in place, and as generics. Oracle: NumPy, equality.
# CHECK-NOT: FAILED
# CHECK: all passed
import itertools

import numpy as np
from harness import NUMPY, Suite, narrow, random_values, tensor, widen

rng = np.random.default_rng(23)
suite = Suite()


def places(batch, sizes, dims, unique=False):
    """Places of slices: an array of `batch` and one number for each of `dims`."""
    all_places = list(itertools.product(*(range(sizes[d]) for d in dims)))
    count = int(np.prod(batch))
    chosen = rng.permutation(len(all_places))[:count] if unique else rng.integers(0, len(all_places), count)
    return np.array([all_places[i] for i in chosen]).reshape(*batch, len(dims))


def add(number, dtype, sizes, batch, dims, index, reduced, known):
    x = random_values(rng, sizes, dtype)
    slices = [1 if d in dims else n for d, n in enumerate(sizes)]
    part = [n for d, n in enumerate(slices) if d not in dims] if reduced else slices
    of = lambda shape: list(shape) if known else [-1 if n > 1 else n for n in shape]
    where = places(batch, sizes, dims, unique=True)
    at = [tuple(slice(None) if d not in dims else (w[dims.index(d)] if reduced else slice(w[dims.index(d)], w[dims.index(d)] + 1)) for d in range(len(sizes)))
          for w in where.reshape(-1, len(dims))]
    types = tensor(of(sizes), dtype), tensor([*of(batch), len(dims)], index), tensor([*of(batch), *of(part)], dtype)
    suite.add(f"gather_{number}", f"""func.func @gather_{number}(%x: {types[0]}, %i: {types[1]}) -> {types[2]} {{
      %r = tensor.gather %x[%i] gather_dims({list(dims)}) : ({types[0]}, {types[1]}) -> {types[2]}
      return %r : {types[2]} }}""", [x, where.astype(NUMPY[index])], [(dtype, len(batch) + len(part))], [np.array([x[a] for a in at]).reshape(*batch, *part)],
              scalar="" if known and len(sizes) - 1 not in dims else "each element has a place of its own")
    y = random_values(rng, (*batch, *part), dtype)
    want = x.copy()
    for a, value in zip(at, y.reshape(-1, *part)):
        want[a] = value
    suite.add(f"scatter_{number}", f"""func.func @scatter_{number}(%y: {types[2]}, %x: {types[0]}, %i: {types[1]}) -> {types[0]} {{
      %r = tensor.scatter %y into %x[%i] scatter_dims({list(dims)}) unique : ({types[2]}, {types[0]}, {types[1]}) -> {types[0]}
      return %r : {types[0]} }}""", [y, x, where.astype(NUMPY[index])], [(dtype, len(sizes))], [want], scalar="it inserts slices one by one")


cases = itertools.product((("f32", (7, 5, 16), (4,), (0,)), ("i8", (3, 9, 6), (2, 3), (1,)), ("f32", (6, 4, 5, 3), (5,), (0, 2)), ("i32", (8,), (3,), (0,)), ("f16", (4, 6), (2, 2), (0, 1))),
                          ("index", "i32"), (False, True), (False, True))
for number, ((dtype, sizes, batch, dims), index, reduced, known) in enumerate(cases):
    if reduced and len(dims) == len(sizes) and len(batch) == 0:
        continue
    add(number, dtype, sizes, batch, dims, index, reduced, known)

bits = rng.integers(0, 1 << 32, 300).astype(np.uint32)
suite.add("bits", """func.func @bits(%x: tensor<?x3xf32>) -> tensor<?x3xi32> {
  %r = tensor.bitcast %x : tensor<?x3xf32> to tensor<?x3xi32>
  return %r : tensor<?x3xi32> }""", [bits.view(np.float32).reshape(100, 3)], [("i32", 2)], [bits.view(np.int32).astype(np.int64).reshape(100, 3)])
x = random_values(rng, (6, 10), "f32")
suite.add("reshape", """func.func @reshape(%x: tensor<6x?xf32>, %sizes: tensor<3xi32>) -> tensor<?x?x?xf32> {
  %r = tensor.reshape %x(%sizes) : (tensor<6x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32> }""", [x, np.array([4, 5, 3], np.int32)], [("f32", 3)], [x.reshape(4, 5, 3)])

for number, (outer, rows, rest, dtype) in enumerate(itertools.product([(5,), (3, 7, 9), (0, 4)], [(3, 5), (64, 3, 2), (600, 700)], [(), (2,)], ["f32", "bf16", "i8"])):
    parts = [random_values(rng, (*outer, n, *rest), dtype) for n in rows]
    for known, computed in itertools.product([True, False], [False, True]):
        if 0 in outer and known:
            continue
        of = lambda n: tensor([*(outer if known else [-1] * len(outer)), n, *rest], dtype)
        name = f"concat_{number}_{known}_{computed}"
        arguments = ", ".join(f"%x{i}: {of(n)}" for i, n in enumerate(rows))
        add_one = f"%y = arith.add{'i' if dtype == 'i8' else 'f'} %x1, %x1 : {of(rows[1])}" if computed else ""
        used = [f"%y" if computed and i == 1 else f"%x{i}" for i in range(len(rows))]
        suite.add(name, f"""func.func @{name}({arguments}) -> {of(sum(rows))} {{
      {add_one}
      %r = tensor.concat dim({len(outer)}) {", ".join(used)} : ({", ".join(of(n) for n in rows)}) -> {of(sum(rows))}
      return %r : {of(sum(rows))} }}""", parts, [(dtype, len(outer) + 1 + len(rest))],
                  [np.concatenate([widen(2 * p if dtype == "i8" else narrow(2 * widen(p, dtype), dtype), dtype) if computed and i == 1 else widen(p, dtype) for i, p in enumerate(parts)], len(outer))])

# As the lowering of stablehlo writes it: one tensor up to a step of a loop, others behind.
for number, (outer, rows, dtype) in enumerate(itertools.product([(5,), (3, 1, 9)], [(3, 5), (64, 3, 2), (1, 63)], ["f32", "bf16", "i8"])):
    parts = [random_values(rng, (*outer, n), dtype) for n in rows]
    types = [tensor((*outer, n), dtype) for n in (*rows, sum(rows))]
    others = [f"%j{d}" for d in range(len(outer))]

    def read(i):
        where = f"%k{i}"
        if i == len(rows) - 1:
            return f"%r{i} = tensor.extract %x{i}[{', '.join([*others, where])}] : {types[i]}"
        return f"""%n{i} = arith.constant {rows[i]} : index
        %is{i} = arith.cmpi ult, {where}, %n{i} : index
        %r{i} = scf.if %is{i} -> ({dtype}) {{
          %a{i} = tensor.extract %x{i}[{', '.join([*others, where])}] : {types[i]}
          scf.yield %a{i} : {dtype}
        }} else {{
          %k{i + 1} = arith.subi {where}, %n{i} : index
          {read(i + 1)}
          scf.yield %r{i + 1} : {dtype}
        }}"""
    dims = ", ".join(f"d{d}" for d in range(len(outer) + 1))
    indices = "\n        ".join(f"%j{d} = linalg.index {d} : index" for d in range(len(outer)))
    suite.add(f"written_{number}", f"""func.func @written_{number}({", ".join(f"%x{i}: {t}" for i, t in enumerate(types[:-1]))}) -> {types[-1]} {{
      %e = tensor.empty() : {types[-1]}
      %r = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>], iterator_types = [{", ".join(['"parallel"'] * (len(outer) + 1))}]}} outs(%e : {types[-1]}) {{
      ^bb0(%out: {dtype}):
        {indices}
        %k0 = linalg.index {len(outer)} : index
        {read(0)}
        linalg.yield %r0 : {dtype}
      }} -> {types[-1]}
      return %r : {types[-1]} }}""", parts, [(dtype, len(outer) + 1)], [np.concatenate([widen(p, dtype) for p in parts], len(outer))])
suite.run()
