#!/bin/bash
# run.sh [WORKLOAD...]: the oracle programs (and workloads) recorded in every format: latest, freq and timing must tell the same as omni.
. "$(dirname "$0")/../lib.sh"
here=$ROOT/test/sinks size=5
mkdir -p "$WORK/classes"
"${JDK17:-$JDK}/bin/javac" -g --release 17 -d "$WORK/classes" "$ROOT"/test/oracle/src/oracle/*.java || die "the programs do not compile"

# tell NAME: the traces omni latest freq timing of $WORK as JSON, compared
tell() {
    local t=$WORK/t
    "$HINDSIGHT" print "$t.omni" --json >"$WORK/omni" && "$HINDSIGHT" latest "$t.latest" --json >"$WORK/latest" &&
        "$HINDSIGHT" freq "$t.freq" --json >"$WORK/freq" && "$HINDSIGHT" report "$t.timing" --json --sort name >"$WORK/timing" &&
        "$HINDSIGHT" report "$t.omni" --json --sort name >"$WORK/report" || { fail "$1: a format cannot be read"; return; }
    echo "$1:"
    python3 "$here/same.py" $size "$WORK/omni" "$WORK/latest" "$WORK/freq" "$WORK/timing" "$WORK/report" || fail "$1: the formats differ"
}

for golden in "$ROOT"/test/oracle/golden/*.tsv; do
    name=$(basename "$golden" .tsv)
    for format in omni latest freq timing; do
        rm -rf "$WORK/t.$format"
        "$JAVA" -Xverify:all "-agentpath:$AGENT=output=$WORK/t.$format,format=$format,size=$size" -cp "$WORK/classes" "oracle.$name" >"$WORK/out" 2>"$WORK/err" </dev/null ||
            fail "$name with $format: $(tail -n 1 "$WORK/err")"
        cmp -s "$WORK/out" "${golden%.tsv}.stdout" || fail "$name with $format: its output changed"
    done
    tell "$name"
done
for name; do
    for format in omni latest freq timing; do
        rm -rf "$WORK/t.$format"
        JAVA_AGENT_OPT="-agentpath:$AGENT=output=$WORK/t.$format,format=$format,size=$size,weave=EXEC+FIELD+ARRAY" TMPDIR=$WORK JAVA=$JAVA \
            "$ROOT/test/workloads/run-all.sh" "$name" >"$WORK/log" 2>&1 || fail "$name with $format: $(tail -n 1 "$WORK/log")"
    done
    tell "$name"
done
finish "formats agree on JDK $RELEASE"
