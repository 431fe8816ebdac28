#!/bin/bash
# workloads.sh [OPTION...] [NAME...|all]: what recording costs real programs (test/workloads), plain and in several ways
# to record: a JSON object for each program and way, which table.py makes a table of. Called by bench.sh and tables.sh.
#
#   --ways W,W       names of the table below; default: all
#   --cores N        the program has N cores (taskset)
#   --beside jacoco  every run, plain too, has the Java agent of JaCoCo (libjacoco-java), before ours; its own classes
#                    are left out of the recording, as docs/setup.md says
#   --virtual        the program's main runs in a virtual thread (JDK 21 and later)
#
# JDK=/path is the JVM. Medians of REPEATS (default 5) runs, whose ways come in turns, "plain" first. Programs are left
# out that the JDK cannot run (`# java:` in test/workloads/w).
. "$(dirname "$0")/../test/lib.sh"
repeats=${REPEATS:-5}
ways=(
    "omni EXEC+CALL+PARAM=format=omni,weave=EXEC+CALL+PARAM"
    "omni EXEC+PARAM=format=omni,weave=EXEC+PARAM"
    "omni derive=off=format=omni,weave=ALL,derive=off"
    "omni=format=omni,weave=ALL"
    "latest=format=latest,weave=ALL"
    "freq=format=freq,weave=ALL"
    "timing=format=timing,weave=EXEC"
    "exceptions=format=exceptions"
    "discard=format=discard,weave=ALL"
)
wanted='' names=() before=() extra=() virtual='' left_out=e=InVirtual
while [ $# -gt 0 ]; do
    case $1 in
    --ways) wanted=,$2,; shift ;;
    --cores)
        before=(taskset -c "$(python3 -c '
import os, sys
cores = sorted(os.sched_getaffinity(0))
print(*cores[:int(sys.argv[1])], sep=",") if len(cores) >= int(sys.argv[1]) else sys.exit("too few cores")' "$2")") ||
            exit 1
        shift ;;
    --beside)
        [ "$2" = jacoco ] || die "--beside $2: only jacoco"
        unzip -q -o -d "$WORK" /usr/share/java/org.jacoco.agent.jar jacocoagent.jar || die "libjacoco-java is missing"
        extra=("-javaagent:$WORK/jacocoagent.jar=destfile=$WORK/jacoco.exec")
        left_out=$left_out,e=org/jacoco/
        shift ;;
    --virtual)
        compile "$WORK/virtual" "$ROOT/bench/InVirtual.java" -- --release 21 || exit 1
        virtual=1 extra=("-Xbootclasspath/a:$WORK/virtual") ;;
    --*) die "no option $1" ;;
    all) for f in "$ROOT"/test/workloads/w/*.sh; do f=${f##*/}; names+=("${f%.sh}"); done ;;
    *) names+=("$1") ;;
    esac
    shift
done
# libraries of the workloads read no classes of a newer javac than 17
[ "$RELEASE" -le 17 ] && PATH=$JDK/bin:$PATH
field() { sed -n "s/^# $1: *//p" "$ROOT/test/workloads/w/$2.sh" | head -n 1; }

# java_of ARGUMENT...: leaves the arguments of java in `arguments`, with InVirtual before the class or -jar
java_of() {
    arguments=()
    while [ -n "$virtual" ] && [ $# -gt 0 ]; do
        case $1 in
        -cp | -classpath | --class-path) arguments+=("$1" "$2"); shift ;;
        -jar) arguments+=(-cp "$2" InVirtual); break ;;
        -*) arguments+=("$1") ;;
        *) arguments+=(InVirtual); break ;;
        esac
        shift
    done
    arguments+=("$@")
}

# once NAME WAY [AGENT-OPTIONS]: appends a line to $WORK/lines
once() {
    local name=$1 way=$2 dir=$WORK/run opts=()
    [ -z "${3:-}" ] || opts=("-agentpath:$AGENT=output=$WORK/t/{pid},quiet=true,$left_out,$3")
    rm -rf "$dir" "$WORK/t" "$WORK/times"
    mkdir -p "$dir/out" "$WORK/t"
    ( cd "$dir" || exit 1
      export SRC=$ROOT/test/workloads/src/$name PREP=$WORK/prep OUT=out TZ=UTC
      jv() {
          local arguments; java_of "$@"
          python3 "$ROOT/bench/measure.py" "$WORK/times" "${before[@]}" "$JAVA" "${extra[@]}" "${opts[@]}" \
              "${arguments[@]}"
      }
      . "$ROOT/test/workloads/w/$name.sh"
      run >stdout 2>stderr </dev/null
      status=$?
      [ $status = "$(field status "$name" | grep . || echo 0)" ] ||
          { echo "$name, $way: exit status $status" >&2; tail -n 3 stderr >&2; exit 1; } ) || return 1
    for t in "$WORK"/t/*; do
        [ ! -e "$t" ] || "$HINDSIGHT" info "$t" --json
    done >"$WORK/infos"
    python3 - "$name" "$way" "$WORK" >>"$WORK/lines" <<'PY'
import json, sys

name, way, work = sys.argv[1:4]
runs, infos = ([json.loads(line) for line in open(work + "/" + file)] for file in ("times", "infos"))
row = {"workload": name, "way": way}
for key in runs[0]:
    row[key] = (max if key == "peak_mb" else sum)(r[key] for r in runs)
for key in "events", "bytes", "lost", "waited_ns":
    row[key] = sum(i.get(key) or 0 for i in infos)
row["waited_s"] = row.pop("waited_ns") / 1e9
print(json.dumps(row))
PY
}

for name in "${names[@]:-ecj}"; do
    min=$(field java "$name") max=$(field java-max "$name")
    if [ "$RELEASE" -lt "${min:-17}" ] || [ "$RELEASE" -gt "${max:-99}" ]; then
        echo "$name: left out, it needs Java ${min:-17} to ${max:-99}" >&2
        continue
    fi
    rm -rf "$WORK/prep"; mkdir -p "$WORK/prep"
    (
        cd "$WORK/prep" && export SRC=$ROOT/test/workloads/src/$name PREP=$WORK/prep &&
            . "$ROOT/test/workloads/w/$name.sh" && { ! declare -F prepare >/dev/null || prepare; }
    ) >"$WORK/prepared" 2>&1 || { echo "$name: not prepared: $(tail -n 1 "$WORK/prepared")" >&2; continue; }
    : >"$WORK/lines"
    for ((i = 0; i < repeats; i++)); do
        once "$name" plain || continue 2 # a program that fails has no figures
        for way in "${ways[@]}"; do
            [[ -n $wanted && $wanted != *",${way%%=format=*},"* ]] ||
                once "$name" "${way%%=format=*}" "format=${way#*=format=}" || continue 3
        done
    done
    python3 - "$WORK/lines" "$repeats" <<'PY'
import json, statistics, sys

lines = [json.loads(line) for line in open(sys.argv[1])]
plain = {key: statistics.median(d[key] for d in lines if d["way"] == "plain") for key in ("wall_s", "cpu_s")}
for way in dict.fromkeys(d["way"] for d in lines):
    runs = [d for d in lines if d["way"] == way]
    row = {"bench": "workload", "workload": runs[0]["workload"], "way": way, "repeats": int(sys.argv[2])}
    for key in runs[0]:
        if key not in row:
            digits = 2 if key.endswith("_s") else None
            row[key] = round(statistics.median(d[key] for d in runs), digits)
    row["slowdown"] = round(row["wall_s"] / plain["wall_s"], 2)
    row["cpu_ratio"] = round(row["cpu_s"] / plain["cpu_s"], 2)
    row["bytes_per_event"] = round(row["bytes"] / row["events"], 4) if row["events"] else None
    print(json.dumps(row), flush=True)
PY
done
rm -rf "$WORK/run" "$WORK/t"
