#!/bin/bash
# record.sh DIR AGENT [NAME...]: records the workloads of recordings.txt (or those named) on each JDK into
# DIR/RELEASE/NAME, for run.sh.
#
# JDKS names the homes of the JDKs, by default those of 17 and 25 in /usr/lib/jvm. A trace that is there is kept,
# so that an interrupted run continues. The hindsight command beside the agent sets the marks. Needs the Debian packages
# of the workloads (test/workloads/install.sh NAME...), and installs nothing: a recording whose packages are missing
# fails. RECORDINGS: another table (agents.sh); RECORD_IN: the folder to work in, which must not be there.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
[ $# -ge 2 ] || { echo "usage: record.sh DIR AGENT [NAME...]" >&2; exit 2; }
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
WORKLOADS=$(dirname "$HERE")/workloads ORACLE=$(dirname "$HERE")/oracle
mkdir -p "$1" || exit 1
DIR=$(cd "$1" && pwd) AGENT=$(readlink -f "$2"); shift 2
HINDSIGHT=$(dirname "$AGENT")/../bin/hindsight
[ -e "$AGENT" ] && [ -x "$HINDSIGHT" ] || { echo "record.sh: no $AGENT or no $HINDSIGHT" >&2; exit 2; }
[ -n "${JDKS:-}" ] || JDKS=$(ls -d /usr/lib/jvm/{java-17-openjdk,temurin-25-jdk}-* 2>/dev/null)
WORK=${RECORD_IN:-$(mktemp -d -u "${TMPDIR:-/tmp}/record.XXXXXX")}
mkdir -m 700 "$WORK" || exit 1
trap 'rm -rf "$WORK"' EXIT

# While the JVM runs. Nothing here needs to happen at an exact moment: a trace is recorded once and then only read.
meanwhile_mark() { # a feature that comes twice, one that overlaps it, and one that stays open
    sleep 1
    "$HINDSIGHT" mark "$trace" first && sleep 0.3
    "$HINDSIGHT" mark "$trace" second && sleep 0.3
    "$HINDSIGHT" unmark "$trace" first && sleep 0.3
    "$HINDSIGHT" unmark "$trace" second
    "$HINDSIGHT" mark "$trace" first && sleep 0.2
    "$HINDSIGHT" unmark "$trace" first
    "$HINDSIGHT" mark "$trace" 'the rest'
}
meanwhile_kill() { # as soon as part of the trace is on disk
    while kill -0 "$1" 2>/dev/null; do
        if [ -n "$(find "$trace/data.mdb" -size +2M 2>/dev/null)" ]; then
            kill -KILL "$1"
            return
        fi
        sleep 0.05
    done
}

# jv ARGUMENT...: what the workload calls for java; only its first JVM is run.
jv() {
    local pid status
    [ ! -e "$trace" ] || return 0
    "$jdk/bin/java" "-agentpath:$AGENT=output=$trace,$options" "$@" &
    pid=$!
    [ -z "$meanwhile" ] || "meanwhile_$meanwhile" $pid
    wait $pid
    status=$?
    [ "$meanwhile" = kill ] || return $status
    [ $status = 137 ] # or it ended before it could be killed
}

# record_workload: in a folder of its own, so that what the program writes is gone with it
record_workload() (
    export SRC=$WORKLOADS/src/$workload PREP=$WORK/$workload OUT=out
    run_dir=$WORK/run
    rm -rf "$run_dir" && mkdir -p "$run_dir/out" || exit 1
    case $workload in
        oracle.*) # a program of test/oracle
            prepare() { javac -g --release 17 -d . "$ORACLE"/src/oracle/*.java; }
            run() { jv -cp "$PREP" "$workload"; }
            ;;
        *)
            # shellcheck disable=SC1090
            . "$WORKLOADS/w/$workload.sh"
            ;;
    esac
    if [ ! -e "$PREP" ]; then
        mkdir "$PREP" && cd "$PREP" || exit 1
        ! declare -F prepare >/dev/null || prepare || exit 1
    fi
    cd "$run_dir" && run
)

failures=0
while read -r name workload options meanwhile; do
    case $name in '' | '#'*) continue ;; esac
    [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
    for jdk in $JDKS; do
        release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
        trace=$DIR/$release/$name
        [ ! -e "$trace/data.mdb" ] || { echo "$release $name: is there already"; continue; }
        rm -rf "$trace" && mkdir -p "$DIR/$release"
        if record_workload >"$WORK/log" 2>&1 </dev/null && [ -e "$trace/data.mdb" ]; then
            echo "$release $name: $(du -sh "$trace" | cut -f1); $(grep -a '^hindsight: ' "$WORK/log" | tail -n 1)"
        else
            echo "FAILED: $release $name: $(tail -n 3 "$WORK/log")"
            failures=$((failures + 1))
            rm -rf "$trace"
        fi
    done
done <"${RECORDINGS:-$HERE/recordings.txt}"
exit $((failures > 0))
