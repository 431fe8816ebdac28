#!/bin/bash
# threads.sh [SECONDS]: how much of its throughput does a program of 1, 8 and 64 threads keep when it is recorded,
# beside a JVM with JFR? Prints a JSON object for each number of threads and way to run; called by bench.sh. `share` is
# of the plain program with as many threads, `scale` of the same way to run with one thread, both by processor time of
# the process: by the clock they would be that of everything else on the machine.
. "$(dirname "$0")/../test/lib.sh"
seconds=${1:-5}
compile "$WORK/c" "$ROOT/bench/Threads.java" || die "Threads does not compile"
cd "$WORK" || exit 1
run() { # THREADS NAME JAVA-ARGUMENT...
    local count=$1 name=$2; shift 2
    rm -rf t r.jfr
    "$JAVA" -Xmx512m -XX:+UseParallelGC -XX:-UsePerfData "$@" -cp c Threads "$count" "$seconds" 2>err |
        sed -n "s/^{/{\"bench\":\"threads\",\"threads\":$count,\"run\":\"$name\",/p"
}
for count in 1 8 64; do
    run $count plain
    run $count jfr -XX:StartFlightRecording=filename=r.jfr,settings=profile
    for format in freq latest omni omni,derive=off; do
        for weave in EXEC+CALL+PARAM ALL; do
            run $count "$format $weave" "-agentpath:$AGENT=output=t,format=$format,weave=$weave"
        done
    done
    run $count "omni ALL, drop-oldest" "-agentpath:$AGENT=output=t,format=omni,maxbytes=64M,onfull=drop-oldest"
done >lines
python3 - <<'PY' || die "no figures"
import json

lines = [json.loads(line) for line in open("lines")]
of = {(d["threads"], d["run"]): d["rounds_per_cpu_s"] for d in lines}
assert len(of) == 27, "%d of 27 runs have a figure" % len(of)
for d in lines:
    d["share"] = round(d["rounds_per_cpu_s"] / of[d["threads"], "plain"], 3)
    d["scale"] = round(d["rounds_per_cpu_s"] / of[1, d["run"]], 3)
    print(json.dumps(d))
PY
