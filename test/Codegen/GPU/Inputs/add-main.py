"""Makes a program of kernel functions, for the simulator and the CPU.

Reads a module `@kernels` of kernel functions on tensors, and prints it with a
`@main` that runs each of them twice and prints how many elements of the results
differ: once as `amp.launch` on device buffers, once as a copy of the function
on the host's tensors. Inputs are small integers.

`// SIZES: 3x5 5x7 3x7` before a kernel gives the shapes of its tensor arguments, in
order; each such line is a run. Without one, all shapes must be static.

`--bound=X`: inputs are random instead, of many magnitudes, with zeros of both signs, subnormal
numbers and an infinity; the copy on the host computes with f64 where the kernel has f32, and
again on the absolute values of the inputs. An element differs if it is further than X times the second
result from the first, or not the same where that is no finite number.

Every run is done with contiguous aligned buffers, and again, but for `--aligned`, with buffers that start
one element later and whose rows are one element further apart.
"""
import re
import sys

HEAD = re.compile(r"\s*func\.func @(\w+)\((.*)\)\s*(->.*?)?attributes")
ARGUMENT = re.compile(r"%\w+: (tensor<[^>]*>|[\w]+)")
G = "#gpu.address_space<global>"


def parse(text):
    """Yields (name, argument types, number of results, lines, runs)."""
    sizes, lines, depth, name = [], [], 0, None
    for line in text.splitlines():
        match = re.match(r"\s*// SIZES: (.*)", line)
        if match:
            sizes.append(match.group(1).split())
        head = HEAD.match(line)
        if head and name is None:
            name = head.group(1)
            types = [m.group(1) for m in ARGUMENT.finditer(head.group(2))]
            results = head.group(2).count("amp.destination")
            lines, depth = [], 0
        if name is not None:
            lines.append(line)
            depth += line.count("{") - line.count("}")
            if depth == 0:
                yield name, types, results, lines, sizes or [None]
                name, sizes = None, []


class Program:
    def __init__(self):
        self.lines, self.number = [], 0

    def add(self, line):
        self.lines.append("  " + line)

    def new(self, line):
        self.number += 1
        self.add(f"%v{self.number} = {line}")
        return f"%v{self.number}"

    def index(self, value):
        return self.new(f"arith.constant {value} : index")

    def loops(self, shape, body):
        zero, one = self.index(0), self.index(1)
        ivs = []
        for size in shape:
            self.number += 1
            ivs.append(f"%v{self.number}")
            self.add(f"scf.for {ivs[-1]} = {zero} to {self.index(size)} step {one} {{")
        body(ivs)
        for _ in shape:
            self.add("}")

    def linear(self, shape, ivs):
        value = self.index(0)
        for size, iv in zip(shape, ivs):
            value = self.new(f"arith.muli {value}, {self.index(size)} : index")
            value = self.new(f"arith.addi {value}, {iv} : index")
        return value

    def element(self, element, linear, seed):
        value = self.new(f"arith.addi {linear}, {self.index(seed)} : index")
        value = self.new(f"arith.muli {value}, {self.index(7)} : index")
        more = self.new(f"arith.divui {value}, {self.index(11)} : index")
        value = self.new(f"arith.addi {value}, {more} : index")
        value = self.new(f"arith.remui {value}, {self.index(11)} : index")
        if element == "index":
            return value
        wide = self.new(f"arith.index_cast {value} : index to i64")
        if element.startswith("i"):
            return wide if element == "i64" else self.new(
                f"arith.trunci {wide} : i64 to {element}")
        return self.new(f"arith.sitofp {wide} : i64 to {element}")


    def random(self, linear, seed):
        """An f64 that depends on `linear`."""
        value = self.new(f"arith.addi {linear}, {self.index(1 + 7919 * seed)} : index")
        for factor, shift in ((0x9E3779B1, 15), (0x85EBCA77, 13), (0xC2B2AE3D, 16)):
            value = self.new(f"arith.muli {value}, {self.index(factor)} : index")
            value = self.new(f"arith.andi {value}, {self.index(0xFFFFFFFF)} : index")
            high = self.new(f"arith.shrui {value}, {self.index(shift)} : index")
            value = self.new(f"arith.xori {value}, {high} : index")

        def field(shift, size):
            part = self.new(f"arith.shrui {value}, {self.index(shift)} : index")
            part = self.new(f"arith.remui {part}, {self.index(size)} : index")
            part = self.new(f"arith.index_cast {part} : index to i64")
            return self.new(f"arith.sitofp {part} : i64 to f64")

        # (-1 to 1) * 2^(-4 to 4), and sometimes 2^-20 times that, or zero times.
        number = self.new(f"arith.subf {field(0, 2001)}, {self.real(1000.0)} : f64")
        power = self.new(f"arith.subf {field(11, 9)}, {self.real(14.0)} : f64")
        scale = self.new(f"math.exp2 {power} : f64")
        kind = field(20, 61)
        for which, factor in ((7.0, 2.0 ** -30), (11.0, 0.0)):
            is_it = self.new(f"arith.cmpf oeq, {kind}, {self.real(which)} : f64")
            scale = self.new(f"arith.select {is_it}, {self.real(factor)}, {scale} : f64")
        result = self.new(f"arith.mulf {number}, {scale} : f64")
        if seed:
            return result
        is_it = self.new(f"arith.cmpi eq, {linear}, {self.index(5)} : index")
        infinity = self.new("arith.constant 0x7FF0000000000000 : f64")
        return self.new(f"arith.select {is_it}, {infinity}, {result} : f64")

    def real(self, value):
        return self.new(f"arith.constant {value:.17e} : f64")

    def convert(self, value, source, target):
        """`value`, an f64 or of a narrower type, as `target`, such a type."""
        if source == target:
            return value
        op = "truncf" if source == "f64" else "extf"
        return self.new(f"arith.{op} {value} : {source} to {target}")


def split(tensor):
    """The shape, as strings, and the element type of a tensor type."""
    *shape, element = tensor[len("tensor<"):-1].split("x", tensor.count("x"))
    return shape, element


def strides(shape, odd):
    result = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        result[i] = result[i + 1] * shape[i + 1] + (odd and i == len(shape) - 2)
    return result


#: Infinities, and what is no number, of f64, for the first digits of f32.
SPECIAL = {sign + "F" + digit: f"0x{sign}FF{rest}000000000000" for sign in "7F" for digit, rest in (("8", "0"), ("C", "8"))}


def widen(text):
    """The type or the code `text` with f64 in place of f32."""
    text = re.sub(r"(?<![A-Za-z0-9])((?:[?0-9]+x)*)f32\b", r"\1f64", text)
    return re.sub(r"0x([7F]F[8C])00000 : f64", lambda m: SPECIAL[m.group(1)] + " : f64", text)


#: The distance of neighbours, relative to them, of 8-bit floats: sums that differ by little may be rounded to either.
NEIGHBOURS = {"f8E4M3FN": 2.0 ** -3, "f8E5M2": 2.0 ** -2}


def differs_beyond(program, found, expected, magnitude, bound, element):
    """Whether `found` is further than bound * magnitude from `expected`; all f64, rounded to `element` before."""
    difference = program.new(f"arith.subf {found}, {expected} : f64")
    difference = program.new(f"math.absf {difference} : f64")
    limit = program.new(f"arith.mulf {magnitude}, {program.real(bound)} : f64")
    size = program.new(f"math.absf {expected} : f64")
    if element in NEIGHBOURS:
        step = program.new(f"arith.mulf {size}, {program.real(NEIGHBOURS[element])} : f64")
        limit = program.new(f"arith.addf {limit}, {step} : f64")
    infinity = program.new("arith.constant 0x7FF0000000000000 : f64")
    near = program.new(f"arith.cmpf ole, {difference}, {limit} : f64")
    finite = program.new(f"arith.cmpf olt, {size}, {infinity} : f64")
    near = program.new(f"arith.andi {near}, {finite} : i1")
    same = program.new(f"arith.cmpf oeq, {found}, {expected} : f64")
    nan = program.new(f"arith.cmpf uno, {found}, {found} : f64")
    both = program.new(f"arith.cmpf uno, {expected}, {expected} : f64")
    both = program.new(f"arith.andi {nan}, {both} : i1")
    right = program.new(f"arith.ori {near}, {same} : i1")
    right = program.new(f"arith.ori {right}, {both} : i1")
    return program.new(f"arith.xori {right}, {program.new('arith.constant true')} : i1")


def run(program, number, name, types, results, sizes, odd, bound):
    sizes = iter(sizes or [])
    device, references, magnitudes, destinations = [], [], [], []
    numTensors = len(types)
    for position, type_ in enumerate(types):
        if not type_.startswith("tensor"):
            value = program.element(type_, program.index(position), 3)
            device.append((value, type_))
            references.append((value, type_))
            magnitudes.append((value, type_))
            continue
        declared, element = split(type_)
        given = next(sizes, None)
        shape = [int(d) for d in (given.split("x") if given else declared)
                 if d != "-"]
        steps, offset = strides(shape, odd), int(odd)
        total = offset + max([1] + [a * b for a, b in zip(shape, steps)])
        flat = program.new(f"memref.alloc() {{alignment = 256}} : memref<{total}x{element}>")
        space = program.new(
            f"memref.memory_space_cast {flat} : memref<{total}x{element}> to memref<{total}x{element}, {G}>")
        layout = f", strided<{steps}, offset: {offset}>" if odd else ""
        static = "".join(f"{d}x" for d in shape)
        fixed = f"memref<{static}{element}{layout}, {G}>"
        view = program.new(
            f"memref.reinterpret_cast {space} to offset: [{offset}], sizes: {shape}, strides: {steps}"
            f" : memref<{total}x{element}, {G}> to {fixed}")
        general = layout
        if odd and "?" in declared:
            general = ", strided<[" + ", ".join(
                ["?"] * (len(shape) - 1) + ["1"][:len(shape)]) + "], offset: ?>"
        final = f"memref<{''.join(d + 'x' for d in declared)}{element}{general}, {G}>"
        if final != fixed:
            view = program.new(f"memref.cast {view} : {fixed} to {final}")
        isDestination = position >= numTensors - results
        isRandom = bound is not None and "f" in element
        wide = widen(element) if isRandom else element
        own = widen(type_) if isRandom else type_
        hosts = [program.new(f"memref.alloc() : memref<{static}{wide}>")
                 for _ in range(2 if bound is not None else 1)]

        def fill(ivs):
            at = ", ".join(ivs)
            linear = program.linear(shape, ivs)
            if isRandom:
                exact = program.random(linear, position)
                size = program.new(f"math.absf {exact} : f64")
                value, size = (program.convert(x, "f64", element) for x in (exact, size))
                values = [program.convert(x, element, wide) for x in (value, size)]
            else:
                value = program.element(element, linear, position)
                values = [value] * len(hosts)
            program.add(f"memref.store {value}, {view}[{at}] : {final}")
            for host, copy in zip(hosts, values):
                program.add(f"memref.store {copy}, {host}[{at}] : memref<{static}{wide}>")

        if not isDestination:
            program.loops(shape, fill)
        for host, values in zip(hosts, (references, magnitudes)):
            tensor = program.new(
                f"bufferization.to_tensor {host} restrict writable : memref<{static}{wide}> to tensor<{static}{wide}>")
            if f"tensor<{static}{wide}>" != own:
                tensor = program.new(f"tensor.cast {tensor} : tensor<{static}{wide}> to {own}")
            values.append((tensor, own))
        device.append((view, final))
        if isDestination:
            destinations.append((view, final, shape, element, wide, own))

    def group(values):
        return ", ".join(v for v, _ in values) + " : " + ", ".join(t for _, t in values)

    cut = len(device) - results
    ins = f"ins({group(device[:cut])}) " if cut else ""
    program.add(f"amp.launch @kernels::@{name} {ins}outs({group(device[cut:])})")
    calls = []
    for values in (references, magnitudes)[:1 if bound is None else 2]:
        program.number += 1
        calls.append(f"%v{program.number}")
        program.add(
            f"{calls[-1]}:{results} = func.call @{name}_reference({', '.join(v for v, _ in values)}) : "
            f"({', '.join(t for _, t in values)}) -> ({', '.join(d[5] for d in destinations)})")
    for result, (view, final, shape, element, wide, own) in enumerate(destinations):

        def compare(ivs):
            at = ", ".join(ivs)
            found = program.new(f"memref.load {view}[{at}] : {final}")
            expected = [program.new(f"tensor.extract {call}#{result}[{at}] : {own}")
                        for call in calls]
            if bound is not None and "f" in element:
                differs = differs_beyond(
                    program, program.convert(found, element, "f64"),
                    *[program.convert(x, wide, "f64") for x in expected], bound, element)
            else:
                kind = "i ne" if element[0] == "i" else "f une"
                differs = program.new(f"arith.cmp{kind}, {found}, {expected[0]} : {element}")
            one = program.new(f"arith.extui {differs} : i1 to i64")
            at = program.index(number)
            old = program.new(f"memref.load %errors[{at}] : memref<NUMxi64>")
            value = program.new(f"arith.addi {old}, {one} : i64")
            program.add(f"memref.store {value}, %errors[{at}] : memref<NUMxi64>")

        program.loops(shape, compare)


def main():
    text = sys.stdin.read()
    # Comments are for the reader and for FileCheck, but for the sizes.
    kernels = list(parse(text))
    program = Program()
    bounds = [float(a[len("--bound="):]) for a in sys.argv if a.startswith("--bound=")]
    bound = bounds[0] if bounds else None
    for number, (name, types, results, _, runs) in enumerate(kernels):
        for sizes in runs:
            for odd in (False,) if "--aligned" in sys.argv else (False, True):
                run(program, number, name, types, results, sizes, odd, bound)
    print("\n".join(line for line in text.splitlines() if line.startswith("#")))
    print("module {")
    print("\n".join(line for line in text.splitlines()
                    if not line.startswith(("#", "//"))))
    print("func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}")
    for name, _, _, lines, _ in kernels:
        copy = "\n".join(lines).replace(f"@{name}(", f"private @{name}_reference(", 1)
        copy = re.sub(r" \{amp.destination = \d+ : i64\}", "", copy)
        copy = re.sub(r"attributes \{amp.kernel[^}]*\}", "", copy, count=1)
        print(copy if bound is None else widen(copy))
    count = len(kernels)
    print(f"""func.func @main() {{
  %errors = memref.alloc() : memref<{count}xi64>
  %zero = arith.constant 0 : i64
  linalg.fill ins(%zero : i64) outs(%errors : memref<{count}xi64>)""")
    print("\n".join(program.lines).replace("NUM", str(count)))
    print(f"""  %all = memref.cast %errors : memref<{count}xi64> to memref<*xi64>
  func.call @printMemrefI64(%all) : (memref<*xi64>) -> ()
  return
}}
}}""")


if __name__ == "__main__":
    main()
