#!/bin/bash
# What is not a trace, or a damaged one: one clear line, status 1 (or 3 with an answer), never a crash or a hang.
#
# test: cli.not-a-trace
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
h=$HINDSIGHT
mkdir empty; echo x >file; mkdir other && cp c/*.class other/
mkdir nonsense && head -c 65536 /dev/urandom >nonsense/data.mdb
mkdir zeros && head -c 65536 /dev/zero >zeros/data.mdb
mkdir short && echo tiny >short/data.mdb
mkdir nothing && : >nothing/data.mdb
for command in info print tree classes methods dataids threads strings; do
    for what in missing empty file other nonsense zeros short nothing; do
        one_line 1 "$command: .*$what" "$h" $command $what
    done
done | grep -v '^ok' >bad; [ ! -s bad ] || { cat bad; failures=$((failures + $(wc -l <bad))); }
find empty other nothing -newer file -name '*lock*' | grep . && fail "looking at what is not a trace left files"

record t "" -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
size=$(stat -c %s t/data.mdb)
"$h" print t --json >whole || fail "print"
# Truncated or overwritten at any place: an answer that was whole, one line with status 1, or what can be read with
# status 3.
look() { # WHAT
    local command status
    for command in info print tree; do
        timeout -s KILL 120 "$h" $command d >out 2>err; status=$?
        case $status in
        0)
            if [ $command = print ] && [ "$1" = truncated ]; then
                "$h" print d --json 2>/dev/null | cmp -s - whole ||
                    fail "$command of a $1 trace ($2): status 0 but not the whole answer"
            fi
            ;;
        1 | 3)
            [ "$(wc -l <err)" = 1 ] || [ "$1" = killed ] ||
                fail "$command of a $1 trace ($2): $(wc -l <err) lines: $(head -n 3 err)"
            ;;
        *) fail "$command of a $1 trace ($2): exit status $status: $(head -n 2 err)" ;;
        esac
    done
}
for part in 0 1 20 40 60 80 95 99; do
    rm -rf d; cp -r t d; truncate -s $((size * part / 100)) d/data.mdb; look truncated "$part%"
    rm -rf d
    cp -r t d
    truncate -s $((size * part / 100 / 4096 * 4096)) d/data.mdb
    look truncated "$part% whole pages"
done
for ((i = 0; i < 24; i++)); do # pages overwritten
    rm -rf d; cp -r t d
    at=$(((i * 7919 + 13) % (size / 512)))
    yes "$i" | head -c 512 | dd of=d/data.mdb bs=512 seek=$at conv=notrunc status=none
    look overwritten "512 bytes at $((at * 512))"
done
# Something else under the name of a trace's file, which must not be followed, nor block; and sizes that no disk has.
for name in data.mdb journal pending state intervals index; do
    for kind in pipe directory link device; do
        rm -rf d; cp -r t d; rm -f d/$name
        case $kind in
        pipe) mkfifo d/$name ;;
        directory) mkdir d/$name ;;
        link) ln -s /dev/zero d/$name ;;
        device) mknod d/$name c 1 5 2>/dev/null || continue ;;
        esac
        one_line 1 "info: .*d/$name: is " timeout -s KILL 120 "$h" info d
    done
    rm -rf d; cp -r t d; truncate -s 3T d/$name
    timeout -s KILL 120 "$h" info d >out 2>err; status=$?
    case $status in 0 | 1 | 3) ;; *) fail "info with a $name of 3 TB: exit status $status" ;; esac
done
# The recorder was killed, and its store cut by a page: recovery must not write into it.
compile "$WORK/c" "$ROOT/test/faults/damage/Damaged.java" || die "Damaged does not compile"
{ record k "" -cp c Damaged kill; } >/dev/null 2>&1
[ -e k/journal ] || fail "no recorder was killed"
for pages in 1 2 5; do
    rm -rf d; cp --sparse=always -r k d; truncate -s -$((pages * 4096)) d/data.mdb; look killed "$pages pages cut"
    cmp -s k/data.mdb d/data.mdb && fail "nothing was cut"
    [ "$(stat -c %s d/data.mdb)" = $(($(stat -c %s k/data.mdb) - pages * 4096)) ] ||
        fail "a damaged store was written to"
done
rm -rf d; cp -r t d; rm d/data.mdb; one_line 1 'info: .*d' "$h" info d
"$h" print t --json | cmp - whole || fail "reading changed the trace"
finish
