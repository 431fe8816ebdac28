#!/bin/bash
# hooks.sh: every row of weaver/hooks.def is a static method of the compiled hook classes, with its `_r` twin, same descriptor;
# and the offsets that the hook's Java source repeats are those of formats/journal.h.
. "$(dirname "$0")/lib.sh"
for class in "$BUILD"/hook/java/lang/HindsightHook*.class; do
    case $class in *\$*) continue ;; esac
    "$JDK/bin/javap" -s -p "$class" >"$WORK/javap" 2>/dev/null || die "javap $class"
    awk '!/descriptor:/ { line = $0 } /descriptor:/ { if (line ~ /static/) { sub(/\(.*/, "", line); n = split(line, w, " "); print w[n] " " $2 } }' "$WORK/javap" >"$WORK/methods"
    grep -q '^v (I)V$' "$WORK/methods" || continue # not a class of hooks
    seen=1 rows=0
    while read -r shape desc; do
        rows=$((rows + 1))
        for name in "$shape" "${shape}_r"; do
            grep -qxF "$name $desc" "$WORK/methods" || fail "${class##*/} has no static $name$desc"
        done
    done < <(sed -nE 's/^HOOK\(([a-z_]+), *"([^"]+)"\).*/\1 \2/p' "$ROOT/weaver/hooks.def")
    [ $rows -gt 0 ] || fail "no rows in hooks.def"
    echo "${class##*/}: $rows rows of hooks.def"
done

# private static final long POS = 0, LIMIT = 8, ...: the fields of struct thread_desc in capitals; REC_X: record numbers
hook=$ROOT/logging/hook/java/lang/HindsightHook.java
{
    echo '#include <stddef.h>'; echo '#include <stdio.h>'; echo '#include "formats/journal.h"'; echo 'int main(void) {'
    for field in pos limit object_next object_end guest tid cells number supers supers_left; do
        echo "printf(\"${field^^} %zu\\n\", offsetof(struct thread_desc, $field));"
    done
    echo 'printf("REC_OBJECT %u\n", (unsigned)(REC_FIRST | REC_OBJECT)); return 0; }'
} >"$WORK/offsets.c"
"${CC:-cc}" -I"$ROOT" -o "$WORK/offsets" "$WORK/offsets.c" || die "formats/journal.h does not compile alone"
while read -r name value; do
    java=$(grep -oE "\b$name = (0x)?[0-9a-f]+" "$hook" | head -n 1 | sed 's/.*= //')
    [ -n "$java" ] || { fail "$(basename "$hook") has no constant $name"; continue; }
    [ $((java)) = "$value" ] || fail "$(basename "$hook"): $name is $java, journal.h says $value"
done < <("$WORK/offsets")
[ -n "${seen:-}" ] || fail "no hook class in $BUILD/hook has a method v(I)V"
finish
