#!/bin/bash
# The format selogger, read as SELogger 0.6 documents it (selogger.py): the streams of oracle programs are the golden
# ones, which SELogger recorded; counts and last values are those of the events, in recordings of each format.
#
# test: export.selogger
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
read_it() { python3 "$HERE/selogger.py" "$@"; }

for program in Faults Grids; do
    compile oracle "$ROOT/test/oracle/src/oracle/$program.java" -- -g --release 17 || die "$program does not compile"
    record $program "" -cp oracle oracle.$program >out 2>err || die "recording: $(cat err)"
    "$HINDSIGHT" export $program --to selogger -o $program.selogger || fail "$program is not exported"
    read_it events $program.selogger >$program.jsonl || fail "$program cannot be read"
    python3 "$ROOT/test/oracle/compare.py" "$ROOT/test/oracle/golden/$program.tsv" $program.jsonl ||
        fail "$program is not the golden stream"
done

sample t
"$HINDSIGHT" print t --json >t.jsonl
"$HINDSIGHT" export t --to selogger -o t.selogger || fail "not exported"
read_it values t.selogger t.jsonl || fail "last values"
read_it events t.selogger >t.events || fail "cannot be read"
python3 "$ROOT/test/clients/export/selogger_events.py" t.jsonl t.events || fail "the stream is not that of print"
exceptions="t.selogger/LOG\$Exceptions00001.txt"
head -n 3 "$exceptions" | tr '\n' ' ' |
    grep -qE '^([0-9]+),M,no "money";\\n\\tfor o.wner "x" \1,CS,0 \1,S,F,Sampler\$Account,c' ||
    fail "exceptions: $(head -n 3 "$exceptions")"

for format in latest freq; do
    sample $format 5 format=$format
    "$HINDSIGHT" export $format --to selogger -o $format.selogger || fail "$format is not exported"
    read_it same t.selogger $format.selogger || fail "$format"
done

# a filter selects events of the stream; what counts over the whole trace is left out
"$HINDSIGHT" export t --to selogger --method loop -o loop || fail "with a filter"
[ "$(find loop -name '*.slg' -size -99k)" = loop/log-00001.slg ] && [ ! -e loop/trace.json ] || fail "$(ls loop)"
events=$("$HINDSIGHT" print t --method loop --json | wc -l)
[ "$(stat -c %s loop/log-00001.slg)" = $((16 * events)) ] || fail "not the $events events of loop"
one_line 2 "no stream" "$HINDSIGHT" export freq --to selogger --method loop -o x
one_line 2 "several files" "$HINDSIGHT" export t --to selogger
one_line 1 "not empty" "$HINDSIGHT" export t --to selogger -o t.selogger
finish
