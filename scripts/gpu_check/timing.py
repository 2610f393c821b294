"""Times the benchmarks against torch, interleaved in one process.

Every measurement captures several calls into a CUDA graph, ours and torch's
alike, whose buffers rotate through more than the caches hold; rounds of all
contestants alternate, and the median counts. Ratios are torch's time over ours:
above 1, ours is faster. The copy rate is that of a torch copy of as many bytes.
The MLPs also run as graphs of our own runtime, called from Python.
"""
import shutil
import statistics
import subprocess

import gemms
import graphs
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

#: What is asked of memory-bound programs of 16384 x 4096: our rate over that of a copy, and torch's time over ours.
GOAL_ROWS = 16384
LEAST_OF_COPY = {"transpose": 0.80}
LEAST_RATIO = {"cast": 0.98}


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


def first_line(error):
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def medians(calls, estimate, queued=()):
    """Microseconds of one call of each contestant, and why contestants are missing. Those in `queued` are called one by
    one, as their callers would, and not captured. A failure of ours is raised."""
    count = max(4, min(100, int(BUDGET_MICROSECONDS / ROUNDS / estimate)))
    runs, times, missing = {}, {}, {}
    for name, call in calls.items():
        try:
            if name in queued:
                runs[name] = lambda call=call: [call(i) for i in range(count)]
            else:
                runs[name] = capture(call, count).replay
            runs[name]()
            torch.cuda.synchronize()
        except Exception as error:  # what torch's compilers raise has no common class
            if name.startswith("ours"):
                raise
            runs.pop(name, None)
            missing[name] = first_line(error)
            print(f"  {name}: not measured: {missing[name]}")
            torch.cuda.synchronize()
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            run()
            end.record()
            end.synchronize()
            times.setdefault(name, []).append(start.elapsed_time(end) * 1e3 / count)
    return {name: statistics.median(values) for name, values in times.items()}, missing


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
    got, missing = medians(calls, estimate=program.bytes / 3.5e6 + 2)
    more = {"worst_relative": worst, "terabytes_per_second": program.bytes / got["ours"] / 1e6,
            "of_copy": got["copy"] / got["ours"]}
    return got, missing, worst <= bound * 4, more


def times_of_mlp(program, model):
    def to_device(array):
        return torch.from_numpy(array).to("cuda")

    rng = np.random.default_rng(0)
    array, host = rng.standard_normal((program.rows, program.width)).astype(np.float32), graphs.inputs(program, 1)
    xs, weights = [to_device(array), to_device(array)], {name: to_device(value) for name, value in host.items()}
    ys = [torch.empty_like(x) for x in xs]
    half = {name: value.half() for name, value in weights.items()}

    def block(x, w):
        h = F.layer_norm(x, x.shape[-1:], w["gamma"], w["beta"], 1e-5)
        h = F.gelu(F.linear(h, w["w1"].t(), w["b1"]))
        return x + F.linear(h, w["w2"].t(), w["b2"])

    def eager(_, w=weights):
        with torch.autocast("cuda", torch.float16):
            return block(xs[0], w)

    mixed = {**half, "gamma": weights["gamma"], "beta": weights["beta"]}
    compiled = torch.compile(eager, mode="max-autotune-no-cudagraphs")

    def ours(i):
        model.main(xs[0], *weights.values(), out=ys[0], stream=torch.cuda.current_stream())

    def ours_elsewhere(i):
        model.main(xs[i % 2], *weights.values(), out=ys[i % 2], stream=torch.cuda.current_stream())

    # In turn: launch by launch, recorded, with other addresses.
    for i in (0, 0, 1):
        ours_elsewhere(i)
    torch.cuda.synchronize()
    want = block(xs[0].double(), {name: value.double() for name, value in weights.items()})
    worst = max(float((y.double() - want).abs().max() / want.abs().max()) for y in ys)
    calls = {"ours": ours, "eager": eager, "weights cast before": lambda i: eager(i, mixed), "compiled": compiled,
             "ours, own graph": ours, "ours, own graph, other addresses": ours_elsewhere}
    own = [name for name in calls if "own graph" in name]
    before = model.stats()
    got, missing = medians(calls, estimate=program.flops / 5e8 + 10, queued=own)
    gained = {name: value - before[name] for name, value in model.stats().items()}
    is_graph = gained["graph_runs"] > 0 and gained["graphs_built"] == 0
    return got, missing, is_graph and worst <= graphs.MOST_DISTANCE, {
        "worst_relative": worst, "graph_runs": gained["graph_runs"], "graph_updates": gained["graph_updates"],
        "teraflops_per_second": program.flops / got["ours"] / 1e6}


def times_of_gemm(program, model):
    torch.manual_seed(0)

    def make(shape, element):
        if element == "i8":
            return torch.randint(-8, 8, shape, device="cuda", dtype=torch.int8)
        return torch.randn(*shape, device="cuda", dtype=getattr(torch, {"f32": "float32", **programs.TYPES}[element]))

    sets = rotating(lambda: {name: make(shape, element) for name, shape, element in program.operands}, program.bytes)
    dtype = {"f32": torch.float32, "i32": torch.int32, "f16": torch.float16, "bf16": torch.bfloat16}[program.result]
    ys = [torch.empty(program.shape("mn"), device="cuda", dtype=dtype) for _ in sets]

    def ours(i):
        k = i % len(sets)
        model.main(*sets[k].values(), out=ys[k], stream=torch.cuda.current_stream())

    ours(0)
    torch.cuda.synchronize()
    # Integers that torch has no product for on a device are exact in f64.
    text = program.torch or "torch.matmul(a, b.transpose(-1, -2))"
    reference = eval(f"lambda {', '.join(sets[0])}: " + text, {"torch": torch, "F": F})  # noqa: S307, our own text
    exact = reference(*(value.double() for value in sets[0].values()))
    worst = float((ys[0].double() - exact).abs().max() / exact.abs().max())
    calls = {"ours": ours}
    if program.torch:
        compiled = torch.compile(reference, mode="max-autotune-no-cudagraphs")
        calls["eager"] = lambda i: reference(*sets[i % len(sets)].values())
        calls["compiled"] = lambda i: compiled(*sets[i % len(sets)].values())
    got, missing = medians(calls, estimate=max(program.flops / 5e8, program.bytes / 3e6) + 5)
    bound = {"f32": 2e-3, "i32": 0.0, "f16": 2e-3, "bf16": 1.6e-2}[program.result]
    return got, missing, worst <= bound, {
        "worst_relative": worst, "teraflops_per_second": program.flops / got["ours"] / 1e6}


def unmet_goals(program, got, of_copy):
    """Texts on what a memory-bound program of the largest shape does not reach."""
    if getattr(program, "op", None) is None or program.rows != GOAL_ROWS:
        return []
    unmet = []
    least = LEAST_OF_COPY.get(program.op, 0.90)
    if of_copy < least:
        unmet.append(f"{of_copy:.3f} of the copy rate, goal {least:.2f}")
    least = LEAST_RATIO.get(program.op, 1.0)
    for name in ("eager", "compiled"):
        if name in got and got[name] / got["ours"] < least:
            unmet.append(f"x{got[name] / got['ours']:.3f} of {name}, goal {least:.2f}")
    return unmet


def describe_device():
    text = f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}"
    if not shutil.which("nvidia-smi"):
        return text
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    driver = subprocess.run(query, capture_output=True, text=True).stdout.split()
    return text + (f", driver {driver[0]}" if driver else "")


def measure(entry, load):
    """The record of one program."""
    program = (programs.known() | gemms.known())[entry["name"]]
    function = {"rows": times_of_rows, "mlp": times_of_mlp, "gemm": times_of_gemm}[entry["kind"]]
    with torch.no_grad():
        got, missing, correct, more = function(program, load(entry))
    ratios = {name: got[name] / got["ours"] for name in got if name not in ("ours", "copy")}
    unmet = unmet_goals(program, got, more.get("of_copy"))
    print(f"{entry['name']}: {got['ours']:.1f} us, " + ", ".join(f"{n} x{r:.2f}" for n, r in ratios.items())
          + (f", {more['of_copy']:.2f} of copy" if "of_copy" in more else "")
          + (f", {more['teraflops_per_second']:.0f} TFLOP/s" if "teraflops_per_second" in more else "") + ("" if correct else "  WRONG")
          + "".join("  BELOW GOAL: " + text for text in unmet), flush=True)
    torch.cuda.empty_cache()
    return {"name": entry["name"], "correct": bool(correct), "microseconds": got, "ratios": ratios, "missing": missing,
            "unmet": unmet, **more}


def is_available():
    return torch is not None and torch.cuda.is_available()


def geometric_means(records):
    """Torch's times over ours, over all programs that have them."""
    result = {}
    for name in ("eager", "compiled"):
        ratios = [record["ratios"][name] for record in records if name in record.get("ratios", {})]
        if ratios:
            result[name] = float(np.exp(np.mean(np.log(ratios))))
    return result
