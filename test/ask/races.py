# Which fields race: as their names say, and as vector clocks in Python over all events of the run find, which know the
# thread of a Thread object by the name that the program gave it.
import collections

from ask import *

JUC = "java.util.concurrent."
COLLECTIONS = {"java.util." + name for name in ("ArrayList", "HashMap", "HashSet", "LinkedList")}
SYNCHRONIZED, STATIC = 0x20, 0x08


def merge(to, other):
    for thread, clock in other.items():
        to[thread] = max(to.get(thread, 0), clock)


class Model:
    """Clocks of threads and of what orders them; `pairs` has every unordered pair of accesses, by place."""

    def __init__(self, trace):
        self.threads = {t["name"]: t["thread"] for t in ask("threads", trace)}
        self.methods = {(m["class"], m["method"], m["desc"]): m["access"] for m in ask("methods", trace)}
        self.now = collections.defaultdict(lambda: collections.defaultdict(int))
        self.locks = collections.defaultdict(dict)
        self.held, self.calls = collections.defaultdict(list), collections.defaultdict(list)
        self.named, self.said, self.before = {}, {}, {}
        self.accesses, self.pairs = collections.defaultdict(list), set()
        for e in ask("print", trace):
            self.event(e["thread"], e["event"], e, e.get("value"), e.get("attr", {}))
            self.before[e["thread"]] = e

    def give(self, t, lock):
        merge(self.locks[lock], self.now[t])
        self.now[t][t] += 1

    def take(self, t, lock):
        merge(self.now[t], self.locks.get(lock, {}))

    def access(self, t, place, e, writes, volatile):
        if volatile:
            (self.give if writes else self.take)(t, place)
            return
        for other, clock, wrote, site in self.accesses[place]:
            if other != t and (writes or wrote) and self.now[t].get(other, 0) < clock:
                self.pairs.add((place, site, e["dataid"]))
        self.accesses[place].append((t, self.now[t][t], writes, e["dataid"]))

    def method(self, t, event, e, value):
        key = (e["class"], e["method"], e["desc"])
        access = self.methods[key]
        if event == "METHOD_ENTRY":
            if e["method"] == "<init>" or (access & STATIC and e["method"] != "<clinit>"):
                self.take(t, ("class", e["class"]))
            monitor = ("monitor", e["class"] if access & STATIC else value and value["id"])
            self.held[t].append(monitor if access & SYNCHRONIZED else None)
            if access & SYNCHRONIZED:
                self.take(t, monitor)
            return
        if e["method"] == "<clinit>":
            self.give(t, ("class", e["class"]))
        monitor = self.held[t].pop()
        if monitor:
            self.give(t, monitor)

    def call(self, t, value, attr, e):
        of = value["id"] if isinstance(value, dict) else None
        name = attr["name"]
        if of and value["type"] in COLLECTIONS and name != "<init>":
            self.access(t, (value["type"], of, None), e, name in ("add", "put"), False)
        self.calls[t].append((name, of, (value or {}).get("type", "").startswith(JUC)))
        if name == "wait":
            self.give(t, ("monitor", of))
        if name == "start" and of in self.named:
            self.give(t, ("start", self.threads[self.named[of]]))
        if self.calls[t][-1][2]:
            self.give(t, ("library", of))

    def returned(self, t, value):
        name, of, library = self.calls[t].pop()
        if name == "wait":
            self.take(t, ("monitor", of))
        if of in self.named and (name == "join" or (name == "isAlive" and value is False)):
            merge(self.now[t], self.now[self.threads[self.named[of]]])
        if library:
            self.take(t, ("library", of))

    def event(self, t, event, e, value, attr):
        if t not in self.now:
            self.now[t][t] = 1
            self.take(t, ("start", t))
        before = self.before.get(t, {})
        if event in ("METHOD_ENTRY", "METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
            self.method(t, event, e, value)
        elif event == "CALL":
            self.call(t, value, attr, e)
        elif event == "CALL_RETURN":
            self.returned(t, value)
        elif event == "CALL_PARAM" and isinstance(value, dict) and "string" in value:
            self.said[t] = value["string"]
        elif event in ("NEW_OBJECT_CREATED", "METHOD_OBJECT_INITIALIZED") and t in self.said:
            if value["type"] in ("java.lang.Thread", "Races$Own"):
                self.named[value["id"]] = self.said[t]
        elif event == "MONITOR_ENTER_RESULT":
            self.take(t, ("monitor", value["id"]))
        elif event == "MONITOR_EXIT":
            self.give(t, ("monitor", value["id"]))
        elif event in ("GET_STATIC_FIELD", "PUT_STATIC_FIELD"):
            self.take(t, ("class", attr["owner"]))
            place = (attr["owner"] + "." + attr["name"], None, None)
            self.access(t, place, e, event.startswith("PUT"), attr.get("volatile"))
        elif event in ("GET_INSTANCE_FIELD_RESULT", "PUT_INSTANCE_FIELD_VALUE"):
            place = (attr["owner"] + "." + attr["name"], before["value"]["id"], None)
            self.access(t, place, e, event.startswith("PUT"), attr.get("volatile"))
        elif event in ("ARRAY_LOAD", "ARRAY_STORE"):
            self.array = getattr(self, "array", {})
            self.array[t] = value
        elif event in ("ARRAY_LOAD_RESULT", "ARRAY_STORE_VALUE"):
            place = (self.array[t]["type"], self.array[t]["id"], before["value"])
            self.access(t, place, e, event == "ARRAY_STORE_VALUE", False)


def place_of(r):
    return (r["location"], r.get("object", {}).get("id"), r.get("index"))


for trace in ("Races", "RacesPooled"):
    answer = ask("races", trace)
    fields = {r["location"].split(".")[-1] for r in answer}
    same("no safe field in " + trace, sorted(f for f in fields if "safe" in f), [])
    racy = {"racyPlain", "racyStatic", "racyWrongLock", "racyReadOnly", "racyBeforeVolatile", "racyAfterStart"}
    racy |= {"racyInTurns"}
    same("the racy ones in " + trace, {f for f in fields if "racy" in f}, racy)
    same("one element in " + trace, {r["index"] for r in answer if r["location"] == "int[]"}, {3})
    same("nothing else in " + trace, fields, racy | {"int[]", "HashMap", "ArrayList"})
    collections_ = {(r["location"], r["a"]["attr"]["name"]) for r in answer if r.get("collection")}
    calls = {(r["location"], r["a"]["attr"]["name"]) for r in answer if r["a"]["event"] == "CALL"}
    same("calls on collections in " + trace, collections_, calls)
    pairs = [(r["location"], frozenset((r["a"]["dataid"], r["b"]["dataid"]))) for r in answer]
    same("each pair of places once in " + trace, len(pairs), len(set(pairs)))
    for r in answer:
        a, b = r["a"], r["b"]
        same("order of " + r["location"], a["seq"] < b["seq"] and a["thread"] != b["thread"], True)
        if r.get("collection"):
            written = {a["attr"]["name"], b["attr"]["name"]} & {"put", "add"}
            same("a change in " + r["location"], bool(written), True)
            continue
        same(
            "a write in " + r["location"], "PUT" in a["event"] + b["event"] or "STORE" in a["event"] + b["event"], True
        )
        same("the first event is one of the trace", one(trace, seq=a["seq"]), a)
    run(command, "races", "%s/%s" % (work, trace), "--fail-if-any", status=1)

fields = {r["location"].split(".")[-1] for r in ask("races", "RacesFutures")}
same("futures order what is given to them", fields, {"racyGo", "racyTask"})

fields = {r["location"].split(".")[-1] for r in ask("races", "RacesContinued")}
same("futures do not order other threads", fields, {"racyLambda", "racyOwn"})

fields = {r["location"].split(".")[-1] for r in ask("races", "RacesLibrary")}
same("what other library code orders", fields, {"racyOpaque"})

answer = ask("races", "RacesInherited")
places = {r["location"].split(".")[-1] for r in answer}
racy = {"racyOwn", "racyPlain", "racyOpaque", "racyWeak", "racyService"}
same("what inherited methods order", places, racy | {"RacesInherited$Names"})
calls = {r["a"]["attr"]["name"] for r in answer if r.get("collection")}
same("each access is one of what the object holds", calls, {"add"})

fields = {r["location"].split(".")[-1] for r in ask("races", "RacesMatched")}
same("threads of the library hide no race", fields, {"racyFirst", "racyLater"})

model = Model("Races")
answer = ask("races", "Races")
same("places that race by the model", {place_of(r) for r in answer}, {place for place, _, _ in model.pairs})
have = {(place_of(r), r["a"]["dataid"], r["b"]["dataid"]) for r in answer}
same("no pair is made up", sorted(map(str, have - model.pairs)), [])
same("limit", len(ask("races", "Races", "--limit", 2)), 2)
end()
