#!/bin/bash
# --to ctf: babeltrace2 reads the trace; calls nest and are those that plain Python finds in `print --json`, every other
# event is there with its value, 64-bit numbers are exact, and marks stand where they began.
#
# test: export.ctf
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
command -v babeltrace2 >/dev/null || skip "babeltrace2 is not installed (Debian: babeltrace2)"
cd "$WORK" || exit 1
sample t 200
"$HINDSIGHT" print t --json >events || die "print"
one_line 2 "-o DIR" "$HINDSIGHT" export t --to ctf
"$HINDSIGHT" export t --to ctf -o ctf || die "export"
babeltrace2 --clock-cycles --no-delta ctf >read 2>messages || fail "babeltrace2: $(head -n 3 messages)"
[ ! -s messages ] || fail "babeltrace2 says: $(head -n 3 messages)"
first=$(babeltrace2 --clock-seconds --no-delta ctf | sed -nE '1s/^\[([0-9]+).*/\1/p')
[ $(($(date +%s) - first)) -lt 3600 ] || fail "the clock begins at $first"

# check FILE FROM: what babeltrace2 has printed is the events from this one on
check() {
    python3 "$HERE/ctf.py" "$@" || fail "ctf $*"
}
check read 0
middle=$(python3 -c '
import json
deep = [e["seq"] for e in map(json.loads, open("events")) if e["method"] == "check" and e["event"] == "METHOD_ENTRY"]
print(deep[2] + 1)')
"$HINDSIGHT" export t --to ctf --from "$middle" -o late && babeltrace2 --clock-cycles --no-delta late >read.late &&
    check read.late "$middle"
# several packets
sample big 5000 weave=EXEC+PARAM
"$HINDSIGHT" export big --to ctf -o big.ctf || die "export of the long recording"
packets=$(LC_ALL=C grep -abo $'\xc1\x1f\xfc\xc1' big.ctf/stream | wc -l)
begins=$(babeltrace2 big.ctf | grep -c ' call_begin: ')
[ "$begins" = "$("$HINDSIGHT" print big --json --event METHOD_ENTRY | wc -l)" ] || fail "$begins calls of the long one"
[ "$packets" -gt 1 ] || fail "$packets packets"
echo "    $begins calls in $packets packets"
finish
