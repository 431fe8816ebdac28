#!/bin/bash
# run.sh [SECONDS [MEGABYTES]]: maxbytes with onfull=drop-oldest and stop, under load. The directory never passes the bound, what remains
# is consistent and in order, what is gone is told, and no thread of the program stalls for more than 50 ms, or than without the agent in
# this run (Load.java says what a stall is). Defaults 12 s and 16 MB; `check --full` 600 s and 200 MB.
. "$(dirname "$0")/../lib.sh"
seconds=${1:-12} megabytes=${2:-16}
compile "$WORK/classes" "$(dirname "$0")/Load.java" || die "Load does not compile"

load() { "$JAVA" -Xmx256m -XX:+UseSerialGC "${@:2}" -cp "$WORK/classes" Load "$1" 2; }
stalled() { sed -n 's/.* stalled_us \([0-9]*\) .*/\1/p' "$WORK/out"; }
load $((seconds > 60 ? seconds / 5 : seconds)) >"$WORK/out" || fail "Load fails without the agent"
plain=$(stalled) # the garbage collector, the machine
echo "without the agent: $(cat "$WORK/out")"

record_bounded() { # ONFULL SECONDS: the most kilobytes that the trace took go to $most
    local pid kb
    rm -rf "$WORK/t"; most=0
    load "$2" "-agentpath:$AGENT=output=$WORK/t,format=omni,maxbytes=${megabytes}M,onfull=$1,e=Load\$Ready" >"$WORK/out" 2>"$WORK/err" &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        kb=$(du -sk "$WORK/t" 2>/dev/null | cut -f1)
        [ "${kb:-0}" -le "$most" ] || most=$kb
        sleep 0.3
    done
    wait $pid || fail "$1: the program failed: $(tail -n 1 "$WORK/err")"
    echo "$1: $(cat "$WORK/out"), at most $most kB; $(cat "$WORK/err")"
    [ "$most" -le $((megabytes * 1024)) ] || fail "$1: the trace took $most kB, more than $megabytes MB"
}

for _ in 1 2 3; do # a machine that many share has stalls of its own: a short run is tried again, a long one tells what it saw
    record_bounded drop-oldest "$seconds"
    [ "$(stalled)" -gt $((plain > 50000 ? plain : 50000)) ] && [ "$seconds" -lt 60 ] || break
done
[ "$(stalled)" -le $((plain > 50000 ? plain : 50000)) ] || fail "the program stalled for $(stalled) us, for $plain without the agent"
"$HINDSIGHT" info "$WORK/t" --json >"$WORK/info" 2>"$WORK/told"
[ $? = 3 ] || fail "info of a trace that dropped events does not end with status 3"
grep -q 'dropped' "$WORK/told" || fail "nothing tells of dropped events: $(cat "$WORK/told")"
python3 - "$WORK/info" "$WORK/err" <<'PY' || failures=$((failures + 1))
import json, re, sys
d = json.load(open(sys.argv[1]))
all_events = int(re.search(r"hindsight: ([\d,]+) events", open(sys.argv[2]).read()).group(1).replace(",", ""))
print("    %d events are left, %s dropped, of %d" % (d["events"], d.get("dropped"), all_events))
if not int(d.get("dropped", 0)) > 0: sys.exit("FAILED: nothing was dropped: the test is too short")
if d["events"] + int(d["dropped"]) != all_events: sys.exit("FAILED: the sum is not what was recorded")
if d["end"] != "clean" or d["lost"] != 0: sys.exit("FAILED: end %s, lost %s" % (d["end"], d["lost"]))
PY
"$HINDSIGHT" fsck "$WORK/t" >"$WORK/fsck" 2>&1; status=$?
case $status in 0 | 3) sed 's/^/    /' "$WORK/fsck" | head -n 3 ;; *) fail "fsck: $(head -n 2 "$WORK/fsck")" ;; esac

megabytes=16
record_bounded stop $(((seconds < 12 ? seconds : 12) + 8))
"$HINDSIGHT" info "$WORK/t" --json >"$WORK/info" 2>"$WORK/told"
grep -q '"end":"truncated"' "$WORK/info" && grep -q maxbytes "$WORK/told" || fail "stop: the bound is not told: $(head -c 300 "$WORK/told")"
"$HINDSIGHT" fsck "$WORK/t" >"$WORK/fsck" 2>&1; status=$?
case $status in 0 | 3) ;; *) fail "stop: fsck: $(head -n 2 "$WORK/fsck")" ;; esac
finish "a bound holds, on JDK $RELEASE"
