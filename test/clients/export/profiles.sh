#!/bin/bash
# Profiles: collapsed, speedscope, callgrind, pprof and timers hold the calls, times and events that print --json has,
# by the schema of speedscope, callgrind_annotate, pprof-format and Go's pprof; the sums are those of report.
#
# test: export.profiles
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
compile sampler "$HERE/Sampler.java" || die "Sampler does not compile"
rename_method sampler/Sampler.class
sample t 5 weave=ALL,timestamp=true
"$HINDSIGHT" print t --json >events
"$HINDSIGHT" report t --json >report

same() { python3 "$HERE/profiles.py" "$@" || fail "$*"; }
for weight in calls time events; do
    "$HINDSIGHT" export t --to collapsed --weight $weight -o c && same collapsed c events report $weight
    "$HINDSIGHT" export t --to speedscope --weight $weight -o s.$weight &&
        same speedscope s.$weight events report $weight
    "$HINDSIGHT" export t --to callgrind --weight $weight -o g && for kind in no yes; do
        callgrind_annotate --threshold=100 --show-percs=no --auto=no --inclusive=$kind g >g.$kind ||
            fail "callgrind_annotate $kind"
    done
    mv g.no annotated && mv g.yes annotated.inclusive && same callgrind annotated events report $weight
done
"$HINDSIGHT" export t --to timers -o l && same timers l events report time

# which weight it is, when none was chosen
"$HINDSIGHT" export t --to collapsed 2>&1 >c | grep -q "weights are self time;" ||
    fail "collapsed does not name its weight"
"$HINDSIGHT" export t --to collapsed --weight time 2>/dev/null | cmp c - || fail "the default is not time"

# filters: what passes counts, with the whole stack
"$HINDSIGHT" export t --to collapsed --weight calls --class 'Sampler$Account' --thread 'worker*' >c
# shellcheck disable=SC2016
[ "$(sed 's/.*;//' c)" = 'Sampler$Account.add(long, int) 10' ] && grep -q '^Sampler.lambda' c || fail "filter: $(cat c)"
seq=$(sed -n 's/{"seq":\([0-9]*\),.*"METHOD_ENTRY".*"method":"loop".*/\1/p' events)
"$HINDSIGHT" export t --to collapsed --weight calls --from "$seq" --until "$seq" >c
[ "$(cat c)" = "Sampler.main(java.lang.String[]);Sampler.loop(int) 1" ] || fail "an event in the middle: $(cat c)"
"$HINDSIGHT" export t --to timers --min 1000000000000 | grep -qv '^#' && fail "timers --min shows shorter calls"
one_line 2 "weight" "$HINDSIGHT" export t --to collapsed --weight size

npm_client profiles
for weight in calls time events; do
    "$HINDSIGHT" export t --to pprof --weight $weight -o p && node "$HERE/pprof.js" p >p.json &&
        same pprof p.json events report $weight
    if command -v go >/dev/null; then
        go tool pprof -raw p >raw 2>raw.err || fail "go tool pprof: $(cat raw.err)"
        "$HINDSIGHT" export t --to collapsed --weight $weight -o c
        awk '/^Samples:/ {on = 1} /^Locations/ {on = 0} on && $1 ~ /^[0-9]+$/ {print $1}' raw | sort -n >values
        awk '{print $NF}' c | sort -n | diff - <(grep -vx 0 values) >diff || fail "go tool pprof $weight: $(cat diff)"
    fi
done
command -v go >/dev/null || echo "    left out: Go's pprof is not installed"
node "$HERE/speedscope_schema.js" s.calls s.time s.events || fail "not as speedscope's schema says"

# without EXEC there is no call: said, as tree says it
sample fields 5 weave=FIELD
for to in collapsed speedscope pprof callgrind timers chrome perfetto mermaid plantuml dot xml appmap; do
    "$HINDSIGHT" export fields --to $to -o no.$to 2>said || fail "$to without EXEC: exit status $?"
    grep -q 'empty: there is no call, since EXEC was not woven (weave=FIELD)$' said || fail "$to says: $(cat said)"
    [ "$(grep -c 'empty:' said)" = 1 ] || fail "$to says it twice: $(cat said)"
done
"$HINDSIGHT" export fields --to appmap --per 'Sampler.*' -o requests 2>&1 | grep -q 'such call, since EXEC was' ||
    fail "appmap --per"
for to in jsonl ctf jmtrace "mermaid --diagram objects"; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" export fields --to $to -o "some-${to%% *}" 2>said && [ ! -s said ] || fail "$to says: $(cat said)"
done
sample calls 5 weave=EXEC+CALL
"$HINDSIGHT" export calls --to jmtrace 2>said >none && [ ! -s none ] &&
    grep -q 'empty: there is no read or write, since FIELD+ARRAY was not woven (weave=EXEC+CALL)$' said ||
    fail "jmtrace without accesses: $(cat said)"
finish
