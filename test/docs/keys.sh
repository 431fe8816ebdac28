#!/bin/bash
# docs/json.md names every key that an answer has, in whatever form a program is recorded and asked about, and no other
# (keys.py). keys.sh --update writes the commands of each key into the page; what it means is written by hand.
#
# test: docs.keys
# labels: docs slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
[ "$RELEASE" = 17 ] || skip "which keys an answer has does not depend on the JDK"
cd "$WORK" || exit 1
cp "$HERE/Everything.java" . && compile classes "$HERE/Everything.java" || die "the program does not compile"
export PATH=$(dirname "$HINDSIGHT"):$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT
python3 "$HERE/keys.py" "$ROOT" "$BUILD/test" "$@" || fail "keys"
finish
