"""Checks an MLP, compiled under autocast to f16, as the runtime's own CUDA graph.

The first run launches kernel by kernel, the second is recorded; a run with other
addresses replaces parameters in the graph; new contents of the weights prepare
them again, and leave the graph as it is. The runtime's counters say that this is
what happened, and every result is compared with an f64 reference of NumPy.
"""
import math

import numpy as np

def inputs(program, seed):
    """Weights by name, in the order of the arguments after x."""
    rng = np.random.default_rng(seed)
    return {o.name: (rng.standard_normal(o.shape) * o.deviation).astype(np.float32) for o in program.weights}


def reference(x, weights):
    """x + f2(gelu(f1(layer_norm(x)))) in f64."""
    x, w = x.astype(np.float64), {name: value.astype(np.float64) for name, value in weights.items()}
    centred = x - x.mean(1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w["gamma"] + w["beta"]
    h = normed @ w["w1"] + w["b1"]
    erf = np.frompyfunc(math.erf, 1, 1)
    active = 0.5 * h * (1 + erf(h * math.sqrt(0.5)).astype(np.float64))
    return x + (active @ w["w2"] + w["b2"])


def check(program, model):
    """Messages on what is wrong."""
    rng = np.random.default_rng(7)
    xs = [rng.standard_normal((program.rows, program.width)).astype(np.float32) for _ in range(2)]
    weights = [inputs(program, seed) for seed in (1, 2)]
    on_device = [model.upload(x) for x in xs]
    ys = [model.upload(np.zeros_like(x)) for x in xs]
    ws = {name: model.upload(value) for name, value in weights[0].items()}
    wants = {}

    def renew():
        for name, value in weights[1].items():
            model.upload(value, out=ws[name])
        model.reload_weights()

    # What happens first, which x and y, which weights count, and what the counters must have gained: kernels launched are those outside of graphs.
    steps = (
        ("launch by launch", None, 0, 0, {"plain_runs": 1, "graph_runs": 0, "preparations": 1}),
        ("recorded", None, 0, 0, {"plain_runs": 0, "graph_runs": 1, "graphs_built": 1, "preparations": 0, "kernels_launched": 0}),
        ("other addresses", None, 1, 0, {"plain_runs": 0, "graph_runs": 1, "graphs_built": 0, "preparations": 0, "kernels_launched": 0}),
        ("other weights", renew, 1, 1, {"plain_runs": 0, "graph_runs": 1, "graphs_built": 0, "preparations": 1}),
    )
    wrong = []
    for what, prepare, k, version, expected in steps:
        before = model.stats()
        if prepare:
            prepare()
        model.main(on_device[k], *ws.values(), out=ys[k])
        got = ys[k].numpy()
        if (k, version) not in wants:
            wants[k, version] = reference(xs[k], weights[version])
        want = wants[k, version]
        distance = float(np.abs(got - want).max() / np.abs(want).max())
        gained = {name: value - before[name] for name, value in model.stats().items()}
        print(f"{program.name} {what}: {distance:.3g} of the largest element, at most {program.bound:.3g}; "
              f"{gained['graph_updates']} parameters replaced")
        if not 0 < distance <= program.bound:
            wrong.append(f"{program.name} {what}: {distance:.3g} of the largest element, expected 0 to {program.bound:.3g}")
        for name, value in expected.items():
            if gained[name] != value:
                wrong.append(f"{program.name} {what}: {name} grew by {gained[name]}, expected {value}")
        if (gained["graph_updates"] > 0) != (what == "other addresses"):
            wrong.append(f"{program.name} {what}: {gained['graph_updates']} parameters were replaced in the graph")
    return wrong
