#!/bin/bash
# Java expressions at moments of a recording have the values that the JVM prints for them: generate.py makes the program
# and its expressions, compare.py asks. More than one in ten that is not known is a failure, too, and a question that
# was not asked. For a long run: SEEDS="1 2 3" EXPRESSIONS=334 SITUATIONS="loaders killed attached" (of each seed).
#
# test: ask.evaluate
# labels: ask slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python PYTHONDONTWRITEBYTECODE=1
seeds=${SEEDS:-"1 2"} expressions=${EXPRESSIONS:-200} situations=${SITUATIONS-"loaders killed attached"}
ask() { # SEED SITUATION: the trace of that name
    python3 "$HERE/compare.py" truth expressions.txt "$2" >out || fail "seed $1, $2: $(head -n 5 out)"
    read -r all _ known _ wrong _ < <(tail -n 1 out)
    [ "${all:-0}" -ge "$expressions" ] || { fail "seed $1, $2: ${all:-no} questions of $expressions"; return; }
    [ $((10 * known)) -ge $((9 * all)) ] || fail "seed $1, $2: $(cat out)"
    sed -n 's/^not known *//p' out >>"$WORK/reasons"
    questions=$((questions + all)) unknown=$((unknown + all - known)) wrongs=$((wrongs + wrong))
}
questions=0 unknown=0 wrongs=0
: >"$WORK/reasons"
for seed in $seeds; do
    mkdir -p "$WORK/$seed" && cd "$WORK/$seed" || exit 1
    python3 "$HERE/generate.py" "$seed" "$expressions" . || die "generate $seed"
    compile c Truth.java Recorded.java "$HERE/Started.java" || { fail "seed $seed does not compile"; continue; }
    "$JAVA" -cp c Truth >truth || { fail "Truth of $seed"; continue; }
    [ "$(wc -l <truth)" = "$expressions" ] || fail "seed $seed: $(wc -l <truth) true values of $expressions"
    for derive in on off; do
        record "$derive" "weave=ALL,derive=$derive" -cp c Recorded || fail "no recording of $seed"
        ask "$seed" "$derive"
    done
    for situation in $situations; do
        case $situation in
        attached)
            "$JAVA" -cp c Started attached go >ready &
            until [ -s ready ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
            "$HINDSIGHT" attach $! "output=$PWD/attached,format=omni,weave=ALL" >/dev/null || fail "not attached"
            touch go
            wait $! || fail "the program that was attached to"
            ;;
        killed) (record killed weave=ALL -cp c Started killed) 2>/dev/null && fail "not killed"
            "$HINDSIGHT" recover killed >/dev/null 2>&1
            [ $? -le 3 ] || fail "not recovered"
            ;;
        loaders) record loaders weave=ALL -cp c Started loaders c/ || fail "no recording of loaders" ;;
        esac
        ask "$seed" "$situation"
    done
    situations=${SITUATIONS-} # of the first seed, if they are not asked for
    cd "$WORK" && [ -n "${KEEP:-}" ] || rm -rf "${WORK:?}/$seed"
done
awk '{ n = $1 + 0; sub(/^[0-9]+: /, ""); times[$0] += n }
    END { for (reason in times) print "not known " times[reason] ": " reason }' "$WORK/reasons" |
    sort -k 3 -nr | head -n 12
echo "$(echo "$seeds" | wc -w) programs: $questions questions, $unknown not known, $wrongs wrong"

# Without names of variables: what is said of a name, and what there is instead. A class that was never loaded.
cd "$WORK" && compile n "$HERE/Nameless.java" -- -g:none && record nameless weave=ALL -cp n Nameless || die "Nameless"
at=$("$HINDSIGHT" print nameless --event METHOD_PARAM --method at --json | grep -o '"seq":[0-9]*' | head -n 1)
while IFS='|' read -r expression answer; do
    got=$("$HINDSIGHT" eval "$expression" --at "${at#*:}" --frame 1 nameless 2>&1)
    case $got in *"$answer"*) ;; *) fail "$expression: $got" ;; esac
done <<'EOT'
k|no names of local variables (javac -g gives them): $1 is the one in slot 1
$3 * 10 + args[0]|84
args[1].length() + args.length|3
this.total|13
Never.f|a class that was never loaded
new Never(1)|the class Never was never loaded
new Object() == null|false
EOT

# Code that has no end or takes all memory is stopped, in a minute of CPU and 2 GB.
compile h "$HERE/Hostile.java" && record hostile weave=ALL -cp h Hostile || die "Hostile"
at=$("$HINDSIGHT" print hostile --event METHOD_ENTRY --method run --json | grep -o '"seq":[0-9]*' | head -n 1)
while IFS='|' read -r expression answer; do
    got=$( (ulimit -v 2000000 -t 60; timeout 600 "$HINDSIGHT" eval "$expression" --at "${at#*:}" hostile 2>&1))
    case $got in *"$answer"*) ;; *) fail "$expression: $got" ;; esac
done <<'EOT'
loop(1)|it runs for more than
deep(1)|it calls too deeply
doubled("ab")|a string is too long
arrays()|its arrays are too long
objects()|it runs for more than
compared(1)|it runs for more than
searched()|it runs for more than
reversed()|it runs for more than
listed()|it runs for more than
nested()|it runs for more than
itself()|it calls too deeply
big()|a number has too many digits
bigs()|it runs for more than
wide()|not recorded: 
negative()|throws java.lang.NegativeArraySizeException: -1
caught(1)|it calls too deeply
started()|java.lang.System.exit is not woven
new int[1000000000][5].length|its arrays are too long
java.math.BigDecimal.valueOf(1).divide(new BigDecimal("8"))|0.125
new String[Integer.MAX_VALUE][-3].length|its arrays are too long
new int[2][-3].length|throws java.lang.NegativeArraySizeException: -3
new long[][] { { 1, 2 }, { field.length } }[1][0]|8
grid()[1].length|3
new Object[] { 1, "a" }[0]|1
("a".concat("" + (char) (field.length - 8)) + "b").length()|3
"a".concat("" + (char) (field.length - 8)).concat("b")|"a\u0000b"
BigInteger.valueOf(7).equals(new BigInteger("7"))|true
new BigInteger("12").pow(20).add(BigInteger.valueOf(field.length))|3833759992447475122184
EOT
finish "$questions questions"
