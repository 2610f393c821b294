# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx AMP_NUM_THREADS=2 %python %s | FileCheck %s
# Padded tensors, exact: of every dimension and none, alone, of what is computed here and read elsewhere too, two with the same border, static and dynamic, of nothing.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, tensor

suite = Suite()
rng = np.random.default_rng(0)
count = 0


def pad(operand, source, result, low, high, value, element):
    places = ", ".join(f"%{chr(97 + d)}{count}: index" for d in range(len(low)))
    return f"""tensor.pad {operand} low{list(low)} high{list(high)} {{
  ^bb0({places}):
    tensor.yield {value} : {element}
  }} : {source} to {result}"""


def add(shape, low, high, dynamic=False, element="f32", value=0.0):
    """pad(x), pad(|x|) with the same border, and |x|; and pad(x) by numbers that are computed."""
    global count
    count += 1
    name = f"pad{count}"
    numpy_type = {"f32": np.float32, "i8": np.int8, "f64": np.float64}[element]
    x = rng.integers(-100, 100, shape).astype(numpy_type)
    wide = [a + s + b for a, s, b in zip(low, shape, high)]
    size = lambda sizes: [-1] * len(sizes) if dynamic else list(sizes)
    from_, to = tensor(size(shape), element), tensor(size(wide), element)
    minus = "%m = math.absf %x" if element[0] == "f" else "%m = math.absi %x"
    text = "0x7F800000" if value == float("inf") else f"{value}" if element[0] == "f" else f"{int(value)}"
    border = dict(constant_values=value)
    want = [np.pad(x, list(zip(low, high)), **border), np.pad(np.abs(x), list(zip(low, high)), **border), np.abs(x)]
    suite.add(name, f"""func.func @{name}(%x: {from_}) -> ({to}, {to}, {from_}) {{
  %v = arith.constant {text} : {element}
  {minus} : {from_}
  %p = {pad("%x", from_, to, low, high, "%v", element)}
  %q = {pad("%m", from_, to, low, high, "%v", element)}
  return %p, %q, %m : {to}, {to}, {from_}
}}
""", [x], [(element, len(shape))] * 2 + [(element, len(shape))], want, 0)
    any_ = tensor([-1] * len(shape), element)
    names = [f"%l{d}" for d in range(len(shape))], [f"%h{d}" for d in range(len(shape))]
    numbers = "\n".join(f"  %l{d} = arith.constant {a} : index\n  %h{d} = arith.constant {b} : index" for d, (a, b) in enumerate(zip(low, high)))
    places = ", ".join(f"%i{d}: index" for d in range(len(low)))
    suite.add(f"{name}_computed", f"""func.func private @{name}_callee(%x: {any_}, {", ".join(f"{n}: index" for group in names for n in group)}) -> {any_} attributes {{no_inline}} {{
  %v = arith.constant {text} : {element}
  {minus} : {any_}
  %p = tensor.pad %m low[{", ".join(names[0])}] high[{", ".join(names[1])}] {{
  ^bb0({places}):
    tensor.yield %v : {element}
  }} : {any_} to {any_}
  return %p : {any_}
}}
func.func @{name}_computed(%x: {any_}) -> {any_} {{
{numbers}
  %p = call @{name}_callee(%x, {", ".join(names[0] + names[1])}) : ({any_}, {", ".join(["index"] * (2 * len(shape)))}) -> {any_}
  return %p : {any_}
}}
""", [x], [(element, len(shape))], want[1:2], 0)


for dynamic in (False, True):
    add((2, 9, 7, 40), (0, 1, 1, 0), (0, 1, 1, 0), dynamic)
    add((1, 56, 56, 64), (0, 1, 1, 0), (0, 1, 1, 0), dynamic)
    add((2, 9, 7, 40), (0, 2, 0, 0), (0, 0, 3, 0), dynamic, value=-2.5)
    add((2, 40, 9, 17), (0, 0, 1, 2), (0, 0, 2, 1), dynamic)
    add((3, 9, 7, 3), (1, 1, 1, 1), (1, 0, 2, 1), dynamic, value=float("inf"))
    add((5, 33), (0, 0), (0, 0), dynamic)
    add((1, 1), (0, 3), (2, 0), dynamic)
    add((70,), (3,), (5,), dynamic, "f64")
    add((4, 11, 24), (1, 0, 0), (0, 4, 0), dynamic, "i8", -7)
    add((0, 5, 16), (2, 1, 0), (1, 0, 0), dynamic)
    add((4, 0, 16), (0, 1, 0), (1, 2, 0), dynamic)


def narrowed(columns, element):
    """A product of 32 bits that is truncated into a padded tensor: a row ends where it ends, and the border stays."""
    name = f"narrowed_{columns}_{element}"
    x, y = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((40, 32), (32, columns)))
    product = x.astype(np.int32) @ y.astype(np.int32)
    want = np.pad(product.astype({"i8": np.int8, "i16": np.int16}[element]), [(0, 0), (0, 6)], constant_values=77)
    a, b, c, to, wide = (tensor(shape, e) for shape, e in ((x.shape, "i8"), (y.shape, "i8"), (product.shape, "i32"), (product.shape, element), (want.shape, element)))
    suite.add(name, f"""func.func @{name}(%x: {a}, %y: {b}) -> {wide} {{
  %v = arith.constant 77 : {element}
  %z = arith.constant 0 : i32
  %e = tensor.empty() : {c}
  %f = linalg.fill ins(%z : i32) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%x, %y : {a}, {b}) outs(%f : {c}) -> {c}
  %t = arith.trunci %r : {c} to {to}
  %p = {pad("%t", to, wide, (0, 0), (0, 6), "%v", element)}
  return %p : {wide}
}}
""", [x, y], [(element, 2)], [want], 0)


for columns in (15, 16, 17, 33, 49, 65, 97, 129):
    narrowed(columns, "i8")
    narrowed(columns, "i16")
suite.run()
