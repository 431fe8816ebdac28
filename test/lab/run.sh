#!/bin/bash
# lab/run.sh: `hindsight lab` with a small program: every cell is run, an interrupted experiment goes on, the files
# agree with the runs, and what is wrong with an experiment file is said in one line.
#
# test: lab
# labels: lab slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 2
export PATH=$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT
"${JAVAC[@]}" -d . "$ROOT"/bench/lab/experiments/Threads.java || exit 2
cat >try.toml <<'T'
name = "try"
repetitions = 2
formats = ["omni", "freq"]
groups = ["ALL", "EXEC"]
options = ["", "string=false"]
analyses = ["rings"]
[parameters]
threads = [1, 2]
[[programs]]
name = "calls"
command = ["java", "-cp", "PLACE", "Threads", "{threads}", "50"]
T
sed -i "s#PLACE#$WORK#" try.toml

"$HINDSIGHT" lab try.toml >table 2>err || fail "lab: exit status $?: $(tail -n 1 err)"
grep -qE '^0 of [0-9]+: ' err || fail "before the first run nothing is known of the time: $(head -n 1 err)"
[ "$(wc -l <try.lab/runs.jsonl)" = 36 ] || fail "36 runs expected, $(wc -l <try.lab/runs.jsonl) there"

# what a crash leaves: ten runs and half a line. Only the others are run again.
head -n 10 try.lab/runs.jsonl >kept
{ cat kept; head -c 40 <(tail -n 1 try.lab/runs.jsonl); } >try.lab/runs.cut && mv try.lab/runs.cut try.lab/runs.jsonl
"$HINDSIGHT" lab try.toml --json >cells 2>err || fail "lab, continued: exit status $?: $(tail -n 1 err)"
cmp -s kept <(head -n 10 try.lab/runs.jsonl) || fail "runs that were there changed"
python3 "$ROOT/test/lab/results.py" try.lab cells || fail "the results do not agree"

# the tables of docs/costs.md: every one has a function, and one is made from results
mkdir experiments && cp -r "$ROOT/bench/lab/experiments/." experiments && cp "$ROOT/docs/costs.md" . || exit 2
sed -i 's/repetitions = 10/repetitions = 2/' experiments/costs/startup.toml
"$HINDSIGHT" lab experiments/costs/startup.toml >out 2>err || fail "startup: exit status $?: $(tail -n 1 err)"
python3 "$ROOT/bench/lab/costs.py" . costs.md || fail "costs.py: exit status $?"
python3 "$ROOT/test/lab/tables.py" "$ROOT" || fail "the tables of docs/costs.md"
sed 's/lab rows/lab colums/' costs.md >other.md
python3 "$ROOT/bench/lab/costs.py" . other.md 2>err && fail "a table that is none is not told"
grep -q "no table is called 'colums'" err || fail "$(head -n 1 err)"

wrong() { # FILE EXPECTED
    "$HINDSIGHT" lab "$1" >out 2>err; local status=$?
    [ $status = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$2" err ||
        fail "$1: status $status, '$(head -n 1 err)', expected '$2'"
}
wrong missing.toml "No such file"
echo 'repetitions = "x"' >a.toml; wrong a.toml "repetitions must be a whole number"
echo 'repetition = 1' >b.toml; wrong b.toml "unknown key 'repetition'"
echo '[[programs]]' >c.toml; wrong c.toml "needs a name"
echo 'x = [' >d.toml; wrong d.toml "not TOML"
printf 'jvms = ["99"]\n[[programs]]\nname = "a"\nrun = "true"\n' >e.toml; wrong e.toml "no JVM '99'"
sed 's/repetitions = 2/repetitions = 3/' try.toml >try2.toml; mv try2.toml try.toml; wrong try.toml "has changed"
printf 'name = "bad"\nrepetitions = 1\n[[programs]]\nname = "f"\nrun = "exit 7"\n' >bad.toml
"$HINDSIGHT" lab bad.toml >out 2>err
[ $? = 3 ] && grep -q 'exit status 7' err || fail "a program that fails is not told"
finish "36 runs, continued after ten; 8 mistakes"
