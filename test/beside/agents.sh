#!/bin/bash
# Other agents in the JVM that is recorded, before and behind ours on the command line: JaCoCo, an agent made with Byte
# Buddy that also changes classes loaded before it, one that retransforms all the time while recording starts and stops,
# and JFR. The program, and what the other agent finds, are as without ours; the trace is whole.
# Two agents of ours: cli.two-agents. A Java agent in the same jar: jvm.OtherAgent. A debugger: debugger.sh.
#
# test: beside.agents
# labels: beside slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/beside/Beside.java" || die "Beside does not compile"
compile looper "$ROOT/test/beside/Looper.java" || die "Looper does not compile"
jar_of() { # NAME CLASS-FOLDER [MANIFEST-LINE]: a jar that is a Java agent
    printf 'Premain-Class: %s\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n' "$1" >manifest
    [ -z "${3:-}" ] || echo "$3" >>manifest
    "$JDK/bin/jar" cfm "$1.jar" manifest -C "$2" . || die "no jar of $1"
}
run() { # NAME JAVA-ARGUMENT...: leaves NAME.out NAME.err
    local name=$1; shift
    "$JAVA" "$@" >"$name.out" 2>"$name.err" || fail "$name: exit status $?: $(head -n 5 "$name.err")"
}
ours() { echo "-agentpath:$AGENT=output=$1,format=omni,e=Looper"; }

# calls TRACE: the methods of the program that were entered, with their parameters, in order
calls() {
    "$HINDSIGHT" print "$1" --json --class 'Beside*' --event METHOD_ENTRY,METHOD_PARAM | python3 -c '
import json, sys
for e in map(json.loads, sys.stdin):
    if "$jacoco" not in e["method"]:
        v = e.get("value")
        print(e["class"], e["method"], e["desc"], e["event"], v.get("type") if isinstance(v, dict) else v)'
}
# same NAME EXPECTED [PROVED]: as the run EXPECTED without our agent, and one line of ours; the trace NAME is whole, and
# has as many calls of step as the program has counted. PROVED: instead of `consistent`
same() {
    cmp "$2.out" "$1.out" || fail "$1: the program does something else"
    [ "$(grep -vE '^(WARNING|.* warning: )' "$1.err" | grep -v ^looper: | wc -l)" = 1 ] ||
        fail "$1: on standard error: $(head -n 5 "$1.err")"
    healthy "$1" && ${3:-consistent} "$1"
    calls "$1" >"$1.calls"
    [ "$(grep -c '^Beside step .* METHOD_ENTRY' "$1.calls")" = "$(sed -n 's/^steps //p' "$1.out")" ] ||
        fail "$1: $(grep -c '^Beside step .* METHOD_ENTRY' "$1.calls") calls of step, $(tail -n 2 "$1.out")"
}

# events TRACE: of the program, as text, by thread; without the numbers of events, objects and lambda classes
events() {
    "$HINDSIGHT" print "$1" --class 'Beside*' | sed -E 's/#[0-9]+//g; s/Lambda[^ ]*/Lambda/g' |
        awk '{ $1 = ""; $2 = $2 > 0; print }' | sort -s -k1,1
}
# computed NAME AGENT...: beside that agent, too, the trace has what does not follow from the code alone, and shows what
# one has that stores every event
computed() {
    local name=$1; shift
    "$HINDSIGHT" info "$name" --json >info.json
    [ "$(json info.json 'd["derived_chunks"] > 0')" = True ] || fail "$name: every event is stored"
    run "$name.whole" "${@/OURS/$(ours "$name.whole"),derive=off}" -cp c Beside 20
    events "$name" >"$name.events"
    events "$name.whole" | diff - "$name.events" >diff || fail "$name: derive=off has other events: $(head -n 4 diff)"
}

run plain -cp c Beside 20
run alone "$(ours alone)" -cp c Beside 20
same alone plain

if unzip -q -o /usr/share/java/org.jacoco.agent.jar jacocoagent.jar 2>/dev/null; then
    jacoco() { echo "-javaagent:jacocoagent.jar=destfile=$1.exec,includes=Beside*"; }
    run covered "$(jacoco covered)" -cp c Beside 20
    python3 "$ROOT/test/beside/jacoco.py" covered.exec >covered.probes
    [ "$(wc -l <covered.probes)" = 4 ] || fail "JaCoCo covers $(cat covered.probes)"
    run before "$(jacoco before)" "$(ours before),control=off" -cp c Beside 20 # which cannot retransform either
    run behind "$(ours behind),e=org/jacoco/" "$(jacoco behind)" -cp c Beside 20
    computed behind "OURS,e=org/jacoco/" "$(jacoco behind.whole)"
    computed before "$(jacoco before.whole)" "OURS,control=off"
    for order in before behind; do
        same $order plain
        cmp alone.calls $order.calls || fail "JaCoCo $order us: the calls are others than alone"
        python3 "$ROOT/test/beside/jacoco.py" $order.exec | cmp covered.probes - ||
            fail "JaCoCo $order us finds another coverage"
    done
else
    echo "skipped: JaCoCo: libjacoco-java is not installed"
fi

# grown TRACE: consistent, but for the parameter that the advice changes: where its code is put before our hooks (the
# JVM asks the agents in the order of their environments), a constructor begins with another value than it was called
# with
grown() {
    "$HINDSIGHT" fsck "$1" --all >"$1.fsck" 2>&1
    local others; others=$(sed 1d "$1.fsck" | grep -cvE '^argument +[0-9]+ +Beside.Circle.<init> pc 0 METHOD_PARAM: ')
    [ "$others" = 0 ] || fail "fsck $1: $(head -n 5 "$1.fsck")"
}
if [ -e /usr/share/java/byte-buddy.jar ]; then
    "${JAVAC[@]}" -nowarn -Xlint:none -proc:none --release 17 -cp /usr/share/java/byte-buddy.jar -d buddy \
        "$ROOT/test/clients/npm/bytebuddy/Buddy.java" || die "Buddy does not compile"
    jar_of Buddy buddy "Class-Path: file:///usr/share/java/byte-buddy.jar"
    experimental=-Dnet.bytebuddy.experimental=true # it is older than JDK 25
    run advised $experimental -javaagent:Buddy.jar -cp c Beside 20
    grep -q "^buddy $(sed -n 's/^steps //p' plain.out) " advised.out && ! cmp -s plain.out advised.out ||
        fail "Byte Buddy alone: $(tail -n 3 advised.out) $(head -n 5 advised.err)"
    run first $experimental -javaagent:Buddy.jar "$(ours first)" -cp c Beside 20
    run second $experimental "$(ours second),e=net/bytebuddy/" -javaagent:Buddy.jar -cp c Beside 20
    run late $experimental "$(ours late),e=net/bytebuddy/" -javaagent:Buddy.jar=late -cp c Beside 20
    for order in first second late; do same $order advised grown; done
    computed first $experimental -javaagent:Buddy.jar OURS
    computed second $experimental OURS,e=net/bytebuddy/ -javaagent:Buddy.jar
    computed late $experimental OURS,e=net/bytebuddy/ -javaagent:Buddy.jar=late
else
    echo "skipped: Byte Buddy: libbyte-buddy-java is not installed"
fi

# JFR: its recording is readable, and has the JVM and the program's thread. JDK 17 tells of it on standard output.
run jfr -XX:StartFlightRecording=filename=x.jfr,settings=profile "$(ours jfr)" -cp c Beside 20
sed -i -E '/\[jfr/d; /^Use jcmd/d; /^$/d' jfr.out
same jfr plain
cmp alone.calls jfr.calls || fail "JFR: the calls are others than alone"
"$JDK/bin/jfr" print --json --events JVMInformation,ThreadStart x.jfr >x.json 2>jfr.err ||
    fail "jfr: $(head -n 3 jfr.err)"
[ "$(json x.json 'sorted({e["type"] for e in d["recording"]["events"] if e["type"] != "jdk.ThreadStart" or
    (e["values"]["thread"] or {}).get("javaName") == "Thread-0"})')" = "['jdk.JVMInformation', 'jdk.ThreadStart']" ] ||
    fail "JFR has not recorded the program: $(head -c 300 x.json)"

# another agent that retransforms all the time, while ours starts and stops
jar_of Looper looper
run looped -javaagent:Looper.jar "$(ours looped)" -cp c Beside 20
sed -i '/^looper true null$/d' looped.out
same looped plain
"$HINDSIGHT" info looped --json >info.json
[ "$(json info.json 'd["classes"]["woven"]')" = 4 ] || fail "classes that are retransformed as they are count again"
computed looped -javaagent:Looper.jar OURS
cmp alone.calls looped.calls || fail "beside Looper: the calls are others than alone"
restarted() { # NAME JAVA-ARGUMENT...: recording starts and stops while the program runs beside that agent
    local name=$1 i; shift
    rm -f stop
    "$JAVA" "$(ours "$name"),start=off,e=net/bytebuddy/" "$@" -cp c Beside 1 stop >"$name.out" 2>"$name.err" &
    local pid=$!
    wait_for '^0 ' "$name.out"
    for ((i = 0; i < 6; i++)); do
        "$HINDSIGHT" start "$name" --json >said 2>&1 || fail "$name, round $i: start: $(cat said)"
        until_events "$name" "$(events_now "$name")"
        "$HINDSIGHT" stop "$name" --json >said 2>&1 || fail "$name, round $i: stop: $(cat said)"
    done
    : >stop
    wait $pid || fail "$name: exit status $?: $(head -n 5 "$name.err")"
    healthy "$name"; consistent "$name"
}
restarted looping -javaagent:Looper.jar
{ sed -n 1p plain.out; grep "^thread " plain.out; echo "looper true null"; } | diff - looping.out ||
    fail "beside Looper, started and stopped: the program prints something else"
sed -n 's/^looper: /    /p' looping.err
if [ -e Buddy.jar ]; then # its advice stays in the code, whether that is woven or not
    restarted advising $experimental -javaagent:Buddy.jar
    steps=$(sed -n 's/^steps //p' advising.err)
    grep -qx "buddy $steps $steps" advising.out && [ "$steps" -gt 0 ] ||
        fail "Byte Buddy, started and stopped: $(tail -n 1 advising.out), $steps steps"
fi
finish
