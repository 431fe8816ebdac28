#!/bin/bash
# run.sh [--seed N|jdk] [COUNT]: random Java programs (generate.py), from seed N on, plain and recorded. Of each:
#
#   - output and exit status are the same in every run, with everything woven and verified
#   - the trace of everything (weave=ALL) is clean, complete, and holds against fsck
#   - with some of the groups, by chance: as well, and at each location there are as many events, of the same values
#   (groups.py)
#   - with order=total, where no two instructions share a record: the same events in the same order, to the last value
#   (one thread)
#   - with derive=on, where hooks record inputs alone and the reader executes the code: likewise; also with half of the
#   classes excluded, so that code which is not woven stands between code that is
#   - latest, freq and timing tell the same as omni (test/sinks/same.py)
#
# Programs are compiled by javac; of every third seed there is another one, for the Eclipse compiler. What fails is
# named with the command that repeats it; its source is kept in the build folder. KEEP=1 keeps traces and all.
#
# test: programs
# labels: programs slow
# jdks: all
# limit: 900 s
# short: --seed jdk 1
# long: --seed jdk 3
# full: --seed 1000 200
# full limit: 7200 s
. "$(dirname "$0")/../../lib.sh"
seed=1 size=5
[ "${1:-}" != --seed ] || { seed=$2; shift 2; }
[ $seed != jdk ] || seed=$(((RELEASE + 2) / 3 * 3)) # another one for each JDK, which the Eclipse compiler takes too
count=${1:-10} here=$ROOT/test/model/programs
last_events=$BUILD/test/last_events same=$ROOT/test/sinks/same.py
[ -x "$last_events" ] || die "no $last_events: build first"
ecj=/usr/share/java/eclipse-jdt-core.jar
[ -e $ecj ] || die "no $ecj (test/packages.sh): programs compiled by the Eclipse compiler cannot be tried"
# Exceptions of compiled code lose their stack traces after a while, with any agent or none:
# -XX:-OmitStackTraceInFastThrow.
JVM=(-Xverify:all -XX:-OmitStackTraceInFastThrow)

# run FOLDER [AGENT-OPTIONS]: leaves stdout, stderr and status in FOLDER, and a trace
run() {
    mkdir "$1"
    timeout -s KILL 120 "$JAVA" ${2:+"-agentpath:$AGENT=output=$1/trace,size=$size,$2"} "${JVM[@]}" -cp "$classes" \
        "$name" >"$1/stdout" 2>"$1/all" </dev/null
    echo $? >"$1/status"
    grep -vE '^(hindsight: |OpenJDK 64-Bit Server VM warning: |WARNING: )' "$1/all" >"$1/stderr"
}
wrong() { # WHAT [FILE]: of the program at hand
    fail "$name by $compiler on JDK $RELEASE: $1"
    [ -z "${2:-}" ] || head -n 6 "$2"
}
recorded() { # FOLDER AGENT-OPTIONS: does what it did without us
    run "$1" "$2"
    local f
    for f in status stdout stderr; do
        cmp -s "$WORK/plain/$f" "$1/$f" || {
            wrong "$f is not as without, with $2"
            diff "$WORK/plain/$f" "$1/$f" | head -n 6
        }
    done
    [ -d "$1/trace" ] || { wrong "no trace with $2" "$1/all"; return 1; }
}
sound() { # FOLDER AGENT-OPTIONS: as above, and its trace is whole
    recorded "$1" "$2" || return 1
    healthy "$1/trace" >"$WORK/log" || wrong "not healthy with $2" "$WORK/log"
    consistent "$1/trace" || wrong "fsck with $2"
}
stream() { "$HINDSIGHT" print "$WORK/$1/trace" | sed 's/Lambda[^ #]*/Lambda/g'; } # whose names hold addresses
excluded() { # options that exclude half of the nested classes, another half for each seed
    local class
    for class in "$classes/$name"\$*.class; do
        class=$(basename "$class" .class)
        [ $(($(printf %s "$class" | cksum | cut -d' ' -f1) / 7 % 2)) = 0 ] || printf ',e=%s' "$class"
    done
}
one() { # the program $name of $classes, with all that is asked of it
    rm -rf "$WORK"/{plain,all,some,total,derived,mixed,mixedderived,latest,freq,timing}
    run "$WORK/plain"
    case $(cat "$WORK/plain/status") in
    0 | 1 | 3) ;;
    *) wrong "does not run by itself" "$WORK/plain/stderr"; return ;;
    esac
    grep -q "^$name " "$WORK/plain/stdout" || wrong "did not come to its end by itself" "$WORK/plain/stderr"
    sound "$WORK/all" format=omni,derive=off || return
    sound "$WORK/some" "format=omni,weave=$groups" || return
    python3 "$here/groups.py" $size "$HINDSIGHT" "$last_events" "$WORK/all/trace" "$WORK/some/trace" \
        "$ROOT/formats/events.def" >"$WORK/log" ||
        wrong "events differ with $groups alone" "$WORK/log"
    if [ "$threads" = 0 ]; then
        recorded "$WORK/total" format=omni,order=total,derive=off || return
        cmp <(stream all) <(stream total) >"$WORK/log" 2>&1 || wrong "order=total has other events" "$WORK/log"
    fi
    sound "$WORK/derived" format=omni,derive=on || return
    if [ "$threads" = 0 ]; then
        cmp <(stream all) <(stream derived) >"$WORK/log" 2>&1 || wrong "derive=on has other events" "$WORK/log"
    fi
    local without
    without=$(excluded)
    sound "$WORK/mixed" "format=omni,derive=off$without" || return
    sound "$WORK/mixedderived" "format=omni,derive=on$without" || return
    if [ "$threads" = 0 ]; then
        cmp <(stream mixed) <(stream mixedderived) >"$WORK/log" 2>&1 ||
            wrong "derive=on$without has other events" "$WORK/log"
    else
        "$BUILD/bench/bench_derive" -i "$WORK/mixed/trace" >"$WORK/log" 2>&1
        grep -q 'wrong chunks 0 of [1-9]' "$WORK/log" ||
            wrong "bench_derive -i with $without" "$WORK/log"
    fi
    for format in latest freq timing; do recorded "$WORK/$format" format=$format || return; done
    python3 "$same" $size "$HINDSIGHT" "$last_events" "$WORK"/{all,latest,freq,timing}/trace >"$WORK/log" ||
        wrong "the formats differ" "$WORK/log"
    events=$(sed -nE 's/^ *([0-9]+) events.*/\1/p' "$WORK/log")
    total=$((total + ${events:-0})) programs=$((programs + 1))
}

short=; [ "${HINDSIGHT_TEST_SIZE:-long}" != short ] || short=--short
write() { # FOLDER OPTION...: the program of seed $k
    python3 "$here/generate.py" "$k" $short "${@:2}" >"$1/P$k.java" || die "no program of seed $k"
}
mkdir "$WORK"/{javac,ecj}
for ((k = seed; k < seed + count; k++)); do
    write "$WORK/javac"
    [ $((k % 3)) != 0 ] || write "$WORK/ecj" --no-switch-expressions
done
compile "$WORK/javac" "$WORK"/javac/P*.java ||
    die "javac cannot compile the programs of the seeds $seed to $((seed + count - 1))"
if [ -n "$(ls "$WORK/ecj")" ]; then
    "$JAVA" -cp $ecj org.eclipse.jdt.internal.compiler.batch.Main -17 -g -proc:none -nowarn -d "$WORK/ecj" \
        "$WORK"/ecj/P*.java ||
        die "the Eclipse compiler cannot compile the programs of the seeds $seed to $((seed + count - 1))"
fi

total=0 programs=0
for ((k = seed; k < seed + count; k++)); do
    name=P$k
    for compiler in javac ecj; do
        classes=$WORK/$compiler before=$failures
        [ -e "$classes/$name.java" ] || continue
        read -r _ _ threads _ groups <"$classes/$name.java"
        one
        [ "$failures" != "$before" ] || continue
        kept=$BUILD/test/programs/$compiler && mkdir -p "$kept" && cp "$classes/$name.java" "$kept/"
        echo "    ^ $kept/$name.java; again: JDK=$JDK test/model/programs/run.sh --seed $k 1"
    done
    [ -n "${KEEP:-}" ] || rm -rf "$WORK"/{plain,all,some,total,derived,mixed,mixedderived,latest,freq,timing}
done
finish "programs: $programs programs of $count seeds from $seed, $total events, on JDK $RELEASE"
