#!/bin/bash
# equal.sh - is every answer the same, byte for byte, without an index, with one, and for 1, 2 and 4 jobs? Each question
# of questions.txt is put to a program that has ended, with events that follow from the code and with all stored, in
# parts, on 64 threads, killed, cut and running; and those that name no place to each oracle program. What an answer
# says is held by other tests.
#
# test: cli.equal
# labels: cli slow
# limit: 1800 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/cli/Passes.java" "$ROOT/test/cli/Crowd.java"
questions=$ROOT/test/cli/questions.txt

# ask TRACE FOLDER [OPTION...]: FOLDER/N: output, messages and status of question N. What takes no --jobs is asked
# without.
ask() {
    local trace=$1 to=$2 number=0 kind question word words; shift 2
    rm -rf "$to" && mkdir "$to"
    while read -r kind question; do
        number=$((number + 1)) words=()
        read -r -a question <<<"$question"
        for word in "${question[@]}"; do
            case $word in T) word=$trace ;; M) word=$moment ;; esac
            words+=("${word//\~/ }")
        done
        [ $# = 0 ] || [ -n "${parallel[${question[0]}]:-}" ] || continue
        { "$HINDSIGHT" "${words[@]}" "$@" 2>&1 </dev/null; echo "status $?"; } >"$to/$number"
        # the index is among what is stored
        [ "${question[0]}" != info ] || sed -i '/^storage/s/, index [0-9,]*//' "$to/$number"
        answers=$((answers + 1))
    done <asked
}
# same TRACE A B: the answers in B are those in A, which may have more
same() {
    local files=("$3"/*) line
    [ -e "${files[0]}" ] || fail "$1: no answers in $3"
    while read -r line; do
        case $line in
        "Only in $2: "*) ;;
        "Files $2/"*) line=${line#Files "$2"/} line=${line%% *}
            fail "$1: $(sed -n "${line}p" asked): $3 says not what $2 does:" \
                "$(diff "$2/$line" "$3/$line" | head -n 3)" ;;
        *) fail "$1: $line" ;;
        esac
    done < <(diff -rq "$2" "$3" 2>&1)
}
declare -A parallel=()
while read -r command; do parallel[$command]=1; done < <(
    sed -nE 's/^COMMAND\((\w+), .* PASS\(.*/\1/p' "$ROOT/reader/command/commands.def" | tr _ -)

# equal TRACE: without and with index
equal() {
    local events
    [ ! -e "$1/index" ] || fail "$1 has an index"
    events=$("$HINDSIGHT" info --json "$1" 2>/dev/null | grep -o '"events":[0-9]*' | head -n 1 | tr -dc 0-9)
    moment=$("$HINDSIGHT" print --event LOCAL_LOAD --from $((events / 2)) --limit 1 --json "$1" 2>/dev/null |
        grep -o '"seq":[0-9]*' | tr -dc 0-9)
    moment=${moment:-0}
    ask "$1" without # on all cores, as below
    ask "$1" one --jobs 1
    [ ! -e "$1/index" ] || [ "$1" = oracle ] || fail "$1: a question has made an index, though index=off"
    "$HINDSIGHT" index "$1" >/dev/null 2>&1
    ask "$1" with
    ask "$1" four --jobs 4
    for other in one with four; do same "$1" without $other; done
}

answers=0
# activity needs an index, and a whole slice without one takes a minute.
grep -v ' activity \| slice M T' "$questions" >all
cp all asked
record ended index=off -cp c Passes 1500 >/dev/null 2>&1 || die "no recording"
cp -r ended cut
equal ended
record stored index=off,derive=off -cp c Passes 700 >/dev/null 2>&1 || die "no recording"
equal stored
record parts "index=off,logstart=Passes#refuse##METHOD_ENTRY,logend=Passes#deep##METHOD_NORMAL_EXIT" \
    -cp c Passes 1500 >/dev/null 2>&1 || die "no recording"
equal parts
size=$(stat -c %s cut/data.mdb)
head -c 9000 /dev/zero | dd of=cut/data.mdb bs=1 seek=$((size * 2 / 3)) conv=notrunc status=none
equal cut

mkfifo hold
# long enough for an index of a run that goes on (64 chunks), and chunks behind it
"$JAVA" "-agentpath:$AGENT=output=running,format=omni,index=off" -cp c Passes 24000 wait <hold >said 2>&1 &
pid=$!
exec 3>hold
wait_for '^[0-9]' said
"$HINDSIGHT" snapshot running >/dev/null 2>&1
kill -STOP $pid # its clock goes on while it runs
equal running
indexed=$("$HINDSIGHT" index running 2>/dev/null)
[[ $indexed =~ ^64\ of\ ([0-9]+)\  ]] && [ "${BASH_REMATCH[1]}" -gt 64 ] || fail "of the run that goes on: $indexed"
rm -f running/index
kill -KILL $pid
wait $pid 2>/dev/null
exec 3>&-
equal running

sed -E 's/Passes\.(refuse|deep)/Crowd.add/; s/Passes\.(last|value)/Crowd.value/; s/Passes/Crowd/
    s/\{n\}/{i}/; s/n>100/i>100/' all >asked
record crowd index=off -cp c Crowd 100 >/dev/null 2>&1 || die "no recording"
equal crowd

oracle_traces
grep -v 'Passes\|refuse\|--count' all >asked
programs=0
for at in "$TRACES"/*/ALL/trace "$TRACES"/*/plain/trace; do
    rm -rf oracle && mkdir oracle && cp "$at/data.mdb" oracle
    equal oracle
    programs=$((programs + 1))
done
[ $programs -ge 18 ] || fail "$programs traces of oracle programs"
finish "$answers answers, of $programs traces of oracle programs and 7 more"
