#!/bin/bash
# hooks.sh: every row of weaver/hooks.def is a static method of the compiled hook classes, with its `_r` twin, same descriptor;
# and every number that the hook's Java source repeats is that of C (formats/journal.h, logging/aggregate/counters.h, logging/aggregate/counter_tables.h, logging/hook/shared.h).
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

[ -n "${seen:-}" ] || fail "no hook class in $BUILD/hook has a method v(I)V"

# The constants of the hook classes, as the compiler has them. Each is compared with C, or stands here: of the hook alone.
own=" CLASS_SLOTS CLASS_TRIES "
for class in "$BUILD"/hook/java/lang/HindsightHook*.class; do
    "$JDK/bin/javap" -constants -p "$class" || fail "javap $class"
done | sed -nE 's/^ .*static final (int|long|short|byte) ([A-Z_0-9]+) = (-?[0-9]+)l?;$/\2 \3/p' | sort -u >"$WORK/java"
{
    echo '#include <stddef.h>'; echo '#include <stdio.h>'
    echo '#include "formats/journal.h"'; echo '#include "logging/aggregate/counter_tables.h"'; echo '#include "logging/hook/shared.h"'
    echo '#define NUMBER(name, value) printf("%s %lld\n", name, (long long)(value));'; echo 'int main(void) {'
    for field in pos limit object_next object_end guest tid cells number busy supers supers_left; do
        echo "NUMBER(\"${field^^}\", offsetof(struct thread_desc, $field))"
    done
    echo 'NUMBER("COUNTER_EVENTS", offsetof(struct counter, events))'
    echo 'NUMBER("REC_OBJECT", (int32_t)(REC_FIRST | REC_OBJECT))'
    echo 'NUMBER("HASH", OBJECT_HASH)'
    for same in COUNTER_IDS COUNTER_BYTES RECORD_EVENTS RECORD_SUPER JVM_HASH_MAX FOR_AGENT $(sed -nE 's/^ +(SETTING_[A-Z_]+),.*/\1/p' "$ROOT/logging/hook/shared.h"); do
        echo "NUMBER(\"$same\", $same)"
    done
    echo 'return offsetof(struct counter, count); }' # which the hook takes to be 0
} >"$WORK/numbers.c"
"${CC:-cc}" -D_GNU_SOURCE -I"$ROOT" -o "$WORK/numbers" "$WORK/numbers.c" || die "the headers do not compile alone"
"$WORK/numbers" | sort >"$WORK/c"
[ "${PIPESTATUS[0]}" = 0 ] || fail "struct counter does not begin with its count"
while read -r name value; do
    case $own in *" $name "*) continue ;; esac
    want=$(sed -n "s/^$name //p" "$WORK/c")
    if [ -z "$want" ]; then fail "$name = $value of the hook is compared with nothing: add it to $(basename "$0")"
    elif [ "$want" != "$value" ]; then fail "$name is $value in the hook, $want in C"; fi
done <"$WORK/java"
while read -r name value; do grep -q "^$name " "$WORK/java" || fail "the hook has no constant $name"; done <"$WORK/c"
[ "$(wc -l <"$WORK/c")" -ge 28 ] || fail "only $(wc -l <"$WORK/c") numbers of C"
echo "$(wc -l <"$WORK/c") numbers are the same in Java and C"
finish
