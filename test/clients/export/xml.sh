#!/bin/bash
# The format xml: xmllint proves it by the schema, its call graph is that of the events, also with names that XML cannot
# write as they are.
#
# test: export.xml
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
command -v xmllint >/dev/null || skip "xmllint is not installed"
cd "$WORK" || exit 1
sample t
"$HINDSIGHT" print t --json >events
"$HINDSIGHT" methods t --json >methods
check() { # FILE
    xmllint --noout --schema "$ROOT/docs/callgraph.xsd" "$1" 2>err || fail "$1: $(head -n 3 err)"
    python3 "$ROOT/test/clients/export/xml_calls.py" "$1" || fail "$1 is not what the events say"
}
"$HINDSIGHT" export t --to xml -o all.xml && check all.xml
"$HINDSIGHT" export t --to xml --method loop | xmllint --xpath 'count(//call)' - >count
[ "$(cat count)" = 1 ] || fail "calls of loop: $(cat count)"
one_line 2 "takes --class" "$HINDSIGHT" export t --to xml --event CALL

# a class whose name has each special character, a control character and U+FFFF
mkdir odd
cat >odd/Odd1234567.java <<'J'
public class Odd1234567 { public static void main(String[] a) { System.out.println("odd"); } }
J
compile odd odd/Odd1234567.java
python3 - <<'PY'
name = "O<&>\"'\1\uffff".encode()
with open("odd/Odd1234567.class", "rb") as f: code = f.read()
with open(b"odd/" + name + b".class", "wb") as f: f.write(code.replace(b"Odd1234567", name))
PY
record odd.trace "" -cp odd $'O<&>"\'\1\uffff' >out 2>err || die "odd: $(cat err)"
"$HINDSIGHT" print odd.trace --json >events
"$HINDSIGHT" methods odd.trace --json >methods
"$HINDSIGHT" export odd.trace --to xml -o odd.xml
xmllint --noout --schema "$ROOT/docs/callgraph.xsd" odd.xml 2>err || fail "odd.xml: $(head -n 3 err)"
[ "$(xmllint --xpath 'string(//class/@name)' odd.xml)" = $'O<&>"\'\\u0001\\uffff' ] ||
    fail "the odd name: $(grep '<class ' odd.xml)"
finish
