#!/bin/bash
# run.sh [KILLS]: a recording is killed in several ways; the trace opens and holds everything the program proved it reached.
# KILLS is how many times each kind of kill -9 is tried (default 2; `check --full` 20), after different times.
. "$(dirname "$0")/../lib.sh"
kills=${1:-${HINDSIGHT_KILLS:-2}}
here=$(dirname "$0")
compile "$WORK/classes" "$here/KillMe.java" || die "KillMe does not compile"

# look WHAT THREADS END SURE: the trace against the slots, which the first SURE threads must have reached. A crashed recording is recovered by the command that opens it or, if
# that only says so, by `hindsight recover`; print may say with status 3 that the trace has no clean end.
look() {
    local what=$1 threads=$2 end=$3 sure=$4 status
    "$HINDSIGHT" info "$trace" >"$WORK/info" 2>&1; status=$?
    case $status in 0 | 3) ;; *)
        "$HINDSIGHT" recover "$trace" >"$WORK/recover" 2>&1 || { fail "$what: info: $(head -n 1 "$WORK/info"); recover: $(head -n 1 "$WORK/recover")"; return; } ;;
    esac
    echo "$what:"
    "$HINDSIGHT" print "$trace" --json --event METHOD_PARAM 2>"$WORK/err" | python3 "$here/reached.py" "$slots" "$threads" "$sure"
    local codes=("${PIPESTATUS[@]}")
    [ "${codes[1]}" = 0 ] || fail "$what: $(head -n 1 "$WORK/err")"
    case ${codes[0]} in 0 | 3) ;; *) fail "$what: print exits with status ${codes[0]}: $(head -n 1 "$WORK/err")" ;; esac
    healthy "$trace" "$end" || echo "    ^ $what"
    consistent "$trace" || echo "    ^ $what"
}

fresh() { trace=$WORK/trace; slots=$WORK/slots; rm -rf "$trace"; rm -f "$slots"; head -c 4096 /dev/zero >"$slots"; }
begun() { # waits until the program works
    local i
    for ((i = 0; i < 600; i++)); do
        [ "$(od -An -tu8 -N8 "$slots" | tr -d ' ')" = 0 ] || return 0
        kill -0 "$1" 2>/dev/null || return 1
        sleep 0.05
    done
    return 1
}

for weave in ${WEAVES-EXEC+CALL+PARAM ALL}; do
    for threads in 1 3; do
        for ((k = 0; k < kills; k++)); do
            for signal in KILL SEGV TERM; do
                [ $signal = KILL ] || [ $k = 0 ] || continue
                fresh
                "$JAVA" "-agentpath:$AGENT=output=$trace,format=omni,weave=$weave,e=KillMe\$Pace" -Xmx256m -XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null \
                    -cp "$WORK/classes" KillMe "$slots" $threads loop >/dev/null 2>"$WORK/stderr" &
                pid=$!
                begun $pid || { kill -9 $pid; wait $pid; fail "the program does not begin: $(tail -n 2 "$WORK/stderr")"; continue; }
                sleep "0.$((k * 37 % 90 + 10))"
                kill -$signal $pid
                wait $pid 2>/dev/null
                case $signal in TERM) end=clean sure=0 ;; *) end=crashed sure=$threads ;; esac
                look "$signal with $weave, $threads threads" $threads $end $sure
            done
        done
    done
    for how in halt exit throw; do
        fresh
        record "$trace" "weave=$weave,e=KillMe\$Pace" -cp "$WORK/classes" KillMe "$slots" 2 $how 200000 >/dev/null 2>"$WORK/stderr"
        status=$?
        case $how in throw) want=1 ;; *) want=7 ;; esac
        [ $status = $want ] || fail "$how: exit status $status: $(tail -n 2 "$WORK/stderr")"
        look "$how with $weave" 2 clean 1
    done
done

# The formats without a stream: what is counted is counted once, whatever was half done.
for format in latest freq timing; do
    for threads in 1 3; do
        for ((k = 0; k < kills; k++)); do
            fresh
            "$JAVA" "-agentpath:$AGENT=output=$trace,format=$format,e=KillMe\$Pace" -Xmx256m -XX:-CreateCoredumpOnCrash -cp "$WORK/classes" KillMe "$slots" $threads loop \
                >/dev/null 2>"$WORK/stderr" &
            pid=$!
            begun $pid || { kill -9 $pid; wait $pid; fail "the program does not begin: $(tail -n 2 "$WORK/stderr")"; continue; }
            sleep "$((k % 3)).$((k * 37 % 90 + 10))"
            kill -KILL $pid
            wait $pid 2>/dev/null
            command=freq; [ $format != latest ] || command=latest
            echo "KILL with $format, $threads threads:"
            "$HINDSIGHT" $command "$trace" --json 2>"$WORK/err" | python3 "$(dirname "$0")/tallied.py" "$slots" $threads $format || fail "$format, $threads threads: $(head -n 1 "$WORK/err")"
            healthy "$trace" crashed || echo "    ^ $format"
            [ ! -e "$trace/state" ] || fail "$format: the state is still there"
        done
    done
done
finish "killed recordings hold all that was reached, on JDK $RELEASE"
