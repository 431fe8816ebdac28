# xml_calls.py FILE: the call graph is what events and methods say.
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
assert {k: int(c.get("calls")) for k, c in edges.items()} == calls, edges.keys() ^ calls.keys()
assert {k: int(c.get("exceptions")) for k, c in edges.items()} == {k: throws[k] for k in calls}
recursive = lambda c: c.get("from") == c.get("to")
assert all(recursive(c) or int(c.get("self", 0)) <= int(c.get("total", 0)) for c in edges.values())
print("    %d methods, %d edges, %d calls" % (len(methods), len(edges), sum(calls.values())))
