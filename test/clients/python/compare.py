# compare.py HINDSIGHT TRACE: the package against `hindsight --json`; and what it promises of errors, progress, layouts.
import json, math, random, subprocess, sys

import hindsight
from hindsight import _library

command, path = sys.argv[1:]
bad = []


def ask(*words):
    made = subprocess.run([command, words[0], path, *map(str, words[1:]), "--json"], capture_output=True, text=True)
    return [json.loads(line) for line in made.stdout.splitlines()]


def plain(v):
    """A value of the package as the command writes it."""
    if isinstance(v, hindsight._rows.Reference):
        return v.id
    if isinstance(v, float) and not math.isfinite(v):
        return "NaN" if math.isnan(v) else "Infinity" if v > 0 else "-Infinity"
    return v


def told(v):
    return v["id"] if isinstance(v, dict) else v


def same(what, have, want):
    if have != want:
        at = (
            next((i for i, (a, b) in enumerate(zip(have, want)) if a != b), min(len(have), len(want)))
            if isinstance(have, list)
            else 0
        )
        bad.append(
            "%s: %r, the command says %r"
            % (
                what,
                have[at : at + 1] if isinstance(have, list) else have,
                want[at : at + 1] if isinstance(want, list) else want,
            )
        )


with hindsight.open(path) as t:
    printed = ask("print")
    same("len", len(t), len(printed))
    near = lambda x: round(x, 4) if isinstance(x, float) else x
    same(
        "events",
        [(e.seq, e.thread, e.dataid, e.name, near(plain(e.value))) for e in t.events()],
        [(e["seq"], e["thread"], e["dataid"], e["event"], near(told(e.get("value")))) for e in printed],
    )
    for name in sorted({"%s.%s" % (e["class"], e["method"]) for e in printed if e["event"] == "LABEL"})[:3]:
        for times in (1, 3):
            same(
                "why_not %s" % name,
                [
                    (a.situation, a.calls, a.method, a.line, a.target, a.times, a.seq)
                    for a in t.why_not(name, times=times)
                ],
                [
                    (a["situation"], a["calls"], *(a.get(k) for k in ("method", "line", "target", "times", "seq")))
                    for a in ask("why-not", name, "--times", times)
                ],
            )
    some = [e for e in printed if "value" in e][:: max(1, len(printed) // 12)]
    for e in some:
        same("event", t.event(e["seq"]).dataid, e["dataid"])
        same(
            "why %d" % e["seq"],
            [(c.event.seq, c.because, c.by, c.branch) for c in t.why(e["seq"])],
            [(c["seq"], c["because"], c.get("by"), c.get("branch")) for c in ask("why", e["seq"])],
        )
        same(
            "frames %d" % e["seq"],
            [(f.method, {k: near(plain(v)) for k, v in f.parameters.items()}) for f in t.frames(e["seq"])],
            [
                (f["method"], {k: near(told(v)) for k, v in f["parameters"].items()})
                for f in ask("locals", "--at", e["seq"])
            ],
        )
    ids = {e["value"]["id"] for e in printed if isinstance(e.get("value"), dict)}
    # what is kept of one moment does not change the answer of another one: as a handle that was asked nothing before
    random.seed(len(t))
    moment, ids = 0, [o.id for o in t.objects()]
    for glob in ("*String*", "java.lang.String", "Main", "*[]", "NoSuchType"):
        of_type = [o["id"] for o in ask("objects", "--type", glob)] if glob != "NoSuchType" else []
        same("objects of %s" % glob, [o.id for o in t.objects(glob)], of_type)
    for n in range(120):
        moment = max(0, min(len(t) - 1, random.choice([random.randrange(len(t)), moment + n % 40, moment - n % 25])))
        asked = random.choice(ids[:8])
        with hindsight.open(path) as fresh:
            same("object %d at %d" % (asked, moment), repr(t.object(asked, moment)), repr(fresh.object(asked, moment)))
    for i in sorted(ids)[:12]:
        o, want = t.object(i), ask("object", i)[0]
        same(
            "object %d" % i,
            {k: near(plain(v)) for k, v in o.fields.items()},
            {k: near(told(v)) for k, v in want.get("fields", {}).items()},
        )
        same(
            "elements %d" % i,
            {str(k): near(plain(v)) for k, v in o.elements.items()},
            {k: near(told(v)) for k, v in want.get("elements", {}).items()},
        )
        same("life %d" % i, (o.type, o.first, o.last), (want.get("type"), want.get("first"), want.get("last")))
    put = next((e for e in printed if e["event"] == "PUT_INSTANCE_FIELD"), None)
    if put is not None:
        what = "%s.%s" % (put["attr"]["owner"], put["attr"]["name"])
        history = ask("history", what)
        same(
            "history",
            [(w.event.seq, w.object) for w in t.history(what)],
            [(w["seq"], told(w.get("object"))) for w in history],
        )
        same("last write", t.last_write(what).event.seq, ask("last-write", what)[0]["seq"])
        same("nothing before", t.last_write(what, before=0), None)
    same(
        "threads",
        [(x.thread, x.name, x.events) for x in t.threads()],
        [(x["thread"], x.get("name", ""), x["events"]) for x in ask("threads")],
    )
    named = {}
    for x in t.threads():
        named.setdefault(x.name, set()).add(x.thread)
    for name, numbers in named.items():
        want = [e["seq"] for e in printed if e["thread"] in numbers]
        same("events of thread " + name, [e.seq for e in t.events(threads=[name])], want)
        same("by number", [e.seq for e in t.events(threads=sorted(numbers))], want)
    same("one thread", [e.seq for e in t.events(threads="main")], [e.seq for e in t.events(threads=["main"])])
    same("threads by a glob", [e.seq for e in t.events(threads=["*"])], [e["seq"] for e in printed])
    for where, passes in (
        ("event == METHOD_ENTRY && seq > 10", lambda e: e["event"] == "METHOD_ENTRY" and e["seq"] > 10),
        ("!(event == METHOD_ENTRY) && thread == 0", lambda e: e["event"] != "METHOD_ENTRY" and e["thread"] == 0),
        ("seq % 3 == 1 && seq < 100", lambda e: e["seq"] % 3 == 1 and e["seq"] < 100),
    ):
        same("where " + where, [e.seq for e in t.events(where=where)], [e["seq"] for e in printed if passes(e)])
    try:
        list(t.events(where="seq =="))
        bad.append("a condition without a value is understood")
    except hindsight.Error as e:
        same("what is expected", "character 7: expected a value" in str(e), True)
    try:
        list(t.events(threads=["nobody"]))
        bad.append("a thread that is not there has events")
    except ValueError as e:
        same("the threads that there are", "main" in str(e), True)
    same(
        "classes",
        [(x.name, x.state) for x in t.classes()],
        [(x["class"], "woven" if x["woven"] else x_) for x, x_ in zip(ask("classes"), [c.state for c in t.classes()])],
    )
    same(
        "exceptions",
        [(x.type, x.message, x.thrown, x.caught, x.swallowed) for x in t.exceptions()],
        [(x["type"], x.get("message"), x["thrown"], x.get("caught"), x["swallowed"]) for x in ask("exceptions")],
    )
    same(
        "costs",
        sorted((c.class_name, c.method, c.desc, c.calls) for c in t.costs()),
        sorted((c["class"], c["method"], c["desc"], c["calls"]) for c in ask("report")),
    )
    # every event has a time with timestamp=true; else the coarse clock ticks every millisecond or more
    times = [e.time_ns for e in t.events()]
    same("clock resolution", {c.resolution_ns for c in t.costs()}, {t.clock_resolution_ns})
    same("its size", t.clock_resolution_ns == 1 if times[0] is not None else t.clock_resolution_ns > 1, True)
    same(
        "tree",
        [(c.seq, c.depth, c.method, c.times, [near(plain(a)) for a in c.arguments]) for c in t.tree()],
        [
            (c["seq"], c["depth"], c["method"], c.get("times", 1), [near(told(a)) for a in c["arguments"]])
            for c in ask("tree", "--thread", 0)
        ],
    )

    # errors, progress, closing
    try:
        t.object(4000000000)
        bad.append("an object that is not there is answered")
    except hindsight.Error as e:
        same("code", e.code, hindsight.Status.NOT_FOUND)
    steps = []
    t.progress(lambda done, total, phase: steps.append((done, total, phase)))
    same("with progress", sum(1 for _ in t.events()), len(printed))
    same("steps", bool(steps) and all(0 < d <= n for d, n, _ in steps), True)
    t.progress(lambda *_: True)
    try:
        list(t.events())
        bad.append("it is not cancelled")
    except hindsight.Error as e:
        same("cancelled", e.code, hindsight.Status.CANCELLED)
    t.progress(None)
    same("after it", sum(1 for _ in t.events()), len(printed))
    left = t.events()  # used again when the trace is closed
    next(left)
questions = {
    "len": len,
    "info": lambda t: t.info("format"),
    "damage": lambda t: t.damage,
    "dataid": lambda t: t.dataid(0),
    "counts": lambda t: t.counts(),
    "event": lambda t: t.event(0),
    "events": lambda t: next(t.events()),
    "object": lambda t: t.object(1),
    "reference": lambda t: t.reference(1),
    "last_write": lambda t: t.last_write("1.x"),
    "progress": lambda t: t.progress(None),
    "index": lambda t: t.build_index(),
    "left generator": lambda t: next(left),
}
for name, ask in questions.items():
    try:
        ask(t)
        bad.append("a closed trace answers: " + name)
    except ValueError:
        pass
with hindsight.open(path, readonly=True) as t:
    for name, ask in {
        "event": lambda: t.event(2**64),
        "dataid": lambda: t.dataid(2**32),
        "object": lambda: t.object(2**32),
        "reference": lambda: t.reference(-1),
        "events, object": lambda: list(t.events(object_id=2**32 + 1)),
        "events, from": lambda: list(t.events(from_seq=2**64 + 10)),
        "events, before the first": lambda: list(t.events(from_seq=-1)),
        "events, to": lambda: list(t.events(to_seq=2**64)),
        "events, threads": lambda: list(t.events(threads=2**32)),
        "tree, thread": lambda: list(t.tree(thread=2**32)),
        "tree, depth": lambda: list(t.tree(depth=2**32)),
        "why": lambda: list(t.why(2**64 + 5)),
        "why, depth": lambda: list(t.why(0, depth=-1)),
        "costs": lambda: list(t.costs(2**64)),
        "history": lambda: list(t.history("1.name", from_seq=2**64 + 1)),
        "last write": lambda: t.last_write("1.name", before=2**64),
        "contents": lambda: t.contents(2**32 + 1),
        "contents, moment": lambda: t.contents(1, 2**64),
        "frames": lambda: list(t.frames(2**64)),
    }.items():
        try:
            ask()
            bad.append("a number that is too large is taken: " + name)
        except ValueError:
            pass

    def interrupted(*_):
        raise KeyboardInterrupt

    t.progress(interrupted)
    try:
        list(t.events())
        bad.append("an exception of the progress function is lost")
    except KeyboardInterrupt:
        pass
try:
    hindsight.open("/nowhere")
    bad.append("a directory that is not there is opened")
except hindsight.Error as e:
    same("nowhere", e.code, hindsight.Status.NOT_FOUND)
try:
    _library.check_layouts(lambda name: 0 if name == "hs_event" else _library.lib.hs_sizeof(name.encode()))
    bad.append("a library with other structs is taken")
except ImportError:
    pass
print("\n".join(bad) if bad else "%s: %d events" % (path, len(printed)))
sys.exit(1 if bad else 0)
