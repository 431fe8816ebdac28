#!/bin/bash
# Limits of the shell (ulimit -f, -v, -d): the program runs as without the agent, the recording is as small as it must
# be and says so, and readers work.
#
# test: cli.limits
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer reserves more address space than these limits have"
compile "$WORK/c" "$ROOT/test/cli/Filler.java" || die "Filler does not compile"
cd "$WORK" || exit 1
rounds=${1:-20000}
"$JAVA" -Xmx64m -cp c Filler 2 $rounds | sort >plain

# what is on the disk is what a trace has: no files that only look great
"$JAVA" -Xmx64m "-agentpath:$AGENT=output=t,logsave=snapshot,logend=Filler#work##METHOD_NORMAL_EXIT" -cp c Filler 2 \
    20000000 >out 2>err &
pid=$!
until_events t 1000000
find t -type f -size +128M -printf 'FAILED: %p has %s bytes\n' | grep . && failures=$((failures + 1))
kill -KILL $pid; wait $pid 2>/dev/null
(ulimit -f 131072; "$HINDSIGHT" recover t >out 2>err)
case $? in 0 | 3) ;; *) fail "recover below ulimit -f: $(cat err)" ;; esac
consistent t

# OPTION KILOBYTES FORMAT whole|some: nothing is recorded, and nothing left behind, or what was recorded is told exactly
limited() {
    local format=$3 events lost
    rm -rf t
    (
        ulimit "$1" "$2"
        "$JAVA" -Xmx64m "-agentpath:$AGENT=output=t,format=$format" -cp c Filler 2 $rounds 2>err | sort >out
        exit "${PIPESTATUS[0]}"
    )
    status=$?
    [ $status = 0 ] && cmp -s plain out || { fail "ulimit $1 $2, $format: status $status: $(head -n 3 err)"; return; }
    [ "$(wc -l <err)" = 1 ] || fail "ulimit $1 $2, $format: not one line: $(head -n 4 err)"
    echo "    $1 $2 $format: $(cut -c1-200 err)"
    if grep -q 'nothing is recorded' err; then [ ! -e t ] || fail "something is left of nothing"; return; fi
    (ulimit "$1" "$2"; "$HINDSIGHT" info t --json >info.json 2>info.err); status=$?
    [ $status = 0 ] || [ $status = 3 ] || {
        fail "ulimit $1 $2, $format: info: status $status: $(cat info.err)"
        return
    }
    events=$(sed -nE 's/^hindsight: ([0-9,]+) events.*/\1/p' err | tr -d ,)
    lost=$(sed -nE 's/.*; ([0-9,]+) events lost.*/\1/p' err | tr -d ,)
    [ "$events" = "$(json info.json 'd["events"]')" ] && [ "${lost:-0}" = "$(json info.json 'd["lost"]')" ] ||
        fail "ulimit $1 $2, $format: the trace has $(head -c 300 info.json)"
    [ $((events + ${lost:-0})) = "$(happened $format)" ] ||
        fail "ulimit $1 $2, $format: $events and $lost are not $(happened $format)"
    if [ $format != latest ]; then
        (ulimit "$1" "$2"; "$HINDSIGHT" print t --num 3 >out 2>err) || [ $? = 3 ] ||
            fail "ulimit $1 $2: print: $(cat err)"
    fi
    case $4 in whole) grep -q 'ended early' err && fail "ulimit $1 $2, $format: that is enough: $(cat err)" ;; esac
    (ulimit "$1" "$2"; "$HINDSIGHT" fsck t >out 2>err)
    case $? in 0 | 3) ;; *) fail "ulimit $1 $2, $format: fsck: $(cat out err)" ;; esac
}
happened() { cat "happened.$1"; }
for format in omni omni,derive=off latest; do
    rm -rf whole
    "$JAVA" -Xmx64m "-agentpath:$AGENT=output=whole,format=$format" -cp c Filler 2 $rounds >/dev/null 2>&1
    "$HINDSIGHT" info whole --json |
        python3 -c 'import json,sys; print(json.load(sys.stdin)["events"])' >happened.$format
    G=$((1024 * 1024))
    for v in 100 4; do limited -v $((v * G)) $format whole; done
    limited -d $((4 * G)) $format whole
    for f in 20; do limited -f $((f * G)) $format whole; done
    limited -f $((16 * 1024)) $format some # 1 KB each
    limited -f $((9 * 1024)) $format some
    limited -f 64 $format some
done
finish
