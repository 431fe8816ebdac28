#!/bin/bash
# live.sh: start=off, then periods of recording with different filters: the trace has the events of exactly those
# periods, and stopping gives the program its own code back. Wrong questions get one line.
#
# test: control.live
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
t=$WORK/t
serve 0 "-agentpath:$AGENT=output=$t,format=omni,start=off,weave=EXEC"
[ "$(stat -c %a t/control)" = 600 ] || fail "the socket has mode $(stat -c %a t/control)"
events() { "$HINDSIGHT" print "$t" --event METHOD_ENTRY --json 2>/dev/null | grep -c "$1"; }
works() { "$HINDSIGHT" print "$t" --event METHOD_ENTRY --method work --json 2>/dev/null | wc -l; }
answer() { [ "$(tell work)" = "work true" ] || fail "the program computes something else"; }

answer
[ "$(key t recording)" = false ] && [ "$(key t events)" = 0 ] || fail "start=off records: $("$HINDSIGHT" status t)"
one_line 1 'not recording'   "$HINDSIGHT" stop t
one_line 1 'option size'     "$HINDSIGHT" start t size=3
one_line 1 'weave.*NONE'     "$HINDSIGHT" start t weave=NONE
[ "$(key t recording)" = false ] || fail "a wrong start records"

h start "$SERVER" >/dev/null
one_line 1 'already'         "$HINDSIGHT" start "$SERVER"
answer
counted=$(key t events) # of work alone more than 804, which are in buffers yet
[ "$counted" -ge 804 ] || fail "status counts $counted events after work"
answer
marked=$(h mark t "first thing" --json | sed -E 's/.*"events":([0-9]+).*/\1/')
[ "$marked" -ge $((counted + 804)) ] || fail "mark counts $marked events, status before it $counted"
h mark t nested >/dev/null
answer
h status t --json | grep -q '"marks":\["first thing","nested"\]' || fail "open marks: $(h status t --json)"
h snapshot t --json | grep -q "\"trace\":\"$t\"" || fail "snapshot does not name the trace"
[ "$(events '"class":"Server\$Account"')" -ge 804 ] || fail "a snapshot has not everything: $(events Account)"
h unmark t "first thing" >/dev/null
one_line 1 'no such mark'    "$HINDSIGHT" unmark t "first thing"
h unmark t nested >/dev/null
for target in t "$SERVER"; do # without a name: all of them
    h mark t one >/dev/null; h mark t two >/dev/null
    h unmark "$target" --json | grep -q '"marks":\[\]' || fail "unmark $target: $(h status t --json)"
done
h stop t >/dev/null
"$HINDSIGHT" tree t >tree.out 2>tree.err || fail "tree while it is stopped: status $?: $(cat tree.err)"
[ ! -s tree.err ] || fail "tree while it is stopped says: $(cat tree.err)"
h info t | grep -q '^end  *recording is stopped for now' || fail "info while it is stopped: $(h info t | grep '^end')"
h info t --json | grep -q '"stopped":true' || fail "info --json while it is stopped"
first=$(works)
[ "$first" -ge 2 ] || fail "$first calls of work in the first period"

answer; answer; answer # while stopped
h snapshot t >/dev/null
[ "$(works)" = "$first" ] || fail "events while stopped: $(works) calls of work, $first before"

h start t 'weave=EXEC+FIELD,e=Server$' >/dev/null # Server alone, and fields
"$HINDSIGHT" info t >info.out 2>info.err
[ $? = 3 ] && grep -q 'still being recorded' info.err || fail "info while it records: $(cat info.err)"
before=$(events Account)
answer
h stop t >/dev/null
[ "$(events Account)" = "$before" ] || fail "the filter of the second start does not hold"
[ "$(works)" -gt "$first" ] || fail "the second start records nothing"
h start t 'weave=EXEC,i=Server' >/dev/null
answer
h stop t >/dev/null
[ "$(events Account)" -gt "$before" ] || fail "the filter of the third start does not hold"
[ "$(key t starts)" = 3 ] || fail "starts: $(key t starts)"
rows=$("$HINDSIGHT" report t --json | sed -E 's/,"calls".*//' | sort | uniq -c | sort -rn)
[ "$(grep -c . <<<"$rows")" -ge 2 ] && ! grep -qvE '^ +1 ' <<<"$rows" ||
    fail "several rows for a method that was recorded in several periods: $rows"
all=$(key t events)
end_server
clean "$t"
[ "$(cat "$t/control" 2>&1 | wc -c)" = 0 ] || [ ! -e "$t/control" ] || fail "the socket is still there"
one_line 1 'not being recorded' "$HINDSIGHT" status t
[ "$("$HINDSIGHT" features "$t" --json | grep -c '"marks":1,.*\.work(')" = 2 ] ||
    fail "the marks are not there: $("$HINDSIGHT" features "$t")"
[ "$("$HINDSIGHT" info t --json | grep -oE '"events":[0-9]+' | head -n 1)" = "\"events\":$all" ] ||
    fail "events after the last stop: $("$HINDSIGHT" info t --json)"

# recording from the beginning, stopped later; then killed
serve 0 "-agentpath:$AGENT=output=$WORK/on,format=omni,weave=EXEC" # start=on, stopped later
answer
h stop on >/dev/null
stopped=$(key on events)
[ "$stopped" -gt 0 ] || fail "start=on recorded nothing before its stop"
answer
h snapshot on >/dev/null
[ "$(key on events)" = "$stopped" ] || fail "it records after its stop"
kill -9 "$SERVER"; wait "$SERVER" 2>/dev/null; SERVER=
[ -S on/control ] || fail "no dead socket to look at"
one_line 1 'died'            "$HINDSIGHT" status on
"$HINDSIGHT" print on --limit 1 >/dev/null 2>err || fail "killed while it was stopped, it is whole: $(cat err)"
"$HINDSIGHT" info on --json | grep -q '"end":"clean"' || fail "its end: $("$HINDSIGHT" info on | grep '^end')"
clean on

# killed in its second period, with the frames of the first still there: nothing of them shows
serve 0 "-agentpath:$AGENT=output=$WORK/killed,format=omni"
answer
h stop killed >/dev/null
h start killed >/dev/null
answer
h snapshot killed >/dev/null
stored=$(key killed events)
answer
kill -9 "$SERVER"; wait "$SERVER" 2>/dev/null; SERVER=
clean killed
"$HINDSIGHT" info killed --json 2>/dev/null | grep -q '"end":"crashed"' || fail "killed while recording: end"
[ "$("$HINDSIGHT" info killed --json 2>/dev/null | grep -oE '"events":[0-9]+' | head -n 1 |
    cut -d: -f2)" -gt "$stored" ] ||
    fail "what came after the snapshot is lost"

# killed while marks are open: they go to the end of what is there, and a mark that was ended stays so
serve 0 "-agentpath:$AGENT=output=$WORK/marked,format=omni,weave=EXEC"
one_line 1 'control char' "$HINDSIGHT" mark marked $'tab\tin it'
one_line 1 'UTF-8'        "$HINDSIGHT" mark marked $'Latin-1 \xe4'
h mark marked whole >/dev/null
answer
h mark marked ended >/dev/null
answer
h unmark marked ended >/dev/null
h mark marked $'to the end \u20ac' >/dev/null
answer
h mark marked empty >/dev/null # nothing comes after it but the beat of the server
kill -9 "$SERVER"; wait "$SERVER" 2>/dev/null; SERVER=
"$HINDSIGHT" features marked --json >features.out 2>features.err
case $? in 0 | 3) ;; *) fail "features of a killed recording: $(head -n 2 features.err)" ;; esac
python3 - features.out \
    "$("$HINDSIGHT" info marked --json 2>/dev/null | grep -oE '"events":[0-9]+' | head -n 1 | cut -d: -f2)" \
    <<'PY' || failures=$((failures + 1))
import json, sys
f = {d["feature"]: d for d in map(json.loads, open(sys.argv[1]))}
last = int(sys.argv[2]) - 1
bad = []
if list(f) != ["whole", "ended", "to the end \u20ac", "empty"]: bad.append("features %s" % list(f))
for name, unended in (("whole", 1), ("ended", 0), ("to the end \u20ac", 1), ("empty", 1)):
    if f[name]["unended"] != unended: bad.append("%s: %d are not ended" % (name, f[name]["unended"]))
    if name != "empty" and not any(m.startswith("Server.work(") for m in f[name]["methods"]):
        bad.append("%s: without work" % name)
for name in ("whole", "to the end \u20ac"):
    if f[name]["last"] != last: bad.append("%s goes to %s, the trace to %d" % (name, f[name]["last"], last))
if not f["whole"]["first"] < f["ended"]["first"] <= f["ended"]["last"] < f["to the end \u20ac"]["first"]:
    bad.append("out of order")
print("".join("FAILED: marks of a killed recording: %s\n" % b for b in bad), end="")
sys.exit(1 if bad else 0)
PY
clean marked
[ "$("$HINDSIGHT" print marked --mark ended --event METHOD_ENTRY --method work 2>/dev/null | wc -l)" -ge 2 ] ||
    fail "print --mark shows no work"

# other formats: what is counted is what was recorded
for format in freq latest timing discard; do
    serve 0 "-agentpath:$AGENT=output=$WORK/$format,format=$format,start=off,weave=EXEC"
    answer
    for _ in 1 2; do
        h start $format >/dev/null
        before=$(key $format events)
        answer
        [ $format = discard ] || [ "$(key $format events)" -ge $((before + 804)) ] ||
            fail "status of $format counts $(key $format events) events after work, $before before it"
        h stop $format >/dev/null
        answer
    done
    [ "$(key $format format)" = $format ] || fail "status of $format: $("$HINDSIGHT" status $format)"
    end_server
    [ "$("$HINDSIGHT" info $format --json 2>/dev/null | grep -oE '"end":"[a-z]+"')" = '"end":"clean"' ] ||
        fail "$format: no clean end"
done
# run() of the worker is entered once in each of the two periods
runs=$("$HINDSIGHT" freq freq --event METHOD_ENTRY --json 2>/dev/null | grep 'lambda.main' | grep -oE '"count":[0-9]+' |
    cut -d: -f2 | awk '{ n += $1 } END { print n + 0 }')
[ "$runs" = 2 ] || fail "freq counts $runs rounds of work in two periods"

serve 0 "-agentpath:$AGENT=output=$WORK/off,format=omni,weave=EXEC,control=off"
[ ! -e off/control ] || fail "control=off has a socket"
one_line 1 'control=off'     "$HINDSIGHT" status "$SERVER"
end_server
one_line 1 'which'           "$HINDSIGHT" status
one_line 2 'which name'      "$HINDSIGHT" mark
one_line 2 'which name to mark in t' "$HINDSIGHT" mark t
one_line 1 'no such process' "$HINDSIGHT" status 999999999
one_line 1 'nowhere'         "$HINDSIGHT" stop nowhere
finish
