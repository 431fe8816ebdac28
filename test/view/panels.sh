#!/bin/bash
# panels.sh - the panels of the page beside the run itself: graphs of causes, reports, two runs, features; states, sizes
# and links. What they say is what the command answers, or what plain JavaScript makes of its events.
. "$(dirname "$0")/view.bash"

command -v chromium >/dev/null || skip "chromium is not installed"
[ -e "$(dirname "$HINDSIGHT")/../share/hindsight/view/app.js" ] || skip "the page was not built (npm)"
npm_client playwright
mkdir "$WORK/traces"
compile "$WORK/classes" "$ROOT"/docs/programs/{Stock,Basket,Slow}.java "$ROOT"/test/query/{Races,LockOrder}.java ||
    die "the programs do not compile"
made() { record "$WORK/traces/$1" "$2" -cp "$WORK/classes" "${@:3}" >"$WORK/run.out" 2>&1; }
made shop weave=ALL Stock
made ten weave=ALL Basket 10
made sixty weave=ALL Basket 60
made slow weave=EXEC+PARAM,timestamp=true Slow
made races weave=ALL Races
made order weave=ALL,timestamp=true LockOrder
view_start "$WORK/traces" --source "$ROOT/docs/programs:$ROOT/test/query"
HOME=$WORK timeout -s KILL 240 node "$ROOT/test/view/panels.mjs" "$ADDRESS" "$HINDSIGHT" "$WORK/traces" "$ROOT" ||
    fail "the page"
view_stop
finish
