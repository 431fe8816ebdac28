#!/bin/bash
# The recipes of CONTRIBUTING.md for an event, a command with an answer and a format, followed in a copy of the tree:
# it builds, and what was added works.
# A step that names another place than the one where the change belongs fails here.
#
# test: cli.recipes
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "the copy is built once, without sanitizers"
cd "$ROOT" || exit 1
mkdir "$WORK/tree" && tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$WORK/tree" ||
    die "no copy of the tree"
cd "$WORK/tree" || exit 1
python3 "$ROOT/test/cli/recipes.py" || die "a recipe cannot be followed"
cmake -S . -B b -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0" -DHINDSIGHT_WERROR=ON "-DJAVA_HOME=$JDK" \
    >log 2>&1 || die "cmake: $(tail -n 5 log)"
nice cmake --build b --target agent hindsight manual test_event answer_list >log 2>&1 ||
    die "build: $(grep -m 3 -E 'error|FAILED' log; tail -n 3 log)"
export HINDSIGHT_SOURCE=$WORK/tree HINDSIGHT_BUILD=$WORK/tree/b AGENT=$WORK/tree/b/lib/libhindsight.so \
    HINDSIGHT=$WORK/tree/b/bin/hindsight JDK
b/test/test_event >log 2>&1 || fail "the event: test_event: $(grep -m 2 ERROR log)"
bash test/jvm/run.sh test/jvm/Tested.java >log 2>&1 || fail "the event: $(head -n 5 log)"
bash test/jvm/run.sh test/jvm/Counted.java >log 2>&1 || fail "the event with a value: $(head -n 5 log)"
bash test/docs.sh >log 2>&1 || fail "the documents: $(head -n 3 log)"
python3 test/layering.py >log 2>&1 || fail "layering: $(head -n 3 log)"
compile c test/cli/Hello.java || die "Hello does not compile"
record one "" -cp c Hello >/dev/null 2>err || fail "recording: $(cat err)"
sum() { grep -oE "$1" | grep -oE "[0-9]+" | awk '{ s += $1 } END { print s }'; }
events=$("$HINDSIGHT" print one --json | wc -l)
[ "$("$HINDSIGHT" total one --json | sum '"number":[0-9]+')" = "$events" ] ||
    fail "the answer: $("$HINDSIGHT" total one)"
"$HINDSIGHT" total one | head -n 1 | grep -q '^thread *number *name$' || fail "the heading: $("$HINDSIGHT" total one)"
"$HINDSIGHT" total one | grep -qE "^ +[0-9]+ +[0-9]+  main$" || fail "the text: $("$HINDSIGHT" total one)"
[ "$("$HINDSIGHT" sql "SELECT sum(number) AS n FROM total" one --json)" = "{\"n\":$events}" ] ||
    fail "the table: $("$HINDSIGHT" sql "SELECT * FROM total" one 2>&1)"
"$HINDSIGHT" export one --to csv --table total | head -n 1 | grep -qx "thread,name,number" || fail "the table in csv"
b/test/answer_list | grep -q "^total	total	number	integer	both	of its events$" || fail "the keys for docs/json.md"
"$HINDSIGHT" help | grep -q '^ *total  *how many events' || fail "help does not list the command"
[ "$("$HINDSIGHT" total one)" != "$("$HINDSIGHT" total -t one)" ] || fail "the command: its option does nothing"
"$HINDSIGHT" completion bash | grep -q -- '-t --twice' || fail "the option is not completed"
mkdir pages
b/bin/manual . pages || fail "the manual pages are not made"
grep -q twice pages/man1/hindsight-total.1 || fail "the option is not in the manual page"
record two format=tally -cp c Hello >/dev/null 2>err || fail "the format: $(cat err)"
[ "$("$HINDSIGHT" info two --json | grep -o '"format":"[a-z]*"')" = '"format":"tally"' ] ||
    fail "info of the format: $("$HINDSIGHT" info two 2>&1 | head -n 3)"
# by name: how many threads of the JVM there are beside them is its own affair
threads() {
    "$HINDSIGHT" threads $1 --json | grep -E "\"name\":\"(main|second)\"" |
        grep -oE "\"name\":\"[a-z]*\"|\"events\":[0-9]+" | tr "\n" " "
}
[ "$(threads one)" = "$(threads two)" ] || fail "the format: $(threads two), every event: $(threads one)"
finish
