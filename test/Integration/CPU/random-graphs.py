# Random functions of generics, reductions, contractions, windows, slices, padding, reshapes and copies of all kinds, on sizes that are known and not, in six types.
# Values are small integers, which are exact in any order of sums: all results are compared exactly with NumPy, on one, two and three threads.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" 7 | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import RUNTIME, Module, widen
from random_graph import Graph

COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 60
pipeline = sys.argv[1] if len(sys.argv) > 1 else "amp-lower-to-cpu"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 6

graphs = []
for i in range(COUNT):
    rng = np.random.default_rng([seed, i])
    graph = Graph(rng, f"graph_{i}", int(rng.integers(2, 12)))
    if graph.source:
        graphs.append((graph, rng))
module = Module("\n".join(graph.source for graph, _ in graphs), pipeline)
failures = 0
for graph, rng in graphs:
    for threads in (1, 2, 3):
        RUNTIME.ampSetNumThreads(threads)
        arguments, wanted = graph.run(rng)
        got = module(graph.name, arguments, [(t.dtype, len(t.shape)) for t in graph.results])
        for value, want, t in zip(got, wanted, graph.results):
            if value.shape != want.shape or not np.array_equal(widen(value, t.dtype), want):
                failures += 1
                print(f"{graph.name}, {t.ssa}: FAILED on {threads} threads with\n{graph.source}")
print(f"{failures} FAILED" if failures else f"all passed: {len(graphs)} graphs")
