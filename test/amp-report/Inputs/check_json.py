"""Checks the report argv[1]: sums agree with the totals, and ids are unique."""
import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
ops, totals = report["ops"], report["totals"]
assert len({op["id"] for op in ops}) == len(ops)
counted = [op for op in ops if op["reason"] not in ("boundary", "generator")]
assert totals["ops"] == len(counted)
assert totals["low"] == sum(op["low"] for op in counted)
casts = [cast for op in ops for cast in op["casts"]]
assert totals["casts"] == len(casts)
for kind in ("fixed", "per_dynamic"):
    assert totals["cast_bytes"][kind] == sum(cast["bytes"][kind] for cast in casts)
    for when in ("before", "after"):
        assert totals[f"results_{when}"][kind] == sum(op[f"bytes_{when}"][kind] for op in counted)
        assert totals[f"weights_{when}"][kind] == sum(w[f"bytes_{when}"][kind] for w in report["weights"])
for op in ops:
    assert len(op["from"]) == len(op["to"]) == len(op["declared_operands"])
    assert len(op["results"]) == len(op["declared_results"])
