"""compare.py TRACE LIVING PLACES [SHARE]: asks the recording what the debugger asked the program while it was recorded
(Living). What is not known is counted by its reason; more than SHARE of a hundred is a failure, as is any wrong
answer."""
import collections
import re
import struct
import sys

import hindsight
from hindsight._rows import Reference

trace, most = hindsight.open(sys.argv[1]), float(sys.argv[4]) if len(sys.argv) > 4 else 10
missing, examples = collections.Counter(), {}
total = wrong = places = 0


def shown(kind, v):
    if v is None:
        return "N", "null"
    if isinstance(v, bool):
        return "Z", str(v).lower()
    if isinstance(v, Reference):
        return ("S", v.string) if v.string is not None else ("O", re.sub(r"\$\$Lambda.*", "$$Lambda", v.type or "?"))
    if isinstance(v, str) and kind == "I" and len(v) == 1:
        return "I", str(ord(v))
    if isinstance(v, float):
        return "D", "%x" % struct.unpack(">Q", struct.pack(">d", v))[0]
    return ("S" if isinstance(v, str) else "I"), str(v)


def lines_at_moments():
    """The seq of the line at which the thread stood, for each place: that just before the two calls of Moment.at, or,
    of a line that is jumped to, the first one behind them."""
    found = {}
    main = next(t.thread for t in trace.threads() if t.name == "main")
    entries, numbers, exits = (
        list(trace.events(events=[event], class_glob="Moment", threads=[main]))
        for event in ("METHOD_ENTRY", "METHOD_PARAM", "METHOD_NORMAL_EXIT")
    )
    for line, entry, number, end in zip(open(sys.argv[3]), entries[::2], numbers[::2], exits[1::2]):
        place, *expected = line.rstrip("\n").split("\t")[:5]
        for back in 20, 1000:  # each event is an object here
            before = list(trace.events(threads=[main], from_seq=max(0, entry.seq - back), to_seq=entry.seq - 1))
            if before:
                break
        after = next(trace.events(events=["LINE_NUMBER"], threads=[main], from_seq=end.seq))
        for e in [*before[-1:], after]:
            i = trace.dataid(e.dataid)
            got = [i.class_name, i.method, i.desc, str(i.line)]
            if (i.name, number.value, got) == ("LINE_NUMBER", int(place), expected):
                found[place] = e.seq
                break
        else:
            print("FAILED: %s: the recording has %s" % (line.rstrip("\n"), i))
    return found


moments = lines_at_moments()
before = None
for line in open(sys.argv[2], encoding="utf-8"):
    place, expression, kind, value = line.rstrip("\n").split("\t", 3)
    if kind == "-" or place not in moments:
        print("FAILED: %s was never reached by the %s" % (place, "living program" if kind == "-" else "recording"))
        wrong += 1
        break
    places += place != before
    before, seq = place, moments[place]
    value = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), value)
    total += 1
    try:
        a = trace.evaluate(expression, int(seq), 0)
    except hindsight.Error as e:
        print("FAILED: at %s %s: refused: %s" % (seq, expression, e))
        wrong += 1
        continue
    if a.not_recorded is not None:
        reason = re.sub(r"#\d+|\d+", "N", a.not_recorded)
        missing[reason] += 1
        examples.setdefault(reason, "%s at %s" % (expression, seq))
        continue
    if kind == "O" and isinstance(a.value, str):  # an object that the expression made is its text
        a = trace.evaluate("(%s) instanceof %s" % (expression, value), int(seq), 0)
        kind, value = "Z", "true"
    value = re.sub(r"\$\$Lambda.*", "$$Lambda", value) if kind == "O" else value
    got = ("X", a.throws.split(":")[0]) if a.throws is not None else shown(kind, a.value)
    if got != (kind, value):
        print("FAILED: at %s %s: %s, the living program has %s" % (seq, expression, got, (kind, value)))
        wrong += 1
for reason, n in missing.most_common(25):
    print("not known %5d: %s (%s)" % (n, reason, examples[reason]))
unknown = sum(missing.values())
print(
    "%d answers at %d places, %d not known (%.1f %%), %d wrong"
    % (total, places, unknown, 100 * unknown / max(total, 1), wrong)
)
sys.exit(wrong > 0 or not total or 100 * unknown > most * total)
