#!/bin/bash
# hostile.sh: traces of strangers, each with every checksum right and something that no recorder writes
# (hostile.def). Every question is answered or refused in one line, within a second of CPU time and 256 MB, and fsck
# says what is wrong.
#
# test: trust.hostile
# labels: trust
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
hostile=$BUILD/test/hostile
compile "$WORK/classes" "$here/Hostile.java" || die "Hostile does not compile"
record "$WORK/good" quiet=true -cp "$WORK/classes" Hostile >"$WORK/out" 2>&1 || die "not recorded: $(cat "$WORK/out")"
consistent "$WORK/good"
id=$("$HINDSIGHT" objects "$WORK/good" --json --type Derived --limit 1 | sed -n 's/^{"id":\([0-9]*\).*/\1/p')
[ -n "$id" ] || die "no Derived was recorded"

cat >"$WORK/questions" <<END
info @
print @ --limit 20
print @ --object $id
print @ --class Derived --limit 20
tree @ --depth 3
object $id @ --at 900
object $id @ -n 1
locals @ --at 900
last-write Derived.count @ --before 900
last-write $id.count @
last-write $id.missing @
history Base.count @ --limit 5
history $id.next @
history Derived.size @
why 900 @
objects @ --where count==3
objects @ --type Derived --where size==3
exceptions @
strings @
threads @
classes @
methods @
dataids @ --limit 20
report @
freq @ --limit 20
features @
races @
locks @
deadlocks @
timeline @
activity @
source @ Derived
diff @ @
sql @ SELECT/**/count(*)/**/FROM/**/classes
export @ --to hprof -o $WORK/file
export @ --to mse -o $WORK/file
export @ --to xml -o $WORK/file
export @ --to jfr -o $WORK/file
fsck @
END

"$hostile" >"$WORK/names"
# all questions of half of them, the first ones of the others
head -n 14 "$WORK/questions" >"$WORK/few"
while read -r name said; do
    bad=$WORK/$name
    asked=few
    case $name in class_circle | interfaces | silent_loop) asked=questions ;; esac
    "$hostile" "$WORK/good" "$bad" "$name" || { fail "$name: not made: $?"; continue; }
    python3 "$here/hostile.py" "$HINDSIGHT" "$bad" "$WORK/$asked" 1 256 || fail "$name"
    "$HINDSIGHT" fsck "$bad" >"$WORK/fsck" 2>&1; status=$?
    [ $status = 1 ] && grep -qE -- "$said" "$WORK/fsck" || fail "$name: fsck: status $status: $(head -n 3 "$WORK/fsck")"
done <"$WORK/names"

# time and memory follow what is shown of a large array
record "$WORK/array" quiet=true -cp "$WORK/classes" Hostile 1500000 || die "no array is recorded"
id=$("$HINDSIGHT" objects "$WORK/array" --json --type 'int[]' | sed -n 's/^{"id":\([0-9]*\).*/\1/p')
printf '%s\n' "object $id @ -n 5" "object $id @ -n 5 --json" "objects @ --where [3]==6" >"$WORK/questions"
python3 "$here/hostile.py" "$HINDSIGHT" "$WORK/array" "$WORK/questions" 0.5 64 || fail "a large array"
"$HINDSIGHT" object "$id" "$WORK/array" -n 3 --json | grep -q '"elements":{"0":5,"1":4,"2":7}' || fail "its elements"
"$HINDSIGHT" objects "$WORK/array" --where '[3]==6' | grep -q "^ *$id " || fail "it is not found by an element"
finish "$(wc -l <"$WORK/names") hostile traces"
