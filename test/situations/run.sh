#!/bin/bash
# run.sh: wherever derive=on may be told or is another way to record, a trace of inputs alone has the events and values
# of one with derive=off: each row of the list below is a program recorded both ways, compared event by event
# (same.py). The trace with derive=off gives also the chunks that derive=on stores (bench_derive), of one and the same
# run. README.md of test/situations says which situations other tests compare.
#
# test: derive.situations
# labels: derive slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
here=$ROOT/test/situations
cd "$WORK" || exit 1
compile c "$here/Situations.java" || die "Situations does not compile"

# recorded TRACE OPTIONS JAVA-ARGUMENT...: $runner runs it
runner=()
recorded() {
    local trace=$1 options=$2; shift 2
    "${runner[@]}" "$JAVA" "-agentpath:$AGENT=output=$trace,format=omni,quiet=true${options:+,$options}" -cp c "$@" \
        >"$trace.out" 2>"$trace.err" </dev/null || fail "$trace: exit status $?: $(head -n 3 "$trace.err")"
}
# info TRACE KEY
info() {
    "$HINDSIGHT" info "$1" --json 2>/dev/null |
        python3 -c "import json, sys; print(json.load(sys.stdin).get('$2', 0))"
}
# proved TRACE: its chunks are derived as the recorder does it, executed, and have its events
proved() {
    "$BUILD/bench/bench_derive" "$1" >proof 2>&1 && grep -q 'wrong chunks 0 of [1-9]' proof ||
        fail "$1: bench_derive: $(tail -n 1 proof)"
}
# both NAME OPTIONS PROGRAM...: the traces NAME.on and NAME.off are there and the same; $n events
both() {
    local name=$1 options=$2 kind; shift 2
    for kind in on off; do
        rm -rf "$name.$kind"
        recorded "$name.$kind" "derive=$kind${options:+,$options}" "$@"
    done
    consistent "$name.on"
    cmp -s "$name.on.out" "$name.off.out" || fail "$name: the program prints something else"
    n=$(python3 "$here/same.py" "$HINDSIGHT" "$name.off" "$name.on" 2>&1) || fail "$name: $n"
    derived=$(info "$name.on" derived_chunks)
    echo "    $name: $n events, $derived chunks derived"
}
derives() { both "$@"; [ "$derived" -gt 0 ] || fail "$1: every event is stored"; }
stores() { both "$@"; [ "$derived" = 0 ] || fail "$1: derived chunks, though every event was to be stored"; }

derives plain "" Situations
proved plain.off
derives total order=total Situations
derives times timestamp=true Situations
derives redacted 'redact=*secret*' Situations
derives oldest maxbytes=64M,onfull=drop-oldest Situations
derives frozen freeze=uncaught,freeze=IllegalStateException Situations
derives no-lines weave=EXEC+CALL+PARAM+FIELD+ARRAY+OBJECT+LOCAL+LABEL Situations
python3 "$here/same.py" "$HINDSIGHT" plain.off no-lines.on only >log 2>&1 || fail "no-lines beside ALL: $(cat log)"
for groups in EXEC+CALL+PARAM EXEC+LOCAL FIELD+ARRAY; do
    stores groups weave=$groups Situations
    python3 "$here/same.py" "$HINDSIGHT" plain.on groups.on only >log 2>&1 || fail "$groups beside ALL: $(cat log)"
done
[ "$RELEASE" -gt 23 ] || derives manager "" -Djava.security.manager=allow Situations

jdwp=-agentlib:jdwp=transport=dt_socket,server=y,address=127.0.0.1:0,suspend
runner=(python3 "$here/debugger.py" now)
both debugged "" $jdwp=y Situations
runner=(python3 "$here/debugger.py" later)
derives debugged-later "" $jdwp=n Situations waits
runner=()
for name in debugged debugged-later; do
    [ "$(info $name.on whole_because)" = "a debugger is connected" ] || fail "$name: the debugger was not noticed"
done

# The oldest chunks are dropped: what is left is the end of the whole run, from its first event on.
recorded bounded derive=on,maxbytes=8M,onfull=drop-oldest Situations random 1300000
recorded whole derive=off Situations random 1300000
consistent bounded
part() { # TRACE FROM
    "$HINDSIGHT" print "$1" --from "$2" --limit 20000 --json 2>/dev/null | sed -E 's/"(seq|dataid)":[0-9]+,//g'
}
first=$(info bounded dropped) kept=$(info bounded events)
[ "$((first + kept))" = "$(info whole events)" ] && [ "$first" -gt 0 ] || fail "bounded: $first and $kept events"
for at in 0 $((kept / 2)) $((kept - 10000)); do
    part bounded $at >bounded.json
    part whole $((first + at)) | cmp - bounded.json || fail "bounded: other events from $at on"
    [ -s bounded.json ] || fail "bounded: nothing from $at on"
done

if [ "$RELEASE" -ge 21 ]; then
    compile c "$here/Virtuals.java" || die "Virtuals does not compile"
    derives virtual "" -Djdk.virtualThreadScheduler.parallelism=4 Virtuals 100
    proved virtual.off
fi
finish
