"""Draws the ratios of results as a PNG: a panel for each suite, a mark for each program and contestant."""
import sys


def draw(results, path):
    """Times of the contestants over ours, on a logarithmic axis. Without matplotlib: says so, and how to draw elsewhere."""
    import report

    suites = report.of_suites(results.get("timings", []))
    if not suites:
        print("plot: nothing was timed", file=sys.stderr)
        return
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("plot: matplotlib is not on this machine; where it is, report.py RESULTS.json --plot=RATIOS.png draws", file=sys.stderr)
        return
    heights = [len(records) + 3 for records in suites.values()]
    figure, panels = plt.subplots(len(suites), 1, figsize=(11, 0.2 * sum(heights) + 1), squeeze=False, layout="constrained",
                                  gridspec_kw={"height_ratios": heights})
    for panel, (suite, records) in zip(panels[:, 0], suites.items()):
        for name in report.contestants_of(records):
            points = [(record["ratios"][name], place) for place, record in enumerate(records) if name in record["ratios"]]
            panel.plot(*zip(*points), "o", markersize=4, label=name)
        panel.axvline(1.0, color="black", linewidth=0.8)
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
        panel.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
        panel.set_xticks([0.5, 0.7, 1, 1.5, 2, 3, 5])
        panel.set_yticks(range(len(records)), [record["name"] for record in records], fontsize=6)
        panel.invert_yaxis()
        panel.grid(axis="x", alpha=0.3)
        panel.set_title(f"{suite}: time of a contestant over ours (right of 1: ours is faster)", fontsize=9)
        panel.legend(fontsize=7)
    figure.suptitle(", ".join(results.get("devices") or [results.get("device") or "device not noted"]), fontsize=9)
    figure.savefig(path, dpi=110)
    plt.close(figure)
