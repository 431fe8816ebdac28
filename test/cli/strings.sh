#!/bin/bash
# Strings that the agent or the command cuts are marked everywhere, keep their length, and end with a whole character.
#
# test: cli.strings
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cat >"$WORK/Long.java" <<'JAVA'
public class Long {
    static void f(String s) { }
    public static void main(String[] args) {
        f("a".repeat(59) + "\ud83d\ude00".repeat(5)); // text shows 60 units: the last would be half of a pair
        f("short");
    }
}
JAVA
compile "$WORK/c" "$WORK/Long.java" || die "Long does not compile"
shown=\"$(printf 'a%.0s' {1..59})\"...
for options in weave=EXEC+PARAM weave=EXEC+PARAM,maxstring=61 weave=EXEC+PARAM,maxstring=60; do
    rm -rf "$WORK/t"
    record "$WORK/t" "$options" -cp "$WORK/c" Long >/dev/null 2>"$WORK/err" || die "recording: $(cat "$WORK/err")"
    for question in print tree; do
        "$HINDSIGHT" $question "$WORK/t" >"$WORK/$question" || fail "$question with $options"
        grep -qF -- "$shown" "$WORK/$question" || {
            fail "$question with $options does not show $shown:"
            cat "$WORK/$question"
        }
    done
    grep -qE '"short"#[0-9]+ ' "$WORK/print" || fail "print with $options marks what is whole"
    "$HINDSIGHT" strings "$WORK/t" --json --text aaaaa >"$WORK/s.json" || fail "strings --json with $options"
    id=$(json "$WORK/s.json" 'd["id"]')
    "$HINDSIGHT" object "$WORK/t" "$id" --json >"$WORK/o.json" || fail "object --json with $options"
    case $options in *maxstring=61) kept=61 ;; *maxstring=60) kept=59 ;; *) kept=69 ;; esac
    for answer in s o; do
        have=$(json "$WORK/$answer.json" \
            '[len(d["string"].encode("utf-16-le", "surrogatepass")) // 2, d["length"], d.get("cut", False)]')
        want="[$kept, 69, $([ $kept = 69 ] && echo False || echo True)]"
        [ "$have" = "$want" ] || fail "$answer.json with $options: $have, not $want"
    done
    "$HINDSIGHT" strings "$WORK/t" --text aaaaa >"$WORK/s.txt" || fail "strings with $options"
    [ "$(grep -cF '"...' "$WORK/s.txt")" = $((kept < 69)) ] || { fail "strings with $options:"; cat "$WORK/s.txt"; }
done
finish
