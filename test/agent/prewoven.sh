#!/bin/bash
# prewoven=DIR: jars and directories of `hindsight weave` are recorded without weaving, with the data IDs and events of
# a run that weaves them, from the woven jar as from the original; and what `weave` keeps of a jar.
#
# test: agent.prewoven
# labels: agent cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Parts.java <<'J'
package parts;
import java.util.*;
/** Classes of two jars; which are loaded first depends on the argument. */
public class Parts {
    record Pair(int a, String b) { int sum() { return a + b.length(); } }
    static int pairs() { int n = 0; for (int i = 0; i < 3; i++) n += new Pair(i, "x".repeat(i)).sum(); return n; }
    static String resource() throws Exception {
        try (var in = Parts.class.getResourceAsStream("/data/text.txt")) { return new String(in.readAllBytes()); }
    }
    public static void main(String[] args) throws Exception {
        boolean first = args.length == 0;
        System.out.println(first ? pairs() + " " + other.Other.twice("ab") : other.Other.twice("ab") + pairs());
        System.out.print(resource());
    }
}
J
cat >Other.java <<'J'
package other;
public class Other {
    static int calls;
    public static String twice(String s) { try { calls++; if (calls > 1) throw new Error(s); return s + s; }
        finally { calls += 10; } }
}
J
compile c Parts.java Other.java || die "the programs do not compile"
mkdir -p c/data in woven; printf 'some text\n' >c/data/text.txt
"$JDK/bin/jar" cf in/other.jar -C c other
printf 'Main-Class: parts.Parts\nClass-Path: other.jar\nX-Mine: yes\n' >extra
"$JDK/bin/jar" cfm in/app.jar extra -C c data -C c parts
"$JDK/bin/keytool" -genkeypair -keystore k -storepass secret -alias me -dname CN=me -keyalg RSA >/dev/null 2>&1
"$JDK/bin/jarsigner" -keystore k -storepass secret in/app.jar me >/dev/null 2>&1 || die "the jar is not signed"
python3 - <<'PY' # every entry gets a time of its own
import zipfile
z = zipfile.ZipFile("in/app.jar"); out = zipfile.ZipFile("new.jar", "w")
for i, e in enumerate(z.infolist()):
    e.date_time = (2001 + i, 2, 3, 4, 5, 6)
    out.writestr(e, z.read(e))
out.close()
PY
mv new.jar in/app.jar
for j in app other; do "$HINDSIGHT" weave in/$j.jar -o woven/$j.jar >$j.log || fail "weave $j: $(cat $j.log)"; done
[ "$(grep -c '^note: .*signature' app.log)" = 2 ] || fail "no notes of the signature: $(cat app.log)"
python3 - <<'PY' || fail "the woven jar differs from the original in more than its classes"
import zipfile
a, b = zipfile.ZipFile("in/app.jar"), zipfile.ZipFile("woven/app.jar")
kept = [e for e in a.infolist() if not e.filename.endswith((".SF", ".RSA"))]
assert len(kept) == len(a.infolist()) - 2 and any(e.filename.endswith(".class") for e in kept)
assert [e.filename for e in kept] == b.namelist(), b.namelist()
for e, w in zip(kept, b.infolist()):
    assert e.date_time == w.date_time, (e.filename, e.date_time, w.date_time)
    assert (a.read(e) == b.read(w)) == (not e.filename.endswith(".class")), e.filename
PY
run() { # TRACE OPTIONS JAR ARGUMENT...
    local trace=$1 options=$2 jar=$3; shift 3
    record "$trace" "$options" -Xverify:all -jar "$jar" "$@" >"$trace.out" 2>"$trace.err" ||
        fail "$trace: $(cat "$trace.err")"
}
same() { # A B USED
    for what in print methods dataids objects strings; do
        "$HINDSIGHT" $what "$1" --json >a.json; "$HINDSIGHT" $what "$2" --json >b.json
        [ -s a.json ] && cmp a.json b.json || fail "$what of $1 and $2 differ"
    done
    cmp "$1.out" "$2.out" || fail "the output of $1 and $2 differs"
    "$HINDSIGHT" fsck "$2" >/dev/null || fail "fsck $2"
    "$HINDSIGHT" info "$2" --json >info.json
    got=$(json info.json '[d["saved_used"], d["saved_made"], d["saved_refused"], d["classes"]["woven"]]')
    [ "$got" = "[$3, 0, 0, 3]" ] || fail "$2: used, made, refused, woven are $got"
}
run plain '' in/app.jar
run plain-x '' in/app.jar x
run jar prewoven=woven woven/app.jar;      same plain jar 3
run jar-x prewoven=woven woven/app.jar x;  same plain-x jar-x 3
run kept prewoven=woven in/app.jar;        same plain kept 3
# the other format with values, which is the default
shown() { # TRACE OPTIONS JAR: what the trace has of each place
    "$JAVA" "-agentpath:$AGENT=output=$1,$2" -jar "$3" >"$1.out" 2>"$1.err" || fail "$1: $(cat "$1.err")"
    grep -q 'not woven\|not used' "$1.err" && fail "$1: $(cat "$1.err")"
    "$HINDSIGHT" latest "$1" --json >"$1.json"
}
for size in 1 32; do
    shown last-$size size=$size in/app.jar
    shown last-jar-$size size=$size,prewoven=woven woven/app.jar
    [ -s last-$size.json ] && cmp last-$size.json last-jar-$size.json || fail "latest, size=$size: other events"
done
# a filter, and a recording that has not begun: the class runs as its original
run some prewoven=woven,e=other. woven/app.jar
"$HINDSIGHT" print some --json >b.json
grep -q '"class":"other' b.json && fail "events of an excluded class"
cmp plain.out some.out || fail "the output of an excluded class differs"
run off prewoven=woven,start=off woven/app.jar
cmp plain.out off.out || fail "the output of originals differs"
# a directory
"$HINDSIGHT" weave c -o folder --weave EXEC+CALL >/dev/null || fail "weave of a directory"
cat >java_in <<J
exec "$JAVA" "-agentpath:$AGENT=output=t,format=omni,\$1" -cp folder:c parts.Parts
J
java_in="bash java_in"
$java_in prewoven=folder,weave=EXEC+CALL >out 2>err && cmp out plain.out || fail "a directory: $(cat err)"
"$HINDSIGHT" info t --json >info.json
[ "$(json info.json 'd["saved_used"]')" = 3 ] || fail "classes of a directory were woven again"
one_line 1 'prewoven=folder: hindsight.woven: .*weave=' $java_in prewoven=folder,weave=EXEC
one_line 1 'prewoven=c: .*no file' $java_in prewoven=c
one_line 1 'prewoven=nowhere: .*no such' $java_in prewoven=nowhere
one_line 1 'prewoven.*values' $java_in prewoven=folder,weave=EXEC+CALL,format=freq
one_line 1 'prewoven.*logend' $java_in prewoven=folder,logend=x
# hostile files
cp folder/hindsight.woven whole
refused() { one_line 1 "hindsight.woven: $1" $java_in prewoven=folder,weave=EXEC+CALL; }
head -c -1 whole >folder/hindsight.woven; refused 'it is cut off'
echo text >folder/hindsight.woven;        refused 'it is cut off'
cp whole folder/hindsight.woven; chmod 666 folder/hindsight.woven; refused 'other users may write'
chmod 644 folder/hindsight.woven
# a woven class without its file is told, not woven twice
$java_in overwrite=true,weave=ALL >out 2>err
grep -q 'not woven' err || fail "a class that was woven before is woven again: $(cat err)"
"$HINDSIGHT" info t --json >info.json 2>/dev/null
grep -q 'has hooks already' info.json || fail "info does not tell why"
cmp out plain.out || fail "the output of a class woven before differs"
finish
