"""Times the benchmarks against torch and its libraries, interleaved in one process.

Every measurement captures several calls into a CUDA graph, ours and theirs alike,
whose buffers rotate through more than the caches hold; rounds of all contestants
alternate, and the median counts. Ratios are a contestant's time over ours: above
1, ours is faster. Programs that are bound by arithmetic are also timed `sustained`:
after the same work for a tenth of a second, as the clock of a device follows its
power and its temperature.
"""
import shutil
import statistics
import subprocess
import time

import programs

try:
    import torch
    import torch.nn.functional as F

    import peers
except ImportError:
    torch = None

BUDGET_MICROSECONDS = 1700
ROTATE_BYTES = 400 << 20
#: Operations for each byte from which a program is bound by arithmetic.
ARITHMETIC_BOUND = 100
SUSTAIN_SECONDS = 0.1
#: Contestants may be off by so many times the bound of ours: they round, and approximate, elsewhere.
PEER_ROOM = 4
#: Contestants that are called one by one, as their callers would, and not captured.
QUEUED = ("eager", "ours, own graph", "ours, own graph, other addresses")
TYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "i8": "int8", "i32": "int32", "f8E4M3FN": "float8_e4m3fn",
         "f8E5M2": "float8_e5m2", "f64": "float64"}


def dtype_of(element):
    return getattr(torch, TYPES[element])


class Bits:
    """A tensor of 8-bit floats, for which not every torch has a protocol."""

    def __init__(self, tensor):
        self.tensor = tensor
        self.__cuda_array_interface__ = {"shape": tuple(tensor.shape), "typestr": "|V1", "data": (tensor.data_ptr(), False), "version": 3}


def to_ours(tensor, element):
    return Bits(tensor) if element.startswith("f8") else tensor


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


def prepare(calls, count, queued, check):
    """Functions that run `count` calls of each contestant, and why contestants are missing. A failure of ours is raised."""
    runs, missing = {}, {}
    for name, call in calls.items():
        try:
            check(name, call)
            if name in queued:
                runs[name] = lambda call=call: [call(i) for i in range(count)]
            else:
                runs[name] = capture(call, count).replay
            runs[name]()
            torch.cuda.synchronize()
        except Exception as error:  # what torch's compilers and libraries raise has no common class
            if name.startswith("ours"):
                raise
            runs.pop(name, None)
            missing[name] = first_line(error)
            print(f"  {name}: not measured: {missing[name]}")
            torch.cuda.synchronize()
    return runs, missing


def milliseconds(run):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def sustain(run):
    """The same work, for long enough that the clock follows."""
    begin = time.monotonic()
    while time.monotonic() - begin < SUSTAIN_SECONDS:
        run()
        torch.cuda.synchronize()


def medians(runs, count, rounds, before=None):
    """Microseconds of one call of each contestant."""
    times = {}
    for _ in range(rounds):
        for name, run in runs.items():
            if before:
                before(run)
            times.setdefault(name, []).append(milliseconds(run) * 1e3 / count)
    return {name: statistics.median(values) for name, values in times.items()}


def fill(operand):
    """Random numbers: for integers between -8 and 7."""
    if operand.element == "i8":
        return torch.randint(-8, 8, operand.shape, device="cuda", dtype=torch.int8)
    values = torch.randn(*operand.shape, device="cuda") * operand.deviation
    return (values.abs() + 0.1 if operand.is_positive else values).to(dtype_of(operand.element))


def operand_sets(program):
    """As many sets of operands as do not fit into the caches, at most 16, by name. Weights are the same in all."""
    count = max(2, min(16, ROTATE_BYTES // max(program.bytes, 1) + 1))
    weights = {operand.name: fill(operand) for operand in program.operands if operand.is_weight}
    return [{operand.name: weights[operand.name] if operand.is_weight else fill(operand) for operand in program.operands} for _ in range(count)]


class Contest:
    """One program, its buffers, and what all contestants make of them."""

    def __init__(self, program, model):
        self.program, self.model = program, model
        self.sets = operand_sets(program)
        self.results = [torch.empty(program.result.shape, device="cuda", dtype=dtype_of(program.result.element)) for _ in self.sets]
        self.scratch = torch.empty(program.result.shape, device="cuda", dtype=dtype_of(program.result.element))
        self.want = None
        self.ours_sets = [[to_ours(values[o.name], o.element) for o in program.operands] for values in self.sets]

    def ours(self, i):
        k = i % len(self.sets)
        self.model.main(*self.ours_sets[k], out=self.results[k], stream=torch.cuda.current_stream())

    def function(self, text):
        """That of an expression, of the operands in their order."""
        scope = {"torch": torch, "F": F, "peers": peers, "y": self.scratch}
        return eval(f"lambda {', '.join(self.sets[0])}: {text}", scope)  # noqa: S307, the text is this project's own

    def peer(self, name, text):
        """A function that queues call number i of a contestant."""
        cast = dict(self.program.peer_elements)
        if name == "weights cast before":
            cast = dict.fromkeys(self.program.cast_before, "f16")
        sets = [[v.to(dtype_of(cast[n])) if n in cast else v for n, v in values.items()] for values in self.sets]
        call = self.function(text)
        if name == "compiled":
            call = torch.compile(call, mode="max-autotune-no-cudagraphs")
        return lambda i: call(*sets[i % len(sets)])

    def check(self, name, call):
        """Whether a contestant computes the same at all."""
        if name not in self.program.contestants:
            return
        error, most = self.error(call(0)), PEER_ROOM * self.program.bound
        if not error <= most:
            raise ArithmeticError(f"its result is off by {error:.3g}, expected at most {most:.3g}")

    def copies(self):
        size = self.program.bytes // 2
        sources = [torch.empty(size, device="cuda", dtype=torch.uint8) for _ in self.sets]
        sinks = [torch.empty_like(source) for source in sources]
        return lambda i: sinks[i % len(sinks)].copy_(sources[i % len(sources)])

    def own_graphs(self):
        """As a caller of amp's runtime has it: its own graphs, with the same addresses, and with two sets in turn."""
        for i in (0, 0, 1):
            self.ours(i)
        torch.cuda.synchronize()
        return {"ours, own graph": lambda _: self.ours(0), "ours, own graph, other addresses": lambda i: self.ours(i % 2)}

    def error(self, result):
        """Of the result for the first operands, as the program's bound has it."""
        if self.want is None:
            self.want = self.function(self.program.exact)(*(value.double() for value in self.sets[0].values()))
        want = self.want
        difference, size = (result.double() - want).abs(), want.abs().max()
        if self.program.against_copy:
            difference, size = difference / (want.abs() + size * 1e-2), 1.0
        return float(difference.max()) / max(float(size), 1e-30)


def times_of(program, model, rounds, without):
    """Microseconds by contestant, alone and sustained; why contestants are missing; whether results are right; what else was found."""
    torch.backends.cudnn.benchmark = True
    contest = Contest(program, model)
    contest.ours(0)
    torch.cuda.synchronize()
    worst = contest.error(contest.results[0])
    calls = {"ours": contest.ours, **{name: contest.peer(name, text) for name, text in program.contestants.items() if name not in without}}
    is_block = program.suite == "block"
    if program.against_copy:
        calls["copy"] = contest.copies()
    if is_block:
        calls.update(contest.own_graphs())
    estimate = max(program.flops / 5e8, program.bytes / 3e6) + (10 if is_block else 3)
    count = max(4, min(100, int(BUDGET_MICROSECONDS / estimate)))
    runs, missing = prepare(calls, count, QUEUED if is_block else (), contest.check)
    before = model.stats()
    got = medians(runs, count, rounds)
    gained = {name: value - before[name] for name, value in model.stats().items()}
    is_right, more = worst <= program.bound, {"worst_relative": worst}
    if program.flops > ARITHMETIC_BOUND * program.bytes:
        more["sustained"] = medians(runs, count, rounds, sustain)
    if is_block:
        # Recorded before, and replayed from then on.
        is_right = is_right and gained["graph_runs"] > 0 and gained["graphs_built"] == 0
        more.update(graph_runs=gained["graph_runs"], graph_updates=gained["graph_updates"])
    if program.against_copy:
        more["of_copy"] = got["copy"] / got["ours"]
    if program.flops:
        more["teraflops_per_second"] = program.flops / got["ours"] / 1e6
    more["terabytes_per_second"] = program.bytes / got["ours"] / 1e6
    return got, missing, is_right, more


def ratios_of(times):
    """Times of the others over ours. "library" is the best of cublasLt and eager torch, where both were timed."""
    ratios = {name: value / times["ours"] for name, value in times.items() if name not in ("ours", "copy")}
    if "cublasLt" in ratios and "eager" in ratios:
        ratios["library"] = min(ratios["cublasLt"], ratios["eager"])
    return ratios


def unmet_goals(program, ratios, of_copy):
    """Texts on what a program does not reach."""
    unmet = []
    for name, least in program.goals.items():
        if name == "copy" and of_copy < least:
            unmet.append(f"{of_copy:.3f} of the copy rate, goal {least:.2f}")
        elif name in ratios and ratios[name] < least:
            unmet.append(f"x{ratios[name]:.3f} of {name}, goal {least:.2f}")
    return unmet


def describe_device():
    text = f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}"
    if not shutil.which("nvidia-smi"):
        return text
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    driver = subprocess.run(query, capture_output=True, text=True).stdout.split()
    return text + (f", driver {driver[0]}" if driver else "")


def measure(entry, load, rounds, without=()):
    """The record of one program, against its contestants but those in `without`."""
    program = programs.known()[entry["name"]]
    torch.manual_seed(0)
    with torch.no_grad():
        got, missing, correct, more = times_of(program, load(entry), rounds, without)
    ratios = ratios_of(got)
    unmet = unmet_goals(program, ratios, more.get("of_copy"))
    print(f"{entry['name']}: {got['ours']:.1f} us, " + ", ".join(f"{n} x{r:.2f}" for n, r in ratios.items())
          + (f", {more['of_copy']:.2f} of copy" if "of_copy" in more else "")
          + (f", {more['teraflops_per_second']:.0f} TFLOP/s" if program.flops else "") + ("" if correct else "  WRONG")
          + "".join("  BELOW GOAL: " + text for text in unmet), flush=True)
    torch.cuda.empty_cache()
    record = {"name": entry["name"], "suite": program.suite, "correct": bool(correct), "microseconds": got, "ratios": ratios, "missing": missing,
              "unmet": unmet, **more}
    if "sustained" in more:
        record["sustained_ratios"] = ratios_of(more["sustained"])
    return record


def is_available():
    return torch is not None and torch.cuda.is_available()

