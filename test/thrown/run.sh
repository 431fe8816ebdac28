#!/bin/bash
# Exceptions that the JVM, or code that is not woven, throws: Throws.java prints what the JVM says of each; places.py
# compares it with what the answers say: with all groups and with few, derived and not, without recorded stacks.
. "$(dirname "$0")/../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
compile "$WORK/c" "$HERE/Throws.java" || die "the program does not compile"
places() { # NAME OPTIONS GROUPS: records it and compares
    record "$WORK/$1" "$2,weave=$3" -cp "$WORK/c" Throws >"$WORK/$1.out" 2>"$WORK/err" ||
        die "recording $1: $(tail -n 3 "$WORK/err")"
    python3 "$HERE/places.py" "$HINDSIGHT" "$WORK/$1" "$WORK/$1.out" >"$WORK/$1.said" ||
        fail "$1: $(tail -n 12 "$WORK/$1.said")"
    echo "$1: $(tail -n 1 "$WORK/$1.said")"
}
places all derive=on ALL
places plain derive=off ALL
places no-stacks exception=message ALL
places exec derive=on EXEC
places calls derive=on EXEC+CALL
places labels derive=on EXEC+LABEL
places catches derive=on CALL
"$HINDSIGHT" fsck "$WORK/all" >"$WORK/fsck" || fail "fsck: $(tail -n 3 "$WORK/fsck")"
finish
