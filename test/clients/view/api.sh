#!/bin/bash
# api.sh - `hindsight view`: does the API answer what the command prints, and nobody but the page with the token?
#
# test: view.api
# labels: view cli
# limit: 900 s
. "$(dirname "$0")/view.bash"

compile "$WORK/classes" "$ROOT/docs/programs/Stock.java" || die "Stock does not compile"
record "$WORK/shop" weave=ALL -cp "$WORK/classes" Stock >"$WORK/run.out" 2>&1
view_start "$WORK/shop"
python3 "$ROOT/test/clients/view/api.py" "$HINDSIGHT" "$WORK/shop" "$ADDRESS" || fail "the API"
view_stop

# a second server on the same port, no trace, an impossible port
view_start "$WORK/shop"
port=${ADDRESS#http://127.0.0.1:} port=${port%%/*}
one_line 1 "port $port" "$HINDSIGHT" view "$WORK/shop" --no-browser --port "$port"
view_stop
one_line 1 "not a trace" "$HINDSIGHT" view "$WORK/classes" --no-browser
one_line 2 "65535" "$HINDSIGHT" view "$WORK/shop" --no-browser --port 65536
finish
