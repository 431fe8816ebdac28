"""compare.py TRACE CHECKS: what hs_contents_at gives at the end of each call of Contents.check, against the text that
the program printed there. Where the order is the JDK's own, the entries are compared without it."""

import re
import sys

import hindsight

trace = hindsight.open(sys.argv[1])
least = int(sys.argv[2])
bad = known = 0
unknown = {}


def text(value):
    """A value as String.valueOf has it; of objects the program gives them in an order that is known."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "string"):
        if value.string is not None:
            return value.string
        return names.get(value.id) or f"{value.type}#{value.id}"
    return str(value)


# objects whose text is made by recorded code: what their toString returned; constants of Suit by their order
names = {}
calls = {}
for e in trace.events(
    events=["METHOD_ENTRY", "METHOD_NORMAL_EXIT"], class_glob="Contents$Plain", method_glob="toString"
):
    if e.name == "METHOD_ENTRY":
        calls[e.thread] = e.value
    else:
        names[calls[e.thread].id] = e.value.string
constants = [
    e.value.id
    for e in trace.events(events=["PUT_STATIC_FIELD"], class_glob="Contents$Suit")
    if e.value.type == "Contents$Suit"
]
names.update(zip(constants, ["HEART", "SPADE"]))


def shown(c, kind):
    """The entries as toString of the class writes them."""
    if c.kind == "text":
        return c.text
    if c.kind == "value":
        value = text(c.entries[0].value) if c.entries else None
        if kind == "java.lang.Character":
            return chr(c.entries[0].value)
        if kind.startswith("java.util.Optional"):
            return kind[10:] + (f"[{value}]" if c.entries else ".empty")
        return value
    parts = [f"{text(e.key)}={text(e.value)}" if c.kind == "map" else text(e.value) for e in c.entries]
    return ("{%s}" if c.kind == "map" else "[%s]") % ", ".join(parts)


def unordered(line):
    return sorted(line[1:-1].split(", "))


checks = {}
for e in trace.events(events=["METHOD_PARAM"], class_glob="Contents", method_glob="check(Object, String)"):
    checks.setdefault(e.thread, []).append(e)
pairs = checks[0]
must = [
    e.seq for e in trace.events(events=["METHOD_PARAM"], class_glob="Contents", method_glob="known(Object, String)")
]
for held, printed in zip(pairs[::2], pairs[1::2]):
    kind, want = held.value.type, printed.value.string
    called_by_known = bool(must) and must[0] < held.seq
    while must and must[0] < held.seq:
        del must[0]
    c = trace.contents(held.value.id, printed.seq)
    if c is None:
        got = "no contents"
    elif not c.known:
        got = "not known"
        if want != got and not called_by_known:
            reason = f"{kind}: {re.sub('#[0-9]+', '', c.why or 'never known')}"
            unknown[reason] = unknown.get(reason, 0) + 1
            continue
    else:
        known += 1
        got = shown(c, kind)
        if not c.ordered and unordered(got) == unordered(want):
            continue
    if got != want:
        bad += 1
        if bad < 20:
            print(f"event {printed.seq}: {kind} #{held.value.id}: {got}, the program has {want}")
print(f"{len(pairs) // 2} moments, {known} known, {bad} wrong")
for reason, count in sorted(unknown.items(), key=lambda r: -r[1]):
    print(f"    {count} not known: {reason}")
sys.exit(bad > 0 or known < least)
