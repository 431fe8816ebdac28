#!/bin/bash
# offline.sh WEAVE_CORPUS [JAR|FOLDER...]: every class woven without a JVM, alone and together (weave_corpus.c), then
# what was woven with ALL is verified by the JVM (-Xverify:all does not need the hook class). Without names: the classes
# of the oracle, the workloads' own programs, some jars, and java.base of the JDK; in the short size
# (HINDSIGHT_TEST_SIZE) two jars. In a sanitized build a smaller set, and 20 changed versions of each class, in the
# short size 3.
set -u
tool=$1; shift
size=${HINDSIGHT_TEST_SIZE:-long}
root=${HINDSIGHT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
JDK=${JDK:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failed=0
mkdir "$work/own" "$work/v"
javac=("$JDK/bin/javac" -J-XX:TieredStopAtLevel=1 -nowarn) # as in lib.sh
"${javac[@]}" -Xlint:none -XDsuppressNotes -proc:none -g --release 17 -d "$work/own" \
    "$root"/test/oracle/src/oracle/*.java \
    "$root/test/workloads/src/modern17/Modern17.java" "$root"/test/litmus/*.java \
    "$root"/test/jvm/{Paths,Records,Lambdas,StackTraces,Uninitialized}.java || exit 1
"${javac[@]}" -d "$work/v" "$root/test/workloads/VerifyAll.java" || exit 1

if [ -n "${HINDSIGHT_SANITIZE:-}" ]; then
    "$tool" "$work/own" || failed=1
    "$tool" -f "${HINDSIGHT_FUZZ:-$([ "$size" = short ] && echo 3 || echo 20)}" "$work/own" || failed=1
    "$tool" -g ALL /usr/share/java/asm-all.jar || failed=1
    exit $failed
fi

targets=("$@")
if [ $# = 0 ]; then
    targets=("$work/own")
    jars=(js.jar asm-all.jar)
    [ "$size" = short ] || jars+=(org.sat4j.core.jar h2.jar eclipse-jdt-core.jar)
    for jar in "${jars[@]}"; do
        if [ -e "/usr/share/java/$jar" ]; then
            targets+=("/usr/share/java/$jar")
        else
            failed=1; echo "FAILED: no /usr/share/java/$jar (test/packages.sh)"
        fi
    done
    [ "$size" = short ] || {
        "$JDK/bin/jimage" extract --dir "$work/jdk" --include 'regex:/java.base/.*class' "$JDK/lib/modules" || {
            failed=1
            echo "FAILED: no classes of java.base"
        }
        rm -f "$work/jdk/java.base/module-info.class"
        targets+=("$work/jdk/java.base")
    }
fi
for target in "${targets[@]}"; do
    echo "== ${target##*/}"
    rm -rf "$work/out"; mkdir "$work/out"
    "$tool" -v -o "$work/out" "$target" >"$work/log" || failed=1
    grep -v '^reduced' "$work/log"
    echo "reduced methods with ALL by reason:"
    sed -n 's/^reduced: .* with ALL: //p' "$work/log" | sed -E 's/[0-9]+/N/g' | sort | uniq -c | sort -rn | head -n 5
    case $target in */jdk/*) continue ;; esac # java.* cannot be defined by a loader of ours
    verdict() {
        "$JDK/bin/java" -Xmx1g -XX:-CreateCoredumpOnCrash -Xverify:all -cp "$work/v" VerifyAll \
            -v -cp "$(echo /usr/share/java/*.jar | tr ' ' ':' | cut -c1-60000)" "$1" 2>&1
    }
    verdict "$target" >"$work/plain"; verdict "$work/out" >"$work/woven"
    tail -n 1 "$work/woven"
    case $(tail -n 1 "$work/plain") in
    *'rejected 0') # then our verifier takes it, too
        ! grep '^refused' "$work/log" || failed=1 ;;
    classes*) ;;
    *) failed=1; echo "FAILED: ${target##*/} unwoven: $(tail -n 1 "$work/plain")" ;;
    esac
    if [ "$(tail -n 1 "$work/plain")" != "$(tail -n 1 "$work/woven")" ]; then
        failed=1
        echo "FAILED: unwoven: $(tail -n 1 "$work/plain")"
        diff <(sort "$work/plain") <(sort "$work/woven") | head -n 10
    fi
done
exit $failed
