#!/bin/bash
# Wrong usage of the command: exit 2 and one line. Help: exit 0, on standard output, for every command that is listed.
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
record t "" -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
h=$HINDSIGHT
one_line 2 'prnt'            "$h" prnt t
one_line 2 'frobnicate'      "$h" print t --frobnicate
one_line 2 'frobnicate'      "$h" info t --frobnicate
one_line 2 'from.*abc'       "$h" print t --from abc
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
one_line 1 'weave.*CALLS'    "$h" record -o r --weave CALLS -- "$JAVA" -cp c Hello
one_line 1 'format.*onmi'    "$h" record -o r --format onmi -- "$JAVA" -cp c Hello
one_line 2 'record'          "$h" record -o r
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
    grep -q "hindsight $c" "$c.help" || fail "$c -h shows no example"
done
echo "help of: $(echo "$commands" | tr '\n' ' ')"
# a reader that stops early is no error worth words
"$h" print t 2>err | head -n 1 >/dev/null
status=${PIPESTATUS[0]}
case $status in 0 | 141) ;; *) false ;; esac && [ ! -s err ] || fail "print | head: exit status $status, says: $(cat err)"
# a full disk is
if [ -e /dev/full ]; then
    "$h" print t >/dev/full 2>err; status=$?
    [ $status = 1 ] && [ "$(wc -l <err)" = 1 ] || fail "print >/dev/full: exit status $status, $(cat err)"
fi
finish
