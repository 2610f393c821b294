#!/usr/bin/env python3
"""Makes one Markdown report, as benchmarks/results keeps it, of results of run.py.

    report.py RESULTS.json ... [-o REPORT.md] [--plot=RATIOS.png]

Results of several calls are joined: of other parts, or of other shards of the same
part. They must be of the same libraries. Of two results on one program the later
one counts.
"""
import argparse
import json
import math
import sys

import plot


def join(results):
    """One dictionary of several, which are not empty."""
    whole = dict(results[0])
    for key in ("target", "commit"):
        found = sorted({str(result[key]) for result in results})
        if len(found) > 1:
            raise ValueError(f"results of different libraries: {key} is {' and '.join(found)}")
    whole["commands"] = list(dict.fromkeys(result["command"] for result in results))
    whole["date"] = max(result["date"] for result in results)
    whole["devices"] = list(dict.fromkeys(result["device"] for result in results if result.get("device")))
    for part, key in (("correctness", "name"), ("timings", "name"), ("sanitizer", "tool")):
        records = {}
        for result in results:
            for record in result.get(part, []):
                # Shards of one check are one.
                if key == "tool" and record[key] in records:
                    old = records[record[key]]
                    record = {**record, "clean": old["clean"] and record["clean"], "summary": old["summary"] + record["summary"]}
                records[record[key]] = record
        whole[part] = list(records.values())
    whole["left_out"] = list(dict.fromkeys(text for result in results for text in result["left_out"]))
    return whole


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def correctness_lines(records):
    right = sum(record["correct"] for record in records)
    lines = ["", "## Correctness", "", f"{right} of {len(records)} programs are within the bounds of their f64 references."]
    lines += [f"- {message}" for record in records for message in record["messages"]]
    digits = {record["name"]: record["accuracy"] for record in records if "accuracy" in record}
    models = sorted({name.rsplit("-", 1)[0] for name in digits})
    if models:
        types = ("f32", "f16", "bf16")
        lines += ["", "Accuracy of the digit classifiers:", ""]
        lines += table(("model", *types), [(m, *(f"{digits[f'{m}-{t}']:.4f}" if f"{m}-{t}" in digits else "-" for t in types))
                                           for m in models])
    return lines


def sanitizer_lines(records):
    rows = [(r["tool"], "clean" if r["clean"] else "NOT CLEAN", "; ".join(r["summary"]).replace("=", "").strip() or "-") for r in records]
    return ["", "## compute-sanitizer", "", *table(("tool", "result", "summary"), rows)]


def cell(values, name, digits=2):
    return f"{values[name]:.{digits}f}" if name in values else "-"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def of_suites(records):
    """The measured programs of each suite, in the order of suites."""
    measured = [record for record in records if "microseconds" in record]
    return {suite: [r for r in measured if r["suite"] == suite] for suite in dict.fromkeys(r["suite"] for r in measured)}


def contestants_of(records, key="ratios"):
    return list(dict.fromkeys(name for record in records for name in record.get(key, {})))


def mean_lines(records, goals):
    """For each suite and contestant: the geometric mean of its times over ours and the worst, and which goals of
    suites, (suite, part of the names, contestant, least mean), are missed."""
    lines = []
    for suite, found in of_suites(records).items():
        for key, what in (("ratios", ""), ("sustained_ratios", ", sustained")):
            for name in contestants_of(found, key):
                ratios = {r["name"]: r[key][name] for r in found if name in r.get(key, {})}
                worst = min(ratios, key=ratios.get)
                lines.append(f"{suite}{what}: {name} x{geometric_mean(ratios.values()):.3f} geometric mean of {len(ratios)}, "
                             f"x{ratios[worst]:.3f} at worst ({worst})")
        for goal_suite, part, name, least in goals:
            ratios = [r["ratios"][name] for r in found if suite == goal_suite and part in r["name"] and name in r["ratios"]]
            if ratios and geometric_mean(ratios) < least:
                lines.append(f"{suite}: BELOW GOAL: {name} x{geometric_mean(ratios):.3f} over {part or 'all'}, goal {least:.2f}")
    return lines


def suite_table(suite, records):
    own = [name for name in ("ours, own graph", "ours, own graph, other addresses") if any(name in r["microseconds"] for r in records)]
    names = [name for name in contestants_of(records) if name not in own]
    rates = [key for key in ("teraflops_per_second", "terabytes_per_second", "of_copy") if any(key in r for r in records)]
    heads = {"teraflops_per_second": "TFLOP/s", "terabytes_per_second": "TB/s", "of_copy": "of copy"}
    sustained = [name for name in contestants_of(records, "sustained_ratios") if name not in own]
    rows = [(r["name"], cell(r["microseconds"], "ours", 1), *(cell(r["microseconds"], name, 1) for name in own), *(cell(r, key) for key in rates),
             *(cell(r["ratios"], name) for name in names), *(cell(r.get("sustained_ratios", {}), name) for name in sustained),
             "; ".join(([] if r["correct"] else ["wrong result, or no graph"]) + r["unmet"]) or "-") for r in records]
    head = ("program", "us", *(name + ", us" for name in own), *(heads[key] for key in rates), *names, *(name + ", sustained" for name in sustained), "not met")
    return ["", f"### {suite}", "", *table(head, rows)]


def timing_lines(records, goals):
    lines = ["", "## Times", "", "Medians of alternating rounds, several calls a CUDA graph. Ratios are a contestant's time over ours: above 1, ours is faster."]
    for suite, found in of_suites(records).items():
        lines += suite_table(suite, found)
    lines += ["", *(f"- {text}" for text in mean_lines(records, goals)), ""]
    for record in records:
        lines += [f"- {record['name']}: {message}" for message in record.get("messages", [])]
        lines += [f"- {record['name']}: {name} was not measured: {why}" for name, why in record.get("missing", {}).items()]
    measured = [record for record in records if "microseconds" in record]
    missed = [record for record in measured if record["unmet"]]
    lines += ["", f"{len(missed)} of {len(measured)} programs miss a goal."]
    return lines


def make(results):
    """The text."""
    whole = join(results)
    lines = [f"# gpu, {whole['date']}", "", *(f"Command: `{command}`, of libraries for {whole['target']} made at commit {whole['commit']}  "
                                               for command in whole["commands"])]
    lines += [f"Machine: {device}  " for device in whole["devices"] or ["not noted"]]
    for part, function in (("correctness", correctness_lines), ("sanitizer", sanitizer_lines)):
        if whole[part]:
            lines += function(whole[part])
    if whole["timings"]:
        lines += timing_lines(whole["timings"], whole["suite_goals"])
    if whole["left_out"]:
        lines += ["", "## Left out", "", *(f"- {what}" for what in whole["left_out"])]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("-o", dest="output", help="a file instead of the standard output")
    parser.add_argument("--plot", help="a PNG file of the ratios; needs matplotlib")
    args = parser.parse_args()
    loaded = []
    for path in args.results:
        with open(path, encoding="utf-8") as file:
            loaded.append(json.load(file))
    try:
        text = make(loaded)
    except ValueError as error:
        sys.exit(f"report.py: error: {error}")
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    if args.plot:
        plot.draw(join(loaded), args.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
