#!/bin/bash
# alike.sh - `exceptions` counts equal ones, with what the index has of them or from what they held: as text it has the
# rows that a model makes of the JSON and the events, with and without an index. The types in SQL are those of the JSON.
#
# test: cli.alike
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/cli/Alike.java"
record t '' -cp c Alike 500 >/dev/null 2>&1

model() {
    python3 - <<'PY'
import json, re

dataid = {}
for line in open("events"):
    e = json.loads(line)
    dataid[e["seq"]] = e["dataid"]
rows = {}
for line in open("json"):
    x = json.loads(line)
    cause, to = x.get("cause"), x.get("left_to")
    key = (
        x["type"], x.get("message"), cause and cause.get("type"), cause is None, dataid[x["thrown"]], x.get("line"),
        dataid[x["caught"]] if "caught" in x else None, x["swallowed"], x.get("uncaught", False),
        x.get("stack_cut", False), to and (to["class"], to["method"]),
    )
    row = rows.setdefault(key, [x["thrown"], 0])
    row[1] += 1
shown = []
for line in open("text"):
    m = re.match(r" *(\d+) +(?:\d+|-) +\d+\+? +(\d+)  ", line)
    if m:
        shown.append([int(m[1]), int(m[2])])
assert sorted(shown) == sorted(rows.values()), "%d rows, %d of the model" % (len(shown), len(rows))
assert len(shown) > 20 and sum(n for _, n in shown) > 500, shown
print(len(shown), "rows")
PY
}

"$HINDSIGHT" print --json --event METHOD_THROW,METHOD_EXCEPTIONAL_EXIT,CATCH t >events
"$HINDSIGHT" exceptions --json t >json
for index in without with; do
    [ $index = without ] || "$HINDSIGHT" index t >/dev/null 2>&1 || fail "no index"
    "$HINDSIGHT" exceptions t >text
    model || fail "$index an index"
    "$HINDSIGHT" sql t 'SELECT type, count(*) AS n FROM exceptions GROUP BY type' --json >types
    python3 - <<'PY' || fail "types in SQL $index an index"
import collections, json
want = collections.Counter(json.loads(line)["type"] for line in open("json"))
assert want == {r["type"]: r["n"] for r in map(json.loads, open("types"))}
PY
    for by in 'GROUP BY class, method, swallowed ORDER BY n DESC, method, swallowed LIMIT 5' \
        'GROUP BY swallowed, class, method;' 'GROUP BY method, class, swallowed, type ORDER BY COUNT(*), type' \
        'GROUP BY class, method, swallowed ORDER BY thrown' 'GROUP BY class, method, swallowed ORDER BY 4, N, 2'; do
        # count(1) is left to SQLite
        "$HINDSIGHT" sql t "SELECT class, method, swallowed, count(*) AS n FROM exceptions $by" --json >sums 2>&1
        "$HINDSIGHT" sql t "SELECT class, method, swallowed, count(1) AS n FROM exceptions $by" --json >each 2>&1
        cmp sums each || fail "SQL $index an index: $by"
        grep -q '^{' sums || fail "no rows: $by: $(<sums)"
    done
    "$HINDSIGHT" sql t 'SELECT count(*) FROM exceptions' --json >count
    [ "$(<count)" = "{\"count(*)\":$(wc -l <json)}" ] ||
        fail "how many there are, $index an index"
    [ $index = with ] || [ ! -e t/index ] || fail "so short a trace has got an index"
done
finish "rows of equal exceptions as of the model"
