#!/bin/bash
# `print --value` and `--where` take every value as `print` shows it, and find all events that show it so; what they do
# not take they say.
#
# test: ask.values
# labels: ask cli
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
compile "$WORK/c" "$ROOT/test/ask/values/Values.java" || die "Values does not compile"
cd "$WORK" || exit 1
record t "" -cp c Values >/dev/null 2>err || die "recording: $(cat err)"
python3 "$ROOT/test/ask/values/values.py" "$HINDSIGHT" t || failures=$((failures + 1))
for wrong in nul maybe '"open' "'ab'" "'t' (117)" 0x 1.2.3 'Box#' 'Box#x' '' '"a"b'; do
    one_line 2 'value.*expected.*number.*true.*null.*string' "$HINDSIGHT" print t --value="$wrong"
done
one_line 2 "character 13: expected the code of this character" "$HINDSIGHT" print t --where "value == 't' (117)"
one_line 2 "^hindsight print: --where is given twice, as .value > 5. and as .value < 9.$" \
    "$HINDSIGHT" print t --where "value > 5" --where "value < 9"
# a text that was cut may go on with anything: what that decides is not known
cat >Cut.java <<'J'
public class Cut {
    static String of(String text) { return text; }
    static int next(java.util.concurrent.atomic.AtomicInteger n) { return n.incrementAndGet(); }
    public static void main(String[] args) { of("abcdef"); next(new java.util.concurrent.atomic.AtomicInteger(5)); }
}
J
compile c2 Cut.java && record cut maxstring=3 -cp c2 Cut >/dev/null 2>err || die "recording Cut: $(cat err)"
while read -r count condition; do
    found=$("$HINDSIGHT" tree cut --where "method == of && $condition" --json 2>/dev/null | wc -l)
    [ "$found" = "$count" ] || fail "--where $condition of a cut text: $found calls, not $count"
done <<'E'
0 text == abcdef
0 text != abcdef
0 !(text == abcdef)
0 !(text != abcdef)
0 text == abc
1 text != abc
1 !(text == abc)
1 text > abc
0 text <= abc
0 text >= abcdef
1 text < abd
1 !(text == abx)
1 text =~ ^ab
0 text =~ c$
0 !(text =~ c$)
0 !(text =~ f)
E
# what may change is compared at the moment, as it is shown
[ "$("$HINDSIGHT" tree cut --where 'n == 5' | grep -c 'next(AtomicInteger#[0-9]* 5)')" = 1 ] ||
    fail "--where of an AtomicInteger: $("$HINDSIGHT" tree cut 2>&1)"
at=$("$HINDSIGHT" print cut --method of --event METHOD_NORMAL_EXIT --json | sed -E 's/.*"seq":([0-9]+).*/\1/')
ask() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
while read -r answer expression; do
    got=$({
        ask '{"seq":1,"type":"request","command":"launch","arguments":{"trace":"cut","at":'"$at"'}}'
        ask '{"seq":2,"type":"request","command":"stackTrace","arguments":{"threadId":1}}'
        ask '{"seq":3,"type":"request","command":"evaluate","arguments":{"frameId":1,"expression":"'"$expression"'"}}'
    } | "$HINDSIGHT" dap | grep -aoE '"result":"[^"]*"' | tr -d '"' | cut -d: -f2)
    [ "${got// /-}" = "$answer" ] || fail "$expression of a cut text: $got, not $answer"
done <<'E'
not-recorded text == \"abcdef\"
not-recorded !(text == \"abcdef\")
false text == \"abc\"
true text != \"abc\"
false text.equals(\"abd\")
not-recorded text.equals(\"abcdef\") && true
false text.equals(\"abcdef\") && false
E
# text shows what JSON puts in quotes for want of such numbers
"$HINDSIGHT" print t --value NaN | grep -qE ' NaN +Values' ||
    fail "print shows NaN as $("$HINDSIGHT" print t --value NaN | sed -n 2p)"
"$HINDSIGHT" print t --value NaN | grep -q '"NaN"' && fail "NaN looks like a string"
"$HINDSIGHT" tree t --fold none | grep -q 'take(-1, .*, NaN, NaN, true, null)' ||
    fail "tree: $("$HINDSIGHT" tree t | head -n 3)"
"$HINDSIGHT" print t --value NaN --json | grep -q '"value":"NaN"' || fail "JSON has another NaN"
finish
