#!/bin/bash
# Marks of a running program are in chrome, perfetto and ctf with their names and where they begin; and a recording in
# parts has no call across its gap.
#
# test: export.marks
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
mkfifo gate
cat >Marked.java <<'JAVA'
public class Marked {
    static int part(int n) { return n == 0 ? 0 : 1 + part(n - 1); }
    static int outer(boolean inside) { return inside ? part(3) : part(2); }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        while (System.in.read() != 'q') outer(true);
        outer(false);
    }
}
JAVA
compile classes Marked.java || die "Marked does not compile"
record t weave=ALL -cp classes Marked <gate >out 2>err &
exec 9>gate
wait_for ready out
"$HINDSIGHT" mark t 'a "mark"; <1>' >/dev/null || fail "mark"
printf 'a' >&9
until_events t 40
"$HINDSIGHT" unmark t 'a "mark"; <1>' >/dev/null || fail "unmark"
"$HINDSIGHT" mark t second >/dev/null || fail "mark"
printf 'q' >&9
exec 9>&-
wait
"$HINDSIGHT" print t --json >events
for to in chrome perfetto ctf; do "$HINDSIGHT" export t --to $to -o t.$to || fail "export --to $to"; done
python3 - "$HINDSIGHT" <<'PY' || fail "marks in chrome"
import json, subprocess, sys
features = [json.loads(l) for l in subprocess.check_output([sys.argv[1], "features", "t", "--json"]).splitlines()]
shown = [e for e in json.load(open("t.chrome"))["traceEvents"] if e.get("cat") == "mark"]
assert [e["name"] for e in shown] == ['a "mark"; <1>', "second"], shown
first = {f["feature"]: f["first"] for f in features if f["first"] is not None}
for e in shown:
    assert e["args"]["seq"] == first.get(e["name"], e["args"]["seq"]) and e["s"] == "g", (e, first)
assert shown[0]["args"]["duration_ns"] > 0 and shown[0]["ts"] < shown[1]["ts"], shown
assert set(first) & {e["name"] for e in shown}, "no mark has events"
PY
if command -v protoc >/dev/null; then
    protoc "-I$HERE" --decode=perfetto.protos.Trace "$HERE/perfetto.proto" <t.perfetto >decoded
    grep -B 3 -A 12 'categories: "mark"' decoded | grep -q 'name: "a \\"mark\\"; <1>"' || fail "marks in perfetto"
else
    echo "    left out: protoc is not installed"
fi
if command -v babeltrace2 >/dev/null; then
    babeltrace2 t.ctf | grep ' mark: ' >marks
    [ "$(wc -l <marks)" = 2 ] && grep -q 'name = "a \\"mark\\"; <1>"' marks || fail "marks in ctf: $(cat marks)"
else
    echo "    left out: babeltrace2 is not installed"
fi

# in parts: recording stops inside of outer(false), whose end is not recorded
echo aaq >input
record parts 'weave=ALL,logstart=Marked#outer#.*#METHOD_ENTRY,logend=Marked#part#.*#METHOD_NORMAL_EXIT' \
    -cp classes Marked <input >out 2>err || die "recording in parts: $(cat err)"
"$HINDSIGHT" export parts --to chrome -o parts.json || fail "export of parts"
"$HINDSIGHT" print parts --json >events
python3 "$ROOT/test/clients/export/marks_gap.py" || fail "a call goes across a gap"
finish
