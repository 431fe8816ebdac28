#!/bin/bash
# run.sh [PROGRAM...]: a debugger on a living program that is recorded, stopped at PLACES (500) places of it, and
# hindsight eval on that recording there have the same answers: modern17, antlr4 and rhino of test/workloads; without a
# name the first of them, at 60 places. An earlier recording says where the places are.
#
# test: ask.living
# labels: ask slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "a sanitized library does not load into python3"
export HINDSIGHT_LIBRARY=$BUILD/lib/libhindsight-reader.so PYTHONPATH=$ROOT/bindings/python PYTHONDONTWRITEBYTECODE=1
places=${PLACES:-500} src=$ROOT/test/workloads/src jars=/usr/share/java
[ $# -gt 0 ] || { places=${PLACES:-60}; set -- modern17; }
"${JAVAC[@]}" -d "$WORK/living" "$HERE"/*.java || die "Living does not compile"
program() { # the class path, and the main class with its arguments
    local c=$WORK/$1.classes
    mkdir -p "$c"
    case $1 in
    modern17) "${JAVAC[@]}" -g -d "$c" "$src"/modern17/*.java && cp=$c main=Modern17 ;;
    antlr4) cp=$c:$(printf "$jars/%s.jar:" antlr4 antlr4-runtime antlr3-runtime stringtemplate4 treelayout javax.json)
        (cd "$c" && cp "$src"/antlr4/Calc.g4 . && "$JAVA" -cp "$cp" org.antlr.v4.Tool -visitor Calc.g4 &&
            "${JAVAC[@]}" -g -cp "$cp" -d . Calc*.java "$src"/antlr4/RunCalc.java) && main="RunCalc 4" ;;
    rhino) cp=$jars/rhino.jar
        main="org.mozilla.javascript.tools.shell.Main -version 200 -opt -1 $src/rhino/script.js 1" ;;
    esac
}
for name; do
    cd "$WORK" && program "$name" || die "$name does not compile"
    # shellcheck disable=SC2086 # words
    record "$WORK/$name" weave=ALL -cp "$cp" $main >/dev/null || die "no recording of $name"
    python3 "$HERE/places.py" "$HINDSIGHT" "$WORK/$name" "$places" >"$name.places" || die "no places in $name"
    agent="-agentpath:$AGENT=output=$WORK/$name.living,format=omni,quiet=true,weave=ALL"
    "$JAVA" -cp "$WORK/living" Living "$name.places" "$agent -cp $WORK/living:$cp" "$main" >"$name.answers" ||
        die "the debugger on $name"
    python3 "$HERE/compare.py" "$WORK/$name.living" "$name.answers" "$name.places" >out ||
        fail "$name: $(grep FAILED out | head -n 3)"
    [ -n "${SAY:-}" ] && cat out
    echo "$name: $(tail -n 1 out)"
done
finish
