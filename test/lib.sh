# lib.sh - sourced by every test of the whole (all but test/unit and those of style) and by bench/.
#
# Reads, with defaults for a run by hand:   AGENT  libhindsight.so         HINDSIGHT        the command
#                                           JDK    home of the JDK to run  HINDSIGHT_BUILD  build folder (build/release)
# Gives: ROOT BUILD AGENT HINDSIGHT JDK RELEASE JAVA JAVAC (an array), WORK (a scratch folder, removed at the end unless
# KEEP is set), and the functions below. Exit status of a test: 0 passed, 1 failed, 77 left out (says why).
# shellcheck shell=bash disable=SC2034
set -u
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 # which would leave folders beside the scripts
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS

ROOT=${HINDSIGHT_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
BUILD=${HINDSIGHT_BUILD:-$ROOT/build/release}
AGENT=${AGENT:-$BUILD/lib/libhindsight.so}
HINDSIGHT=${HINDSIGHT:-$BUILD/bin/hindsight}
PATH=$BUILD/test/bin:$PATH # python3, see CMakeLists.txt
[ -e "$AGENT" ] && [ -x "$HINDSIGHT" ] || {
    echo "no $AGENT or no $HINDSIGHT: build first (cmake --build --preset release)"
    exit 1
}
JDK=${JDK:-${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}}
RELEASE=$(sed -nE 's/^JAVA_VERSION="(1\.)?([0-9]*).*/\2/p' "$JDK/release")
JAVA=$JDK/bin/java
# Half the CPU: a short run never earns back what C2 costs. For a JDK before 17 that on the PATH compiles.
JAVAC=("$JDK/bin/javac" -J-XX:TieredStopAtLevel=1)
[ "$RELEASE" -ge 17 ] || JAVAC[0]=$(command -v javac)

WORK=$(mktemp -d "${TMPDIR:-/tmp}/hindsight-test.XXXXXX") || exit 1
export XDG_CACHE_HOME=$WORK/.cache # of `fleet`
if [ -n "${KEEP:-}" ]; then echo "scratch folder: $WORK"; else trap 'rm -rf "$WORK"' EXIT; fi

# A failure is kept in a file too: in a subshell or a part of a pipeline a variable would be lost, and the test would
# pass (test/nets.sh).
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); echo "$*" >>"$WORK/failures"; }
die() { echo "FAILED: $*"; echo "$*" >>"$WORK/failures"; exit 1; }
skip() { echo "left out: $*"; exit 77; }
finish() { # the last line of a test
    [ "$failures" = 0 ] && [ ! -s "$WORK/failures" ] || {
        echo "$failures failures$(sed 's/^/; /' "$WORK/failures" 2>/dev/null | head -n 3 | tr -d '\n')"
        exit 1
    }
    echo "${1:-passed}"; exit 0
}

# Bytes, not characters: a tenth of the time, of streams of events.
sed() { LC_ALL=C command sed "$@"; }

# figure NAME NUMBER: what `./check --full` prints at its end, added up over all tests that have NAME (figures.py)
figure() { echo "figure: $1: $2"; }

# A sanitized agent needs its runtime before the JVM's libraries; the JVM uses SIGSEGV itself and leaks by design.
if [ -n "${HINDSIGHT_SANITIZE:-}" ]; then
    preload=
    case $HINDSIGHT_SANITIZE in
    *address*) preload="$("${CC:-cc}" -print-file-name=libasan.so)" ;;
    *thread*) preload="$("${CC:-cc}" -print-file-name=libtsan.so)" ;;
    esac
    case $HINDSIGHT_SANITIZE in *undefined*) preload="$preload $("${CC:-cc}" -print-file-name=libubsan.so)" ;; esac
    {
        echo '#!/bin/sh'
        echo "export LD_PRELOAD='$preload'" \
            "ASAN_OPTIONS=handle_segv=0:allow_user_segv_handler=1:detect_leaks=0:use_sigaltstack=0"
        echo "exec '$JAVA' \"\$@\""
    } >"$WORK/java"
    chmod +x "$WORK/java"
    JAVA=$WORK/java
fi

# wait_for PATTERN FILE: until the file has it, five minutes at most
wait_for() {
    for _ in $(seq 6000); do grep -q -- "$1" "$2" 2>/dev/null && return; sleep 0.05; done
    fail "$(basename "$2") never has: $1"
}

# until_events TRACE NUMBER: until a recording that runs counts more than so many events, five minutes at most
until_events() {
    local now=
    for _ in $(seq 3000); do
        now=$("$HINDSIGHT" status "$1" --json 2>/dev/null | sed -nE 's/.*"events":([0-9]+).*/\1/p')
        [ "${now:-0}" -le "$2" ] || return 0
        sleep 0.1
    done
    fail "$(basename "$1") does not come to more than $2 events: ${now:-no answer}"
}
events_now() { "$HINDSIGHT" status "$1" --json | sed -nE 's/.*"events":([0-9]+).*/\1/p'; }

# compile OUT FILE... [-- JAVAC-OPTION...]: the default options are those of the line "// javac:" of the first file, or
# else -g --release 17; for an older JDK its own release. The classes of a program below test/ are taken from where
# classes.sh has put them for the JDK under test, if the source has not changed since then.
compile() {
    local out=$1 files=() made=(); shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do files+=("$1"); shift; done
    mkdir -p "$out"
    if [ $# = 0 ] && made_of "${files[@]}"; then cp -r "${made[@]/%//.}" "$out"; return; fi
    [ $# = 0 ] || shift
    # shellcheck disable=SC2046
    [ $# -gt 0 ] || set -- $(javac_options "${files[0]}")
    "${JAVAC[@]}" -nowarn -Xlint:none -proc:none -XDsuppressNotes "$@" -d "$out" "${files[@]}"
}
javac_options() {
    { sed -nE 's|^// *javac: *||p' "$1" | grep . || echo "-g --release 17"; } |
        sed -E "s/--release 17/--release $((RELEASE < 17 ? RELEASE : 17))/"
}
made_of() { # FILE...: leaves the folders of their classes in `made`, if classes.sh has compiled all of them
    local file folder
    for file; do
        file=$(realpath "$file")
        folder=${HINDSIGHT_CLASSES_DIR:-$BUILD/test/classes}/$RELEASE/${file#"$ROOT/test/"}
        [ "$folder" -nt "$file" ] || return 1
        made+=("$folder")
    done
}

# record TRACE AGENT-OPTIONS JAVA-ARGUMENT...: runs java with the agent
record() {
    local trace=$1 options=${HINDSIGHT_AGENT_EXTRA:+$HINDSIGHT_AGENT_EXTRA,}$2; shift 2
    options=${options%,}
    "$JAVA" "-agentpath:$AGENT=output=$trace,format=omni${options:+,$options}" "$@"
}

# oracle_traces: leaves the folder of the recordings of traces.sh in TRACES; makes them when they are older than the
# agent
oracle_traces() {
    TRACES=$BUILD/test/traces/$RELEASE
    [ "$TRACES/done" -nt "$AGENT" ] || bash "$ROOT/test/traces.sh" || die "the oracle programs are not recorded"
}

# json FILE EXPRESSION: a value from a JSON document; the expression is Python, the document is d
json() { python3 -c 'import json,sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }

# healthy TRACE [END]: info says nothing was lost and the end is END (clean); prints events, bytes per event, classes
healthy() {
    local trace=$1 end=${2:-clean} info=$WORK/info.$$.json status
    "$HINDSIGHT" info "$trace" --json >"$info" 2>"$info.err"; status=$?
    if [ $status != 0 ] && { [ $status != 3 ] || [ "$end" = clean ]; }; then
        fail "hindsight info $trace: exit status $status: $(head -n 1 "$info.err")"; return 1
    fi
    python3 "$ROOT/test/healthy.py" "$info" "$end"
    status=$?
    [ $status = 0 ] || failures=$((failures + 1))
    return $status
}

# consistent TRACE: fsck proves the trace, and finds nothing.
consistent() {
    "$HINDSIGHT" fsck "$1" --limit 5 >"$WORK/fsck.out" 2>"$WORK/fsck.err"
    case $? in 0 | 3) return 0 ;; esac # 3: its recording was cut off, and what there is holds
    fail "fsck $1: $(head -n 6 "$WORK/fsck.out" "$WORK/fsck.err")"
    return 1
}

# npm_client NAME: the packages of test/clients/npm/NAME (package.json with exact versions, package-lock.json),
# installed once below the build folder; leaves their folder in NODE_PATH. A test that cannot have them is left out.
npm_client() {
    local from=$ROOT/test/clients/npm/$1 to=$BUILD/test/clients/$1
    [ -e "$from/package-lock.json" ] || die "no $from/package-lock.json"
    command -v npm >/dev/null || skip "npm is not installed"
    mkdir -p "$to"
    (
        flock 9
        cmp -s "$from/package-lock.json" "$to/done" && exit 0
        cp "$from/package.json" "$from/package-lock.json" "$to" &&
            (cd "$to" && npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1) &&
            cp "$from/package-lock.json" "$to/done"
    ) 9>"$to/lock" || skip "npm cannot install $1: $(tail -n 1 "$to/npm.log")"
    export NODE_PATH=$to/node_modules
}

# one_line STATUS PATTERN COMMAND...: the command fails with this status, one line on standard error that holds PATTERN
# (a case-insensitive extended expression), nothing on standard output, within two minutes and without a signal.
one_line() {
    local want=$1 pattern=$2 status; shift 2
    timeout -s KILL 120 "$@" >"$WORK/one.out" 2>"$WORK/one.err" </dev/null; status=$?
    local shown="${*//"$WORK"\//}"; shown=${shown//"$AGENT"/agent}; shown=${shown//"$HINDSIGHT"/hindsight}
    if [ $status != "$want" ]; then
        fail "$shown: exit status $status, not $want: $(head -n 2 "$WORK/one.err")"
    elif [ -s "$WORK/one.out" ]; then
        fail "$shown: wrote to standard output: $(head -n 1 "$WORK/one.out")"
    elif [ "$(wc -l <"$WORK/one.err")" != 1 ]; then
        fail "$shown: $(wc -l <"$WORK/one.err") lines on standard error, not 1: $(head -n 3 "$WORK/one.err")"
    elif ! grep -qiE -- "$pattern" "$WORK/one.err"; then
        fail "$shown: says '$(cat "$WORK/one.err")', which does not have: $pattern"
    else
        echo "ok $status: $(cat "$WORK/one.err")"
    fi
}
