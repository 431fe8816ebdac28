#!/bin/bash
# `report` gives no time that the clock cannot know: with the coarse clock short times are absent or shown as `-`, with
# exact ones they are there.
#
# test: cli.report-times
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Slow.java" || die "Slow does not compile"
cd "$WORK" || exit 1
for run in coarse: exact:timestamp=true timing:format=timing; do
    record ${run%%:*} "${run#*:}" -cp c Slow >${run%%:*}.out 2>err || die "recording: $(cat err)"
    "$HINDSIGHT" report ${run%%:*} --json >${run%%:*}.json && "$HINDSIGHT" report ${run%%:*} >${run%%:*}.txt ||
        fail "report ${run%%:*}"
done
for option in --tree "--callers twice" "--callees main" --paths; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" report timing $option >out 2>&1
    [ $? = 1 ] && [ "$(grep -c 'keeps no event stream' out)" = "$(wc -l <out)" ] ||
        fail "format=timing with $option: $(head -n 2 out)"
done
python3 "$ROOT/test/cli/report_times.py" || failures=$((failures + 1))
finish
