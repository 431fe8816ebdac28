#!/bin/bash
# nets.sh [ROOT]: the tests themselves can fail. What lib.sh counts is counted wherever it happens; every script tells
# what it found with its exit status.
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2
bad=0
wrong() { echo "FAILED: $*"; bad=1; }
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
: >"$scratch/agent"; printf '#!/bin/sh\n' >"$scratch/hindsight"; chmod +x "$scratch/hindsight"

# small tests: name, exit status, commands behind lib.sh
try() {
    local name=$1 want=$2 status; shift 2
    { echo ". '$root/test/lib.sh'"; printf '%s\n' "$@"; } >"$scratch/$name.sh"
    AGENT=$scratch/agent HINDSIGHT=$scratch/hindsight bash "$scratch/$name.sh" >"$scratch/out" 2>&1; status=$?
    [ $status = "$want" ] || wrong "a test that $name ends with status $status, not $want: $(head -n 2 "$scratch/out")"
}
try passes 0 finish
try fails 1 'fail x' finish
try fails_in_a_subshell 1 '(fail x)' finish
try fails_in_a_pipeline 1 'echo y | while read -r _; do fail x; done' finish
try fails_in_a_substitution 1 'out=$(fail x)' finish
try dies_in_a_subshell 1 '(die x)' finish
try has_a_wrong_line_in_a_subshell 1 '(one_line 1 nothing true)' finish
try is_left_out 77 'skip x'
try names_no_variable 1 'echo $nothing' finish

# scripts: those with lib.sh end with finish (or exit), the others with their status
checked=0
while read -r script; do
    case $script in
    test/lib.sh | test/packages.sh | test/*/lib.sh | test/arm64/sysroot.sh) continue ;;
    test/oracle/* | test/workloads/*) continue ;;
    esac
    case $script in */fuzz/keep.sh | */fuzz/run.sh | */soak/*.sh | */same-answers/*) ;; # by hand
    *) grep -q '^# test: ' "$script" || grep -q "[/ ]${script#test/}[\") ]" test/CMakeLists.txt ||
        wrong "$script is no test: its head has no line '# test: NAME'" ;;
    esac
    last=$(grep -vE '^ *(#|$)' "$script" | tail -n 1)
    checked=$((checked + 1))
    case $script:$last in
    *:finish | *:finish\ * | *:"exit \$"* | *:exit\ [0-9]* | test/sanitized.sh:ctest\ *) ;;
    *) wrong "$script ends with '$last', which tells of no failure" ;;
    esac
done < <(find test -name '*.sh' | sort)
[ $checked -ge 30 ] || wrong "only $checked scripts"
# questions of test/ask end with end(), which tells
for script in test/ask/*.py; do
    case $script in */ask.py | */directions.py) continue ;; esac
    [ "$(grep -vE '^ *(#|$)' "$script" | tail -n 1)" = "end()" ] || wrong "$script does not end with end()"
done
# directions of test/jvm: a word that is none would never fail
printf '// exptect: METHOD_ENTRY\npublic class X { }\n' >"$scratch/X.java"; : >"$scratch/none"
python3 test/jvm/expect.py "$scratch/X.java" 1 "$scratch/none" "$scratch/none" "$scratch/none" >"$scratch/out" &&
    wrong "expect.py takes // exptect:"
printf '// never: METHOD_ENTRY\npublic class X { }\n' >"$scratch/X.java"
python3 test/jvm/expect.py "$scratch/X.java" 1 "$scratch/none" "$scratch/none" "$scratch/none" >"$scratch/out" ||
    wrong "expect.py refuses // never:"
# and those of test/ask: a wrong answer, a word that is none, and a question without an answer fail
PYTHONPATH=test/ask python3 - <<'END' || wrong "test/ask/directions.py does not see what is wrong"
from directions import marks, questions, wrong

def bad(text, lines):
    return [w for _, _, directions in questions(text) for w in wrong(directions, lines, {})]

def raises(f, text):
    try:
        f(text)
    except ValueError:
        return True

lines = ["   12 of Box#3", "   13 of Box#31", "note: 2"]
right = "// ask: x\n// answer: {a} of Box#{b}\n// next: 13 of\n// never: Box#1\n// lines: 3\n"
assert not bad(right, lines), bad(right, lines)
for old, new in (("13 of", "3 of"), ("Box#1", "Box#31"), (": 3", ": 2"), ("next: 13", "next: note"),
                 ("13 of", "13 of Box#{b}"), ("answer: {a} of Box#{b}", "answer: 12 of Box#3\n// answer: 12")):
    assert bad(right.replace(old, new), lines), new
assert bad("// ask: x\n", lines)
assert raises(questions, right + "// nevr: Box\n") and raises(questions, "// answer: 1\n")
assert raises(marks, "a(); // HERE\nb(); // HERE\n")
END
# what ctest says of failed tests is repeated where it ends (failures.py)
cat >"$scratch/ctest" <<'END'
      Start 1: one
1/3 Test #1: one ..............   Passed    0.10 sec
2/3 Test #2: two ..............***Failed    0.20 sec
some words
FAILED: the reason
3/3 Test #3: three ............***Timeout   0.30 sec
the last word
66% tests passed, 2 tests failed out of 3
END
python3 test/failures.py <"$scratch/ctest" | sed -n '/^two: /,$p' >"$scratch/out"
printf '%s\n' 'two: FAILED: the reason' 'three: the last word' '66% tests passed, 2 tests failed out of 3' |
    cmp -s - "$scratch/out" || wrong "failures.py repeats: $(cat "$scratch/out")"
[ $bad = 0 ] && echo "nets: $checked scripts of tests can fail"
exit $bad
