#!/bin/bash
# Two agents in one JVM: the first records all, the second says one line and does nothing. The same library or another
# copy of it, at the start or attached.
#
# test: cli.two-agents
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" "$ROOT/test/cli/Family.java" || die "Hello does not compile"
cd "$WORK" || exit 1
cp "$AGENT" copy.so
count() { "$HINDSIGHT" info "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["events"])'; }
"$JAVA" "-agentpath:$AGENT=output=alone,format=omni" -cp c Hello you >plain 2>err || fail "alone: $(cat err)"
alone=$(count alone)
for second in "$AGENT" "$WORK/copy.so"; do
    rm -rf t u
    "$JAVA" "-agentpath:$AGENT=output=t,format=omni" "-agentpath:$second=output=u,format=latest" -cp c Hello you >out \
        2>err || fail "status $?: $(cat err)"
    cmp plain out
    [ ! -e u ] || fail "$second made a trace"
    [ "$(wc -l <err)" = 2 ] || fail "not a line each: $(cat err)"
    head -n 1 err | grep -qE '^hindsight: this program is recorded already, into .*/t; ' ||
        fail "the second says: $(cat err)"
    [ "$(count t)" = "$alone" ] || fail "$(count t) events, alone $alone"
    healthy t; consistent t
done
rm -rf t u # by JAVA_TOOL_OPTIONS, which come first
JAVA_TOOL_OPTIONS="-agentpath:$AGENT=output=t,format=omni" "$JAVA" "-agentpath:$WORK/copy.so=output=u" -cp c Hello you \
    >out 2>err || fail "$(cat err)"
[ "$(count t)" = "$alone" ] && [ ! -e u ] && [ "$(grep -vc ^Picked err)" = 2 ] ||
    fail "JAVA_TOOL_OPTIONS and another: $(cat err)"
# attached to a JVM that has one
[ -z "${HINDSIGHT_SANITIZE:-}" ] || finish "passed; attaching needs the sanitizer's library"
rm -rf t u; touch x.wait
"$JAVA" -XX:+EnableDynamicAgentLoading "-agentpath:$AGENT=output=t,format=omni" -cp c Family x >out 2>err &
pid=$!
while [ ! -e x.here ]; do sleep 0.1; done
for library in "$AGENT" "$WORK/copy.so"; do
    "$JDK/bin/jcmd" $pid JVMTI.agent_load "$library" "\"output=u\"" >/dev/null 2>&1
    HINDSIGHT_AGENT=$library "$HINDSIGHT" attach $pid output=u >/dev/null 2>said &&
        fail "attach to a recorded JVM did not fail"
    grep -q 'already recorded' said || fail "attach says: $(cat said)"
done
rm x.wait; wait $pid || fail "status of the program $?"
[ ! -e u ] || fail "an attached agent made a trace"
[ "$(grep -c 'this program is recorded already' err)" = 2 ] && [ "$(wc -l <err)" = 3 ] || fail "lines: $(cat err)"
healthy t; consistent t
finish
