#!/bin/bash
# docs/*.md and README.md: every console block is run, and what it shows is what comes out (pages.py); the tables are
# those of the code and of real output. run.sh --update writes what comes out into the pages instead; read the
# difference before it is committed.
. "$(dirname "$0")/../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
mkdir "$WORK/shop" && cd "$WORK/shop" || exit 1
compile classes "$ROOT"/docs/programs/*.java -- -g --release 17 || die "the programs do not compile"
export PATH=$(dirname "$HINDSIGHT"):$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT
python3 "$HERE/pages.py" "$ROOT" "$@" || fail "pages"
python3 "$HERE/tables.py" "$ROOT" "$@" || fail "tables"
finish
