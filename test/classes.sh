#!/bin/bash
# classes.sh: compiles the programs of all tests, once for the JDK under test, into $BUILD/test/classes/RELEASE, or
# below $HINDSIGHT_CLASSES_DIR (Compile.java). `compile` of lib.sh takes them from there. Nothing is done when nothing
# has changed.
. "$(dirname "$0")/lib.sh"
out=${HINDSIGHT_CLASSES_DIR:-$BUILD/test/classes}/$RELEASE
cd "$ROOT/test" || exit 1

# newer: something that the classes are made from is newer than they are
newer() {
    find . -path ./workloads/src -prune -o -path ./clients -prune -o -path ./bugs -prune -o -path ./soak -prune -o \
        \( -name '*.java' -o -name classes.sh \) -newer "$out/done" -print | grep -q .
}
if [ -e "$out/done" ] && [ "$(cat "$out/done")" = "$JDK" ] && ! newer; then finish "nothing has changed"; fi
rm -rf "$out"
mkdir -p "$out"

# Started.java runs a class that its test makes, which is not here.
# One run of javac for the files of a folder, and of a folder lib in it, that have the same options.
for file in $(find . -path ./workloads -prune -o -path ./clients -prune -o -path ./bugs -prune -o -path ./soak \
    -prune -o -path ./oracle -prune -o -name Compile.java -prune -o -path ./ask/evaluate/Started.java -prune \
    -o -name '*.java' -print | sed 's|^\./||' | sort) workloads/VerifyAll.java \
    workloads/src/modern17/Modern17.java oracle/src/oracle/*.java; do
    least=$(sed -nE '1,20s|^// *java: *([0-9]+).*|\1|p' "$file")
    [ "${least:-17}" -le "$RELEASE" ] || continue
    folder=${file%/*}
    printf '%s\t%s\t%s\n' "${folder%/lib}" "$(javac_options "$file")" "$file"
done >"$WORK/files"
awk -F'\t' '
{ k = $1 FS $2; files[k] = files[k] " " $3 }
END {
    for (k in files) {
        split(k, p, FS)
        print "-nowarn -Xlint:none -proc:none -XDsuppressNotes " p[2] FS substr(files[k], 2)
    }
}' "$WORK/files" >"$WORK/list"
"$JDK/bin/java" -XX:TieredStopAtLevel=1 Compile.java . "$out" "$WORK/list" || die "not everything compiles"
echo "$JDK" >"$out/done"
finish "$(wc -l <"$WORK/files") programs compiled for JDK $RELEASE"
