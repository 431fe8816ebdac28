#!/bin/bash
# workloads.sh [NAME...]: what recording costs real programs (test/workloads): seconds by the clock, CPU seconds, peak
# memory and bytes on disk, plain and in every way to record. Prints a JSON object for each program and way; called by
# bench.sh. Medians of REPEATS (default 5) runs, whose ways come in turns; the way "plain" comes first in each turn.
. "$(dirname "$0")/../test/lib.sh"
repeats=${REPEATS:-5} PATH=$JDK/bin:$PATH
ways=(
    "omni EXEC+CALL+PARAM=format=omni,weave=EXEC+CALL+PARAM"
    "omni derive=off=format=omni,weave=ALL,derive=off"
    "omni=format=omni,weave=ALL"
    "latest=format=latest,weave=ALL"
    "freq=format=freq,weave=ALL"
    "timing=format=timing,weave=EXEC"
    "discard=format=discard,weave=ALL"
)

# once NAME WAY [AGENT-OPTIONS]: appends a line to $WORK/lines
once() {
    local name=$1 way=$2 dir=$WORK/run start end status
    local opts=${3:+-agentpath:$AGENT=output=$WORK/t/{pid\},quiet=true,$3}
    rm -rf "$dir" "$WORK/t" "$WORK/times"
    mkdir -p "$dir/out" "$WORK/t"
    ( cd "$dir" || exit 1
      export SRC=$ROOT/test/workloads/src/$name PREP=$WORK/prep OUT=out TZ=UTC
      # shellcheck disable=SC2086
      jv() { /usr/bin/time -a -o "$WORK/times" -f "%U %S %M" "$JAVA" $opts "$@"; }
      . "$ROOT/test/workloads/w/$name.sh"
      start=$(date +%s.%N)
      run >stdout 2>stderr </dev/null; status=$?
      end=$(date +%s.%N)
      [ $status = 0 ] || { echo "$name, $way: exit status $status" >&2; tail -n 3 stderr >&2; }
      echo "$end $start" >"$WORK/clock" )
    for t in "$WORK"/t/*; do
        [ ! -e "$t" ] || "$HINDSIGHT" info "$t" --json
    done >"$WORK/infos"
    python3 - "$name" "$way" "$WORK" >>"$WORK/lines" <<'PY'
import json, sys

name, way, work = sys.argv[1:4]
end, start = map(float, open(work + "/clock").read().split())
runs = [list(map(float, line.split())) for line in open(work + "/times") if line[0].isdigit()]
infos = [json.loads(line) for line in open(work + "/infos")]
print(json.dumps({"workload": name, "way": way, "wall_s": end - start, "cpu_s": sum(r[0] + r[1] for r in runs),
                  "peak_mb": max(r[2] for r in runs) / 1024, "events": sum(i["events"] for i in infos),
                  "bytes": sum(i["bytes"] for i in infos), "lost": sum(i.get("lost", 0) for i in infos)}))
PY
}

for name in "${@:-ecj}"; do
    rm -rf "$WORK/prep"; mkdir -p "$WORK/prep"
    (
        cd "$WORK/prep" && export SRC=$ROOT/test/workloads/src/$name PREP=$WORK/prep &&
            . "$ROOT/test/workloads/w/$name.sh" && { ! declare -F prepare >/dev/null || prepare; }
    ) >/dev/null 2>&1
    : >"$WORK/lines"
    for ((i = 0; i < repeats; i++)); do
        once "$name" plain
        for way in "${ways[@]}"; do once "$name" "${way%%=format=*}" "format=${way#*=format=}"; done
    done
    python3 - "$WORK/lines" "$repeats" <<'PY'
import json, statistics, sys

lines = [json.loads(line) for line in open(sys.argv[1])]
plain = statistics.median(d["wall_s"] for d in lines if d["way"] == "plain")
for way in dict.fromkeys(d["way"] for d in lines):
    runs = [d for d in lines if d["way"] == way]
    row = {"bench": "workload", "workload": runs[0]["workload"], "way": way, "repeats": int(sys.argv[2])}
    for key, digits in ("wall_s", 2), ("cpu_s", 2), ("peak_mb", 0), ("events", 0), ("bytes", 0), ("lost", 0):
        row[key] = round(statistics.median(d[key] for d in runs), digits)
    row["slowdown"] = round(row["wall_s"] / plain, 2)
    row["bytes_per_event"] = round(row["bytes"] / row["events"], 4) if row["events"] else None
    print(json.dumps(row), flush=True)
PY
done
rm -rf "$WORK/run" "$WORK/t"
