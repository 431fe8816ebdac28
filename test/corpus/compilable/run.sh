#!/bin/bash
# run.sh [LEVEL [CLASSES]]: a method that the JVM compiles without us, it compiles woven, too.
#
# One that it refuses is interpreted for ever, up to fifty times slower, and nothing else tells. So each method of a jar
# is given to the compiler (HotSpot's WhiteBox interface), with and without the agent. Woven code is longer: what is too
# long for the compiler is told by name, and is no failure.
#
# test: compilable
# labels: jvm slow
# jdks: all
# limit: 900 s
# short: 1 250
# long: 4 1000
. "$(dirname "$0")/../../lib.sh"
level=${1:-1} classes=${2:-250} jar=/usr/share/java/rhino.jar
here=$ROOT/test/corpus/compilable
[ -e $jar ] || skip "$jar is not there (librhino-java)"
cd "$WORK" || exit 2
package=sun.hotspot; [ "$RELEASE" -le 17 ] || package=jdk.test.whitebox
for source in WhiteBox CompileAll; do
    sed "s/@PACKAGE@/$package/" "$here/$source.java.in" >$source.java
done
"${JAVAC[@]}" -d boot WhiteBox.java && "${JAVAC[@]}" -cp boot -d app CompileAll.java || die "it does not compile"
all() { # NAME JVM OPTIONS
    local name=$1; shift
    "$JAVA" -XX:+UnlockDiagnosticVMOptions -XX:+WhiteBoxAPI -XX:-DontCompileHugeMethods -XX:+LogCompilation \
        "-XX:LogFile=$WORK/$name.xml" -XX:ReservedCodeCacheSize=400m -XX:-MethodFlushing "$@" -Xbootclasspath/a:boot \
        -cp app CompileAll "$level" "$classes" $jar >"$name" 2>"$name.err" || fail "$name: $(tail -n 2 "$name.err")"
    grep '^refused' "$name" | sort >"$name.refused"
    # the JVM tries these again; the last one: while a method was compiled, an agent's environment came or went
    grep -o "<failure reason='[^']*" "$name.xml" | cut -d"'" -f2 |
        grep -vE '^(stale task|concurrent class|retry|Jvmti state change)' | sort -u >"$name.why"
}
all plain
read -r _ _ _ _ compiled _ methods < <(tail -n 1 plain)
[ "${compiled:-0}" -gt $((${methods:-0} * 8 / 10)) ] || fail "the compiler compiles too little: $(tail -n 1 plain)"
for options in format=omni,weave=ALL format=omni,weave=ALL,derive=on format=omni,weave=EXEC+CALL+PARAM \
    format=latest,weave=ALL format=freq format=timing; do
    all woven "-agentpath:$AGENT=output=$WORK/trace,$options"
    rm -rf trace
    more=$(comm -13 plain.refused woven.refused)
    why=$(comm -13 plain.why woven.why | grep -vE '^(CodeBuffer overflow|out of nodes)')
    [ -z "$why" ] ||
        fail "$options: $(wc -l <<<"$more") methods are not compiled: $why: $(head -n 2 <<<"$more" | tr '\n' ' ')"
    echo "$options: $(tail -n 1 woven)${more:+; too long: $(head -n 3 <<<"$more" | cut -c9-160 | tr '\n' ' ')}"
    read -r _ _ _ _ now _ < <(tail -n 1 woven)
    [ "${now:-0}" -gt $((methods * 8 / 10)) ] || fail "$options: only $now of $methods methods were compiled"
done
finish "$methods methods of $(basename $jar) at level $level on JDK $RELEASE: $compiled compiled without the agent"
