#!/usr/bin/env python3
"""Reads a directory in the layout of SELogger 0.6 (DataFormat.md of github.com/takashi-ishio/selogger).

    selogger.py events DIR            the events of log-*.slg as lines of `hindsight print --json`
    selogger.py values DIR EVENTS     trace.json, recentdata.txt and eventfreq.txt of a recording of all events hold
                                      what EVENTS (print --json) say
    selogger.py same DIR OTHER        what OTHER (of format=latest or freq) has of each location is what DIR has

The first leaves out each CATCH with location=exceptional-exit, which must stand before its METHOD_EXCEPTIONAL_EXIT.
"""
import collections, glob, json, math, os, re, struct, sys


def rows(path):
    with open(path, encoding="utf-8", newline="\n") as f:
        head = next(f).rstrip("\n").split(",")
        for n, line in enumerate(f):
            # the last column, attributes, holds commas itself
            cells = line.rstrip("\n").split(",", len(head) - 1)
            assert len(cells) == len(head), (path, line)
            row = dict(zip(head, cells))
            assert int(row[{"classes": "ClassID", "methods": "MethodID", "dataids": "DataID"}[kind(path)]]) == n, line
            yield row


def kind(path):
    return os.path.basename(path)[: -len(".txt")]


def plain(text):
    return re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m.group(1), 16)), text)


def attributes(text):
    assert text[0] == text[-1] == '"', text
    if text == '"null"':
        return {}
    return {k: plain(v) for k, v in (a.split("=") for a in text[1:-1].split(","))}


class Trace:
    def __init__(self, folder):
        self.folder = folder
        self.classes = list(rows(folder + "/classes.txt"))
        self.methods = list(rows(folder + "/methods.txt"))
        self.dataids = list(rows(folder + "/dataids.txt"))
        for m in self.methods:
            assert m["ClassName"] == self.classes[int(m["ClassID"])]["ClassName"], m
        for d in self.dataids:
            d["attr"] = attributes(d["Attributes"])
            d["method"] = self.methods[int(d["MethodID"])]
            assert d["MethodName"] == d["method"]["MethodName"] and d["ClassID"] == d["method"]["ClassID"], d

    def read_objects(self):
        def lines(name):
            with open(self.folder + "/" + name, encoding="utf-8", errors="surrogatepass", newline="\n") as f:
                return [line.rstrip("\n") for line in f]

        types = [line.split(",") for line in lines("LOG$Types.txt")]
        assert [int(t[0]) for t in types] == list(range(len(types))), "numbers of types"
        assert [t[1] for t in types[:11]] == (
            "void boolean byte char double float int long short java.lang.Object java.lang.String".split()
        )
        self.types = [plain(t[1]) for t in types]
        for t in types:
            component = int(t[4])
            assert not t[1].endswith("[]") or component < 0 or self.types[component] + "[]" == plain(t[1]), t
        self.objects = [None]
        for line in lines("LOG$ObjectTypes00001.txt"):
            number, of = line.split(",")
            assert int(number) == len(self.objects), "ids of objects have gaps: " + line
            self.objects.append(self.types[int(of)])
        self.strings = {}
        for line in lines("LOG$String00001.txt"):
            number, length, text = line.split(",", 2)
            text = json.loads(text)
            assert len(text.encode("utf-16-le", "surrogatepass")) // 2 == int(length), line
            self.strings[int(number)] = text

    def value(self, descriptor, raw):
        if descriptor in ("F", "D"):
            bits = struct.pack(">q", raw)[4 if descriptor == "F" else 0 :]
            v = struct.unpack(">f" if descriptor == "F" else ">d", bits)[0]
            return v if math.isfinite(v) else "NaN" if v != v else "Infinity" if v > 0 else "-Infinity"
        if descriptor == "Z":
            return raw != 0
        if descriptor != "Ljava/lang/Object;":
            return raw
        if raw == 0:
            return None
        found = {"id": raw, "type": self.objects[raw]}
        if raw in self.strings:
            found["string"] = self.strings[raw]
        return found

    def events(self):
        self.read_objects()
        caught = {}  # thread: value of the CATCH of a method that is left
        seq = 0
        for path in sorted(glob.glob(self.folder + "/log-*.slg")):
            with open(path, "rb") as f:
                data = f.read()
            assert len(data) % 16 == 0, path
            for dataid, thread, raw in struct.iter_unpack(">iiq", data):
                d = self.dataids[dataid]
                if d["EventType"] == "CATCH" and d["attr"].get("location") == "exceptional-exit":
                    caught[thread] = raw
                    continue
                if d["EventType"] == "METHOD_EXCEPTIONAL_EXIT":
                    assert caught.pop(thread) == raw, "no CATCH before METHOD_EXCEPTIONAL_EXIT"
                assert not caught.get(thread), "no METHOD_EXCEPTIONAL_EXIT behind its CATCH"
                e = {
                    "seq": seq,
                    "thread": thread,
                    "dataid": dataid,
                    "event": d["EventType"],
                    "class": plain(d["ClassName"]).replace("/", "."),
                    "method": plain(d["MethodName"]),
                    "desc": plain(d["method"]["MethodDesc"]),
                    "pc": int(d["InstructionIndex"]),
                    "attr": d["attr"],
                }
                if d["Line"] != "-1":
                    e["line"] = int(d["Line"])
                if d["ValueDesc"] != "V":
                    e["value"] = self.value(d["ValueDesc"], raw)
                yield e
                seq += 1

    def json(self):
        with open(self.folder + "/trace.json", encoding="utf-8") as f:
            return json.load(f)

    def frequencies(self):
        with open(self.folder + "/eventfreq.txt", encoding="utf-8") as f:
            return {int(a): int(b) for a, b in (line.split(",") for line in f)}


def location(e):
    return (e["cname"], e["mname"], e["mdesc"], e["inst"], e["event"], json.dumps(e.get("attr"), sort_keys=True))


def json_value(v):
    """A value of print --json as trace.json has it."""
    if not isinstance(v, dict):
        return v
    found = {"id": str(v["id"]), "type": v["type"]}
    return dict(found, str=v["string"]) if "string" in v else found


def csv_value(e):
    if "value" not in e:
        return "0"
    v = e["value"]
    if isinstance(v, dict):
        name = v["type"] + "@%x" % v["id"]
        return name + ":" + v["string"] if "string" in v else name
    return "null" if v is None else str(v).lower() if isinstance(v, bool) else v


def values(folder, path):
    t = Trace(folder)
    counts, last = collections.Counter(), collections.defaultdict(lambda: collections.deque(maxlen=32))
    with open(path, encoding="utf-8") as f:
        for e in map(json.loads, f):
            counts[e["dataid"]] += 1
            last[e["dataid"]].append(e)
    exits = [i for i in sorted(counts) if t.dataids[i]["EventType"] == "METHOD_EXCEPTIONAL_EXIT"]
    extra = {i: n for i, n in t.frequencies().items() if i not in counts}
    assert {i: n for i, n in t.frequencies().items() if i in counts} == counts, "eventfreq.txt"
    assert list(extra.values()) == [counts[i] for i in exits], "eventfreq.txt: CATCH of methods that are left"
    with open(folder + "/recentdata.txt", encoding="utf-8", newline="\n") as f:
        head = next(f).rstrip("\n").split(",")
        recent = [dict(zip(head, re.findall(r'(?:^|,)("(?:[^"\\]|\\.)*"|[^,]*)', line.rstrip("\n")))) for line in f]
    document = t.json()
    assert document["format"] == "nearomni"
    assert len(document["events"]) == len(recent) == len(counts), (len(document["events"]), len(recent), len(counts))
    for (dataid, events), row, cells in zip(sorted(last.items()), document["events"], recent):
        e, single = events[0], len({x["thread"] for x in events}) == 1
        want = (e["class"], e["method"], e["desc"], e["event"], e["pc"], e.get("line", -1))
        assert (row["cname"], row["mname"], row["mdesc"], row["event"], row["inst"], row["line"]) == want, row
        assert (cells["cname"], cells["mname"], cells["mdesc"], cells["event"]) == want[:4], cells
        assert row.get("attr") == e.get("attr") and row["filename"] == e["class"].replace(".", "/"), row
        assert row["freq"] == counts[dataid] == int(cells["freq"]) and row["record"] == len(events), row
        assert row["thread"] == [x["thread"] for x in events] and row["seqnum"] == sorted(row["seqnum"]), row
        assert ("value" in row) == (row["valuetype"] != "void") == ("value" in e), row
        if "value" in row:
            assert row["value"] == [json_value(x["value"]) for x in events], row
        for i, x in enumerate(events, 1):
            text, want = cells["value%d" % i], csv_value(x)
            if isinstance(want, str):
                assert (plain(json.loads(text)) if text.startswith('"') else text) == want, (text, x)
            else:
                assert type(want)(text) == want, (text, x)
    print("    %d locations with their last values" % len(counts))


def same(folder, other):
    a, b = Trace(folder).json(), Trace(other).json()
    mine, theirs = ({location(e): e for e in d["events"]} for d in (a, b))
    assert set(mine) == set(theirs), set(mine) ^ set(theirs)
    for key, e in mine.items():
        assert theirs[key]["freq"] == e["freq"], key
        primitive = not any(isinstance(v, dict) for v in e.get("value", ()))
        if b["format"] == "nearomni" and set(e["thread"]) == {0} and primitive:
            assert theirs[key].get("value") == e.get("value"), key
    assert b["format"] == "nearomni" or not os.path.exists(other + "/recentdata.txt")
    assert not glob.glob(other + "/*.slg")
    print("    %d locations are the same in format %s" % (len(mine), b["format"]))


if __name__ == "__main__":
    if sys.argv[1] == "events":
        for event in Trace(sys.argv[2]).events():
            print(json.dumps(event))
    else:
        {"values": values, "same": same}[sys.argv[1]](*sys.argv[2:])
