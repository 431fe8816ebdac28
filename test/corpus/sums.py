# sums.py SUMS RELEASE: adds up what was woven, by the groups.
import json, re, sys

total = {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    t = total.setdefault(r["weave"], {"targets": 0, "reasons": {}})
    t["targets"] += 1
    for k in ("classes", "linked", "rejected", "woven", "methods"):
        t[k] = t.get(k, 0) + r[k]
    for k, n in r["reasons"].items():
        k = re.sub(r"has \d+ bytes", "has N bytes", k)
        t["reasons"][k] = t["reasons"].get(k, 0) + n
for w, t in total.items():
    print("figure: classes linked by a JVM: %d\nfigure: classes rejected: %d" % (t["linked"], t["rejected"]))
    print(
        "sum on JDK %s, %s: %d targets, %d classes, %d verified, %d rejected, %d woven, %d methods%s"
        % (
            sys.argv[2],
            w,
            t["targets"],
            t["classes"],
            t["linked"],
            t["rejected"],
            t["woven"],
            t["methods"],
            "".join("; %d x %s" % (n, r) for r, n in sorted(t["reasons"].items())),
        )
    )
