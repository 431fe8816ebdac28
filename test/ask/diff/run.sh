#!/bin/bash
# `hindsight diff`: a program with switches (Runs.java) against itself, against a run with every switch, and against
# another build. Expected rows come from answers.py, over the events of both traces alone; some are written out here.
#
# test: ask.diff
# labels: ask cli slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/ask/diff/Runs.java" || die "Runs does not compile"
mkdir src
# the other build: all lines move, price is changed, and a method has another name
sed -e '1i // a line more' -e 's/\btwice\b/doubled/' \
    -e 's|return count \* 5;|log("price of " + name + count); return count * 6;|' "$ROOT/test/ask/diff/Runs.java" \
    >src/Runs.java
compile c2 src/Runs.java || die "the other build does not compile"
run() { # TRACE CLASSES WORD...
    record "$1" "weave=ALL,e=Switch,quiet=true$more" -cp "$2" Runs "${@:3}" || die "recording $1"
    "$HINDSIGHT" print "$1" --json >"$1.events" 2>err || { [ $? = 3 ] && [ -n "$more" ]; } ||
        fail "print $1: $(cat err)"
}
more=
run base c
run same c
run other c value branch call thrown identity thread worker long # long: more than the first window of calls.c
run build c2
rows() { # ARGUMENT...: the rows of diff as answers.py writes them
    "$HINDSIGHT" diff "$@" --json >rows.json 2>said || { [ $? = 3 ] && grep -q percall= said; } ||
        fail "diff $*: $(cat said)"
    python3 - rows.json <<'PY' | sort
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    r = json.loads(line)
    for side in "ab":
        r[side] = r[side]["seq"] if side in r else None
        if side + "_decision" in r:
            r[side + "_decision"] = {k: r[side + "_decision"][k] for k in ("seq", "pc")}
    if "path" in r:
        r["path"] = [m["class"] + "." + m["method"] for m in r["path"]]
    print(json.dumps(r, sort_keys=True))
PY
}
check() { # A B [what another build has changed]
    local a=$1 b=$2 calls methods
    python3 "$ROOT/test/ask/diff/answers.py" $a.events $b.events want "${@:3}" >partial || die "answers.py failed"
    # shellcheck disable=SC2086
    rows $a $b $noise >got
    sort want | diff - got >differs || fail "$a and $b (< expected): $(cat differs)"
    read -r calls methods <partial
    [ "$calls" = "$(sed -nE 's/.*note: ([0-9]+) calls .*percall=.*/\1/p' said | grep . || echo 0)" ] &&
        [ "$methods" = "$(sed -nE 's/.*note: lines of ([0-9]+) methods .*/\1/p' said | grep . || echo 0)" ] ||
        fail "$a and $b: $calls calls and $methods methods compared in part, told is: $(cat said)"
    echo "$a and $b: $(wc -l <got) rows, $calls calls in part"
}
noise=
check base same
check base other
"$HINDSIGHT" diff base other --first --json >first.json
python3 - first.json <<'PY' || fail "conditions: $(cat first.json)"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
told = [[(d["method"], d["line"], d["condition"], [v["value"] for v in d["values"]]) for d in (r["a_decision"],
        r["b_decision"])] for r in rows if r["kind"] == "decision"]
on = 'Switch.on("%s")'
assert told == [[("step", 39, "!" + on % "value", [False]), ("step", 39, on % "value", [True])],
                [("work", 43, "!" + on % "worker", [False]), ("work", 43, on % "worker", [True])]], told
PY

# what differs in a third run, too, is noise
run third c value branch worker
noise="--noise third" check base other noise=third.events
[ "$(wc -l <got)" -gt 5 ] || fail "only $(wc -l <got) rows are no noise"
grep -q "note: $(($(rows base other | wc -l) - $(wc -l <got))) differences are left out" said ||
    [ "$(rows base other | wc -l)" -gt "$(wc -l <got)" ] || fail "nothing is left out: $(cat said)"
[ -z "$(rows base other --noise other)" ] || fail "noise is told as different: $(cat rows.json)"
[ "$(rows base other --noise same)" = "$(rows base other)" ] || fail "differences are left out without noise"
compile n "$ROOT/test/ask/diff/Noisy.java" || die "Noisy does not compile"
for words in "passed 7 1" "again 7 2" "failed 3 3"; do
    # shellcheck disable=SC2086
    set -- $words
    record "$1" weave=ALL,quiet=true -cp n Noisy "$2" "$3" >/dev/null || die "recording $1"
done
"$HINDSIGHT" diff passed failed --noise again --kind decision >text 2>said || fail "noise: $(cat said)"
diff - <(sed -E 's/^(  [ab]) +[0-9]+/\1/' text) <<'END' || fail "the first decision that is no noise"
first decision, in Noisy.main > Noisy.limit
  a  Noisy.limit:9: n <= max, since 5 <= 7
  b  Noisy.limit:9: n > max, since 5 > 3
END
"$HINDSIGHT" diff passed failed --kind decision | grep -q 'Noisy.odd:.*n % 2' ||
    fail "without --noise another decision is the first"
"$HINDSIGHT" diff base other --csv >csv 2>said || fail "--csv: $(cat said)"
python3 - csv first.json <<'PY' || fail "--csv: $(head -n 3 csv)"
import csv, json, sys
cells = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
rows = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
assert len(cells) > len(rows) > 0
def text(e):
    v = e.get("value") if e and not e["event"].endswith("LABEL") else None # which is a pc
    return v.get("string") if isinstance(v, dict) else str(v).lower() if isinstance(v, bool) else v
for c, r in zip([c for c in cells if c["first"] == "true"], rows):
    assert c["kind"] == r["kind"] and c["a"] == str(r.get("a", {}).get("seq", "")), (c, r)
    assert c["b"] == str(r.get("b", {}).get("seq", "")) and c["a_condition"] == r.get("a_decision", {}).get(
        "condition", ""), (c, r)
    for side in "ab":
        v = text(r.get(side))
        assert r["kind"] != "value" or v is None or c[side + "_value"] == str(v), (c, r)
PY
check base build renamed='Runs$Item.twice:doubled' changed=Runs.price,Runs.work,Runs.run
[ "$(wc -l <got)" -gt 15 ] || fail "only $(wc -l <got) rows of the other build"

# what percall= left out is unknown, not different; what both traces hold is compared
more=,percall=12
run cut c
run cut-other c value branch call thrown identity thread worker long
run cut-build c2
more=,percall=25
run less-cut c
for pair in "base cut" "cut base" "cut less-cut" "base cut-other" "cut cut-other" "cut-other less-cut"; do
    check $pair
done
check cut build renamed='Runs$Item.twice:doubled' changed=Runs.price,Runs.work,Runs.run
check base cut-build renamed='Runs$Item.twice:doubled' changed=Runs.price,Runs.work,Runs.run
[ -z "$(rows base cut)" ] || fail "what percall= left out is told as different: $(cat rows.json)"
[ "$(rows cut cut-other | wc -l)" -gt 15 ] || fail "differences in what both hold are not found"
"$HINDSIGHT" diff cut cut-other --limit 9 >out 2>&1
grep -q 'note: at least [1-9][0-9]* calls that both runs' out || fail "a part is told as the whole: $(tail -n 3 out)"
"$HINDSIGHT" diff base cut >out 2>&1; [ $? = 3 ] || fail "diff with a cut trace is told as complete: $(cat out)"
more=

# what compilers vary: the instruction that calls a private method, numbers in names, accessors, joined texts
compile n8 "$ROOT/test/ask/diff/Numbered.java" -- -g --release 8 2>/dev/null ||
    die "Numbered does not compile for Java 8"
compile n "$ROOT/test/ask/diff/Numbered.java" || die "Numbered does not compile"
# another lambda and another inner class before all others, and another number in the name of a variable
sed -e 's/x\$5/x$12/g' \
    -e '/first of all/a Object more() { Runnable r = () -> { }; return new Object() { Object r2 = r; }; }' \
    "$ROOT/test/ask/diff/Numbered.java" >src/Numbered.java
compile n2 src/Numbered.java || die "the other build of Numbered does not compile"
numbered() { record "$1" weave=ALL,quiet=true -cp "$2" Numbered "${@:3}" >/dev/null || die "recording $1"; }
numbered eight n8
numbered seventeen n
numbered renumbered n2
numbered chosen n2 other
for pair in "eight seventeen" "seventeen renumbered" "renumbered eight"; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" diff $pair >text 2>said || fail "diff $pair: $(cat said)"
    [ ! -s text ] || fail "what the compiler chose is told as a difference of $pair: $(head -n 3 text)"
done
"$HINDSIGHT" diff renumbered chosen >text
grep -q 'Numbered\$2' text && grep -q 'Numbered\$3' text ||
    fail "another class of one build is no difference: $(cat text)"
# and what differs is told nevertheless
sed -e 's/total += 2/total += 3/' "$ROOT/test/ask/diff/Numbered.java" >src/Numbered.java
compile n4 src/Numbered.java || die "the fourth build of Numbered does not compile"
numbered three n4
"$HINDSIGHT" diff eight three >text
grep -qE '^  a .*PUT_INSTANCE_FIELD_VALUE   [0-9]+ .*access\$' text &&
    grep -qE '^  b .*PUT_INSTANCE_FIELD_VALUE   [0-9]+ .*Numbered\$Counter.count' text ||
    fail "a difference in an accessor: $(cat text)"
sed -e 's/seen.add("counted");//' "$ROOT/test/ask/diff/Numbered.java" >src/Numbered.java
compile n4 src/Numbered.java || die "the fifth build of Numbered does not compile"
numbered fewer n4
"$HINDSIGHT" diff eight fewer --first >text
grep -qE '^  a .*GET_INSTANCE_FIELD .* this.0$' text || fail "a call that is missing: $(cat text)"
sed -e 's/List<Object> seen/java.util.ArrayList<Object> seen/' "$ROOT/test/ask/diff/Numbered.java" >src/Numbered.java
compile n3 src/Numbered.java || die "the third build of Numbered does not compile"
numbered retyped n3
"$HINDSIGHT" diff seventeen retyped --first >text
grep -q '^    owner: a has java.util.List, b java.util.ArrayList$' text ||
    fail "what differs cannot be seen: $(cat text)"
"$HINDSIGHT" diff seventeen retyped --first --json | grep -q '"differs":\["owner"' || fail "nor in JSON"

# what the switches do, in words
"$HINDSIGHT" diff base other >text || fail "diff as text: exit status $?"
for line in 'argument, in Runs.main > Runs.run > Runs.step > Runs.price' \
    'result, in Runs.main > Runs.run > Runs.pick' \
    'result, x3, in Runs.main > Runs.run > Runs.rate' \
    'exit, in Runs.main > Runs.run > Runs.check' \
    'call in b only, x2, 4 calls in it, in Runs.main > Runs.run > Runs.step' \
    'call in b only, x700, in Runs.main > Runs.run > Runs.step' \
    'first difference, the other run has no such thread' 'method reached in b only'; do
    grep -qxF -- "$line" text || fail "no line: $line"
done
grep -q '^  a .*METHOD_PARAM.*"pencil"' text && grep -q '^  b .*METHOD_PARAM.*"paper"' text ||
    fail "no pencil, no paper"
[ "$(rows base other | grep -c '"kind": "value".*Runs.rate')" = 3 ] || fail "JSON has no row for each result of rate"
# from C and from Python
rows base other --noise third >/dev/null
if [ -z "${HINDSIGHT_SANITIZE:-}" ]; then
    "$BUILD/examples/diff" base other third >got || fail "the example in C: exit status $?"
    python3 - rows.json <<'PY' | diff - got >differs || fail "the example in C (> given): $(cat differs)"
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    r = json.loads(line)
    seqs = [str(r[k]["seq"]) if k in r else "-" for k in "ab"]
    print(r["kind"], *seqs, len(r.get("path", [])), r.get("a_decision", {}).get("condition", "-"))
PY
    HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python \
        python3 - base other third rows.json <<'PY' || fail "the package of Python"
import json, sys, hindsight
traces = [hindsight.open(path) for path in sys.argv[1:4]]
found = list(traces[0].diff(traces[1], noise=traces[2]))
rows = [json.loads(line) for line in open(sys.argv[4], encoding="utf-8")]
seq = lambda e: e["seq"] if e else None
condition = lambda d, key: d.get(key, {}).get("condition")
want = [(r["kind"], r.get("first", False), r.get("what"), seq(r.get("a")), seq(r.get("b")), r.get("times", 0),
         condition(r, "a_decision"), condition(r, "b_decision"), [m["method"] for m in r.get("path", [])])
        for r in rows]
have = [(d.kind, d.first, d.what, d.a and d.a.seq, d.b and d.b.seq, d.times, d.a_decision and d.a_decision.condition,
         d.b_decision and d.b_decision.condition, [m.name for m in d.path or []]) for d in found]
assert have == want and len(want) > 5, (have, want)
PY
fi
# in the other direction everything is the other way round
rows other base | python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    of = {"a": "b", "a_was": "b_was", "a_decision": "b_decision"}
    of.update({v: k for k, v in of.items()})
    print(json.dumps({of.get(k, k): v for k, v in r.items()}, sort_keys=True))' | sort >back
rows base other | sort | diff - back >differs || fail "other and base: $(cat differs)"

# a run that ends inside of its calls: those that were not left end there, and later ones are in the other run only
run halted c halt
for pair in "base halted a" "halted base b"; do
    read -r a b side <<<"$pair"
    timeout -s KILL 60 "$HINDSIGHT" diff $a $b --kind call --limit 100 >text || fail "diff $pair: exit status $?"
    grep -qxF "call in $side only, in Runs.main > Runs.run" text || fail "diff $pair: $(cat text)"
done

# options
[ "$(rows base other --kind value)" = "$(rows base other | grep '"kind": "value"')" ] || fail "--kind value"
[ "$(rows base other --kind call,coverage,decision)" = "$(rows base other | grep -v '"kind": "value"')" ] ||
    fail "--kind K,K"
[ "$(rows base other --first)" = "$(rows base other | grep '"first"')" ] || fail "--first"
[ "$(rows base other --limit 3 | wc -l)" = 3 ] || fail "--limit 3"
rows base other --class 'Runs$Item' --kind value | grep -v first >got
python3 - rows.json <<'PY' || fail "--class: $(cat rows.json)"
import json, sys
found = [json.loads(line) for line in open(sys.argv[1])]
found = [(r["what"], r["a"]["value"], r["b"]["value"]) for r in found if "first" not in r]
assert found == [("result", 2, 4)], found
PY
# a call that is chosen is found inside of one that is not
"$HINDSIGHT" diff base other --method twice --kind call --json | python3 -c '
import json, sys
found = [r for r in map(json.loads, sys.stdin) if "first" not in r]
paths = [[m["method"] for m in r["path"]] for r in found]
assert paths == [["lambda$run$0", "work"]] + 2 * [["lambda$run$0", "work"]], paths' || fail "--method twice"

# exit status
"$HINDSIGHT" diff base same >out 2>err || fail "same: exit status $?"
[ ! -s out ] && grep -q 'no difference' err || fail "same: $(cat out err)"
"$HINDSIGHT" diff base same --fail-if-any >out 2>&1 || fail "--fail-if-any of equal runs: exit status $?"
"$HINDSIGHT" diff base other --fail-if-any --limit 1 >out 2>&1; [ $? = 1 ] || fail "--fail-if-any: exit status $?"
for weave in EXEC FIELD; do
    record $weave weave=$weave,e=Switch -cp c Runs >out 2>&1 || fail "recording $weave: $(cat out)"
done
one_line 1 'nothing can be compared: EXEC has weave=EXEC, FIELD has weave=FIELD' \
    "$HINDSIGHT" diff EXEC FIELD --fail-if-any
one_line 0 'no difference in the groups that both have woven: EXEC$' "$HINDSIGHT" diff base EXEC
one_line 2 'name two traces' "$HINDSIGHT" diff base
one_line 2 'call, value, coverage or decision' "$HINDSIGHT" diff base other --kind calls
one_line 1 'none' "$HINDSIGHT" diff base none

# in SQL the rows are those of --json; the other trace is only read
"$HINDSIGHT" diff base other --json >rows.json && ls -l --time-style=full-iso other >listed &&
    "$HINDSIGHT" sql "SELECT * FROM diff('other')" base --json >sql.json || fail "sql diff: exit status $?"
ls -l --time-style=full-iso other | diff listed - >differs || fail "sql writes the other trace: $(cat differs)"
python3 - rows.json sql.json <<'PY' || fail "the rows of sql are not those of diff: $(head -n 3 rows.json sql.json)"
import json, sys
rows, sql = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
def value(e):
    v = e.get("value") if e and not e["event"].endswith("LABEL") else None # which is a pc
    return v if not isinstance(v, dict) else v.get("string", v.get("value", "#%d" % v["id"]))
assert len(rows) == len(sql) > 20, (len(rows), len(sql))
for r, s in zip(rows, sql):
    event = r.get("a") or r["b"]
    for k in ("kind", "what", "a_was", "b_was", "times", "calls", "outer"):
        assert r.get(k) == s[k], (k, r, s)
    assert bool(r.get("first")) == bool(s["first"]), (r, s)
    assert [event.get(k) for k in ("class", "method", "line")] == [s[k] for k in ("class", "method", "line")], (r, s)
    for side in "ab":
        assert (r[side]["seq"] if side in r else None) == s[side], (r, s)
        assert r.get(side + "_decision", {}).get("condition") == s[side + "_condition"], (r, s)
        want, have = value(r.get(side)), s[side + "_value"]
        assert want == have or isinstance(want, str) and want.startswith("#") and want in have, (r, s)
PY
sql() { "$HINDSIGHT" sql "SELECT count(*) AS n FROM $1" base --json; }
[ "$(sql "diff('other', 'other')")" = '{"n":0}' ] || fail "sql diff with noise: $(sql "diff('other', 'other')")"
values=$(rows base other --kind value | grep -vc '"first"')
[ "$(sql "diff('other') WHERE kind = 'value' AND \"first\" = 0")" = "{\"n\":$values}" ] ||
    fail "sql diff WHERE: $(sql "diff('other') WHERE kind = 'value'"), $values values"
one_line 1 '^hindsight sql: none: No such file' "$HINDSIGHT" sql "SELECT * FROM diff('none')" base
one_line 1 'diff wants the folder of another trace' "$HINDSIGHT" sql "SELECT * FROM diff(NULL)" base
one_line 2 'diff wants 1 argument' "$HINDSIGHT" sql "SELECT * FROM diff" base
one_line 1 "heap wants the number of an event, not 'x'" "$HINDSIGHT" sql "SELECT * FROM heap('x')" base
record freq format=freq -cp c Runs >out 2>&1 || fail "recording freq: $(cat out)"
one_line 1 'freq: format=freq keeps no event stream' "$HINDSIGHT" sql "SELECT * FROM diff('freq')" base
one_line 1 "no class is called 'Nowhere'" "$HINDSIGHT" diff base other --class Nowhere
finish
