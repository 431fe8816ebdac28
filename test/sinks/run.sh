#!/bin/bash
# run.sh [WORKLOAD...]: the oracle programs (and workloads) recorded in every format: latest, freq and timing must tell
# the same as omni. ORACLE=no leaves the oracle programs out.
#
# test: sinks
# labels: sinks slow
# jdks: all
# needs: traces
# limit: 900 s
# full: ecj rhino jackson
# full limit: 7200 s
. "$(dirname "$0")/../lib.sh"
same=$ROOT/test/sinks/same.py size=5 weave=EXEC+FIELD+ARRAY
last_events=$BUILD/test/last_events still_clock=$BUILD/test/libstill_clock.so
[ -x "$last_events" ] && [ -e "$still_clock" ] || die "no $last_events or no $still_clock: build first"
[ "${ORACLE:-yes}" = no ] || {
    oracle_traces
    for program in "$TRACES"/*/; do
        name=$(basename "$program") traces=("$program"{ALL,latest,freq,timing}/trace)
        python3 "$ROOT/test/sinks/printed.py" $size "$HINDSIGHT" "$last_events" "${traces[0]}" ||
            fail "$name: last_events does not tell what print shows"
        echo "$name:"
        python3 "$same" $size "$HINDSIGHT" "$last_events" "${traces[@]}" || fail "$name: the formats differ"
    done
}

# Loops whose events the hooks keep by themselves. One thread: the program is the same each time, to the last event.
compile "$WORK/hot" "$ROOT"/test/sinks/{Hot,Rounds,Spin}.java || die "Hot, Rounds and Spin do not compile"
for program in "Hot 1 12000" "Hot 3 6000" "Rounds 1500"; do
    for format in omni latest freq timing; do
        rm -rf "$WORK/t.$format"
        # shellcheck disable=SC2086
        "$JAVA" "-agentpath:$AGENT=output=$WORK/t.$format,format=$format,size=$size" -cp "$WORK/hot" $program \
            >"$WORK/out.$format" 2>"$WORK/err" </dev/null ||
            fail "$program with $format: $(tail -n 1 "$WORK/err")"
        cmp -s "$WORK/out.omni" "$WORK/out.$format" || fail "$program with $format: its output changed"
    done
    echo "$program:"
    python3 "$same" $size "$HINDSIGHT" "$last_events" "$WORK"/t.{omni,latest,freq,timing} ||
        fail "$program: the formats differ"
done

# Without EXEC nothing but the counters of loops needs a handler.
for groups in LINE LABEL FIELD+ARRAY LOCAL+OBJECT+SYNC; do
    for format in omni freq latest; do
        "$JAVA" "-agentpath:$AGENT=output=$WORK/$groups.$format,format=$format,weave=$groups" -Xverify:all \
            -cp "$WORK/hot" Rounds 300 >"$WORK/out" 2>"$WORK/err" || fail "Rounds, $groups: $(tail -n 1 "$WORK/err")"
        "$HINDSIGHT" freq --json "$WORK/$groups.$format" >"$WORK/counts.$format" || fail "Rounds, $groups: no counts"
    done
    [ -s "$WORK/counts.omni" ] && cmp "$WORK/counts.omni" "$WORK/counts.freq" ||
        fail "Rounds: $groups was counted wrong"
    cmp "$WORK/counts.omni" "$WORK/counts.latest" || fail "Rounds: latest has another number of $groups"
done

# More rounds than a loop counts in local variables (LOOP_ROUNDS in formats/journal.h), each with the same events.
"$JAVA" "-agentpath:$AGENT=output=$WORK/long,format=freq" -cp "$WORK/hot" Rounds long >/dev/null 2>"$WORK/err" ||
    fail "Rounds long: $(tail -n 1 "$WORK/err")"
line=$(grep -n "x \* 31" "$ROOT/test/sinks/Rounds.java" | cut -d: -f1)
counts=$("$HINDSIGHT" freq "$WORK/long" --json |
    sed -nE 's/.*"method":"spin".*"line":'"$line"',.*"count":([0-9]+).*/\1/p' |
    sort -n | uniq -c | awk '{ print $1 "x" $2 }' | tr '\n' ' ')
[ "$counts" = "2x1 5x40000000 3x40000001 " ] || fail "Rounds long: its loop was counted $counts"

# The same seen at any moment: while the program runs, in a second period, after kill -9. Counts never go back.
spinning() { # WHAT: looks at the trace
    "$HINDSIGHT" latest "$WORK/spin" --json >"$WORK/latest" 2>"$WORK/err" || [ $? = 3 ] ||
        fail "Spin, $1: $(head -n 1 "$WORK/err")"
    echo "Spin, $1:"
    python3 "$ROOT/test/sinks/consecutive.py" $size "$WORK/latest" || fail "Spin, $1: what is kept is not the end"
    "$HINDSIGHT" freq "$WORK/spin" --json 2>/dev/null |
        sed -nE 's/.*"dataid":([0-9]+).*"count":([0-9]+).*/\1 \2/p' >"$WORK/now"
    awk 'FILENAME ~ /was$/ { was[$1] = $2; next } { n++ } $2 < was[$1] { bad = 1 } END { exit bad || n == 0 }' \
        "$WORK/was" "$WORK/now" || fail "Spin, $1: a count went back"
    mv "$WORK/now" "$WORK/was"
}
rm -rf "$WORK/spin"; : >"$WORK/was"
"$JAVA" "-agentpath:$AGENT=output=$WORK/spin,format=latest,size=$size,weave=ARRAY+LOCAL" -cp "$WORK/hot" Spin \
    >/dev/null 2>&1 &
spin=$!
until_events "$WORK/spin" 1000000 # it is compiled then
for k in 1 2 3 4; do
    "$HINDSIGHT" snapshot "$WORK/spin" >/dev/null || fail "no snapshot"
    spinning "snapshot $k"
    until_events "$WORK/spin" "$(events_now "$WORK/spin")"
done
"$HINDSIGHT" stop "$WORK/spin" >/dev/null || fail "it does not stop"
spinning stopped
"$HINDSIGHT" start "$WORK/spin" >/dev/null || fail "it does not start again"
until_events "$WORK/spin" "$(($(events_now "$WORK/spin") + 1000000))"
"$HINDSIGHT" snapshot "$WORK/spin" >/dev/null || fail "no snapshot"
spinning "second period"
kill -9 $spin
wait $spin 2>/dev/null
spinning killed
consistent "$WORK/spin"

# What workloads do by chance is taken from them where that is possible.
# - The time they see stands still (still_clock.c).
# - -Xverify:all, which run-all.sh sets, rules out the JVM's archive of its own classes (CDS). Reflection then lists
#   methods in another order in each run (by addresses of symbols), without any agent. -Xverify:remote, behind it, is
#   the default: all that is woven here is verified still.
printf \
    '#!/bin/sh\nLD_PRELOAD=%q exec %q -XX:+UnlockDiagnosticVMOptions -XX:DisableIntrinsic=_currentTimeMillis "$@"\n' \
    "$still_clock" "$JAVA" >"$WORK/java.still"
chmod +x "$WORK/java.still"

# A workload may start java more than once: the first trace is compared with the first, and so on.
record_workload() { # NAME FORMAT GROUPS FOLDER [JAVA-OPTION]
    rm -rf "${WORK:?}/$4" && mkdir "$WORK/$4"
    JAVA_AGENT_OPT="-Xverify:remote -agentpath:$AGENT=output=$WORK/$4/{pid},format=$2,size=$size,weave=$3 ${5:-}" \
        TMPDIR=$WORK JAVA=$WORK/java.still \
        PATH=${JDK17:-$JDK}/bin:$PATH "$ROOT/test/workloads/run-all.sh" "$1" >"$WORK/log" 2>&1 ||
        fail "$1 with $2 of $3: $(tail -n 1 "$WORK/log")"
    for trace in "$WORK/$4"/*; do
        echo "$("$HINDSIGHT" info "$trace" --json | sed -E 's/.*"started":"?([^,"]*).*/\1/') $trace"
    done |
        sort |
        cut -d' ' -f2 >"$WORK/$4.traces"
}
folders="omni latest freq timing again objects calls exec all"
for name; do
    record_workload "$name" omni $weave omni
    record_workload "$name" latest $weave latest
    record_workload "$name" freq $weave freq
    record_workload "$name" timing $weave timing
    record_workload "$name" omni $weave again
    record_workload "$name" omni $weave+OBJECT objects
    record_workload "$name" omni $weave+CALL+PARAM calls -XX:TieredStopAtLevel=1
    record_workload "$name" omni EXEC exec
    record_workload "$name" omni ALL all
    n=$(wc -l <"$WORK/omni.traces")
    [ "$(for f in $folders; do wc -l <"$WORK/$f.traces"; done | sort -u)" = "$n" ] && [ "$n" -gt 0 ] ||
        fail "$name: not as many traces in each format"
    for ((k = 1; k <= n; k++)); do
        echo "$name, run $k of java:"
        before=$SECONDS
        # shellcheck disable=SC2046
        python3 "$same" $size "$HINDSIGHT" "$last_events" \
            $(for f in $folders; do sed -n "${k}p" "$WORK/$f.traces"; done) || fail "$name: the formats differ"
        echo "    compared in $((SECONDS - before)) s"
    done
done
finish "formats agree on JDK $RELEASE"
