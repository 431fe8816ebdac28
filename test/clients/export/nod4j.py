"""nod4j.py VIEW EVENTS SOURCE: what the viewer reads is what the events say."""

import collections, json, re, sys
from selogger import csv_value

d = json.load(open(sys.argv[1]))
with open(sys.argv[3], encoding="utf-8") as f:
    assert d["source"] == f.read().split("\n")[:-1], "the source"

# words: the fields without a value, and nothing else, have no values; the words of a comment are not tokens
bare = {(w["image"], w["line"]) for w in d["words"] if w["image"].startswith("v_") and not w["valued"]}
lines = {n: text for n, text in enumerate(d["source"], 1)}
assert {name for name, line in bare} == {"v_price", "v_inside"}, bare
assert all(re.search(r"(double|Object) " + name + ";", lines[line]) for name, line in bare), bare


# the words of what is read and written in one line, by their columns
def columns(line_with, inst):
    (line,) = [n for n, text in lines.items() if line_with in text]
    return [
        (d["words"][v["token"]]["column"], v["inst"])
        for v in d["variables"]
        if v["linenum"] == str(line) and v.get("token") is not None and v["inst"] in inst
    ]


at = lambda text, *places: [text.index(p) + 1 for p in places]
text = "        v_total = v_total + v_total;"
first, second, third = [m.start() + 1 for m in re.finditer("v_total", text)]
assert columns("v_total = v_total", "P") == [(first, "P")], columns("v_total = v_total", "P")
assert columns("v_total = v_total", "G") == [(second, "G"), (third, "G")], columns("v_total = v_total", "G")
text = "        for (int v_i = 0; v_i < v_counts.length; v_i++) {"
ends = [m.start() + 1 for m in re.finditer(r"\bv_i\b", text)]
assert sorted(c for c in columns("v_i++", "PGI") if c[0] in ends) == list(zip(ends, "PGI")), columns("v_i++", "PGI")
assert columns("int v_first,", "G") == [(17, "G")] and columns("int v_second)", "G") == [(17, "G")], "parameters"

# values: the last 32 of each data ID; two recordings have the same data IDs
last = collections.defaultdict(lambda: collections.deque(maxlen=32))
for e in map(json.loads, open(sys.argv[2], encoding="utf-8")):
    last[e["dataid"]].append(e)
names = {
    "ARRAY_LOAD_RESULT": "_ArrayLoad",
    "ARRAY_STORE_VALUE": "_ArrayStore",
    "ARRAY_LENGTH_RESULT": "_ArrayLength",
    "CALL_RETURN": "_ReturnValue",
}
kinds = (
    "GET_STATIC_FIELD PUT_STATIC_FIELD GET_INSTANCE_FIELD_RESULT PUT_INSTANCE_FIELD_VALUE LOCAL_LOAD LOCAL_STORE "
    "LOCAL_INCREMENT METHOD_PARAM"
).split() + list(names)
want = {i: events for i, events in last.items() if events[0]["event"] in kinds and "value" in events[0]}
assert {int(v["dataid"]) for v in d["variables"]} == set(want), "places"
for v in d["variables"]:
    events = want[int(v["dataid"])]
    e = events[0]
    assert v["methodName"] == e["method"] and v["var"] == names.get(e["event"], e.get("attr", {}).get("name")), (v, e)
    assert v["count"] == -1 if e["event"] in names else v["count"] > 0, v
    assert e["event"] == "METHOD_PARAM" or v["linenum"] == str(e["line"]), v
    assert len(v["valueList"]) == len(events)
    for shown, e in zip(v["valueList"], events):
        text, value = shown["data"], csv_value(e)
        same = json.loads(text) if text.startswith('"') else text if isinstance(value, str) else type(value)(text)
        assert same == value and shown["thread"] == "0" and shown["timestamp"] == str(e["seq"]), (shown, e)
print("    %d variables, %d values" % (len(want), sum(map(len, want.values()))))
