"""questions.py - what is asked, and what the model says to it. A function per question: its answer of the command and
of the library."""
import collections, fnmatch

from ask import Bits, absent
from stream import NONE, Ref


def plain(stream, v):
    """a value of the command's JSON as the model keeps it"""
    if not isinstance(v, dict):
        return v
    id = Ref(v["id"])
    if "type" in v and v["type"] != stream.types.get(id, v["type"]):
        return "%s of type %s, not %s" % (id, v["type"], stream.types[id])
    if "string" in v and id in stream.strings and v["string"] != stream.strings[id][0]:
        return "%s with the content %r" % (id, v["string"])
    return id


def rows(answer, kind):
    return [r[1:] for r in answer or [] if r[0] == kind]


def written(m, answer):
    """(seq, value) of the writes that the library answers, as far as the model has read"""
    return [(int(r[0]), Bits(r[3], r[4])) for r in rows(answer, "write") if m.whole or int(r[0]) <= m.last]


# ---- objects ----


def near(rng, m, log):
    """a moment: anywhere, or just before or at something that is told of a place"""
    if log and rng.random() < 0.6:
        return max(0, rng.choice(log)[0] - rng.randrange(2))
    return rng.choice(m.stream.events).seq


def some_object(m, rng):
    if rng.random() < 0.1:
        return rng.choice(m.ids)
    return rng.choice(m.by_type[rng.choice(m.types)]) if m.types else rng.choice(m.ids)


def check_objects(m, a, rng, n, commands):
    for i in range(n + commands):
        id = some_object(m, rng)
        log = m.heap.logs[rng.choice(m.heap.places_of[id])] if m.heap.places_of.get(id) else []
        seq = near(rng, m, log)
        fields, elements = m.heap.object(id, seq)
        life, length = m.heap.lives[id], m.heap.lengths.get(id)
        array = m.stream.types.get(id, "").endswith("[]")  # a length can be known from operands, which are no events
        certain = m.all_woven and (length is not None or not array) and (m.whole or m.heap.made(id) is not None)
        defaults = m.heap.defaults(id, seq) if certain else {}
        what = "%d (%s) at %d" % (id, m.stream.types.get(id), seq)
        if i < n:
            answer = a.ask("object", id, seq)
            if answer is None:
                a.differ("hs_object_at", what, a.why, "an answer")
                continue
            created, first, last, have_length, handed = map(absent, answer[0][1:])
            stale = [
                r[0] if "." in r[0] else int(r[0])
                for r in rows(answer, "field") + rows(answer, "element")
                if r[4] == "1"
            ]
            type = m.stream.types.get(id, "?")
            if array:
                alone = rows(a.ask("length", id), "length")
                a.compare("hs_array_length", what, int(alone[0][0]) if alone else None, have_length)
            else:
                own = [f.rpartition(".") for f in m.classes.instance_fields(type)]
                declared = sorted(r[0] for r in rows(a.ask("fields", type, 0), "field"))
                a.compare("hs_field_get", what, declared, sorted(f for c, _, f in own if c == type))
            members = [(r[0], *r[1:]) for r in rows(answer, "field")] + [
                (int(r[0]), *r[1:]) for r in rows(answer, "element")
            ]
            have = {r[0]: (absent(r[3]), Bits(r[1], r[2])) for r in members if r[5] == "0"}
            a.compare("hs_object_at", what, have, {f: x[:2] for f, x in (fields | elements).items()})
            have = {r[0]: (absent(r[3]), Bits(r[1], r[2])) for r in members if r[5] == "1"}
            a.compare("hs_object_at's defaults", what, have if certain else {}, defaults)
        else:
            answer = a.run("object", id, "--at", seq)
            if not answer:
                continue
            o = answer[0]
            created, first, last, have_length = (o.get(k) for k in ("created", "first", "last", "length"))
            handed, stale = o.get("handed", {}).get("seq"), [
                int(x) if str(x).isdigit() else x for x in o.get("stale", [])
            ]
            shown = [(k, plain(m.stream, v)) for k, v in o.get("fields", {}).items()] + [
                (int(k), plain(m.stream, v)) for k, v in o.get("elements", {}).items()
            ]
            unwritten = {int(x) if x.isdigit() else x for x in o.get("defaults", [])}
            have = {k: v for k, v in sorted(shown) if k not in unwritten}
            a.compare("object", what, have, {f: x[1] for f, x in sorted((fields | elements).items())})
            have = {k: v for k, v in sorted(shown) if certain and k in unwritten}
            a.compare("object's defaults", what, have, {f: v for f, (_, v) in sorted(defaults.items())})
            a.compare("object", what + " type", o.get("type"), m.stream.types.get(id))
            if id in m.stream.strings:
                a.compare("object", what + " string", o.get("string"), m.stream.strings[id][0])
        a.compare(
            "object's stale",
            what,
            (handed, sorted(map(str, stale))),
            (m.heap.stale(id, seq)[0], sorted(map(str, m.heap.stale(id, seq)[1]))),
        )
        a.compare(
            "object's life",
            what,
            (created if m.whole or created is None or created <= m.last else None, first)
            + ((last,) if m.whole else ()),
            (m.heap.created.get(id), life[0]) + ((life[1],) if m.whole else ()),
        )
        if id not in m.stream.strings and (length and length[0] <= seq or have_length is not None and length):
            a.compare("object's length", what, have_length, length[1])


def check_surprises(m, a, rng, n):
    """a value that is read and is not the last one known: what the object held had changed where nobody saw it, and the
    answer has to say so"""
    surprises = []
    if len({e.thread for e in m.stream.events}) > 1:
        return
    for seq in sorted(m.heap.loads):
        place = m.heap.loads[seq]
        before = m.heap.known(place, seq - 1)
        now = m.heap.known(place, seq)
        if place[0] is not None and before and now and repr(before[1]) != repr(now[1]):
            surprises.append((place, seq, before))
    for place, seq, before in rng.sample(surprises, min(n, len(surprises))):
        o = (a.run("object", place[0], "--at", seq - 1) or [{}])[0]
        a.compare(
            "object's stale",
            "%s, whose value at %d is another one than that of %d" % (place, seq, before[0]),
            str(place[1]) in map(str, o.get("stale", [])),
            True,
        )


# ---- places ----


def place_words(place):
    """how a place is named"""
    object, part = place
    return part if object is None else "%d[%d]" % place if isinstance(part, int) else "%d.%s" % place


def check_places(m, a, rng, n, commands):
    places = [p for p in m.heap.logs if any(x[2] for x in m.heap.logs[p])]
    if not places:
        return
    by_part = collections.defaultdict(list)
    for p in places:
        by_part["[]" if isinstance(p[1], int) else p[1]].append(p)
    parts = sorted(by_part)
    for i in range(n + commands):
        place = rng.choice(by_part[rng.choice(parts)])
        name, wrote = place_words(place), m.heap.writes(place)
        before = near(rng, m, m.heap.logs[place]) + rng.randrange(3)
        want = m.heap.last_write(place, before)
        if i < n:
            answer = a.ask("last", name, before)
            have = written(m, answer) if answer is not None else a.why
            a.compare("hs_last_write", "%s before %d" % (name, before), have, [want[:2]] if want else [])
            if want and place[0] is not None:
                handed = m.heap.handed_last(place[0], before - 1)
                a.compare(
                    "hs_handed_over",
                    "%s since %d before %d" % (name, want[0], before),
                    [int(r[0]) for r in rows(a.ask("handed", place[0], want[0], before - 1), "handed")],
                    [handed] if handed and handed > want[0] else [],
                )
            answer = a.ask("history", name)
            have = written(m, answer) if answer is not None else a.why
            a.compare("hs_history", name, have, [x[:2] for x in wrote])
            for forward in (0, 1):
                answer = a.ask("history", name, before, forward)
                have = written(m, answer) if answer is not None else a.why
                wanted = [x[:2] for x in wrote if (x[0] >= before) == bool(forward)]
                a.compare(
                    "hs_history from a moment",
                    "%s %s %d" % (name, "from" if forward else "back from", before),
                    have,
                    wanted if forward else wanted[::-1],
                )
        else:
            answer = a.run("last-write", name, "--before", before, status=(0,) if want else (0, 1))
            handed = m.heap.handed_last(place[0], before - 1) if want else None
            a.compare(
                "last-write",
                "%s before %d: handed" % (name, before),
                [e.get("handed", {}).get("seq") for e in answer or []],
                [handed if handed and handed > want[0] else None] if want else [],
            )
            a.compare(
                "last-write",
                "%s before %d" % (name, before),
                [(e["seq"], plain(m.stream, e["value"])) for e in answer or []],
                [want[:2]] if want else [],
            )
            answer = a.run("history", name, "--to", m.last, status=(0,) if wrote else (0, 1))
            a.compare(
                "history", name, [(e["seq"], plain(m.stream, e["value"])) for e in answer or []], [x[:2] for x in wrote]
            )
            for e in answer or []:
                a.compare(
                    "history",
                    "%s of what" % name,
                    (e.get("object") or {}).get("id") if isinstance(e.get("object"), dict) else e.get("object"),
                    place[0] and int(place[0]),
                )


def check_class_fields(m, a, rng, n):
    """a field of any object, by its declaring class"""
    all_ = collections.defaultdict(list)
    for (object, part), log in m.heap.logs.items():
        if isinstance(part, str):
            all_[part] += [(x[0], x[1], object) for x in log if x[2]]
    names = sorted(name for name in all_ if all_[name] and "." in name)
    for name in rng.sample(names, min(n, len(names))):
        want = sorted(all_[name], key=lambda x: x[0])
        answer = a.ask("history", name)
        have = (
            [(int(r[0]), Bits(r[3], r[4]), absent(r[1])) for r in rows(answer, "write") if int(r[0]) <= m.last]
            if answer is not None
            else a.why
        )
        a.compare("hs_history of a class's field", name, have, [(s, v, o and int(o)) for s, v, o in want])


def check_locals_history(m, a, rng, n, commands):
    groups = collections.defaultdict(list)
    for (key, name), writes in m.frames.local_writes.items():
        groups[key, name] += writes
    names = sorted(groups)
    for (cls, method, desc), name in rng.sample(names, min(n, len(names))):
        what = "%s.%s%s:%s" % (cls, method, desc, name)
        want = sorted(groups[(cls, method, desc), name], key=lambda x: x[0])
        answer = a.ask("history", what)
        have = written(m, answer) if answer is not None else a.why
        a.compare("hs_history of a local", what, have, want)


# ---- stacks ----


def check_stacks(m, a, rng, commands):
    moments = sorted(m.stacks)
    for seq in moments:
        answer, frames = a.ask("frames", seq), []
        for r in answer or []:
            if r[0] == "frame":
                frames.append(
                    {
                        "key": tuple(r[1:4]),
                        "pc": int(r[4]),
                        "line": int(r[5]),
                        "entered": absent(r[6]),
                        "this": absent(r[7]),
                        "parameter": {},
                        "local": {},
                    }
                )
            else:
                frames[-1][r[0]][r[1]] = Bits(r[2], r[3])
        a.compare("hs_frames_at", "%d: how many" % seq, len(frames), len(m.stacks[seq]))
        for have, f in zip(frames, m.stacks[seq]):
            compare_frame(
                a,
                "hs_frames_at",
                seq,
                f,
                have["key"],
                have["pc"],
                have["line"],
                have["entered"],
                have["this"],
                have["parameter"],
                have["local"],
            )
    for seq in rng.sample(moments, min(commands, len(moments))):
        answer = a.run("locals", "--at", seq) or []
        a.compare("locals", "%d: how many" % seq, [o["depth"] for o in answer], list(range(len(m.stacks[seq]))))
        for o, f in zip(answer, m.stacks[seq]):
            values = [{k: plain(m.stream, v) for k, v in o[part].items()} for part in ("parameters", "locals")]
            this = plain(m.stream, o.get("this"))
            compare_frame(
                a,
                "locals",
                seq,
                f,
                (o["class"], o["method"], o["desc"]),
                o["pc"],
                o.get("line", -1),
                o.get("entered"),
                this,
                *values,
            )


def compare_frame(a, question, seq, f, key, pc, line, entered, this, parameters, locals_):
    what = "%d, frame %s" % (seq, ".".join(f.key))
    want_pc, want_line = f.stands() or (pc, line)
    a.compare(
        question,
        what,
        (key, pc, line, entered, this and int(this)),
        (f.key, want_pc, -1 if want_line is None else want_line, f.entered, f.this and int(f.this)),
    )
    a.compare(question, what + ": parameters", dict(sorted(parameters.items())), dict(sorted(f.parameters.items())))
    want = dict(f.locals)
    for name, v in f.maybe.items():
        if name in locals_:
            want[name] = v
    a.compare(question, what + ": locals at pc %d" % f.pc, dict(sorted(locals_.items())), dict(sorted(want.items())))


# ---- calls ----


def check_tree(m, a, commands):
    for thread, calls in sorted(m.frames.calls.items()):
        want = [
            (
                c.seq,
                c.depth,
                c.calls,
                c.left,
                c.exception and int(c.exception),
                c.result if c.left and c.exception is None else NONE,
                c.arguments,
            )
            for c in calls
        ]
        for cursor in (0, 1):
            if not m.whole:
                break
            have = calls_of(a.ask("tree", thread, 3, cursor))
            a.compare(
                "hs_tree_open" if cursor == 0 else "hs_tree_cursor",
                "thread %d" % thread,
                first_difference(have, want),
                None,
            )
        by_seq = {w[0]: w for w in want}
        for fold in (0, 1, 2):
            have = calls_of(a.ask("tree", thread, fold, 0)) if m.whole else []
            a.compare(
                "hs_tree_open folded",
                "thread %d, fold %d" % (thread, fold),
                first_difference(have, [by_seq.get(c[0]) for c in have]),
                None,
            )
            a.compare(
                "hs_tree_open folded",
                "thread %d, fold %d: order" % (thread, fold),
                [c[0] for c in have],
                sorted(c[0] for c in have),
            )
        if m.whole and commands:
            answer = a.run("tree", "--thread", thread, "--fold", "none") or []
            have = [
                (
                    c["depth"],
                    c["seq"],
                    (c["class"], c["method"], c["desc"]),
                    [plain(m.stream, v) for v in c["arguments"]],
                    plain(m.stream, c.get("result", NONE)),
                    plain(m.stream, c.get("exception")),
                    c["calls"],
                    c.get("times", 1),
                )
                for c in answer
            ]
            want = [
                (
                    c.depth,
                    c.seq,
                    c.key(),
                    c.arguments,
                    c.result if c.exception is None else NONE,
                    c.exception,
                    c.calls,
                    1,
                )
                for c in calls
            ]
            a.compare("tree", "thread %d" % thread, first_difference(have, want), None)


def first_difference(have, want):
    for i, (x, y) in enumerate(zip(have, want)):
        if x != y:
            return "row %d: have %s want %s" % (i, x, y)
    return None if len(have) == len(want) else "%d rows, not %d" % (len(have), len(want))


def calls_of(answer):
    return [
        (
            int(r[0]),
            int(r[1]),
            int(r[2]),
            r[4] == "1",
            int(r[6]) if r[5] == "1" else None,
            Bits(r[7], r[8]),
            [Bits(*r[i : i + 2]) for i in range(9, len(r), 2)],
        )
        for r in rows(answer, "call")
    ]


def check_counts(m, a):
    if not m.whole:
        return
    want = collections.Counter(e.site.dataid for e in m.stream.events)
    have = {int(r[0]): int(r[1]) for r in rows(a.ask("counts"), "count")}
    a.compare("hs_count_dataids", "all", {k: v for k, v in have.items() if want[k] != v}, {})
    a.compare(
        "freq", "all", {o["dataid"]: o["count"] for o in a.run("freq") or [] if want[o["dataid"]] != o["count"]}, {}
    )
    a.compare("freq", "data IDs", sorted(o["dataid"] for o in a.run("freq") or []), sorted(want))
    info = (a.run("info") or [{}])[0]
    have = {k: v["events"] for k, v in info.get("types", {}).items() if v["events"]}
    a.compare(
        "info",
        "types",
        dict(sorted(have.items())),
        dict(sorted(collections.Counter(e.site.event for e in m.stream.events).items())),
    )
    calls, thrown, left = collections.Counter(), collections.Counter(), collections.Counter()
    for c in (c for calls_ in m.frames.calls.values() for c in calls_):
        calls[c.key()] += 1
        thrown[c.key()] += c.exception is not None
        left[c.key()] += c.left
    want = {k: (calls[k], thrown[k]) for k in calls}
    have = {tuple(r[:3]): (int(r[3]), int(r[4])) for r in rows(a.ask("costs"), "cost")}
    a.compare("hs_costs", "all", {k: v for k, v in have.items() if want.get(k) != v}, {})
    a.compare("hs_costs", "methods", sorted(have), sorted(want))
    have = {(o["class"], o["method"], o["desc"]): (o["calls"], o["exceptions"]) for o in a.run("report") or []}
    a.compare("report", "all", dict(sorted(have.items())), dict(sorted(want.items())))
    have = {t["thread"]: t["events"] for t in a.run("threads") or [] if t["events"]}
    a.compare(
        "threads",
        "events",
        dict(sorted(have.items())),
        dict(sorted(collections.Counter(e.thread for e in m.stream.events).items())),
    )


# ---- exceptions, tables ----


def check_exceptions(m, a):
    if not m.whole:
        return
    answer = a.run("exceptions") or []
    held = {x["id"] for o in answer for x in [o.get("cause")] + o.get("suppressed", []) if x}
    want = m.frames.flights.ways(held)
    have = [(o["id"], o["thrown"], o.get("caught"), o["swallowed"], [e["seq"] for e in o["left"]]) for o in answer]
    a.compare("exceptions", "all", first_difference(have, [w[:4] + (w[4][:64],) for w in want]), None)
    a.compare("exceptions", "types", [o["type"] for o in answer], [m.stream.types.get(Ref(w[0])) for w in want])
    a.compare("exceptions", "exits", [o["exits"] for o in answer], [len(w[4]) for w in want])
    have = [
        (int(r[0]), absent(r[1]), absent(r[2]), r[3] == "1", [int(x) for x in r[5:]])
        for r in rows(a.ask("exceptions"), "exception")
    ]
    a.compare("hs_exception_held", "hs_thrown_get", rows(a.ask("exceptions"), "unlike"), [])
    numbers = [int(r[0]) for r in rows(a.ask("exceptions"), "alike")]
    kinds = [(o["type"], o.get("message"), (o.get("cause") or {}).get("type")) for o in answer]
    a.compare("hs_exception_alike", "kinds", len(set(zip(numbers, kinds))), len(set(kinds)))
    a.compare("hs_exception_alike", "numbers", len(set(numbers)), len(set(kinds)))
    a.compare("hs_exceptions", "all", first_difference(have, [w[:4] + (w[4][:64],) for w in want]), None)
    later, half = [int(r[0]) for r in rows(a.ask("exceptions"), "later")], len(m.stream.events) // 2
    a.compare("hs_exceptions_open_from", "all", later, [w[1] for w in want if w[1] >= half])
    # by number of the kind, caught or not, swallowed or not: how many, the first, the least exits
    have, groups = {}, [
        (r[:3], absent(r[3]) is not None, r[4] == "1", r[5]) for r in rows(a.ask("exceptions"), "group")
    ]
    ways = [((1, n, w[1]), w[2] is not None, w[3], len(w[4])) for n, w in zip(numbers, want)]
    for to, list in ((have, groups), (expected := {}, ways)):
        for (times, alike, thrown), caught, swallowed, left in list:
            row = to.setdefault((int(alike), caught, swallowed), [0, int(thrown), int(left)])
            row[:] = row[0] + int(times), min(row[1], int(thrown)), min(row[2], int(left))
    a.compare("hs_exception_groups", "all", have, expected)


def check_tables(m, a):
    if not m.whole:
        return
    want = {int(id): tuple(life) for id, life in m.heap.lives.items()}
    have = {o["id"]: (o["first"], o["last"]) for o in a.run("objects") or [] if "first" in o}
    a.compare(
        "objects",
        "lives",
        {k: (have.get(k), want.get(k)) for k in set(have) | set(want) if have.get(k) != want.get(k)},
        {},
    )
    have = {int(r[0]): (int(r[1]), int(r[2])) for r in rows(a.ask("lives"), "life")}
    a.compare(
        "hs_lives",
        "all",
        {k: (have.get(k), want.get(k)) for k in set(have) | set(want) if have.get(k) != want.get(k)},
        {},
    )
    have = {o["id"]: o["string"] for o in a.run("strings") or []}
    a.compare(
        "strings",
        "all",
        {id: (have.get(int(id)), s[0]) for id, s in m.stream.strings.items() if have.get(int(id)) != s[0]},
        {},
    )


# ---- the stream ----


def class_names(cls, with_package):
    """What a glob for a class is compared with: its name; its name without package; the own names of nested classes."""
    short = cls.rsplit(".", 1)[-1]
    nested = short.split("$")
    own = ["$".join(nested[i:]).lstrip("0123456789") for i in range(1, len(nested))]
    if with_package:
        return (
            [cls]
            if "$" not in cls
            else [cls, cls.replace("$", "."), short.replace("$", ".")]
            + ["$".join(nested[i:]).replace("$", ".") for i in range(1, len(nested))]
        )
    return [cls, short] + [n for n in own if n]


def check_filters(m, a, rng, n, commands):
    events = m.stream.events
    for i in range(n + commands):
        e = rng.choice(events)
        cls, method = rng.choice(events).site.cls, e.site.method
        sites = {  # what a filter is asked for, and the sites that pass
            "event": (e.site.event, lambda s: s.event == e.site.event),
            "class": (e.site.cls, lambda s: s.cls == e.site.cls),
            "method": (method, lambda s: s.method == method),
        }
        if rng.random() < 0.3:
            glob = cls[:3] + "*"
            sites["class"] = (
                glob,
                lambda s: any(fnmatch.fnmatchcase(n, glob) for n in class_names(s.cls, "." in glob)),
            )
        if rng.random() < 0.2:
            sites["method"] = (method + e.site.desc, lambda s: (s.method, s.desc) == (method, e.site.desc))
        tests = {"thread": (e.thread, lambda x: x.thread == e.thread)}
        if isinstance(e.value, Ref):
            tests["object"] = (int(e.value), lambda x: isinstance(x.value, Ref) and x.value == e.value)
            text = m.stream.strings.get(e.value, ("",))[0][:4]
            if text.isalnum():
                tests["text"] = (
                    text,
                    lambda x: isinstance(x.value, Ref) and text in m.stream.strings.get(x.value, ("",))[0],
                )
        elif isinstance(e.value, bool) or e.value is None:
            tests["value"] = (
                "null" if e.value is None else "true" if e.value else "false",
                lambda x: x.value is e.value,
            )
        elif isinstance(e.value, (int, float)):
            tests["value"] = (e.value, lambda x: same_number(x.value, e.value))
        chosen = rng.sample(sorted(sites) + sorted(tests), rng.randrange(1, 4))
        pass_ = {s for s in m.stream.sites.values() if all(sites[t][1](s) for t in chosen if t in sites)}
        values = [tests[t][1] for t in chosen if t in tests]
        tests.update(sites)
        x, y = sorted((rng.choice(events).seq, rng.choice(events).seq))
        want = [
            v.seq
            for v in events[bisect(events, x) : bisect(events, y + 1)]
            if v.site in pass_ and all(passes(v) for passes in values)
        ]
        words = "%s from %d to %d" % (" ".join("%s=%s" % (t, tests[t][0]) for t in chosen), x, y)
        if i < n:
            limit = 2000
            filters = ["%s=%s" % (t, tests[t][0]) for t in chosen] + ["from=%d" % x, "to=%d" % y]
            have = [int(r[0]) for r in rows(a.ask("events", 0, limit, None, *filters), "event")]
            a.compare("hs_cursor_next", words, have, want[:limit])
            middle = rng.choice(events).seq
            middle = min(max(middle, x), y)
            have = [int(r[0]) for r in rows(a.ask("events", 1, limit, middle, *filters), "event")]
            a.compare(
                "hs_cursor_previous",
                words + " back from %d" % middle,
                have,
                [s for s in want if s < middle][::-1][:limit],
            )
        else:
            options = [w for t in chosen for w in ("--" + t, tests[t][0])]
            have = [v["seq"] for v in a.run("print", *options, "--from", x, "--to", y, "--limit", 3000) or []]
            a.compare("print", words, have, want[:3000])


def same_number(x, wanted):
    """does the filter for `wanted` pass x? 42 is 42.0 as well, 42.0 no whole number, and 0.0 is not -0.0"""
    if isinstance(x, (bool, Ref)) or not isinstance(x, (int, float)):
        return False
    return repr(float(x)) == repr(float(wanted)) and (isinstance(x, float) or isinstance(wanted, int))


def bisect(events, seq):
    low, high = 0, len(events)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if events[middle].seq < seq else (low, middle)
    return low


# ---- causes ----


def through_the_jdk(m, now, chain):
    """Nobody wrote what was loaded: the chain may go on at a moment with the same value, or at what was not one."""
    because = str(chain[0][1])
    there = m.stream.events[bisect(m.stream.events, chain[1][0])].value
    said = (
        "computed from what it was given",
        "which no woven code wrote",
        "which code that is not woven wrote",
        "first seen at",
        "an equal value",
    )
    return repr(there) == repr(now) or any(words in because for words in said)


def check_why(m, a, rng, n, commands):
    links = sorted(m.frames.links)
    loads = sorted(m.heap.loads)
    for i in range(n + commands):
        now = None
        if loads and rng.random() < 0.5:
            seq = rng.choice(loads)
            place, now = m.heap.loads[seq], m.stream.events[bisect(m.stream.events, seq)].value
            written = m.heap.last_write(place, seq)
            want = written[0] if written and repr(written[1]) == repr(now) else None
            what = "%d, a load of %s" % (seq, place_words(place))
            if written and want is None:
                continue  # written by code that was not woven
        elif links:
            seq = rng.choice(links)
            want, what = m.frames.links[seq], "%d, a %s" % (
                seq,
                m.stream.events[bisect(m.stream.events, seq)].site.event,
            )
        else:
            return
        if i < n:
            answer = a.ask("why", seq, 0 if i % 10 == 0 else 3)
            chain = [(int(r[0]), r[1:]) for r in rows(answer, "cause")] if answer is not None else [a.why]
        else:
            chain = [(e["seq"], e.get("because")) for e in a.run("why", seq) or []]
        have = chain[1][0] if len(chain) > 1 else None
        if want is None and have is not None and through_the_jdk(m, now, chain):
            want = have
        a.compare("hs_why" if i < n else "why", "%s, goes to %s" % (what, chain[:2]), have, want)
        seqs = [x[0] for x in chain]
        a.compare(
            "hs_why" if i < n else "why", "%d, its chain goes back" % seq, seqs == sorted(seqs, reverse=True), True
        )


def ask_all(m, a, rng, moments, commands, index):
    m.last = m.stream.events[-1].seq
    m.ids = sorted(m.heap.lives)
    m.by_type = collections.defaultdict(list)
    for id in m.heap.places_of:
        if id is not None:
            m.by_type[m.stream.types.get(id, "?")].append(id)
    m.types = sorted(m.by_type)
    check_objects(m, a, rng, moments, commands)
    check_surprises(m, a, rng, commands)
    check_places(m, a, rng, moments, commands)
    check_class_fields(m, a, rng, 30)
    check_locals_history(m, a, rng, 30, commands)
    check_stacks(m, a, rng, commands)
    check_tree(m, a, commands)
    check_counts(m, a)
    check_exceptions(m, a)
    check_tables(m, a)
    check_filters(m, a, rng, moments // 5, commands)
    check_why(m, a, rng, moments, commands)
