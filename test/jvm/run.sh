#!/bin/bash
# run.sh FILE.java: runs a program plain and recorded; output and exit status must be equal, and the events as it says.
#
# Both runs have -Xverify:all -Xcheck:jni (`// checkjni: no` leaves the latter out). Comments in the source direct the
# test (each at the start of a line):
#
#   // javac: OPTIONS      compiler options (default -g --release 17)
#   // java: N             smallest JDK release       // labels: slow  `./check` leaves it to CI (both read by CMake)
#   // jvm: OPTIONS        more options for both runs                        // args: WORDS arguments of the program
#   // long: WORDS          other arguments in the long and full sizes (HINDSIGHT_TEST_SIZE)
#   // classes: FILE...    more sources to compile, beside this one
#   // main: NAME          class to run (default: the file's)
#   // agent: OPTIONS [| JVM OPTIONS [| FIRST..LAST]]   one recorded run with these agent options, and JVM options that
#                          it alone has; several lines give several runs (default weave=ALL). A JVM must take the
#                          options, if its release is in that range (either end may be missing); one built without a
#                          garbage collector is left out. With a format= of its own a run has no events to look at.
#                          The lines below belong to the last `agent:` before them, or to every run if there is none.
#   // javaagent: CLASS     both runs have a Java agent: a jar of all classes, with this Premain-Class
#   // expect: PATTERN     an event after the one expected before
#   // next: PATTERN       the next event of that thread
#   // never: PATTERN      no event at all matches                      // count: N PATTERN   exactly N events match
#   // rewind              the next `expect:` looks from the start      // info: PATTERN      `info --json` matches
#   // print: OPTIONS       filters for `print`, where all events would be too many: the directions see only what passes
#   // check: SCRIPT        a Python script of this folder that gets the JSON events of each run and fails with a line
#   // end: WORD           how the recording ended (default clean)
#   // stderr: PATTERN     a line of the recorded run's stderr
#
# HINDSIGHT_AGENT_EXTRA has more agent options for every run that names no format (derive.sh).
#
# A PATTERN must be found in an event's line; * stands for anything, all else for itself. The line of an event is
#     EVENT Class.method(desc) pc N line N value V k=v;k=v
# with V as in test/oracle/README.md: `-` none, null, integers, true/false, floats as printed, #N:type a reference
# numbered by first appearance, #N:java.lang.String="text" (and ` cut of LENGTH`). `KEEP=1 run.sh FILE.java` leaves the
# lines in the scratch folder (events.N.txt).
. "$(dirname "$0")/../lib.sh"
source=$(realpath "$1"); name=$(basename "$source" .java)
field() { sed -n "s|^// *$1: *||p" "$source"; }
read -r -a jvm_options <<<"$(field jvm | head -n 1)"
read -r -a arguments <<<"$(field args | head -n 1)"
longer=$(field long | head -n 1)
[ -z "$longer" ] || [ "${HINDSIGHT_TEST_SIZE:-short}" = short ] || read -r -a arguments <<<"$longer"
read -r -a filters <<<"$(field print | head -n 1)"
main=$(field main | head -n 1); main=${main:-$name}
more=(); for f in $(field classes); do more+=("$(dirname "$source")/$f"); done

compile "$WORK/classes" "$source" "${more[@]}" || die "$name does not compile"
export HINDSIGHT_CLASSES=$WORK/classes # for programs that load classes themselves
javaagent=$(field javaagent | head -n 1)
if [ -n "$javaagent" ]; then
    printf 'Premain-Class: %s\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n' "$javaagent" \
        >"$WORK/manifest"
    "$JDK/bin/jar" cfm "$WORK/agent.jar" "$WORK/manifest" -C "$WORK/classes" . || die "no jar of the Java agent"
    jvm_options+=("-javaagent:$WORK/agent.jar")
fi
checks=(-Xverify:all -Xcheck:jni); [ -z "$(field checkjni)" ] || checks=(-Xverify:all)
start() { # RUN OPTIONS...: in a folder of its own, leaves stdout stderr status
    local dir=$WORK/$1; shift
    mkdir -p "$dir/cwd"
    (
        cd "$dir/cwd" &&
            timeout -s KILL "${LIMIT:-240}" "$JAVA" "$@" "${jvm_options[@]}" "${checks[@]}" -cp "$WORK/classes" \
                "$main" "${arguments[@]}"
    ) >"$dir/stdout" 2>"$dir/stderr" </dev/null
    echo $? >"$dir/status"
}

start plain
mapfile -t runs < <(field agent); [ ${#runs[@]} -gt 0 ] || runs=(weave=ALL)
n=0 ran=0
for options in "${runs[@]}"; do
    n=$((n + 1)); dir=$WORK/run$n; trace=$dir/trace
    extra=() range=..
    case $options in *' | '*' | '*) range=${options##* | }; options=${options% | *} ;; esac
    case $options in *' | '*) read -r -a extra <<<"${options#* | }"; options=${options%% | *} ;; esac
    [[ $range =~ ^([0-9]*)\.\.([0-9]*)$ ]] || die "$name: run $n: '$range' is no range FIRST..LAST of releases"
    [ "$RELEASE" -ge "${BASH_REMATCH[1]:-0}" ] && [ "$RELEASE" -le "${BASH_REMATCH[2]:-999}" ] || {
        echo "left out: ${extra[*]} is of JDK $range"
        continue
    }
    if [ ${#extra[@]} -gt 0 ] && ! "$JAVA" "${extra[@]}" -version >"$WORK/version" 2>&1; then
        if grep -q "^Error: .*GC not supported\|Option -XX:+Use[A-Za-z]*GC not supported" "$WORK/version"; then
            echo "left out: $(head -n 1 "$WORK/version")"
        else
            fail "run $n: the JVM refuses ${extra[*]}: $(head -n 1 "$WORK/version")"
        fi
        continue
    fi
    ran=$((ran + 1))
    case ,$options in *,format=*) ;; *) options=${HINDSIGHT_AGENT_EXTRA:+$HINDSIGHT_AGENT_EXTRA,}$options ;; esac
    start "run$n" "-agentpath:$AGENT=output=$trace,format=omni,$options" "${extra[@]}"
    before=$failures
    cmp -s "$WORK/plain/status" "$dir/status" ||
        fail "exit status $(cat "$WORK/plain/status") became $(cat "$dir/status")"
    cmp -s "$WORK/plain/stdout" "$dir/stdout" || {
        fail "its output changed"
        diff "$WORK/plain/stdout" "$dir/stdout" | head -n 20
    }
    # the program's own standard error must not change either, but for our one closing line and the JVM's notes
    for r in plain "run$n"; do
        grep -vE '^(hindsight: |OpenJDK 64-Bit Server VM warning: |WARNING: )' "$WORK/$r/stderr" >"$WORK/$r/stderr.own"
    done
    cmp -s "$WORK/plain/stderr.own" "$dir/stderr.own" || {
        fail "its standard error changed"
        diff "$WORK/plain/stderr.own" "$dir/stderr.own" | head -n 20
    }
    end=$(field end | head -n 1)
    if [ ! -d "$trace" ]; then fail "no trace"; tail -n 5 "$dir/stderr"; continue; fi
    healthy "$trace" "${end:-clean}"
    "$HINDSIGHT" info "$trace" --json >"$dir/info.json" 2>/dev/null
    : >"$dir/events.jsonl"
    status=0
    case ,$options in
    *,format=*) ;; # it keeps no stream
    *) "$HINDSIGHT" print "$trace" --json "${filters[@]}" >"$dir/events.jsonl" 2>"$dir/print.err"; status=$? ;;
    esac
    [ $status = 0 ] || { [ "${end:-clean}" != clean ] && [ $status = 3 ]; } ||
        fail "print exits with status $status: $(head -n 1 "$dir/print.err")"
    python3 "$(dirname "$0")/expect.py" "$source" $n "$dir/events.jsonl" "$dir/info.json" "$dir/stderr" \
        >"$dir/expect.log" || { cat "$dir/expect.log"; failures=$((failures + 1)); }
    for script in $(field check); do
        HINDSIGHT=$HINDSIGHT python3 "$(dirname "$0")/$script" "$dir/events.jsonl" || failures=$((failures + 1))
    done
    consistent "$trace"
    [ -n "${KEEP:-}" ] || rm -rf "$trace" "$dir/events.jsonl"
    [ -z "${KEEP:-}" ] || python3 "$(dirname "$0")/expect.py" --lines "$dir/events.jsonl" >"$WORK/events.$n.txt"
    [ "$failures" = "$before" ] || echo "    ^ with $options ${extra[*]} on JDK $RELEASE"
done
[ $ran -gt 0 ] || fail "no run at all"
finish "$name: $ran of $n recorded runs, all as without, on JDK $RELEASE"
