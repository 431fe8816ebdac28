#!/bin/bash
# run.sh [RELEASE...]: a slice of what is tested on 17 and 25, on other JDKs (default: 8 11 21 26 27 28), and a table of
# it, which stands in docs/limits.md. A JDK that the machine has not is got from Debian (lib.sh).
#
#     test/jdks/run.sh 8 11            these two
#     test/jdks/run.sh --get 28        prints where JDK 28 is, for JDK=... of another test
#
# Each feature is a function below that says in one line what it found; a feature that a JDK has not is left out (77).
# FEATURES="streams attach" runs these alone. Before 17 the programs are compiled for that release by the JDK of the
# build, and those that are written in newer Java are left out.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=test/jdks/lib.sh
. "$ROOT/test/jdks/lib.sh"
here=$ROOT/test/jdks build_jdk=$JDK build_java=$JAVA

[ "${1:-}" != --get ] || {
    shift
    get_jdks "$@" >&2 || die "no JDK $*"
    for release; do echo "$JDKS/$release"; done
    exit 0
}

# Everywhere with the agent: recorded TRACE OPTIONS MODE [JVM-OPTION...]
everywhere() {
    local trace=$1 options=$2 mode=$3; shift 3
    timeout -s KILL 120 "$JAVA" "-agentpath:$AGENT=output=$trace,$options" "$@" -cp "${CLASSES:-$work/classes}" \
        Everywhere "$mode" >"$trace.out" 2>"$trace.err" </dev/null ||
        { echo "exit status $?: $(tail -n 1 "$trace.err")"; return 1; }
}
stream() { "$HINDSIGHT" print "$1" --json >"$1.jsonl" || return 1; }
sound() { # TRACE: fsck finds nothing
    "$HINDSIGHT" fsck "$1" >"$1.fsck" 2>&1
    grep -q ' proofs, 0 violations$' "$1.fsck" || { echo "fsck: $(head -n 1 "$1.fsck")"; return 1; }
}

# ---- features ------------------------------------------------------------------------------------------------------
# The oracle programs: their golden streams. Before 17 javac makes other code of them, and on 21 an empty StringBuilder
# gives the one "" instead of a new string: there the streams that the JDK of the build has of the same classes, in
# which streams.py compares strings by their text.
streams() {
    local name equal=0 left=0 golden=$ROOT/test/oracle/golden source=$ROOT/test/oracle/src/oracle
    [ "$RELEASE" -lt 17 ] || compile "$work/o" "$source"/*.java
    for file in "$golden"/*.tsv; do
        name=$(basename "$file" .tsv)
        [ -e "$work/o/oracle/$name.class" ] || compile "$work/o" "$source/$name.java" >/dev/null 2>&1 ||
            { left=$((left + 1)); continue; }
        rm -rf "$work/t" "$work/t17"
        "$JAVA" "-agentpath:$AGENT=output=$work/t,format=omni" -cp "$work/o" "oracle.$name" \
            >"$work/out" 2>"$work/err" || { echo "$name: exit status $?"; return 1; }
        cmp -s "$work/out" "$golden/$name.stdout" || { echo "$name: its output changed"; return 1; }
        stream "$work/t" || return 1
        if [ "$RELEASE" -ge 17 ] && [ "$RELEASE" != 21 ]; then
            python3 "$ROOT/test/oracle/compare.py" "$file" "$work/t.jsonl" || return 1
        else
            "$build_java" "-agentpath:$AGENT=output=$work/t17,format=omni" -cp "$work/o" "oracle.$name" \
                >"$work/out" 2>"$work/err" || return 1
            stream "$work/t17" && python3 "$here/streams.py" same "$work/t17.jsonl" "$work/t.jsonl" || return 1
        fi
        sound "$work/t" || return 1
        equal=$((equal + 1))
    done
    echo "$equal streams equal${left:+, $left programs in newer Java}"
    [ $equal -gt 0 ]
}

# Programs of test/jvm, with -Xcheck:jni and -Xverify:all: SLICE, or all of them.
SLICE=${SLICE:-Calls ConstructorExits Exceptions LockedIds Lambdas RefusingLoaders StackOverflow}
programs() {
    local name passed=0 left=0 status more
    for name in $SLICE; do
        mapfile -t more < <(sed -n "s|^// classes: *|$ROOT/test/jvm/|p" "$ROOT/test/jvm/$name.java")
        [ "$RELEASE" -ge 17 ] ||
            compile "$work/p/$name" "$ROOT/test/jvm/$name.java" "${more[@]}" >/dev/null 2>&1 ||
            { left=$((left + 1)); continue; }
        mkdir -p "$work/p"
        JDK=$JDK bash "$ROOT/test/jvm/run.sh" "$ROOT/test/jvm/$name.java" >"$work/p/$name.log" 2>&1; status=$?
        case $status in
        0) passed=$((passed + 1)) ;;
        77) left=$((left + 1)) ;;
        *) grep '^FAILED' "$work/p/$name.log" | head -n 3; echo "$name fails"; return 1 ;;
        esac
    done
    echo "$passed programs as without${left:+, $left in newer Java}"
    [ $passed -gt 0 ]
}

derive() {
    everywhere "$work/d.on" format=omni run && everywhere "$work/d.off" format=omni,derive=off run || return 1
    cmp "$work/d.on.out" "$work/d.off.out" || return 1
    stream "$work/d.on" && stream "$work/d.off" || return 1
    python3 "$here/streams.py" same "$work/d.off.jsonl" "$work/d.on.jsonl" && sound "$work/d.on"
}

formats() {
    local format
    for format in omni latest freq timing; do everywhere "$work/f.$format" "format=$format,size=5" run || return 1; done
    python3 "$ROOT/test/sinks/same.py" 5 "$HINDSIGHT" "$BUILD/test/last_events" "$work"/f.{omni,latest,freq,timing}
}

# up [JVM-OPTION...]: Everywhere steps runs; its number is in pid; it ends with a line of input
up() {
    rm -f "$work/in" "$work/live" && mkfifo "$work/in"
    "$JAVA" "$@" -cp "$work/classes" Everywhere steps <"$work/in" >"$work/live" 2>"$work/live.err" &
    exec 3>"$work/in"
    wait_for '^reached ' "$work/live"
    pid=$(sed -n 's/^ready //p' "$work/live")
}
down() {
    echo end >&3
    exec 3>&-
    wait "$pid" || { echo "exit status $?: $(tail -n 1 "$work/live.err")"; return 1; }
}
reached() { sed -n 's/^reached //p' "$work/live" | tail -n 1; }
said() { "$HINDSIGHT" "$@" >"$work/said" 2>&1 || { echo "$1: $(head -n 1 "$work/said")"; return 1; }; }

attach() {
    local quiet=()
    [ "$RELEASE" -lt 21 ] || quiet=(-XX:+EnableDynamicAgentLoading)
    up "${quiet[@]}"
    said attach "$pid" "format=omni,output=$work/a" && until_events "$work/a" 2000 && said stop "$pid" ||
        { down; return 1; }
    down && stream "$work/a" && sound "$work/a" && grep -c . "$work/a.jsonl"
}

restart() { # stop, start and stop again
    local first
    up "-agentpath:$AGENT=format=omni,output=$work/r"
    until_events "$work/r" 2000 && said stop "$pid" && first=$(events_now "$work/r") && said start "$pid" &&
        until_events "$work/r" $((first + 2000)) && said stop "$pid" || { down; return 1; }
    down && stream "$work/r" && sound "$work/r" && grep -c . "$work/r.jsonl"
}

kill9() {
    local n
    up "-agentpath:$AGENT=format=omni,output=$work/k"
    until_events "$work/k" 5000 || { down; return 1; }
    kill -9 "$pid"
    exec 3>&-
    wait "$pid"
    n=$(reached)
    "$HINDSIGHT" print "$work/k" --json >"$work/k.jsonl" 2>"$work/k.err" # exits with 3: it was killed
    python3 "$here/streams.py" reached "$work/k.jsonl" "$n" && sound "$work/k"
}

virtual() {
    [ "$RELEASE" -ge 21 ] || return 77
    SLICE="VirtualThreads BoundThreads" programs
}

# Value classes, a preview of 28.
values() {
    [ "$RELEASE" -ge 28 ] || return 77
    SLICE=ValueClasses programs
}

# A program with an archive of its classes, as without: CDS (before 13 of the JDK's own), AOT cache. Whether the JVM
# uses it, it decides; of that it may tell before the program's output.
archives() {
    local make use file=$work/archive CLASSES=$work/app.jar
    "$build_jdk/bin/jar" -cf "$CLASSES" -C "$work/classes" .
    if [ "$RELEASE" -ge 25 ]; then
        make=("-XX:AOTCacheOutput=$file") use=("-XX:AOTCache=$file")
    elif [ "$RELEASE" -ge 13 ]; then
        make=("-XX:ArchiveClassesAtExit=$file") use=("-XX:SharedArchiveFile=$file" -Xshare:on)
    else
        use=(-XX:+UnlockDiagnosticVMOptions "-XX:SharedArchiveFile=$file" -Xshare:on)
        [ "$RELEASE" -gt 8 ] || use[2]=-Xshare:auto # with an agent that weaves 8 uses none, and refuses `on`
        make=("${use[@]::2}" -Xshare:dump)
    fi
    "$JAVA" "${make[@]}" -cp "$CLASSES" Everywhere run >"$work/make.log" 2>&1 && [ -s "$file" ] ||
        { echo "no archive: $(tail -n 1 "$work/make.log")"; return 1; }
    everywhere "$work/s.off" format=omni run -Xshare:off && everywhere "$work/s.on" format=omni run "${use[@]}" ||
        return 1
    tail -n "$(wc -l <"$work/s.off.out")" "$work/s.on.out" | cmp - "$work/s.off.out" || return 1
    stream "$work/s.off" && stream "$work/s.on" || return 1
    python3 "$here/streams.py" same "$work/s.off.jsonl" "$work/s.on.jsonl" && sound "$work/s.on"
}

# Object ids with each collector that this JVM has.
collectors() {
    local gc tried=()
    for gc in Serial Parallel G1 ConcMarkSweep Z Shenandoah; do
        "$JAVA" -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC" -version >/dev/null 2>&1 || continue
        everywhere "$work/$gc" format=omni ids -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC" -Xmx256m ||
            { echo "$gc"; return 1; }
        grep -qx 'wrong 0' "$work/$gc.out" || { echo "$gc: $(cat "$work/$gc.out")"; return 1; }
        stream "$work/$gc" && python3 "$here/streams.py" ids "$work/$gc.jsonl" || { echo "$gc"; return 1; }
        tried+=("$gc")
    done
    echo "${tried[*]}"
}

# Five real programs; before 17, those whose jars are for that release, compiled for it.
workloads() {
    local w=$work/w name ran=0 left=0
    mkdir -p "$w/bin"
    cp -rs "$ROOT/test/workloads" "$w/all"
    for name in ${WORKLOADS_OF_SLICE:-rhino sat4j h2 jackson antlr4}; do
        # shellcheck disable=SC2046
        install_missing $(sed -n 's/^# needs: *//p' "$ROOT/test/workloads/w/$name.sh") || return 1
        rm "$w/all/w/$name.sh" && { echo "# java: 8"; cat "$ROOT/test/workloads/w/$name.sh"; } >"$w/all/w/$name.sh"
        printf '#!/bin/sh\nexec %s/bin/javac --release %s "$@"\n' "$build_jdk" $((RELEASE < 17 ? RELEASE : 17)) \
            >"$w/bin/javac" && chmod +x "$w/bin/javac"
        PATH=$w/bin:$PATH WORKLOADS=$w/all TMPDIR=$w JAVA=$JAVA \
            JAVA_AGENT_OPT="-agentpath:$AGENT=output=$w/t-@W@-{pid},format=omni,weave=EXEC+CALL+PARAM" \
            "$ROOT/test/workloads/run-all.sh" "$name" >"$w/log" 2>&1
        case $?:$(tail -n 1 "$w/log") in
        0:*skipped*) left=$((left + 1)) ;;
        0:*) ran=$((ran + 1)) ;;
        *"prepare failed"*) # its source, or the jar it is compiled with, is of newer Java
            [ "$RELEASE" -lt 17 ] || { echo "$name is not compiled"; return 1; }
            left=$((left + 1)) ;;
        *) grep -rqs UnsupportedClassVersionError "$w"/workloads.*/"$name" && left=$((left + 1)) ||
            { echo "$name: $(tail -n 1 "$w/log")"; return 1; } ;;
        esac
        rm -rf "$w"/t-* "$w"/workloads.*
    done
    echo "$ran ran as without, $left cannot run here"
    [ $ran -gt 0 ]
}

# ---- table ---------------------------------------------------------------------------------------------------------
[ $# -gt 0 ] || set -- 8 11 21 26 27 28
all="streams programs derive formats attach restart kill9 virtual values archives collectors workloads"
read -r -a features <<<"${FEATURES:-$all}"
get_jdks "$@" || die "a JDK cannot be had"
work=$WORK/work
for release; do
    JDK=$JDKS/$release JAVA=$JDKS/$release/bin/java RELEASE=$release
    JAVAC[0]=$build_jdk/bin/javac
    for feature in "${features[@]}"; do
        rm -rf "$work" && mkdir -p "$work"
        compile "$work/classes" "$here/Everywhere.java" -- -g --release 8 || die "Everywhere does not compile"
        "$feature" >"$WORK/log" 2>&1; status=$?
        case $status in
        0) cell=yes ;;
        77) cell=- ;;
        *) cell=NO; fail "JDK $release: $feature: $(tail -n 3 "$WORK/log")" ;;
        esac
        echo "JDK $release: $feature: $cell $(tail -n 1 "$WORK/log")"
        echo "$feature $release $cell" >>"$WORK/cells"
    done
done
{
    printf '| |'; printf ' %s |' "$@"; printf '\n| --- |'; printf ' --- |%.0s' "$@"; echo
    for feature in "${features[@]}"; do
        printf '| %s |' "$feature"
        for release; do printf ' %s |' "$(sed -n "s/^$feature $release //p" "$WORK/cells")"; done
        echo
    done
} | tee "$WORK/table"
finish "JDKs $*: $(grep -c ' yes$' "$WORK/cells") of $(grep -vc -- ' -$' "$WORK/cells") cells are right"
