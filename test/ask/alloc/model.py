"""model.py COMMAND TRACE [SAID]: what `alloc` says is what Python counts from the events; SAID: the lines of a program
that says itself how many objects of a type it made, and of how many nothing was read (Makes.java)."""
import collections, json, subprocess, sys

command, trace = sys.argv[1:3]


def ask(*words):
    out = subprocess.run([command, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert out.returncode == 0, (words, out.stderr)
    return [json.loads(line) for line in out.stdout.decode().splitlines()]


MAKES = "NEW_OBJECT_CREATED NEW_ARRAY_RESULT MULTI_NEW_ARRAY MULTI_NEW_ARRAY_OWNER MULTI_NEW_ARRAY_ELEMENT".split()
READS = (
    "METHOD_ENTRY CALL METHOD_THROW ARRAY_LOAD ARRAY_LENGTH GET_INSTANCE_FIELD MONITOR_ENTER OBJECT_INSTANCEOF "
    "INVOKE_DYNAMIC_PARAM"
).split()
events = ask("print", trace)
kinds = {d["dataid"]: d for d in ask("dataids", trace)}
called = {}  # data ID of CALL_PARAM and CALL_RETURN: name and descriptor of what is called
for number in sorted(kinds):
    d = kinds[number]
    if d["event"] == "CALL":
        last = (d["attr"]["name"], d["attr"]["desc"])
    if d["event"] in ("CALL_PARAM", "CALL_RETURN"):
        called[number] = last
of_thread = collections.defaultdict(list)
for e in events:
    of_thread[e["thread"]].append(e)


def reference(e):
    v = e.get("value")
    return v["id"] if isinstance(v, dict) and "id" in v else None


class Object:
    def __init__(self):
        self.first = self.made = self.last = None
        self.read = self.given = False


objects = collections.defaultdict(Object)
owners, stack_of = {}, {}
for thread, own in of_thread.items():
    stack, length, owner = [], 0, None
    for at, e in enumerate(own):
        kind, id = e["event"], reference(e)
        method = (e.get("class"), e.get("method"), e.get("desc"))
        if kind == "METHOD_ENTRY":
            stack.append(method)
        if kind == "NEW_ARRAY":
            length = e["value"]
        stack_of[e["seq"]] = tuple(stack), length
        if kind == "MULTI_NEW_ARRAY_OWNER":
            owner = id
        if kind == "MULTI_NEW_ARRAY_ELEMENT":
            owners[owner] = owners.get(owner, 0) + 1
        if kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
            while stack and stack.pop() != method:
                pass
        if id is not None:
            x = objects[id]
            x.read |= kind in READS
            # what follows an argument, or a result?
            if kind == "CALL_PARAM":
                k, depth = at + 1, 0
                while k < len(own) and (depth > 0 or own[k]["event"] == "CALL_PARAM" or own[k]["method"] == "<clinit>"):
                    depth += own[k]["event"] == "METHOD_ENTRY"
                    depth -= own[k]["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT")
                    k += 1
                x.given |= not (
                    k < len(own)
                    and own[k]["event"] == "METHOD_ENTRY"
                    and called[e["dataid"]] == (own[k]["method"], own[k]["desc"])
                )
            if kind == "METHOD_NORMAL_EXIT":
                n = own[at + 1] if at + 1 < len(own) else None
                x.given |= not (n and n["event"] == "CALL_RETURN" and called[n["dataid"]] == method[1:])
            x.given |= kind == "INVOKE_DYNAMIC_PARAM"
            x.read |= x.given
types = {}
for e in events:  # in the order of all threads
    id = reference(e)
    if id is None:
        continue
    x = objects[id]
    types[id] = e["value"]["type"]
    if x.made is None and (e["event"] in MAKES or (e["event"] == "INVOKE_DYNAMIC_RESULT" and x.last is None)):
        x.made = e
    x.last = e["seq"]


# collections that only grow, by what calls of java.util are named; those of iterators and views are of the collection
SIZED = (
    "ArrayList LinkedList ArrayDeque PriorityQueue HashSet LinkedHashSet TreeSet HashMap LinkedHashMap TreeMap".split()
)
GROWS = "add addFirst addLast addAll offer push put putIfAbsent putAll merge compute computeIfAbsent".split()
SHOWS = "iterator listIterator keySet values entrySet subList".split()
SHRINKS = "remove removeFirst removeLast removeIf removeAll retainAll clear poll pop computeIfPresent".split()
added, shrank, shown = collections.Counter(), set(), {}
for own in of_thread.values():
    of = None
    for e in own:
        id = reference(e)
        if e["event"] == "CALL":
            of, name = None, e["attr"]["name"]
            if id is None or not (e["attr"]["owner"].startswith("java.util.") or name == "iterator"):
                continue
            type, main = e["value"]["type"], shown.get(id, id)
            if id in shown or type in ["java.util." + name for name in SIZED]:
                of = main if name in SHOWS else None
                if name in SHRINKS:
                    shrank.add(main)
                elif name in GROWS and id not in shown:
                    added[main] += 1
        elif e["event"] == "CALL_RETURN" and of is not None:
            if id is not None:
                shown[id] = of
            of = None
# what was put into arrays, one after the other
stores, under_way = collections.defaultdict(list), {}
for e in events:
    kind, own = e["event"], under_way.setdefault(e["thread"], [None, None])
    if kind == "ARRAY_STORE":
        own[0] = reference(e)
    elif kind == "ARRAY_STORE_INDEX":
        own[1] = e["value"]
    elif kind == "ARRAY_STORE_VALUE":
        stores[own[0]].append((own[1], reference(e) or e.get("value")))
text_of = {reference(e): e["value"]["string"] for e in events if reference(e) and "string" in e["value"]}


class Row:
    def __init__(self):
        self.grown = self.added = self.repeated = 0
        self.texts = {}
        self.count = self.unread = self.elements = self.life = self.longest = 0
        self.first, self.last = None, None

    def add(self, id, x, key):
        life = x.last - x.made["seq"]
        if added[id] and id not in shrank:
            self.grown += 1
            self.added += added[id]
        content = text_of.get(id)
        if x.made["event"] == "NEW_ARRAY_RESULT" and not x.given:
            content = types[id], stack_of[x.made["seq"]][1], repr(stores[id])
        if content is not None:
            texts = self.texts.setdefault(key, set())
            self.repeated += content in texts
            texts.add(content)
        self.count += 1
        self.unread += not x.read
        self.life += life
        self.longest = max(self.longest, life)
        if x.made["event"] == "NEW_ARRAY_RESULT":
            self.elements += stack_of[x.made["seq"]][1]
        elif x.made["event"].startswith("MULTI"):
            self.elements += owners.get(id, 0)
        self.first = x.made["seq"] if self.first is None else min(self.first, x.made["seq"])
        self.last = x.made["seq"] if self.last is None else max(self.last, x.made["seq"])

    def told(self):
        return (
            self.count,
            self.unread,
            self.elements,
            self.life,
            self.longest,
            self.first,
            self.last,
            self.grown,
            self.added,
            self.repeated,
        )


def of_row(r):
    told = r["count"], r["unread"], r.get("elements", 0), r["life"], r["longest"], r["seq"], r["last"]
    return *told, r.get("grown", 0), r.get("added", 0), r.get("repeated", 0)


made = {id: x for id, x in objects.items() if x.made is not None}


def compare(key_of, key_of_row, *words):
    want = collections.defaultdict(Row)
    for id, x in made.items():
        for key in key_of(id, x):
            want[key].add(id, x, key)
    rows = ask("alloc", trace, *words)
    got = {key_of_row(r): of_row(r) for r in rows}
    assert len(got) == len(rows), words
    want = {key: row.told() for key, row in want.items()}
    for key in sorted(set(got) | set(want), key=str):
        assert got.get(key) == want.get(key), (words, key, "alloc", got.get(key), "model", want.get(key))
    return rows


place = lambda r: (r["dataid"], r.get("type"))
rows = compare(lambda id, x: [(x.made["dataid"], types[id])], place)
assert rows == sorted(rows, key=lambda r: (-r["count"], r["seq"])), "the order"
compare(lambda id, x: [types[id]], lambda r: r["type"], "--by", "type")

# some of them
for words, chosen in (
    (["--type", "*[]"], lambda id, x: types[id].endswith("[]")),
    (["--thread", "1"], lambda id, x: x.made["thread"] == 1),
    (["--method", "<init>"], lambda id, x: x.made["method"] == "<init>"),
    (["--from", str(len(events) // 2)], lambda id, x: x.made["seq"] >= len(events) // 2),
    (["--to", str(len(events) // 2)], lambda id, x: x.made["seq"] <= len(events) // 2),
):
    if any(chosen(id, x) for id, x in made.items()):
        compare(lambda id, x: [(x.made["dataid"], types[id])] if chosen(id, x) else [], place, *words)
assert (
    ask("alloc", trace, "--unread") == [r for r in rows if r["unread"]]
    and ask("alloc", trace, "--grown") == [r for r in rows if r.get("grown")]
    and ask("alloc", trace, "--repeated") == [r for r in rows if r.get("repeated")]
    and ask("alloc", trace, "--limit", "2") == rows[:2]
)


# the tree: a row for each sequence of methods, a method that calls itself once
def path(x):
    out = []
    for m in stack_of[x.made["seq"]][0]:
        if not out or out[-1] != m:
            out.append(m)
    return tuple(out)


want = collections.defaultdict(Row)
for id, x in made.items():
    p = path(x)
    for k in range(len(p)):
        want[p[: k + 1]].add(id, x, p + (x.made["dataid"],))
    want[p + ((x.made["dataid"], types[id]),)].add(id, x, p + (x.made["dataid"],))
got, open_rows = {}, []
for r in ask("alloc", trace, "--tree"):
    del open_rows[r["depth"] :]
    open_rows.append((r["dataid"], r["type"]) if "dataid" in r else (r["class"], r["method"], r["desc"]))
    assert len(open_rows) == r["depth"] + 1 and tuple(open_rows) not in got
    got[tuple(open_rows)] = of_row(r)
want = {key: row.told() for key, row in want.items()}
for key in set(got) | set(want):
    assert got.get(key) == want.get(key), ("--tree", key, "alloc", got.get(key), "model", want.get(key))

if len(sys.argv) > 3:
    by_method = {r["method"]: r for r in rows if r["type"].startswith("java.")}
    assert [by_method[m].get("grown", 0) for m in ("grows", "shrinks")] == [4, 0], by_method
    assert by_method["grows"]["added"] == 11 and by_method["texts"]["repeated"] == 7, by_method
    again = {r["method"]: r.get("repeated", 0) for r in rows if r["type"] in ("int[]", "char[]", "java.lang.Object[]")}
    assert (again["pairs"], again["givenAway"], again["objects"]) == (6, 0, 2), again
    by_type = {r["type"]: r for r in ask("alloc", trace, "--by", "type")}
    lines = [line.split() for line in open(sys.argv[3])]
    for type, count, unread in lines:
        r = by_type.get(type, {"count": 0, "unread": 0})
        assert (r["count"], r["unread"]) == (int(count), int(unread)), (type, count, unread, r)
    assert len(lines) > 10
print("%d objects, %d rows" % (len(made), len(got)))
