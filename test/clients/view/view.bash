# view.bash - sourced by the tests of `hindsight view`: starts the server.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"

# view_start ARGUMENT...: leaves its address with the token in ADDRESS, its process in SERVER
view_start() {
    : >"$WORK/view.out" # not the address of a server before this one
    "$HINDSIGHT" view --no-browser "$@" >"$WORK/view.out" 2>"$WORK/view.err" &
    SERVER=$!
    trap 'kill "$SERVER" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT
    wait_for '^http://127.0.0.1:[0-9]*/?token=[0-9a-f]*$' "$WORK/view.out"
    ADDRESS=$(cat "$WORK/view.out")
}

# view_stop: as Ctrl-C does
view_stop() {
    kill -INT "$SERVER"
    wait "$SERVER" || fail "view: exit status $? after Ctrl-C"
    [ "$(wc -l <"$WORK/view.out")" = 1 ] || fail "view prints more than its address"
}
