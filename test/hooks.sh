#!/bin/bash
# hooks.sh: every row of weaver/hooks.def is a static method of the compiled hook classes, with its `_r` twin, same descriptor.
. "$(dirname "$0")/lib.sh"
for class in "$BUILD"/hook/java/lang/HindsightHook*.class; do
    case $class in *\$*) continue ;; esac
    "$JDK/bin/javap" -s -p "$class" >"$WORK/javap" 2>/dev/null || die "javap $class"
    awk '/\(/ { line = $0 } /descriptor:/ { if (line ~ /static/) { sub(/\(.*/, "", line); n = split(line, w, " "); print w[n] " " $2 } }' "$WORK/javap" >"$WORK/methods"
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
finish
