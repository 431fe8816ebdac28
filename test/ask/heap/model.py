"""model.py COMMAND TRACE [SAID DUMPS]: what `heap` says is what Python finds from the events, `locals` and `dataids`.
SAID: the lines of a program that says how many objects of a type are held (Holds.java); DUMPS: the folder of the dumps
of the JVM, of which each has no object of those types that `heap` says is not held, and every one that it says is."""
import collections, json, os, random, struct, subprocess, sys

command, trace = sys.argv[1:3]


def ask(*words):
    out = subprocess.run([command, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert out.returncode == 0, (words, out.stderr)
    return [json.loads(line) for line in out.stdout.decode().splitlines()]


events = ask("print", trace)
sites = {d["dataid"]: d for d in ask("dataids", trace)}
called, last_call = {}, None
for number in sorted(sites):
    d = sites[number]
    if d["event"] == "CALL":
        last_call = d["attr"]["name"], d["attr"]["desc"]
    if d["event"] in ("CALL_PARAM", "CALL_RETURN"):
        called[number] = last_call
MAKES = "NEW_OBJECT_CREATED NEW_ARRAY_RESULT MULTI_NEW_ARRAY MULTI_NEW_ARRAY_OWNER MULTI_NEW_ARRAY_ELEMENT".split()
FAILED_STORES = [
    "java.lang." + x for x in "ArrayStoreException ArrayIndexOutOfBoundsException NullPointerException".split()
]


def reference(e):
    v = e.get("value")
    return v["id"] if isinstance(v, dict) and "id" in v else 0


def is_reference(e):
    return "value" in e and (e["value"] is None or isinstance(e["value"], dict))


types = {}
for e in events:
    if reference(e):
        types[reference(e)] = e["value"].get("type")


def owner(e):  # fields are of the class that the instruction names: programs here have no field of a superclass twice
    return e["attr"]["owner"], e["attr"]["name"]


def state(at):
    """What is known just after event `at`."""
    held, seen, made, outside, constants, last = {}, set(), set(), set(), set(), {}
    of_thread = collections.defaultdict(list)
    for e in events[: at + 1]:
        of_thread[e["thread"]].append(e)
    stores = {}  # thread: key and value of the store under way
    hand = collections.defaultdict(lambda: [None, None, None])  # object, index, number of elements
    pending = collections.defaultdict(list)
    inside = collections.defaultdict(int)
    early = collections.defaultdict(list)
    for e in events[: at + 1]:
        th, kind, id = e["thread"], e["event"], reference(e)
        if th in stores:
            key, value = stores.pop(th)
            failed = kind == "CATCH_LABEL" or (
                kind in ("CATCH", "METHOD_EXCEPTIONAL_EXIT") and types.get(id) in FAILED_STORES
            )
            if not failed:
                held[key] = value
        if id:
            if kind in MAKES or (kind == "INVOKE_DYNAMIC_RESULT" and id not in seen):
                made.add(id)
            if kind == "OBJECT_CONSTANT_LOAD":
                constants.add(id)
            seen.add(id)
        # given to code that is not woven?
        if pending[th]:
            first = pending[th][0][1]
            if inside[th]:
                inside[th] += (kind == "METHOD_ENTRY") - (kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"))
            elif first["event"] == "CALL_PARAM" and kind == "CALL_PARAM":
                pass
            elif first["event"] == "CALL_PARAM" and kind == "METHOD_ENTRY" and e["method"] == "<clinit>":
                inside[th] = 1
            else:
                if first["event"] == "CALL_PARAM":
                    woven = kind == "METHOD_ENTRY" and called[first["dataid"]] == (e["method"], e["desc"])
                else:
                    woven = kind == "CALL_RETURN" and called[e["dataid"]] == (first["method"], first["desc"])
                if not woven:
                    outside.update(x for x, _ in pending[th])
                pending[th] = []
        if id and (kind == "INVOKE_DYNAMIC_PARAM" or (kind == "CALL_PARAM" and inside[th])):
            outside.add(id)
        elif id and kind in ("CALL_PARAM", "METHOD_NORMAL_EXIT") and not inside[th]:
            pending[th].append((id, e))
        # fields and elements
        h = hand[th]
        if kind in ("GET_INSTANCE_FIELD", "PUT_INSTANCE_FIELD", "ARRAY_LOAD", "ARRAY_STORE"):
            h[0] = id
        elif kind in ("ARRAY_LOAD_INDEX", "ARRAY_STORE_INDEX"):
            h[1] = e["value"]
        elif kind == "MULTI_NEW_ARRAY_OWNER":
            h[0], h[2] = id, 0
        elif kind == "MULTI_NEW_ARRAY_ELEMENT":
            held[h[0], h[2]] = id
            h[2] += 1
        elif is_reference(e):
            if kind == "GET_INSTANCE_FIELD_RESULT":
                held[h[0], owner(e)] = id
            elif kind == "PUT_INSTANCE_FIELD_VALUE" and h[0]:
                stores[th] = (h[0], owner(e)), id
            elif kind in ("GET_STATIC_FIELD", "PUT_STATIC_FIELD"):
                held[0, owner(e)] = id
            elif kind == "ARRAY_LOAD_RESULT":
                held[h[0], h[1]] = id
            elif kind == "ARRAY_STORE_VALUE" and h[0]:
                stores[th] = (h[0], h[1]), id
            elif kind == "PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION":
                early[th].append((e["class"], e["method"], e["desc"], owner(e), id))
        if kind == "METHOD_OBJECT_INITIALIZED":
            while early[th] and early[th][-1][:3] == (e["class"], e["method"], e["desc"]):
                *_, field, value = early[th].pop()
                held[id, field] = value
    held.update(dict(stores.values()))
    roots = set(constants)
    roots.update(value for (object, _), value in held.items() if object == 0)
    for th, own in of_thread.items():
        e = own[-1]
        frames = ask("locals", trace, str(e["seq"]))
        if e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
            frames = frames[1:]
        for f in frames:
            ids = [f.get("this")] + [v for v in f["locals"].values()]
            ids += [v for k, v in f["parameters"].items() if k not in f["locals"]]
            ids += [m["object"] for m in f.get("monitors", [])]
            roots.update(v["id"] for v in ids if isinstance(v, dict))
        if frames:
            roots.update([reference(e)] + [x for x, _ in pending[th]])
            roots.update(t["object"]["id"] for t in threads if t["thread"] == th and t.get("object"))
    edges = collections.defaultdict(set)
    for (object, _), value in held.items():
        if object and value:
            edges[object].add(value)
    roots &= seen

    def closure(start, without=()):
        reached, todo = set(), [x for x in start if x not in without]
        while todo:
            x = todo.pop()
            if x not in reached:
                reached.add(x)
                todo += [y for y in edges[x] if y not in reached and y not in without and y in seen]
        return reached

    reached = closure(roots)
    perhaps = closure({x for x in seen if x in outside or x not in made | constants}) - reached
    return seen, reached, perhaps, lambda without: closure(roots, without)


threads = ask("threads", trace)
last = len(events) - 1


def check(at, since=None):
    seen, reached, perhaps, closure = state(at)
    words = ["--at", str(at)] + (["--since", str(since)] if since is not None else [])
    then_seen, then, *_ = state(since) if since is not None else (set(), set())
    got = {r["type"]: r for r in ask("heap", trace, *words)}
    want = collections.defaultdict(collections.Counter)
    for id in seen:
        w = want[types[id]]
        w["reached"] += id in reached
        w["outside"] += id in perhaps
        w["unheld"] += id not in reached | perhaps
        w["before"] += id in then
        w["made"] += id in reached and id not in then_seen
        w["gone"] += id in then - reached
    keys = "reached outside unheld".split() + ("before made gone".split() if since is not None else [])
    assert set(got) == set(want), set(got) ^ set(want)
    for type in want:
        for key in keys:
            assert got[type][key] == want[type][key], (words, type, key, got[type], want[type])
    by_type = random.sample(sorted(want, key=str), min(6, len(want)))
    for type in by_type:
        lost = len(reached) - len(closure({x for x in reached if types[x] == type}))
        assert got[type]["retained"] == lost, (words, type, got[type], lost)
    rows = ask("heap", trace, "--dominators", *words)
    assert {r["id"] for r in rows} == reached, {r["id"] for r in rows} ^ reached
    assert [r["retained"] for r in rows] == sorted((r["retained"] for r in rows), reverse=True)
    dominator = {r["id"]: r.get("dominator") for r in rows}
    for r in random.sample(rows, min(25, len(rows))):
        left = closure({r["id"]})
        assert len(reached) - len(left) == r["retained"], (words, r, len(reached) - len(left))
        above, x = [], dominator[r["id"]]
        while x is not None:
            above.append(x)
            x = dominator[x]
        for x in random.sample(sorted(reached - {r["id"]}), min(8, len(reached) - 1)):
            assert (r["id"] not in closure({x})) == (x in above), (words, r, x, above)
    return got


random.seed(7)
if len(sys.argv) == 3:
    moments = sorted(random.sample(range(last), 2)) + [last]
    check(moments[0])
    check(moments[1], moments[0])
    check(last, moments[1])
    print("%d events" % len(events))
    sys.exit()


def dump(path):
    """Objects by class, of a dump of the JVM (HPROF)."""
    data = open(path, "rb").read()
    at = data.index(b"\0") + 1
    (size,) = struct.unpack_from(">I", data, at)
    at += 12
    id_of = lambda p: int.from_bytes(data[p : p + size], "big")
    names, of_class, counts = {}, {}, collections.Counter()
    widths = {2: size, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
    roots = {0xFF: 0, 1: size, 2: 8, 3: 8, 4: 4, 5: 0, 6: 4, 7: 0, 8: 8}
    while at < len(data):
        tag, _, length = struct.unpack_from(">BII", data, at)
        at += 9
        end = at + length
        if tag == 1:
            names[id_of(at)] = data[at + size : end]
        elif tag == 2:
            of_class[id_of(at + 4)] = names[id_of(at + 8 + size)].decode().replace("/", ".")
        elif tag in (0x0C, 0x1C):
            p = at
            while p < end:
                sub = data[p]
                p += 1
                if sub in roots:
                    p += size + roots[sub]
                elif sub == 0x20:
                    p += 7 * size + 8
                    (n,) = struct.unpack_from(">H", data, p)
                    p += 2
                    for _ in range(n):
                        p += 3 + widths[data[p + 2]]
                    (n,) = struct.unpack_from(">H", data, p)
                    p += 2
                    for _ in range(n):
                        p += size + 1 + widths[data[p + size]]
                    (n,) = struct.unpack_from(">H", data, p)
                    p += 2 + n * (size + 1)
                elif sub == 0x21:
                    counts[of_class[id_of(p + size + 4)]] += 1
                    p += 2 * size + 8 + struct.unpack_from(">I", data, p + 2 * size + 4)[0]
                elif sub == 0x22:
                    n = struct.unpack_from(">I", data, p + size + 4)[0]
                    counts[of_class[id_of(p + size + 8)]] += 1
                    p += 2 * size + 8 + n * size
                elif sub == 0x23:
                    n = struct.unpack_from(">I", data, p + size + 4)[0]
                    p += size + 9 + n * widths[data[p + size + 8]]
                else:
                    raise ValueError("sub-record %#x" % sub)
        at = end
    return counts


calls = [e["seq"] for e in events if e["event"] == "CALL" and sites[e["dataid"]]["attr"]["name"] == "dumpHeap"]
assert len(calls) == 2
first, second = check(calls[0]), check(calls[1], calls[0])
none = {"reached": 0, "outside": 0}
lines = [line.split() for line in open(sys.argv[3])]
for type, *numbers in lines:
    told = [r.get(type, none)[key] for r in (first, second) for key in ("reached", "outside")]
    assert told == list(map(int, numbers)), (type, told, numbers)
assert len(lines) > 15
for name, rows in (("first", first), ("second", second)):
    real = dump(os.path.join(sys.argv[4], name + ".hprof"))
    assert real["java.lang.String"] > 100
    for type, *_ in lines:
        r = rows.get(type, none)
        assert r["reached"] <= real[type] <= r["reached"] + r["outside"], (name, type, real[type], r)
print("%d events, %d types" % (len(events), len(lines)))
