#!/bin/bash
# index.sh - what `hindsight index` says where it cannot index everything: of a trace whose only chunk is damaged, and
# of one that is still recorded. Neither is a matter of the directory, which can be written.
#
# test: cli.index
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Waits.java <<'END'
class Waits {
    static long n;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < Integer.parseInt(args[0]); i++)
            n += i;
        if (args.length > 1)
            System.in.read();
    }
}
END
compile c Waits.java
# expect STATUS TEXT TRACE
expect() {
    "$HINDSIGHT" index "$3" >out 2>err
    local status=$?
    [ $status = "$1" ] && grep -q "^$2" <(cat err; echo) || fail "index of $3: status $status, $(cat out err)"
    ! grep -q 'directory' out err || fail "index of $3: $(cat out err)"
}

record t weave=ALL,derive=off -cp c Waits 10 || die "no recording"
expect 0 '$' t
grep -q '^1 of 1 chunks indexed' out || fail "whole: $(cat out)"
rm t/index
# The check of a row is its last 4 bytes: a flipped bit there is found when the trace is opened, as the sum of all
# checks is another one; a flipped bit before it when the row is read.
cp t/data.mdb whole.mdb
python3 "$ROOT/test/cli/index_damage.py" "$HINDSIGHT" || fail "no flipped byte damages the chunk"
expect 3 'hindsight index: incomplete: damaged: t: chunk 0' t
grep -q '^0 of 1 chunks indexed' out || fail "damaged: $(cat out)"
python3 - "$(cat check)" <<'END'
import sys
at = int(sys.argv[1])
data = bytearray(open("whole.mdb", "rb").read())
data[at] ^= 1
open("t/data.mdb", "wb").write(data)
END
expect 3 'hindsight index: incomplete: damaged: t/data.mdb: table chunk: a row of it is not' t
grep -q '^0 of 1 chunks indexed' out || fail "check damaged: $(cat out)"

cat >Holds.java <<'END'
class Holds {
    static void a(int n) { if (n > 0) a(n - 1); else throw new IllegalStateException("a"); }
    static void b() { try { a(3); } catch (RuntimeException e) { throw new RuntimeException(e); } }
    static RuntimeException c() {
        RuntimeException f = new RuntimeException();
        try { a(1); } catch (RuntimeException e) { f.addSuppressed(e); }
        return f;
    }
    static void d() { throw c(); }
    static void e() { try { b(); } catch (RuntimeException e) { } }

    public static void main(String[] args) {
        e();
        try { d(); } catch (RuntimeException e) { }
    }
}
END
compile c Holds.java
record holds weave=EXEC -cp c Holds || die "no recording"
"$HINDSIGHT" exceptions holds --json >without 2>/dev/null || fail "exceptions without an index"
expect 0 '$' holds
"$HINDSIGHT" exceptions holds --json >with 2>/dev/null || fail "exceptions with an index"
cmp without with || fail "exceptions differ with an index"
[ "$(grep -c '"swallowed":true' with) of $(grep -c swallowed with)" = "2 of 4" ] ||
    fail "those that another one holds are not swallowed: $(cat with)"

mkfifo in
record runs weave=ALL,derive=off -cp c Waits 40000 x <in &
exec 3>in
until_events runs 400000
chunks_stored() { "$HINDSIGHT" index runs 2>/dev/null | grep -qE '^[0-9]+ of [1-9][0-9]* chunks indexed'; }
for _ in $(seq 600); do chunks_stored && break; sleep 0.1; done # until the full ones are
expect 3 'hindsight index: runs: incomplete: it is still being recorded' runs
grep -qE '^[0-9]+ of [1-9][0-9]* chunks indexed' out || fail "still recorded: $(cat out)"
echo >&3
wait
finish
