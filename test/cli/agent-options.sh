#!/bin/bash
# A wrong option stops the JVM before the program runs: exit status 1, one line that names the option and what is
# accepted.
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
# where the trace cannot be
agent 'output.*nowhere'           "output=$WORK/nowhere/below/trace,format=omni"
agent 'output.*/proc/'            "output=/proc/hindsight-trace,format=omni"
echo text >"$WORK/file"
agent 'output.*file'              "output=$WORK/file,format=omni"
mkdir "$WORK/full"; echo mine >"$WORK/full/mine"
agent 'output.*full'              "output=$WORK/full,format=omni"
agent 'output.*full'              "output=$WORK/full,format=omni,overwrite=true" # never deletes what is not a trace
[ "$(cat "$WORK/full/mine" 2>/dev/null)" = mine ] || fail "overwrite=true deleted a folder that is not a trace"
if [ "$(id -u)" != 0 ]; then
    mkdir -m 555 "$WORK/readonly"; agent 'output.*readonly' "output=$WORK/readonly/t,format=omni"
fi
# an existing trace is kept, and overwritten only when asked
record "$WORK/old" weave=EXEC -cp "$WORK/c" Hello >/dev/null 2>"$WORK/err" || fail "recording: $(cat "$WORK/err")"
agent 'output.*old.*overwrite'    "output=$WORK/old,format=omni"
"$HINDSIGHT" info "$WORK/old" >/dev/null || fail "the old trace was spoilt"
record "$WORK/old" weave=CALL,overwrite=true -cp "$WORK/c" Hello >/dev/null 2>"$WORK/err" ||
    fail "overwrite=true: $(cat "$WORK/err")"
"$HINDSIGHT" print "$WORK/old" --json >"$WORK/p" || fail "print after overwrite=true"
grep -q '"event":"METHOD_ENTRY"' "$WORK/p" && fail "overwrite=true left events of the old trace"
finish
