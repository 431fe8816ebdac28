# lib.sh - what every script of a claim has; the folder is that of the recordings, the programs are in classes/.
# shellcheck shell=bash

# rec NAME FORMAT "OPTION..." CLASS [ARGUMENT...]: a recording, made once; NAME.out, NAME.err and NAME.status are those
# of the program
rec() {
    local name=$1 format=$2 options=() o program=("${@:4}") status=0
    if [ -e "$name.status" ]; then is "$*" "$(cat "$name.made")" && return; fi
    for o in $3; do options+=(--option "$o"); done
    hindsight record -o "$name" --format "$format" "${options[@]}" -- java -cp classes "${program[@]}" \
        >"$name.out" 2>"$name.err" </dev/null || status=$?
    echo "$*" >"$name.made"
    echo $status >"$name.status"
}

# h COMMAND...: done, or answered of a trace that is incomplete
h() { hindsight "$@" 2>err || [ $? = 3 ] || { cat err; return 1; }; }

# status NUMBER COMMAND...: the command ends with it; err has what it says
status() {
    local want=$1 got=0; shift
    "$@" >out 2>err </dev/null || got=$?
    [ $got = "$want" ] || { echo "status $got, not $want: $(tail -n 2 err)"; return 1; }
}

is() { [ "$1" = "$2" ] || { echo "is: $1; not: $2"; return 1; }; }
has() { grep -E -- "$1" >/dev/null || { echo "has no: $1"; return 1; }; }
hasnt() { if grep -E -- "$1"; then return 1; fi; }
key() { python3 -c 'import json, sys
for line in sys.stdin:
    v = json.loads(line)
    for k in sys.argv[1].split("."): v = v.get(k, "-") if isinstance(v, dict) else "-"
    print(json.dumps(v) if isinstance(v, (dict, list)) else v)' "$1"; }
lines() { wc -l; }

# starts NAME OPTIONS: a program that runs until `go` closes its input; its process id is in $pid
starts() {
    rm -rf "$1" "$1.pipe" && mkfifo "$1.pipe"
    java -Dwait=true "-agentpath:$HINDSIGHT_AGENT=output=$1,$2" -cp classes com.acme.Acme \
        <"$1.pipe" >"$1.out" 2>"$1.err" &
    pid=$!
    exec 9>"$1.pipe"
    for _ in $(seq 1200); do
        grep -q paid "$1.out" && hindsight status "$1" >/dev/null 2>&1 && return 0
        sleep 0.05
    done
    return 1
}
turn() { # another round of the program, until it has done it
    local before; before=$(wc -l <"$1.out")
    printf x >&9
    for _ in $(seq 1200); do [ "$(wc -l <"$1.out")" -le "$before" ] || return 0; sleep 0.05; done
    return 1
}
ends() { exec 9>&-; wait "$pid" || true; }

# views TRACE: a server of the page, until it says where; api REQUEST: the status of an answer, which is in `body`
views() {
    (timeout 600 hindsight view "$1" --no-browser >address 2>err & echo $! >view.pid)
    for _ in $(seq 1200); do grep -q token address && break; sleep 0.05; done
}
api() {
    curl -s -o body -w '%{http_code}' -H "Authorization: Bearer $(sed -nE '1s/.*token=(\w+).*/\1/p' address)" \
        "$(sed -nE '1s|^(http://127.0.0.1:[0-9]+).*|\1|p' address)/api/$1"
}
