#!/usr/bin/env python3
"""compare.py HINDSIGHT FLEET: writes seeded times and exceptions into the catalogues of a fleet of the builds version=1
and version=2, and compares `fleet compare` and the functions of SQL with plain Python."""
import itertools, json, math, os, random, sqlite3, subprocess, sys

hindsight, fleet = sys.argv[1:]
random.seed(45)


def ask(*words):
    out = subprocess.run([hindsight, "fleet", *words, "--json"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def p_value(one, two):
    """Two-sided: every subset of the ranks is looked at, or, with equal values or many, the normal distribution."""
    values = one + two
    u = sum((a > b) + (a == b) / 2 for a in one for b in two)
    n1, n2, n = len(one), len(two), len(values)
    if len(set(values)) == n and n <= 40:
        if n <= 18:
            less = lambda ranks: sum(r - k for k, r in enumerate(ranks))
            all_u = [less(ranks) for ranks in itertools.combinations(range(n), n1)]
            return min(1, 2 * sum(x <= min(u, n1 * n2 - u) for x in all_u) / len(all_u))
        counts = {}

        def ways(a, b, k):  # the recurrence of the paper
            if k < 0 or k > a * b:
                return 0
            if a == 0 or b == 0:
                return int(k == 0)
            if (a, b, k) not in counts:
                counts[a, b, k] = ways(a - 1, b, k - b) + ways(a, b - 1, k)
            return counts[a, b, k]

        low = int(min(u, n1 * n2 - u))
        return min(1, 2 * sum(ways(n1, n2, k) for k in range(low + 1)) / math.comb(n, n1))
    ties = sum(values.count(v) ** 3 - values.count(v) for v in set(values))
    variance = n1 * n2 / 12 * ((n + 1) - ties / (n * (n - 1)))
    off = max(0, abs(u - n1 * n2 / 2) - 0.5)
    return 2 * (1 - 0.5 * (1 + math.erf(off / math.sqrt(variance) / math.sqrt(2)))) if variance > 0 else 1


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def functions():
    """mann_whitney and median for samples of every kind, as constants in SQL."""
    for case in range(60):
        n1, n2 = random.randint(1, 9 if case < 45 else 60), random.randint(1, 9 if case < 45 else 60)
        draw = [random.random, lambda: random.randint(0, 6), lambda: random.gauss(0, 1)][case % 3]
        one, two = [float(draw()) for _ in range(n1)], [draw() + (case % 4) / 3 for _ in range(n2)]
        rows = ", ".join(f"({side}, {v!r})" for side, v in [(1, v) for v in one] + [(2, v) for v in two])
        got = ask(
            "query", f"WITH s(side, v) AS (VALUES {rows}) SELECT mann_whitney(side, v) AS p, median(v) AS m FROM s"
        )
        want = p_value(one, two)
        assert abs(got[0]["p"] - want) < 1e-9 + 1e-6 * want, (case, got, want, one, two)
        assert abs(got[0]["m"] - median(one + two)) < 1e-9, (case, got)
    assert ask("query", "SELECT mann_whitney(1, 2.0) AS p, median(NULL) AS m") == [{"p": None, "m": None}]


runs = {row["run"]: row["value"] for row in ask("query", "SELECT run, value FROM labels WHERE key = 'version'")}
functions()
times, shapes = {}, {}
for run in sorted(runs):
    new = runs[run] == "2"
    db = sqlite3.connect(os.path.join(fleet, "runs", run, "catalogue.db"))
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    calls, exceptions = (next(t for t in tables if t.endswith(end)) for end in ("calls", "exceptions"))
    db.execute(f"DELETE FROM {calls}")
    for k in range(12):  # 0-2 are slower, 3 and 4 faster, 5 has times in some runs alone, 6 in none, 7 equal ones
        for part in range(1 + (k == 2)):  # of two loaders
            n = random.randint(1, 9)
            ns = random.gauss(1000, 50) * (1 + k / 10)
            ns *= {0: 3, 1: 1.5, 2: 1.4, 3: 0.5, 4: 0.7}.get(k, 1) if new else 1
            ns = None if k == 6 or (k == 5 and random.random() < 0.5) else 1000 if k == 7 else ns
            row = ("a.b.Work", f"m{k}", "()V", n, None if ns is None else int(ns * n))
            db.execute(f'INSERT INTO {calls} (run, class, method, "desc", calls, self_ns, exceptions) '
                       "VALUES (?, ?, ?, ?, ?, ?, 0)", (run, *row))  # fmt: skip
            if ns is not None:
                sums = times.setdefault(row[1], {}).setdefault(run, [0, 0])
                sums[0] += row[4]
                sums[1] += n
    db.execute(f"DELETE FROM {exceptions}")
    for k in range(4):  # 0 is new, 1 is gone, 2 is in both at another line, 3 in some runs of the new one alone
        if (k == 0 and not new) or (k == 1 and new) or (k == 3 and (not new or random.random() < 0.4)):
            continue
        for line in (10, 20) if k == 0 else (10 + new,):
            count = random.randint(1, 5)
            db.execute(f"INSERT INTO {exceptions} (run, type, frames, class, method, line, count) "
                       "VALUES (?, ?, '[]', 'a.b.Work', 'fails', ?, ?)", (run, f"a.b.E{k}", line, count))  # fmt: skip
            shapes.setdefault(f"a.b.E{k}", []).append((run, count))
    db.commit()
    db.close()

want = []
for kind, seen in sorted(shapes.items()):
    sides = [{run for run, _ in seen if runs[run] == side} for side in "12"]
    if not sides[0] or not sides[1]:
        total = sum(count for _, count in seen)
        want.append(("new exception" if sides[1] else "gone exception", kind, len(sides[0]), len(sides[1]),
                     0 if sides[1] else total, total if sides[1] else 0))  # fmt: skip
want.sort(key=lambda row: (row[0] != "new exception", row[1]))
tested = []
for method, of in times.items():
    one, two = ([of[run][0] / of[run][1] for run in of if runs[run] == side] for side in "12")
    if one and two:
        tested.append((p_value(one, two), method, one, two))
tested.sort(key=lambda row: (row[0], row[1]))
changed, q = [], 1
for k in range(len(tested), 0, -1):
    p, method, one, two = tested[k - 1]
    q = min(q, p * len(tested) / k)
    if q <= 0.05:
        changed.append((method, len(one), len(two), median(one), median(two), p, q))
got = ask("compare", "version=1", "version=2")
had = [
    (r["change"], r["what"], r["runs1"], r["runs2"], r["before"], r["after"]) for r in got if "exception" in r["change"]
]
assert had == want and len(want) == 3, (had, want)
rows = {r["method"]: r for r in got if "exception" not in r["change"]}
assert set(rows) == {c[0] for c in changed} >= {"m0", "m1", "m2", "m3", "m4"}, (rows, changed)
for method, n1, n2, before, after, p, q in changed:
    r = rows[method]
    assert (r["runs1"], r["runs2"], r["change"]) == (n1, n2, "slower" if after > before else "faster"), r
    assert abs(r["before"] - before) <= 0.051 and abs(r["after"] - after) <= 0.051, (r, before, after)
    assert abs(r["p"] - p) < 1e-9 and abs(r["q"] - q) < 1e-9 and abs(r["ratio"] - after / before) < 0.001, (r, p, q)
order = [r["ratio"] for r in got if r["change"] == "slower"], [1 / r["ratio"] for r in got if r["change"] == "faster"]
assert all(o == sorted(o, reverse=True) for o in order), order
print(f"    {len(want)} exceptions and {len(changed)} of {len(tested)} methods changed")
