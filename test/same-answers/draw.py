"""draw.py - arguments for questions, drawn at random from a trace: a sample of its events and tables, read through a
given command.

Every draw also remembers a moment, the seq of the event that gave it, so that a question can ask about an object
where it was seen. What a trace does not have (no stream, no marks) is replaced by something that it does not have
either: the question is asked all the same."""
import collections, json, random, subprocess

MISSING = {
    "seq": "0",
    "valueseq": "0",
    "throw": "0",
    "object": "1",
    "array": "1",
    "exception": "1",
    "string": "1",
    "thread": "0",
    "threadname": "main",
    "event": "METHOD_ENTRY",
    "class": "Main",
    "package": "java.",
    "method": "main",
    "type": "java.lang.String",
    "exceptiontype": "java.lang.Exception",
    "text": "a",
    "value": "1",
    "field": "Main.f",
    "objectfield": "1.f",
    "element": "1[0]",
    "local": "Main.main:args",
    "slot": "Main.main:#0",
    "dataid": "0",
    "mark": "first",
    "snapshot": "1",
}
PLACES, EVENTS_EACH, RARE_EACH = 60, 60, 12


class Sample:
    """found[kind]: a list of (argument, seq)"""

    def __init__(self, command, folder, trace, seed):
        self.command, self.folder, self.random = command, folder, random.Random(seed)
        self.trace, self.found = trace, collections.defaultdict(list)
        self.distinct = {}
        info = self.ask("info")[0]
        self.count = info.get("events", 0)
        self.tables()
        for f in self.ask("features") if info.get("marks") else []:
            self.add("mark", f["feature"], f.get("first"))
        for s in info.get("snapshots", []):
            self.add("snapshot", s["number"])
        first = self.ask("print", "--num", "1")
        if first:
            self.stream(first[0]["seq"], [t for t, v in sorted(info.get("types", {}).items()) if v["events"] > 0])

    def ask(self, command, *options):
        """what the command prints; a refusal is no answer"""
        p = subprocess.run(
            [self.command, command, self.trace, *options, "--json"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return [json.loads(line) for line in p.stdout.splitlines()] if p.returncode in (0, 3) else []

    def add(self, kind, argument, seq=None):
        self.found[kind].append((str(argument), seq))

    def tables(self):
        some = lambda rows, n: self.random.sample(rows, min(n, len(rows)))
        for t in self.ask("threads"):
            if t.get("events"):
                self.add("thread", t["thread"])
                self.add("threadname", t["name"])
        for d in some([d for d in self.ask("freq") if d.get("count")] or self.ask("dataids"), 400):
            self.site(d)
        for o in some(self.ask("objects", "--limit", "20000"), 60):
            self.add("object", o["id"], o.get("first"))
            if o["type"].endswith("]"):
                self.add("array", o["id"], o.get("last"))
            else:
                self.add("type", o["type"], o.get("last"))
        for s in some([s for s in self.ask("strings", "--limit", "20000") if s.get("string")], 60):
            self.add("string", s["id"])
            text = s["string"]
            at = self.random.randrange(len(text))
            text = text[at : at + self.random.randint(1, 8)]
            if "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text):
                self.add("text", text)
        for e in some(self.ask("exceptions", "--limit", "5000"), 40):
            self.add("exception", e["id"], e.get("thrown"))
            self.add("exceptiontype", e["type"])
            if e.get("thrown") is not None:
                self.add("throw", e["thrown"], e["thrown"])

    def site(self, d, seq=None):
        attr = d.get("attr", {})
        self.add("dataid", d["dataid"], seq)
        self.add("event", d["event"], seq)
        self.add("class", d["class"], seq)
        self.add("package", d["class"].rpartition(".")[0] + ".", seq)
        self.add("method", d["method"], seq)
        if "FIELD" in d["event"] and "owner" in attr:
            self.add("field", attr["owner"] + "." + attr["name"], seq)
        if d["event"].startswith("LOCAL_") and "name" in attr:
            self.add("local", "%s.%s:%s" % (d["class"], d["method"], attr["name"]), seq)
            self.add("slot", "%s.%s:#%s" % (d["class"], d["method"], attr.get("varindex", 0)), seq)

    def stream(self, first, types):
        for _ in range(PLACES):
            at = first + self.random.randrange(self.count)
            self.events(self.ask("print", "--from", str(at), "--num", str(EVENTS_EACH)))
        for t in types:  # also those that a random place hardly has
            at = first + self.random.randrange(self.count)
            of_type = ("print", "--event", t, "--num", str(RARE_EACH))
            self.events(self.ask(*of_type, "--from", str(at)) or self.ask(*of_type))

    def events(self, events):
        array = {}  # of each thread: the array whose index comes next
        for e in events:
            seq, kind, attr = e["seq"], e["event"], e.get("attr", {})
            self.add("seq", seq, seq)
            self.site(e, seq)
            if kind in ("METHOD_THROW", "CATCH"):
                self.add("throw", seq, seq)
            if "value" not in e:
                continue
            value = e["value"]
            self.add("valueseq", seq, seq)
            if isinstance(value, dict):
                self.add("object", value["id"], seq)
                self.add("type", value["type"], seq)
                self.add("value", "%s#%d" % (value["type"].rpartition(".")[2], value["id"]), seq)
                if value["type"].endswith("]"):
                    self.add("array", value["id"], seq)
                if "INSTANCE_FIELD" in kind and "owner" in attr and not kind.endswith(("RESULT", "VALUE")):
                    self.add("objectfield", "%d.%s" % (value["id"], attr["name"]), seq)
                    self.add("objectfield", "%d.%s.%s" % (value["id"], attr["owner"], attr["name"]), seq)
            elif value is not None:
                self.add("value", json.dumps(value).strip('"'), seq)
            if kind in ("ARRAY_STORE", "ARRAY_LOAD"):
                array[e["thread"]] = value
            elif kind in ("ARRAY_STORE_INDEX", "ARRAY_LOAD_INDEX") and isinstance(array.get(e["thread"]), dict):
                self.add("element", "%d[%d]" % (array[e["thread"]]["id"], value), seq)

    def draw(self, kind, rng):
        """-> (argument, seq or None). Distinct arguments have equal chances, however common they are."""
        if kind not in self.distinct:
            self.distinct[kind] = sorted({a for a, _ in self.found[kind]})
        if not self.distinct[kind]:
            return MISSING[kind], None
        argument = rng.choice(self.distinct[kind])
        return argument, rng.choice([s for a, s in self.found[kind] if a == argument])
