#!/bin/bash
# attached.sh: the agent comes to a program that has asked for hashes of objects already (HashedBefore.java): they stay,
# and each object gets one id that is its own, also where it is locked when it is met (test/jvm/keys.py).
#
# test: objects.attached
# labels: objects
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/classes" "$(dirname "$0")/HashedBefore.java" || die "HashedBefore does not compile"
cd "$WORK" || exit 1
mkfifo lines
"$JAVA" -cp classes HashedBefore <lines >stdout 2>err & program=$!
exec 3>lines
wait_for ready stdout
"$HINDSIGHT" attach $program format=omni,weave=EXEC+PARAM,output=trace >said 2>&1 || die "attach: $(cat said)"
echo >&3
exec 3>&-
wait $program || fail "the program: $(cat err)"
grep -qx "2000 objects, 0 hashes changed" stdout || fail "the program says: $(cat stdout)"
healthy trace
"$HINDSIGHT" print trace --event METHOD_PARAM --method show --json >events || fail "print"
sed -i 1d stdout # keys.py reads the number of objects
python3 "$ROOT/test/jvm/keys.py" events || fail "ids of objects"
finish
