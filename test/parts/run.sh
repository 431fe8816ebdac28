#!/bin/bash
# run.sh: recordings in parts (logstart=, logend=, lognested=, logsave=) in every format, against a whole recording of
# the same program and the rules of README.md (same.py); known answers; a kill in an open interval; start and stop; what
# is said when nothing matched. Every trace is consistent.
#
# test: parts
# labels: parts slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
here=$ROOT/test/parts
compile "$WORK/c" "$here/Parts.java" || die "Parts does not compile"
cd "$WORK" || exit 1
run() { # TRACE MODE OPTIONS: the program must not notice
    local t=$1 mode=$2; shift 2
    rm -rf "$t"
    # -Xverify:all rules out the archive of the JDK's classes, and so takes twice the CPU; ours are always verified
    "$JAVA" "${VERIFY:--Xverify:remote}" -Xcheck:jni "-agentpath:$AGENT=output=$t,size=5,e=Turns,$*" -cp c Parts \
        "$mode" >out 2>err </dev/null
} 2>/dev/null
for mode in plain turns; do
    VERIFY=-Xverify:all run "whole.$mode" $mode format=omni || die "a whole recording of $mode fails: $(head -n 3 err)"
    cp out "out.$mode"
    "$HINDSIGHT" print "whole.$mode" --json >"whole.$mode.json" || die "a whole recording cannot be read"
done
# both MODE FORMAT START END NESTED [SNAPSHOT RESETS]: the trace t against the whole one; the events are left in $n
both() {
    local mode=$1 format=$2 at=(); shift 2
    [ $# -lt 4 ] || at=(--snapshot "$4")
    case $format in
    omni) "$HINDSIGHT" print t --json >answer ;;
    timing) "$HINDSIGHT" report t --json "${at[@]}" >answer ;;
    *) "$HINDSIGHT" "$format" t --json "${at[@]}" >answer ;;
    esac || { fail "$format cannot be read"; return; }
    n=$(python3 "$here/same.py" "whole.$mode.json" "$format" answer "$@") || fail "$n"
}
# parts MODE FORMATS START END NESTED: patterns joined by a space, - none
parts() {
    local mode=$1 formats=$2 start=$3 end=$4 nested=$5 options= format p
    for p in $start; do [ "$p" = - ] || options+=",logstart=$p"; done
    for p in $end; do [ "$p" = - ] || options+=",logend=$p"; done
    [ "$nested" = false ] || options+=,lognested=true
    for format in $formats; do
        run t "$mode" "format=$format$options" || fail "$format$options: exit status $?: $(head -n 2 err)"
        cmp -s out "out.$mode" || fail "$format$options: its output changed"
        both "$mode" "$format" "$start" "$end" "$nested"
        consistent t
        [ "$format" = omni ] || continue
        later "$mode" "$options"
        both "$mode" omni "$start" "$end" "$nested"
    done
}
# later MODE OPTIONS: by inputs alone, the events outside dropped when the program has ended
later() {
    HINDSIGHT_RUN=parts run t "$1" "format=omni,derive=on$2" || fail "derive=on$2: exit status $?: $(head -n 2 err)"
    cmp -s out "out.$1" || fail "derive=on$2: its output changed"
    "$HINDSIGHT" info t | grep -q '^to drop .* outside' || fail "derive=on$2: info does not tell what is to be dropped"
    "$HINDSIGHT" compact --passed t >/dev/null 2>&1
    consistent t
}
# known N: so many events had the last one
known() { [ "$n" = "$1" ] || fail "$n events, known are $1"; }

all="omni latest freq timing"
parts plain "$all" 'Parts#feature##METHOD_ENTRY' 'Parts#feature##METHOD_EXIT' false
parts plain "$all" 'Parts#feature##METHOD_ENTRY' 'Parts#feature##METHOD_EXIT' true
parts plain "$all" 'Parts#feature##METHOD_ENTRY' - false               # only a start
parts plain "$all" - 'Parts#catcher#\(I\)I#METHOD_EXIT' false            # only an end
parts plain "$all" 'Parts#thrower##METHOD_ENTRY' 'Parts#thrower##METHOD_EXCEPTIONAL_EXIT' true
parts plain "$all" '#set##METHOD_ENTRY' '#nobody##' false              # the end is never reached
# the same event: it alone, each time
parts plain omni 'Par.*#set##METHOD_NORMAL_EXIT' 'Par.*#set##METHOD_NORMAL_EXIT' false; known 2
parts plain omni '###' '###' false
# records with four values
parts plain omni '#four##METHOD_ENTRY #kept##METHOD_ENTRY' '#four##METHOD_EXIT #kept##METHOD_EXIT' false
parts plain omni '#main##CALL' '#four##CALL_PARAM' false
# in the middle of a hook call
parts plain omni '#feature#\(I\)I#ARRAY_STORE_INDEX' '#feature##ARRAY_STORE_INDEX;ARRAY_LOAD' false
parts plain omni '#.*##ARRAY_STORE;ARRAY_STORE_VALUE;PUT_INSTANCE_FIELD_VALUE' '#.*##ARRAY_STORE;PUT_INSTANCE_FIELD' \
    false
parts plain omni '##.*#MULTI_NEW_ARRAY_OWNER;METHOD_THROW' '###MULTI_NEW_ARRAY_ELEMENT;CATCH' false
parts plain omni '#before##METHOD_PARAM #catcher##CALL_PARAM' '#before##METHOD_PARAM #.*##CATCH' true # several patterns
parts plain omni '#<init>##METHOD_ENTRY' '#<init>##METHOD_OBJECT_INITIALIZED' true
# where the JDK is woven too, the hook of a pattern's event runs no woven code, as a class loader would be
run t plain 'format=omni,i=java/util/,logend=#feature##METHOD_NORMAL_EXIT' || fail "java.util: $(head -n 2 err)"
consistent t
# begun by one thread, ended by another
parts turns "$all" 'Parts#feature##METHOD_ENTRY' 'Parts#set##METHOD_EXIT' false
parts turns "$all" 'Parts#(feature|catcher)##METHOD_ENTRY' 'Parts#set##METHOD_ENTRY' true
run t plain 'format=discard,logstart=#feature##,logend=#set##' || fail "discard: $(head -n 2 err)"
"$HINDSIGHT" info t --json | grep -q '"intervals":{"count":2,' ||
    fail "discard does not tell of its intervals: $("$HINDSIGHT" info t | grep intervals)"

# many chunks, of which windows hold parts; frames that were entered before them
events_of() { "$HINDSIGHT" print t --json 2>/dev/null | sed -E 's/,"(ns|dataid)":[0-9]+//g'; }
for window in 'logstart=#deep##METHOD_ENTRY,logend=#turn##METHOD_ENTRY' \
    'logstart=#turn##METHOD_EXIT,logend=#thrower##' 'logstart=#turn##,logend=#turn##,lognested=true' \
    'logend=#turn##'; do
    run t long "format=omni,derive=off,$window" || fail "long, $window: exit status $?: $(head -n 2 err)"
    cp out out.long
    events_of >whole.long
    later long ",$window"
    events_of | cmp - whole.long || fail "$window: by inputs alone other events are left"
    "$HINDSIGHT" info t | grep -E '^(events|derived|dropped)' | tr '\n' ';'; echo
done
# killed; the command beside the agent drops by itself
HINDSIGHT_RUN=parts run t open 'format=omni,derive=on,logstart=#set##METHOD_PARAM'
"$HINDSIGHT" compact --passed t >/dev/null 2>err; status=$?
[ $status = 3 ] || fail "killed, derive=on: exit status $status: $(cat err)"
[ "$("$HINDSIGHT" print t --method set --event METHOD_PARAM --json 2>/dev/null | wc -l)" = 100 ] &&
    [ "$("$HINDSIGHT" print t --method feature --json 2>/dev/null | wc -l)" = 0 ] ||
    fail "killed, derive=on: $("$HINDSIGHT" info t 2>&1)"
consistent t
run t plain 'format=omni,derive=on,logstart=#set##METHOD_ENTRY'
for _ in $(seq 3000); do # it runs when a core has nothing else to do
    "$HINDSIGHT" info t 2>/dev/null | grep -q '^dropped ' && break
    sleep 0.1
done
[ "$("$HINDSIGHT" print t --method feature --event METHOD_ENTRY --json | wc -l)" = 6 ] ||
    fail "not what is outside was dropped: $("$HINDSIGHT" info t)"

# while others ask
HINDSIGHT_RUN=parts run t plain 'format=omni,derive=on,logstart=#set##METHOD_ENTRY'
for _ in $(seq 20); do
    rm -rf asked; cp -r t asked
    for _ in 1 2 3 4 5; do "$HINDSIGHT" info asked >/dev/null 2>>asked.err; done &
    "$HINDSIGHT" compact --passed asked >/dev/null 2>>asked.err || echo "exit status $?" >>asked.err
    wait $!
done
[ ! -s asked.err ] || fail "dropped while others ask: $(sort asked.err | uniq -c | head -n 5)"

# `record` has dropped them when it ends
"$HINDSIGHT" record -o recorded --option derive=on --option 'logend=#feature##METHOD_EXIT' -- \
    "$JAVA" -cp c Parts plain >out 2>err || fail "record: $(cat err)"
"$HINDSIGHT" info recorded | grep -q '^dropped .* outside' ||
    fail "record does not drop what is outside: $("$HINDSIGHT" info recorded)"

# snapshots at the end of each interval
for format in latest freq timing; do
    for save in snapshot partial; do
        window='logstart=#feature##METHOD_ENTRY,logend=#feature##METHOD_EXIT,lognested=true'
        run t plain "format=$format,$window,logsave=$save" ||
            fail "$format $save: $(head -n 2 err)"
        for i in 1 2 5; do
            both plain $format '#feature##METHOD_ENTRY' '#feature##METHOD_EXIT' true $i \
                $([ $save = partial ] && echo 1 || echo 0)
        done
        [ "$("$HINDSIGHT" info t --json | grep -o '"by":"interval"' | wc -l)" = 5 ] ||
            fail "$format $save: not five snapshots: $("$HINDSIGHT" info t)"
        consistent t
        if [ $save = partial ]; then
            [ "$("$HINDSIGHT" freq t --json | wc -l)" = 0 ] ||
                fail "$format: something is left behind the last partial snapshot"
        else
            both plain $format '#feature##METHOD_ENTRY' '#feature##METHOD_EXIT' true
        fi
    done
done
"$HINDSIGHT" freq t --snapshot 6 >/dev/null 2>err && fail "there is a snapshot 6"
grep -q 'no snapshot 6' err || fail "snapshot 6: $(cat err)"

# intervals as info tells them; their seqs follow each other
run t plain 'format=omni,logstart=#catcher##METHOD_ENTRY,logend=#catcher##METHOD_EXIT'
"$HINDSIGHT" info t --json >info
python3 - info <<'PY' || fail "info tells intervals wrongly: $(head -c 600 info)"
import json, sys
d = json.load(open(sys.argv[1]))["intervals"]
assert d["count"] == 3 and d["open"] is False and d["starts_matched"] == 1 and d["ends_matched"] == 3, d
at = 0
for i in d["list"]:
    assert i["first"] == at and i["events"] > 0 and i["begin_ns"] < i["end_ns"], i
    assert i["start"]["event"] == "METHOD_ENTRY", i
    assert i["end"]["event"] == "METHOD_NORMAL_EXIT" and i["end"]["method"] == "catcher", i
    at += i["events"]
PY
"$HINDSIGHT" info t | grep -q 'METHOD_ENTRY Parts.catcher (thread 0) to METHOD_NORMAL_EXIT Parts.catcher' ||
    fail "info does not show the intervals"
[ "$("$HINDSIGHT" report t --json | wc -l)" = 2 ] &&
    [ "$("$HINDSIGHT" tree t --json --fold none | grep -c '"depth":0')" = 3 ] ||
    fail "tree and report: $("$HINDSIGHT" tree t)"

# nothing matched, and nothing was reached
run t never format=omni,logstart=com/acme/.*
grep -q 'no interval: logstart matched 0 places' err || fail "the closing line: $(cat err)"
"$HINDSIGHT" info t | grep -q 'nothing was recorded: logstart matched 0 places' ||
    fail "info of nothing: $("$HINDSIGHT" info t | grep intervals)"
run t never 'format=freq,logstart=#set##METHOD_ENTRY'
grep -q 'logstart matched 1 places in the code, and none was reached' err || fail "the closing line: $(cat err)"

# killed in an open interval: everything from its start on is there
for format in omni latest freq; do
    run t open "format=$format,logstart=#set##METHOD_PARAM,weave=EXEC+PARAM"
    "$HINDSIGHT" info t --json >info 2>/dev/null
    json info 'd["intervals"]["count"] == 1 and d["intervals"]["open"] and d["end"] == "crashed"' | grep -q True ||
        fail "$format: killed in an interval: $(head -c 400 info)"
    "$HINDSIGHT" freq t --method set --event METHOD_PARAM --json 2>/dev/null | grep -q '"count":100' ||
        fail "$format: of 100 events before the kill: $("$HINDSIGHT" freq t 2>&1)"
    "$HINDSIGHT" freq t --method feature --json 2>/dev/null | grep -q . &&
        fail "$format: what came before the interval is there"
    consistent t
done
for save in snapshot partial; do # five snapshots lay behind when it was killed, the last of them perhaps not made yet
    run t open "format=latest,logstart=#set##METHOD_ENTRY,logend=#set##METHOD_EXIT,logsave=$save,weave=EXEC+PARAM"
    "$HINDSIGHT" info t --json >info 2>/dev/null
    json info 'len(d["snapshots"])' | grep -qx 100 || fail "$save: a kill lost snapshots: $(head -c 400 info)"
    for i in 1 50 100; do
        last=$("$HINDSIGHT" latest t --snapshot $i --event METHOD_PARAM --json 2>/dev/null | grep -oE '"value":[0-9]+' |
            tail -n 1)
        [ "$last" = "\"value\":$((i - 1))" ] || fail "$save: snapshot $i ends with $last"
        count=$("$HINDSIGHT" freq t --snapshot $i --event METHOD_PARAM --json 2>/dev/null | grep -oE '"count":[0-9]+')
        [ "$count" = "\"count\":$([ $save = partial ] && echo 1 || echo $i)" ] ||
            fail "$save: snapshot $i counts $count"
    done
done

# wrong patterns end the JVM before the program, with one line
refused() {
    run t plain "$1" && fail "$1 is taken"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "$2" err || fail "$1: $(cat out err)"
}
refused 'logstart=(' 'option logstart=(.*not a regular expression.*Class#method#desc'
refused 'logend=#a[##' 'option logend=.*not a regular expression'
refused 'logstart=#a##FOO' "option logstart=.*no event 'FOO'"
refused 'logstart=a#b#c#CALL#d' 'option logstart=.*more than four parts'
refused 'logstart=' 'option logstart=.*empty'
refused 'lognested=true' 'option lognested.*logstart'
refused 'logsave=full,logend=a' 'option logsave=full: accepted is snapshot|partial'
refused 'logsave=partial,logstart=a' 'option logsave.*logend'
refused 'logsave=partial,logend=a,format=omni' 'option logsave.*format=omni'
refused 'weave=EXEC,logstart=###CALL' 'option logstart.*weave=EXEC'
refused 'format=timing,logstart=###CALL' 'option logstart.*format=timing'
finish "recordings in parts on JDK $RELEASE"
