#!/bin/bash
# clients.sh [REQUESTS]: slow, hostile and many clients of the servers keep no good one waiting, and cost little memory.
# The control socket: test/control/hostile.sh.
#
# test: trust.clients
# labels: trust slow
# limit: 900 s
# short: 300
# long: 3000
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Waits.java" || die "the program does not compile"
cd "$WORK" || exit 1
ulimit -n 4096
record t "" -XX:-UsePerfData -cp c Waits >out 2>err </dev/null || die "the program fails: $(cat err)"
export REQUESTS=${1:-300}

for kind in dap jdwp view; do
    : >said.$kind
    case $kind in
    dap) exec "$HINDSIGHT" dap --listen 0 ;;
    jdwp) exec "$HINDSIGHT" jdwp t --port 0 ;;
    view) exec "$HINDSIGHT" view t --no-browser ;;
    esac >said.$kind 2>err.$kind &
    server=$!
    wait_for '[0-9]' said.$kind
    port=$(grep -oE ':[ ]?[0-9]+' said.$kind | tail -n 1 | tr -d ': ')
    python3 "$ROOT/test/trust/clients.py" "$port" $kind "$(sed -n 's/.*token=//p' said.$kind)" $server ||
        fail "$kind: $(tail -n 3 err.$kind)"
    kill -0 $server || fail "$kind has ended: $(tail -n 3 err.$kind)"
    kill $server
    wait $server 2>/dev/null
done
finish
