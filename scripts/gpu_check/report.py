#!/usr/bin/env python3
"""Makes one Markdown report, as benchmarks/results keeps it, of results of run.py.

    report.py RESULTS.json ... [-o REPORT.md]

Results of several calls are joined: of other parts, or of other shards of the same
part. They must be of the same libraries. Of two results on one program the later
one counts.
"""
import argparse
import json
import sys


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


def ratio(record, name):
    return f"{record['ratios'][name]:.2f}" if name in record.get("ratios", {}) else "-"


def timing_lines(records):
    lines = ["", "## Times", "", "Medians of alternating rounds, several calls a CUDA graph. Ratios are torch's time over ours: above 1, ours is faster.", ""]
    measured = [record for record in records if "microseconds" in record]
    rows = []
    for record in measured:
        if "of_copy" in record:
            rows.append((record["name"], f"{record['microseconds']['ours']:.1f}", f"{record['terabytes_per_second']:.2f}",
                         f"{record['of_copy']:.2f}", ratio(record, "eager"), ratio(record, "compiled"),
                         "; ".join((["wrong result"] if not record["correct"] else []) + record["unmet"]) or "-"))
    if rows:
        lines += table(("program", "us", "TB/s", "of copy", "eager", "compiled", "not met"), rows)
    rows = []
    for record in measured:
        if "of_copy" not in record:
            times = record["microseconds"]
            names = ("ours", "ours, own graph", "ours, own graph, other addresses")
            rows.append((record["name"], *(f"{times[n]:.1f}" if n in times else "-" for n in names),
                         *(ratio(record, n) for n in ("eager", "weights cast before", "compiled")),
                         "-" if record["correct"] else "wrong result, or no graph"))
    if rows:
        lines += ["", *table(("program", "us", "own graph us", "other addresses us", "eager", "weights cast before", "compiled", "not met"), rows)]
    for record in records:
        lines += [f"- {record['name']}: {message}" for message in record.get("messages", [])]
        lines += [f"- {record['name']}: {name} was not measured: {why}" for name, why in record.get("missing", {}).items()]
    goals = [record for record in measured if record["unmet"]]
    lines += ["", f"{len(goals)} of {len(measured)} programs miss a goal."]
    return lines


def make(results):
    """The text."""
    whole = join(results)
    lines = [f"# gpu, {whole['date']}", "", *(f"Command: `{command}`, of libraries for {whole['target']} made at commit {whole['commit']}  "
                                               for command in whole["commands"])]
    lines += [f"Machine: {device}  " for device in whole["devices"] or ["not noted"]]
    for part, function in (("correctness", correctness_lines), ("sanitizer", sanitizer_lines), ("timings", timing_lines)):
        if whole[part]:
            lines += function(whole[part])
    if whole["left_out"]:
        lines += ["", "## Left out", "", *(f"- {what}" for what in whole["left_out"])]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("-o", dest="output", help="a file instead of the standard output")
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
