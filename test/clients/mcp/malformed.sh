#!/bin/bash
# `hindsight mcp` and messages that are wrong: an error each, never a crash or silence (malformed.py). The asan build
# runs this, too.
#
# test: mcp.malformed
# labels: mcp
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
cd "$WORK" || exit 1
compile classes "$HERE/Shop.java" || die "Shop.java does not compile"
record trace weave=ALL -cp classes Shop 120 >out 2>err || die "recording: $(cat err)"
python3 "$HERE/malformed.py" "$HINDSIGHT" trace 2000 || fail "malformed messages"
finish
