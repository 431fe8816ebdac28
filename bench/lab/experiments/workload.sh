#!/bin/bash
# workload.sh prepare|run NAME: a program of test/workloads as an experiment's command: `prepare` in the folder that
# becomes $PREPARED, `run` in an empty one. `java` is the one of the PATH.
set -e
workloads=$(cd "$(dirname "$0")/../../../test/workloads" && pwd)
export SRC=$workloads/src/$2 PREP=${PREPARED:-$PWD} OUT=out TZ=UTC LC_ALL=C.UTF-8
jv() { java "$@"; }
# shellcheck source=/dev/null
. "$workloads/w/$2.sh"
case $1 in
prepare) if declare -F prepare >/dev/null; then prepare; fi ;;
run) mkdir -p out; run ;;
*) echo "workload.sh: prepare or run, not '$1'" >&2; exit 2 ;;
esac
