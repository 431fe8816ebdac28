#!/bin/bash
# run.sh [--seed N] [COUNT]                 random Java programs (programs/generate.py --short), from seed N on
# run.sh --workload NAME [EVENTS]           a workload of test/workloads, its first EVENTS events (default: 300,000)
# run.sh --program MAIN FILE.java...        these programs
#
# Recorded with weave=ALL, and every answer about them compared with the model in Python (check.py), with and without
# the index. MOMENTS is how many random moments the library is asked about, COMMANDS how many the command is. What fails
# is named with what the model says, and the line that repeats it. KEEP=1 keeps classes and traces.
#
# test: model
# labels: model slow
# jdks: all
# limit: 900 s
# short: --seed jdk 1
# long: --seed jdk 2
# full: --seed 1000 500
# full limit: 28800 s
. "$(dirname "$0")/../lib.sh"
HERE=$ROOT/test/model answers=$BUILD/test/answers
[ -x "$answers" ] || die "no $answers: build first"
JVM=(-XX:-OmitStackTraceInFastThrow)
MOMENTS=${MOMENTS:-50} COMMANDS=${COMMANDS:-3}

# check NAME CLASSES [OPTION...]: the trace $WORK/NAME
check() {
    local name=$1 classes=$2; shift 2
    python3 "$HERE/check.py" "$HINDSIGHT" "$answers" "$JDK" "$WORK/$name" "$classes" --moments "$MOMENTS" \
        --commands "$COMMANDS" "$@" >"$WORK/$name.log" 2>&1 && {
        tail -n 1 "$WORK/$name.log"; return; }
    fail "$name on JDK $RELEASE:"; head -c 20000 "$WORK/$name.log"
    echo "    ^ again: JDK=$JDK test/model/run.sh $again"
}
# traced NAME JAVA-ARGUMENT...: records; programs may end with an exception or a status of their own
traced() {
    local name=$1; shift
    record "$WORK/$name" "weave=ALL${OPTIONS:+,$OPTIONS}" "${JVM[@]}" "$@" >"$WORK/$name.out" 2>&1
    [ -d "$WORK/$name" ] || { fail "no trace of $name: $(tail -n 2 "$WORK/$name.out")"; return 1; }
}

case ${1:-} in
--workload)
    again=$* name=$2 events=${3:-300000}
    export SRC=$ROOT/test/workloads/src/$name OUT=$WORK/out PREP=$WORK/prep
    mkdir -p "$OUT" "$PREP"
    needs=$(sed -n 's/^# needs: *//p' "$ROOT/test/workloads/w/$name.sh")
    for package in $needs; do dpkg -s "$package" >/dev/null 2>&1 || skip "$name needs the Debian package $package"; done
    record_workload() ( # w/NAME.sh defines prepare and run, which call jv
        prepare() { :; }
        jv() {
            local i before=
            for i in "$@"; do
                [ "$before" != -cp ] || printf %s "$i" >"$WORK/classpath"
                before=$i
            done
            [ -d "$WORK/$name" ] || traced "$name" "$@" # the first JVM of the workload
        }
        javac() { "${JDK17:-$JDK}/bin/javac" "$@"; }
        # shellcheck disable=SC1090
        . "$ROOT/test/workloads/w/$name.sh"
        cd "$PREP" && prepare && cd "$OUT" && run
    )
    record_workload || [ -d "$WORK/$name" ] || die "cannot run $name: $(tail -n 3 "$WORK/$name.out")"
    check "$name" "$(cat "$WORK/classpath")" --to "$events"
    finish ;;
--program)
    again=$* main=$2; shift 2
    compile "$WORK/c" "$@" || die "the program does not compile"
    traced "$main" -cp "$WORK/c" "$main" && check "$main" "$WORK/c"
    finish ;;
esac
seed=1
[ "${1:-}" != --seed ] || { seed=$2; shift 2; }
[ $seed != jdk ] || seed=$RELEASE # another one for each JDK
count=${1:-5}
for ((first = seed; first < seed + count; first += 10)); do # ten are compiled at once
    classes=$WORK/classes && rm -rf "$classes" && mkdir "$classes"
    end=$((first + 10 < seed + count ? first + 10 : seed + count))
    for ((k = first; k < end; k++)); do
        python3 "$ROOT/test/model/programs/generate.py" "$k" --short >"$classes/P$k.java" || die "no program of seed $k"
    done
    compile "$classes" "$classes"/P*.java || die "javac cannot compile the programs of the seeds $first to $((end - 1))"
    for ((k = first; k < end; k++)); do
        again="--seed $k 1" name=P$k
        traced "$name" -cp "$classes" "$name" && check "$name" "$classes" --seed "$k"
        [ -n "${KEEP:-}" ] || rm -rf "${WORK:?}/$name"*
    done
done
finish "model: $count programs from seed $seed on JDK $RELEASE"
