#!/bin/bash
# Fields of one class with one name and several types, as obfuscators make them: a name means all of them, and the names
# that answers print, with the type, one.
#
# test: cli.same-names
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/SameNames.java" || die "SameNames does not compile"
python3 - "$WORK/c/SameNames.class" <<'PY' # the fields are x, with the constants that name them
import sys
data = open(sys.argv[1], "rb").read()
for name in (b"x_int", b"x_long", b"x_text"):
    old = b"\x01" + len(name).to_bytes(2, "big") + name
    assert data.count(old) == 1
    data = data.replace(old, b"\x01\x00\x01x")
open(sys.argv[1], "wb").write(data)
PY
record "$WORK/t" quiet=true -cp "$WORK/c" SameNames >"$WORK/out" 2>&1 || die "not recorded: $(head -n 3 "$WORK/out")"
id=$("$HINDSIGHT" objects "$WORK/t" --type SameNames --json | sed -n 's/^{"id":\([0-9]*\).*/\1/p' | head -n 1)
ask() { "$HINDSIGHT" "$@" "$WORK/t" 2>&1; }
values() {
    ask history "$1" --json | sed -nE 's/.*"value":(\{.*"string":"([a-z]*)"\}|[0-9]+).*/\1\2/p' |
        sed 's/{.*}//' | tr '\n' ' '
}
is() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }
is "history of the name" "$(values "$id.x")" "1 10 a 2 20 b "
is "history of the class's name" "$(values SameNames.x)" "1 10 a 2 20 b $(values SameNames.x | grep -o "[34] [34] $")"
ask races | grep -q "there is no race" || fail "races between two fields: $(ask races)"
ask object "$id" >"$WORK/object"
for row in int:2 long:20 'java.lang.String:"b"'; do
    printed=$(grep -o "SameNames.x:${row%:*} " "$WORK/object" | tr -d ' ')
    [ -n "$printed" ] || { fail "object does not print x:${row%:*}: $(cat "$WORK/object")"; continue; }
    case $row in java*) want=2 ;; *) want=3 ;; esac
    is "history $printed" "$(ask history "$printed" --json | grep -c '"event"')" $want
    for what in "$id.$printed" "$id.x:${row%:*}"; do
        ask last-write "$what" | head -n 1 | grep -q "PUT_INSTANCE_FIELD_VALUE  *${row##*:}" ||
            fail "last-write $what: $(ask last-write "$what" | head -n 2)"
        is "history $what" "$(ask history "$what" --json | wc -l)" 2
    done
done
for condition in 'x:int == 2' 'x:long == 20' 'x == 20' 'x == b' 'SameNames.x:java.lang.String == "b"' \
    '!(x:long == 2) && x:long > 9'; do
    is "objects --where $condition" "$(ask objects --where "$condition" --json | grep -c "^{\"id\":$id,")" 1
    is "objects --where $condition" "$(ask objects --where "$condition" --json | wc -l)" 1
done
is "print --where x:long == 20" \
    "$(ask print --where 'x:long == 20' --json | grep -c '"x","owner":"SameNames","type":"long"')" 2
one_line 1 "no method 'x'" "$HINDSIGHT" history "SameNames.x:double" "$WORK/t" >/dev/null
finish
