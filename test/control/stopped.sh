#!/bin/bash
# stopped.sh: a stop and a start are no second thread, and no second method: threads, classes and methods have new
# numbers then. Of one thread there is no race, no contention and no inversion, and a method belongs to the features of
# both parts. And what is not seen of a call that began long before is not counted (tree --around).
#
# test: control.stopped
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Stopped.java" || die "Stopped does not compile"
rm -f in && mkfifo in && : >out
"$JAVA" "-agentpath:$AGENT=output=$WORK/t,format=omni,weave=ALL,quiet=true" -cp c Stopped <in >out 2>err &
SERVER=$!
exec 3>in
wait_for ready out
h mark t one >/dev/null
tell first >/dev/null
h unmark t one >/dev/null
tell hold >/dev/null
h stop t >/dev/null
tell >/dev/null
h start t >/dev/null
h mark t two >/dev/null
tell second >/dev/null
h unmark t two >/dev/null
tell many >/dev/null
echo quit >&3
wait $SERVER || fail "Stopped ended with status $?: $(head -n 3 err)"
SERVER=
exec 3>&-
clean t
h races t --fail-if-any >out.races || fail "races: $(cat out.races)"
h locks t --json >out.locks
python3 - <<'END' || fail "locks: $(cat out.locks)"
import json, sys
rows = [json.loads(line) for line in open("out.locks")]
sys.exit(len(rows) != 2 or any(r["contended"] != 0 or r["shared"] for r in rows))
END
h locks t --inversions --json >out.inversions
[ ! -s out.inversions ] || fail "inversions: $(cat out.inversions)"
h features t --affinity >out.features
grep -q 'infrastructural  Stopped.step()  in one, two$' out.features || fail "features: $(cat out.features)"
[ "$(h features t | awk 'NR > 1 { printf "%s ", $6 }')" = "2 2 " ] || fail "methods of features: $(h features t)"
# in the middle of 30,000 calls
seq=$(h print t --json --method many --event METHOD_NORMAL_EXIT | sed -E 's/.*"seq":([0-9]+).*/\1/')
h tree t --around $((seq - 300)) --json | grep '"method":"many"' >out.many
[ -s out.many ] || fail "tree --around: $(cat out.many)"
! grep -q '"calls":' out.many || grep -q '"calls":30000' out.many || fail "tree --around: $(cat out.many)"
finish
