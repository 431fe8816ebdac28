# check.py COMMAND TRACE OUTPUT [METHOD...]: what a program says that was not exact (Wraps.java) against `overflows`.
# METHOD: it may be missing of these.
import collections, json, struct, subprocess, sys

command, trace, said, *hidden = sys.argv[1:]


def ask(*words):
    out = subprocess.run([command, "overflows", trace, "--json", "--class", "Wraps", *words], stdout=subprocess.PIPE)
    assert out.returncode == 0, words
    return [json.loads(line) for line in out.stdout.decode().splitlines()]


def real(op, text):  # as the program and as JSON write a float or double
    value = float(text)
    return "%r" % (struct.unpack("f", struct.pack("f", value))[0] if op[0] == "f" else value)


def line_of(row):
    """As the program says it."""
    method, op, loss = row["method"], row["op"], row["loss"]
    right = real(op, row["right"]) if op[0] in "fd" else str(row["right"])
    left = str(row.get("left", "-"))
    if loss == "wrapped":
        unseen = method in ("inBranch", "inDivision", "deep")
        return method, op, left, right, "?" if unseen else str(row["result"]), row["exact"]
    if loss in ("rounded", "infinite"):
        return method, op, left, right, loss
    words = (method, op, left, right, str(row["result"]))
    return words + ((str(row["bits"]), "bits") if loss == "bits" else (loss,))


def told(line):
    words = line.split()
    if words[1][0] in "fd":
        words[3] = real(words[1], words[3])
    return tuple(words)


each = ask("--each")
got = collections.Counter(map(line_of, each))
wanted = collections.Counter(told(line) for line in open(said) if line.strip())
missing = wanted - got
for row in missing:
    if row[0] in hidden:
        wanted[row] = got[row]
for row in sorted((got - wanted) | (wanted - got)):
    print("recorded %d, said %d:" % (got[row], wanted[row]), *row)
assert not got - wanted and not wanted - got, "they differ"
assert {row[0] for row in missing} == set(hidden), hidden
assert len(wanted) > 100
# by place: the same, added up
places = ask()
count = collections.Counter((row["method"], row["pc"]) for row in each)
assert {(row["method"], row["pc"]): row["count"] for row in places} == count
for row in places:
    seqs = [x["seq"] for x in each if (x["method"], x["pc"]) == (row["method"], row["pc"])]
    assert (row["seq"], row["last"]) == (min(seqs), max(seqs)), row
assert [x["seq"] for x in each] == sorted((x["seq"] for x in each), reverse=True)
assert ask("--each", "--limit", "7") == each[:7]
# what the options choose
key = lambda rows: [(x["seq"], x["op"], x["pc"]) for x in rows]
middle = each[len(each) // 2]["seq"]
for words, chosen in (
    (["--where", "op == imul && left < 0"], lambda x: x["op"] == "imul" and x["left"] < 0),
    (["--where", "loss == bits && bits > 8"], lambda x: x.get("bits", 0) > 8),
    (["--where", "result == 0"], lambda x: x["result"] == 0),
    (["--method", "neg*"], lambda x: x["method"].startswith("neg")),
    (["--thread", str(each[0]["thread"])], lambda x: x["thread"] == each[0]["thread"]),
    (["--from", str(middle)], lambda x: x["seq"] >= middle),
    (["--to", str(middle)], lambda x: x["seq"] <= middle),
):
    rows = [x for x in each if chosen(x)]
    assert rows and key(ask("--each", *words)) == key(rows), words


# why names what was lost, and follows the operand that is 0, or negative, where the other is not
def lines(*words):
    return [
        json.loads(x)
        for x in subprocess.run([command, *words, trace, "--json"], stdout=subprocess.PIPE).stdout.splitlines()
    ]


turned = 0
for e in lines("print", "--method", "mul", "--event", "METHOD_NORMAL_EXIT", "--limit", "24"):
    link = lines("why", str(e["seq"]), "--limit", "1")[0]
    values = {x["role"][0]: x["value"] for x in link["choices"]}
    exact = values["l"] * values["r"]
    wanted = None if -(2**31) <= exact < 2**31 else "imul wrapped, exactly %d" % exact
    assert link.get("overflow") == wanted and (wanted is None or link["because"].endswith(wanted)), (link, wanted)
    strange = [[side for side, v in values.items() if test(v)] for test in (lambda v: v == 0, lambda v: v < 0)]
    one = next((x[0] for x in strange if len(x) == 1), "l")
    assert link["choices"][0]["role"][0] == one, (link, one)
    turned += one == "r"
assert turned > 2
print("%d times of %d kinds" % (sum(got.values()), len(got)))
