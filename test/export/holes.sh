#!/bin/bash
# A recording that was stopped and started, whose calls have percall= holes, and which was killed: exports that nest
# calls are still valid for their clients, and where a format can tell a hole, it does.
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
compile classes "$ROOT/test/percall/Percall.java" || die "Percall does not compile"
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
holes=$(grep -c '"event":"EVENTS_LEFT_OUT"' events)
[ "$holes" -gt 2 ] || die "$holes holes"

export_to() { # FORMAT: the file or folder FORMAT; the trace is incomplete, which is said
    "$HINDSIGHT" export t --to "$1" -o "$1" 2>err
    local status=$?
    [ $status = 3 ] && grep -q incomplete err || fail "$1 ends with $status: $(cat err)"
}
skipped=

export_to ctf
if command -v babeltrace2 >/dev/null; then
    babeltrace2 ctf >read 2>err && [ ! -s err ] || fail "babeltrace2: $(head -n 3 err)"
    [ "$(grep -c ' EVENTS_LEFT_OUT: ' read)" = "$holes" ] || fail "ctf does not tell the holes"
    [ "$(grep -c ' call_begin: ' read)" = "$(grep -c ' call_end: ' read)" ] || fail "calls of ctf do not end"
else
    skipped="$skipped babeltrace2"
fi

export_to jfr
mv jfr t.jfr
"$JDK/bin/jfr" summary t.jfr | grep -q 'hindsight.Call' || fail "jfr"
"$JDK/bin/jfr" print --events hindsight.Call t.jfr | grep -q 'step' || fail "calls of jfr"

export_to perfetto
if command -v protoc >/dev/null; then
    protoc "-I$ROOT/test/export" --decode=perfetto.protos.Trace "$ROOT/test/export/perfetto.proto" <perfetto >decoded ||
        fail "protoc"
    [ "$(grep -c 'type: TYPE_SLICE_BEGIN' decoded)" = "$(grep -c 'type: TYPE_SLICE_END' decoded)" ] ||
        fail "slices of perfetto do not end"
    [ "$(grep -c 'name: "events left out"' decoded)" = "$holes" ] || fail "perfetto does not tell the holes"
else
    skipped="$skipped protoc"
fi

export_to chrome
python3 - "$holes" <<'PY' || fail "chrome"
import collections, json, sys
deep, told = collections.Counter(), 0
for e in json.load(open("chrome"))["traceEvents"]:
    deep[e["tid"]] += {"B": 1, "E": -1}.get(e["ph"], 0)
    assert deep[e["tid"]] >= 0, e
    told += e["name"] == "events left out" and e["args"]["left_out"] > 0
assert not any(deep.values()) and told == int(sys.argv[1]), (deep, told)
PY

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
    node "$ROOT/test/export/appmap.js" appmap/*.json >read || fail "appmap is not valid: $(head -n 3 read)"
else
    skipped="$skipped appmap($(tail -n 1 npm))"
fi
finish "passed${skipped:+; skipped, not installed:$skipped}"
