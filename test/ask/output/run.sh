#!/bin/bash
# output: is what it shows of a program what that wrote, to the byte, and does each write lead to the line of the
# program that made it, also by its text or time (at, --at)? (Says.java writes in many ways, and says in the text
# where.)
#
# test: ask.output
# labels: ask cli
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
cd "$WORK" || exit 1
compile c "$HERE/Says.java" "$HERE"/lib/*.java || die "the program does not compile"
utf8=(-Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8)
latin1=(-Dfile.encoding=ISO-8859-1 -Dstdout.encoding=ISO-8859-1 -Dstderr.encoding=ISO-8859-1)
says() { # TRACE AGENT-OPTIONS JAVA-WORD... : recorded and compared
    local trace=$1 options=$2; shift 2
    record $trace "quiet=true,stdout=true,format=omni${options:+,$options}" "$@" >$trace.out 2>$trace.err
    "$HINDSIGHT" fsck $trace >fsck.out 2>&1 || fail "fsck $trace: $(tail -n 3 fsck.out)"
    python3 "$HERE/check.py" "$HINDSIGHT" $trace $trace.out $trace.err || failures=$((failures + 1))
}
says all "" "${utf8[@]}" -cp c Says
says few derive=off,weave=EXEC+PARAM+CALL "${utf8[@]}" -cp c Says
says charset "" "${latin1[@]}" -cp c Says print characters
says closed "" "${utf8[@]}" -cp c Says println closed
says thrown "" "${utf8[@]}" -cp c Says println thrown
says timed timestamp=true,order=total "${utf8[@]}" -cp c Says println print framework object twoThreads atExit
python3 "$HERE/check_at.py" "$HINDSIGHT" timed || failures=$((failures + 1))
# the same as --csv and as a table of SQL
"$HINDSIGHT" output all --csv >rows.csv && "$HINDSIGHT" sql 'SELECT * FROM output' all --json >rows.sql &&
    "$HINDSIGHT" output all --json >rows.json || fail "output --csv, --json, sql"
python3 - <<'EOF' || fail "output --csv, or the table output, is not what --json says"
import csv, json
rows = list(csv.DictReader(open("rows.csv", newline="")))
table = [json.loads(line) for line in open("rows.sql")]
told = [json.loads(line) for line in open("rows.json")]
assert told and len(rows) == len(table) == len(told), (len(rows), len(table), len(told))
for row, cells, x in zip(rows, table, told):
    for key in "seq thread stream time text class method line written".split():
        assert row[key] == str(x.get(key, "")) and cells[key] == x.get(key), (key, row, cells, x)
EOF
# charsets whose units have several bytes, and characters of two units
compile wide "$HERE/Wide.java" || die "Wide"
for charset in UTF-16 UTF-16LE UTF-32BE UTF-8 ISO-8859-1; do
    record "$charset" quiet=true,stdout=true,format=omni -Dstdout.encoding="$charset" -Dsun.stdout.encoding="$charset" \
        -cp wide Wide "$charset" >wide.out
    "$HINDSIGHT" output "$charset" --json >wide.json
    python3 - "$charset" <<'EOF' || fail "output in $charset"
import json, sys
want = open("wide.out", "rb").read().decode(sys.argv[1], errors="replace").split("\n")
got = [json.loads(line)["text"] for line in open("wide.json")]
assert got == [line[:-1] if line.endswith("\r") else line for line in want], (got, want)
EOF
done
# output that was not recorded
record silent quiet=true,format=omni -cp c Says println >/dev/null
one_line 1 'not recorded' "$HINDSIGHT" output silent
one_line 1 'not recorded' "$HINDSIGHT" locals silent --at println
cp -r all cut && truncate -s 60000 cut/data.mdb
one_line 1 damaged "$HINDSIGHT" output cut
# the program's own output, where it is the same each time
same=(println print printf bytes lines characters longLine setOut buffered closed)
"$JAVA" "${utf8[@]}" -cp c Says "${same[@]}" >plain.out 2>plain.err
says same "" "${utf8[@]}" -cp c Says "${same[@]}"
cmp plain.out same.out || fail "standard output differs"
cmp plain.err same.err || fail "standard error differs"
# a debug adapter
timeout 60 python3 "$HERE/check_dap.py" "$HINDSIGHT" same || failures=$((failures + 1))
finish
