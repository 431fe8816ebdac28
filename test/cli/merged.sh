#!/bin/bash
# `latest --merged`: the kept events of all rings as one timeline, compared with what a program prints of its own calls,
# with format=latest of several sizes, a snapshot and format=omni. The rings of a method hold its last calls; a frame
# that is shown was open, and each one that must be known is shown.
#
# test: cli.merged
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Timeline.java" || die "Timeline does not compile"
cd "$WORK" || exit 1
for size in 3 7 1000; do
    record "rings$size" "format=latest,size=$size,weave=EXEC+PARAM,e=Timeline.open" -cp c Timeline \
        >"rings$size.out" 2>err || die "recording: $(cat err)"
    "$HINDSIGHT" latest "rings$size" --merged --json >"rings$size.json" || fail "latest --merged of size $size"
done
record omni "weave=EXEC+PARAM" -cp c Timeline >omni.out 2>err || die "recording: $(cat err)"
"$HINDSIGHT" latest omni --merged --json >omni.json || fail "latest --merged of omni"
record saved "format=latest,size=7,weave=EXEC+PARAM,logend=Timeline#rare#.*#METHOD_NORMAL_EXIT,logsave=snapshot" \
    -cp c Timeline >saved.out 2>err || die "recording: $(cat err)"
python3 "$ROOT/test/cli/merged.py" "$HINDSIGHT" "${EXAMPLES:-$BUILD/examples}" || failures=$((failures + 1))
finish
