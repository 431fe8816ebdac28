#!/bin/bash
# Eight bugs of the kind a newcomer brings: the command lines in the head of each program lead to its cause (run.py).
# run.sh --large ORDERS: the wrong total alone, in a recording of 54 events for each order; with the time of each
# answer, which has to begin within 100 ms.
#
# test: ask.situations
# labels: ask
# jdks: all
# limit: 900 s
# full: --large 1900000
# full limit: 600 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
cd "$WORK" || exit 1
compile classes "$HERE"/*.java || die "the programs do not compile"
export PATH=$(dirname "$HINDSIGHT"):$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT PYTHONPATH=$HERE/..
if [ "${1:-}" = --large ]; then
    python3 "$HERE/run.py" "$HERE/WrongTotal.java" --orders "$2" --times || fail "WrongTotal with $2 orders"
    finish
fi
for program in "$HERE"/*.java; do
    timeout 600 python3 "$HERE/run.py" "$program" || fail "$(basename "$program" .java)"
done
finish
