"""Times the benchmarks against torch, interleaved in one process.

Every measurement captures several calls into a CUDA graph, ours and torch's
alike, whose buffers rotate through more than the caches hold; rounds of all
contestants alternate, and the median counts. Ratios are torch's time over ours:
above 1, ours is faster. The copy rate is that of a torch copy of as many bytes.
"""
import statistics

import numpy as np
import programs

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    torch = None

ROUNDS = 7
BUDGET_MICROSECONDS = 12000
ROTATE_BYTES = 400 << 20


def capture(call, count):
    """A replayable graph of `count` calls; call(i) queues call number i."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for i in range(3):
            call(i)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for i in range(count):
            call(i)
    return graph


def medians(calls, estimate):
    """Microseconds of one call of each contestant; None where it cannot be captured."""
    count = max(4, min(100, int(BUDGET_MICROSECONDS / ROUNDS / estimate)))
    graphs, times = {}, {}
    for name, call in calls.items():
        try:
            graphs[name] = capture(call, count)
            graphs[name].replay()
        except RuntimeError as error:
            torch.cuda.synchronize()
            print(f"  {name}: not captured: {str(error).splitlines()[0]}")
    torch.cuda.synchronize()
    for _ in range(ROUNDS):
        for name, graph in graphs.items():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.setdefault(name, []).append(start.elapsed_time(end) * 1e3 / count)
    return {name: statistics.median(values) for name, values in times.items()}


def rotating(make, size):
    """As many buffers of `size` bytes as do not fit into the caches, at most 16."""
    return [make() for _ in range(max(2, min(16, ROTATE_BYTES // max(size, 1) + 1)))]


def times_of_rows(program, model):
    dtype = getattr(torch, programs.TYPES[program.source])
    target = getattr(torch, programs.TYPES[program.target])
    xs = rotating(lambda: torch.randn(program.rows, program.cols, device="cuda", dtype=dtype), program.bytes)
    extra = {name: torch.randn(program.cols, device="cuda") for name in program.extra}
    shape = {"row_sum": (program.rows,), "transpose": (program.cols, program.rows)}.get(
        program.op, (program.rows, program.cols))
    ys = [torch.empty(shape, device="cuda", dtype=target) for _ in xs]
    scope = {"torch": torch, "F": F, **{name: value.to(dtype) for name, value in extra.items()}}
    eager = eval("lambda x: " + program.torch, scope)  # noqa: S307, the text is this project's own
    compiled = torch.compile(eager, mode="max-autotune-no-cudagraphs")

    def ours(i):
        k = i % len(xs)
        model.main(xs[k], *extra.values(), out=ys[k], stream=torch.cuda.current_stream())

    sources = rotating(lambda: torch.empty(program.bytes // 2, device="cuda", dtype=torch.uint8), program.bytes)
    sinks = [torch.empty_like(s) for s in sources]
    calls = {"ours": ours, "eager": lambda i: eager(xs[i % len(xs)]), "compiled": lambda i: compiled(xs[i % len(xs)]),
             "copy": lambda i: sinks[i % len(sinks)].copy_(sources[i % len(sources)])}
    ours(0)
    torch.cuda.synchronize()
    exact = eval("lambda x: " + program.torch.split(".to(torch.")[0],  # noqa: S307
                 {"torch": torch, "F": F, **{name: value.double() for name, value in extra.items()}})
    want = torch.sum(xs[0].double(), -1) if program.op == "row_sum" else exact(xs[0].double())
    bound = {"f32": 2e-5, "f16": 2e-3, "bf16": 1.6e-2}[program.target]
    worst = float(((ys[0].double() - want).abs() / (want.abs() + want.abs().max() * 1e-2)).max())
    got = medians(calls, estimate=program.bytes / 3.5e6 + 2)
    return got, worst <= bound * 4, {"worst_relative": worst, "terabytes_per_second": program.bytes / got["ours"] / 1e6,
                                     "of_copy": got["copy"] / got["ours"]}


def times_of_mlp(program, model):
    torch.manual_seed(0)
    x = torch.randn(program.rows, program.width, device="cuda")
    weights = {name: torch.randn(*shape, device="cuda") * scale for name, shape, scale in program.weights}
    y = torch.empty_like(x)
    half = {name: value.half() for name, value in weights.items()}

    def block(x, w):
        h = F.layer_norm(x, x.shape[-1:], w["gamma"], w["beta"], 1e-5)
        h = F.gelu(F.linear(h, w["w1"].t(), w["b1"]))
        return x + F.linear(h, w["w2"].t(), w["b2"])

    def eager(_, w=weights):
        with torch.autocast("cuda", torch.float16):
            return block(x, w)

    mixed = {**half, "gamma": weights["gamma"], "beta": weights["beta"]}
    compiled = torch.compile(eager, mode="max-autotune-no-cudagraphs")

    def ours(_):
        model.main(x, *weights.values(), out=y, stream=torch.cuda.current_stream())

    ours(0)
    torch.cuda.synchronize()
    want = block(x.double(), {name: value.double() for name, value in weights.items()})
    worst = float((y.double() - want).abs().max() / want.abs().max())
    got = medians({"ours": ours, "eager": eager, "weights cast before": lambda i: eager(i, mixed), "compiled": compiled},
                  estimate=program.flops / 5e8 + 10)
    return got, worst <= 5e-3, {"worst_relative": worst}


def run(entries, load):
    if torch is None or not torch.cuda.is_available():
        print("timings: torch with CUDA is not on this machine")
        return None, []
    known = {p.name: p for p in programs.programs() + programs.mlps()}
    records = []
    for entry in entries:
        measure = {"rows": times_of_rows, "mlp": times_of_mlp}.get(entry["kind"])
        if not measure:
            continue
        with torch.no_grad():
            got, correct, more = measure(known[entry["name"]], load(entry))
        ratios = {name: got[name] / got["ours"] for name in got if name not in ("ours", "copy")}
        print(f"{entry['name']}: {got['ours']:.1f} us, " + ", ".join(f"{n} x{r:.2f}" for n, r in ratios.items())
              + (f", {more['of_copy']:.2f} of copy" if "of_copy" in more else "") + ("" if correct else "  WRONG"))
        records.append({"name": entry["name"], "correct": bool(correct), "microseconds": got, "ratios": ratios, **more})
        torch.cuda.empty_cache()
    if records:
        geomean = {n: float(np.exp(np.mean([np.log(r["ratios"][n]) for r in records if n in r["ratios"]])))
                   for n in ("eager", "compiled")}
        print("timings: geometric mean " + ", ".join(f"{n} x{v:.2f}" for n, v in geomean.items()))
    device = f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}"
    return device, records
