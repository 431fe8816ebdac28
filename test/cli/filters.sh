#!/bin/bash
# Every filter of `print` gives exactly the events that the whole stream has of that kind, in text and in JSON.
#
# test: cli.filters
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT"/test/oracle/src/oracle/*.java || die "the programs do not compile"
for program in Relay Faults; do
    rm -rf "$WORK/t"
    record "$WORK/t" weave=ALL -cp "$WORK/c" oracle.$program >/dev/null 2>"$WORK/err" ||
        die "recording: $(tail -n 3 "$WORK/err")"
    python3 "$ROOT/test/cli/filters.py" "$HINDSIGHT" "$WORK/t" || failures=$((failures + 1))
done
finish
