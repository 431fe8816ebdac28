#!/bin/bash
# Exceptions that the JVM, or code that is not woven, throws: Throws.java prints what the JVM says of each; places.py
# compares it with what the answers say: with all groups and with few, derived and not, without recorded stacks.
# Messages.java: messages of classes with a getMessage or fillInStackTrace of their own.
#
# test: ask.thrown
# labels: ask cli slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(dirname "${BASH_SOURCE[0]}")
compile "$WORK/c" "$HERE/Throws.java" "$HERE/Messages.java" || die "the programs do not compile"
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
record "$WORK/messages" "" -cp "$WORK/c" Messages >"$WORK/messages.out" 2>"$WORK/err"
python3 "$HERE/messages.py" "$HINDSIGHT" "$WORK/messages" "$WORK/messages.out" >"$WORK/said" ||
    fail "messages: $(cat "$WORK/said")"
# what the instruction that threw was given
causes() { # METHOD WORDS...: the links that `why` names for the exit of that method
    local seq
    seq=$("$HINDSIGHT" print "$WORK/all" --event METHOD_EXCEPTIONAL_EXIT --method "$1" --json | head -n 1 |
        sed -E 's/^\{"seq":([0-9]+).*/\1/')
    "$HINDSIGHT" why "$seq" "$WORK/all" >"$WORK/why" || fail "why of $1"
    for word in "${@:2}"; do
        grep -qF -- "$word" "$WORK/why" || fail "why of $1 does not say '$word': $(head -n 5 "$WORK/why")"
    done
}
causes field 'the null: seq' 'parameter n' 'constant null'
causes index 'the index (followed)' 'the array' 'last written at seq'
causes store 'the value stored (followed)' 'the array'
causes divide 'the divisor (followed)' 'the dividend' 'constant 0'
causes cast 'the object of the cast: seq'
causes negative 'the length: seq' 'constant -2'
causes parse 'thrown by java.lang.Integer.parseInt' '"1O"'
causes get 'thrown by java.util.List.get' 'argument 1 of java.util.List.get (followed)' 'receiver of java.util.List.get'
causes changing 'thrown by java.util.Map.computeIfAbsent' 'argument 1 of java.util.Map.computeIfAbsent' '"changed"'
causes required 'argument 0 of java.util.Objects.requireNonNull (followed)'
"$HINDSIGHT" fsck "$WORK/all" >"$WORK/fsck" || fail "fsck: $(tail -n 3 "$WORK/fsck")"
finish
