#!/usr/bin/env python3
"""mse.py FILE EVENTS METHODS [--famix3]: reads an MSE file by its grammar and compares the model with the events.

The grammar is that of moosetechnology.org/docs/mse; EVENTS is print --json, METHODS methods --json. Every reference
must lead to an element of the kind that the attribute wants.
"""
import collections, json, re, sys

TOKEN = re.compile(
    r"""\s*(?:(\()|(\))|(id:)|(ref:)|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|((?:'[^']*')+)|([A-Za-z_][\w.]*))"""
)
OPEN, CLOSE, ID, REF, NUMBER, STRING, NAME = range(1, 8)


class Reference(int):
    pass


class Parser:
    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        m = TOKEN.match(self.text, self.at)
        return (m.lastindex, m.group(m.lastindex), m.end()) if m else (None, self.text[self.at :].strip(), self.at)

    def take(self, kind):
        found, text, end = self.peek()
        assert found == kind, "%r at %d: not %d" % (text[:40], self.at, kind)
        self.at = end
        return text

    def document(self):
        elements = []
        self.take(OPEN)
        while self.peek()[0] == OPEN:
            elements.append(self.element())
        self.take(CLOSE)
        assert self.peek() == (None, "", self.at), "text behind the document"
        return elements

    def element(self):
        self.take(OPEN)
        kind, number, attributes = self.take(NAME), None, {}
        while self.peek()[0] == OPEN:
            self.take(OPEN)
            if self.peek()[0] == ID:
                assert number is None and not attributes
                self.take(ID)
                number = int(self.take(NUMBER))
            else:
                name = self.take(NAME)
                assert "." not in name and name not in attributes, name
                attributes[name] = self.values()
            self.take(CLOSE)
        self.take(CLOSE)
        return kind, number, attributes

    def values(self):
        found = []
        while self.peek()[0] != CLOSE:
            kind = self.peek()[0]
            if kind == OPEN:
                self.take(OPEN)
                self.take(REF)
                found.append(Reference(self.take(NUMBER)))
                self.take(CLOSE)
            elif kind == STRING:
                found.append(self.take(STRING)[1:-1].replace("''", "'"))
            elif kind == NUMBER:
                text = self.take(NUMBER)
                found.append(float(text) if re.search("[.eE]", text) else int(text))
            else:
                found.append({"true": True, "false": False}[self.take(NAME)])
        return found


famix3 = "--famix3" in sys.argv
container, parent, behaviour = (
    ("container", "parentType", "behaviour") if famix3 else ("belongsTo", "belongsTo", "method")
)
with open(sys.argv[1], encoding="utf-8") as f:
    elements = Parser(f.read()).document()
by_number = {}
for kind, number, attributes in elements:
    assert number is None or number not in by_number, number
    by_number[number] = (kind, attributes)

WANTED = {container: "FAMIX.Namespace FAMIX.Class", parent: "FAMIX.Class FAMIX.Namespace", behaviour: "FAMIX.Method"}
WANTED.update(
    {"type": "FAMIX.Class", "subclass": "FAMIX.Class", "superclass": "FAMIX.Class", "field": "FAMIX.Attribute"}
)
WANTED.update({"feature": "Dynamix.Feature", "parent": "Dynamix.Activation", "activation": "Dynamix.Activation"})
for kind, number, attributes in elements:
    for name, values in attributes.items():
        for v in values:
            if isinstance(v, Reference):
                assert by_number[v][0] in WANTED.get(name, "Dynamix.Instance").split(), (kind, number, name, v)


def one(kind):
    return [(number, a) for k, number, a in elements if k == kind]


def class_name(ref):
    a = by_number[ref][1]
    package = by_number[a[container][0]][1]["name"][0]
    return package + "." + a["name"][0] if package else a["name"][0]


def object_of(v):
    """An instance as print --json has it, without its id."""
    a = by_number[v][1]
    found = {"type": class_name(a["type"][0])}
    return dict(found, string=a["value"][0]) if "value" in a else found


def shown(v):
    """A value of print --json as the file has it. Controls and lone surrogates of strings are Java escapes."""
    if isinstance(v, dict):
        v = {k: w for k, w in v.items() if k != "id"}
        if "string" in v:
            v["string"] = visible(v["string"])
    return "null" if v is None else v


def visible(text):
    hidden = lambda c: ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 or c in "\u202e\u2028\u2029"
    names = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}
    return "".join(names.get(c, "\\u%04x" % ord(c)) if hidden(c) else c for c in text)


def read(v):
    return object_of(v) if isinstance(v, Reference) else v


# methods and their classes
with open(sys.argv[3], encoding="utf-8") as f:
    methods = collections.Counter((m["class"], m["method"]) for m in map(json.loads, f))
assert methods == collections.Counter((class_name(a[parent][0]), a["name"][0]) for n, a in one("FAMIX.Method"))
assert all(re.fullmatch(re.escape(a["name"][0]) + r"\(.*\)", a["signature"][0]) for n, a in one("FAMIX.Method"))

# what was executed, from the events
calls, accesses, stacks, last = {}, [], collections.defaultdict(list), {}
with open(sys.argv[2], encoding="utf-8") as f:
    for e in map(json.loads, f):
        stack, event = stacks[e["thread"]], e["event"]
        if event == "METHOD_ENTRY":
            call = {"method": (e["class"], e["method"]), "thread": e["thread"], "arguments": [], "entry": e["seq"]}
            call["receiver"] = e.get("value")
            call["parent"] = stack[-1] if stack else None
            calls[e["seq"]] = call
            stack.append(call)
        elif event == "METHOD_PARAM":
            stack[-1]["arguments"].append(e["value"])
        elif event == "METHOD_OBJECT_INITIALIZED":
            stack[-1]["receiver"] = e["value"]
        elif event in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
            stack.pop().update(
                stop=e["seq"], **{"return" if "NORMAL" in event else "exception": e.get("value", "void")}
            )
        elif re.search("STATIC_FIELD|FIELD_RESULT|FIELD_VALUE|BEFORE_INIT", event):
            static = "STATIC" in event or "BEFORE_INIT" in event
            accesses.append((e, stack[-1]["entry"] if stack else None, None if static else last[e["thread"]]))
        last[e["thread"]] = e.get("value")

activations = one("Dynamix.Activation")
assert len(activations) == len(calls), (len(activations), len(calls))
entry = {number: a["start"][0] for number, a in activations}
for number, a in activations:
    call = calls[a["start"][0]]
    m = by_number[a[behaviour][0]][1]
    assert (class_name(m[parent][0]), m["name"][0]) == call["method"], (a, call)
    assert a.get("stop", [None])[0] == call.get("stop") and a["thread"] == [call["thread"]], (a, call)
    assert entry.get(a.get("parent", [None])[0]) == (call["parent"]["entry"] if call["parent"] else None), (a, call)
    sender = call["parent"]["receiver"] if call["parent"] else None
    for name, value in (("receiver", call["receiver"]), ("sender", sender)):
        assert (read(a[name][0]) if name in a else "null") == shown(value), (name, a, call)
    assert [read(v) for v in a.get("arguments", [])] == [shown(v) for v in call["arguments"]], (a, call)
    for name in ("return", "exception"):
        want = call.get(name, "void")
        assert (read(a[name][0]) if name in a else "void") == (want if want == "void" else shown(want)), (a, call)

written = {a["start"][0]: a for n, a in one("Dynamix.FieldAccess")}
assert len(written) == len(accesses), (len(written), len(accesses))
for e, inside, on in accesses:
    a = written[e["seq"]]
    field = by_number[a["field"][0]][1]
    assert (class_name(field[parent][0]), field["name"][0]) == (e["attr"]["owner"], e["attr"]["name"]), (a, e)
    assert a["isWrite"] == ["PUT" in e["event"]] and read(a["value"][0]) == shown(e["value"]), (a, e)
    assert entry.get(a.get("activation", [None])[0]) == inside, (a, e)
    assert (read(a["object"][0]) if "object" in a else "null") == shown(on), (a, e, on)

# features and what was entered inside
features = {a["name"][0]: (number, a) for number, a in one("Dynamix.Feature")}
inside = collections.defaultdict(set)
for n, a in one("Dynamix.FeatureActivation"):
    inside[a["feature"][0]].add(entry[a["activation"][0]])
for number, a in features.values():
    assert inside[number] == {s for s in calls if a["start"][0] <= s <= a["stop"][0]}, a
print(
    "    %d elements: %d activations, %d accesses, features %s"
    % (len(elements), len(calls), len(accesses), list(features))
)
