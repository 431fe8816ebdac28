#!/bin/bash
# page.sh - the page of `hindsight view` in Debian's chromium, driven by playwright: what it says is what the command
# answers, nothing of a trace becomes markup, and its console has no error.
#
# test: view.page
# labels: view slow
# limit: 900 s
. "$(dirname "$0")/view.bash"

command -v chromium >/dev/null || skip "chromium is not installed"
[ -e "$(dirname "$HINDSIGHT")/../share/hindsight/view/app.js" ] || skip "the page was not built (npm)"
npm_client playwright
compile "$WORK/classes" "$ROOT/docs/programs/Stock.java" || die "Stock does not compile"
compile "$WORK/hostile-classes" "$ROOT/test/clients/view/Hostile.java" || die "Hostile does not compile"
mkdir "$WORK/traces"
record "$WORK/traces/shop" weave=ALL -cp "$WORK/classes" Stock >"$WORK/run.out" 2>&1
compile "$WORK/many-classes" "$ROOT/test/clients/view/Many.java" || die "Many does not compile"
record "$WORK/traces/many" weave=ALL -cp "$WORK/many-classes" Many >"$WORK/run.out" 2>&1
record "$WORK/traces/hostile" weave=ALL -cp "$WORK/hostile-classes" Hostile >"$WORK/run.out" 2>&1
"$JAVA" "-agentpath:$AGENT=output=$WORK/traces/latest,format=latest,freeze=java.lang.IllegalStateException" \
    -cp "$WORK/classes" Stock >"$WORK/run.out" 2>&1
compile "$WORK/wide-classes" "$ROOT/test/clients/view/Wide.java" || die "Wide does not compile"
record "$WORK/traces/wide" weave=ALL -cp "$WORK/wide-classes" Wide >"$WORK/run.out" 2>&1
compile "$WORK/other-classes" "$ROOT/test/ask/Failure.java" || die "Failure does not compile"
record "$WORK/traces/other" weave=ALL -cp "$WORK/other-classes" Failure >"$WORK/run.out" 2>&1
cp -r "$WORK/traces/shop" "$WORK/traces/wrecked"
: >"$WORK/traces/wrecked/data.mdb"
compile "$WORK/live-classes" "$ROOT/test/clients/view/Living.java" || die "Living does not compile"
compile "$WORK/dead-classes" "$ROOT/docs/programs/Deadlock.java" || die "Deadlock does not compile"
record "$WORK/traces/dead" weave=ALL -cp "$WORK/dead-classes" Deadlock >"$WORK/run.out" 2>&1
: >"$WORK/go"
record "$WORK/traces/living" weave=EXEC -cp "$WORK/live-classes" Living "$WORK/go" >"$WORK/living.out" 2>&1 &
living=$!
until_events "$WORK/traces/living" 100
view_start "$WORK/traces" --source "$ROOT/docs/programs:$ROOT/test/clients/view"
HOME=$WORK timeout -s KILL 840 node "$ROOT/test/clients/view/page.mjs" "$ADDRESS" "$HINDSIGHT" "$WORK/traces" "$ROOT" ||
    fail "the page"
rm "$WORK/go"
wait "$living" || fail "Living: exit status $?"
view_stop
finish
