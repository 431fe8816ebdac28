#!/bin/bash
# What all formats of `export` have in common: the file appears when it is whole; wrong arguments, Ctrl-C, a full disk
# and a closed pipe give one line and leave nothing; filters and --limit select what print selects.
#
# test: export.files
# labels: export slow
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
sample t

# every format writes something, for its owner alone, and nothing stays beside it
formats=$("$HINDSIGHT" export t --to nothing 2>&1 | sed "s,.*there are ,,; s,|, ,g; s, clickhouse,,") # that has no file
[ -n "$formats" ] || fail "no formats"
mkdir out
umask 022
for format in $formats; do
    "$HINDSIGHT" export t --to "$format" -o "out/$format" 2>err || fail "$format: $(cat err)"
    [ -s "out/$format" ] || fail "$format: nothing was written"
done
others=$(find out -mindepth 1 -perm /077)
[ -z "$others" ] || fail "others can read: $(echo "$others" | tr '\n' ' ')"
# shellcheck disable=SC2012
[ "$(ls -A out | wc -l)" = "$(echo "$formats" | wc -w)" ] || fail "more than the formats: $(ls -A out)"

# the filters of print
"$HINDSIGHT" print t --json >all
"$HINDSIGHT" export t --to jsonl -o all.jsonl && cmp all all.jsonl || fail "jsonl is not print --json"
"$HINDSIGHT" export t --to jsonl | cmp all - || fail "jsonl on standard output is not print --json"
for filter in "--event CALL" "--class Sampler --method loop" "--where line>0" "--thread worker*" "--text quote" \
    "--limit 7"; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" print t --json $filter >some; "$HINDSIGHT" export t --to jsonl $filter >some.jsonl
    [ -s some ] && cmp some some.jsonl || fail "jsonl $filter is not print --json $filter"
done
"$HINDSIGHT" print t --json --from 5 --to 9 >some
"$HINDSIGHT" export t --to jsonl --from 5 --until 9 | cmp some - || fail "--from --until"

# one line, nothing half
mkdir no
one_line 2 "--to FORMAT is missing: one of jsonl" "$HINDSIGHT" export t
one_line 2 "no format.*nearest: jsonl" "$HINDSIGHT" export t --to json
one_line 1 "no such|not found|cannot" "$HINDSIGHT" export missing --to jsonl -o no/x
one_line 1 "x: its directory does not exist" "$HINDSIGHT" export t --to jsonl -o no/folder/x
one_line 1 "not a file" "$HINDSIGHT" export t --to jsonl -o no
one_line 2 "NOTHING" "$HINDSIGHT" export t --to jsonl -e NOTHING -o no/x
one_line 1 "no class" "$HINDSIGHT" export t --to jsonl -c NoClass -o no/x
"$JAVA" "-agentpath:$AGENT=output=f,format=freq" -cp sampler Sampler 1 >/dev/null 2>&1
for to in jsonl chrome jfr; do one_line 1 "keeps no event stream" "$HINDSIGHT" export f --to $to -o no/x; done
[ -z "$(ls -A no)" ] || fail "left: $(ls -A no)"

# every format: signals, limits, a full disk, a closed pipe, wrong arguments
sample big 500000 weave=EXEC+CALL+PARAM
trap 'umount -l "$WORK/disk" 2>/dev/null; rm -rf "$WORK"' EXIT
mkdir disk && mount -t tmpfs -o size=4k hindsight-test disk 2>/dev/null ||
    { rmdir disk; echo "    left out: a full disk, a file system of its own needs the right to mount one"; }
python3 "$HERE/ends.py" "$HINDSIGHT" t big f || fail "an export that does not end as it should"
"$HINDSIGHT" export big --to jsonl | head -n 2 >some
[ "$(wc -l <some)" = 2 ] || fail "a closed pipe"

# memory does not grow with the events
small=$(/usr/bin/env python3 - "$HINDSIGHT" t big <<'PY'
import os, subprocess, sys
def peak(trace):
    p = subprocess.Popen([sys.argv[1], "export", trace, "--to", "jsonl", "-o", "out/peak"])
    _, status, usage = os.wait4(p.pid, 0)
    return usage.ru_maxrss, status
print(peak(sys.argv[2])[0], peak(sys.argv[3])[0])
PY
)
# shellcheck disable=SC2086
set -- $small
echo "    peak: $1 KB of a small trace, $2 KB of a large one"
[ "$2" -lt 262144 ] || fail "peak memory is $2 KB"

finish
