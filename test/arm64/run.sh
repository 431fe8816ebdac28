#!/bin/bash
# run.sh [FILE.java...]: the agent of preset arm64 in a JVM for arm64 under qemu, the traces read by the command of this
# system. Do programs of test/jvm do the same as without agent, with the events that they say (without words: a few)? Is
# what is recorded what the agent of this system records, in several formats? Installs Debian's cross compiler and qemu.
# The order of stores under qemu is that of this machine: litmus/orders.py looks at it. Pages larger than those of this
# machine (qemu's -p) cannot be tried: qemu maps a file up to its end only then, and the journal grows.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=test/packages.sh
. "$ROOT/test/packages.sh"
install_missing gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
here=$(dirname "$(realpath "$0")")
sh "$here/sysroot.sh" "$ROOT/build/arm64-sysroot" >"$WORK/log" 2>&1 || die "no sysroot: $(tail -n 3 "$WORK/log")"
(cd "$ROOT" && cmake --preset arm64 && cmake --build --preset arm64 --target agent) >"$WORK/log" 2>&1 ||
    die "no agent: $(tail -n 5 "$WORK/log")"
AGENT=$ROOT/build/arm64/lib/libhindsight.so
[ "$(od -An -j18 -N1 -tu1 "$AGENT" | tr -d ' ')" = 183 ] || fail "the agent is not for arm64" # EM_AARCH64

# a JDK whose java is that of arm64, and all else of this system
sysroot=$ROOT/build/arm64-sysroot
mkdir -p "$WORK/jdk/bin"
cp "$JDK/release" "$WORK/jdk"
ln -s "$JDK/bin/javac" "$JDK/bin/jar" "$JDK/bin/javap" "$WORK/jdk/bin"
{
    echo '#!/bin/sh'
    echo "exec qemu-aarch64-static -L '$sysroot' \\"
    echo "    '$sysroot/usr/lib/jvm/java-17-openjdk-arm64/bin/java' \"\$@\""
} >"$WORK/jdk/bin/java"
chmod +x "$WORK/jdk/bin/java"
HOST_JAVA=$JAVA
export JDK=$WORK/jdk AGENT
JAVA=$JDK/bin/java
"$JAVA" -version >"$WORK/log" 2>&1 || die "no JVM: $(tail -n 3 "$WORK/log")"

programs=("$@")
[ $# -gt 0 ] || for name in Calls Exceptions Monitors; do
    programs+=("$ROOT/test/jvm/$name.java")
done
for program in "${programs[@]}"; do
    bash "$ROOT/test/jvm/run.sh" "$program" >"$WORK/log" 2>&1 || fail "$(basename "$program"): $(tail -n 4 "$WORK/log")"
    echo "$(basename "$program"): $(tail -n 1 "$WORK/log")"
done

cd "$WORK" || exit 1
compile classes "$ROOT/docs/programs/Stock.java" || die "Stock does not compile"
host=$ROOT/build/release/lib/libhindsight.so
for options in format=omni format=omni,derive=off format=latest format=freq; do
    for machine in host arm64; do
        java=$JAVA agent=$AGENT
        [ $machine = arm64 ] || java=$HOST_JAVA agent=$host
        "$java" "-agentpath:$agent=output=$machine,quiet=true,$options" -cp classes Stock >out 2>&1 &&
            fail "Stock ends well"
        case $options in
        format=omni*) "$HINDSIGHT" print $machine >$machine.txt && "$HINDSIGHT" fsck $machine >out 2>&1 ;;
        *) "$HINDSIGHT" report $machine --json >$machine.txt 2>out ;;
        esac || fail "$options on $machine: $(tail -n 3 out)"
        rm -rf $machine
    done
    [ -s arm64.txt ] && diff host.txt arm64.txt >out || fail "$options: $(head -n 4 out)"
done
finish
