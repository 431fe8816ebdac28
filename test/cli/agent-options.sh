#!/bin/bash
# A wrong option stops the JVM before the program runs: exit status 1, one line that names the option and what is
# accepted. What the place does not allow leaves the program unrecorded, with one line; with strict=true it stops the
# JVM too. A trace of an earlier run is kept, and keeps no program from being recorded.
#
# test: cli.agent-options
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
agent() { # PATTERN OPTIONS
    one_line 1 "$1" "$JAVA" "-agentpath:$AGENT=$2" -cp "$WORK/c" Hello
}
t=output=$WORK/t
agent 'wieve'                     "$t,wieve=ALL"
agent 'weave.*EXECUTE.*EXEC'      "$t,weave=EXECUTE"
agent 'weave.*LOCALS.*LOCAL'      "$t,weave=EXEC+LOCALS"
agent 'format.*ommi.*omni'        "$t,format=ommi"
agent 'size.*many'                "$t,size=many"
agent 'size.*-1'                  "$t,size=-1"
agent 'size.*99999999999999999999' "$t,size=99999999999999999999"
agent 'order.*sometimes.*sync'    "$t,order=sometimes"
agent 'quiet.*maybe.*true'        "$t,quiet=maybe"
agent 'string.*1.*true'           "$t,string=1"
agent 'maxstring.*-1.*number'     "$t,maxstring=-1"
agent 'maxstring.*268435456'      "$t,maxstring=268435457"
agent 'exception.*half'           "$t,exception=half"
agent 'maxbytes.*lots'            "$t,maxbytes=lots"
agent 'onfull.*explode.*stop'     "$t,onfull=explode"
agent 'output'                    "output="
agent 'weave'                     "$t,weave="
agent 'weave'                     "$t,weave"
agent 'tiem'                      "output=$WORK/{tiem},format=omni"
[ ! -e "$WORK/t" ] || fail "a wrong option made a trace"
agent 'strict.*maybe.*true'       "$t,strict=maybe"
agent 'time:qq'                   "output=$WORK/{time:qq},format=omni"
# what is accepted and does little is said in the closing line
closing() { # PATTERN OPTIONS
    "$JAVA" "-agentpath:$AGENT=output=$WORK/told,overwrite=true,$2" -cp "$WORK/c" Hello >/dev/null 2>"$WORK/err"
    grep -q "^hindsight: .*$1" "$WORK/err" || fail "$2: says $(cat "$WORK/err")"
}
closing '; format= was given twice, the last one counts'                       format=omni,format=freq
closing '; weave=PARAM alone has no events: it adds to EXEC and CALL'          weave=PARAM
# where the trace cannot be
"$JAVA" -cp "$WORK/c" Hello >"$WORK/plain"; plain=$?
unrecorded() { # PATTERN OPTIONS
    agent "$1" "$2,strict=true"
    grep -q 'nothing is recorded' "$WORK/one.err" && fail "strict=true says: $(cat "$WORK/one.err")"
    "$JAVA" "-agentpath:$AGENT=$2" -cp "$WORK/c" Hello >"$WORK/out" 2>"$WORK/err"
    [ $? = $plain ] && cmp -s "$WORK/plain" "$WORK/out" || fail "$2: the program does something else"
    [ "$(wc -l <"$WORK/err")" = 1 ] && grep -qE "^hindsight: nothing is recorded: .*$1" "$WORK/err" ||
        fail "$2: says $(cat "$WORK/err")"
}
unrecorded 'output.*nowhere'      "output=$WORK/nowhere/below/trace,format=omni"
unrecorded 'output.*/proc/'       "output=/proc/hindsight-trace,format=omni"
echo text >"$WORK/file"
unrecorded 'output.*file'         "output=$WORK/file,format=omni"
mkdir "$WORK/full"; echo mine >"$WORK/full/mine"
unrecorded 'output.*full'         "output=$WORK/full,format=omni"
unrecorded 'output.*full'         "output=$WORK/full,format=omni,overwrite=true" # never deletes what is not a trace
[ "$(cat "$WORK/full/mine" 2>/dev/null)" = mine ] || fail "overwrite=true deleted a folder that is not a trace"
unrecorded 'weavecache.*file'     "$t,weavecache=$WORK/file"
if [ "$(id -u)" != 0 ]; then
    mkdir -m 555 "$WORK/readonly"; unrecorded 'output.*readonly' "output=$WORK/readonly/t,format=omni"
fi
[ ! -e "$WORK/t" ] || fail "a trace was made"
# an existing trace is kept, and overwritten only when asked; the first free name is taken
cd "$WORK" || exit 1
record old weave=EXEC -cp c Hello >out 2>err || fail "recording: $(cat err)"
mkdir old-1; echo mine >old-1/mine; : >old-2
for next in old-3 old-4; do
    find old old-1 -type f -exec cksum {} + | sort >before
    record old/ weave=CALL -cp c Hello >out 2>err || fail "beside an old trace: $(cat err)"
    grep -qE "^hindsight: [0-9,]+ events of .* in $next, .*; old holds a trace of another run\$" err ||
        fail "beside an old trace: $(cat err)"
    find old old-1 -type f -exec cksum {} + | sort | cmp -s before - || fail "the old trace was changed"
    healthy $next
done
cd - >/dev/null || exit 1
record "$WORK/old" weave=CALL,overwrite=true -cp "$WORK/c" Hello >/dev/null 2>"$WORK/err" ||
    fail "overwrite=true: $(cat "$WORK/err")"
"$HINDSIGHT" print "$WORK/old" --json >"$WORK/p" || fail "print after overwrite=true"
grep -q '"event":"METHOD_ENTRY"' "$WORK/p" && fail "overwrite=true left events of the old trace"
# a process with the number of an earlier one, as the first one of a container has
if [ "$(id -u)" = 0 ] && unshare -p -f --mount-proc true 2>/dev/null; then
    for _ in 1 2; do
        unshare -p -f --mount-proc "$JAVA" "-agentpath:$AGENT=output=$WORK/pod-{pid}" -cp "$WORK/c" Hello \
            >"$WORK/out" 2>"$WORK/err" || fail "a container that starts again: $(cat "$WORK/err")"
    done
    [ "$(cd "$WORK" && echo pod-*)" = "pod-1 pod-1-1" ] || fail "a container that starts again: $(ls "$WORK")"
else
    echo "left out: process numbers of a container, which take root"
fi
finish
