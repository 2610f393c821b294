"""Runs programs whose contractions give statistics of rows on the simulated device, and compares them with f64.

Usage: row-statistics.py AMP_RUN AMP_OPT FOLDER. The kernel functions, put in place of their launches, are run on the CPU as well. Operands are of many magnitudes, with zeros of both signs, subnormal numbers, infinities and what is no number.
Of K products, an element is off by K * 2^-24 of the sum of their absolute values; a sum of N elements by that, and by N * 2^-24 of theirs; of squares by twice the first.
Maxima of what was rounded to f16 are exact. Two runs give the same bits.
"""
import os
import subprocess
import sys

import numpy as np

MATMUL = """
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<MxKxf16>, tensor<NxKxf16>) outs(%f : tensor<MxNxf32>) -> tensor<MxNxf32>"""


def reduction(name, source, kind, element, start, rows):
    """`name`: what `kind` says of each row of `source`, an MxN tensor of `element`."""
    lines = {"max": ["%s = arith.maximumf %acc, %v : T"],
             "maxnum": ["%s = arith.maxnumf %acc, %v : T"],
             "min": ["%s = arith.minimumf %acc, %v : T"],
             "absmax": ["%a = math.absf %v : T", "%s = arith.maximumf %acc, %a : T"],
             "sum": ["%s = arith.addf %acc, %v : T"],
             "squares": ["%p = arith.mulf %v, %v : T", "%s = arith.addf %acc, %p : T"]}[kind]
    body = "\n".join("      " + line for line in lines).replace(": T", f": {element}")
    return f"""
    %{name}s = arith.constant {start} : {element}
    %{name}e = tensor.empty({rows}) : tensor<Mx{element}>
    %{name}f = linalg.fill ins(%{name}s : {element}) outs(%{name}e : tensor<Mx{element}>) -> tensor<Mx{element}>
    %{name} = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}}
        ins({source} : tensor<MxNx{element}>) outs(%{name}f : tensor<Mx{element}>) {{
    ^bb0(%v: {element}, %acc: {element}):
{body}
      linalg.yield %s : {element}
    }} -> tensor<Mx{element}>"""


def program(kinds, size, isWritten, isDynamic):
    """A function of x, w and a bias: the statistics `kinds` of f32, or, if `isWritten`, the matrix in f16 and those of f16."""
    m, n, k = size
    rows = "%rows" if isDynamic else ""
    element = "f16" if isWritten else "f32"
    source = "%y" if isWritten else "%h"
    starts = {"max": "0xFF800000", "maxnum": "0xFF800000", "min": "0x7F800000", "absmax": "0.0", "sum": "0.0", "squares": "0.0"}
    if isWritten:
        starts.update({"max": "0xFC00", "maxnum": "0xFC00", "min": "0x7C00"})
    results = (["tensor<MxNxf16>"] if isWritten else []) + [f"tensor<Mx{element}>"] * len(kinds)
    names = (["%y"] if isWritten else []) + [f"%r{i}" for i in range(len(kinds))]
    text = f"func.func @main(%x: tensor<MxKxf16>, %w: tensor<NxKxf16>, %bias: tensor<Nxf32>) -> ({', '.join(results)}) {{\n    %zero = arith.constant 0.0 : f32"
    if isDynamic:
        text += "\n    %i0 = arith.constant 0 : index\n    %rows = tensor.dim %x, %i0 : tensor<MxKxf16>"
    text += f"""
    %e = tensor.empty({rows}) : tensor<MxNxf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<MxNxf32>) -> tensor<MxNxf32>{MATMUL}
    %h = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}}
        ins(%c, %bias : tensor<MxNxf32>, tensor<Nxf32>) outs(%e : tensor<MxNxf32>) {{
    ^bb0(%v: f32, %u: f32, %o: f32):
      %s = arith.addf %v, %u : f32
      linalg.yield %s : f32
    }} -> tensor<MxNxf32>"""
    if isWritten:
        text += f"""
    %ye = tensor.empty({rows}) : tensor<MxNxf16>
    %y = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}}
        ins(%h : tensor<MxNxf32>) outs(%ye : tensor<MxNxf16>) {{
    ^bb0(%v: f32, %o: f16):
      %s = arith.truncf %v : f32 to f16
      linalg.yield %s : f16
    }} -> tensor<MxNxf16>"""
    for i, kind in enumerate(kinds):
        text += reduction(f"r{i}", source, kind, element, starts[kind], rows)
    text += f"\n    return {', '.join(names)} : {', '.join(results)}\n}}\n"
    for letter, number in (("M", "?" if isDynamic else m), ("N", n), ("K", k)):
        text = text.replace(f"<{letter}x", f"<{number}x").replace(f"x{letter}x", f"x{number}x")
    return text


def random(generator, shape, isNasty):
    values = generator.standard_normal(shape) * 2.0 ** generator.integers(-6, 2, shape)
    if isNasty:
        places = generator.integers(0, 400, shape)
        for place, value in enumerate((0.0, -0.0, 2.0 ** -24, -2.0 ** -20, 1000.0)):
            values[places == place] = value
    return values.astype(np.float16)


def check(tools, folder, name, kinds, size, isWritten=False, isDynamic=False, isNasty=False):
    m, n, k = size
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w") as file:
        file.write(program(kinds, size, isWritten, isDynamic))
    generator = np.random.default_rng(m * n)
    x, w = random(generator, (m, k), isNasty), random(generator, (n, k), isNasty)
    bias = generator.standard_normal(n).astype(np.float32)
    if isNasty:
        x[3, 5], x[70, 1], w[n - 1, 2], bias[n - 2] = np.inf, np.nan, -np.inf, np.nan
        x[64:, :] = np.abs(x[64:, :])
    inputs = []
    for argument, value in (("0", x), ("1", w), ("2", bias)):
        np.save(f"{path}-{argument}.npy", value)
        inputs.append(f"--input={argument}={path}-{argument}.npy")
    environment = {key: value for key, value in os.environ.items() if key != "AMP_CUDA_DRIVER"}
    runs = []
    for run in range(2):
        output = f"{path}-{run}.npz"
        out = subprocess.run([tools[0], path + ".mlir", "--device=sim", "--target=sim:sm_90a", "--remarks", f"--output={output}", *inputs],
                             env=environment, capture_output=True, text=True)
        text = out.stdout + out.stderr
        if out.returncode or "RowStatistics" not in text or "Schedule=wgmma" not in text:
            sys.exit(f"{name}: status {out.returncode}\n{text}")
        with np.load(output) as file:
            runs.append([file[key] for key in file.files])
    # The kernel functions are functions on tensors.
    inlined = subprocess.run([tools[1], path + ".mlir", "--amp-form-kernels=separate-casts=true row-statistics=true", "--amp-inline-kernels",
                              "-o", path + "-cpu.mlir"], capture_output=True, text=True)
    out = subprocess.run([tools[0], path + "-cpu.mlir", "--device=cpu", f"--output={path}-cpu.npz", *inputs], capture_output=True, text=True)
    if inlined.returncode or out.returncode:
        sys.exit(f"{name}: on the CPU: {inlined.stderr}{out.stderr}")
    with np.load(path + "-cpu.npz") as file:
        onCPU = [file[key] for key in file.files]
    for first, second in zip(*runs):
        if first.tobytes() != second.tobytes():
            sys.exit(f"{name}: two runs differ")
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64) @ w.astype(np.float64).T + bias
        size_of = np.abs(x.astype(np.float64)) @ np.abs(w.astype(np.float64)).T + np.abs(bias)
        for results in (runs[0], onCPU):
            compare(name, kinds, results, exact, size_of, k, n, isWritten)


def largest(values, axis):
    """The largest of what are numbers, from where the program starts."""
    return np.fmax.reduce(values, axis=axis, initial=-np.inf)


def compare(name, kinds, found, exact, size_of, k, n, isWritten):
    # Of an element, and of what adds up elements.
    own, chain = k * 2.0 ** -24, n * 2.0 ** -24
    found = list(found)
    if isWritten:
        # What is reduced is what was rounded.
        matrix = found.pop(0).astype(np.float64)
        isNear = np.abs(matrix - exact) <= (own + 2.0 ** -11) * size_of + 2.0 ** -25
        if not np.all(isNear | (matrix == exact.astype(np.float16)) | (np.isnan(matrix) & np.isnan(exact))):
            sys.exit(f"{name}: the matrix is wrong")
        exact, size_of, own = matrix, np.abs(matrix), 0
    for kind, result in zip(kinds, found):
        result = result.astype(np.float64)
        if kind == "sum":
            expected, bound = exact.sum(1), (own + chain) * size_of.sum(1)
        elif kind == "squares":
            expected, bound = (exact ** 2).sum(1), (2 * own + chain) * (size_of ** 2).sum(1)
        else:
            values = np.abs(exact) if kind == "absmax" else exact
            reduce = {"max": np.max, "absmax": np.max, "min": np.min, "maxnum": largest}[kind]
            expected, bound = reduce(values, axis=1), own * np.where(np.isfinite(size_of), size_of, 0).max(1)
        isRight = (result == expected) | (np.isnan(result) & np.isnan(expected)) | (np.isfinite(expected) & (np.abs(result - expected) <= bound))
        if not np.all(isRight):
            row = int(np.argmin(isRight))
            sys.exit(f"{name}: {kind} of row {row} is {result[row]}, expected {expected[row]} within {bound[row]}")
        print(f"{name}: {kind} holds")


def main():
    *tools, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    check(tools, folder, "only", ["sum", "squares", "max"], (136, 200, 128))
    check(tools, folder, "odd", ["squares", "min"], (131, 197, 72))
    check(tools, folder, "written", ["absmax", "max"], (136, 256, 128), isWritten=True)
    check(tools, folder, "dynamic", ["sum", "max"], (99, 136, 128), isDynamic=True)
    check(tools, folder, "nasty", ["max", "maxnum", "min", "absmax", "sum"], (131, 197, 128), isNasty=True)
    check(tools, folder, "nasty-written", ["maxnum", "absmax"], (131, 197, 128), isWritten=True, isNasty=True)
    print("six programs, twice on the device and once on the CPU")


if __name__ == "__main__":
    main()
