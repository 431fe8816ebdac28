#!/bin/bash
# A disk that fills while a program is recorded: the program does not notice, and what is told agrees: the events of the
# closing line are those that the trace has, and with those lost they are all that happened.
# full-disk.sh [ROUNDS [MEGABYTES...]]
#
# test: cli.full-disk
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
rounds=${1:-300000}; rooms=${*:2}
compile "$WORK/c" "$ROOT/test/cli/Filler.java" || die "Filler does not compile"
cd "$WORK" || exit 1
mkdir disk
mount -t tmpfs -o size=64M hindsight-test disk 2>/dev/null ||
    skip "a file system of its own needs the right to mount one"
trap 'umount -l "$WORK/disk"; rm -rf "$WORK"' EXIT
"$JAVA" -cp c Filler 3 $rounds | sort >plain

# agree NAME HAPPENED: the numbers of the line and of the trace
agree() {
    python3 - "$1" err info.json "$2" <<'PY'
import json, re, sys
name, err, info, happened = sys.argv[1], open(sys.argv[2]).read(), json.load(open(sys.argv[3])), int(sys.argv[4])
number = lambda m: int(m.group(1).replace(",", "")) if m else 0
line, lost = number(re.search(r"^hindsight: ([\d,]+) events", err)), number(re.search(r"; ([\d,]+) events lost", err))
print("    %s: line %d, trace %d; lost %d, trace %s; happened %d; end %s" % (
      name, line, info["events"], lost, info["lost"], happened, info["end"]))
bad = [w for w, ok in (("line and trace", line == info["events"]), ("lost", lost == info["lost"]),
                       ("the sum", line + lost == happened),
                       ("nothing lost", lost > 0), ("end", info["end"] == "truncated")) if not ok]
if bad: sys.exit("FAILED: %s: %s: %s" % (name, ", ".join(bad), err))
PY
}
# fill FORMAT MEGABYTES: records on a disk of that room. Whether the disk fills depends on how far the drain is behind
# the program, which fills the journal: where the drain kept up, nothing may be lost, and a smaller disk is tried.
fill() {
    local format=$1 room=$2
    [ "$room" -gt 0 ] || { fail "$format: no disk filled"; return; }
    rm -rf disk/*
    mount -o remount,size="${room}M" disk || die "remount"
    "$JAVA" "-agentpath:$AGENT=output=disk/t,format=$format" -cp c Filler 3 "$rounds" 2>err | sort >out
    cmp -s plain out || fail "$format, $room MB: the program does something else"
    [ "$(wc -l <err)" = 1 ] || fail "$format, $room MB: $(wc -l <err) lines: $(cat err)"
    if grep -q 'nothing is recorded' err; then
        echo "    $format, $room MB: $(cat err)"
        [ ! -e disk/t ] || fail "something is left"
        return
    fi
    if ! grep -q 'recording ended early' err; then
        echo "    $format, $room MB: fits: $(cat err)"
        [ "$(events disk/t)" = "$happened" ] || fail "$format, $room MB: not $happened events: $(cat err)"
        fill "$format" $((room - 1))
        return
    fi
    mount -o remount,size=128M disk # for what a reader writes
    "$HINDSIGHT" info disk/t --json >info.json 2>info.err
    [ $? = 3 ] || fail "$format, $room MB: info: $(cat info.err)"
    agree "$format, $room MB" "$happened" || failures=$((failures + 1))
    consistent disk/t
}
events() { "$HINDSIGHT" info "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["events"])'; }

# A disk that is nearly full at the start, with less room than a mapped file has.
"$JAVA" -cp c Filler 3 1000 | sort >small
for left in 0 4 8 16 32; do # kilobytes
    rm -rf disk/*
    mount -o remount,size=400k disk || die "remount"
    dd if=/dev/zero of=disk/filler bs=1k count=$((400 - left)) 2>/dev/null
    "$JAVA" "-agentpath:$AGENT=output=disk/t,format=omni" -cp c Filler 3 1000 2>err | sort >out
    cmp -s small out || fail "$left kB left: the program does something else: $(head -n 3 err)"
done
rm -rf disk/*
mount -o remount,size=64M disk || die "remount"

# The lines of record say that events were lost, not that there were none.
mount -o remount,size=600k disk || die "remount"
"$HINDSIGHT" record -o disk/t -- "$JAVA" -cp c Filler 3 3000 >/dev/null 2>err
grep -q 'nothing was recorded in disk/t: [1-9][0-9,]* events were lost: .*No space left on device$' err ||
    fail "record on a small disk: $(cat err)"
rm -rf disk/*
mount -o remount,size=100k disk || die "remount"
"$HINDSIGHT" record -o disk/t -- "$JAVA" -cp c Filler 3 3000 >/dev/null 2>err
[ $? = 1 ] && grep -q '^hindsight: .*No space left on device$' err && [ "$(wc -l <err)" = 1 ] ||
    fail "record on a full disk: $(cat err)"
rm -rf disk/*
mount -o remount,size=64M disk || die "remount"

# Commands that write: one line names the file and the cause, and nothing is left.
record derived "" -cp c Filler 3 20000 >/dev/null 2>err || die "recording: $(cat err)"
for left in 0 8 60; do
    mount -o remount,size=${left/#0/4}k disk || die "remount"
    [ $left != 0 ] || dd if=/dev/zero of=disk/filler bs=1k count=4 2>/dev/null
    one_line 1 '^hindsight expand: disk/e: .*: No space left on device' "$HINDSIGHT" expand derived -o disk/e
    for to in parquet sqlite jsonl csv jfr ctf perfetto chrome selogger mse appmap; do
        one_line 1 '^hindsight export: disk/x: No space left on device' "$HINDSIGHT" export derived --to $to -o disk/x
    done
    one_line 1 '^hindsight fleet: .*disk/fleet.*: No space left on device' \
        "$HINDSIGHT" fleet push derived --to disk/fleet
    find disk -type f ! -name filler ! -path 'disk/fleet/*' | grep . && fail "$left kB: the commands leave files"
    rm -rf disk/*
done
record indexed "" -cp c Filler 3 100000 >/dev/null 2>err || die "recording: $(cat err)"
for left in 0 8 16; do
    mount -o remount,size=64M disk && cp -r indexed disk/t || die "copy"
    mount -o remount,size=$(($(du -sk disk | cut -f 1) + left))k disk || die "remount"
    one_line 1 '^hindsight index: disk/t/index: No space left on device' "$HINDSIGHT" index disk/t
    one_line 1 '^hindsight compact: .*: No space left on device' "$HINDSIGHT" compact disk/t
    "$HINDSIGHT" fsck disk/t >out 2>err || fail "$left kB left: fsck: $(cat out err)"
    grep -q 'damaged' out && fail "$left kB left: $(cat out)"
    rm -rf disk/*
done
mount -o remount,size=64M disk || die "remount"

for format in omni omni,derive=off freq latest timing; do
    rm -rf whole
    "$JAVA" "-agentpath:$AGENT=output=whole,format=$format" -cp c Filler 3 $rounds >out 2>err ||
        fail "whole: $(cat err)"
    happened=$(events whole)
    case $format in omni*) some="13 6" ;; *) some=5 ;; esac
    for room in ${rooms:-$some}; do # megabytes
        fill "$format" "$room"
    done
done
finish
