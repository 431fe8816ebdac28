"""stream.py - the events of a trace as `hindsight print --json` tells them; everything else of the model is made from
these.

A value is as in JSON (null for the null reference), except that a reference is its object id in a Ref; an event without
a value has NONE."""
import json, subprocess


class Ref(int):
    """the id of an object"""

    __slots__ = ()

    def __repr__(self):
        return "#%d" % int(self)

    __str__ = int.__repr__

    def __eq__(self, other):
        return isinstance(other, Ref) and int(self) == int(other)

    def __ne__(self, other):
        return not self == other

    __hash__ = int.__hash__


class Nothing:
    def __repr__(self):
        return "(no value)"


NONE = Nothing()


class Site:
    """a data ID: what never changes about its events"""

    __slots__ = ("dataid", "event", "cls", "method", "desc", "line", "pc", "attr")

    def __init__(self, d):
        self.dataid, self.event, self.cls, self.method, self.desc = (
            d["dataid"],
            d["event"],
            d["class"],
            d["method"],
            d["desc"],
        )
        self.line, self.pc, self.attr = d.get("line"), d["pc"], d.get("attr", {})


class Event:
    """`line` and `pc`: where it stands. An exit by an exception stands at the instruction that threw, which no event
    tells: test/ask/thrown compares it with what the JVM says."""

    __slots__ = ("seq", "thread", "site", "value", "line", "pc")

    def __init__(self, seq, thread, site, value, place):
        self.seq, self.thread, self.site, self.value = seq, thread, site, value
        self.line, self.pc = place.get("line"), place["pc"]


class Stream:
    def __init__(self, lines):
        self.events, self.sites, self.types, self.strings = [], {}, {}, {}
        for line in lines:
            d = json.loads(line)
            site = self.sites.get(d["dataid"])
            if site is None:
                site = self.sites[d["dataid"]] = Site(d)
            value = self.plain(d["value"]) if "value" in d else NONE
            self.events.append(Event(d["seq"], d["thread"], site, value, d.get("thrown_at", d)))

    def plain(self, v):
        """a value of the JSON as the model keeps it; what it tells of the object is kept aside"""
        if not isinstance(v, dict):
            return v
        id = Ref(v["id"])
        if "type" in v:
            self.types[id] = v["type"]
        if "string" in v:
            self.strings[id] = (v["string"], v.get("length"), v.get("cut", False))
        return id


def read(command, trace, to=None):
    """all events of a trace, or those up to a seq"""
    p = subprocess.Popen(
        [command, "print", trace, "--json"] + (["--to", str(to)] if to is not None else []),
        stdout=subprocess.PIPE,
        text=True,
        errors="surrogatepass",
    )
    stream = Stream(p.stdout)
    if p.wait() != 0:
        raise SystemExit("FAILED: print %s: exit status %d" % (trace, p.returncode))
    return stream
