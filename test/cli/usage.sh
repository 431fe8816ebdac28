#!/bin/bash
# Wrong usage of the command: exit 2 and one line. Help: exit 0, on standard output, for every command that is listed.
#
# test: cli.usage
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
record t "" -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
h=$HINDSIGHT
one_line 2 'prnt'            "$h" prnt t
one_line 2 'frobnicate'      "$h" print t --frobnicate
one_line 2 'frobnicate'      "$h" info t --frobnicate
one_line 1 'from.*abc'       "$h" print t --from abc # a text of the output, which t has not
one_line 2 'from wants.*SEQ' "$h" print t --from ""
one_line 2 'num.*-5'         "$h" print t --num -5
one_line 2 'from.*999999999999999999999' "$h" print t --from 999999999999999999999
one_line 1 'thread.*nobody'  "$h" print t --thread nobody
one_line 1 'thread.*4711'    "$h" print t --thread 4711
one_line 2 'METHOD_ENTER'    "$h" print t --event METHOD_ENTER
one_line 2 'object.*first'   "$h" print t --object first
one_line 2 'limit.*few'      "$h" classes t --limit few
one_line 2 'depth.*deep'     "$h" tree t --depth deep
one_line 2 'num'             "$h" print t --num
one_line 2 'surplus'         "$h" info t surplus
one_line 2 'weave.*CALLS'    "$h" weave c -o w --weave CALLS
one_line 2 'weave.*CALLS'    "$h" record -o r --weave CALLS -- "$JAVA" -cp c Hello
one_line 2 'format.*onmi.*nearest: omni' "$h" record -o r --format onmi -- "$JAVA" -cp c Hello
one_line 2 'format.*onmi'    "$h" record -o r --option format=onmi -- "$JAVA" -cp c Hello
one_line 2 'record'          "$h" record -o r
one_line 2 'event wants'     "$h" print t --event ''
one_line 2 'neither a trace nor SEQ' "$h" locals t first
one_line 2 'not both'        "$h" locals t 5 --at 5
one_line 2 'SEQ is required' "$h" locals t
one_line 2 "'nope' is no trace; hindsight history 5.nope" "$h" object 5 nope
# what getopt_long does: =, no blank, clusters, abbreviations, options after operands
one_line 2 "limit wants a number, not 'x'"    "$h" print t --limit=x
one_line 2 "limit wants a number, not ''"     "$h" print t --limit=
one_line 2 "limit wants a number, not '5x'"   "$h" print t -n5x
one_line 2 "num wants a number, not '-5'"     "$h" print t --num=-5
one_line 2 'limit wants an argument: N'       "$h" print t --limit
one_line 2 'limit wants an argument: N'       "$h" print t -jn
one_line 2 "json takes no argument.*'yes'"    "$h" print t --json=yes
one_line 2 "unknown option '--frob=1'"        "$h" print t --frob=1
one_line 2 "unknown option '-x'"              "$h" print t -x
one_line 2 "unknown option '-x'"              "$h" print t -jx
one_line 2 "unknown option '--=5'"            "$h" print t --=5
one_line 2 "'--t' is ambiguous; it may be --to, --thread, --text"  "$h" print --t 5
one_line 2 "'--m' is ambiguous; it may be --method, --maxname"     "$h" freq t --m=x
one_line 2 "unexpected argument 'surplus'"    "$h" info t --json surplus
one_line 2 'unexpected argument'              "$h" print t -- --json
one_line 2 'expected a command to run'        "$h" record --output r --
one_line 2 'unknown option'                   "$h" record -o r --jason -- "$JAVA" -cp c Hello
one_line 2 'comma'                            "$h" record -o a,b -- "$JAVA" -cp c Hello
for c in "record -o" "weave c -o" "export t --to jsonl -o" "expand t -o" "print t --source"; do
    # shellcheck disable=SC2086
    one_line 2 'wants .*, not an empty name' "$h" $c "" -- "$JAVA" -cp c Hello
done
one_line 2 'option output= wants DIR, not an' "$h" record --option output= -- "$JAVA" -cp c Hello
one_line 2 'output a and --option output=b: give one of them' "$h" record -o a --option output=b -- "$JAVA" -cp c Hello
one_line 2 'format omni and --option format=freq: give one' "$h" record -f omni --option format=freq -- "$JAVA" -version
one_line 2 'weave CALL and --option weave=EXEC: give one'   "$h" record -w CALL --option weave=EXEC -- "$JAVA" -version
one_line 2 'KEY=VALUE.*quiet'                 "$h" record --option quiet -- "$JAVA" -cp c Hello
one_line 2 "unknown shell 'csh'"              "$h" completion csh
one_line 2 'shell'                            "$h" completion
one_line 2 'which trace'                      "$h" recover
# a negative number is an operand
one_line 2 "unexpected argument '-5'"         "$h" info t -5
"$h" find t --json -- -5 >want 2>&1
for line in "find t -5 --json" "find -5 t --json" "find --json t -5"; do
    # shellcheck disable=SC2086
    "$h" $line >have 2>&1
    cmp want have || fail "$line: $(head -n 3 have)"
done
"$h" print t --json --limit 5 >want || fail "print --json --limit 5"
for line in "print t -jn5" "print t -j -n5" "print -n 5 -j t" "print --lim 5 --js t" "print --limi=5 t --json" \
    "print -jn 5 -- t" "print --num 5 -j t" "print --limit 2 t -j --limit 5" "print -jjn5 t"; do
    # shellcheck disable=SC2086
    "$h" $line >have 2>err && cmp -s want have || fail "$line: $(cat err)"
    # shellcheck disable=SC2086
    POSIXLY_CORRECT=1 "$h" $line >have 2>err && cmp -s want have || fail "POSIXLY_CORRECT: $line: $(cat err)"
done
repeated=$("$h" print t --even METHOD_ENTRY --event=METHOD_NORMAL_EXIT -eCALL --json)
[ "$repeated" = "$("$h" print t --event METHOD_ENTRY,METHOD_NORMAL_EXIT,CALL -j)" ] ||
    fail "an option that is repeated"
[ "$("$h" report t -jscalls)" = "$("$h" report t --json --sort calls)" ] || fail "a cluster that ends with an argument"
[ "$("$h" print t --text -- -j)" = "$("$h" print t --text=-- --json)" ] || fail "-- as an argument of an option"
# record: the other command begins with the first operand
if [ -z "${HINDSIGHT_SANITIZE:-}" ]; then
    for line in "-o r -- $JAVA" "-o r $JAVA" "--out=r --forma omni $JAVA" "-or -wEXEC $JAVA"; do
        # shellcheck disable=SC2086
        "$h" record $line -cp c Hello >have 2>err && [ -e r/data.mdb ] || fail "record $line: $(cat err)"
        rm -rf r
    done
    "$h" record -o r "$JAVA" -cp c -h >have 2>&1
    grep -qi 'usage: java' have || fail "record takes options of the other command: $(head -n 3 have)"
    rm -rf r
fi
mkdir empty
one_line 1 'no trace|hindsight-\*' env -C empty "$h" info
# behind -- stand words, as a trace that looks like an option
cp -r t ./-t; cp -r t hindsight-newest
"$h" methods t --class Hello --json >want
for line in "methods --class Hello --json -- t" "methods -- t" "methods --json -- -t"; do
    # shellcheck disable=SC2086
    "$h" $line >have 2>err || fail "$line: $(cat err)"
    case $line in *json*) [ "$(head -n 1 have)" = "$(head -n 1 want)" ] || fail "$line: another trace" ;; esac
done
one_line 1 'missing'         "$h" print -- missing
one_line 2 'surplus'         "$h" info -- t surplus
one_line 1 'json'            "$h" info -- --json
rm -rf hindsight-newest
[ ! -e r ] || fail "wrong usage of record made a trace"
"$h" help >help || fail "help: exit status $?"
"$h" --help >help2 || fail "--help: exit status $?"
"$h" >/dev/null 2>&1; [ $? = 2 ] || fail "no command at all is not wrong usage"
"$h" --version | grep -q '[0-9]\.[0-9]' || fail "--version"
commands=$(sed -nE 's/^  +([a-z][a-z-]+)  +.*/\1/p' help | sort -u)
for c in record info print tree weave classes methods dataids threads strings; do
    grep -qw "$c" <<<"$commands" || fail "help does not list $c"
done
for c in $commands; do
    "$h" "$c" -h >"$c.help" 2>err || fail "$c -h: exit status $?"
    [ ! -s err ] || fail "$c -h writes to standard error"
    grep -qi "usage.*$c" "$c.help" || fail "$c -h shows no usage"
    grep -A 1 -x 'Example:' "$c.help" | grep -q "^  hindsight $c" || fail "$c -h shows no example"
    "$h" help "$c" | cmp -s - "$c.help" || fail "help $c differs from $c -h"
done
for topic in $(sed -nE '/^Topics:/,/^$/s/^  //p' help | tr -d ,); do
    "$h" help "$topic" >topic.help 2>err || fail "help $topic: exit status $?"
    grep -q '^Example:.' topic.help && fail "help $topic: $(grep '^Example:' topic.help)"
done
echo "help of: $(echo "$commands" | tr '\n' ' ')"
# a reader that stops early is no error worth words
"$h" print t 2>err | head -n 1 >/dev/null
status=${PIPESTATUS[0]}
case $status in 0 | 141) ;; *) false ;; esac && [ ! -s err ] ||
    fail "print | head: exit status $status, says: $(cat err)"
# a full disk is
if [ -e /dev/full ]; then
    "$h" print t >/dev/full 2>err; status=$?
    [ $status = 1 ] && [ "$(wc -l <err)" = 1 ] || fail "print >/dev/full: exit status $status, $(cat err)"
fi
finish
