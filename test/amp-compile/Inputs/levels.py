"""Writes the weights of levels.mlir, or checks a library with code for several levels: numbers against f64 under each level that this processor has, what is told where it
has none, and that the code of no level has instructions of a newer one."""
import json
import os
import re
import subprocess
import sys

import numpy as np

LEVELS = {"x86-64": [], "x86-64-v2": ["sse4.2"], "x86-64-v3": ["avx2", "fma"], "x86-64-v4": ["avx512f", "avx512bw"]}
RANDOM = np.random.default_rng(7)
W = RANDOM.standard_normal((96, 80)).astype(np.float32)
B = RANDOM.standard_normal(80).astype(np.float16)


def write(folder):
    np.savez(os.path.join(folder, "w.npz"), w=W, b=B)


def load(path, **environment):
    """What a process with that environment finds: its level or its error, and the largest error relative to the sum of absolute terms."""
    result = subprocess.run([sys.executable, __file__, "run", path], env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def run(path):
    import amp_runtime

    try:
        model = amp_runtime.load(path)
    except amp_runtime.ModelError as error:
        return print(json.dumps(str(error)))
    worst = 0.0
    for rows in (1, 7, 64, 333):
        x = np.random.default_rng(rows).standard_normal((rows, 96)).astype(np.float32)
        y = model(x)
        exact = x.astype(np.float64) @ W + B
        bound = np.abs(x.astype(np.float64)) @ np.abs(W) + np.abs(B)
        worst = max(worst, float(np.max(np.abs(y - exact) / bound)))
    print(json.dumps([model.level, [level["name"] for level in model.manifest["levels"]], worst]))


def check(path):
    with open("/proc/cpuinfo") as file:
        flags = re.search(r"^flags.*$", file.read(), re.M).group().replace("_", ".").split()
    has = [name for name, needs in LEVELS.items() if all(need in flags for need in needs)]
    names = list(LEVELS)

    # Sums of 97 terms, each rounded: 97 * 2^-24 of the sum of absolute terms.
    def is_right(found, level):
        assert found[0] == level and found[1] == names, found
        assert found[2] <= 97 * 2.0**-24, found

    is_right(load(path), has[-1])
    for name in names:
        found = load(path, AMP_CPU_LEVEL=name)
        if name in has:
            is_right(found, name)
        else:
            assert f"AMP_CPU_LEVEL: level '{name}' of model 'levels' needs a processor with " in found, found
    # As on processors that have less.
    is_right(load(path, AMP_CPU_WITHOUT="avx512bw"), has[-1] if has[-1] != "x86-64-v4" else "x86-64-v3")
    is_right(load(path, AMP_CPU_WITHOUT="avx512f,avx2"), "x86-64-v2" if "x86-64-v2" in has else "x86-64")
    is_right(load(path, AMP_CPU_WITHOUT="sse4.2,avx2,avx512f"), "x86-64")
    found = load(path, AMP_CPU_LEVEL="x86-64-v9")
    assert found == f"AMP_CPU_LEVEL: model 'levels' has no level 'x86-64-v9': expected one of {', '.join(names)}", found


def none(path):
    """A library for x86-64-v3 and v4."""
    found = load(path, AMP_CPU_WITHOUT="avx2,avx512dq,avx512vl,avx512bw,avx512f")
    assert found.startswith("model 'new' has no level that this processor runs; it has levels, and of each this processor lacks (in parentheses): x86-64-v3 ("), found
    assert found.endswith("; compile it with an older processor in --mcpu"), found


def single(path):
    """A library for x86-64-v3 alone has nothing to choose from."""
    assert load(path, AMP_CPU_LEVEL="x86-64")[0] == "x86-64-v3"
    found = load(path, AMP_CPU_WITHOUT="avx2")
    assert found.startswith("model 'one' is compiled for a processor with avx2, which this one lacks; "), found


def other(path):
    """A library for a processor of AMD names what others lack."""
    found = load(path, AMP_CPU_WITHOUT="sse4a")
    assert found.startswith("model 'other' is compiled for a processor with sse4a, which this one lacks; "), found


def zen(path):
    """What a newer one has is not all used."""
    found = load(path, AMP_CPU_WITHOUT="avx2,sse4a")
    assert found.startswith("model 'zen' is compiled for a processor with ") and "avx2" in found and "sse4a" not in found, found


def tiles(several, one):
    """Where there are no tile registers, the older level runs, or the error tells what is missing."""
    without = {"AMP_CPU_WITHOUT": "amx-tile"}
    assert load(several, **without)[0] == "x86-64-v3"
    found = load(several, AMP_CPU_LEVEL="sapphirerapids", **without)
    assert re.match("AMP_CPU_LEVEL: level 'sapphirerapids' of model 'tiles' needs a processor with [a-z0-9-]+, which this one lacks", found), found
    found = load(one, **without)
    assert re.match("model 'amx' is compiled for a processor with [a-z0-9-]+, which this one lacks; ", found), found


def code(path):
    """Registers tell: ymm from AVX on, zmm and masks from AVX-512 on. VEX forms of xmm start with v."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    found = {}
    for function in re.split(r"\n\n", text):
        match = re.match(r"\n*[0-9a-f]+ <(.*)>:", function)
        if not match:
            continue
        name = match.group(1)
        level = re.search(r"\.(x86-64(-v[234])?)$", name)
        level = level.group(1) if level else "runtime"
        counts = found.setdefault(level, {"vex": 0, "ymm": 0, "zmm": 0, "fma": 0})
        for line in function.splitlines()[1:]:
            instruction = line.split("\t", 1)[-1]
            counts["vex"] += instruction.startswith("v")
            counts["ymm"] += "%ymm" in instruction
            counts["zmm"] += "%zmm" in instruction or "%k" in instruction
            counts["fma"] += instruction.startswith("vfmadd")
    assert set(found) >= {"runtime", *LEVELS}, found.keys()
    for level in ("runtime", "x86-64", "x86-64-v2"):
        assert not any(found[level].values()), (level, found[level])
    assert found["x86-64-v3"]["ymm"] > 50 and found["x86-64-v3"]["fma"] > 10 and not found["x86-64-v3"]["zmm"], found
    assert found["x86-64-v4"]["zmm"] > 50 and found["x86-64-v4"]["fma"] > 10, found


def size(several, one):
    """Weights are there once."""
    assert os.path.getsize(several) < os.path.getsize(one) + 2 * W.nbytes, (os.path.getsize(several), os.path.getsize(one))


{"write": write, "run": run, "check": check, "none": none, "single": single, "other": other, "zen": zen, "tiles": tiles, "code": code, "size": size}[sys.argv[1]](*sys.argv[2:])
