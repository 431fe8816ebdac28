#!/bin/bash
# appmap: valid files whose calls, values and exceptions, as AppMap's own model has them, are those of print --json; a
# file for each mark.
. "$(dirname "$0")/sampler.bash"
HERE=$ROOT/test/export
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
one_line 2 "several files" "$HINDSIGHT" export t --to appmap
finish
