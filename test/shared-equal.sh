#!/bin/bash
# shared-equal.sh [ROOT]: test/oracle and test/workloads are copies of the folders that all contributors share; are they equal?
# The shared folder is $HINDSIGHT_SHARED or ROOT/../shared. Without one nothing can be compared: the test is left out (77).
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
shared=${HINDSIGHT_SHARED:-$root/../shared}
[ -d "$shared/oracle" ] && [ -d "$shared/workloads" ] || { echo "shared-equal: $shared is not there: nothing to compare with"; exit 77; }
bad=0
for part in oracle workloads; do
    diff -rq -x __pycache__ "$shared/$part" "$root/test/$part" || bad=1
done
[ $bad = 0 ] && echo "shared-equal: test/oracle and test/workloads equal $shared"
exit $bad
