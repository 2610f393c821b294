"""Makes a program of kernel functions, for the simulator and the CPU.

Reads a module `@kernels` of kernel functions on tensors, and prints it with a
`@main` that runs each of them twice and prints how many elements of the results
differ: once as `amp.launch` on device buffers, once as a copy of the function
on the host's tensors. Inputs are small integers.

`// SIZES: 3x5 5x7 3x7` before a kernel gives the shapes of its tensor arguments, in
order; each such line is a run. Without one, all shapes must be static. Every
run is done with contiguous aligned buffers, and again, but for `--aligned`, with buffers that start
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


def split(tensor):
    """The shape, as strings, and the element type of a tensor type."""
    *shape, element = tensor[len("tensor<"):-1].split("x", tensor.count("x"))
    return shape, element


def strides(shape, odd):
    result = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        result[i] = result[i + 1] * shape[i + 1] + (odd and i == len(shape) - 2)
    return result


def run(program, number, name, types, results, sizes, odd):
    sizes = iter(sizes or [])
    device, references, destinations = [], [], []
    numTensors = len(types)
    for position, type_ in enumerate(types):
        if not type_.startswith("tensor"):
            value = program.element(type_, program.index(position), 3)
            device.append((value, type_))
            references.append((value, type_))
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
        host = program.new(f"memref.alloc() : memref<{static}{element}>")
        isDestination = position >= numTensors - results

        def fill(ivs):
            value = program.element(element, program.linear(shape, ivs), position)
            at = ", ".join(ivs)
            program.add(f"memref.store {value}, {view}[{at}] : {final}")
            program.add(f"memref.store {value}, {host}[{at}] : memref<{static}{element}>")

        if not isDestination:
            program.loops(shape, fill)
        tensor = program.new(
            f"bufferization.to_tensor {host} restrict writable : memref<{static}{element}> to tensor<{static}{element}>")
        if f"tensor<{static}{element}>" != type_:
            tensor = program.new(f"tensor.cast {tensor} : tensor<{static}{element}> to {type_}")
        device.append((view, final))
        references.append((tensor, type_))
        if isDestination:
            destinations.append((view, final, shape, element, type_))

    def group(values):
        return ", ".join(v for v, _ in values) + " : " + ", ".join(t for _, t in values)

    cut = len(device) - results
    ins = f"ins({group(device[:cut])}) " if cut else ""
    program.add(f"amp.launch @kernels::@{name} {ins}outs({group(device[cut:])})")
    program.number += 1
    call = f"%v{program.number}"
    program.add(
        f"{call}:{results} = func.call @{name}_reference({', '.join(v for v, _ in references)}) : "
        f"({', '.join(t for _, t in references)}) -> ({', '.join(d[4] for d in destinations)})")
    for result, (view, final, shape, element, type_) in enumerate(destinations):

        def compare(ivs):
            at = ", ".join(ivs)
            found = program.new(f"memref.load {view}[{at}] : {final}")
            expected = program.new(f"tensor.extract {call}#{result}[{at}] : {type_}")
            kind = "i ne" if element[0] == "i" else "f une"
            differs = program.new(f"arith.cmp{kind}, {found}, {expected} : {element}")
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
    for number, (name, types, results, _, runs) in enumerate(kernels):
        for sizes in runs:
            for odd in (False,) if "--aligned" in sys.argv else (False, True):
                run(program, number, name, types, results, sizes, odd)
    print("\n".join(line for line in text.splitlines() if line.startswith("#")))
    print("module {")
    print("\n".join(line for line in text.splitlines()
                    if not line.startswith(("#", "//"))))
    print("func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}")
    for name, _, _, lines, _ in kernels:
        copy = "\n".join(lines).replace(f"@{name}(", f"private @{name}_reference(", 1)
        copy = re.sub(r" \{amp.destination = \d+ : i64\}", "", copy)
        print(re.sub(r"attributes \{amp.kernel[^}]*\}", "", copy, count=1))
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
