#!/bin/bash
# hooks.sh: what is made from formats/hook.def is in the compiled hook class: every row HOOK as a static method with its
# `_r` twin and those two for triggers, of the same descriptor, and no other method with such a descriptor; every number
# with the value that C has (formats/journal.h, logging/hook/shared.h).
#
# test: style.hooks
# labels: style
# limit: 900 s
. "$(dirname "$0")/lib.sh"
file=$BUILD/hook/java/lang/HindsightHook.class
"$JDK/bin/javap" -s -p "$file" >"$WORK/javap" 2>/dev/null || die "javap $file"
awk '
!/descriptor:/ { line = $0 }
/descriptor:/ {
    if (line ~ /public static.*\(/) {
        sub(/\(.*/, "", line)
        n = split(line, w, " ")
        print w[n] " " $2
    }
}' "$WORK/javap" | sort >"$WORK/methods"
{
    sed -nE 's/^HOOK\(([a-z_]+), *"([^"]+)"\).*/\1 \2\n\1_r \2\ntrigger_\1 \2\ntrigger_\1_r \2/p' \
        "$ROOT/formats/hook.def"
    sed -nE 's/^HOOK\(([vijfdl]+), *"([^"]+)\)V"\).*/loop_\1 \2JJ)J/p' "$ROOT/formats/hook.def"
    echo "uncaught (Ljava/lang/Throwable;)V" # called by Thread (freeze=uncaught)
    echo "made (Ljava/lang/Object;)V" # at the end of constructors (formats/described.def)
    echo "asked (Ljava/lang/String;)Ljava/lang/Class;" # in class loaders
    echo "thread ()Ljava/lang/Object;"
    echo "unwound ()V" # called at the begin of handlers
    echo "cut (II)V" # likewise, where events are only counted
    echo "tick (II)I" # of loops, where events are only counted
    echo "add (II)V"
    echo "addMany (II)I"
    echo "calls (Ljava/lang/Object;I)V" # where the last events are kept: what a call enters
    echo "calls (I)V"
    echo "direct ()V"
    echo "called ()I"
    echo "leaving (I)V"
    echo "forget ()V"
    echo "arrive ()V"
    echo "number ()J" # of loops, where the last events are kept
    echo "at (I)J"
    echo "leave (JJI)V"
} | sort >"$WORK/rows"
[ "$(wc -l <"$WORK/rows")" -ge 133 ] || fail "only $(wc -l <"$WORK/rows") methods in hook.def"
if diff "$WORK/rows" "$WORK/methods" >"$WORK/diff"; then
    echo "HindsightHook: $(wc -l <"$WORK/rows") methods of hook.def"
else
    fail "HindsightHook (>) has other methods than hook.def (<): $(grep '^[<>]' "$WORK/diff" | head -n 5 | tr '\n' ' ')"
fi

# Every method is @Hidden, so that no stack trace has it: the names of those that are not.
for class in HindsightHook HindsightHookRedact HindsightHookOutput HindsightOutput HindsightThrow; do
    "$JDK/bin/javap" -v -p "$BUILD/hook/java/lang/$class.class" >"$WORK/javap" 2>/dev/null || die "javap $class"
    shown=$(awk '
    function told() { if (method != "" && !hidden) print method; method = "" }
    /^  [a-z].*\(.*\);$/ { told(); method = $0; hidden = 0 }
    /jdk.internal.vm.annotation.Hidden/ { hidden = 1 }
    END { told() }' "$WORK/javap" | grep -v "private java.lang.$class();")
    [ -z "$shown" ] || fail "$class: not @Hidden: $shown"
    [ "$(grep -c 'vm.annotation.Hidden$' "$WORK/javap")" -gt 0 ] || fail "$class has no @Hidden"
done

# The constants of the hook class, as the compiler has them. Each is compared with C, or stands here: of the hook alone.
own=" CLASS_SLOTS CLASS_TRIES LOCK_BITS STACK_LOCKED UNLOCKED MONITOR BIASED CHANGED IN_PLACE AT_MONITOR "
for class in HindsightHook HindsightHookLink; do
    "$JDK/bin/javap" -constants -p "$BUILD/hook/java/lang/$class.class" || fail "javap $class"
done | sed -nE 's/^ .*static final (int|long|short|byte) ([A-Z_0-9]+) = (-?[0-9]+)l?;$/\2 \3/p' | sort >"$WORK/java"
{
    echo '#include <stdio.h>'
    echo '#include "formats/journal.h"'
    echo '#include "formats/values.h"'; echo '#include "logging/hook/shared.h"'; echo 'int main(void) {'
    echo '#define SETTING(name, meaning) printf("SETTING_%s %lld\n", #name, (long long)SETTING_##name);'
    echo '#define FIELD(name, field) printf("%s %lld\n", #name, (long long)offsetof(struct thread_desc, field));'
    echo '#define NUMBER(type, name, value) printf("%s %lld\n", #name, (long long)(value));'
    echo '#include "formats/hook.def"'
    echo 'return offsetof(struct counter, position); }' # which the hook takes to be 0
} >"$WORK/numbers.c"
"${CC:-cc}" -D_GNU_SOURCE -I"$ROOT" -o "$WORK/numbers" "$WORK/numbers.c" || die "the headers do not compile alone"
"$WORK/numbers" | sort >"$WORK/c"
[ "${PIPESTATUS[0]}" = 0 ] || fail "struct counter does not begin with its count"
while read -r name value; do
    case $own in *" $name "*) continue ;; esac
    want=$(sed -n "s/^$name //p" "$WORK/c")
    if [ -z "$want" ]; then fail "$name = $value of the hook is compared with nothing: make it a row of hook.def"
    elif [ "$want" != "$value" ]; then fail "$name is $value in the hook, $want in C"; fi
done <"$WORK/java"
while read -r name value; do grep -q "^$name " "$WORK/java" || fail "the hook has no constant $name"; done <"$WORK/c"
[ "$(wc -l <"$WORK/c")" -ge 29 ] || fail "only $(wc -l <"$WORK/c") numbers of C"
# the layout itself: what has a fixed place in the mapping that a dead JVM leaves (recovery may be of another build)
echo "BUSY 96 COUNTERS 48 GUEST 24 LIMIT 8 NUMBER 56 OBJECT_END 20 OBJECT_NEXT 16 POS 0 SUPERS 120 SUPERS_LEFT 124" \
    "TID 32" | xargs -n 2 >"$WORK/layout"
while read -r name value; do
    grep -qx "$name $value" "$WORK/c" || fail "$name of struct thread_desc is not at $value"
done <"$WORK/layout"
echo "$(wc -l <"$WORK/c") numbers are the same in Java and C"
finish
