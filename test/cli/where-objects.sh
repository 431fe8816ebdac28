#!/bin/bash
# objects --where over a field of many objects that is accessed rarely, in a trace of several segments of the index: are
# the objects with each value those of the program's own log? With the index and without.
#
# test: cli.where_objects
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Rarely.java" || die "Rarely does not compile"
record "$WORK/t" index=off -cp "$WORK/c" Rarely 6000 >"$WORK/log" 2>"$WORK/said" ||
    die "not recorded: $(head -n 3 "$WORK/said")"
ask() { "$HINDSIGHT" "$@" "$WORK/t"; }
end=$(ask print --event METHOD_NORMAL_EXIT --method run --json | grep -o '"seq":[0-9]*' | tr -dc 0-9)
[ -n "$end" ] || die "run did not return"
[ "$end" -gt 5000000 ] || fail "$end events are of one segment of the index"

# compare STEP: every STEPth value of the log
compare() {
    python3 - "$HINDSIGHT" "$WORK/t" "$WORK/log" "$end" "$1" <<'PY'
import json, subprocess, sys

hindsight, trace, log, end, step = sys.argv[1:]


def found(condition, *more):
    command = [hindsight, "objects", "--json", "--at", end, "--where", condition, *more, trace]
    out = subprocess.run(command, capture_output=True, text=True)
    return sorted(json.loads(line)["id"] for line in out.stdout.splitlines())


holds, ids = {}, {}
for line in open(log):
    item, name, value = line.split()
    holds.setdefault((name, int(value)), []).append(int(item))
for item in range(400):
    of = found("number == %d" % item, "--type", "Rarely$*") if item % 160 == 7 else []
    if item % 160 == 7 and len(of) != 1:
        sys.exit("number == %d: %s" % (item, of))
    ids.update({item: of[0]} if of else {})
every = found("number >= 0", "--type", "Rarely$*")
if len(every) != 400 or any(every[item] != own for item, own in ids.items()):
    sys.exit("%d objects have a number; they do not have those of %s" % (len(every), ids))
values = [key for key in sorted(holds) if key[0] != "number"]
for name, value in values[:: int(step)]:
    items = holds[name, value]
    want = sorted(every[item] for item in items)
    for condition in ("%s == %d" % (name, value), "%s >= %d && %s < %d" % (name, value, name, value + 1)):
        got = found(condition, "--type", "Rarely$*")
        if got != want:
            sys.exit("%s: %d objects, not %d: %s" % (condition, len(got), len(want), set(got) ^ set(want)))
print(len(values[:: int(step)]), "values")
PY
}
compare 80 >"$WORK/without" || fail "without index: $(cat "$WORK/without")"
ask index >/dev/null
compare 8 >"$WORK/with" || fail "with index: $(cat "$WORK/with")"
cat "$WORK/with"
finish
