#!/bin/bash
# --to chrome: the calls of every thread are those that plain Python finds in `print --json`, their times nest, arrows
# lead from one thread to another; speedscope imports the file and shows the same calls.
#
# test: export.chrome
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
sample t 40
"$HINDSIGHT" print t --json >events || die "print"
end=$(wc -l <events)

# check FILE FROM LAST [CLASS]: the file has the calls of these events
check() {
    python3 "$ROOT/test/clients/export/chrome_calls.py" "$HERE" "$@" || fail "chrome $*"
}
"$HINDSIGHT" export t --to chrome -o all.json && check all.json 0 "$end"
# in the middle of check(), four calls deep in recursion: they begin with the first event
middle=$(python3 -c '
import json
deep = [e["seq"] for e in map(json.loads, open("events")) if e["method"] == "check" and e["event"] == "METHOD_ENTRY"]
print(deep[2] + 1)')
"$HINDSIGHT" export t --to chrome --from "$middle" -o late.json && check late.json "$middle" "$end"
"$HINDSIGHT" export t --to chrome --until "$middle" -o early.json && check early.json 0 "$middle"
"$HINDSIGHT" export t --to chrome --class 'Sampler$Account' -o some.json && check some.json 0 "$end" 'Sampler$Account'
# calls that are chosen by an event end with their own exit, which is not chosen
"$HINDSIGHT" export t --to chrome --event METHOD_ENTRY -o all2.json && check all2.json 0 "$end"
"$HINDSIGHT" export t --to chrome --time seq -o seq.json && check seq.json 0 "$end"
python3 - <<'PY' || fail "--time seq: ts is not the seq in microseconds"
import json
entries = [e["seq"] for e in map(json.loads, open("events")) if e["event"] == "METHOD_ENTRY"]
assert sorted(e["ts"] for e in json.load(open("seq.json"))["traceEvents"] if e["ph"] == "B") == entries
PY

npm_client speedscope
node "$HERE/speedscope.js" all.json >imported.json 2>messages || fail "speedscope: $(head -n 3 messages)"
[ ! -s messages ] || fail "speedscope complains: $(head -n 3 messages)"
python3 "$ROOT/test/clients/export/chrome_speedscope.py" "$HERE" || fail "speedscope shows other calls"
finish
