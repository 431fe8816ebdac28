#!/bin/bash
# python/run.sh: the Python package answers what the command answers, of recorded programs.
#
# test: clients.python
# labels: ask cli
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
cd "$WORK" || exit 1
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python PYTHONDONTWRITEBYTECODE=1
for program in Bank Failure Loops; do
    compile "$program" "$ROOT/test/ask/$program.java" || die "$program does not compile"
    "$JAVA" "-agentpath:$AGENT=output=$program.t,format=omni,quiet=true" -cp "$program" "$program" >/dev/null 2>&1
    python3 "$ROOT/test/clients/python/compare.py" "$HINDSIGHT" "$program.t" || fail "$program"
done
for program in Locks LockOrder Races Features; do
    compile "$program" "$ROOT/test/ask/$program.java" || die "$program does not compile"
    "$JAVA" "-agentpath:$AGENT=output=$program.t,format=omni,quiet=true" -cp "$program" "$program" >/dev/null 2>&1
    [ "$program" = Features ] && "$BUILD/test/mark_trace" Features.t a 10 120 b 60 200 a 210 220 c 230 -
    python3 "$ROOT/test/clients/python/threads.py" "$HINDSIGHT" "$program.t" || fail "$program"
done
compile said "$ROOT"/test/ask/output/{,lib/}*.java || die "Says does not compile"
"$JAVA" "-agentpath:$AGENT=output=said.t,format=omni,quiet=true,stdout=true" -Dfile.encoding=UTF-8 \
    -Dstdout.encoding=UTF-8 -cp said Says println print lines >/dev/null 2>&1
python3 "$ROOT/test/clients/python/output.py" "$HINDSIGHT" said.t || fail "output and moments"
python3 "$ROOT/bindings/python/examples/busiest.py" Bank.t >out || fail "the example"
grep -q 'calls of' out || fail "the example prints $(cat out)"
python3 "$ROOT/bindings/python/generate.py" --check || fail "the structs of the package are not those of the library"
python3 -c 'import hindsight' 2>err || fail "$(cat err)"
HINDSIGHT_LIBRARY=/nowhere.so python3 -c 'import hindsight' 2>/dev/null &&
    fail "a library that is not there is not told"
finish
