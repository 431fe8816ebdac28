#!/bin/bash
# A trace is its owner's alone, whatever the umask: directories 0700, files and sockets 0600, while it is recorded, when
# it has ended, after a crash, recovered and indexed. Another user: other-user.sh.
#
# test: cli.modes
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Waits.java" || die "the program does not compile"
cd "$WORK" || exit 1
mkfifo pipe

private() { # TRACE WHEN: every mode below it
    local wrong
    wrong=$(find "$1" \( -type d ! -perm 0700 \) -o \( ! -type d ! -perm 0600 \) | head -n 20 |
        xargs -r stat -c '%a %n' | tr '\n' ' ')
    [ -z "$wrong" ] || fail "$2: $wrong"
}

# live NAME UMASK OPTIONS: begins a recording; its input is descriptor 9
live() {
    (
        umask "$2"
        exec "$JAVA" -XX:-UsePerfData "-agentpath:$AGENT=output=$1,dump=true,quiet=true,$3" -cp c Waits <pipe \
            >"$1.out" 2>"$1.err"
    ) &
    pid=$!
    exec 9>pipe
    wait_for ready "$1.out"
}
for mask in 0000 0022 0277; do
    for options in format=omni,logstart=Waits#step format=latest; do
        name=t$mask-${options%%,*}
        [ $mask = 0022 ] && mkdir -m 0777 "$name" # a directory that was there already
        live "$name" $mask $options
        private "$name" "umask $mask, $options, while recorded"
        [ -S "$name/control" ] || fail "$name: no control socket"
        (umask $mask; "$HINDSIGHT" snapshot "$name" && { "$HINDSIGHT" info "$name" || [ $? = 3 ]; }) >log 2>&1 ||
            fail "$name while recorded: $(tail -n 1 log)"
        private "$name" "umask $mask, $options, read while recorded"
        if [ $mask = 0000 ]; then kill -9 $pid; fi
        exec 9>&-
        wait $pid 2>/dev/null
        private "$name" "umask $mask, $options, ended"
        rm -f "$name/lock.mdb" # a copy has none; readers make it
        (umask $mask; "$HINDSIGHT" info "$name"; "$HINDSIGHT" index "$name"; "$HINDSIGHT" tree "$name") >log 2>&1
        private "$name" "umask $mask, $options, read"
        [ -n "$(find "$name/woven" -name Waits.class)" ] || fail "$name: nothing woven was kept: $(cat "$name.err")"
    done
done
[ -e t0000-format=omni/index ] || fail "no index was made"
finish "modes of traces are 0700 and 0600"
