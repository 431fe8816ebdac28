#!/bin/bash
# The format xml: xmllint proves it by the schema, its call graph is that of the events, also with names that XML cannot
# write as they are.
#
# test: export.xml
# labels: export
# limit: 600 s
. "$(dirname "$0")/sampler.bash"
command -v xmllint >/dev/null || skip "xmllint is not installed"
cd "$WORK" || exit 1
sample t
"$HINDSIGHT" print t --json >events
"$HINDSIGHT" methods t --json >methods
check() { # FILE
    xmllint --noout --schema "$ROOT/docs/callgraph.xsd" "$1" 2>err || fail "$1: $(head -n 3 err)"
    python3 - "$1" <<'PY' || fail "$1 is not what the events say"
import collections, json, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
methods, listed = {}, collections.Counter()
for c in root.iter("class"):
    for m in c.iter("method"):
        methods[m.get("id")] = (c.get("name"), m.get("name"), m.get("desc"))
        assert m.get("signature").startswith(m.get("name") + "("), m.attrib
        listed[methods[m.get("id")]] += 1
assert listed == collections.Counter((m["class"], m["method"], m["desc"]) for m in map(json.loads, open("methods")))
calls, throws, stacks = collections.Counter(), collections.Counter(), collections.defaultdict(list)
for e in map(json.loads, open("events", encoding="utf-8")):
    stack, name = stacks[e["thread"]], (e["class"], e["method"], e["desc"])
    if e["event"] == "METHOD_ENTRY":
        edge = (stack[-1] if stack else None, name)
        calls[edge] += 1
        stack.append(name)
    elif e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT") and stack:
        stack.pop()
        throws[(stack[-1] if stack else None, name)] += e["event"] == "METHOD_EXCEPTIONAL_EXIT"
edges = {(methods.get(c.get("from")), methods[c.get("to")]): c for c in root.iter("call")}
assert {k: int(c.get("calls")) for k, c in edges.items()} == calls, (edges.keys() ^ calls.keys())
assert {k: int(c.get("exceptions")) for k, c in edges.items()} == {k: throws[k] for k in calls}
recursive = lambda c: c.get("from") == c.get("to")
assert all(recursive(c) or int(c.get("self", 0)) <= int(c.get("total", 0)) for c in edges.values())
print("    %d methods, %d edges, %d calls" % (len(methods), len(edges), sum(calls.values())))
PY
}
"$HINDSIGHT" export t --to xml -o all.xml && check all.xml
"$HINDSIGHT" export t --to xml --method loop | xmllint --xpath 'count(//call)' - >count
[ "$(cat count)" = 1 ] || fail "calls of loop: $(cat count)"
one_line 2 "takes --class" "$HINDSIGHT" export t --to xml --event CALL

# a class whose name has each special character, a control character and U+FFFF
mkdir odd
cat >odd/Odd1234567.java <<'J'
public class Odd1234567 { public static void main(String[] a) { System.out.println("odd"); } }
J
compile odd odd/Odd1234567.java
python3 - <<'PY'
name = "O<&>\"'\1\uffff".encode()
with open("odd/Odd1234567.class", "rb") as f: code = f.read()
with open(b"odd/" + name + b".class", "wb") as f: f.write(code.replace(b"Odd1234567", name))
PY
record odd.trace "" -cp odd $'O<&>"\'\1\uffff' >out 2>err || die "odd: $(cat err)"
"$HINDSIGHT" print odd.trace --json >events
"$HINDSIGHT" methods odd.trace --json >methods
"$HINDSIGHT" export odd.trace --to xml -o odd.xml
xmllint --noout --schema "$ROOT/docs/callgraph.xsd" odd.xml 2>err || fail "odd.xml: $(head -n 3 err)"
[ "$(xmllint --xpath 'string(//class/@name)' odd.xml)" = $'O<&>"\'\\u0001\\uffff' ] ||
    fail "the odd name: $(grep '<class ' odd.xml)"
finish
