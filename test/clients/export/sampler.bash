# sampler.bash - sourced by the tests of exports: records Sampler.java.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
HERE=$ROOT/test/clients/export

# sample TRACE [ROUNDS [AGENT-OPTIONS]]
sample() {
    [ -e "$WORK/sampler/Sampler.class" ] || compile "$WORK/sampler" "$HERE/Sampler.java" ||
        die "Sampler does not compile"
    record "$1" "${3:-weave=ALL}" -cp "$WORK/sampler" Sampler "${2:-5}" >"$WORK/sampler.out" 2>"$WORK/sampler.err" ||
        die "recording: $(cat "$WORK/sampler.err")"
}

# rename_method CLASS-FILE: gives the method fibonacci a name with what a method's name may have
rename_method() {
    python3 - "$1" <<'PY' || die "no method fibonacci in $1"
import sys
b = open(sys.argv[1], "rb").read()
assert b.count(b"fibonacci") == 1
open(sys.argv[1], "wb").write(b.replace(b"fibonacci", b'f"\n\\ &-x}'))
PY
}
