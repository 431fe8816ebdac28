#!/bin/bash
# One program in JVMs of other collectors, object layouts, compilers, and with archives of its classes (CDS, AOT cache):
# it prints the same, and the trace is whole and has the same calls. An archive that is made while the program is
# recorded is good without the agent: there are no hooks in it.
#
# test: beside.jvms
# labels: beside slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/beside/Beside.java" || die "Beside does not compile"
"$JDK/bin/jar" cf beside.jar -C c . || die "jar" # archives hold classes of jars only
program=(-Xmx512m -cp beside.jar Beside 6)
runs=0
calls() {
    "$HINDSIGHT" print "$1" --json --event METHOD_ENTRY,METHOD_PARAM | sed 's/.*"event"/"event"/; s/"id":[0-9]*//'
}
# the JVM says what it has to say on the program's standard output
own() { grep -vE '^(\[|OpenJDK 64-Bit Server VM warning: |(Temporary|Launching|Reading|AOTCache|Removed) )' "$1"; }
run() { # NAME JAVA-ARGUMENT...: the program prints the same
    local name=$1; shift
    "$JAVA" "$@" "${program[@]}" >out 2>err || fail "$name: exit status $?: $(head -n 5 err)"
    own out | cmp plain - || fail "$name: the program does something else: $(head -n 3 out)"
}
# recorded NAME JAVA-ARGUMENT...: the same, and the trace is whole
recorded() {
    local name=$1; shift
    runs=$((runs + 1))
    rm -rf t
    run "$name" "-agentpath:$AGENT=output=t,format=omni" "$@"
    [ "$(own err | grep -c '^hindsight: ')" = 1 ] && [ "$(own err | grep -vc '^Picked up')" = 1 ] ||
        fail "$name: on standard error: $(head -n 3 err)"
    { healthy t && consistent t && calls t | cmp plain.calls -; } >found || fail "$name: $(cat found)"
}
record default "" "${program[@]}" >plain 2>err || die "exit status $?: $(cat err)"
calls default >plain.calls
[ "$(grep -c 'METHOD_ENTRY.*"method":"step"' plain.calls)" = "$(sed -n 's/^steps //p' plain)" ] ||
    fail "$(wc -l <plain.calls) calls, $(tail -n 1 plain)"

# with JVM-OPTION...: one run, recorded. What the JVM does not have is named.
with() {
    if ! "$JAVA" "$@" -version >version 2>&1; then
        grep -qE '^Error: .*not supported|Option .* not supported|^Unrecognized VM option' version ||
            fail "$*: $(head -n 2 version)"
        echo "skipped: $*: $(head -n 1 version)"
        return
    fi
    recorded "$*" "$@"
}
unlock=-XX:+UnlockExperimentalVMOptions
with $unlock -XX:+UseEpsilonGC -XX:-UseSerialGC
for collector in Serial Parallel G1 Shenandoah Z; do with -XX:+Use${collector}GC; done
with $unlock -XX:+UseCompactObjectHeaders
with -XX:-UseCompressedOops
with -XX:-UseCompressedClassPointers
with -XX:ObjectAlignmentInBytes=32
with -Xint
with -Xcomp
with -XX:TieredStopAtLevel=1
with -XX:-TieredCompilation
with -Xshare:off
with -Xcheck:jni -Xverify:all
with $unlock -XX:+UseCompactObjectHeaders -XX:+UseSerialGC -Xint
with -XX:+UseLargePages -XX:+UseTransparentHugePages

# archived NAME MAKE USE: an archive, made by the option MAKE without the agent and with it, is used by the option USE
archived() {
    local name=$1 make=$2 use=$3
    run "$name is made" "$make=plain.$name"
    [ -e "plain.$name" ] || fail "$name: no archive: $(tail -n 3 err)"
    recorded "$name is used" "$use=plain.$name"
    if "$JAVA" "-agentpath:$AGENT=output=no" "$make=no.$name" -version 2>&1 | grep -q 'does not support'; then
        echo "skipped: $name of a recorded program: the JVM makes none with an agent"
        return
    fi
    recorded "$name is made while recording" "$make=ours.$name"
    [ -e "ours.$name" ] || fail "$name: no archive of a recorded program: $(tail -n 3 err)"
    run "$name of a recorded program" "$use=ours.$name"
    recorded "$name of a recorded program" "$use=ours.$name"
}
archived jsa -XX:ArchiveClassesAtExit -XX:SharedArchiveFile
if [ "$RELEASE" -ge 25 ]; then
    archived aot -XX:AOTCacheOutput -XX:AOTCache
else
    echo "skipped: an AOT cache: of JDK 25"
fi
finish "$runs recorded runs are as one of the JVM as it comes"
