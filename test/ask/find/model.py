"""model.py COMMAND TRACE: `find` has the places of a value that Python finds in the events of `print`, newest first."""
import json, random, subprocess, sys

command, trace = sys.argv[1:]
MOST = "1000000"


def ask(*words):
    out = subprocess.run([command, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert out.returncode == 0, (words, out.stderr)
    return [json.loads(line) for line in out.stdout.decode().splitlines()]


PLACES = {
    "field": "PUT_INSTANCE_FIELD_VALUE PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION PUT_STATIC_FIELD",
    "element": "ARRAY_STORE_VALUE",
    "local": "LOCAL_STORE LOCAL_INCREMENT",
    "parameter": "METHOD_PARAM",
    "argument": "CALL_PARAM INVOKE_DYNAMIC_PARAM",
    "result": "CALL_RETURN INVOKE_DYNAMIC_RESULT METHOD_NORMAL_EXIT",
    "constant": "OBJECT_CONSTANT_LOAD",
    "exception": "METHOD_THROW CATCH",
    "read": "GET_INSTANCE_FIELD_RESULT GET_STATIC_FIELD ARRAY_LOAD_RESULT LOCAL_LOAD",
}
KIND = {event: kind for kind, events in PLACES.items() for event in events.split()}
BOXES = {"java.lang." + k: v for k, v in {"Integer": "int", "Character": "char"}.items()}
BOXES |= {"java.lang." + k.capitalize(): k for k in "byte short long float double boolean".split()}


class Place:
    def __init__(self, e, array):
        self.seq, self.event, self.method = e["seq"], e, e["method"]
        self.kind = KIND.get(e["event"])
        if e["class"] == "java.lang.HindsightOutput":
            self.kind = self.kind and "output"
        self.value, self.object = e.get("value"), None
        self.type = e.get("attr", {}).get("type") or (array or "")[:-2]
        if isinstance(self.value, dict):  # an object, perhaps one that stands for something
            self.object, self.string = self.value["id"], self.value.get("string")
            self.type = BOXES.get(self.value["type"], "object")
            self.value = self.value.get("value", self.value)

    def is_number(self, want):
        if self.type in ("byte", "short", "int", "long", "char"):
            return isinstance(want, int) and self.value == want
        if self.type in ("float", "double"):
            return isinstance(self.value, float) and self.value == want
        return isinstance(self.value, str) and self.type == "object" and self.value == str(want)


events, arrays, places = ask("print", trace), {}, []
for e in events:  # an array, its index, its element
    if e["event"] in ("ARRAY_STORE", "ARRAY_LOAD"):
        arrays[e["thread"]] = e["value"]["type"]
    places.append(Place(e, arrays.get(e["thread"])))
places = [p for p in places if p.kind and "value" in p.event]
checked = empty = 0


def same(word, meant, *options, kinds=None, rows=places):
    global checked, empty
    want = [(p.seq, p.kind) for p in reversed(rows) if (p.kind in kinds if kinds else p.kind != "read") and meant(p)]
    words = ["--kind", ",".join(kinds)] if kinds else []
    got = [(r["seq"], r["kind"]) for r in ask("find", word, trace, *words, *options, "--limit", MOST)]
    if got != want:
        wrong = sorted(set(got) ^ set(want))[:3]
        sys.exit("find %s %s: %d places, not %d: %s" % (word, words + list(options), len(got), len(want), wrong))
    if len(want) > 3:
        few = [r["seq"] for r in ask("find", word, trace, *words, *options, "--limit", "3")]
        assert few == [seq for seq, _ in want[:3]], (word, "--limit 3", few, want[:3])
    checked += 1
    empty += not want


dice = random.Random(1)
numbers = {p.value for p in places if p.type not in ("boolean", "object") and type(p.value) in (int, float)}
numbers = dice.sample(sorted(numbers), min(60, len(numbers)))
for n in numbers:
    same("%r" % n, lambda p: p.is_number(n))
for n in (424242, 123456789, -5000000000, 77, 0, 1 << 62, -(1 << 31)):
    same(str(n), lambda p: p.is_number(n))
for kind in (*PLACES, "output"):
    same("77", lambda p: p.is_number(77), kinds=[kind])
same("1", lambda p: p.is_number(1), kinds=["field", "read"])
same("0xffffffff", lambda p: p.value == -1 and p.type in ("int",) or p.value == 0xFFFFFFFF and p.type == "long")
same("NaN", lambda p: p.value == "NaN" and p.type in ("float", "double"))
for word, truth in (("true", True), ("false", False)):
    same(word, lambda p: p.value is truth and p.type == "boolean")
same("null", lambda p: p.value is None)
same("null", lambda p: p.value is None, kinds=["element", "read"])
for c in "q7bZ":
    same("'%s'" % c, lambda p: p.type == "char" and p.value == ord(c))
strings = sorted({p.string for p in places if p.object and p.string})
for s in dice.sample(strings, min(20, len(strings))):
    same(json.dumps(s), lambda p: p.object and p.string == s)
if len(strings) > 9:
    same('"item 1"...', lambda p: p.object and (p.string or "").startswith("item 1"))
    for word in ("item", "word 3", "Item 3", "done 14"):
        same(word, lambda p: p.object and word in (p.string or ""))
    same("done", lambda p: p.object and "done" in (p.string or ""), kinds=["output"])
    same("2.50", lambda p: p.is_number(2.5) or p.type == "object" and p.value == "2.50")
    same("2026-01-04", lambda p: p.type == "object" and p.value == "2026-01-04")

    def shown(p):  # the text of the string, or that its object stands for
        v = p.value
        if p.string is not None or isinstance(v, dict):
            return p.string or ""
        return chr(v) if p.type == "char" else str(v).lower() if p.type == "boolean" else str(v)

    same("RED", lambda p: p.object and "RED" in shown(p))
    for text in ("01-0", "RE", "77", ".5", "tru"):
        same(text, lambda p: p.object and text in shown(p), "--text")
objects = sorted({p.object for p in places if p.object})
for id in dice.sample(objects, min(20, len(objects))):
    same("#%d" % id, lambda p: p.object == id)
# conditions, threads, methods, moments
middle = events[len(events) // 2]["seq"]
last = max(p.event["thread"] for p in places)
some = numbers[:5] + [0, 1]
odd = " || ".join("line == %d" % line for line in sorted({p.event["line"] for p in places}) if line % 2)
for n in some:
    number = lambda p: p.is_number(n)
    same("%r" % n, lambda p: number(p) and p.event["line"] % 2 == 1, "--where", odd)
    same("%r" % n, lambda p: number(p) and p.seq >= middle, "--from", str(middle))
    same("%r" % n, lambda p: number(p) and p.seq <= middle, "--to", str(middle))
    same("%r" % n, lambda p: number(p) and p.event["thread"] == last, "--thread", str(last))
    same("%r" % n, lambda p: number(p) and p.method == "<init>", "--method", "<init>")
print("%d questions, %d of them of what is nowhere" % (checked, empty))
assert checked > 80 and empty < checked / 2
