#!/bin/bash
# run.sh - the timeline and the player of the page: what they draw is what the command answers.
#
# test: view.run
# labels: view slow
# limit: 900 s
. "$(dirname "$0")/view.bash"

command -v chromium >/dev/null || skip "chromium is not installed"
[ -e "$(dirname "$HINDSIGHT")/../share/hindsight/view/app.js" ] || skip "the page was not built (npm)"
npm_client playwright
mkdir "$WORK/traces"
compile "$WORK/classes" "$ROOT/docs/programs/Stock.java" "$ROOT/test/cli/Lanes.java" ||
    die "the programs do not compile"
record "$WORK/traces/shop" weave=ALL -cp "$WORK/classes" Stock >"$WORK/run.out" 2>&1
record "$WORK/traces/lanes" weave=EXEC+CALL+SYNC+LINE -cp "$WORK/classes" Lanes >"$WORK/run.out" 2>&1
periods='logstart=Lanes#odd#.*#METHOD_ENTRY,logend=Lanes#work#.*#METHOD_NORMAL_EXIT'
record "$WORK/traces/parts" "weave=EXEC+CALL+SYNC,$periods" -cp "$WORK/classes" Lanes >"$WORK/run.out" 2>&1
view_start "$WORK/traces" --source "$ROOT/docs/programs:$ROOT/test/cli"
HOME=$WORK timeout -s KILL 840 node "$ROOT/test/clients/view/run.mjs" "$ADDRESS" "$HINDSIGHT" "$WORK/traces" "$ROOT" ||
    fail "the page"
view_stop
finish
