#!/bin/bash
# A method too long for the hooks of fields and elements writes without events: what it was given may have changed.
#
# test: cli.too-long
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >TooLong.java <<J
public class TooLong {
    int v = 1;
    int[] cells = { 1 };
    void run(int i) { $(printf 'v++;%.0s' {1..5000}) cells[0] = i; }
    static void keep(TooLong t) { }
    public static void main(String[] args) {
        TooLong t = new TooLong();
        t.v = 2;
        keep(t);
        t.run(3);
        keep(t);
    }
}
J
compile c TooLong.java || die "TooLong does not compile"
record t quiet=true -cp c TooLong >out 2>&1 || die "not recorded: $(cat out)"
"$HINDSIGHT" info t | grep -q 'TooLong.run(int): .*FIELD+ARRAY' || fail "it was not too long: $("$HINDSIGHT" info t)"
field=$("$HINDSIGHT" print t --event PUT_INSTANCE_FIELD_VALUE --json | tail -n 1 | grep -oE '"seq":[0-9]+' | tr -dc 0-9)
id=$("$HINDSIGHT" objects t --type TooLong --json | sed -n 's/^{"id":\([0-9]*\).*/\1/p')
"$HINDSIGHT" object "$id" t >object
grep -qE '^handed +[0-9]+ +to TooLong.run by TooLong.main' object || fail "it was not handed over: $(cat object)"
grep -qE "TooLong.v +2 .* at $field, before it was handed over" object ||
    fail "2 counts as the last value: $(cat object)"
before=$("$HINDSIGHT" print t --method keep --event METHOD_ENTRY --json | sed -n '1s/{"seq":\([0-9]*\).*/\1/p')
"$HINDSIGHT" object "$id" t --at "$before" >object
grep -q handed object && fail "handed over before the call: $(cat object)"
finish
