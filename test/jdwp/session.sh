#!/bin/bash
# Debuggers of Java over a trace: jdb and a JDI program of each JDK that is there, and hostile packets.
. "$(dirname "$0")/../lib.sh"
HERE=$ROOT/test/jdwp
compile "$WORK/c" "$ROOT/test/dap/Shop.java" "$ROOT/test/dap/Held.java" "$ROOT/test/query/Failure.java" || die "javac"
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$WORK"' EXIT
# serve CLASS: records it and sets `port` to that of a server
serve() {
    record "$WORK/$1" "" -cp "$WORK/c" "$1" >"$WORK/out" 2>"$WORK/err" || die "recording: $(cat "$WORK/err")"
    "$HINDSIGHT" jdwp "$WORK/$1" --port 0 >"$WORK/$1.port" 2>"$WORK/server.err" &
    servers+=($!)
    for _ in $(seq 100); do [ -s "$WORK/$1.port" ] && break; sleep 0.05; done
    port=$(sed 's/.*: //' "$WORK/$1.port")
}
serve Failure
failure=$port
serve Held
held=$port
serve Shop
events=$("$HINDSIGHT" info "$WORK/Shop" --json | sed 's/.*"events":\([0-9]*\).*/\1/')
for jdk in "$JDK" /usr/lib/jvm/java-17-openjdk-amd64 /usr/lib/jvm/temurin-25-jdk-amd64; do
    jdk=$(readlink -f "$jdk")
    case " ${done_jdks:-} " in *" $jdk "*) continue ;; esac
    done_jdks="${done_jdks:-} $jdk"
    [ -x "$jdk/bin/jdb" ] || { echo "skipped: no jdb in $jdk"; continue; }
    timeout 100 python3 "$HERE/debug.py" "$jdk/bin/jdb" "$port" "$failure" "$held" || fail "jdb of $jdk"
    "$jdk/bin/javac" -d "$WORK/moves" "$HERE/Moves.java" || die "javac Moves.java"
    seed=$(basename "$jdk" | cksum | cut -d' ' -f1)
    timeout 100 "$jdk/bin/java" -cp "$WORK/moves" Moves "$port" "$events" 200 "$seed" >"$WORK/seen" ||
        fail "Moves with $jdk"
    python3 "$HERE/compare.py" "$HINDSIGHT" "$WORK/Shop" "$WORK/seen" || fail "frames seen with $jdk"
done
timeout 100 python3 "$HERE/hostile.py" "$port" || fail "hostile packets"
kill -0 "${servers[@]}" || fail "the server has ended: $(cat "$WORK/server.err")"
one_line 2 'port from 0 to 65535' "$HINDSIGHT" jdwp "$WORK/Shop" --port 70000
one_line 2 'port N is required' "$HINDSIGHT" jdwp "$WORK/Shop"
finish
