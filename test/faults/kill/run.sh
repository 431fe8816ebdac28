#!/bin/bash
# run.sh [KILLS [SEED]]: programs that record die at random moments, in every way (kills.py; default 13 times, each way
# once; `check --full` 200 times).
#
# test: kill
# labels: kill slow
# jdks: all
# limit: 900 s
# short: 13
# long: 24
# full: 200
# full limit: 7200 s
. "$(dirname "$0")/../../lib.sh"
here=$(dirname "$0")
compile "$WORK/classes" "$here/Victim.java" || die "Victim does not compile"
"${CC:-cc}" -O0 -shared -fPIC -o "$WORK/libcrash.so" "$here/crash.c" || die "crash.c does not compile"
export JAVA AGENT HINDSIGHT WORK ROOT RELEASE CLASSES=$WORK/classes CRASH=$WORK/libcrash.so
python3 "$here/kills.py" "${1:-13}" ${2:+"$2"} || fail "see above"
finish "killed recordings hold all that was reached, on JDK $RELEASE"
