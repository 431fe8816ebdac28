#!/bin/bash
# freeze.sh: snapshots at throws hold every event up to the throw and none behind it, in each format, also of a program
# that is killed right after it; the program does not notice. What is asked for wrongly is refused with one line.
#
# test: parts.freeze
# labels: parts
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/parts/Freezes.java" || die "Freezes does not compile"
cd "$WORK" || exit 1
run() { # TRACE OPTIONS [ARGUMENT]
    rm -rf "$1"
    "$JAVA" "${VERIFY:--Xverify:remote}" -Xcheck:jni "-agentpath:$AGENT=output=$1,$2" -cp c Freezes "${@:3}" >out \
        2>err </dev/null
} 2>/dev/null
"$JAVA" -cp c Freezes >plain.out 2>plain.err; plain=$?

# what set() had been called with at each throw, by name of the exception and kind
cat >answers.py <<'PY'
import json, subprocess, sys
command, trace, form, size, wanted = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), json.loads(sys.argv[5])
def ask(*words):
    r = subprocess.run([command, *words, trace, "--json"], capture_output=True, text=True)
    assert r.returncode in (0, 3), (words, r.stderr)
    return [json.loads(line) for line in r.stdout.splitlines()]
info = ask("info")[0]
shots = info.get("snapshots", [])
assert [[s["by"], s["exception"]["type"]] for s in shots] == [w[:2] for w in wanted], ("snapshots", shots)
for s, (by, kind, values) in zip(shots, wanted):
    n = str(s["number"])
    if form == "omni":
        before = str(s["seq"] - 1)
        got = [e["value"] for e in ask("print", "--method", "set", "--event", "METHOD_PARAM", "--to", before)]
        assert s["saved"] is False and got == values, (n, got, values)
        continue
    if form != "timing": rows = ask("freq", "--snapshot", n, "--method", "set", "--event", "METHOD_ENTRY")
    else: rows = ask("report", "--snapshot", n, "--method", "set")
    count = rows[0]["count" if form != "timing" else "calls"] if rows else 0
    assert s["saved"] and count == len(values), (n, count, len(values))
    if not form.startswith("latest"):
        continue
    row = ask("latest", "--snapshot", n, "--method", "set", "--event", "METHOD_PARAM")[0]
    got = [v["value"] for v in row["values"]]
    assert got == values[-size:], (n, got, values)
    if kind == "Freezes.Worse":
        assert s["exception"]["message"] == "at %d" % values[-1], s
    # the throw itself: the last events of the thread are in it
    if kind == "Freezes.Worse" and by == "throw" and form == "latest":
        row = ask("latest", "--snapshot", n, "--method", "fail", "--event", "METHOD_THROW")[0]
        assert row["values"][-1]["value"]["id"] == s["exception"]["id"]
PY
sed -i 's/Freezes\.Worse/Freezes$Worse/' answers.py
answers() { python3 answers.py "$HINDSIGHT" t "$1" "$2" "$3" 2>answers.err || fail "$4: $(tail -n 1 answers.err)"; }
first='["throw","Freezes$Worse",[0,1,2,3,4,5,6,7,8,9]]'
bounds='["throw","java.lang.ArrayIndexOutOfBoundsException",[0,1,2,3,4,5,6,7,8,9,100,10,11,12,13,14]]'
number='["throw","java.lang.NumberFormatException",[0,1,2,3,4,5,6,7,8,9,100,10,11,12,13,14,200]]'
at300='[0,1,2,3,4,5,6,7,8,9,100,10,11,12,13,14,200,250,300]'
second="[\"throw\",\"Freezes\$Worse\",$at300],[\"uncaught\",\"Freezes\$Worse\",$at300]"
at400='[0,1,2,3,4,5,6,7,8,9,100,10,11,12,13,14,200,250,300,350,400]'
end="[\"uncaught\",\"java.lang.IllegalStateException\",$at400]"
classes='freeze=Freezes$Broken,freeze=java/lang/IndexOutOfBoundsException,freeze=java.lang.NumberFormatException'
for format in latest freq timing omni; do
    VERIFY=-Xverify:all run t "format=$format,size=7,$classes,freeze=uncaught"; status=$?
    [ $status = $plain ] && cmp -s out plain.out || fail "$format: exit status $plain became $status: $(head -n 3 err)"
    grep -v '^hindsight: ' err | cmp -s - plain.err || fail "$format: its standard error changed: $(head -n 3 err)"
    answers $format 7 "[$first,$bounds,$number,$second,$end]" "$format"
    consistent t
    # killed right after a throw, before the drain may have done anything
    run t "format=$format,size=7,freeze=Freezes\$Worse" kill
    answers $format 7 "[$first,[\"throw\",\"Freezes\$Worse\",$at300],[\"throw\",\"Freezes\$Worse\",$at400]]" \
        "$format, killed"
    "$HINDSIGHT" info t --json 2>/dev/null | grep -q '"end":"crashed"' || fail "$format: it was not killed"
    consistent t
done
# by inputs alone each snapshot is between the same two events of its thread
cat >places.py <<'PY'
import json, sys
events = [json.loads(line) for line in open("events")]
for s in json.load(open("info"))["snapshots"]:
    before = [e for e in events if e["thread"] == s["thread"] and e["seq"] < s["seq"]]
    print(s["by"], len(before), before[-1]["event"])
PY
for option in off on; do
    run t "format=omni,derive=$option,$classes,freeze=uncaught"
    "$HINDSIGHT" info t --json >info
    "$HINDSIGHT" print t --json >events
    python3 places.py >"places.$option"
    grep -q '"derived_chunks"' info && at=on || at=off
    [ $at = $option ] || fail "derive=$option: the other was done"
done
[ "$(wc -l <places.off)" = 6 ] && cmp places.off places.on || fail "by inputs alone snapshots are at other events"
run t "freeze=uncaught"
answers latest 32 "[${second#*],},$end]" "uncaught alone"
"$HINDSIGHT" info t | grep -q 'Freezes$Worse (at 300) was caught by nobody (object' ||
    fail "info: $("$HINDSIGHT" info t | grep -A3 snapshots)"
run t "freezes=2,$classes,freeze=uncaught"
answers latest 32 "[$first,$bounds]" "the first two"
for name in Worse Freezes.Worse; do
    run t "freeze=$name,freezes=1"
    answers latest 32 "[$first]" "$name"
done
run t "freeze=orse,freeze=no.such.Class"
"$HINDSIGHT" info t --json >info && ! grep -q snapshots info ||
    fail "a class that nobody threw froze, or no trace: $(head -n 3 err)"
# in an interval: what the rings hold then
run t "format=latest,logstart=#set##METHOD_ENTRY,logend=#set##METHOD_EXIT,freeze=Freezes\$Broken,freezes=1"
answers latest-in-parts 32 '[["throw","Freezes$Worse",[0,1,2,3,4,5,6,7,8,9]]]' "with intervals"

# JDK classes woven too
VERIFY=-Xverify:all run t "freeze=uncaught,weave=EXEC+PARAM,i=java/lang/Thread"
answers latest 32 "[${second#*],},$end]" "Thread woven"

if [ "$RELEASE" -ge 21 ]; then # virtual threads end elsewhere
    mkdir -p v
    cat >v/Virtual.java <<'JAVA'
public class Virtual {
    static int x;
    static void set(int v) { x = v; }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 5; i++) {
            int k = i;
            Thread.ofVirtual().start(() -> { set(k); if (k == 3) throw new IllegalStateException("virtual"); }).join();
        }
    }
}
JAVA
    "${JAVAC[@]}" -nowarn -g -d c v/Virtual.java || die "Virtual does not compile"
    rm -rf t; "$JAVA" "-agentpath:$AGENT=output=t,freeze=uncaught" -cp c Virtual >out 2>err
    answers latest 32 '[["uncaught","java.lang.IllegalStateException",[0,1,2,3]]]' "virtual thread"
fi

# attached later: uncaught works; of a class the JVM tells only an agent that was there from the start
mkdir -p v
cat >v/Waits.java <<'JAVA'
public class Waits {
    static int x;
    static void set(int v) { x = v; }
    public static void main(String[] a) throws Exception {
        System.out.println("ready");
        System.in.read();
        for (int i = 0; i < 3; i++)
            set(i);
        Thread t = new Thread(() -> { set(7); throw new IllegalStateException("gone"); });
        t.setUncaughtExceptionHandler((thread, e) -> set(8));
        t.start();
        t.join();
    }
}
JAVA
"${JAVAC[@]}" -nowarn -g --release 17 -d c v/Waits.java || die "Waits does not compile"
mkfifo gate
# shellcheck disable=SC2046
"$JAVA" $([ "$RELEASE" -ge 21 ] && echo -XX:+EnableDynamicAgentLoading) -cp c Waits <gate >out 2>err &
waits=$!
exec 4>gate
wait_for ready out
rm -rf t
one_line 1 'option freeze=a.B: .*at its start' "$HINDSIGHT" attach $waits "output=$WORK/t,freeze=a.B"
[ ! -e t ] || fail "a refused agent leaves a trace"
"$HINDSIGHT" attach $waits "output=$WORK/t,freeze=uncaught" >/dev/null || fail "attach with freeze=uncaught"
echo >&4
exec 4>&-
wait $waits
answers latest 32 '[["uncaught","java.lang.IllegalStateException",[0,1,2,7]]]' "attached"

refused() {
    run t "$1" && fail "$1 is taken"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "$2" err || fail "$1: $(head -n 3 out err)"
}
refused 'freeze=' 'option freeze=: accepted is uncaught|CLASS'
refused 'freeze=a b' 'option freeze=a b: accepted'
refused 'freezes=0,freeze=uncaught' 'option freezes=0'
refused 'freezes=3' 'option freezes.*freeze='
refused 'format=discard,freeze=uncaught' 'option freeze.*format=discard'
finish "snapshots at throws on JDK $RELEASE"
