"""compare.py TRUTH EXPRESSIONS TRACE [KNOWN]: asks the recording for the value of each expression at its call of
at(N), and compares it with what the JVM printed. What is not known is counted by its reason. KNOWN: a file with a line
for each expression, 1 if it is known."""
import collections
import re
import struct
import sys

import hindsight
from hindsight._rows import Reference

truth, expressions, path = sys.argv[1:4]
said = open(sys.argv[4], "w") if len(sys.argv) > 4 else None
right = {}


def escapes(text):
    r"""With characters for \uXXXX, of pairs of them one."""
    text = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


for line in open(truth):
    n, kind, value = line.rstrip("\n").split(" ", 2)
    right[int(n)] = kind, escapes(value)
asked = [escapes(line.rstrip("\n")) for line in open(expressions)]
trace = hindsight.open(path)
missing, wrong, known, total = collections.Counter(), 0, 0, 0
moments = collections.defaultdict(list)  # several: of classes in several loaders
for e in trace.events(events=["METHOD_PARAM"], method_glob="at"):
    moments[e.value].append(e.seq)


def shown(kind, value, is_text=False):
    if isinstance(value, Reference):
        value = value.string if value.string is not None else str(value)
    if value is None:
        return "null"
    if kind == "I" and isinstance(value, (int, str)) and not isinstance(value, bool):
        return str(ord(value) if isinstance(value, str) and len(value) == 1 and not is_text else value)
    if kind == "D" and isinstance(value, float):
        return "nan" if value != value else "%x" % struct.unpack(">Q", struct.pack(">d", value))[0]
    if kind == "Z" and isinstance(value, bool):
        return str(value).lower()
    return str(value) if kind == "S" else repr(value)


def ask(n, seq, kind, value):
    """True if the answer is right, False if it is wrong, None if it is not known."""
    try:
        answer = trace.evaluate(asked[n], seq, 1)
    except hindsight.Error as e:
        print("%d %s: refused: %s" % (n, asked[n], e))
        return False
    if answer.not_recorded is not None:
        missing[re.sub(r"#\d+|\d+", "N", answer.not_recorded)] += 1
        return None
    is_text = isinstance(answer.value, Reference)
    if kind == "S" and not (is_text and answer.value.string is not None):  # as the JVM prints it
        answer = trace.evaluate('"" + (%s)' % asked[n], seq, 1)
        if answer.not_recorded is not None:
            missing[re.sub(r"#\d+|\d+", "N", answer.not_recorded)] += 1
            return None
    got = answer.throws.split(":")[0] if answer.throws is not None else shown(kind, answer.value, is_text)
    if got != value or (kind == "X") != (answer.throws is not None):
        print("%d %s: %s, not %s %s" % (n, asked[n], got, kind, value))
        return False
    return True


for n, (kind, value) in sorted(right.items()):
    if kind == "D" and value == "7ff8000000000000":
        value = "nan"
    if not moments[n]:
        print("%d was never reached" % n)
        wrong += 1
    for seq in moments[n]:
        answer = ask(n, seq, kind, value)
        total += 1
        known += answer is not None
        wrong += answer is False
        if said:
            said.write("%d\n" % (answer is not None))
for reason, count in missing.most_common():
    print("not known %4d: %s" % (count, reason))
print("%d expressions, %d known, %d wrong" % (total, known, wrong))
sys.exit(wrong > 0)
