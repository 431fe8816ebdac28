#!/bin/bash
# Hard surroundings: the JVM is stopped and continued, the clocks of the machine jump, memory is limited by a cgroup,
# the directory of the trace becomes read-only, or is reached through symbolic links. The program does what it does
# without recording, and nothing of it is lost.
# A trace that is removed or moved, and JVMs that inherit the options: cli.places; a full disk, ulimit: cli.full-disk,
# cli.limits; every way to die: kill.
#
# test: beside.surroundings
# labels: beside
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitizer takes more memory than these limits, and the place of libfaketime"
compile c "$ROOT/test/beside/Beside.java" || die "Beside does not compile"
"$JAVA" -cp c Beside 2 | sed '/^steps/d' >plain

# begin NAME COMMAND...: COMMAND (or nothing) starts the program, which runs until finished; its number is in pid
begin() {
    local name=$1; shift
    rm -f "$name.stop"
    "$@" "$JAVA" "-agentpath:$AGENT=output=$WORK/${trace:-$name},format=omni,weave=EXEC+PARAM,timestamp=true" -Xmx48m \
        -XX:+UseSerialGC -cp c Beside 2 "$name.stop" >"$name.out" 2>"$name.err" &
    pid=$!
    wait_for '^1 ' "$name.out"
}
more() { until_events "$1" "$(events_now "$1")"; } # it goes on being recorded
# finished NAME: the program ends, has printed what it prints, and each of its steps is in the trace, in time
finished() {
    : >"$1.stop"
    [ -z "$pid" ] || wait $pid || fail "$1: exit status $?: $(head -n 5 "$1.err")"
    cmp plain "$1.out" || fail "$1: the program does something else"
    [ "$(grep -vcE '^(WARNING|steps )' "$1.err")" = 1 ] || fail "$1: on standard error: $(head -n 5 "$1.err")"
    healthy "$1"; consistent "$1"
    "$HINDSIGHT" print "$1" --json --class Beside --method step --event METHOD_ENTRY |
        python3 -c '
import json, sys
last, n = {}, 0
for e in map(json.loads, sys.stdin):
    n += 1
    if not last.get(e["thread"], 0) <= e["time"] < 3600e9: sys.exit("FAILED: time %d at %d" % (e["time"], e["seq"]))
    last[e["thread"]] = e["time"]
print("steps %d" % n)' >"$1.steps" || fail "$1: $(tail -n 1 "$1.steps")"
    grep -qx "$(tail -n 1 "$1.steps")" "$1.err" || fail "$1: $(tail -n 1 "$1.steps"), $(grep '^steps' "$1.err")"
}

# stopped and continued
begin stopped
for ((i = 0; i < 10; i++)); do
    kill -STOP $pid
    wait_for '^State:.*stopped' /proc/$pid/status
    "$HINDSIGHT" print stopped --num 1 >/dev/null 2>said
    case $? in
    0 | 3) ;;
    *) grep -q 'nothing of it is stored yet' said || fail "round $i: read while the JVM is stopped: $(cat said)" ;;
    esac
    kill -CONT $pid
    more stopped
done
finished stopped

# the clock jumps
faketime=$(dpkg -L libfaketime 2>/dev/null | grep '/libfaketimeMT.so')
if [ -n "$faketime" ]; then
    echo "+0" >clock
    begin jumps env "LD_PRELOAD=$faketime" DONT_FAKE_MONOTONIC=1 FAKETIME_NO_CACHE=1 \
        FAKETIME_TIMESTAMP_FILE="$WORK/clock"
    for jump in -1d +400d -3h +30d -9000d; do echo $jump >clock; more jumps; done
    finished jumps
    "$HINDSIGHT" info jumps --json >info.json
    [ "$(json info.json 'd["started"] <= d["ended"]')" = True ] || fail "it ended before it began: $(cat info.json)"
else
    echo "skipped: a clock that jumps: libfaketime is not installed"
fi

# the clock of System.nanoTime jumps forwards and back, and no call took less than nothing
if "${CC:-cc}" -shared -fPIC -Wall -Werror -o jump.so "$ROOT/test/beside/jump.c" -ldl; then
    echo 90000 >off
    for format in omni timing; do
        rm -f stop
        options=output=nano-$format,format=$format,weave=EXEC+PARAM
        [ $format = timing ] || options+=,timestamp=true
        LD_PRELOAD=$WORK/jump.so JUMP_FILE=$WORK/off "$JAVA" -Xmx48m -XX:+UseSerialGC \
            "-agentpath:$AGENT=$options" -cp c Beside 2 stop >nano.out 2>nano.err &
        pid=$!
        wait_for '^1 ' nano.out
        for off in 4000 200000 90000 31000000 88000; do echo $off >next; mv next off; more nano-$format; done
        : >stop
        wait $pid || fail "nano-$format: exit status $?: $(head -n 5 nano.err)"
        cmp plain nano.out || fail "nano-$format: the program does something else"
        healthy nano-$format; consistent nano-$format
        "$HINDSIGHT" report nano-$format --json >report.json && [ -s report.json ] ||
            fail "no report of nano-$format"
        "$HINDSIGHT" threads nano-$format --json >threads.json
        python3 - report.json threads.json <<'PY' || fail "nano-$format: times that are none"
import json, sys
most, bad = 40_000_000 * 10**9, []  # more than all jumps
for name in sys.argv[1:]:
    for line in open(name):
        for key, value in json.loads(line).items():
            if key in ("total_ns", "self_ns", "min_ns", "max_ns", "start", "end") and not 0 <= value < most:
                bad.append("%s %s: %s" % (name, key, value))
print("\n".join(bad[:3]))
sys.exit(bool(bad))
PY
    done
    "$HINDSIGHT" print nano-omni --json --event METHOD_ENTRY --class Beside | python3 -c '
import json, sys
last = {}
for e in map(json.loads, sys.stdin):
    if e["time"] < last.get(e["thread"], 0): sys.exit("FAILED: time goes back at %d" % e["seq"])
    last[e["thread"]] = e["time"]' || fail "nano-omni: the time of a thread goes back"
else
    echo "skipped: a clock of System.nanoTime that jumps: jump.c does not compile"
fi

# no more threads are allowed (a cgroup's pids.max, ulimit -u): the recording ends at its beginning, which is told once
if "${CC:-cc}" -shared -fPIC -Wall -Werror -o no-thread.so "$ROOT/test/beside/no-thread.c" -ldl; then
    told=0
    for number in 1 2 3 4 5; do
        LD_PRELOAD=$WORK/no-thread.so NO_THREAD=$number "$JAVA" "-agentpath:$AGENT=output=thread$number,format=latest" \
            -cp c Beside 2 >out 2>err || fail "without thread $number: exit status $?: $(head -n 5 err)"
        sed -i '/^steps/d' out; cmp plain out || fail "without thread $number: the program does something else"
        [ "$(wc -l <err)" = 1 ] || fail "without thread $number: on standard error: $(head -n 5 err)"
        ! grep -q 'cannot be started' err || told=$((told + 1))
        ! grep 'cannot be started' err | grep -v 'started: Resource temporarily unavailable' ||
            fail "without thread $number: it tells another reason"
        consistent thread$number
    done
    [ $told -ge 3 ] || fail "that a thread cannot be started is told $told times, not for drain, ticker and sync"
else
    echo "skipped: no more threads: no-thread.c does not compile"
fi

# a memory cgroup (version 1 or 2) with little more than the program takes alone
if base=/sys/fs/cgroup/memory limit=memory.limit_in_bytes; [ -e $base/cgroup.procs ] ||
    { base=/sys/fs/cgroup limit=memory.max; [ -e $base/cgroup.procs ]; }; then
    group=$base/hindsight-beside-$$
    if mkdir $group 2>/dev/null && echo $((96 << 20)) >$group/$limit; then
        begin limited bash -c "echo \$\$ >$group/cgroup.procs; exec \"\$@\"" --
        for _ in 1 2 3; do more limited; done
        finished limited
        cat $group/memory.max_usage_in_bytes $group/memory.peak 2>/dev/null | sed 's/^/    at most /; s/$/ bytes/'
        for _ in $(seq 50); do rmdir $group 2>/dev/null && break; sleep 0.1; done
    else
        rmdir $group 2>/dev/null; echo "skipped: a memory cgroup: it cannot be made here"
    fi
else
    echo "skipped: a memory cgroup: there is no memory controller"
fi

# the directory becomes read-only, for a user whom that binds
other=()
[ "$(id -u)" != 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 "$WORK"; mkdir -m 777 theirs
if "${other[@]}" test -r "$AGENT" -a -w theirs -a -x "$JAVA" 2>/dev/null; then
    trace=theirs/t begin readonly "${other[@]}"
    ln -s theirs/t readonly
    more theirs/t
    chmod 555 theirs/t
    more theirs/t
    : >readonly.stop; wait $pid
    "${other[@]}" "$HINDSIGHT" info theirs/t --json >info.json 2>said && [ "$(json info.json 'd["end"]')" = clean ] ||
        fail "its owner is told of a trace in a read-only directory: $(cat said)"
    pid=; finished readonly
    chmod 700 theirs/t
    consistent theirs/t
    [ ! -e theirs/t/journal ] || fail "files of the recorder are left"
    trace=
else
    echo "skipped: a directory that becomes read-only: another user has no access to $AGENT"
fi

# symbolic links: to the directory above, to the directory itself, to nothing
mkdir real empty
ln -s real above; ln -s empty itself; ln -s nowhere dangling
for place in above/t itself; do
    "$JAVA" "-agentpath:$AGENT=output=$place,format=omni" -cp c Beside 2 >out 2>err || fail "$place: $(cat err)"
    sed -i '/^steps/d' out; cmp plain out || fail "$place: the program does something else"
    grep -q " in $place, " err || fail "$place: the closing line is $(cat err)"
    healthy $place; consistent $place
    [ -L "${place%%/*}" ] || fail "$place: the link was replaced"
done
[ -e real/t/data.mdb ] && [ -e empty/data.mdb ] || fail "the traces are not where the links lead"
"$JAVA" "-agentpath:$AGENT=output=itself" -cp c Beside 2 >out 2>err || fail "beside a link to a trace: $(cat err)"
grep -q ' in itself-1, .*; itself holds a trace of another run$' err || fail "beside a link to a trace: $(cat err)"
one_line 1 'option output=dangling: .*dangling' "$JAVA" "-agentpath:$AGENT=output=dangling,strict=true" -cp c Beside 2
[ ! -e nowhere ] || fail "a dangling link was followed"
finish
