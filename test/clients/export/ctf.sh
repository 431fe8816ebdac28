#!/bin/bash
# --to ctf: babeltrace2 reads the trace; calls nest and are those that plain Python finds in `print --json`, every other
# event is there with its value, 64-bit numbers are exact, and marks stand where they began.
#
# test: export.ctf
# labels: export
# limit: 600 s
. "$(dirname "$0")/sampler.bash"
command -v babeltrace2 >/dev/null || skip "babeltrace2 is not installed (Debian: babeltrace2)"
cd "$WORK" || exit 1
sample t 200
"$HINDSIGHT" print t --json >events || die "print"
one_line 2 "-o DIR" "$HINDSIGHT" export t --to ctf
"$HINDSIGHT" export t --to ctf -o ctf || die "export"
babeltrace2 --clock-cycles --no-delta ctf >read 2>messages || fail "babeltrace2: $(head -n 3 messages)"
[ ! -s messages ] || fail "babeltrace2 says: $(head -n 3 messages)"
first=$(babeltrace2 --clock-seconds --no-delta ctf | sed -nE '1s/^\[([0-9]+).*/\1/p')
[ $(($(date +%s) - first)) -lt 3600 ] || fail "the clock begins at $first"

# check FILE FROM: what babeltrace2 has printed is the events from this one on
check() {
    python3 - "$HERE" "$@" <<'PY' || fail "ctf $*"
import json, math, re, sys
sys.path.insert(0, sys.argv[1])
import calls

start = int(sys.argv[3])
LINE = re.compile(r"\[(\d+)\] (\w+): \{ thread = (\d+) \}, \{ (.*) \}$")
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|\( "(\w+)" : container = \d+ \)|\{ (.*) \}|-?\w+)(?:, |$)')
steps, others, last, threads, stacks = {}, {}, 0, {}, {}
for line in open(sys.argv[2]):
    time, name, thread, rest = LINE.match(line).groups()
    fields = {m.group(1): m.group(4) if m.group(4) is not None else m.group(2) for m in FIELD.finditer(rest)}
    time, thread = int(time), int(thread)
    assert time >= last, "time goes back"
    last = time
    method = lambda: json.loads(fields["class"]) + "." + json.loads(fields["method"])
    if name == "thread":
        threads[thread] = json.loads(fields["name"])
    elif name == "call_begin":
        steps.setdefault(thread, []).append(("begin", method()))
        stacks.setdefault(thread, []).append((time, int(fields["seq"])))
    elif name == "call_end":
        steps[thread].append(("end", method()))
        begun, entered = stacks[thread].pop()
        assert entered == int(fields["begin_seq"]) and begun <= time, fields
    else:
        others[int(fields["seq"])] = name, fields
events = [json.loads(line) for line in open("events", errors="surrogatepass")]
assert steps == calls.steps("events", start), "other calls"
assert threads[0] == "main" and 'worker; <0> "q"' in threads.values(), threads
edges = ("METHOD_ENTRY", "METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT")
want = {e["seq"]: e for e in events if e["event"] not in edges and e["seq"] >= start}
assert others.keys() == want.keys(), "other events"
numbers = 0
for seq, (name, fields) in others.items():
    e = want[seq]
    assert name == e["event"] and int(fields["pc"]) == e["pc"] and int(fields["line"]) == e.get("line", -1), fields
    v = e.get("value")
    if "value" not in e:
        assert '"none"' in fields["value_kind"], fields
    elif isinstance(v, int):
        assert '"number"' in fields["value_kind"] and int(fields["value"]) == v, (fields, e)
        numbers += 1
    elif isinstance(v, float) or isinstance(v, str):
        assert '"real"' in fields["value_kind"], fields
        a, b = float(fields["value"]), float(v)
        assert a == b or (a != a and b != b) or abs(a - b) <= 1e-5 * abs(b), (fields, e)  # it shows six digits
        assert math.copysign(1, a) == math.copysign(1, b), (fields, e)
    elif v is not None and "string" not in v:
        assert json.loads(fields["value"]).endswith("#%d" % v["id"]), fields
if start == 0:
    shown = {int(f["value"]) for _, f in others.values() if '"number"' in f["value_kind"]}
    assert {2**63 - 1, -(2**63), 2**53 + 1} <= shown, "64-bit numbers are not exact"
counts = sys.argv[2], sum(map(len, steps.values())) // 2, len(others), numbers
print("    %s: %d calls, %d other events, %d numbers" % counts)
PY
}
check read 0
middle=$(python3 -c '
import json
deep = [e["seq"] for e in map(json.loads, open("events")) if e["method"] == "check" and e["event"] == "METHOD_ENTRY"]
print(deep[2] + 1)')
"$HINDSIGHT" export t --to ctf --from "$middle" -o late && babeltrace2 --clock-cycles --no-delta late >read.late &&
    check read.late "$middle"
# several packets
sample big 5000 weave=EXEC+PARAM
"$HINDSIGHT" export big --to ctf -o big.ctf || die "export of the long recording"
packets=$(LC_ALL=C grep -abo $'\xc1\x1f\xfc\xc1' big.ctf/stream | wc -l)
begins=$(babeltrace2 big.ctf | grep -c ' call_begin: ')
[ "$begins" = "$("$HINDSIGHT" print big --json --event METHOD_ENTRY | wc -l)" ] || fail "$begins calls of the long one"
[ "$packets" -gt 1 ] || fail "$packets packets"
echo "    $begins calls in $packets packets"
finish
