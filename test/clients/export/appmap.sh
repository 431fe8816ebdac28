#!/bin/bash
# appmap: valid files whose calls, values and exceptions, as AppMap's own model has them, are those of print --json; a
# file for each mark, or for each call of a method.
#
# test: export.appmap
# labels: export slow
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
npm_client appmap

# the program in a package
mkdir -p source/x/yy && { echo "package x.yy;"; cat "$HERE/Sampler.java"; } >source/x/yy/Sampler.java
compile packaged source/x/yy/Sampler.java && record p weave=ALL,quiet=true -cp packaged x.yy.Sampler >out ||
    die "recording"
"$HINDSIGHT" print p --json >events
"$HINDSIGHT" export p --to appmap -o maps && node "$HERE/appmap.js" maps/trace.appmap.json >read || fail "not valid"
python3 "$HERE/appmap.py" events read || fail "other calls than print --json has"

# marks: a file each
sample t 5 weave=ALL,order=total
"$HINDSIGHT" print t --json >events
# shellcheck disable=SC2046
set -- $(sed -n 's/{"seq":\([0-9]*\),.*"METHOD_\(ENTRY\|NORMAL_EXIT\)".*"method":"\(values\|loop\)".*/\1/p' events)
"${MARK_TRACE:-$BUILD/test/mark_trace}" t "all/ values" "$1" "$2" loop "$3" "$4" || die "mark_trace"
"$HINDSIGHT" export t --to appmap -o marked || fail "export of marks"
[ "$(cd marked && echo *)" = "001-all__values.appmap.json 002-loop.appmap.json" ] || fail "files: $(ls marked)"
node "$HERE/appmap.js" marked/001-* >read || fail "a mark is not valid"
[ "$(json read 'd["name"]')" = "all/ values" ] || fail "the name of a mark"
python3 "$HERE/appmap.py" events read "$1" "$2" || fail "other calls than in the mark"
"$HINDSIGHT" export t --to appmap --class 'Sampler$Account' -o some && node "$HERE/appmap.js" some/* >read ||
    fail "--class"
# shellcheck disable=SC2016
[ "$(json read '{c["function"].split("/")[1].split("#")[0] for c in d["calls"]}')" = "{'Sampler\$Account'}" ] ||
    fail "--class has others"

# requests: a file each, with the calls of its own thread; recursive calls are part of the outermost one
for per in Account.add fibonacci check; do
    "$HINDSIGHT" export t --to appmap --per $per -o "per-$per" && node "$HERE/appmap.js" "per-$per"/* >read ||
        fail "--per $per"
    python3 "$HERE/appmap.py" events read "${per#*.}" || fail "--per $per: other calls than print --json has"
done
one_line 0 "further calls of Account.add" "$HINDSIGHT" export t --to appmap --per Account.add --limit 3 -o three
[ "$(node "$HERE/appmap.js" three/* | wc -l)" = 3 ] || fail "--limit 3: $(ls three)"
first=$(sed -n 's/{"seq":\([0-9]*\),.*"METHOD_ENTRY".*"method":"add".*/\1/p' events | sed -n 2p)
"$HINDSIGHT" export t --to appmap --per 'Sampler$Account.add' --from "$first" -o rest || fail "--per --from"
# shellcheck disable=SC2012
[ "$(ls rest | wc -l)" = 9 ] && [ -e rest/001-*_at_"$first".appmap.json ] || fail "--per --from: $(ls rest)"
one_line 1 "--per: no method of the trace is called 'fib'" "$HINDSIGHT" export t --to appmap --per fib -o none
one_line 1 "--per: no method of Account is called 'ad'" "$HINDSIGHT" export t --to appmap --per Account.ad -o none
one_line 1 "--per: no class is called 'Acount'" "$HINDSIGHT" export t --to appmap --per Acount.add -o none
one_line 2 "of --to appmap alone" "$HINDSIGHT" export t --to jsonl --per add
one_line 2 "several files" "$HINDSIGHT" export t --to appmap
finish
