#!/bin/bash
# bench.sh [PART...]: measures, and prints one JSON object per line. The parts:
#
#   hook       ns per event: our hook against a JNI hook and none (HookCost.java)
#   worst      loops over locals and an array, over fields, of small calls: times plain with the defaults of each format
#              (WorstCases.java)
#   loops      a matrix product and a sieve with freq, latest and omni, times plain (Loops.java)
#   objects    ns to know an object: one never met, one met before, against an int (ObjectCost.java)
#   startup    hello world with everything woven against without
#   workloads  ecj, h2, rhino (WORKLOADS="...", options of workloads.sh too) plain and in every way to record: time,
#              memory, bytes, CPU seconds of the JIT and the recorder. Other JDKs, cores, JaCoCo: tables.sh
#   weave      MB of class files woven per second and core (`hindsight weave`, CPU time of all of it), and the same with
#              the woven files written out, which is mostly the file system; JARS="..." of /usr/share/java
#   codec      events encoded and decoded per second (bench_codec)
#   reader     events printed per second
#   queries    how long questions about a compiler run of more than 100 M events take, cold and warm (bench_queries),
#              and its index. TRACE=/path asks an existing trace
#   exports    events per second that `export` writes in each format, and its peak memory, of the same trace
#              (exports.py); EVENTS=N at most
#   screens    how long until the first 50 lines of every command are there, of the same trace and one of format=latest
#              (screens.py); LATEST=/path asks an existing one
#   view       the page of `hindsight view` on the same trace: steps of zoom and pan, first paint, pictures a second
#              while the list of calls scrolls, steps a second of the player, memory (view.mjs); needs npm and chromium
#   situations each command of test/ask/situations/WrongTotal.java, with a recording of 100 M events
#   stalls     the longest stall of a thread of the program, with maxbytes and onfull=drop-oldest under load, against
#              without (Stalls.java)
#   threads    rounds of a program of 1, 8 and 64 threads, plain, with JFR and recorded (threads.sh)
#   pair       rounds a second of one thread and of two that share nothing, plain and recorded (TwoThreads.java)
#   restored   requests for each second of CPU after many periods of recording, against before the first (restored.sh)
#   reopen     the first command after kill -9 against the second, which finds the trace recovered
# Every line has machine, jdk, compiler, commit; times are medians of REPEATS (default 5). `bench/compare A B` compares
# two outputs. JDK=/path runs another JDK. Nothing else should run on the machine.
. "$(dirname "$0")/../test/lib.sh"
all="hook formats worst loops objects startup workloads weave codec reader queries exports screens view situations
    stalls threads pair restored reopen"
parts=${*:-$all}
repeats=${REPEATS:-5}
commit=$(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo unknown)
machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -srm)"
compiler=$("${CC:-cc}" --version | head -n 1)
jvm=$("$JAVA" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.vm.version = //p')

out() { # JSON lines from standard input, completed
    python3 -c '
import json, sys
for line in sys.stdin:
    line = line.strip()
    if not line.startswith("{"):
        print(line, file=sys.stderr); continue
    d = json.loads(line)
    for k, v in zip(("machine", "jdk", "compiler", "commit"), sys.argv[1:]): d.setdefault(k, v)
    print(json.dumps(d), flush=True)' "$machine" "$jvm" "$compiler" "$commit"
}

# seconds COMMAND...: wall seconds and CPU seconds of a command whose output goes to $WORK/out and $WORK/err
seconds() {
    python3 - "$WORK" "$@" <<'PY'
import os, resource, subprocess, sys, time
work, command = sys.argv[1], sys.argv[2:]
with open(work + "/out", "w") as o, open(work + "/err", "w") as e:
    t = time.monotonic()
    code = subprocess.call(command, stdout=o, stderr=e, stdin=subprocess.DEVNULL)
    t = time.monotonic() - t
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.4f %.4f %d" % (t, u.ru_utime + u.ru_stime, code))
PY
}
median() { sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

hook() {
    compile "$WORK/hook" "$ROOT/bench/HookCost.java" || return 1
    rm -rf "$WORK/t"
    # the longest prefix wins: only Woven is recorded
    record "$WORK/t" 'weave=EXEC+CALL+PARAM,e=HookCost,i=HookCost$Woven' -Xmx512m -cp "$WORK/hook" HookCost \
        "$(find "$BUILD" -name libbench_jni.so)" 2>"$WORK/err" || tail -n 3 "$WORK/err" >&2
    rm -rf "$WORK/t"
}

objects() {
    compile "$WORK/objects" "$ROOT/bench/ObjectCost.java" || return 1
    rm -rf "$WORK/t"
    record "$WORK/t" 'weave=EXEC+PARAM,e=ObjectCost,i=ObjectCost$Woven' -Xmx512m -cp "$WORK/objects" ObjectCost \
        2>"$WORK/err" || tail -n 3 "$WORK/err" >&2
    rm -rf "$WORK/t"
}

# The same hook with each format, and a numeric loop, whose every iteration is 23 events with ALL, 12 with FIELD+ARRAY,
# 2 with LABEL.
formats() {
    local format weave plain woven ratio
    compile "$WORK/hook" "$ROOT/bench/HookCost.java" && compile "$WORK/loop" "$ROOT/bench/NumericLoop.java" || return 1
    for format in discard freq latest omni omni,derive=off; do
        rm -rf "$WORK/t"
        "$JAVA" "-agentpath:$AGENT=output=$WORK/t,format=$format,weave=EXEC+CALL+PARAM,e=HookCost,i=HookCost\$Woven" \
            -Xmx512m -cp "$WORK/hook" \
            HookCost "$(find "$BUILD" -name libbench_jni.so)" 2>"$WORK/err" |
            sed "s/{\"bench\":\"hook\"/{\"bench\":\"formats\",\"format\":\"$format\"/"
    done
    plain=$("$JAVA" -cp "$WORK/loop" NumericLoop 20000000 | cut -d' ' -f1)
    for format in discard freq latest omni omni,derive=off; do
        for weave in ALL FIELD+ARRAY LABEL; do
            : >"$WORK/ns"
            for ((i = 0; i < repeats; i++)); do
                rm -rf "$WORK/t"
                "$JAVA" "-agentpath:$AGENT=output=$WORK/t,format=$format,weave=$weave" -cp "$WORK/loop" NumericLoop \
                    2000000 2>/dev/null | cut -d' ' -f1 >>"$WORK/ns"
            done
            woven=$(median <"$WORK/ns")
            ratio=$(awk "BEGIN { printf \"%.1f\", $woven / $plain }")
            printf '{"bench":"numeric","format":"%s","weave":"%s",' "$format" "$weave"
            printf '"plain_ns":%s,"woven_ns":%s,"ratio":%s}\n' "$plain" "$woven" "$ratio"
        done
    done
    rm -rf "$WORK/t"
}

# Plain and recorded runs come in turns, since the machine may be busy; medians of the ratios.
worst() {
    local way kind ns
    compile "$WORK/worst" "$ROOT/bench/WorstCases.java" || return 1
    for ((i = 0; i < repeats; i++)); do
        "$JAVA" -cp "$WORK/worst" WorstCases 2000000 >"$WORK/plain" || return 1
        for way in freq latest omni timing omni,timestamp=true; do
            rm -rf "$WORK/t"
            "$JAVA" "-agentpath:$AGENT=output=$WORK/t,quiet=true,format=$way" -XX:-DontCompileHugeMethods \
                -cp "$WORK/worst" WorstCases 2000000 >"$WORK/woven" || return 1
            paste "$WORK/plain" "$WORK/woven" | while read -r kind plain _ ns; do
                awk "BEGIN { print $ns / $plain }" >>"$WORK/worst.$kind.$way"
            done
        done
    done
    for kind in locals fields calls; do
        for way in freq latest omni timing omni,timestamp=true; do
            printf '{"bench":"worst","loop":"%s","format":"%s","ratio":%.1f,"least":%.1f,"most":%.1f}\n' $kind $way \
                "$(median <"$WORK/worst.$kind.$way")" "$(sort -g "$WORK/worst.$kind.$way" | head -n 1)" \
                "$(sort -g "$WORK/worst.$kind.$way" | tail -n 1)"
        done
    done
    rm -rf "$WORK/t"
}

# Plain and recorded runs come in turns, since the machine may be busy; medians of both.
loops() {
    local way
    compile "$WORK/loops" "$ROOT/bench/Loops.java" || return 1
    for ((i = 0; i < repeats; i++)); do
        "$JAVA" -cp "$WORK/loops" Loops 12 | sed 's/^{/{"way":"plain",/'
        for way in format=freq format=latest format=omni; do
            rm -rf "$WORK/t"
            "$JAVA" "-agentpath:$AGENT=output=$WORK/t,quiet=true,$way" -cp "$WORK/loops" Loops \
                "$([ "$way" != format=omni ] && echo 12 || echo 2)" | sed "s/^{/{\"way\":\"$way\",/"
        done
    done | python3 -c '
import json, statistics, sys
ms = {}
for row in map(json.loads, sys.stdin):
    for what in ("product_ms", "sieve_ms"): ms.setdefault((row["way"], what), []).append(row[what])
for (way, what), values in ms.items():
    if way == "plain": continue
    plain, m = statistics.median(ms["plain", what]), statistics.median(values)
    print(json.dumps({"bench": "loops", "way": way, "loop": what[:-3], "plain_ms": plain, "ms": m,
                      "ratio": round(m / plain, 1)}))'
    rm -rf "$WORK/t"
}

pair() {
    local way calls count
    compile "$WORK/pair" "$ROOT/bench/TwoThreads.java" || return 1
    for ((i = 0; i < repeats; i++)); do
        for way in plain {freq,discard,latest,omni,"omni,derive=off"}" "{EXEC+CALL+PARAM,ALL}; do
            for calls in static virtual; do
                for count in 1 2; do
                    rm -rf "$WORK/t"
                    local agent=(); [ "$way" = plain ] ||
                        agent=("-agentpath:$AGENT=output=$WORK/t,quiet=true,format=${way% *},weave=${way#* }")
                    echo "$count $calls $("$JAVA" "${agent[@]}" -cp "$WORK/pair" TwoThreads $count $calls 1) $way"
                done
            done
        done
    done | python3 -c '
import json, statistics, sys
rounds = {}
for line in sys.stdin:
    count, calls, n, way = line.rstrip().split(" ", 3)
    rounds.setdefault((way, calls), {"1": [], "2": []})[count].append(int(n))
for (way, calls), of in rounds.items():
    one, two = (statistics.median(of[count]) for count in "12")
    print(json.dumps({"bench": "pair", "way": way, "calls": calls, "one_per_s": one, "two_per_s": two,
                      "ratio": round(two / one, 2)}))'
    rm -rf "$WORK/t"
}

startup() {
    mkdir -p "$WORK/s"
    echo 'public class Hi { public static void main(String[] a) { System.out.println("hi"); } }' >"$WORK/s/Hi.java"
    compile "$WORK/s" "$WORK/s/Hi.java" || return 1
    : >"$WORK/plain"; : >"$WORK/woven"
    for ((i = 0; i < repeats * 2; i++)); do
        seconds "$JAVA" -cp "$WORK/s" Hi >>"$WORK/plain"
        rm -rf "$WORK/t"
        seconds "$JAVA" "-agentpath:$AGENT=output=$WORK/t,format=omni,weave=ALL" -cp "$WORK/s" Hi >>"$WORK/woven"
    done
    printf '{"bench":"startup","plain_s":%s,"woven_s":%s,"repeats":%d}\n' \
        "$(median <"$WORK/plain")" "$(median <"$WORK/woven")" $((repeats * 2))
}

workloads() { # shellcheck disable=SC2086
    REPEATS=$repeats "$ROOT/bench/workloads.sh" ${WORKLOADS:-ecj h2 rhino}
}

weave() {
    local jar weave size
    for jar in ${JARS:-eclipse-jdt-core.jar h2.jar}; do
        rm -rf "$WORK/classes"; mkdir "$WORK/classes"
        (cd "$WORK/classes" && "$JDK/bin/jar" xf /usr/share/java/$jar && find . -type f ! -name '*.class' -delete)
        size=$(find "$WORK/classes" -name '*.class' -printf '%s\n' | awk '{ s += $1 } END { print s }')
        for weave in EXEC+CALL+PARAM ALL; do
            : >"$WORK/cpu"; : >"$WORK/cpu.written"
            for ((i = 0; i < repeats; i++)); do
                seconds "$HINDSIGHT" weave "$WORK/classes" --weave $weave | awk '{ print $2 }' >>"$WORK/cpu"
                rm -rf "$WORK/woven.d"
                seconds "$HINDSIGHT" weave "$WORK/classes" -o "$WORK/woven.d" --weave $weave |
                    awk '{ print $2 }' >>"$WORK/cpu.written"
            done
            awk -v size="$size" -v t="$(median <"$WORK/cpu")" -v u="$(median <"$WORK/cpu.written")" -v jar="$jar" \
                -v weave=$weave -v n="$repeats" 'BEGIN {
                printf "{\"bench\":\"weave\",\"jar\":\"%s\",\"weave\":\"%s\",\"class_bytes\":%d,", jar, weave, size
                printf "\"cpu_s\":%s,\"mb_per_s\":%.1f,", t, size / 1e6 / t
                printf "\"written_cpu_s\":%s,\"written_mb_per_s\":%.1f,\"repeats\":%d}\n", u, size / 1e6 / u, n }'
        done
    done
}

codec() { if [ -x "$BUILD/bench/bench_codec" ]; then "$BUILD/bench/bench_codec"; fi; }

reader() {
    compile "$WORK/o" "$ROOT"/test/workloads/src/modern17/Modern17.java || return 1
    rm -rf "$WORK/t"; record "$WORK/t" weave=ALL -cp "$WORK/o" Modern17 >/dev/null 2>&1
    local form n
    n=$("$HINDSIGHT" print "$WORK/t" --json | wc -l)
    for form in text json; do
        : >"$WORK/wall"
        for ((i = 0; i < repeats; i++)); do
            case $form in
            json) seconds "$HINDSIGHT" print "$WORK/t" --json ;;
            *) seconds "$HINDSIGHT" print "$WORK/t" ;;
            esac >>"$WORK/wall"
        done
        awk -v n="$n" -v t="$(median <"$WORK/wall")" -v f=$form \
            'BEGIN {
                printf "{\"bench\":\"reader\",\"form\":\"%s\",\"events\":%d,", f, n
                printf "\"wall_s\":%s,\"events_per_s\":%.0f}\n", t, n / t }'
    done
}

# compiler_run TRACE FORMAT: the Eclipse compiler at work, everything woven; a trace that is there stays
compiler_run() {
    [ -e "$1" ] ||
        record "$1" "format=$2,weave=ALL" -Xmx1g -cp /usr/share/java/eclipse-jdt-core.jar \
        org.eclipse.jdt.internal.compiler.batch.Main -17 -g -proc:none -nowarn \
        -d "$WORK/none" "$ROOT"/test/oracle/src/oracle/*.java "$ROOT/test/workloads/VerifyAll.java" \
        "$ROOT/test/workloads/src/modern17/Modern17.java" \
        >/dev/null 2>"$WORK/err" || { tail -n 3 "$WORK/err" >&2; return 1; }
}

queries() {
    local trace=${TRACE:-$WORK/queries} wall
    compiler_run "$trace" "${FORMAT:-omni}" || return 1
    rm -f "$trace/index"
    wall=$(seconds "$HINDSIGHT" index "$trace")
    "$HINDSIGHT" info "$trace" --json | python3 -c '
import json, os, sys
info, (wall, cpu, code), index = json.load(sys.stdin), sys.argv[1].split(), os.path.getsize(sys.argv[2] + "/index")
print(json.dumps({"bench": "index", "events": info["events"], "bytes": info["bytes"],
    "index_bytes": index, "index_share": round(index / info["bytes"], 4),
    "build_s": float(wall), "build_cpu_s": float(cpu)}))' "$wall" "$trace"
    "$BUILD/bench/bench_queries" "$trace"
}

exports() {
    local trace=${TRACE:-$WORK/queries}
    compiler_run "$trace" "${FORMAT:-omni}" || return 1
    python3 "$ROOT/bench/exports.py" "$HINDSIGHT" "$trace" "${EVENTS:-100000000}"
}

screens() {
    local trace=${TRACE:-$WORK/queries} latest=${LATEST:-$WORK/latest}
    compiler_run "$trace" "${FORMAT:-omni}" && compiler_run "$latest" latest || return 1
    "$HINDSIGHT" index "$trace" >/dev/null
    python3 "$ROOT/bench/screens.py" "$HINDSIGHT" "$trace" "$latest" "$repeats"
}

view() {
    local trace=${TRACE:-$WORK/queries} server
    compiler_run "$trace" "${FORMAT:-omni}" || return 1
    npm_client playwright
    "$HINDSIGHT" view --no-browser "$trace" >"$WORK/view.out" 2>&1 &
    server=$!
    wait_for '^http://127' "$WORK/view.out"
    HOME=$WORK node "$ROOT/bench/view.mjs" "$(head -n 1 "$WORK/view.out")" "$(basename "$trace")" $server "$repeats"
    kill -INT $server
    wait $server
}

situations() {
    export AGENT HINDSIGHT JDK HINDSIGHT_BUILD=$BUILD
    bash "$ROOT/test/ask/situations/run.sh" --large 1900000
}

# A run of SECONDS with the agent and one without, on a machine that may have stalls of its own: the best of three.
stalls() {
    local seconds=${SECONDS_OF_STALLS:-60} plain= woven= us
    compile "$WORK/stalls" "$ROOT/bench/Stalls.java" || return 1
    stalled() {
        "$JAVA" -Xmx256m -XX:+UseSerialGC "$@" -cp "$WORK/stalls" Stalls "$seconds" 2 2>"$WORK/err" |
            sed -n 's/.* stalled_us \([0-9]*\) .*/\1/p'
    }
    for ((i = 0; i < 3; i++)); do
        us=$(stalled); [ -n "$plain" ] && [ "$us" -gt "$plain" ] || plain=$us
        rm -rf "$WORK/t"
        us=$(stalled "-agentpath:$AGENT=output=$WORK/t,format=omni,maxbytes=16M,onfull=drop-oldest,e=Stalls\$Ready")
        [ -n "$woven" ] && [ "$us" -gt "$woven" ] || woven=$us
    done
    awk -v s="$seconds" -v p="$plain" -v w="$woven" 'BEGIN {
        printf "{\"bench\":\"stalls\",\"seconds\":%d,\"plain_us\":%d,\"recorded_us\":%d,", s, p, w
        printf "\"ratio\":%.2f}\n", w / (p > 0 ? p : 1) }'
}

threads() { AGENT=$AGENT HINDSIGHT=$HINDSIGHT JDK=$JDK HINDSIGHT_BUILD=$BUILD bash "$ROOT/bench/threads.sh"; }
restored() { AGENT=$AGENT HINDSIGHT=$HINDSIGHT JDK=$JDK HINDSIGHT_BUILD=$BUILD bash "$ROOT/bench/restored.sh"; }

# A program that has recorded for some seconds is killed; what a command spends is looked at in processor time, too.
reopen() {
    local pid k
    compile "$WORK/stalls" "$ROOT/bench/Stalls.java" || return 1
    for k in first second first_cpu second_cpu; do : >"$WORK/$k"; done
    for ((i = 0; i < repeats; i++)); do
        rm -rf "$WORK/t"
        "$JAVA" -Xmx256m "-agentpath:$AGENT=output=$WORK/t,format=omni" -cp "$WORK/stalls" Stalls 60 2 >/dev/null 2>&1 &
        pid=$!
        until "$HINDSIGHT" status "$WORK/t" --json 2>/dev/null | grep -qE '"events":[0-9]{8}'; do sleep 0.1; done
        kill -9 $pid; wait $pid 2>/dev/null
        for k in first second; do
            seconds "$HINDSIGHT" print "$WORK/t" --num 1 --json >"$WORK/one"
            cut -d' ' -f1 "$WORK/one" >>"$WORK/$k"; cut -d' ' -f2 "$WORK/one" >>"$WORK/${k}_cpu"
        done
    done
    awk -v a="$(median <"$WORK/first")" -v b="$(median <"$WORK/second")" -v c="$(median <"$WORK/first_cpu")" \
        -v d="$(median <"$WORK/second_cpu")" -v n="$repeats" 'BEGIN {
        printf "{\"bench\":\"reopen\",\"first_s\":%s,\"second_s\":%s,\"ratio\":%.2f,", a, b, a / b
        printf "\"first_cpu_s\":%s,\"second_cpu_s\":%s,\"repeats\":%d}\n", c, d, n }'
}

for part in $parts; do
    case " $all " in
    *" $part "*) $part | out ;;
    *) echo "bench.sh: no such part: $part ($all)" >&2; exit 2 ;;
    esac
done
