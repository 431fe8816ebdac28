#!/bin/bash
# flags.sh: while a stream is recorded, and only then, C2 compiles what is a hundred times as hot as usual: the program
# itself reads the flags of its JVM, also when the recording has failed. Other formats, and thresholds that the command
# line sets, leave them alone.
#
# test: control.flags
# labels: control
# jdks: all
# limit: 900 s
. "$(dirname "$0")/lib.sh"
compile c "$ROOT/test/control/Flags.java" || die "Flags does not compile"
usual="5000 600 15000 40000 5" raised="500000 60000 1500000 4000000 5"

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
grep -q ' Tier4BackEdgeThreshold=4000000$' named || fail "info names no thresholds: $(cat named)"
run format=omni,start=off
expect "not started" "$usual"
h start t >/dev/null
expect started "$raised"
end
run format=freq
expect freq "$usual"
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
expect "of the command line" "5000 600 20000 40000 5"
end
finish
