#!/bin/bash
# oracle.sh GROUPS: every oracle program recorded on the JDK under test, its stream equal to the golden one (test/oracle).
. "$(dirname "$0")/lib.sh"
[ -n "${JDK17:-}" ] || JDK17=$JDK
export AGENT HINDSIGHT JAVA JAVAC=$JDK17/bin/javac WEAVE=${1:-ALL} JAVAOPTS="-Xverify:all"
exec_status=0
sh "$ROOT/test/oracle/run-all.sh" || exec_status=$?
rm -rf "$WORK"
exit $exec_status
