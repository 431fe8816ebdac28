#!/bin/bash
# shared-equal.sh [ROOT]: test/oracle and test/workloads are copies of the folders that all contributors share; are they
# equal, but for shared.patch, which names each difference and its reason? The shared folder is $HINDSIGHT_SHARED or
# ROOT/../shared. Without one the test is left out (77).
set -u
root=$(cd "${1:-$(dirname "$0")/..}" && pwd)
shared=${HINDSIGHT_SHARED:-$root/../shared}
[ -d "$shared/oracle" ] && [ -d "$shared/workloads" ] || {
    echo "shared-equal: $shared is not there: nothing to compare with"
    exit 77
}
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cp -r "$shared/oracle" "$shared/workloads" "$scratch" && chmod -R u+w "$scratch" || exit 1
patch -s -p0 -d "$scratch" <"$root/test/shared.patch" || {
    echo "shared-equal: test/shared.patch does not fit $shared"
    exit 1
}
bad=0
for part in oracle workloads; do
    diff -rq -x __pycache__ "$scratch/$part" "$root/test/$part" || bad=1
done
[ $bad = 0 ] && echo "shared-equal: test/oracle and test/workloads equal $shared with shared.patch"
exit $bad
