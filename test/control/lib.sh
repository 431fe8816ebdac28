# lib.sh - sourced by the tests of live control: a server (Server.java) that is told what to do through a pipe.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# Where a JVM that is attached to says that this will be forbidden one day, that is no failure of ours.
QUIET=$([ "$RELEASE" -ge 21 ] && echo -XX:+EnableDynamicAgentLoading)
cd "$WORK" || exit 1
compile c "$ROOT/test/control/Server.java" || die "Server does not compile"
trap 'exec 3>&-; [ -z "${SERVER:-}" ] || kill "$SERVER" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT

# serve CLIENTS JAVA-ARGUMENT...: starts the server; its number is in SERVER
serve() {
    local clients=$1; shift
    rm -f in && mkfifo in && : >out
    # shellcheck disable=SC2086
    "$JAVA" $QUIET "$@" -cp c Server "$clients" <in >out 2>err &
    exec 3>in
    wait_ready
}
# wait_ready: until the program says "ready PID"; its number is in SERVER
wait_ready() {
    wait_for '^ready ' out
    SERVER=$(sed -n 's/^ready //p' out)
    [ -n "$SERVER" ] || die "the program does not come up: $(head -n 3 err)"
}
# is_recording TRACE: until its status says so, a minute at most
is_recording() {
    for _ in $(seq 1200); do [ "$(key "$1" recording 2>/dev/null)" != true ] || return 0; sleep 0.05; done
    fail "$1 is not being recorded: $("$HINDSIGHT" status "$1" 2>&1)"
}
# tell WORDS: the server's answer to them
tell() {
    local before; before=$(wc -l <out)
    echo "$*" >&3
    for _ in $(seq 600); do
        [ "$(wc -l <out)" -gt "$before" ] && { tail -n 1 out; return 0; }
        sleep 0.05
    done
    fail "the server does not answer: $*"
}
# the server ends by itself, has answered every request rightly, and has printed nothing but the closing line
end_server() {
    local wrong; wrong=$(tell count)
    [ "${wrong##* }" = 0 ] || fail "requests answered wrongly: $wrong; $(head -n 5 err)"
    echo end >&3
    wait "$SERVER" || fail "the server ended with status $?: $(head -n 5 err)"
    exec 3>&-
    SERVER=
    [ "$(wc -l <err)" = "${1:-1}" ] || fail "on standard error: $(head -n 5 err)"
}
# h COMMAND...: the command succeeds; its output
h() { "$HINDSIGHT" "$@" 2>h.err || fail "hindsight $*: $(cat h.err)"; }
key() { "$HINDSIGHT" status "$1" --json | sed -E "s/.*\"$2\":\"?([^,\"}]*).*/\1/"; }
# clean TRACE: without a violation (fsck ends with 3 where the JVM was killed)
clean() {
    "$HINDSIGHT" fsck "$1" >fsck.out 2>&1
    grep -q ' proofs, 0 violations$' fsck.out || fail "fsck $1: $(head -n 3 fsck.out)"
}
