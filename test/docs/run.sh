#!/bin/bash
# docs/*.md and README.md: every console block is run, and what it shows is what comes out (pages.py); every other
# command is run too, and answers something, or is listed with the reason (commands.py); the tables are those of the
# code and of real output (tables.py). run.sh --update writes what comes out into the pages instead; read the difference
# before it is committed. A page whose output differs in numbers alone is left as it is.
#
# test: docs.pages
# labels: docs cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
mkdir "$WORK/shop" && cd "$WORK/shop" || exit 1
compile classes "$ROOT"/docs/programs/*.java -- -g --release 17 || die "the programs do not compile"
export PATH=$(dirname "$HINDSIGHT"):$JDK/bin:$PATH HINDSIGHT_AGENT=$AGENT
python3 "$HERE/pages.py" "$ROOT" "$@" || fail "pages"
python3 "$HERE/tables.py" "$ROOT" "$@" || fail "tables"
compile acme-classes "$HERE/Acme.java" && jar cfe app.jar com.acme.Acme -C acme-classes . || die "no app.jar"
hindsight record -o acme --option quiet=true -- java -jar app.jar >/dev/null 2>err || die "recording: $(cat err)"
cp -r acme hindsight-1 # the newest, for commands that name none
ln -s "$ROOT/docs" .
HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so python3 "$HERE/commands.py" "$ROOT" "$AGENT" || fail "commands"
finish
