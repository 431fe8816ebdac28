#!/bin/bash
# screens.sh - does every command keep what commands.def says of it? The same program is recorded twice, once for ten
# times as long. A screen may decode half as many chunks more of the longer run, and four; a pass each chunk four times
# (the eight that are kept decoded hide that in the shorter run). What is counted are chunks, not seconds, so that no
# busy machine matters; each command with an answer has a question here. Both runs have more than the million events
# that `timeline` walks instead of asking at each moment.
#
# test: cli.screens
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/cli/Passes.java"

for run in 6000 60000; do
    record t$run '' -cp c Passes $run >/dev/null 2>&1 || die "no recording"
    "$HINDSIGHT" index t$run >/dev/null 2>&1
done
events() { "$HINDSIGHT" info --json "$1" | grep -o '"events":[0-9]*' | head -n 1 | tr -dc 0-9; }
short=$(events t6000) long=$(events t60000)
all=$("$HINDSIGHT" info t60000 | sed -nE 's/^derived +([0-9]+) chunks.*/\1/p')
[ "$all" -gt 100 ] || die "the longer run has $all chunks"

questions=$ROOT/test/cli/questions.txt # T: the trace, M: a moment in its middle, of a kind of event that has a value

# chunks TRACE WHAT QUESTION...: WHAT: decoded; or all, also those of which only the stamps are taken
chunks() {
    local trace=$1 what=$2 words=() word; shift 2
    for word; do
        case $word in T) word=$trace ;; M) word=$moment ;; esac
        words+=("${word//\~/ }")
    done
    HINDSIGHT_CHUNKS=1 "$HINDSIGHT" "${words[@]}" 2>&1 >/dev/null </dev/null | tee -a said |
        awk -v what="$what" '/^chunks decoded: / { n += $NF; any = 1 }
            /^chunks decoded for / && what == "all" { n += $NF }
            END { print any ? n : "none" }'
}
moment_of() {
    "$HINDSIGHT" print --event LOCAL_LOAD --from $(($2 / 2)) --limit 1 --json "$1" | grep -o '"seq":[0-9]*' |
        tr -dc 0-9
}
# Where threads take turns otherwise, a moment lies further behind a state that the index holds, and some chunks more
# are decoded: what grows with the run does so in each of three recordings.
is_screen() {
    local n trace
    for n in 1 2 3; do
        [ $((2 * b)) -gt $((3 * a + 8)) ] || return 0
        trace=t60000-$n
        [ -e "$trace" ] || record "$trace" '' -cp c Passes 60000 >/dev/null 2>&1 || die "no recording"
        [ -e "$trace/index" ] || "$HINDSIGHT" index "$trace" >/dev/null 2>&1
        moment=$(moment_of "$trace" "$(events "$trace")")
        b=$(chunks "$trace" decoded "${words[@]}")
    done
    [ $((2 * b)) -le $((3 * a + 8)) ]
}
few=$(moment_of t6000 "$short") many=$(moment_of t60000 "$long")
while read -r kind question; do
    read -r -a words <<<"$question"
    moment=$few; a=$(chunks t6000 decoded "${words[@]}")
    moment=$many; b=$(chunks t60000 decoded "${words[@]}")
    [ "$a" != none ] && [ "$b" != none ] || { fail "$question: no count of chunks"; continue; }
    case $kind in
    screen) is_screen || fail "$question is a screen, and decodes $a and $b chunks" ;;
    pass) [ "$b" -le $((4 * all * $(grep -o '\bT\b' <<<"$question" | wc -l))) ] ||
        fail "$question is a pass, and decodes $b times a chunk of $all" ;;
    esac
    echo "$kind $a $b $question"
done <"$questions" >counted
grep '^pass' counted | awk '$3 > 20 { n++ } END { exit n < 5 }' ||
    fail "few passes decode anything: $(grep ^pass counted)"

# 64 threads, whose chunks overlap: a screen may decode four chunks of each thread, a pass each chunk six times. Here
# chunks count as well of which the stamps alone are needed, to count the events before a moment.
compile c "$ROOT/test/cli/Crowd.java"
record crowd '' -cp c Crowd 2000 >/dev/null 2>&1 || die "no recording"
"$HINDSIGHT" index crowd >/dev/null 2>&1
of_crowd=$("$HINDSIGHT" info crowd | sed -nE 's/^derived +([0-9]+) chunks.*/\1/p')
[ "$of_crowd" -ge 128 ] || die "the 64 threads have $of_crowd chunks"
moment=$(moment_of crowd "$(events crowd)")
while read -r kind question; do
    read -r -a words <<<"$question"
    n=$(chunks crowd all "${words[@]}") most=$((6 * of_crowd * $(grep -o '\bT\b' <<<"$question" | wc -l)))
    [ "$kind" = pass ] || most=$((4 * 64))
    [ "$n" != none ] || { fail "$question: no count of chunks of 64 threads"; continue; }
    [ "$n" -le "$most" ] || fail "$question is a $kind, and decodes $n chunks of the $of_crowd of 64 threads"
    echo "crowd $kind $n $question" >>crowded
done < <(sed -E 's/Passes\.(refuse|deep)/Crowd.add/; s/Passes\.(last|value)/Crowd.value/; s/Passes/Crowd/
    s/\{n\}/{i}/; s/n>100/i>100/' "$questions")

# Their calls follow a pattern: a stack takes no chunk, at any length, but stamps for the place of its moment.
compile c "$ROOT/bench/Scale.java"
for rounds in 20000 200000; do
    record turns$rounds '' -cp c Scale threads $rounds >/dev/null 2>&1 || die "no recording of threads"
    "$HINDSIGHT" index turns$rounds >/dev/null 2>&1
    n=$(chunks turns$rounds decoded timeline T)
    [ "$n" -le 8 ] || fail "timeline of 64 threads with $rounds rounds: $n chunks are decoded"
done

# Screens that add the index up say what the events say.
for trace in t60000 crowd; do
    mkdir plain && cp $trace/data.mdb plain
    for question in "report --tree --json" "report --callers * --json" "report --callees * --json"; do
        set -f; words=($question); set +f
        "$HINDSIGHT" "${words[@]}" plain >without 2>&1
        "$HINDSIGHT" "${words[@]}" $trace >with 2>&1
        grep -q "^{" without || fail "$trace, $question: $(head -n 1 without)"
        cmp -s without with || fail "$trace, $question: other rows with an index: $(diff without with | head -n 4)"
    done
    rm -r plain
done

# Counts by group say what SQLite counts of the rows, as it does where there is a condition.
for trace in t6000 crowd; do
    for query in "SELECT class, method, count(*) AS n FROM calls ? GROUP BY class, method ORDER BY n DESC" \
        "SELECT count(*), line FROM calls ? GROUP BY line" \
        "SELECT event, method, desc, count(*) FROM events ? GROUP BY event, method, desc ORDER BY count(*), 1, 2, 3" \
        "SELECT count(*) FROM events ? GROUP BY event, pc, dataid"; do
        "$HINDSIGHT" sql $trace "${query/\?/WHERE 1}" --json >without 2>&1
        "$HINDSIGHT" sql $trace "${query/\? /}" --json >with 2>&1
        [ "$(grep -c "^{" without)" -gt 1 ] || fail "$trace, $query: $(head -n 1 without)"
        cmp -s without with || fail "$trace, $query: other rows with an index: $(diff without with | head -n 4)"
    done
done

# Exceptions of several threads: few chunks are read, and what is said of each is what is said without an index.
compile c "$ROOT/test/cli/Handed.java"
record handed index=off -cp c Handed 100 >/dev/null 2>&1 || die "no recording of exceptions that are handed on"
"$HINDSIGHT" exceptions --json handed >without 2>&1
[ ! -e handed/index ] && [ "$(grep -c '"swallowed":true' without)" = 100 ] || fail "handed on: $(head -n 2 without)"
"$HINDSIGHT" index handed >/dev/null 2>&1
"$HINDSIGHT" exceptions --json handed >with 2>&1
cmp -s without with || fail "exceptions of threads: other rows with an index: $(diff without with | head -n 4)"
n=$(chunks handed decoded exceptions T)
[ "$n" -le 120 ] || fail "exceptions of threads: $n chunks are decoded"

# An object that each call of a recursion gets: chunks end in between, and it is given to no code that is not woven.
record recursion '' -cp c Scale strings 60000 >/dev/null 2>&1 || die "no recording of a recursion"
"$HINDSIGHT" index recursion >/dev/null 2>&1
moment=$(moment_of recursion "$(events recursion)")
n=$(chunks recursion decoded eval this.sum --at M T)
[ "$n" -le 16 ] || fail "a field of an object that calls pass on: $n chunks are decoded"

# A tree reads no chunk in which a frame makes nothing but calls of one shape, and is what it is without an index: also
# where few of them have another shape, end otherwise, or make such calls themselves.
compile c "$ROOT/test/cli/EqualRounds.java"
record rounds index=off -cp c EqualRounds 25000 >/dev/null 2>&1 || die "no recording of equal rounds"
trees=("" "--depth 0" "--depth 1" "--depth 2" "--depth 3 --limit 5" "--fold once" "--fold equal" "--to 900000")
for at in "${trees[@]}"; do
    "$HINDSIGHT" tree --json $at rounds >"without${at// /}" 2>&1
done
[ ! -e rounds/index ] && grep -qE '"times":[0-9]{4}' without || fail "tree of rounds: $(head -n 3 without)"
chunks rounds decoded tree T >before
"$HINDSIGHT" index rounds >/dev/null 2>&1
for at in "${trees[@]}"; do
    "$HINDSIGHT" tree --json $at rounds >with 2>&1
    cmp -s "without${at// /}" with ||
        fail "tree $at: other rows with an index: $(diff "without${at// /}" with | head -n 4)"
done
n=$(chunks rounds decoded tree T)
[ $((3 * n)) -le "$(cat before)" ] || fail "tree of equal rounds: $n chunks are decoded, $(cat before) without an index"
for shape in objects exceptions; do
    record $shape '' -cp c Scale $shape 60000 >/dev/null 2>&1 || die "no recording of $shape"
    "$HINDSIGHT" index $shape >/dev/null 2>&1
    n=$(chunks $shape decoded tree --depth 3 --limit 20 T)
    [ "$n" -le 16 ] || fail "tree of $shape: $n chunks are decoded"
done
# Each of the 1,000 accounts refuses as often, in each segment of the index.
"$HINDSIGHT" exceptions --limit 2000 exceptions 2>&1 | awk 'NR > 1 && $4 == 60 && /Refused#.*"account / { n++ }
    END { exit NR != 1001 || n != 1000 }' || fail "exceptions: $("$HINDSIGHT" exceptions --limit 3 exceptions 2>&1)"

# Objects of a type are on few pages of the object table, of which the index knows. What is found is what is found
# without it, and what the rows of all objects say.
few=$(HINDSIGHT_CHUNKS=1 "$HINDSIGHT" objects exceptions --type 'Scale$Account' --where id==77 2>&1 >/dev/null |
    sed -n 's/^pages of objects: //p')
"$HINDSIGHT" objects --json exceptions >all.json
[ "$(wc -l <all.json)" -gt 60000 ] && [ -n "$few" ] && [ "$few" -le 4 ] ||
    fail "objects of a type: $few pages are read for 1,000 of $(wc -l <all.json) objects"
for type in 'Scale$Account' 'Scale$Refused' java.lang.String '*S*' None; do
    mkdir plain && cp exceptions/data.mdb plain # the cursor over objects is there before the index
    "$HINDSIGHT" objects --json --type "$type" plain >without 2>&1
    rm -r plain
    "$HINDSIGHT" objects --json --type "$type" exceptions >with 2>&1
    cmp -s without with || fail "objects of $type: other rows with an index: $(diff without with | head -n 4)"
done
"$HINDSIGHT" objects --json --type 'Scale$*' exceptions >typed.json
python3 - <<'END' || fail "objects of a type are not those of that type among all"
import json
rows = [json.loads(line) for line in open("all.json")]
assert [r for r in rows if r.get("type", "").startswith("Scale$")] == [json.loads(line) for line in open("typed.json")]
END

# A long trace without an index: `info` is a screen, and with --count it says what it says with an index.
record long '' -cp c Passes 120000 >/dev/null 2>&1 || die "no longer recording"
"$HINDSIGHT" info --json --count long >counted.json
[ ! -e long/index ] || fail "info --count makes an index"
[ "$(chunks long all info T)" = 0 ] || fail "info reads $(chunks long all info T) chunks of a trace without an index"
"$HINDSIGHT" info --json long >at-once.json
"$HINDSIGHT" index long >/dev/null 2>&1
"$HINDSIGHT" info --json long >indexed.json
python3 - <<'END' || fail "info without an index"
import json
whole, short, counted = (json.load(open(name + ".json")) for name in ("indexed", "at-once", "counted"))
for answer in (whole, short, counted):
    del answer["storage"]["index"]
assert "hindsight index" in short.pop("uncounted") and "uncounted" not in counted
assert counted == whole, (counted, whole)
assert sum(t["events"] for t in whole["types"].values()) == whole["events"] > 1 << 24, whole["events"]
assert set(whole) - set(short) == {"event_bytes", "groups", "types"}, set(whole) ^ set(short)
assert all(whole[k] == short[k] for k in short), [k for k in short if whole[k] != short[k]]
END

# No command closes the trace before a cursor that threads decode for.
early=$(grep -c "^closed before a cursor" said) && fail "$early times a trace is closed before its cursors"

# Every command with an answer is here.
while IFS='|' read -r command kind; do
    command=${command//_/-}
    case $kind in
    SCREEN) grep -q "^screen .* $command " <(sed 's/$/ /' counted) || fail "no screen of $command is asked" ;;
    PASS) grep -q "^pass .* $command " <(sed 's/$/ /' counted) || fail "no pass of $command is asked" ;;
    esac
done < <(tr '\n' ' ' <"$ROOT/reader/command/commands.def" | sed 's/COMMAND(/\n&/g' |
    sed -nE 's/^COMMAND\((\w+), \w+, \w+(\([^)]*\))?, (SCREEN|PASS)\W.*/\1|\3/p' | grep -v '^source|')
finish "$(wc -l <counted) questions counted"
