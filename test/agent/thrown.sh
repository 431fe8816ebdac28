#!/bin/bash
# format=exceptions: each throw that leaves its method, with the variables of its frames, as the program itself says
# (Throws); no secret is in the trace; a program that throws without end is limited, and does what it does without.
#
# test: agent.thrown
# labels: agent
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
"${JAVAC[@]}" -g -d c "$ROOT/test/agent/Throws.java" || die "Throws does not compile"
"$JAVA" -Xcheck:jni "-agentpath:$AGENT=output=t,format=exceptions,quiet=true" -cp c Throws >out 2>err ||
    fail "exit status $?: $(head -n 2 err)"
"$JAVA" -cp c Throws >plain 2>plain.err || fail "without the agent: exit status $?"
cmp out plain || fail "the program does something else"
! grep -q . err || fail "on standard error: $(head -n 2 err)"
"$HINDSIGHT" fsck t >fsck.out 2>&1 || fail "fsck: $(tail -n 2 fsck.out)"
python3 "$ROOT/test/agent/thrown.py" "$HINDSIGHT" t out || fail "see above"
"$JAVA" -Xcomp -XX:TieredStopAtLevel=1 "-agentpath:$AGENT=output=compiled,format=exceptions,quiet=true" -cp c Throws \
    >out 2>err || fail "compiled: exit status $?: $(head -n 2 err)"
python3 "$ROOT/test/agent/thrown.py" "$HINDSIGHT" compiled out || fail "of compiled code: see above"
"$HINDSIGHT" strings t >strings || fail "strings: exit status $?"
! grep swordfish strings || fail "a secret is in the trace"
"$HINDSIGHT" exceptions t --stack >stack || fail "--stack: exit status $?"
grep -q 'dbpassword = (redacted)' stack && grep -q 'Throws.main (Throws.java:[0-9]*) caught it' stack ||
    fail "--stack: $(head -n 5 stack)"
finish
