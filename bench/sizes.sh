#!/bin/bash
# sizes.sh ROUNDS...: one program (Transfers.java, 151 events a round) recorded in several lengths, with an index; then
# every question of a table in docs/costs.md, in a process of its own. Prints that table: CPU seconds of all threads in
# the program and the greatest memory in MB. Ten billion events are 67000000 rounds; a pass over them takes minutes.
# TIMEOUT=60: seconds for a question. HINDSIGHT_BENCH=DIR keeps the traces there.
. "$(dirname "$0")/../test/lib.sh"
[ $# -gt 0 ] || die "how many rounds?"
limit=${TIMEOUT:-60} kept=${HINDSIGHT_BENCH:-$WORK}
cd "$WORK" || exit 1
compile c "$ROOT/bench/Transfers.java" -- -g --release 17

# T: the trace, M: a moment in its middle, A: an account
questions() {
    cat <<'END'
info T
print --limit 20 T
print --from M --limit 20 T
tree --around M --limit 20 T
tree --from M --limit 20 T
report T
report --tree T
why M T
why --control M T
locals --at M T
eval this.refused --at M T
object A T
object A --at M T
last-write Account.limit T
last-write A.limit T
last-write A.balance --before M T
history Account.limit --limit 5 T
calls Transfers.transfer --limit 5 T
watch Transfers.adjust {step} --limit 5 T
slice --limit 20 M T
threads T
locks T
races --limit 5 T
freq T
latest --limit 5 T
timeline --limit 20 T
activity T
objects --type Account --limit 20 T
strings --limit 20 T
exceptions --limit 20 T
sql T SELECT~type,count(*)~FROM~exceptions~GROUP~BY~type
sql T SELECT~*~FROM~calls~LIMIT~5
find 5000000 --limit 5 T
print --value 5000000 T
print --where value>40000000000 T
objects --type Account --where limit>1000 T
objects --type Account --where id==77 T
sql T SELECT~count(*)~FROM~calls
fsck T
END
}

# taken COMMAND...: "SECONDS s, MB"; "-": it took too long or failed
taken() {
    /usr/bin/time -o used -f '%U %M' timeout "$limit" "$@" >/dev/null 2>said
    local status=$?
    [ $status -le 1 ] || [ $status = 3 ] || { echo "-"; return; }
    tail -n 1 used | awk '{ printf "%.2f s, %.0f\n", $1, $2 / 1024 }'
}
number() { grep -o "\"$1\":[0-9]*" | head -n 1 | tr -dc 0-9; }

heading="| events |" rule="| --- |" size="| trace, MB |" index="| \`index\` |"
for rounds; do
    trace=$kept/transfers-$rounds
    [ -d "$trace" ] || "$JAVA" "-agentpath:$AGENT=format=omni,output=$trace" -cp c Transfers "$rounds" \
        >/dev/null 2>said # it ends with its exception
    [ -f "$trace/data.mdb" ] || die "$rounds: $(cat said)"
    if [ ! -f "$trace/index" ]; then
        cost=$(limit=36000 taken "$HINDSIGHT" index "$trace")
        echo "$cost" >"$trace.index"
    fi
    events=$("$HINDSIGHT" info --json "$trace" | number events)
    middle=$("$HINDSIGHT" print --event LOCAL_LOAD --from $((events / 2)) --limit 1 --json "$trace" | number seq)
    account=$("$HINDSIGHT" objects --type 'Transfers$Account' --limit 501 --json "$trace" | tail -n 1 | number id)
    heading+=" $(printf "%'d" "$events") |" rule+=" --- |"
    size+=" $(du -m "$trace/data.mdb" | cut -f 1) and $(du -m "$trace/index" | cut -f 1) |"
    index+=" $(cat "$trace.index" 2>/dev/null || echo -) |"
    while read -r -a question; do
        list=()
        for word in "${question[@]}"; do
            case $word in
            T) word=$trace ;;
            M) word=$middle ;;
            A | A.*) word=$account${word#A} ;;
            esac
            list+=("${word//\~/ }")
        done
        taken "$HINDSIGHT" "${list[@]}" >>"column-$rounds"
    done < <(questions)
done
printf '%s\n' "$heading" "$rule" "$size" "$index"
row=0
while read -r -a question; do
    row=$((row + 1)) line="| \`$(sed -E 's/ T\b//; s/\bM\b/SEQ/; s/\bA\b/ID/; s/~/ /g' <<<"${question[*]}")\` |"
    for rounds; do
        line+=" $(sed -n "${row}p" "column-$rounds") |"
    done
    echo "$line"
done < <(questions)
