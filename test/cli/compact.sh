#!/bin/bash
# `compact`: the answers before and after are equal (questions.txt of same-answers), the trace is smaller and
# consistent, and whatever goes wrong leaves the old one: killed at any time, a full disk, another process that
# compacts.
#
# test: cli.compact
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Filler.java" "$ROOT/test/ask/Failure.java" || die "the programs do not compile"
cd "$WORK" || exit 1
record failure weave=ALL -cp c Failure >/dev/null 2>err || die "recording: $(cat err)"
record big weave=ALL,dump=true -cp c Filler 3 30000 >/dev/null 2>err || die "recording: $(cat err)"
for format in latest timing; do
    "$JAVA" "-agentpath:$AGENT=output=$format,format=$format" -cp c Filler 3 3000 >/dev/null 2>err ||
        die "recording: $(cat err)"
done
bytes() { stat -c %s "$1/data.mdb"; }
answers() { "$HINDSIGHT" print "$1" --json | cksum; }

bash "$ROOT/test/same-answers/run.sh" --compact --quick "$HINDSIGHT" "$HINDSIGHT" failure latest >same ||
    fail "answers differ: $(grep -A 3 DIFFERENT same | head -n 8)"
grep -q ' 0 answers differ' same || fail "nothing was compared: $(tail -n 3 same)"

"$HINDSIGHT" report timing --json >plain && "$HINDSIGHT" compact timing >out &&
    "$HINDSIGHT" report timing --json >now && cmp -s plain now || fail "format=timing: $(cat out)"
before=$(bytes big) events=$(answers big)
"$HINDSIGHT" index big >/dev/null
# another process has it open, and reads on
mkfifo go
"$HINDSIGHT" print big --json | { read -r row; echo "$row"; : >reading; read -r <go; cat; } >held &
reader=$!
until [ -e reading ]; do sleep 0.05; done
"$HINDSIGHT" compact big --json >out || fail "compact: $(cat out)"
echo >go
wait $reader
[ "$(cksum <held)" = "$events" ] || fail "a reader that was at work sees something else"
[ "$(json out 'd["before"], d["after"], d["replaced"]')" = "($before, $(bytes big), True)" ] || fail "sizes: $(cat out)"
[ "$(bytes big)" -lt "$before" ] || fail "$(bytes big) bytes, before $before"
[ "$(answers big)" = "$events" ] || fail "the events of big are others"
[ ! -e big/index ] && [ -d big/woven ] && [ -e big/run ] || fail "files: $(ls big)"
consistent big
"$HINDSIGHT" compact big >out && grep -q '^not changed: ' out || fail "compacted twice: $(cat out)"
[ "$(ls -A | grep -c compact)" = 0 ] || fail "left over: $(ls -A)"

# killed at any time: the old trace or the new one, whole
record again weave=ALL,derive=off -cp c Filler 3 30000 >/dev/null 2>err || die "recording: $(cat err)"
old=$(bytes again) events=$(answers again)
cp -r again pristine
for wait in 0.01 0.05 0.1 0.2 0.4 0.8; do
    "$HINDSIGHT" compact again >/dev/null 2>&1 &
    pid=$!
    sleep $wait
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ "$(answers again)" = "$events" ] || fail "killed after $wait s: other events"
    "$HINDSIGHT" fsck again >out 2>&1 || fail "killed after $wait s: $(tail -n 2 out)"
    if [ "$(bytes again)" != "$old" ]; then rm -rf again; cp -r pristine again; fi
done
"$HINDSIGHT" compact again >out || fail "after kills: $(cat out)"
[ "$(answers again)" = "$events" ] || fail "after kills: other events"
[ ! -e .again.compact ] || fail "left over after kills: $(ls -A .again.compact)"

# Ctrl-C: nothing has changed, and nothing is left over
rm -rf again; cp -r pristine again
status=$(python3 - "$HINDSIGHT" <<'PY'
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "compact", "again"], stdout=subprocess.DEVNULL,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while p.poll() is None and not os.path.exists(".again.compact"):
    time.sleep(0.01)
p.send_signal(signal.SIGINT)
print(p.wait())
PY
)
[ "$status" = 130 ] || [ "$status" = 0 ] || fail "Ctrl-C: status $status"
[ "$status" = 0 ] || [ "$(bytes again)" = "$old" ] || fail "Ctrl-C: the trace has changed"
[ "$(answers again)" = "$events" ] && [ ! -e .again.compact ] || fail "Ctrl-C: other events, or left over: $(ls -A)"

# two at once: one compacts, the other says so, or comes later
rm -rf again; cp -r pristine again
"$HINDSIGHT" compact again >one 2>&1 & first=$!
"$HINDSIGHT" compact again >two 2>&1
second=$?
wait $first
status=$?
case $status$second in
00) ;;
01) grep -q 'compacted by another process' two || fail "two: $(cat two)" ;;
10) grep -q 'compacted by another process' one || fail "one: $(cat one)" ;;
*) fail "two at once: $status $second: $(cat one two)" ;;
esac
[ "$(answers again)" = "$events" ] || fail "two at once: other events"

# refused: still recorded, damaged
cp -r pristine hurt
printf 'x' | dd of=hurt/data.mdb bs=1 seek=$((old / 2)) conv=notrunc 2>/dev/null
"$HINDSIGHT" compact hurt >out 2>&1
[ $? != 0 ] || [ "$(answers hurt 2>/dev/null)" = "$events" ] || fail "a damaged trace was compacted: $(cat out)"

# a full disk
mkdir disk
if mount -t tmpfs -o size=$((old / 1024 + 1200))k hindsight-test disk 2>/dev/null; then
    trap 'umount -l "$WORK/disk"; rm -rf "$WORK"' EXIT
    cp -r pristine disk/t
    "$HINDSIGHT" compact disk/t >out 2>&1
    [ $? = 1 ] && [ "$(wc -l <out)" = 1 ] || fail "full disk: $(cat out)"
    [ "$(bytes disk/t)" = "$old" ] && [ "$(answers disk/t)" = "$events" ] || fail "full disk: the trace has changed"
    [ "$(ls -A disk)" = t ] || fail "full disk: left over: $(ls -A disk)"
fi
finish
