# redact.py SECRET: what print, strings and exceptions say of the recordings whole, derived and hidden.
import json, sys

secret, bad = sys.argv[1], []


def text(t, what):
    return open("%s.%s" % (t, what)).read()


def rows(t, what):
    return [json.loads(line) for line in open("%s.%s" % (t, what))]


for t in ("whole", "derived", "hidden"):
    for what in ("print", "strings", "exceptions"):
        for s in (secret, secret[::-1]):
            if s in text(t, what):
                bad.append("%s: %s has %s" % (t, what, s))
    for s in ("visible user", "hello visible user"):
        if s not in text(t, "strings"):
            bad.append("%s: no string %r" % (t, s))
for s in (secret, secret[::-1], "password is " + secret):
    if s not in text("plain", "print"):
        bad.append("plain: no %s: the test sees nothing" % s)
for t in ("whole", "hidden", "plain"):
    redacted = {x["type"]: x.get("message_redacted") for x in rows(t, "exceptions") if x["message"] is None}
    want = {"java.lang.IllegalStateException": None}
    if t != "plain":
        want["java.lang.IllegalArgumentException"] = True
    if redacted != want:
        bad.append("%s: exceptions without a message: %s" % (t, redacted))
# the same events at the same places; of the chosen ones no number is there
plain, whole = rows("plain", "print"), rows("whole", "print")
if len(plain) != len(whole):
    bad.append("%d events, %d without the option" % (len(whole), len(plain)))
gone = set()
for a, b in zip(plain, whole):
    if any(a.get(k) != b.get(k) for k in ("event", "class", "method", "pc", "attr")):
        bad.append("seq %s: %s is %s" % (a["seq"], a, b))
        break
    if isinstance(a.get("value"), (int, float)) and not isinstance(a["value"], bool):
        if b.get("value") == {"redacted": True}:
            gone.add((a["event"], a.get("attr", {}).get("name", "")))
        elif "value" not in b:
            bad.append("seq %s: %s: nothing says that the number is left out" % (a["seq"], b))
        elif a["value"] != b["value"]:
            bad.append("seq %s: %s became %s" % (a["seq"], a["value"], b["value"]))
want = {
    ("PUT_INSTANCE_FIELD_VALUE", "pin"),
    ("GET_INSTANCE_FIELD_RESULT", "pin"),
    ("PUT_INSTANCE_FIELD_VALUE", "number"),
    ("GET_INSTANCE_FIELD_RESULT", "number"),
    ("PUT_STATIC_FIELD", "rate"),
    ("ARRAY_LOAD_RESULT", ""),
    ("ARRAY_STORE_VALUE", ""),
    ("METHOD_PARAM", "number"),
    ("LOCAL_LOAD", "number"),
    ("METHOD_NORMAL_EXIT", ""),
    ("CALL_RETURN", ""),
    ("METHOD_PARAM", "counted"),
    ("LOCAL_LOAD", "counted"),
    ("METHOD_PARAM", "d"),
    ("LOCAL_LOAD", "d"),
    ("LOCAL_STORE", "i"),
    ("LOCAL_LOAD", "i"),
    ("LOCAL_INCREMENT", "i"),
    ("CALL_PARAM", ""),
}
if gone != want:
    bad.append("numbers left out: %s; not: %s" % (gone - want, want - gone))
info = json.load(open("info.json"))
if info["redacted_places"] < len(want) or info["redacted_texts"] < 5:
    bad.append("info: %s" % info)
# AppMap: the argument and the result of sealed
map = json.load(open("maps/trace.appmap.json"))["events"]
sealed = [e for e in map if e.get("method_id") == "sealed"]
ends = [e["return_value"] for e in map if sealed and e.get("parent_id") == sealed[0]["id"]]
none = {"class": "long", "value": "(redacted)"}
if len(sealed) != 1 or sealed[0]["parameters"] != [none] or ends != [none]:
    bad.append("appmap: %s %s" % (sealed, ends))
if "redact_unmatched" in info:
    bad.append("info: %s" % info)
if json.load(open("derived.json")).get("redact_unmatched") != ["pasword", "*.Nobody.pin"]:
    bad.append("derived.json")
for b in bad:
    print("FAILED:", b)
sys.exit(len(bad) > 0)
