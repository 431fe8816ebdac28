#!/bin/bash
# run.sh [ROUNDS [MEGABYTES]]: maxbytes with onfull=drop-oldest and stop, of a program that makes more (Load.java). The
# directory never passes the bound and uses it, what remains is consistent and in order, and what is gone is told.
# `check --full`: 30,000,000 rounds and 200 MB. How long threads of the program stall: bench/bench.sh stalls.
#
# test: bounds
# labels: bounds slow
# jdks: all
# limit: 900 s
# full: 30000000 200
# full limit: 3600 s
. "$(dirname "$0")/../lib.sh"
rounds=${1:-1000000} megabytes=${2:-16}
compile "$WORK/classes" "$(dirname "$0")/Load.java" || die "Load does not compile"

load() { "$JAVA" -Xmx256m -XX:+UseSerialGC "$@" -cp "$WORK/classes" Load "$rounds" 2; }
load >"$WORK/plain" || fail "Load fails without the agent"

record_bounded() { # ONFULL: the trace t, which took no more than the bound at any moment
    local pid kb most=0
    rm -rf "$WORK/t"
    load "-agentpath:$AGENT=output=$WORK/t,format=omni,maxbytes=${megabytes}M,onfull=$1" >"$WORK/out" 2>"$WORK/err" &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        kb=$(du -sk "$WORK/t" 2>/dev/null | cut -f1)
        [ "${kb:-0}" -le "$most" ] || most=$kb
        sleep 0.1
    done
    wait $pid || fail "$1: the program failed: $(tail -n 1 "$WORK/err")"
    cmp -s "$WORK/plain" "$WORK/out" || fail "$1: its output changed: $(cat "$WORK/out")"
    echo "$1: $(cat "$WORK/out"), at most $most kB; $(cat "$WORK/err")"
    [ "$most" -le $((megabytes * 1024)) ] || fail "$1: the trace took $most kB, more than $megabytes MB"
    kb=$(du -sk "$WORK/t" | cut -f1)
    [ "$kb" -ge $((megabytes * 1024 * 85 / 100)) ] || fail "$1: the trace has $kb kB, the bound was $megabytes MB"
}
consistent() { # WHAT
    "$HINDSIGHT" fsck "$WORK/t" >"$WORK/fsck" 2>&1
    grep -q ' 0 violations' "$WORK/fsck" || fail "$1: fsck: $(head -n 3 "$WORK/fsck")"
}

record_bounded drop-oldest
"$HINDSIGHT" info "$WORK/t" --json >"$WORK/info" 2>"$WORK/told"
[ $? = 3 ] || fail "info of a trace that dropped events does not end with status 3"
grep -q 'dropped' "$WORK/told" || fail "nothing tells of dropped events: $(cat "$WORK/told")"
python3 - "$WORK/info" "$WORK/err" <<'PY' || failures=$((failures + 1))
import json, re, sys
d = json.load(open(sys.argv[1]))
line = open(sys.argv[2]).read()
def number(pattern): return int(re.search(pattern, line).group(1).replace(",", ""))
print("    %d events are left, %s dropped" % (d["events"], d.get("dropped")))
if not int(d.get("dropped", 0)) > 0: sys.exit("FAILED: nothing was dropped: the test is too short")
if number(r"hindsight: ([\d,]+) events") != d["events"]: sys.exit("FAILED: the closing line: " + line)
if number(r"the oldest ([\d,]+) events") != int(d["dropped"]): sys.exit("FAILED: the closing line: " + line)
if d["end"] != "clean" or d["lost"] != 0: sys.exit("FAILED: end %s, lost %s" % (d["end"], d["lost"]))
PY
"$HINDSIGHT" last-write Load.main:args "$WORK/t" --before 0 >"$WORK/out" 2>"$WORK/err"
[ $? = 3 ] && grep -q 'no woven code wrote' "$WORK/err" && grep -q 'events were dropped' "$WORK/err" ||
    fail "a write that is not there, of a trace that dropped events: $(cat "$WORK/err")"
consistent drop-oldest

# Objects that were described before all of this, and are shown again behind it (Kept.java): their rows are gone, what
# the events say of them is not.
compile "$WORK/classes" "$(dirname "$0")/Kept.java" "$(dirname "$0")/Load.java" || die "Kept does not compile"
"$JAVA" -Xmx256m "-agentpath:$AGENT=output=$WORK/kept,format=omni,maxbytes=16M,onfull=drop-oldest" -cp "$WORK/classes" \
    Kept "$rounds" >"$WORK/out" 2>"$WORK/err" || fail "Kept: $(tail -n 1 "$WORK/err")"
kept() { # WHAT PATTERN COMMAND...: the answer, of an incomplete trace, has the pattern
    local what=$1 pattern=$2 status; shift 2
    "$HINDSIGHT" "$@" "$WORK/kept" >"$WORK/answer" 2>"$WORK/told"; status=$?
    grep -qE -- "$pattern" "$WORK/answer" "$WORK/told" || fail "$what: $(cat "$WORK/answer" "$WORK/told" | head -n 5)"
    [ $status != 3 ] || grep -q dropped "$WORK/told" || fail "$what: dropped events are not told: $(cat "$WORK/told")"
    [ $status = 3 ] || grep -q dropped "$WORK/told" || fail "$what: status $status: $(cat "$WORK/told")"
}
this() { # METHOD: the number of the object that it was called on last
    "$HINDSIGHT" print "$WORK/kept" --json --class Kept --method "$1" --event METHOD_ENTRY 2>/dev/null | tail -n 1 |
        python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["value"]["id"])'
}
id=$(this late)
array=$("$HINDSIGHT" object "$id" "$WORK/kept" --json 2>/dev/null | python3 -c '
import json, sys; print(json.load(sys.stdin)["fields"]["Kept.data"]["id"])')
kept "the object" 'Kept\.n +9 ' object "$id"
kept "its array" '\[2\] +9 ' object "$array"
kept "its array as JSON" '"elements":\{"2":9\}' object "$array" --json
kept "the field of the object" 'PUT_INSTANCE_FIELD_VALUE +9 ' history "$id.n"
kept "the last write of the field" 'PUT_INSTANCE_FIELD_VALUE +9 ' last-write "$id.n"
kept "the element" 'ARRAY_STORE.* 9 ' last-write "$array[2]"
kept "an object that is gone" 'there is no object 1000 in what was not dropped' object 1000
kept "a field of one that is gone" 'there is no object 1000 in what was not dropped' history 1000.n

# By derived chunks each of which can be read without those before it: what remains is what came last.
compile "$WORK/classes" "$(dirname "$0")/Recent.java" || die "Recent does not compile"
recent() { # TRACE OPTIONS
    "$JAVA" "-agentpath:$AGENT=output=$WORK/$1,format=omni,$2" -cp "$WORK/classes" Recent 300000 >"$WORK/out" \
        2>"$WORK/err" || fail "Recent, $2: $(tail -n 1 "$WORK/err")"
    "$HINDSIGHT" info "$WORK/$1" --json >"$WORK/$1.info" 2>/dev/null
    json "$WORK/$1.info" "d[\"events\"]"
}
same() { # TRACE FROM COUNT
    "$HINDSIGHT" print "$WORK/$1" --json --from "$2" --limit "$3" 2>/dev/null |
        sed -E 's/"(seq|ns|dataid)":[0-9]+,?//g'
}
all=$(recent whole derive=off)
left=$(recent last maxbytes=8M,onfull=drop-oldest)
grep -q '"derived_chunks":[1-9]' "$WORK/last.info" && [ "$left" -lt "$all" ] || fail "Recent: $left of $all events"
for from in 0 $((left / 2)) $((left - 100000)); do
    same last "$from" 100000 >"$WORK/last.json"
    same whole $((all - left + from)) 100000 | cmp - "$WORK/last.json" || fail "Recent: from $from of $left on others"
    [ "$(wc -l <"$WORK/last.json")" = 100000 ] || fail "Recent: $(wc -l <"$WORK/last.json") events from $from on"
done
echo "    $left of $all events are left, the last ones"
consistent "Recent"

record_bounded stop
"$HINDSIGHT" info "$WORK/t" --json >"$WORK/info" 2>"$WORK/told"
grep -q '"end":"truncated"' "$WORK/info" && grep -q maxbytes "$WORK/told" ||
    fail "stop: the bound is not told: $(head -c 300 "$WORK/told")"
consistent stop

# Killed while events are dropped: what recovery adds follows what remains.
rm -rf "$WORK/t"
"$JAVA" -Xmx256m -XX:+UseSerialGC "-agentpath:$AGENT=output=$WORK/t,format=omni,maxbytes=8M,onfull=drop-oldest" \
    -cp "$WORK/classes" Load 100000000 3 >"$WORK/out" 2>"$WORK/err" &
pid=$!
events=0 before=0
for ((i = 0; i < 600; i++)); do # until there are fewer than there were; a reader of the trace would hold its pages
    events=$("$HINDSIGHT" status "$WORK/t" --json 2>/dev/null | sed -nE 's/.*"events":([0-9]+).*/\1/p')
    [ "${events:-0}" -ge "$before" ] || break
    before=${events:-0}
    sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null
kb=$(du -sk "$WORK/t" | cut -f1)
[ "$kb" -le 8192 ] || fail "killed: $kb kB, more than 8 MB"
consistent killed
grep -q 'dropped' "$WORK/fsck" || fail "killed: nothing was dropped: the test is too short"

# A reader that is stopped in the middle holds pages, which are not used again: the recording ends, with its events.
"${CC:-cc}" -O0 -o "$WORK/hold" "$(dirname "$0")/hold.c" -llmdb || die "hold.c does not compile"
rm -rf "$WORK/t"
"$JAVA" -Xmx256m -XX:+UseSerialGC "-agentpath:$AGENT=output=$WORK/t,format=omni,maxbytes=8M,onfull=drop-oldest" \
    -cp "$WORK/classes" Load 100000000 3 >"$WORK/out" 2>"$WORK/err" &
pid=$!
until_events "$WORK/t" 5000000
"$WORK/hold" "$WORK/t" >"$WORK/held" & reader=$!
wait_for reads "$WORK/held"
for ((i = 0; i < 1200; i++)); do
    "$HINDSIGHT" status "$WORK/t" --json >"$WORK/status"
    ! grep -q ended_early "$WORK/status" || break
    sleep 0.1
done
kill -9 $pid $reader
wait $pid $reader 2>/dev/null
grep -q 'a reader of the trace holds its pages' "$WORK/status" &&
    [ "$(json "$WORK/status" 'd["events"]')" -gt 1000000 ] || fail "a stopped reader: $(cat "$WORK/status")"
consistent "a stopped reader"
finish "a bound holds, on JDK $RELEASE"
