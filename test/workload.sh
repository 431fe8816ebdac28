#!/bin/bash
# workload.sh NAME... [--weave GROUPS] [--fsck] [--all]: workloads recorded on the JDK under test: same output, nothing
# lost, clean end; with --fsck traces of ALL are proved consistent, too (minutes for large ones). Default groups:
# EXEC+CALL+PARAM and then ALL. `--all` runs every workload of test/workloads (run its install.sh before).
. "$(dirname "$0")/lib.sh"
names=() groups=() prove=
while [ $# -gt 0 ]; do
    case $1 in
    --weave) groups+=("$2"); shift ;;
    --fsck) prove=ALL ;;
    --all) for f in "$ROOT"/test/workloads/w/*.sh; do f=${f##*/}; names+=("${f%.sh}"); done ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#groups[@]} -gt 0 ] || groups=(EXEC+CALL+PARAM ALL)
export TMPDIR=$WORK JAVA
# the workloads are compiled by the plain javac, which is 17: their libraries read no newer classes
PATH=${JDK17:-$JDK}/bin:$PATH
ran=0 left=0 extra=${HINDSIGHT_AGENT_EXTRA:+,$HINDSIGHT_AGENT_EXTRA}
for name in "${names[@]}"; do
    for weave in "${groups[@]}"; do
        traces=$WORK/traces; rm -rf "$traces"; mkdir -p "$traces"
        # {pid}: some workloads run java more than once
        JAVA_AGENT_OPT="-agentpath:$AGENT=output=$traces/@W@-{pid},format=omni,weave=$weave$extra" \
            "$ROOT/test/workloads/run-all.sh" "$name" >"$WORK/log" 2>&1
        status=$?
        if grep -q skipped "$WORK/log"; then tail -n +2 "$WORK/log"; left=$((left + 1)); continue 2; fi
        echo "$weave $(tail -n +2 "$WORK/log")"
        ran=$((ran + 1))
        if [ $status != 0 ]; then
            fail "$name with $weave"
            for f in "$WORK"/workloads.*/"$name"/diff "$WORK"/workloads.*/"$name"/agent/stderr; do
                [ ! -e "$f" ] || { echo "--- ${f#"$WORK"/}"; tail -n 15 "$f"; }
            done
            for f in plain agent; do cp "$WORK"/workloads.*/"$name/$f/stdout" "$WORK/$f.stdout" 2>/dev/null; done
            diff "$WORK/plain.stdout" "$WORK/agent.stdout" 2>/dev/null | head -n 10
        fi
        found=0
        for trace in "$traces"/*; do
            [ -d "$trace" ] || continue
            found=1
            healthy "$trace"
            [ "$weave" != "$prove" ] || consistent "$trace"
        done
        [ $found = 1 ] || fail "$name with $weave left no trace"
        rm -rf "$traces" "$WORK"/workloads.*
    done
done
[ $ran -gt 0 ] || [ $failures -gt 0 ] || skip "none of the workloads could run"
finish "$ran recorded runs as without, $left workloads left out"
