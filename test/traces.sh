#!/bin/bash
# traces.sh: records every oracle program once in each way that a test looks at, into $BUILD/test/traces/RELEASE: the
# programs' output must be the golden one. oracle.sh, fsck/clean.sh, fsck/mutations.sh and sinks/run.sh take the traces
# from there (oracle_traces of lib.sh).
#
#   PROGRAM/WAY/trace, out, err      WAY: ALL, EXEC, EXEC+CALL+PARAM, EXEC+FIELD+ARRAY, CALL+LABEL with format=omni;
#                                    plain: ALL with derive=off; latest, freq, timing with ALL
. "$(dirname "$0")/lib.sh"
traces=$BUILD/test/traces/$RELEASE
golden=$ROOT/test/oracle/golden
rm -rf "$traces"
RELEASE=17 compile "$WORK/classes" "$ROOT"/test/oracle/src/oracle/*.java || die "the programs do not compile"
[ -e "$golden/Shapes.tsv" ] || die "no golden streams in test/oracle"

recordings=0
for file in "$golden"/*.tsv; do
    name=$(basename "$file" .tsv)
    for way in ALL plain EXEC EXEC+CALL+PARAM EXEC+FIELD+ARRAY CALL+LABEL latest freq timing; do
        case $way in
        latest | freq | timing) options=format=$way,size=5 ;; # sinks/same.py is told the size
        plain) options=format=omni,derive=off ;;
        *) options=format=omni,weave=$way ;;
        esac
        options=$options${HINDSIGHT_AGENT_EXTRA:+,$HINDSIGHT_AGENT_EXTRA}
        checks=-Xverify:all # rules out the archive of the JDK's classes: twice the CPU
        case $way in EXEC | EXEC+FIELD+ARRAY | CALL+LABEL) checks=-Xverify:remote ;; esac
        at=$traces/$name/$way
        mkdir -p "$at"
        timeout -s KILL 120 "$JAVA" $checks "-agentpath:$AGENT=output=$at/trace,$options" -cp "$WORK/classes" \
            "oracle.$name" >"$at/out" 2>"$at/err" </dev/null ||
            fail "$name, $way: exit status $?: $(tail -n 5 "$at/err")"
        cmp -s "$at/out" "$golden/$name.stdout" || {
            fail "$name, $way: its output changed"
            diff "$golden/$name.stdout" "$at/out" | head -n 6
        }
        recordings=$((recordings + 1))
    done
done
[ $failures != 0 ] || touch "$traces/done"
finish "$recordings recordings on JDK $RELEASE"
