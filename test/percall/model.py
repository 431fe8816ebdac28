# model.py FULL CUT N [rule]: two recordings of one program, the second one with percall=N.
#
# The rule is applied to the events of FULL, thread by thread: of each call the first events, at most N, then none of
# its own but the exit, and in their place EVENTS_LEFT_OUT with their number. Then the same questions are put to both
# at each moment of CUT. An answer must be that of FULL, or say that it is not known.
# With `rule` the threads may run in any order and the recordings may have been killed: only the rule is checked, and
# the stacks.
import collections
import re
import sys

import hindsight
from hindsight._rows import Reference

RECORD_EVENTS = 8  # a record is kept or left out as a whole; those of this program have fewer events
BOUNDARY = {"METHOD_ENTRY", "METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"}
full, cut, most = hindsight.open(sys.argv[1]), hindsight.open(sys.argv[2]), int(sys.argv[3])
rule_only = sys.argv[4:] == ["rule"]
bad = []
checked = collections.Counter()
ids = {0: 0}  # object of CUT -> object of FULL


def wrong(*what):
    bad.append(" ".join(map(str, what)))


def same(a, b):
    """Are a value of CUT and one of FULL the same? Objects may have other numbers, always the same ones."""
    if isinstance(a, Reference) and isinstance(b, Reference):
        return ids.setdefault(a.id, b.id) == b.id and (a.type, a.string) == (b.type, b.string)
    return a == b


class Place:
    def __init__(self, trace):
        self.trace, self.known = trace, {}

    def __call__(self, e):
        if e.dataid not in self.known:
            d = self.trace.dataid(e.dataid)
            self.known[e.dataid] = (d.name, d.class_name, d.method, d.desc, d.pc, d.attrs)
        return self.known[e.dataid]


place_of_full, place_of_cut = Place(full), Place(cut)


def align(theirs, ours):
    """Pairs the events of a thread: {seq of CUT: seq of FULL}, and of each mark the seqs that it stands for; and the
    events left out of each open call at each seq of CUT."""
    pairs, hidden, left_out, stack, at = {}, {}, {}, [], 0
    for e in ours:
        place = place_of_cut(e)
        if place[0] == "EVENTS_LEFT_OUT":
            call = stack[-1]
            hidden[e.seq] = []
            while call["left_out"] < e.value:
                f = place_of_full(theirs[at])
                if f[0] in BOUNDARY or f[1:4] != place[1:4]:
                    wrong("seq", e.seq, "tells", e.value, "events, but after", call["left_out"], "there is", f)
                    return None
                hidden[e.seq].append(theirs[at].seq)
                call["left_out"] += 1
                at += 1
        else:
            if at == len(theirs) or place_of_full(theirs[at]) != place or not same(e.value, theirs[at].value):
                wrong("seq", e.seq, place, e.value, "is not", at < len(theirs) and theirs[at])
                return None
            pairs[e.seq] = theirs[at].seq
            at += 1
            if place[0] == "METHOD_ENTRY":
                stack.append({"kept": 1, "left_out": 0, "head": True, "resumed": False})
            elif place[0] in BOUNDARY:
                left_out[e.seq] = told(stack)
                end(stack.pop(), e.seq)
                continue
            else:
                call = stack[-1]
                call["kept"] += 1
                call["head"] &= place[0] == "METHOD_PARAM"
                call["resumed"] |= call["left_out"] > 0 and cut.info("end") == "crashed"
                if not call["resumed"] and (call["left_out"] or (call["kept"] > most and not call["head"])):
                    wrong("seq", e.seq, place, "is more than", most, "events of its call")
        left_out[e.seq] = told(stack)
    for call in stack:
        checked["calls cut"] += call["left_out"] > 0
    if at != len(theirs):
        wrong("the thread ends at", theirs[at])
    return pairs, hidden, left_out


def told(stack):
    """Events left out of each call, -1 where recovery went on with it: then the frame's values come back one by one."""
    return [-1 if call["resumed"] else call["left_out"] for call in reversed(stack)]


def end(call, seq):
    checked["calls cut" if call["left_out"] else "calls whole"] += 1
    if call["left_out"] and call["kept"] + RECORD_EVENTS <= most:
        wrong("the call that ends at", seq, "has", call["left_out"], "events left out, but only", call["kept"], "kept")


def by_thread(trace):
    names = {t.thread: t.name for t in trace.threads()}  # their numbers depend on which one came first
    threads = collections.defaultdict(list)
    for e in trace.events():
        threads[names[e.thread]].append(e)
    return threads


events, ours, theirs = list(cut.events()), by_thread(cut), by_thread(full)
pairs, hidden, left_out = {}, {}, {}
for thread, list_ in ours.items():
    aligned = align(theirs[thread], list_)
    if aligned is None:
        break
    for into, made in zip((pairs, hidden, left_out), aligned):
        into.update(made)
if bad:
    sys.exit("\n".join(bad[:5]))
dropped = {f: mark for mark, seqs in hidden.items() for f in seqs}
if sum(map(len, hidden.values())) != int(cut.info("left_out")) or checked["calls cut"] != int(
    cut.info("left_out_calls")
):
    wrong("info tells", cut.info("left_out"), cut.info("left_out_calls"))
moments = [e for e in events if e.seq in pairs]


def same_past():
    """The moments of CUT at which the same events are over in both recordings: between two turns the threads may run in
    any order. Events behind a mark may be over or not: the answer is then that they are left out."""
    ahead = {}
    first = float("inf")
    for e in reversed(events):
        ahead[e.seq] = first
        first = min([first, pairs.get(e.seq, first), *hidden.get(e.seq, [])])
    last = -1
    for e in moments:
        if last < pairs[e.seq] < ahead[e.seq]:
            yield e.seq
        last = max(last, pairs[e.seq])


settled = set(same_past())


def mapped(values, wanted, where):
    """What CUT knows must be what FULL knows."""
    for name, value in values.items():
        if name not in wanted or not same(value, wanted[name]):
            wrong(where, name, "is", value, "but was", wanted.get(name))
    checked["values"] += len(values)


def frames(seq):
    have, want = list(cut.frames(seq)), list(full.frames(pairs[seq]))
    if [f.left_out for f in have] != [max(0, n) for n in left_out[seq]]:
        wrong("frames at", seq, "tell", [f.left_out for f in have], "left out, not", left_out[seq])
    if [(f.class_name, f.method, pairs.get(f.entered)) for f in have] != [
        (f.class_name, f.method, f.entered) for f in want
    ]:
        wrong("frames at", seq, have, want)
    for a, b, hole in zip(have, want, left_out[seq]):
        where = "seq %d %s" % (seq, a.method)
        mapped(a.parameters, b.parameters, where)
        mapped(a.locals, {**b.parameters, **b.locals}, where)
        if a.pc is not None and (a.pc, a.line) != (b.pc, b.line):
            wrong(where, "stands at pc", a.pc, "not", b.pc)
        if not hole and (a.pc is None or len(a.locals) != len(b.locals) or len(a.parameters) != len(b.parameters)):
            wrong(where, "forgets", a, b)
        checked["frames cut" if a.left_out else "frames whole"] += 1


def objects(seq, wanted):
    for number in wanted:
        have, want = cut.object(number, seq), full.object(ids[number], pairs[seq])
        mapped(have.fields, want.fields, "object %d at %d:" % (number, seq))
        mapped(have.elements, want.elements, "array %d at %d:" % (number, seq))
        if len(have.fields) + len(have.elements) + have.left_out < len(want.fields) + len(want.elements):
            checked["members never seen"] += 1
        checked["members not known"] += have.left_out
        a, b = cut.contents(number, seq), full.contents(ids[number], pairs[seq])
        if a is not None and a.known:
            if len(a.entries) != len(b.entries) or not all(
                same(x.value, y.value) for x, y in zip(a.entries, b.entries)
            ):
                wrong("contents of", number, "at", seq, a, b)
            checked["contents"] += 1


def last_write(what, seq):
    there = re.sub(r"^\d+", lambda m: str(ids[int(m.group())]), what)
    have, want = cut.last_write(what, seq), full.last_write(there, pairs[seq])
    if have is not None and have.left_out:
        checked["writes not known"] += 1
    elif (have is None) != (want is None) or (have and pairs.get(have.event.seq) != want.event.seq):
        wrong("last write of", what, "before", seq, have, want)
    else:
        checked["writes"] += 1


def history(what):
    there = re.sub(r"^\d+", lambda m: str(ids[int(m.group())]), what)
    have, want = list(cut.history(what)), [w.event.seq for w in full.history(there)]
    marks = {w.event.seq for w in have if w.left_out}
    seqs = [w.event.seq for w in have]
    if seqs != sorted(seqs):
        wrong("history of", what, "is not in order")
    if [pairs[w.event.seq] for w in have if not w.left_out] != [s for s in want if s not in dropped]:
        wrong("history of", what, "is", have)
    for s in want:
        if s in dropped and dropped[s] not in marks:
            wrong("history of", what, "hides", s, "which is behind", dropped[s])
    backwards = 0
    for w in have:
        last = cut.last_write(what, w.event.seq + 1)
        if not w.left_out and last.event.seq != w.event.seq and not last.left_out:
            wrong("last write of", what, "after", w.event.seq, "is", last)
        backwards += 1
    checked["histories"] += backwards > 0


def words(text):
    return re.sub(r"\d+", "#", text)


def why(seq):
    have, want = list(cut.why(seq)), list(full.why(pairs[seq]))
    for i, a in enumerate(have):
        if a.end == "left out":
            checked["causes not known"] += 1
            return
        if i == len(want) or pairs.get(a.event.seq) != want[i].event.seq or (a.end, a.by) != (want[i].end, want[i].by):
            wrong("why", seq, "goes on at", a, "not at", want[i : i + 1])
            return
        if words(a.because) != words(want[i].because):
            wrong("why", seq, "tells", a.because, "not", want[i].because)
    checked["causes"] += 1


def calls():
    for thread in ours:
        have, want = list(cut.tree(ours[thread][0].thread)), list(full.tree(theirs[thread][0].thread))
        for a, b in zip(have, want):
            if (a.depth, a.method, a.times, a.calls) != (b.depth, b.method, b.times, b.calls) or not same(
                a.result, b.result
            ):
                wrong("tree", a, b)
            if len(a.arguments) != len(b.arguments) or not all(map(same, a.arguments, b.arguments)):
                wrong("tree", a, b)
        if len(have) != len(want) or not any(a.left_out for a in have):
            wrong("tree of thread", thread, "has", len(have), "calls, not", len(want))


def exceptions():
    want = {x.id: x for x in full.exceptions()}
    for x in cut.exceptions():
        f = want.get(ids.get(x.id))
        if f is None or (x.caught is not None and pairs.get(x.caught) != f.caught) or (x.swallowed and not f.swallowed):
            wrong("exception", x, f)
        checked["exceptions"] += 1


def named(name):
    return sorted({e.value.id for e in events if isinstance(e.value, Reference) and e.value.type == name})


shown = sum((named(n) for n in ("Percall", "Percall$Shared", "Percall$Failing", "int[]", "java.util.ArrayList")), [])
fields = ["Percall.sum", "Percall.name", "Percall.total", "Percall$Shared.value", "Percall.handed"]
fields += ["%d.value" % n for n in named("Percall$Shared")] + ["%d[1]" % n for n in named("int[]")]
for i, e in enumerate(moments):
    if not rule_only or i % 50 == 0:
        frames(e.seq)
    if rule_only or e.seq not in settled:
        continue
    if i % 19 == 0:
        objects(e.seq, shown)
    last_write(fields[i % len(fields)], e.seq)
    last_write("Percall$Shared.value", e.seq)
    if e.value is not None and i % 2 == 0:
        why(e.seq)
for what in [] if rule_only else fields + ["Percall.run:s", "Percall.turns:seen"]:
    history(what)
if not rule_only:
    calls()
    exceptions()
print(", ".join("%d %s" % (checked[k], k) for k in sorted(checked)))
needed = ["calls cut", "calls whole", "frames cut", "frames whole", "writes", "writes not known", "causes", "histories"]
needed += ["causes not known", "members not known", "exceptions", "values"]
for name in ["calls cut", "frames cut", "frames whole"] if rule_only else needed:
    if not checked[name]:
        wrong("nothing was checked of:", name)
if bad:
    sys.exit("%d wrong:\n%s" % (len(bad), "\n".join(bad[:12])))
