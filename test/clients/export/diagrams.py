"""diagrams.py EVENTS FOLDER - do the diagrams in FOLDER show the calls and objects of a recording?

What is expected is made from the lines of `print --json` (EVENTS). The diagrams are as their own tools have read them:
sequence.json, calls.json and objects.json by mermaid, sequence.svg, calls.svg and objects.svg by PlantUML,
dot.calls.svg and dot.objects.svg by Graphviz."""

import collections
import json
import os
import sys
import xml.etree.ElementTree

from visible import visible

SVG = "{http://www.w3.org/2000/svg}"
events, folder = [json.loads(l) for l in open(sys.argv[1])], sys.argv[2]


def document(name):
    return json.load(open(os.path.join(folder, name)))


def texts(element):
    """The lines of an SVG; blanks are sometimes written as no-break spaces."""
    return ["".join(t.itertext()).replace("\u00a0", " ") for t in element.iter(SVG + "text")]


def svg(name):
    return xml.etree.ElementTree.parse(os.path.join(folder, name)).getroot()


def fail(what, got, want):
    sys.exit("FAILED: %s: %r, not %r" % (what, got, want))


def method_text(e):
    return e["method"].replace("\n", "\\n")


# ---- calls: (thread, caller's class or thread, class, method) in their order

threads = {t["thread"]: t["name"] for t in map(json.loads, open(os.path.join(folder, "threads")))}
calls, edges, stacks = [], collections.Counter(), collections.defaultdict(list)
for e in events:
    stack = stacks[e["thread"]]
    if e["event"] == "METHOD_ENTRY":
        outer = stack[-1]["class"] if stack else "thread " + threads[e["thread"]]
        calls.append((e["thread"], outer, e["class"], method_text(e)))
        if stack:
            edges[method_text(stack[-1]), method_text(e)] += 1
        stack.append(e)
    elif e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
        stack.pop()
calls = [c[1:] for c in sorted(calls, key=lambda c: c[0])]


def expand(steps):
    """Calls with the rounds of loops behind each other."""
    out, at, outer = [], 0, []
    for step in steps:
        if step[0] == "loop":
            outer.append((out, step[1]))
            out = []
        elif step[0] == "end":
            body, (out, times) = out, outer.pop()
            out += body * times
        elif step[0] == "call":
            out.append((step[1], step[2], step[3][: step[3].index("(")]))
    return out


d = document("sequence.json")
got = expand(d["steps"])
if collections.Counter(got) != collections.Counter(calls) or got[:40] != calls[:40]:
    different = collections.Counter(got)
    different.subtract(calls)
    fail("sequence of mermaid", {k: v for k, v in different.items() if v}, {})
loops = sum(s[0] == "loop" for s in d["steps"])
if loops < 5 or sum(s[0] == "call" for s in d["steps"]) * 2 > len(calls):
    fail("loops are not folded", loops, len(calls))
drawn = collections.Counter(texts(svg("sequence.svg")))
for step in d["steps"]:
    if step[0] in ("call", "answer") and drawn[step[3]] < 1:
        fail("sequence of PlantUML has no", step[3], None)
for actor in d["actors"]:
    if actor not in drawn:
        fail("sequence of PlantUML has no", actor, None)

# ---- call graph

d = document("calls.json")
names = {k: v[0] for k, v in d["nodes"].items()}
short = {k: v[: v.index("(")].rsplit(".", 1)[1] for k, v in names.items() if "(" in v}
got = collections.Counter()
for start, text, end in d["edges"]:
    got[short[start], short[end]] += int(text)
if got != edges:
    fail("call graph of mermaid", got, edges)
for name in ("calls.svg", "dot.calls.svg"):
    drawn = set(texts(svg(name)))
    missing = [v for k, lines in d["nodes"].items() if k in short for v in lines if v not in drawn]
    if missing:
        fail(name + " has no", missing[0], sorted(drawn))
graph = svg("dot.calls.svg")
got = collections.Counter(texts(g)[0] for g in graph.iter(SVG + "g") if g.get("class") == "edge")
if got != collections.Counter(text for _, text, _ in d["edges"]):
    fail("edges of Graphviz", got, d["edges"])

# ---- objects: the array of all texts

array = next(e["value"] for e in events if e["event"] == "PUT_STATIC_FIELD" and e["attr"]["name"] == "texts")
stores = [e["value"] for e in events if e["event"].startswith("ARRAY_STORE")]
want = ["java.lang.String[]#%d" % array["id"]] if array["type"].startswith("java.lang") else []
want = ["String[]#%d" % array["id"]]
for at in range(0, len(stores), 3):
    if stores[at]["id"] == array["id"] and stores[at + 2]:
        text = stores[at + 2]
        want.append('[%d] = "%s"#%d' % (stores[at + 1], visible(text["string"]), text["id"]))
if len(want) != 19:
    fail("texts", len(want), 19)
got = document("objects.json")["nodes"]["n1"]
if got != want:
    fail("objects of mermaid", [g for g in got if g not in want], [w for w in want if w not in got])
for name in ("objects.svg", "dot.objects.svg"):
    got = texts(svg(name))
    if got != want:
        fail(name, [g for g in got if g not in want], [w for w in want if w not in got])
