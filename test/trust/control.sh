#!/bin/bash
# control.sh [REQUESTS]: slow, hostile and many clients of the control socket: the program loses nothing, and a good
# client is answered. Clients that do not read, and attach: test/control/hostile.sh.
#
# test: trust.control
# labels: trust
# limit: 900 s
# short: 300
# long: 3000
. "$(dirname "$0")/../control/lib.sh"
serve 1 "-agentpath:$AGENT=output=t,format=omni,weave=EXEC+CALL"
(cd t && python3 "$ROOT/test/trust/control.py" "${1:-600}" "$SERVER") || fail "control socket: $(tail -n 2 err)"
[ "$(tell work)" = "work true" ] || fail "the program computes something else"
end_server
clean t
healthy t
finish
