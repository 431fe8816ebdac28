#!/bin/bash
# Sentences of README.md, SECURITY.md and docs/, each tried by a script (*.txt, claims.py): those of the first 275 of
# the 802 sentences there were, in an order drawn at random (Python: random.Random(44).shuffle), that a script can try.
# Left out were pointers and examples, what only a person at an editor or a browser sees, measurements, and what has a
# test that does nothing else (other users, buckets, servers of ClickHouse, limits of gigabytes).
#
# test: docs.claims
# labels: docs slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
[ "$RELEASE" = 17 ] || skip "tried on JDK 17"
cd "$WORK" || exit 1
compile classes "$ROOT"/docs/programs/*.java "$HERE/../Everything.java" "$HERE/../Acme.java" "$HERE/Cases.java" -- -g \
    --release 17 || die "the programs do not compile"
export PATH=$(dirname "$HINDSIGHT"):$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT ROOT
unset HINDSIGHT_FLEET
python3 "$HERE/claims.py" "$ROOT" "$HERE"/*.txt || fail "claims"
finish
