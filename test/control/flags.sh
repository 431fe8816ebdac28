#!/bin/bash
# flags.sh: while woven code records, and only then, C2 compiles what is a hundred times as hot as usual, and C1 does
# not count for it before: the program itself reads the flags of its JVM, also when the recording has failed. A format
# that weaves nothing, and flags that the command line sets, leave them alone.
#
# test: control.flags
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Flags.java" || die "Flags does not compile"
usual="5000 600 15000 40000 5 2 5" raised="500000 60000 1500000 4000000 5 2 5" old=
if "$JAVA" -XX:+UnlockDiagnosticVMOptions -XX:+PrintFlagsFinal -version 2>/dev/null | grep -q TieredOldPercentage; then
    raised="500000 60000 1500000 4000000 -1 -1 5" old=" Tier3DelayOn=-1 Tier3DelayOff=-1 TieredOldPercentage=100000"
fi

# run OPTIONS JAVA-ARGUMENT...
run() {
    local options=$1; shift
    rm -rf in t && mkfifo in && : >out
    "$JAVA" "-agentpath:$AGENT=output=$WORK/t,quiet=true,$options" "$@" -cp c Flags <in >out 2>err &
    SERVER=$!
    exec 3>in
}
expect() { # WHEN FLAGS
    local said; said=$(tell flags)
    [ "$said" = "$2" ] || fail "$1: $said, not $2"
}
end() {
    exec 3>&-
    wait "$SERVER" || fail "the program ended with status $?: $(head -n 3 err)"
    SERVER=
}
run format=omni
expect recording "$raised"
h stop t >/dev/null
expect stopped "$usual"
h start t >/dev/null
expect "started again" "$raised"
end
h info t | grep '^flags' >named
grep -q " Tier4BackEdgeThreshold=4000000$old\$" named || fail "info names no thresholds: $(cat named)"
run format=omni,start=off
expect "not started" "$usual"
h start t >/dev/null
expect started "$raised"
end
for format in freq timing latest; do
    run format=$format
    expect "$format" "$raised"
    end
done
run format=exceptions
expect exceptions "$usual"
end
run format=omni,maxbytes=8M,timestamp=true # so that many bytes are written
tell "work 30" >/dev/null
for ((i = 0; i < 600; i++)); do
    said=$(tell flags)
    [ "$said" != "$usual" ] || break
    sleep 0.1
done
expect "failed: the bound of bytes is reached" "$usual"
end
run format=omni -XX:Tier4CompileThreshold=20000
expect "of the command line" "5000 600 20000 40000 5 2 5"
end
run format=omni -XX:-TieredCompilation
expect "without tiers" "$(echo flags | "$JAVA" -XX:-TieredCompilation -cp c Flags)"
end
finish
