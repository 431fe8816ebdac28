#!/bin/bash
# panels.sh - the panels of the page beside the run itself: graphs of causes, reports, two runs, features; states, sizes
# and links. What they say is what the command answers, or what plain JavaScript makes of its events.
#
# test: view.panels
# labels: view slow
# limit: 900 s
. "$(dirname "$0")/view.bash"

command -v chromium >/dev/null || skip "chromium is not installed"
[ -e "$(dirname "$HINDSIGHT")/../share/hindsight/view/app.js" ] || skip "the page was not built (npm)"
npm_client playwright
mkdir "$WORK/traces"
compile "$WORK/classes" "$ROOT"/docs/programs/{Stock,Basket,Slow}.java "$ROOT"/test/clients/view/HostileNames.java \
    "$ROOT"/test/ask/{Races,LockOrder,Features}.java || die "the programs do not compile"
made() { record "$WORK/traces/$1" "$2" -cp "$WORK/classes" "${@:3}" >"$WORK/run.out" 2>&1; }
made shop weave=ALL Stock
made ten weave=ALL Basket 10
made said weave=ALL,stdout=true Slow
made sixty weave=ALL Basket 60
made slow weave=EXEC+PARAM,timestamp=true Slow
made races weave=ALL Races
made features weave=ALL,order=total,e=Marks Features
"${MARK_TRACE:-$BUILD/test/mark_trace}" "$WORK/traces/features" load 30 113 edit 114 178 '<b>save</b>' 179 229 \
    load 275 340 || die "no marks"
made order weave=ALL,timestamp=true LockOrder
made names weave=ALL HostileNames
"$JAVA" "-agentpath:$AGENT=output=$WORK/traces/timing,format=timing" -cp "$WORK/classes" Slow >"$WORK/run.out" 2>&1
# a recording whose JVM was killed
compile "$WORK/live-classes" "$ROOT/test/clients/view/Living.java" || die "Living does not compile"
: >"$WORK/go"
"$JAVA" "-agentpath:$AGENT=output=$WORK/traces/killed,format=omni,weave=EXEC" -cp "$WORK/live-classes" \
    Living "$WORK/go" >"$WORK/killed.out" 2>&1 &
living=$!
until_events "$WORK/traces/killed" 100
{ kill -KILL "$living" && wait "$living"; } 2>/dev/null
view_start "$WORK/traces" --source "$ROOT/docs/programs:$ROOT/test/ask"
HOME=$WORK timeout -s KILL 840 node "$ROOT/test/clients/view/panels.mjs" "$ADDRESS" "$HINDSIGHT" "$WORK/traces" \
    "$ROOT" ||
    fail "the page"
view_stop
finish
