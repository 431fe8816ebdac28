#!/bin/bash
# The page of a failed test names the line that repairs the program, or the commands that it gives to go on do: of
# small programs with a known fault each (measure.py). `test/bugs/run.sh --all` measures all of them: docs/bugs.md.
#
# test: bugs
# labels: ask
# limit: 900 s
# short: swallowed_exception missing_branch aliasing wrong_operator off_by_one
# long: --all
. "$(dirname "$0")/../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for jar in junit4 junit-jupiter-engine junit-platform-console; do
    [ -e /usr/share/java/$jar.jar ] || die "no $jar (test/packages.sh)"
done
export HINDSIGHT HINDSIGHT_AGENT=$AGENT JAVA_HOME=$JDK
[ "${1:-}" != --all ] || shift
python3 "$HERE/measure.py" --prove "$@" || fail "they are not repaired"
python3 "$HERE/measure.py" --least 60,85 "$@" || fail "the line is named less often"
finish
