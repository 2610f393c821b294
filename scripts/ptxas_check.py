#!/usr/bin/env python3
"""Assembles the PTX of a module and checks what ptxas made of it.

Reads the output of amp-opt (gpu.binary with format=ptx), or PTX, from a file or
the standard input. Fails when ptxas fails, when a kernel spills registers or uses
the stack, when ptxas has a note or warning on slow code (C7xxx), when a kernel
needs more than --max-registers, and when a --count OPCODE=N (or OPCODE>=N) does
not hold for the machine code. Prints one line per kernel: registers, shared
memory, and the counts.

Opcodes are the low 12 bits of the 16-byte instructions of sm_70 and later, as
found by assembling PTX that has them.
"""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

OPCODES = {
    "HMMA": 0x23C, "IMMA": 0x237, "LDSM": 0x83B, "STSM": 0x844, "LDGSTS": 0xFAE,
    "LDG": 0x981, "STG": 0x986, "LDS": 0x984, "STS": 0x988, "LDL": 0x983, "STL": 0x387,
    "MUFU": 0x308, "SHFL": 0xF89, "BAR": 0xB1D, "HGMMA": 0x9F0, "HGMMA_REG": 0xDF0, "IGMMA": 0x9F1, "QGMMA": 0x9F3, "UTMALDG": 0x5B4, "UTMASTG": 0x3B5,
    "USETMAXREG": 0x9C8, "MEMBAR": 0x992, "ERRBAR": 0x9AB,
}  # fmt: skip
OBJECT = re.compile(r'chip = "(\w+)"[^>]*>, assembly = "((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|.)")


def find_ptxas():
    for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        path = os.path.join(os.environ.get(name, ""), "bin", "ptxas")
        if os.environ.get(name) and os.access(path, os.X_OK):
            return path
    return shutil.which("ptxas")


def read_programs(text):
    """Returns (chip, PTX) of each object of a module, or of PTX itself."""

    def unescape(match):
        code = match.group(1)
        return chr(int(code, 16)) if len(code) == 2 else code

    if "gpu.binary" in text:
        return [(m.group(1), ESCAPE.sub(unescape, m.group(2))) for m in OBJECT.finditer(text)]
    target = re.search(r"^\.target (\w+)", text, re.M)
    return [(target.group(1), text)] if target else []


def count_opcodes(cubin):
    """Returns {kernel: {opcode bits: how often}} from the ELF sections .text.*"""
    counts = {}
    offset, = struct.unpack_from("<Q", cubin, 0x28)
    size, number, names_index = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", cubin, offset + i * size) for i in range(number)]
    names = cubin[headers[names_index][4] :]
    for header in headers:
        name = names[header[0] : names.index(b"\0", header[0])].decode()
        if not name.startswith(".text."):
            continue
        code = cubin[header[4] : header[4] + header[5]]
        found = counts.setdefault(name[len(".text.") :], {})
        for at in range(0, len(code) - 15, 16):
            bits = struct.unpack_from("<H", code, at)[0] & 0xFFF
            found[bits] = found.get(bits, 0) + 1
    return counts


def check_program(ptxas, chip, ptx, options):
    """Yields the mistakes of one program, and prints its kernels."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = os.path.join(folder, "a.ptx"), os.path.join(folder, "a.cubin")
        with open(source, "w") as file:
            file.write(ptx)
        command = [ptxas, "-arch", chip, "-v", source, "-o", output]
        run = subprocess.run(command, capture_output=True, text=True)
        log = run.stdout + run.stderr
        if run.returncode:
            yield f"ptxas failed for {chip}:\n{log}"
            return
        with open(output, "rb") as file:
            counts = count_opcodes(file.read())
    for line in log.splitlines():
        if "(C7" in line or "warning" in line:
            yield line
    kernels = re.findall(r"Compiling entry function '(\w+)'.*\n.*\n *(\d+) bytes stack frame, (\d+) bytes spill stores, "
                         r"(\d+) bytes spill loads\n.*Used (\d+) registers(.*)", log)  # fmt: skip
    if not kernels:
        yield f"ptxas reported no kernel:\n{log}"
    for kernel, stack, stores, loads, registers, rest in kernels:
        if options.kernel and kernel != options.kernel:
            continue
        shared = re.search(r"(\d+) bytes smem", rest)
        found = counts.get(kernel, {})
        shown = []
        for opcode, relation, wanted in options.count:
            number = found.get(OPCODES[opcode], 0)
            shown.append(f"{opcode} {number}")
            if number < wanted or (relation == "=" and number != wanted):
                yield f"{kernel}: expected {opcode}{relation}{wanted}, but found {number}"
        print(f"{kernel} ({chip}): {registers} registers, {shared.group(1) if shared else 0} bytes of shared memory",
              *shown, sep=", ")  # fmt: skip
        if int(stack) or int(stores) or int(loads):
            yield f"{kernel}: {stack} bytes of stack, {stores} spilled, {loads} read back"
        if options.max_registers and int(registers) > options.max_registers:
            yield f"{kernel}: expected at most {options.max_registers} registers, but found {registers}"


def parse_count(text):
    match = re.fullmatch(r"(\w+)(>?=)(\d+)", text)
    if not match or match.group(1) not in OPCODES:
        raise argparse.ArgumentTypeError(f"expected OPCODE=N or OPCODE>=N with one of {', '.join(OPCODES)}")
    return match.group(1), match.group(2), int(match.group(3))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="output of amp-opt, or PTX; standard input by default")
    parser.add_argument("--kernel", help="check this kernel only")
    parser.add_argument("--max-registers", type=int, default=0)
    parser.add_argument("--count", type=parse_count, action="append", default=[], metavar="OPCODE=N")
    options = parser.parse_args()
    ptxas = find_ptxas()
    if not ptxas:
        sys.exit("error: ptxas is neither in $CUDA_HOME nor on PATH")
    programs = read_programs(open(options.file).read() if options.file else sys.stdin.read())
    if not programs:
        sys.exit("error: the input has no PTX (amp-opt: use format=ptx)")
    mistakes = [mistake for chip, ptx in programs for mistake in check_program(ptxas, chip, ptx, options)]
    for mistake in mistakes:
        print(f"error: {mistake}", file=sys.stderr)
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
