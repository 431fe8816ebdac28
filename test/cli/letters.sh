#!/bin/bash
# Names whose letters are beyond the basic plane: rows have them in UTF-8, class files in Modified UTF-8 (JVMS 4.4.7).
#
# test: cli.letters
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Letters.java" || die "Letters does not compile"
record "$WORK/t" quiet=true -Dfile.encoding=UTF-8 -cp "$WORK/c" Letters >"$WORK/out" 2>&1 || die "not recorded"
ask() { "$HINDSIGHT" "$@" "$WORK/t" 2>&1; }
has() { # TEXT COMMAND...
    ask "${@:2}" >"$WORK/said"
    grep -qF -- "$1" "$WORK/said" || fail "${*:2}: no '$1': $(head -n 3 "$WORK/said")"
}
has '86' print --event METHOD_NORMAL_EXIT --method 𝒳
has '𝒳(20) = 42' tree
has '𝒷' history Letters.𝒳:𝒷
[ "$(ask tree --where '𝒶 == 42' --json | grep -c '"𝒳"')" = 1 ] || fail "tree --where: $(ask tree --where '𝒶 == 42')"
last=$(ask print --event LOCAL_STORE --method 𝒳 --json | tail -n 1 | sed 's/^{"seq":\([0-9]*\).*/\1/')
has '𝒶' locals --at "$((last + 1))"
has '𝒷' locals --at "$((last + 1))"
ask fsck >"$WORK/said" || fail "fsck: $(head -n 2 "$WORK/said")"
finish
