# holes_chrome.py DEEP AGAIN OPEN LOST: holes of the recording in the format chrome.
import collections, json, sys

deep, told = collections.Counter(), 0
again, not_left, lost = map(int, sys.argv[2:])
events = json.load(open("chrome"))["traceEvents"]
holes = [e for e in events if e["name"] == "not recorded"]
assert [e["args"]["seq"] for e in holes] == [again] and holes[0]["args"]["duration_ns"] > 0, holes
assert sum(e["ph"] == "E" and "not_left" in e["cat"] for e in events) == not_left
holes = [e["args"] for e in json.load(open("lost.chrome"))["traceEvents"] if e["name"] == "events lost"]
assert [(h["events"], h["reason"][:9]) for h in holes] == [(lost, "the bound")], holes
for e in events:
    deep[e["tid"]] += {"B": 1, "E": -1}.get(e["ph"], 0)
    assert deep[e["tid"]] >= 0, e
    told += e["name"] == "events left out" and e["args"]["left_out"] > 0
assert not any(deep.values()) and told == int(sys.argv[1]), (deep, told)
