#!/bin/bash
# session.sh [MOVES]: debuggers of Java over a trace: jdb and a JDI program of each JDK that is there, and hostile
# packets.
#
# test: jdwp.session
# labels: ask cli slow
# limit: 900 s
# short: 100
# long: 1000
. "$(dirname "$0")/../../lib.sh"
HERE=$ROOT/test/clients/jdwp
moves=${1:-200}
compile "$WORK/c" "$HERE/Places.java" "$ROOT"/test/clients/dap/{Shop,Held}.java "$ROOT/test/ask/Failure.java" \
    "$HERE/Asked.java" || die "javac"
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$WORK"' EXIT
# serve CLASS: records it and sets `port` to that of a server
serve() {
    record "$WORK/$1" "" -cp "$WORK/c" "$1" >"$WORK/out" 2>"$WORK/err" || [ "$1" = Stock ] ||
        die "recording: $(cat "$WORK/err")"
    "$HINDSIGHT" jdwp "$WORK/$1" --port 0 >"$WORK/$1.port" 2>"$WORK/server.err" &
    servers+=($!)
    wait_for : "$WORK/$1.port"
    port=$(sed 's/.*: //' "$WORK/$1.port")
}
serve Failure
failure=$port
serve Held
held=$port
serve Places
places=$port
serve Asked
asked=$port
serve Shop
shop=$port
"$HINDSIGHT" info "$WORK/Shop" --json >"$WORK/info"
events=$(json "$WORK/info" 'd["events"]')
# debug_with NAME JAVA ARGUMENT...: a script of JDI, whose answers follow from Shop.java, and random moves
script="sell sell:26 main:50 count 1
again sell:26 main:50 count 2
price 5000000001 name tea
into total:13 sell:26
out sell:26 main:50
sold is 1 will be 3 sell:28 main:50
depth depth:35 depth:37 n 0 frames 52
popped depth:37 depth:37 n 1
back depth:35 depth:37 n 1"
spots="given {a=1} java.util.TreeMap: java.io.Serializable java.lang.Cloneable java.util.NavigableMap; all true
own {} java.util.TreeMap: java.io.Serializable java.lang.Cloneable java.util.NavigableMap; all true
entry a 1
thrown java.util.NoSuchElementException
java.util.NavigableMap true
java.lang.Cloneable true
made before the step: collected
twice 10 left 1 there true
twice 20 left 2 there true
twice 30 left 3 there true"
debug_with() {
    local name=$1 seed; shift
    timeout 600 "$@" Script "$port" >"$WORK/said" || fail "Script with $name"
    [ "$(cat "$WORK/said")" = "$script" ] || fail "Script with $name: $(diff <(echo "$script") "$WORK/said")"
    timeout 600 "$@" Spots "$places" >"$WORK/said" || fail "Spots with $name"
    [ "$(cat "$WORK/said")" = "$spots" ] || fail "Spots with $name: $(diff <(echo "$spots") "$WORK/said")"
    seed=$(cksum <<<"$name" | cut -d' ' -f1)
    timeout 1000 "$@" Moves "$port" "$events" "$moves" "$seed" >"$WORK/seen" || fail "Moves with $name"
    python3 "$HERE/compare.py" "$HINDSIGHT" "$WORK/Shop" "$WORK/seen" || fail "frames seen with $name"
}
for jdk in "$JDK" /usr/lib/jvm/java-17-openjdk-amd64 /usr/lib/jvm/temurin-25-jdk-amd64; do
    jdk=$(readlink -f "$jdk")
    case " ${done_jdks:-} " in *" $jdk "*) continue ;; esac
    done_jdks="${done_jdks:-} $jdk"
    [ -x "$jdk/bin/jdb" ] || { echo "skipped: no jdb in $jdk"; continue; }
    timeout 600 python3 "$HERE/debug.py" "$jdk/bin/jdb" "$port" "$failure" "$held" || fail "jdb of $jdk"
    timeout 600 python3 "$HERE/asked.py" "$jdk/bin/jdb" "$WORK/c" "$asked" "$HERE/Asked.java" ||
        fail "calls by jdb of $jdk, in a JVM and in the recording"
    "$jdk/bin/javac" -J-XX:TieredStopAtLevel=1 --release 17 -d "$WORK/moves" "$HERE"/{Moves,Script,Spots}.java ||
        die "javac"
    debug_with "$jdk" "$jdk/bin/java" -cp "$WORK/moves"
done
# the session of docs/jdwp.md
compile "$WORK/c" "$ROOT/docs/programs/Stock.java" -- -g --release 17 || die "javac Stock.java"
serve Stock
timeout 600 python3 "$HERE/page.py" "$JDK/bin/jdb" "$port" "$ROOT/docs/jdwp.md" || fail "docs/jdwp.md"
port=$shop
# Eclipse's own implementation of JDI
jars=(/usr/share/java/{eclipse-jdt-debug,eclipse-jdt-core,eclipse-debug-core,eclipse-core-{jobs,resources,runtime}}.jar)
jars+=(/usr/share/java/{equinox-{common,preferences,registry},eclipse-osgi}.jar)
if [ -e "${jars[0]}" ]; then
    debug_with Eclipse "$JAVA" -Declipse=true -cp "$WORK/moves:$(IFS=:; echo "${jars[*]}")"
else
    echo "skipped: Eclipse's JDI: libeclipse-jdt-debug-java is not installed"
fi
timeout 600 python3 "$HERE/hostile.py" "$port" || fail "hostile packets"
kill -0 "${servers[@]}" || fail "the server has ended: $(cat "$WORK/server.err")"
one_line 2 'port from 0 to 65535' "$HINDSIGHT" jdwp "$WORK/Shop" --port 70000
one_line 2 'port N is required' "$HINDSIGHT" jdwp "$WORK/Shop"
finish
