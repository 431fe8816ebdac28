# memory.py ROWS SERVER SECONDS: requests, memory and times of the servers, plain and recorded.
import json
import sys

rows = [json.loads(line) for line in open(sys.argv[1])]
plain, bad = rows[0], []
allowed = 16 if int(sys.argv[3]) >= 300 else 64  # MB: in a short run the compilers of the JVM are still at work


def growth(r):
    return r["memory_kb"][2] - r["memory_kb"][1]


for r in rows:
    print(
        "%s %s s %-7s %9d requests, %d failed; p50 %6.2f ms p95 %6.2f p99 %6.2f; memory %s MB"
        % (
            sys.argv[2],
            sys.argv[3],
            r["server"],
            r["requests"],
            r["failed"],
            r["p50_us"] / 1e3,
            r["p95_us"] / 1e3,
            r["p99_us"] / 1e3,
            " ".join("%.1f" % (m / 1024) for m in r["memory_kb"]),
        )
    )
    if r["failed"] or not r["requests"]:
        bad.append("%s: %d of %d requests failed" % (r["server"], r["failed"], r["requests"]))
    if growth(r) > max(growth(plain), 0) + allowed * 1024:
        bad.append("%s: memory in thirds: %s KB; without agent %s" % (r["server"], r["memory_kb"], plain["memory_kb"]))
recorded = rows[1:]
print("figure: requests served: %d" % sum(r["requests"] for r in recorded))
print("figure: requests failed: %d" % sum(r["failed"] for r in recorded))
print("".join("FAILED: %s\n" % b for b in bad), end="")
sys.exit(bool(bad))
