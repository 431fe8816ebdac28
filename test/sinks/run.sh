#!/bin/bash
# run.sh [WORKLOAD...]: the oracle programs (and workloads) recorded in every format: latest, freq and timing must tell the same as omni.
# ORACLE=no leaves the oracle programs out.
. "$(dirname "$0")/../lib.sh"
same=$ROOT/test/sinks/same.py size=5 weave=EXEC+FIELD+ARRAY
mkdir -p "$WORK/classes"
"${JDK17:-$JDK}/bin/javac" -g --release 17 -d "$WORK/classes" "$ROOT"/test/oracle/src/oracle/*.java || die "the programs do not compile"

for golden in $([ "${ORACLE:-yes}" = no ] || ls "$ROOT"/test/oracle/golden/*.tsv); do
    name=$(basename "$golden" .tsv)
    for format in omni latest freq timing; do
        rm -rf "$WORK/t.$format"
        "$JAVA" -Xverify:all "-agentpath:$AGENT=output=$WORK/t.$format,format=$format,size=$size" -cp "$WORK/classes" "oracle.$name" >"$WORK/out" 2>"$WORK/err" </dev/null ||
            fail "$name with $format: $(tail -n 1 "$WORK/err")"
        cmp -s "$WORK/out" "${golden%.tsv}.stdout" || fail "$name with $format: its output changed"
    done
    echo "$name:"
    python3 "$same" $size "$HINDSIGHT" "$WORK"/t.{omni,latest,freq,timing} || fail "$name: the formats differ"
done

# A workload may start java more than once: the first trace is compared with the first, and so on.
record_workload() { # NAME FORMAT GROUPS FOLDER [JAVA-OPTION]
    rm -rf "${WORK:?}/$4" && mkdir "$WORK/$4"
    JAVA_AGENT_OPT="-agentpath:$AGENT=output=$WORK/$4/{pid},format=$2,size=$size,weave=$3 ${5:-}" TMPDIR=$WORK JAVA=$JAVA \
        PATH=${JDK17:-$JDK}/bin:$PATH "$ROOT/test/workloads/run-all.sh" "$1" >"$WORK/log" 2>&1 || fail "$1 with $2 of $3: $(tail -n 1 "$WORK/log")"
    for trace in "$WORK/$4"/*; do echo "$("$HINDSIGHT" info "$trace" --json | sed -E 's/.*"started":"?([^,"]*).*/\1/') $trace"; done | sort | cut -d' ' -f2 >"$WORK/$4.traces"
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
    [ "$(for f in $folders; do wc -l <"$WORK/$f.traces"; done | sort -u)" = "$n" ] && [ "$n" -gt 0 ] || fail "$name: not as many traces in each format"
    for ((k = 1; k <= n; k++)); do
        echo "$name, run $k of java:"
        # shellcheck disable=SC2046
        python3 "$same" $size "$HINDSIGHT" $(for f in $folders; do sed -n "${k}p" "$WORK/$f.traces"; done) || fail "$name: the formats differ"
    done
done
finish "formats agree on JDK $RELEASE"
