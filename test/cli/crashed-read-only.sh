#!/bin/bash
# A recording whose JVM was killed, in a place that cannot be written: every command answers as for one that was
# recovered, says in one line that it read a copy, changes nothing and leaves nothing behind.
#
# test: cli.crashed-read-only
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
as=()
if [ "$(id -u)" = 0 ]; then
    command -v setpriv >/dev/null || skip "needs setpriv (util-linux)"
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
compile "$WORK/c" "$ROOT/test/cli/Killed.java" || die "the program does not compile"
cd "$WORK" && mkdir there here tmp && chmod 1777 tmp || exit 1
export TMPDIR=$WORK/tmp
record there/t "" -cp c Killed >/dev/null 2>&1
[ -e there/t/journal ] || fail "no recorder was killed"
cp -r --sparse=always there/t here/t
"$HINDSIGHT" recover here/t >out 2>&1
chmod -R a+rX,a-w there && chmod a+rx . && "${as[@]}" test -x "$HINDSIGHT" -a -r there/t/journal ||
    skip "the build cannot be read by other users"
find there -printf '%p %s %T@\n' | sort >before

same() { # COMMAND...
    (cd here && "$HINDSIGHT" "$@") >expected 2>told; local status=$?
    (cd there && "${as[@]}" "$HINDSIGHT" "$@") >out 2>err; local got=$?
    cmp -s expected out || fail "$*: another answer: $(diff expected out | head -n 3)"
    [ $got = $status ] || fail "$*: exit status $got instead of $status: $(cat err)"
    [ "$(grep -c 'cannot be written: its journal is recovered in a copy' err)" -ge 1 ] || fail "$*: $(cat err)"
    grep -v 'cannot be written: its journal' err | diff told - >difference || fail "$*: $(cat difference)"
    find there -printf '%p %s %T@\n' | sort | cmp -s before - || fail "$*: it changed the trace"
    [ -z "$(ls tmp)" ] || fail "$*: it left $(ls tmp)"
}
seq=$("$HINDSIGHT" print here/t --json --event PUT_STATIC_FIELD 2>/dev/null | sed -n '50s/^{"seq":\([0-9]*\),.*/\1/p')
while read -r -a words; do same "${words[@]}"; done <<EOF2
print t --json
tree t --json
report t
exceptions t
objects t --json
strings t
threads t
classes t
methods t
dataids t
history Killed.step t
last-write Killed.step --at $seq t
why $seq t
locals --at $seq t
diff t t
races t
locks t
deadlocks t
timeline t
fsck t
export t --to jsonl
sql t SELECT(1)
EOF2

# what copies the files of a trace refuses
for words in "expand t -o $WORK/tmp/x" "redact t --secret 1234 --out $WORK/tmp/x"; do
    # shellcheck disable=SC2086
    (cd there && "${as[@]}" "$HINDSIGHT" $words) >out 2>err && fail "$words: an incomplete copy"
    grep -q 'its files are not complete' err || fail "$words: $(cat err)"
done

# no room for a copy either: what the trace has is shown, with the reason
(cd there && TMPDIR=/proc "${as[@]}" "$HINDSIGHT" print t) >out 2>err
grep -q 'cannot be recovered: .*; nor in a copy: ' err || fail "no room: $(cat err)"
chmod -R u+w there
"$HINDSIGHT" exceptions here/t 2>&1 | grep -q 'the JVM was killed or crashed' || fail "the end is not told"
finish "a crashed recording is read where it cannot be written"
