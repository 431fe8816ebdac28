#!/bin/bash
# The format nod4j, read with the JSON parser and the lexer of NOD4J's viewer, by its rules (nod4j.js): the source is
# the program's, each variable finds its word, and has the last values of its data ID.
#
# test: export.nod4j
# labels: export
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$ROOT/test/clients/export
npm_client nod4j
cd "$WORK" || exit 1
mkdir -p source/shop/stock
cp "$HERE/Shelf.java" source/shop/stock
compile classes source/shop/stock/Shelf.java || die "Shelf does not compile"
record t "" -cp classes shop.stock.Shelf >out 2>err || die "recording: $(cat err)"
record latest format=latest -cp classes shop.stock.Shelf >out 2>err || die "recording: $(cat err)"
"$HINDSIGHT" print t --json >t.jsonl
for trace in t latest; do
    "$HINDSIGHT" export $trace --to nod4j --source source -o $trace.nod4j || fail "$trace is not exported"
    node "$HERE/nod4j.js" $trace.nod4j shop/stock/Shelf.java >$trace.json || fail "$trace: the viewer"
    python3 "$HERE/nod4j.py" $trace.json t.jsonl source/shop/stock/Shelf.java || fail "$trace"
done

# without the source there are files without lines; filters choose classes and methods
"$HINDSIGHT" export t --to nod4j --class 'Shelf$Box' -o box || fail "a filter"
[ "$(json box/fileinfo.json 'd["children"][0]["children"][0]["children"][0]["children"]')" = \
    "[{'name': 'Shelf.java', 'type': 'file', 'content': [], 'children': []}]" ] || fail "$(cat box/fileinfo.json)"
[ "$(json box/varinfo.json 'sorted({v["var"] for v in d["recentdata"]})')" = "['v_inside', 'v_what']" ] ||
    fail "variables of Box: $(cat box/varinfo.json)"
one_line 2 "class and --method" "$HINDSIGHT" export t --to nod4j --event CALL -o x
record freq format=freq -cp classes shop.stock.Shelf >out 2>err || die "recording: $(cat err)"
one_line 1 "keeps no values" "$HINDSIGHT" export freq --to nod4j -o x
finish
