#!/bin/bash
# panels.sh - the panels of the page beside the run itself: graphs of causes, reports, two runs, features; states, sizes
# and links. What they say is what the command answers, or what plain JavaScript makes of its events.
. "$(dirname "$0")/view.bash"

command -v chromium >/dev/null || skip "chromium is not installed"
[ -e "$(dirname "$HINDSIGHT")/../share/hindsight/view/app.js" ] || skip "the page was not built (npm)"
npm_client playwright
mkdir "$WORK/traces"
compile "$WORK/classes" "$ROOT"/docs/programs/{Stock,Basket}.java || die "the programs do not compile"
record "$WORK/traces/shop" weave=ALL -cp "$WORK/classes" Stock >"$WORK/run.out" 2>&1
view_start "$WORK/traces" --source "$ROOT/docs/programs:$ROOT/test/view"
HOME=$WORK timeout -s KILL 240 node "$ROOT/test/view/panels.mjs" "$ADDRESS" "$HINDSIGHT" "$WORK/traces" "$ROOT" ||
    fail "the page"
view_stop
finish
