#!/bin/bash
# A recording that was stopped and started, whose calls have percall= holes, and which was killed, and one that lost
# events: exports that nest calls are still valid for their clients, tell each hole, and which calls were not left.
#
# test: export.holes
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
compile classes "$ROOT/test/percall/Percall.java" || die "Percall does not compile"
compile classes "$ROOT/test/docs/Everything.java" || die "Everything does not compile"
echo f | record lost "weave=EXEC+PARAM,maxbytes=8M,only=Everything" -cp classes Everything fill >/dev/null 2>&1
read -r some lost < <("$HINDSIGHT" info lost --json 2>/dev/null |
    sed -nE 's/.*"events":([0-9]+),"lost":([0-9]+).*/\1 \2/p')
[ "${lost:-0}" -gt 0 ] || die "nothing was lost"
mkfifo in
"$JAVA" "-agentpath:$AGENT=output=t,format=omni,quiet=true,percall=20" -cp classes Percall periods <in >out 2>&1 &
jvm=$!
exec 3>in
ready() { until [ "$(grep -c ready out 2>/dev/null)" = "$1" ]; do sleep 0.05; done; }
ready 1 && echo >&3
ready 2 && "$HINDSIGHT" stop t >/dev/null && "$HINDSIGHT" start t >/dev/null && echo >&3
ready 3 && kill -9 $jvm
exec 3>&-
wait $jvm 2>/dev/null
"$HINDSIGHT" recover t >/dev/null 2>&1
"$HINDSIGHT" print t --json >events 2>/dev/null
"$HINDSIGHT" threads t --json >threads 2>/dev/null
holes=$(grep -c '"event":"EVENTS_LEFT_OUT"' events)
[ "$holes" -gt 2 ] || die "$holes holes"
# where recording began again (its threads have new numbers), and how many calls were open there and at the end
read -r again open < <(python3 - <<'PY'
import json
again, open_, stacks = None, 0, {}
# the main thread has another number behind the start
started = [t["thread"] for t in map(json.loads, open("threads")) if t["name"] == "main"][1]
for e in map(json.loads, open("events")):
    if again is None and e["thread"] == started:
        again, open_, stacks = e["seq"], sum(stacks.values()), {}
    exits = e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT")
    left = stacks.get(e["thread"], 0) - exits
    stacks[e["thread"]] = max(left, 0) + (e["event"] == "METHOD_ENTRY")
print(again, open_ + sum(stacks.values()))
PY
)

export_to() { # FORMAT: the file or folder FORMAT; the trace is incomplete, which is said
    "$HINDSIGHT" export t --to "$1" -o "$1" 2>err
    local status=$?
    [ $status = 3 ] && grep -q incomplete err || fail "$1 ends with $status: $(cat err)"
    "$HINDSIGHT" export lost --to "$1" --from $((some - 500)) -o "lost.$1" 2>err
}
skipped=

export_to ctf
if command -v babeltrace2 >/dev/null; then
    babeltrace2 ctf >read 2>err && [ ! -s err ] || fail "babeltrace2: $(head -n 3 err)"
    [ "$(grep -c ' EVENTS_LEFT_OUT: ' read)" = "$holes" ] || fail "ctf does not tell the holes"
    [ "$(grep -c ' call_begin: ' read)" = "$(grep -c ' call_end: ' read)" ] || fail "calls of ctf do not end"
    grep -q " hole: .* what = \"not recorded\", seq = $again, duration_ns = [1-9]" read ||
        fail "ctf: $(grep ' hole:' read)"
    [ "$(grep -c ' call_end: .* left = 0' read)" = "$open" ] || fail "ctf: not $open calls that were not left"
    grep ' call_end: ' read | grep -q ' below_clock = 1' || fail "ctf: no call below the clock"
    babeltrace2 lost.ctf >read 2>err
    grep -q " hole: .* what = \"events lost\", .* events = $lost, reason = \"the bound" read &&
        grep -q "discarded $lost events" err || fail "ctf of lost events: $(cat err)"
else
    skipped="$skipped babeltrace2"
fi

export_to jfr
mv jfr t.jfr
"$JDK/bin/jfr" print --json --events hindsight.Call,hindsight.Hole t.jfr >t.json || fail "jfr print"
"$JDK/bin/jfr" print --json --events hindsight.Hole lost.jfr >lost.json || fail "jfr print of lost events"
python3 - "$again" "$open" "$lost" <<'PY' || fail "holes of jfr"
import json, sys
again, not_left, lost = map(int, sys.argv[1:])
rows = [e["values"] for e in json.load(open("t.json"))["recording"]["events"]]
holes = [e for e in rows if "what" in e]
assert [(e["what"], e["seq"]) for e in holes] == [("not recorded", again)], holes
assert sum(e.get("left") is False for e in rows) == not_left
holes = [e["values"] for e in json.load(open("lost.json"))["recording"]["events"]]
assert [(e["what"], e["events"], e["reason"][:9]) for e in holes] == [("events lost", lost, "the bound")], holes
PY
"$JDK/bin/jfr" summary t.jfr | grep -q 'hindsight.Call' || fail "jfr"
"$JDK/bin/jfr" print --events hindsight.Call t.jfr | grep -q 'step' || fail "calls of jfr"

export_to perfetto
if command -v protoc >/dev/null; then
    protoc "-I$HERE" --decode=perfetto.protos.Trace "$HERE/perfetto.proto" <perfetto >decoded ||
        fail "protoc"
    [ "$(grep -c 'type: TYPE_SLICE_BEGIN' decoded)" = "$(grep -c 'type: TYPE_SLICE_END' decoded)" ] ||
        fail "slices of perfetto do not end"
    [ "$(grep -c 'name: "events left out"' decoded)" = "$holes" ] || fail "perfetto does not tell the holes"
    [ "$(grep -c 'name: "not recorded"' decoded)" = 1 ] || fail "perfetto does not tell the stop"
    [ "$(grep -c 'name: "left"' decoded)" = "$open" ] || fail "perfetto: not $open calls that were not left"
    grep -qa 'events lost' lost.perfetto || fail "perfetto does not tell lost events"
else
    skipped="$skipped protoc"
fi

export_to chrome
python3 "$ROOT/test/clients/export/holes_chrome.py" "$holes" "$again" "$open" "$lost" || fail "chrome"

# SELogger has no such event: its reader knows its own names only
export_to selogger
grep -rl EVENTS_LEFT_OUT selogger && fail "selogger has the name of an event that SELogger does not know"
python3 - <<'PY' || fail "selogger"
import glob, json, struct
events = [json.loads(line) for line in open("events")]
names = {int(l.split(",")[0]): l.split(",") for l in list(open("selogger/dataids.txt"))[1:]}
assert any("RESERVED" in row for row in names.values())
records = b"".join(open(f, "rb").read() for f in sorted(glob.glob("selogger/log-*.slg")))
ids = [struct.unpack(">i", records[at : at + 4])[0] for at in range(0, len(records), 16)]
known = [i for i in ids if i < len(names) and "RESERVED" not in names[i]]
wanted = [e["dataid"] for e in events if e["event"] != "EVENTS_LEFT_OUT"]
assert [i for i in known if i in set(wanted)] == wanted, (len(known), len(wanted))
PY

if (npm_client appmap) >npm 2>&1; then
    npm_client appmap
    export_to appmap
    node "$HERE/appmap.js" appmap/*.json >read || fail "appmap is not valid: $(head -n 3 read)"
    python3 - "$again" "$open" "$lost" <<'PY' || fail "appmap"
import glob, json, sys
again, not_left, lost = map(int, sys.argv[1:])
map_of = lambda name: json.load(open(glob.glob(name + "/*.json")[0]))
one, other = map_of("appmap"), map_of("lost.appmap")
assert one["metadata"]["labels"] == ["not recorded, before seq %d" % again], one["metadata"]
assert other["metadata"]["labels"][0].startswith("events lost: %d, the bound" % lost), other["metadata"]
returns = [e for e in one["events"] if e["event"] == "return"]
assert sum(e.get("left") is False for e in returns) == not_left
assert all(("elapsed" in e) != e.get("below_clock", False) for e in returns) and any("elapsed" in e for e in returns)
PY
else
    skipped="$skipped appmap($(tail -n 1 npm))"
fi
finish "passed${skipped:+; skipped, not installed:$skipped}"
