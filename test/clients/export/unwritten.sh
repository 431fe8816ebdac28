#!/bin/bash
# A store is recorded before it is done. One that throws is a write in no format that lists writes, and in no answer.
#
# test: export.unwritten
# labels: export
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$ROOT/test/clients/export
cd "$WORK" || exit 1
compile classes "$HERE/Unwritten.java" || die "Unwritten does not compile"
record t weave=ALL -cp classes Unwritten 2>err || die "recording: $(cat err)"
lists() { # NAME FILE: the file has the numbers that were written, with a word boundary on both sides, and no other
    local n
    for n in 8001 8002 8004 8005; do grep -qw $n "$2" || fail "$1 does not list the write of $n"; done
    grep -wE '700[1-8]' "$2" >wrong && fail "$1 lists as written: $(cat wrong)"
}
for n in 7001 7002 7003 7004 7006 7007 7008; do
    "$HINDSIGHT" print t --value $n | grep -q . || fail "print does not show the store of $n"
done
"$HINDSIGHT" export t --to csv --table writes >writes || fail "csv"
lists "the table of writes" writes
grep -c ARRAY_STORE_VALUE writes | grep -qx 3 || fail "the elements written are not 3: $(cat writes)"
"$HINDSIGHT" export t --to mse -o t.mse || fail "mse"
grep -o 'isWrite true) (value [0-9]*)' t.mse >accesses # the model of Moose has accesses of fields only
for n in 8001 8004; do grep -qw $n accesses || fail "mse does not list the write of $n"; done
grep -wE '700[1-8]' accesses && fail "mse lists as written: $(cat accesses)"
"$HINDSIGHT" export t --to jmtrace | grep '^W' | cut -d ' ' -f 4 | sort >places
printf '%s\n' Unwritten\$Works.count Unwritten.field 'int[0]' 'int[1]' 'java.lang.Integer[0]' | LC_ALL=C sort |
    diff - <(LC_ALL=C sort places) || fail "jmtrace (>) lists other places than those written (<)"
for what in Unwritten.field 'Unwritten$Fails.count' 'Unwritten$Works.count'; do "$HINDSIGHT" history t "$what"; done \
    >history 2>/dev/null
grep -qw 8001 history && grep -qw 8004 history || fail "history does not list a write: $(cat history)"
grep -wE '700[1-8]' history && fail "history lists as written: $(cat history)"
if [ -x "$JDK/bin/jfr" ]; then
    "$HINDSIGHT" export t --to jfr -o t.jfr || fail "jfr"
    "$JDK/bin/jfr" print --events hindsight.Write t.jfr >jfr || fail "jfr print"
    lists "jfr" jfr
    [ "$(grep -c '^hindsight.Write' jfr)" = 5 ] || fail "jfr has $(grep -c '^hindsight.Write' jfr) writes, not 5"
fi
finish
