#!/bin/bash
# run.sh [FLIPS [CUTS [SEED]]]: small traces of every format, ended by themselves and by kill -9, in parts and
# whole, with and without index; in each so many single bits are flipped and files cut off, and everything is asked
# (net.c). By default a few of each.
#
# test: damage
# labels: damage slow
# limit: 900 s
# short: 1 1
# long: 8 3
# full: 720 72
# full limit: 7200 s
. "$(dirname "$0")/../../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
net=$BUILD/test/damage_net flips=${1:-8} cuts=${2:-3} seed=${3:-1}
compile "$WORK/classes" "$here/Damaged.java" || die "Damaged does not compile"
parts='logstart=Damaged#step#.*#METHOD_ENTRY,logend=Damaged#step#.*#METHOD_NORMAL_EXIT'

take() { # NAME OPTIONS: one trace that is clean, one whose JVM was killed
    "$JAVA" -agentpath:"$AGENT=output=$WORK/$1,quiet=true,control=off,$2" -cp "$WORK/classes" Damaged >/dev/null
    {
        "$JAVA" -agentpath:"$AGENT=output=$WORK/$1-killed,quiet=true,control=off,$2" -cp "$WORK/classes" Damaged kill
    } >/dev/null 2>&1
}
take omni format=omni &
take latest format=latest,size=4 &
wait
take freq format=freq &
take timing format=timing &
wait
take omni-timed "format=omni,timestamp=true,freeze=IllegalArgumentException" &
take omni-parts "format=omni,$parts" &
wait
take latest-parts "format=latest,size=4,$parts,logsave=snapshot" &
take derived format=omni,derive=on,order=total & # hooks for every event
wait
take inputs format=omni,derive=on &
take percall format=omni,percall=20 &
wait
# A snapshot ends a chunk: with freeze= there are enough of them for the first question to build an index.
take inputs-timed "format=omni,derive=on,timestamp=true,freeze=IllegalArgumentException"
for name in omni latest freq timing omni-timed omni-parts latest-parts derived inputs percall inputs-timed; do
    want=0
    [ $name != percall ] || want=3 # events are left out
    "$HINDSIGHT" info "$WORK/$name" >/dev/null 2>&1
    [ $? = $want ] && [ ! -e "$WORK/$name/journal" ] || fail "$name is not recorded"
    [ -e "$WORK/$name-killed/journal" ] || fail "$name-killed was not killed"
done
# The head of a dead recorder's journal says how the rest is to be read: whatever byte of it is another one, the command
# answers or says that it cannot.
python3 "$ROOT/test/faults/damage/journal_head.py" "$HINDSIGHT" "$WORK/omni-killed" "$WORK/latest-killed" ||
    fail "a changed byte of a journal's head"
for name in omni derived inputs; do
    cp -r "$WORK/$name" "$WORK/$name-index"
    "$HINDSIGHT" index "$WORK/$name-index" >/dev/null || fail "no index of $name"
done

# What is asked: everything that a command can tell, of places that the trace has.
ids=$("$HINDSIGHT" print "$WORK/omni" --json --event NEW_OBJECT_CREATED --limit 40 |
    sed -n 's/.*"value":{"id":\([0-9]*\).*/\1/p' | sort -u | tail -n 2)
id=$(echo "$ids" | tail -n 1)
cat >"$WORK/questions" <<END
info @ --json
print @ --json
tree @ --json
object @ ${id:-1} --at 700 --json
locals @ --at 900 --json
history @ Damaged.total --json
last-write @ Damaged.total --before 900 --json
why @ 900 --json
report @ --json
features @ --json
freq @ --json
latest @ --json
exceptions @ --json
objects @ --json
threads @ --json
classes @ --json
methods @ --json
dataids @ --json
strings @ --json
report @
print @ --object ${id:-1}
fsck @ --json
END
# The formats of `export` that are one file (and the tables, each by itself), a part of the damaged copies each.
cat >"$WORK/exports" <<END
info @ --json
fsck @ --json
sql @ SELECT/**/count(*),sum(seq)/**/FROM/**/events
source @ Damaged --json
timeline @ --json
activity @ --json
$("$HINDSIGHT" export -h | sed -nE 's/^ *([a-z0-9]+): .*/\1/p' | grep -vxE 'ctf|appmap|selogger|nod4j|parquet|sqlite' |
    sed 's/.*/export @ --to &/')
export @ --to parquet --table events
export @ --to csv --table calls
export @ --to csv --table objects
export @ --to jsonl --table exceptions
END
for trace in "$WORK"/*/data.mdb; do
    trace=${trace%/data.mdb}
    "$net" "$trace" "$WORK/questions" "$flips" "$cuts" "$seed" || fail "$(basename "$trace")"
    seed=$((seed + 1))
done
for name in omni-index omni-killed omni-timed derived; do
    "$net" "$WORK/$name" "$WORK/exports" "$flips" "$cuts" "$seed" || fail "$name, exports"
    seed=$((seed + 1))
done
finish "no damage makes a wrong answer that looks right"
