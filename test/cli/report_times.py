# report_times.py: the times of the reports coarse, exact and timing are those of the program.
import json, re, sys

bad = []
for run in ("coarse", "exact", "timing"):
    rows = {r["method"]: r for r in map(json.loads, open(run + ".json"))}
    text = {re.search(r"Slow\.([\w<>]+)\(", l).group(1): l.split() for l in open(run + ".txt") if "Slow." in l}
    twice, sleep = rows["twice"], rows["sleep"]
    columns = dict(zip(("calls", "total", "total%", "self", "self%", "min", "avg", "max"), text["twice"]))
    if not 390e6 <= sleep["max_ns"] <= 60e9 or sleep["min_ns"] != sleep["max_ns"]:
        bad.append("%s: sleep took %s" % (run, sleep))
    if twice["calls"] != 2000 or sum(twice["histogram"]) != 2000:
        bad.append("%s: %d calls, %d in the histogram" % (run, twice["calls"], sum(twice["histogram"])))
    down = dict(zip(("calls", "total", "total%", "self", "self%", "min", "avg", "max"), text["down"]))
    if rows["down"]["calls"] != 60 or down["avg"] != "-":
        bad.append("%s: avg of calls that are nested: %s" % (run, down))
    for name, words in text.items():
        least, avg, most = words[5:8]
        if "-" not in (least, avg, most) and not float(least) <= float(avg) <= float(most):
            bad.append("%s: %s: min %s, avg %s, max %s" % (run, name, least, avg, most))
    if run == "coarse":
        resolution = twice["resolution_ns"]
        if not 1e6 < resolution < 400e6:
            bad.append("the clock resolves %s ns" % resolution)
        for r in rows.values():
            for key in ("total_ns", "self_ns", "min_ns", "max_ns"):
                if r.get(key, resolution) < resolution:
                    bad.append("%s of %s is %d: nobody can know" % (key, r["method"], r[key]))
            if any(n for i, n in enumerate(r["histogram"]) if 2 << i < resolution):
                bad.append("histogram of %s: %s" % (r["method"], r["histogram"]))
        if columns["min"] != "-" or columns["avg"] != "-":
            bad.append("text: %s" % columns)
        notes = [l for l in open(run + ".txt") if l.startswith("-: below")]
        if len(notes) != 1:
            bad.append("notes: %s" % notes)
    else:
        most = 1.01 * int(open(run + ".out").read().split()[1])  # by the program's own clock
        if "resolution_ns" in twice or not 0 < twice["total_ns"] <= most or not 0 <= twice["min_ns"] <= twice["max_ns"]:
            bad.append("%s: %s" % (run, twice))
        if "-" in columns.values():
            bad.append("%s as text: %s" % (run, columns))
print("".join("FAILED: %s\n" % b for b in bad), end="")
sys.exit(bool(bad))
