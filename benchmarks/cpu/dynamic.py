#!/usr/bin/env python3
"""Times kernels with sizes that are known when they run beside the same kernels with static ones.

    dynamic.py --build build [--threads 1,2] [--only softmax] [--rounds 7] [--seconds 0.03] [--results NAME]

Each row is a kernel of static shapes, and the ratio of its time to that of the same kernel with some sizes not
known (tensor<?x1024xf32>): those of rows, of columns, all, of a batch, or of an image; of products, of few rows too. Above 1, the dynamic one is
faster. They take turns in one process; a time is the median over rounds of the median of calls. All results of a kernel are compared
with the static one's before they are timed.
"""
import argparse
import os
import re
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "test", "Integration", "CPU", "Inputs")]

import kernels  # noqa: E402
from unknown import first, of, with_unknown  # noqa: E402

#: Of which sizes a kernel may be told when it runs.
COLUMNS = ["rows", "columns", "all", "batch", "image"]


def make_kernels():
    """(label, source of a function NAME, {column: which dimensions}, shapes of the arguments, their element, that of the result and its rank)."""
    for element in ("f32", "bf16", "i8"):
        acc = "i32" if element == "i8" else "f32"
        shapes = [(m, n, n - 2) for n in (512, 4096) for m in (1, 2, 4, 6, 8, 12, 32)] + [(127, 333, 65), (64, 200, 198), (200, 130, 100), (256, 320, 254), (512, 576, 510), (1024, 1088, 1022), (197, 768, 3072),
                                                                                                   (2048, 1, 1024), (2048, 4, 1024), (300, 10, 784), (31, 3, 1000),
                                                                                                   (18, 32, 608), (28, 48, 2000), (22, 80, 400), (28, 80, 256), (34, 208, 704), (56, 160, 2500), (90, 96, 300), (300, 80, 1000)]
        for m, n, k in shapes:
            variants = {"rows": of(m), "all": of(m, n, k)} | ({"columns": of(n)} if n < 16 else {})
            yield f"{element} {m}x{n}x{k}", kernels.mlir_gemm("NAME", m, n, k, element, acc), variants, [(m, k), (k, n)], element, (acc, 2)
    for element in ("f32", "bf16"):
        for m, n in ((64, 768), (1024, 1000), (8192, 1024), (4000, 70), (20000, 10)):
            variants = {"rows": of(m), "columns": of(n), "all": of(m, n)}
            rows = [("softmax", kernels.mlir_softmax("NAME", m, n, element)), ("layer norm", kernels.mlir_norm("NAME", m, n, element, True)),
                    ("rms norm", kernels.mlir_norm("NAME", m, n, element, False))]
            rows += [(kind, kernels.mlir_chain("NAME", m, n, kind, element, element)) for kind in ("gelu", "silu", "add")]
            for kind, source in rows:
                yield f"{kind} {element} {m}x{n}", source, variants, [(m, n)], element, (element, 2)
    for element in ("f32", "bf16"):
        for h, c, f, size, stride in ((58, 64, 65, 3, 1), (16, 256, 250, 3, 1), (56, 256, 64, 1, 1), (225, 3, 32, 3, 2)):
            pixels = of(h, (h - size) // stride + 1)
            for channels_first in (False, True):
                shape = (1, c, h, h) if channels_first else (1, h, h, c)
                weights = (f, c, size, size) if channels_first else (size, size, c, f)
                layout = "NCHW" if channels_first else "NHWC"
                yield (f"conv {layout} {element} {size}x{size} 1x{h}x{h}x{c}->{f}",
                       kernels.mlir_conv("NAME", 1, h, c, f, size, stride, 0, channels_first, element),
                       {"batch": first, "image": pixels}, [shape, weights], element, ("f32", 4))
    for h, c, size in ((114, 64, 3), (32, 240, 5)):
        yield (f"depthwise {size}x{size} bias relu 1x{h}x{h}x{c}", kernels.mlir_depthwise("NAME", 1, h, c, size),
               {"batch": first, "image": of(h, h - size + 1)}, [(1, h, h, c), (size, size, c), (c,)], "f32", ("f32", 4))


def measure(calls, rounds, seconds):
    """Median seconds of a call of each."""
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, (call, take) in calls.items():
            spent, end = [], time.perf_counter() + seconds
            while not spent or time.perf_counter() < end:
                start = time.perf_counter()
                call()
                spent.append(time.perf_counter() - start)
                take(copy=False)
            times[name].append(statistics.median(spent))
    return {name: statistics.median(spent) for name, spent in times.items()}


def make_parser(doc, rounds, seconds):
    """The arguments of a script whose documentation is `doc`."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--threads", type=kernels.thread_counts, default=[1, 2], help="numbers of threads (default 1,2)")
    parser.add_argument("--only", type=kernels.expression, default=re.compile(""), help="only rows whose name this regular expression is found in")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--seconds", type=float, default=seconds, help="of a contender in a round")
    parser.add_argument("--results", metavar="NAME", help="also write benchmarks/results/<date>-NAME.md")
    return parser


def main():
    args = make_parser(__doc__, rounds=7, seconds=0.03).parse_args()
    kernels.prepare_environment(os.path.abspath(args.build))
    import numpy as np
    from harness import RUNTIME, Module, to_bf16, widen
    rng = np.random.default_rng(0)
    chosen = [kernel for kernel in make_kernels() if args.only.search(kernel[0])]
    sources = []
    for number, (_, source, variants, *_) in enumerate(chosen):
        sources.append(source.replace("@NAME", f"@k{number}_static"))
        sources += [with_unknown(source, which).replace("@NAME", f"@k{number}_{word}") for word, which in variants.items()]
    module = Module("\n".join(sources), "amp-lower-to-cpu{no-scalar-fallback cpu=host}", optimize=True)
    lines = [f"Machine: {kernels.cpu_name()[0]}, {os.cpu_count()} processors  ", f"Rounds: {args.rounds} of {args.seconds} s for each contender", "",
             "| kernel | threads | static, us | " + " | ".join(f"{word} / static" for word in COLUMNS) + " |", "|---" * (3 + len(COLUMNS)) + "|"]
    print("\n".join(lines))
    for number, (label, _, variants, shapes, element, result) in enumerate(chosen):
        def make(shape):
            if element == "i8":
                return kernels.aligned(rng.integers(-128, 128, shape, np.int8))
            values = rng.standard_normal(shape).astype(np.float32)
            return kernels.aligned(to_bf16(values) if element == "bf16" else values)
        inputs = [make(shape) for shape in shapes]
        calls = {word: module.prepare(f"k{number}_{word}", inputs, [result]) for word in ("static", *variants)}
        want = None
        for word, (call, take) in calls.items():
            call()
            got = widen(take()[0], result[0])
            want = got if want is None else want
            error = np.max(np.abs(got - want)) / max(1e-30, np.max(np.abs(want)))
            if error > (8e-3 if result[0] == "bf16" else 1e-5):
                sys.exit(f"{label}, {word} unknown: differs from static shapes by {error:.1e} of the largest element")
        for threads in args.threads:
            RUNTIME.ampSetNumThreads(threads)
            times = measure(calls, args.rounds, args.seconds)
            cells = [f"{times['static'] / times[word]:.2f}" if word in times else "-" for word in COLUMNS]
            lines.append(f"| {label} | {threads} | {times['static'] * 1e6:.1f} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    if args.results:
        kernels.write_results(args.results, "dynamic.py", lines)


if __name__ == "__main__":
    main()
