#!/bin/bash
# `hindsight record`: the same as -agentpath, without paths; the program's exit status and streams pass through.
#
# test: cli.record
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
compile "$WORK/c" "$ROOT"/test/cli/{Hello,Killed}.java || die "Hello or Killed does not compile"
cd "$WORK" || exit 1
PATH=$JDK/bin:$PATH
"$HINDSIGHT" record -o t --format omni --weave EXEC+CALL+PARAM -- java -cp c Hello you 9 >out 2>err; status=$?
[ $status = 9 ] || fail "exit status $status, not the program's 9: $(cat err)"
java -cp c Hello you 9 >plain
cmp plain out || fail "standard output changed"
healthy t
[ "$("$HINDSIGHT" print t --json --event CALL | wc -l)" -gt 10 ] || fail "too few calls"
"$HINDSIGHT" print t --json --event LOCAL_STORE,LINE_NUMBER | grep . && fail "events of groups that were not chosen"
# the last lines: what was recorded, the time, and commands that work
[ "$(wc -l <err)" = 4 ] || fail "not the closing line and three more: $(cat err)"
events=$("$HINDSIGHT" info t --json | sed -nE 's/.*"events":([0-9]+),"lost.*/\1/p')
events=$(python3 -c "print(f'{$events:,}')")
sed -n 2p err | grep -qE "^hindsight: the program took [0-9.]+ s; $events events, [0-9.]+ MB in t; to begin with:\$" ||
    fail "the line after the closing line, with $events events: $(cat err)"
suggested() { # FILE: the commands of its last two lines work, and answer something
    tail -n 2 "$1" | sed "s%^ *hindsight%\"$HINDSIGHT\"%" >suggested.sh
    grep -c . suggested.sh | grep -qx 2 || fail "no two commands: $(cat "$1")"
    while read -r line; do
        eval "$line" >answer 2>answer.err && [ -s answer ] || fail "$line: $(cat answer.err)"
    done <suggested.sh
}
suggested err
for format in latest freq timing discard exceptions; do
    "$HINDSIGHT" record -o "a $format's trace" -f $format -- java -cp c Hello >out 2>err ||
        fail "record --format $format: $(cat err)"
    suggested err
done
grep -q 'exceptions .* --stack$' err || fail "format=exceptions is not asked for stacks: $(cat err)"
"$HINDSIGHT" record -o quiet --option quiet=true -- java -cp c Hello >out 2>err && [ ! -s err ] &&
    [ -e quiet/data.mdb ] || fail "quiet=true: $(cat err)"
# --until-fail: without tests the exit status says it
"$HINDSIGHT" record -o again --until-fail 3 --json -- java -cp c Hello you 0 >out 2>err
[ "$(tail -n 1 err | json /dev/stdin 'd["runs"], d["exit_status"]')" = "(3, 0)" ] && [ ! -e again ] ||
    fail "--until-fail of a run that passes: $(cat err)"
"$HINDSIGHT" record -o again --until-fail 3 --json -- java -cp c Hello you 9 >out 2>err; status=$?
[ $status = 9 ] && [ "$(tail -n 1 err | json /dev/stdin 'd["runs"], d["trace"]')" = "(1, 'again')" ] && [ -e again ] ||
    fail "--until-fail of a run that fails: $(cat err)"
one_line 2 'wants how many runs' "$HINDSIGHT" record --until-fail 0 -- java -version
one_line 2 'wants a folder without' "$HINDSIGHT" record --until-fail 2 -o 'a{pid}/t' -- java -version
# info: how the JVM was started, and what the recorder set in it
mkdir "in here"
(cd "in here" &&
    "$HINDSIGHT" record -o ../started --index later -w EXEC -- java -Xmx64m "-Dsaid=a b" -cp ../c Hello) >out 2>err ||
    fail "record in a folder: $(cat err)"
"$HINDSIGHT" info started >text && "$HINDSIGHT" info started --json >started.json || fail "info started"
flags="DontCompileHugeMethods=false Tier4InvocationThreshold=500000 Tier4MinInvocationThreshold=60000"
flags="$flags Tier4CompileThreshold=1500000 Tier4BackEdgeThreshold=4000000"
flags="$flags Tier3DelayOn=-1 Tier3DelayOff=-1 TieredOldPercentage=100000"
for row in "directory  $WORK/in here" "class path ../c" "flags      $flags"; do
    grep -qxF -- "$row" text || fail "info has no row '$row': $(head -n 12 text)"
done
grep -qE '^arguments  .*-Xmx64m "-Dsaid=a b"' text || fail "arguments of the JVM: $(grep ^arguments text)"
sums=$(json started.json \
    'sorted({d["event_bytes"], *(sum(x["bytes"] for x in d[k].values()) for k in ("types", "groups"))})')
[[ $sums =~ ^\[[1-9][0-9]*\]$ ]] || fail "bytes of types, of groups and of the stream differ: $sums"
started=$(json started.json '(d["directory"][-7:], d["class_path"], d["vm_flags"], "-Xmx64m" in d["vm_arguments"])')
[ "$started" = "('in here', '../c', '$flags', True)" ] ||
    fail "info --json: $(cut -c 1-900 started.json)"
# a flag that the user has set, wherever, stays as it is
echo Tier4InvocationThreshold=4999 >file.flags
"$HINDSIGHT" record -o chosen -w SYNC -- \
    java -XX:Flags=file.flags -XX:+DontCompileHugeMethods -cp c Hello >out 2>err &&
    [ "$("$HINDSIGHT" info chosen --json | json /dev/stdin 'd["vm_flags"]')" = '' ] ||
    fail "flags that were chosen: $(cat err)"
# of monitors only those of methods are known, or only those of blocks
"$HINDSIGHT" locks started >out 2>err
"$HINDSIGHT" locks --inversions chosen >out 2>>err
grep -q 'started: monitors of synchronized methods alone, since SYNC ' err &&
    grep -q 'chosen: monitors of synchronized blocks alone, since EXEC ' err ||
    fail "locks says nothing of groups that are not there: $(cat err)"
# where the bytes are: all of them, and the index beside them
whole='sum(v for k, v in d["storage"].items() if k != "index") == d["bytes"]'
parts='min(d["storage"][k] for k in ("events", "objects", "tables", "class_files")) > 0'
[ "$(json started.json "$whole, $parts, d[\"storage\"][\"index\"]")" = "(True, True, 0)" ] ||
    fail "storage: $(cut -c 1-1500 started.json)"
"$HINDSIGHT" index started >/dev/null && "$HINDSIGHT" info started --json >indexed.json &&
    [ "$(json indexed.json 'd["storage"]["index"] > 0')" = True ] || fail "storage of the index"
grep -qE '^storage    events [0-9,]+, objects ' text || fail "info as text: $(grep ^storage text)"
# every event is kept unless another format is asked for
"$HINDSIGHT" record -- java -cp c Hello >out 2>err || fail "record with defaults: $(cat err)"
ls -d hindsight-* >/dev/null || fail "no trace of the default name"
[ "$(grep -oE '[0-9]+,[0-9]+ events' err | uniq -c | awk '{ print $1 }')" = 2 ] ||
    fail "not the same number of events twice: $(cat err)"
"$HINDSIGHT" info | grep -q '^format  *omni$' || fail "record does not keep omni: $("$HINDSIGHT" info | grep ^format)"
suggested err
rm -rf hindsight-*; mkdir elsewhere
printf 'cd elsewhere && java -cp ../c Hello\n' >moves
"$HINDSIGHT" record sh ./moves >out 2>err || fail "record of a script: $(cat err)"
ls -d hindsight-* >/dev/null || fail "a script that changes its directory: no trace here"
suggested err
"$HINDSIGHT" record -o f --option format=freq -- java -cp c Hello >out 2>err
"$HINDSIGHT" info f | grep -q '^format  *freq$' || fail "--option format=freq"
# which classes: only those that are named, also classes that have no file, and without those that are left out
compile c "$ROOT/test/cli/Proxies.java" || die "Proxies does not compile"
woven() { # CLASSES RECORD-OPTION...: the classes that are woven, sorted; proxies without the JDK's number for them
    local want=$1; shift
    rm -rf p
    "$HINDSIGHT" record -o p -w EXEC+CALL "$@" -- java -cp c Proxies >out 2>err || fail "record $*: $(cat err)"
    [ "$(cat out)" = "hello you" ] || fail "record $*: the program printed $(cat out)"
    local have
    have=$("$HINDSIGHT" classes p | sed -nE 's/^woven .* //p' | sed -E 's/jdk.proxy[0-9]+|com.sun.proxy/jdk/' |
        sort | tr '\n' ' ')
    [ "$have" = "$want" ] || fail "record $*: woven are $have, not $want"
}
own='Proxies Proxies$Greeter Proxies$Loader Proxies$Made' jdk=(--option i=jdk.proxy --option i=com.sun.proxy.)
woven "\$Proxy0 $own "
woven "$own " --only Prox
woven '$Proxy0 ' --only '$Proxy'
woven "\$Proxy0 $own jdk.\$Proxy1 " --only Prox --only '*$Proxy' --option e=java.
woven 'Proxies Proxies$Loader ' --only Proxies --option 'e=*$Greet' --option 'e=Proxies$M'
woven 'Proxies ' --option 'e=*$' --option i=Prox
woven 'Proxies$Greeter Proxies$Loader Proxies$Made ' --only Proxies --option e=P --option 'i=Proxies$'
woven "\$Proxy0 $own jdk.\$Proxy1 " "${jdk[@]}"
# the packages that take most events, with an option that works
option=$(sed -nE 's/^hindsight: [0-9]+ % of the events are of \S+ \(without: --option (\S+)\)$/\1/p' err)
[ -n "$option" ] || fail "no option that leaves out a package: $(cat err)"
woven "\$Proxy0 $own " "${jdk[@]}" --option "$option"
! grep -q 'of the events' err || fail "one package alone: $(cat err)"
woven "\$Proxy0 $own jdk.\$Proxy1 " --option i=jdk.proxy1. --option i=com.sun.proxy. --option i=jdk.proxy2.
grep -q 'of the events are of' err && ! grep -q without err || fail "e= of a package that i= names: $(cat err)"
one_line 2 "^hindsight record: --only: 'a,b' contains a comma" "$HINDSIGHT" record -o p --only a,b -- java -cp c Hello
# a build: the last lines name the trace with the tests, not the one of the tool that started them
mkdir m && cat >Launcher.java <<'J'
package org.codehaus.plexus.classworlds.launcher;
public class Launcher {
    public static void main(String[] a) throws Exception {
        for (String jar : a) new ProcessBuilder("java", "-jar", jar).inheritIO().start().waitFor();
    }
}
J
compile m Launcher.java && "$JDK/bin/jar" cfe surefirebooter7.jar Hello -C c . && cp surefirebooter7.jar other.jar
printf 'exec java -cp m org.codehaus.plexus.classworlds.launcher.Launcher other.jar surefirebooter7.jar\n' >mvn
"$HINDSIGHT" record -o built --weave EXEC -- sh ./mvn test >out 2>err || fail "record of a build: $(cat err)"
named=$(sed -nE 's/^hindsight: the program took .* in (built[^,]*), 2 more beside it; to begin with:$/\1/p' err)
"$HINDSIGHT" info "${named:-none}" | grep -q '^command .*surefirebooter7' ||
    fail "record of a build names $named: $(cat err)"
suggested err
# without a trace the newest one is taken, also of those that the tests of a build leave
mkdir -p project/module/target && cd project || exit 1
"$HINDSIGHT" record -o module/target/trace-1 -w EXEC -- java -cp ../c Hello >out 2>err || fail "record: $(cat err)"
newest() { "$HINDSIGHT" info 2>&1 | sed -nE 's/^trace +//p'; }
[ "$(newest)" = module/target/trace-1 ] || fail "not found: $(newest)"
"$HINDSIGHT" record -o hindsight-2 -w EXEC -- java -cp ../c Hello >out 2>err
[ "$(newest)" = hindsight-2 ] || fail "not the newest: $(newest)"
mkdir build && mv hindsight-2 build/any && mkdir hindsight-3 build/none
[ "$(newest)" = build/any ] || fail "not the newest: $(newest)"
cd ..
# no JVM: told, with the status of the program
"$HINDSIGHT" record -o none -- ls >out 2>err || fail "record -- ls: exit status $?"
grep -qx t out && [ "$(wc -l <err)" = 1 ] && grep -q 'ls: no JVM was recorded' err || fail "record -- ls: $(cat err)"
"$HINDSIGHT" record -o none -- sh -c 'exit 7' >out 2>err
[ $? = 7 ] && grep -q 'no JVM was recorded' err || fail "a program that fails without a JVM: $(cat err)"
# a JVM that ran nothing of the program
"$HINDSIGHT" record -o nope -- java -cp c Nope >out 2>err
[ $? = 1 ] && tail -n 1 err | grep -qE '; nothing was recorded in nope: no class was woven$' &&
    ! grep -q 'to begin with' err || fail "record of no class: $(cat err)"
"$HINDSIGHT" record -o params --weave PARAM -- java -cp c Hello >out 2>err
tail -n 1 err | grep -q '; nothing was recorded in params: PARAM is of methods with EXEC' ||
    fail "PARAM alone: $(cat err)"
# refusals in the words of record
: >file
one_line 1 '^hindsight: --output .*/file: .*: Not a directory$' "$HINDSIGHT" record -o file -- java -cp c Hello
"$HINDSIGHT" record -o file --option strict=false -- java -cp c Hello >out 2>err
[ -s out ] && grep -q '^hindsight: nothing is recorded: --output .*/file: ' err || fail "strict=false: $(cat err)"
"$HINDSIGHT" record -o t -- java -cp c Hello you 9 >out 2>err
[ $? = 9 ] && grep -qE '; [0-9,]+ events, .* in t-1; to begin with:$' err || fail "beside a trace: $(cat err)"
one_line 1 '^hindsight: --option size=x: ' "$HINDSIGHT" record -o none --option size=x -- java -cp c Hello
one_line 2 '^hindsight record: --weave CALLS: ' "$HINDSIGHT" record -o none --weave CALLS -- java -cp c Hello
"$HINDSIGHT" record -o t --option overwrite=true --weave EXEC+CALL+PARAM -- java -cp c Hello you 9 >out 2>err
[ $? = 9 ] || fail "the remedy does not help: $(cat err)"
# a JVM that makes an archive of classes takes no agent: it runs without one; but not where the words are the program's
"$JDK/bin/jar" cf hello.jar -C c .
for option in -XX:ArchiveClassesAtExit=made.jsa -XX:+RecordDynamicDumpInfo; do
    java -cp hello.jar $option Hello you 9 >plain 2>err; plain=$?
    rm -f made.jsa
    "$HINDSIGHT" record -o archive -- java -cp hello.jar $option Hello you 9 >out 2>err
    [ $? = $plain ] && [ ! -e archive ] && diff <(sed '/warning/d' plain) <(sed '/warning/d' out) >diff ||
        fail "$option: the program does something else: $(cat diff err)"
    [ $option = "${option%=*}" ] || [ -s made.jsa ] || fail "no archive was made"
    [ "$(grep -c '^hindsight: ' err)" = 1 ] && grep -q "^hindsight: nothing was recorded: .*${option%%=*}" err ||
        fail "$option: says $(cat err)"
done
JAVA_TOOL_OPTIONS=-XX:+RecordDynamicDumpInfo \
    "$HINDSIGHT" record -o archive -- sh -c 'java -cp c Hello you 9' >out 2>err
[ $? = $plain ] && grep -q 'nothing was recorded' err || fail "an archive by JAVA_TOOL_OPTIONS: $(cat err)"
echo "-cp hello.jar '-XX:+RecordDynamicDumpInfo'" >options
echo -XX:+RecordDynamicDumpInfo >flags
for file in @options -XX:VMOptionsFile=flags; do
    "$HINDSIGHT" record -o archive -- java -cp hello.jar $file Hello you 9 >out 2>err
    [ $? = $plain ] && grep -q 'nothing was recorded' err || fail "an archive by $file: $(cat err)"
done
"$HINDSIGHT" record -o piped -- java @<(echo -cp c) Hello you 9 >out 2>err
[ -e piped/data.mdb ] || fail "options from a pipe: $(cat err)"
one_line 1 'ArchiveClassesAtExit.*takes no agent' "$HINDSIGHT" record --option strict=true -o archive -- \
    java -XX:ArchiveClassesAtExit=other.jsa -cp hello.jar Hello
"$HINDSIGHT" record -o archive -- java -cp c Hello -Xshare:dump >out 2>err
[ -e archive/data.mdb ] || fail "an argument of the program: $(cat err)"
# signals reach the program, and the end of the program is that of record
"$HINDSIGHT" record -o s -- sh -c 'trap "exit 5" TERM; echo $$ >shell; while :; do sleep 0.1; done' >out 2>err &
pid=$!
until [ -s shell ]; do sleep 0.1; done
kill -TERM $pid; wait $pid; [ $? = 5 ] || fail "SIGTERM did not reach the program: $(cat err)"
# a JVM that is killed: what its journal holds is counted as well, and the last lines say how it ended
"$HINDSIGHT" record -o killed -- java -cp c Killed >out 2>err; status=$?
[ $status = 137 ] || fail "a JVM that is killed: exit status $status: $(cat err)"
events=$("$HINDSIGHT" info killed --json 2>/dev/null | sed -nE 's/.*"events":([0-9]+),"lost.*/\1/p')
[ "$events" -gt 100 ] &&
    grep -qE "^hindsight: the program was killed by signal 9 after [0-9.]+ s; $events events, [0-9.]+ MB in killed;" \
        err ||
    fail "a JVM that is killed, with $events events: $(cat err)"
# the index is there when the run ends unless it is wanted later, also that of a JVM which is killed; its status passes
indexed() { "$HINDSIGHT" index "$1" --json | grep -q '"chunks":\([1-9][0-9]*\),"indexed":\1,'; }
[ -s killed/index ] && indexed killed || fail "no index of a JVM that was killed"
for later in "--index later" "--option index=later" "--index off"; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" record -o later $later -- java -cp c Hello >out 2>err && [ ! -e later/index ] ||
        fail "$later: $(cat err)"
    rm -r later
done
"$HINDSIGHT" record -o now --index now -- java -cp c Hello you 9 >out 2>err
[ $? = 9 ] && [ -s now/index ] && indexed now && [ "$(wc -l <err)" = 4 ] || fail "--index now: $(cat err)"
"$HINDSIGHT" record -o now-freq -f freq -- java -cp c Hello >out 2>err
[ $? = 0 ] && [ ! -e now-freq/index ] && suggested err || fail "the index of a format without events: $(cat err)"
"$HINDSIGHT" record -o none -- ls >out 2>err && [ "$(wc -l <err)" = 1 ] || fail "nothing recorded: $(cat err)"
one_line 2 "--index wants now, later or off, not 'soon'" "$HINDSIGHT" record --index soon -- java -cp c Hello
"$HINDSIGHT" record -o s -- sh -c 'kill -KILL $$' >out 2>err; [ $? = 137 ] || fail "a program that is killed"
one_line 1 'nosuchjava' "$HINDSIGHT" record -o t2 -- nosuchjava -cp c Hello
one_line 1 'derive=off: No such file or directory; options of the agent are given as --option derive=off$' \
    "$HINDSIGHT" record -o t2 derive=off -- java -cp c Hello
# the tables
for command in classes methods dataids threads strings; do
    "$HINDSIGHT" $command t --json >$command.jsonl || fail "$command: exit status $?"
    python3 -c 'import json, sys
n = [json.loads(l) for l in open(sys.argv[1])]
print("    %s: %d" % (sys.argv[1], len(n)))
sys.exit(not n)' $command.jsonl || fail "$command --json"
    [ "$("$HINDSIGHT" $command t --json --limit 1 | wc -l)" = 1 ] || fail "$command --limit 1"
    "$HINDSIGHT" $command t | grep -q . || fail "$command as text"
done
grep -q '"hello, you"' strings.jsonl || fail "strings does not list the greeting"
grep -q '"second"' threads.jsonl || fail "threads does not list the second thread by name"
grep -q '"Hello"' classes.jsonl || fail "classes does not list Hello"
"$HINDSIGHT" tree t | grep -q greet || fail "tree does not show greet"
"$HINDSIGHT" tree t --thread second | grep -q fib || fail "the tree of the second thread does not show fib"
"$HINDSIGHT" tree t --json |
    python3 -c \
    'import json,sys; n = [json.loads(l) for l in sys.stdin]; assert any(x["method"] == "greet" for x in n)' ||
    fail "tree --json"
finish
