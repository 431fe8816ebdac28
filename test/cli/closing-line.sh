#!/bin/bash
# The agent's one line at the end, quiet=true, {pid} and {time}, the exit status; standard output is the program's
# alone.
#
# test: cli.closing-line
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
"$JAVA" -cp c Hello you 5 >plain
for options in "" quiet=true; do
    rm -rf t
    record t "$options" -cp c Hello you 5 >out 2>err; status=$?
    [ $status = 5 ] || fail "exit status $status, not the program's 5"
    cmp plain out || fail "standard output changed"
    case $options in
    quiet=true) [ ! -s err ] || fail "quiet=true says: $(cat err)" ;;
    *)
        [ "$(wc -l <err)" = 1 ] || fail "not one line at the end: $(cat err)"
        grep -qE '^hindsight: [0-9,]+ events? of [0-9,]+ class(es)?( \([0-9,]+ not woven\))? in t, [0-9.]+ [kMG]?B$' \
            err || fail "closing line: $(cat err)"
        events=$(sed -nE 's/^hindsight: ([0-9,]+) events.*/\1/p' err | tr -d ,)
        printed=$("$HINDSIGHT" print t --json | wc -l)
        [ "$events" = "$printed" ] || fail "the closing line says $events events, print lists $printed" ;;
    esac
done
# a directory below the current one is named from there
for path in "$PWD/below" "$PWD/n/../beyond"; do
    mkdir -p n
    "$HINDSIGHT" record -o "$path" -- "$JAVA" -cp c Hello >/dev/null 2>err
    [ "$(grep -cE " in (below|n/\.\./beyond)[,;]" err)" = 2 ] || fail "record -o $path: $(cat err)"
done
rm -rf n
# both lines say the same size, with the classes of dump=true
{
    echo "public class Large { public static void main(String[] args) {} "
    for i in $(seq 4000); do echo "static int m$i(int a) { return a + $i; }"; done
    echo "}"
} >Large.java
compile c Large.java || die "Large does not compile"
"$HINDSIGHT" record -o size --option dump=true -- "$JAVA" -cp c Large >/dev/null 2>err
[ "$(grep -oE '[0-9.]+ MB' err | sort | uniq -c | awk '{ print $1 }')" = 2 ] || fail "two sizes: $(head -n 2 err)"
"$JAVA" "-agentpath:$AGENT=output=x-{pid}-{time:yyyyMMdd},format=omni,quiet=true" -cp c Hello >/dev/null
ls -d x-[0-9]*-"$(date +%Y)"[01][0-9][0-3][0-9] >/dev/null || fail "{pid} and {time:yyyyMMdd}: $(ls -d x*)"
mkdir n && cd n && "$JAVA" "-agentpath:$AGENT=format=omni,quiet=true" -cp ../c Hello >/dev/null
ls -d hindsight-*-* >/dev/null || fail "no trace of the default name: $(ls)"
"$HINDSIGHT" info >info || fail "info without TRACE does not take the newest hindsight-*"
cd ..
finish
