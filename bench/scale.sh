#!/bin/bash
# scale.sh SMALL LARGE [SHAPE...]: what grows with the length of a run? Five programs (Scale.java: few objects and many
# writes; very many objects; very many exceptions; 64 threads with locks; recursion and strings) are recorded with about
# SMALL and LARGE events (10000000 100000000), then every command is asked, in a process of its own, with an index.
# Prints a table for docs/costs.md: CPU seconds (all threads) at both sizes, times, and the greatest memory in MB.
# TIMEOUT=600: seconds for a question. HINDSIGHT_BENCH=DIR keeps the traces there.
. "$(dirname "$0")/../test/lib.sh"
small=${1:?how many events?} large=${2:?and how many in the larger run?}
shift 2
shapes=(${*:-writes objects exceptions threads strings})
limit=${TIMEOUT:-600} kept=${HINDSIGHT_BENCH:-$WORK}
declare -A per=([writes]=38 [objects]=50 [exceptions]=64 [threads]=58 [strings]=350) # events of a round
cd "$WORK" || exit 1
compile c "$ROOT/bench/Scale.java" -- -g --release 17

# T: the trace, M: a moment in its middle
questions() {
    cat <<'END'
index T
info T
print --limit 20 T
print --value 123456789 T
print --where value>4000000000000 T
tree --depth 3 --limit 20 T
tree --around M --limit 20 T
object 500 T
locals --at M T
eval this.sum --at M T
watch Account.touch {value} --limit 5 T
calls Account.touch --limit 5 T
history Account.rare --limit 5 T
last-write Account.rare T
why M T
output T
at +0.05s T
why-not Scale.depth T
report T
report --tree --limit 20 T
features T
freq T
latest --limit 5 T
exceptions --limit 20 T
objects --limit 20 T
objects --type Account --where id==77 T
threads T
deadlocks T
races --limit 5 T
locks --limit 5 T
classes T
methods T
dataids T
strings --limit 20 T
timeline --limit 20 T
activity T
sql T SELECT~count(*)~FROM~calls
sql T SELECT~max(depth)~FROM~calls
sql T SELECT~type,count(*)~FROM~exceptions~GROUP~BY~type
export --to csv --event CATCH -o /dev/null T
fsck T
END
}

# ask TRACE EVENTS QUESTION...: "SECONDS MB"; "-": it took too long or failed
ask() {
    local trace=$1 events=$2 words=() word status; shift 2
    for word; do
        case $word in T) word=$trace ;; M) word=$((events / 2)) ;; esac
        words+=("${word//\~/ }")
    done
    /usr/bin/time -o used -f '%U %S %M' timeout "$limit" "$HINDSIGHT" "${words[@]}" >/dev/null 2>said
    status=$?
    [ $status -le 1 ] || [ $status = 3 ] || { echo "- $status"; return; }
    tail -n 1 used | awk '{ printf "%.2f %.0f\n", $1 + $2, $3 / 1024 }'
}

for shape in "${shapes[@]}"; do
    for size in "$small" "$large"; do
        trace=$kept/$shape-$size
        [ -d "$trace" ] || "$JAVA" "-agentpath:$AGENT=format=omni,output=$trace" -cp c Scale "$shape" \
            $((size / per[$shape])) >/dev/null 2>said || die "$shape: $(cat said)"
        rm -f "$trace/index"
        events=$("$HINDSIGHT" info --json "$trace" | grep -o '"events":[0-9]*' | head -n 1 | tr -dc 0-9)
        echo "$shape: $events events, $(du -sm "$trace" | cut -f 1) MB" >&2
        while read -r -a words; do
            echo "$shape $size $(ask "$trace" "$events" "${words[@]}") ${words[*]}"
        done < <(questions) >>rows
    done
done
python3 - "$small" "$large" "${shapes[@]}" <<'END'
import sys

small, large, shapes = sys.argv[1], sys.argv[2], sys.argv[3:]
rows, order = {}, []
for line in open("rows"):
    shape, size, seconds, memory, question = line.rstrip("\n").split(" ", 4)
    question = " ".join(w for w in question.replace("~", " ").split(" ") if w != "T").replace(" M", " SEQ")
    rows[question, shape, size] = seconds, memory
    if question not in order:
        order.append(question)


def cell(question, shape):
    (a, m), (b, n) = rows[question, shape, small], rows[question, shape, large]
    if "-" in (a, b):
        return "%s, %s" % (a, b)
    growth = "" if float(b) < 0.1 else ", %.1fx" % (float(b) / max(float(a), 0.01))
    return "%s, %s s%s; %s, %s MB" % (a, b, growth, m, n)


print("| question | " + " | ".join(shapes) + " |")
print("| --- |" + " --- |" * len(shapes))
for question in order:
    print("| `%s` | " % question.replace("|", "\\|") + " | ".join(cell(question, s) for s in shapes) + " |")
END
