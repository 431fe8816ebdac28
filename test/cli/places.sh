#!/bin/bash
# Where a trace goes when something is there: a trace that is being recorded is never touched, one that is there only
# when asked, a folder that is not ours never; JVMs that inherit the options of another one record beside it.
#
# test: cli.places
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Family.java" || die "Family does not compile"
cd "$WORK" || exit 1
export PATH=$JDK/bin:$PATH
agent() { echo "-agentpath:$AGENT=output=$1,format=omni,weave=EXEC${2:+,$2}"; }
events() { "$HINDSIGHT" info "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["events"])'; }
# what a closing line says of a trace
told() { sed -nE "s%^hindsight: ([0-9,]+) events of .* in ($WORK/)?$1, .*%\1%p" "$2" | tr -d ,; }

# one that is being recorded: another JVM records beside it, overwrite=true is refused, and it is unharmed
touch one.wait
"$JAVA" "$(agent t)" -cp c Family one >one.out 2>one.err &
pid=$!
while [ ! -e one.here ]; do sleep 0.1; kill -0 $pid || die "the first did not begin: $(cat one.err)"; done
"$JAVA" "$(agent t)" -cp c Family other >out 2>err || fail "beside one that is being recorded: $(cat err)"
[ "$(told t-1 err)" = "$(events t-1)" ] && grep -q '; t holds a trace of another run$' err ||
    fail "beside one that is being recorded: $(cat err)"
rm -r t-1
one_line 1 'option output=t: t is being recorded.*another directory' \
    "$JAVA" "$(agent t overwrite=true,strict=true)" -cp c Family other
"$HINDSIGHT" snapshot t >/dev/null || fail "snapshot"
"$HINDSIGHT" info t >info 2>err
[ $? = 3 ] && grep -q 'still being recorded' err || fail "info of a living trace: $(cat err)"
"$HINDSIGHT" recover t >info 2>err
[ $? = 3 ] && grep -qx 'not recovered: its JVM runs' info || fail "recover of a living trace: $(cat info err)"
# also if it is seen from another pid namespace, where the recorder has no number: readers do not recover it
if unshare -fp --mount-proc true 2>/dev/null; then
    one_line 1 'option output=t: t is being recorded' unshare -fp --mount-proc \
        "$JAVA" "$(agent t overwrite=true,strict=true)" -cp c Family other
    unshare -fp --mount-proc "$HINDSIGHT" info t >info 2>err
    [ $? = 3 ] && grep -q 'still being recorded' err || fail "info from another pid namespace: $(cat err)"
    unshare -fp --mount-proc "$HINDSIGHT" recover t >/dev/null 2>&1
    [ -e t/journal ] || fail "a living trace was recovered from another pid namespace"
else
    echo "left out: no pid namespaces here"
fi
rm one.wait; wait $pid || fail "the first failed: $(cat one.err)"
[ "$(told t one.err)" = "$(events t)" ] || fail "the trace has $(events t) events, the line says $(cat one.err)"
consistent t

# one whose JVM was killed just now, and is perhaps not dead yet, is recovered
rm -f one.here; touch one.wait
for i in 1 2 3 4; do
    "$JAVA" "$(agent dying$i)" -cp c Family one >one.out 2>one.err &
    pid=$!
    until [ -e one.here ]; do sleep 0.1; kill -0 $pid || die "round $i did not begin: $(cat one.err)"; done
    kill -9 $pid; "$HINDSIGHT" recover dying$i >info 2>err
    [ $? = 3 ] && grep -q '^recovered [1-9]' info || fail "round $i: recover behind a kill: $(cat info err)"
    wait $pid; rm -f one.here
    consistent dying$i
done 2>/dev/null # where the shell tells of the kill
rm one.wait

# what is there: kept, or overwritten whole; with an index and woven classes; a crashed one; never what no trace has
"$JAVA" "$(agent t)" -cp c Family other >out 2>err || fail "beside a trace: $(cat err)"
grep -q ' in t-1, .*; t holds a trace of another run$' err && [ -e t-1/data.mdb ] || fail "beside a trace: $(cat err)"
rm -r t-1
"$HINDSIGHT" index t >/dev/null || fail "index"
"$JAVA" "$(agent t overwrite=true,dump=true)" -cp c Family again >out 2>err ||
    fail "overwrite=true of a trace with an index: $(cat err)"
[ -e t/woven/Family.class ] || fail "dump=true wrote nothing"
"$HINDSIGHT" index t >/dev/null
for strange in notes woven/notes index.d woven/p/notes; do
    case $strange in *.d) mkdir t/$strange ;; *) mkdir -p "$(dirname t/$strange)"; echo mine >t/$strange ;; esac
    find t -printf '%P %s %i\n' | sort >before
    one_line 1 'is not empty .* and no trace' "$JAVA" "$(agent t overwrite=true,strict=true)" -cp c Family other
    find t -printf '%P %s %i\n' | sort | cmp - before || fail "a folder with $strange was touched"
    rm -r "t/$strange"
done
"$JAVA" "$(agent t overwrite=true)" -cp c Family again >out 2>err ||
    fail "overwrite=true of a trace with woven classes: $(cat err)"
[ ! -e t/woven ] && [ ! -e t/index ] || fail "something of the old trace is left: $(ls t)"
touch killed.wait
"$JAVA" "$(agent k)" -cp c Family killed >out 2>err &
pid=$!
while [ ! -e killed.here ]; do sleep 0.1; done
kill -KILL $pid; wait $pid 2>/dev/null; rm killed.wait
"$JAVA" "$(agent k overwrite=true)" -cp c Family again >out 2>err ||
    fail "overwrite=true of a crashed trace: $(cat err)"
healthy k; consistent k
mkdir index; echo mine >index/index; echo more >index/data.mdb # names of ours, by chance
one_line 1 'index is not empty .* and no trace' "$JAVA" "$(agent index overwrite=true,strict=true)" -cp c Family other
[ "$(cat index/*)" = "$(printf 'more\nmine')" ] || fail "a folder with files named as ours was touched: $(ls index)"

# children and later JVMs of one run
beside() { # N ERRORS: N closing lines for the trace and those beside it
    local n
    n=$(ls -d r r-* 2>/dev/null | wc -l)
    [ "$n" = "$1" ] || fail "$3: $n traces, not $1: $(ls -d r r-*) $(cat "$2")"
    for t in r r-*; do
        [ "$(told "$t" "$2")" = "$(events "$t")" ] || fail "$3: $t has $(events "$t") events, the lines are $(cat "$2")"
        consistent "$t"
    done
    [ "$(grep -cE "; another JVM of this run records into ($WORK/)?r\$" "$2")" = $(($1 - 1)) ] ||
        fail "$3: not told: $(cat "$2")"
    rm -rf r r-*
}
"$JAVA" "$(agent r)" -cp c Family parent "$(agent r)" -cp c Family child >out 2>err ||
    fail "a child with the same arguments: $(cat err)"
grep -q "parent's child ended with 0" out || fail "the child failed: $(cat err)"
beside 2 err "child, command line"
JAVA_TOOL_OPTIONS="$(agent r overwrite=true)" "$JAVA" -cp c Family parent -cp c Family child -cp c Family grandchild \
    >out 2>err || fail "children by JAVA_TOOL_OPTIONS: $(cat err)"
grep -q "child's child ended with 0" out || fail "the grandchild failed: $(cat err)"
sed -i /^Picked/d err; beside 3 err "children, JAVA_TOOL_OPTIONS, overwrite=true"
cat >script <<S
"$JAVA" -cp c Family first && "$JAVA" -cp c Family second -cp c Family child
S
chmod +x script
JAVA_TOOL_OPTIONS="$(agent r)" bash ./script >out 2>err || fail "a script with JAVA_TOOL_OPTIONS: $(cat err)"
sed -i /^Picked/d err; beside 3 err "script, JAVA_TOOL_OPTIONS"
JAVA_TOOL_OPTIONS="$(agent r)" "$JAVA" -cp c Family first >out 2>err || fail "$(cat err)"
export JAVA_TOOL_OPTIONS; JAVA_TOOL_OPTIONS=$(agent r)
"$JAVA" -cp c Family second >out 2>err
grep -qE " in r-1, .*; ($WORK/)?r holds a trace of another run\$" err || fail "an old trace of another run: $(cat err)"
unset JAVA_TOOL_OPTIONS; rm -rf r r-1
if [ -z "${HINDSIGHT_SANITIZE:-}" ]; then # `java` of the script is not the one with the sanitizer's library
    cat >script <<'S'
java -cp c Family first && {
    java -cp c Family second &
    java -cp c Family third &
    wait
} && (
    while [ ! -e late.go ]; do sleep 0.1; done
    java -cp c Family late && touch late.done
) &
S
    "$HINDSIGHT" record -o r --format omni -w EXEC -- bash ./script >out 2>err || fail "record -- script: $(cat err)"
    touch late.go # a JVM of the run that comes when the command is gone
    for _ in $(seq 1200); do [ ! -e late.done ] || break; sleep 0.1; done
    sed -i /^Picked/d err; beside 4 err "record -- script"
fi

# removed while it is recorded, or moved
for how in removed moved; do
    rm -rf t; touch one.wait; rm -f one.here
    "$JAVA" "$(agent t)" -cp c Family one >one.out 2>one.err &
    pid=$!
    while [ ! -e one.here ]; do sleep 0.1; done
    if [ $how = removed ]; then rm -r t; else mv t elsewhere; fi
    [ $how = moved ] || "$JAVA" "$(agent t)" -cp c Family new >out 2>err ||
        fail "a new trace where one was removed: $(cat err)"
    rm one.wait; wait $pid || fail "$how: the program failed"
    [ "$(wc -l <one.err)" = 1 ] || fail "$how: $(cat one.err)"
    if [ $how = removed ]; then
        early='recording ended early: the trace was removed while it was recorded'
        grep -qE "^hindsight: 0 events of .*; $early; [1-9][0-9]* events lost" one.err ||
            fail "removed: $(cat one.err)"
        [ "$(told t err)" = "$(events t)" ] || fail "the new trace was harmed"
    else
        [ "$(told elsewhere one.err)" = "$(events elsewhere)" ] || fail "moved: $(cat one.err)"
    fi
done
finish
