#!/bin/bash
# run.sh SECONDS SERVER...: Tomcat and Jetty (Debian's) under load: one without agent and one for each of RUNS, asked
# in turns by Load.java. No request fails, the memory that is no file's stays flat after the first quarter of the time,
# every trace is consistent. Prints the percentiles of the times of requests beside those without agent. MAXBYTES=64M:
# the bound of the recording that drops the oldest events.
#
# test: soak
# labels: soak slow
# limit: 900 s
# short: 10 tomcat
# long: 30 tomcat jetty
# full: 3600 tomcat jetty
# full limit: 36000 s
. "$(dirname "$0")/../lib.sh"
seconds=${1:-10}; shift
cd "$WORK" || exit 1
MAXBYTES=${MAXBYTES:-16M}
RUNS=("omni format=omni,maxbytes=$MAXBYTES,onfull=drop-oldest" "latest format=latest")

jars() { # SERVER: its class path; nothing when it is not installed
    local names jar path=
    case $1 in
    tomcat) names='tomcat10-embed-core tomcat10-annotations-api' ;;
    jetty) names='jetty9-server jetty9-http jetty9-io jetty9-util servlet-api' ;;
    esac
    for jar in $names; do
        [ -e /usr/share/java/$jar.jar ] || return 0
        path=$path:/usr/share/java/$jar.jar
    done
    echo "$path"
}
serve() { # NAME CLASS AGENT-OPTIONS: leaves the address of the server in `targets`
    local name=$1 class=$2 agent=$3
    mkdir -p base.$name
    # the heap has its whole size from the start: what grows is not of it
    "$JAVA" ${agent:+"-agentpath:$AGENT=output=$name,$agent"} -XX:-UsePerfData -Xms96m -Xmx96m -XX:+AlwaysPreTouch \
        -XX:+UseSerialGC -XX:ReservedCodeCacheSize=96m -cp "c:$path" "$class" base.$name <in >out.$name \
        2>err.$name 9>&- &
    pids+=($!)
    wait_for '^port' out.$name
    targets+=("$name:$(sed -n 's/^port //p' out.$name):${pids[-1]}")
}
for server in "$@"; do
    path=$(jars "$server")
    [ -n "$path" ] || { echo "skipped: $server is not installed"; continue; }
    rm -rf c && mkdir c
    "${JAVAC[@]}" -nowarn -Xlint:-deprecation -proc:none -XDsuppressNotes -cp "$path" -d c \
        "$ROOT"/test/soak/{Load,Shop,"${server^}"}.java || die "javac"
    pids=() targets=()
    rm -f in && mkfifo in && exec 9<>in # they end when it is closed
    trap 'kill "${pids[@]}" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT
    serve plain "${server^}" ""
    for run in "${RUNS[@]}"; do serve "${run%% *}" "${server^}" "${run#* }"; done
    "$JAVA" -Xmx128m -cp c Load "$seconds" 4 "${targets[@]}" >load.out 2>load.err ||
        fail "$server: the clients fail: $(head -n 3 load.err)"
    exec 9>&-
    for i in "${!pids[@]}"; do
        wait "${pids[i]}" || fail "$server, ${targets[i]%%:*}: ended with $?: $(tail -n 3 "err.${targets[i]%%:*}")"
    done
    python3 "$ROOT/test/soak/memory.py" load.out "$server" "$seconds" || fail "$server: $(head -n 3 load.err)"
    for run in "${RUNS[@]}"; do
        name=${run%% *}
        tail -n 1 "err.$name"
        "$HINDSIGHT" info "$name" --json >info.json 2>told # 3: what does not fit into maxbytes was dropped
        case $? in 0 | 3) ;; *) fail "$server, $name: info: $(cat told)" ;; esac
        [ "$(json info.json '[d["lost"], d["end"]]')" = "[0, 'clean']" ] || fail "$server, $name: $(cat told)"
        consistent "$name"
    done
    rm -rf "$WORK"/{omni,latest} base.*
done
finish
