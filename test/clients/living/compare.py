"""compare.py TRACE LIVING [SHARE]: asks the recording what the debugger asked the living program (Living). What is not
known is counted by its reason; more than SHARE of a hundred is a failure, as is any wrong answer."""
import collections
import re
import struct
import sys

import hindsight
from hindsight._rows import Reference

trace, most = hindsight.open(sys.argv[1]), float(sys.argv[3]) if len(sys.argv) > 3 else 10
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


before = None
for line in open(sys.argv[2], encoding="utf-8"):
    seq, expression, kind, value = line.rstrip("\n").split("\t", 3)
    if kind == "-":
        print("FAILED: %s was never reached by the living program" % seq)
        wrong += 1
        break
    places += seq != before
    before = seq
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
    "%d answers at %d places, %d not known (%.1f %%), %d wrong" % (total, places, unknown, 100 * unknown / total, wrong)
)
sys.exit(wrong > 0 or 100 * unknown > most * total)
