#!/bin/bash
# agents.sh [-n] DIR OLD_BUILD NEW_BUILD [PROGRAM...]: do the agents of two builds record the same events and values of
# the same program? Each build (a folder with lib/libhindsight.so and bin/hindsight) records each program of
# programs.txt (or those named) on each JDK (JDKS, as in record.sh) in each format into DIR/old and DIR/new, and answers
# about its own recording; agents.py compares them. A recording that is there is kept. -n: compare only. EVENTS: so
# many events of each are compared one by one (default all). It prints what differs; for a change that must change no
# recording, nothing does. OLD_BUILD twice shows what differs between two runs of a program: the order in which
# reflection lists methods (rhino, jackson), what follows from identity hashes (saxon, ecj). With format=freq,
# JDK_JAVA_OPTIONS='-XX:+UnlockExperimentalVMOptions -XX:hashCode=2' makes saxon the same each time.
set -u
record=yes
[ "${1:-}" != -n ] || { record=; shift; }
[ $# -ge 3 ] || { echo "usage: agents.sh [-n] DIR OLD_BUILD NEW_BUILD [PROGRAM...]" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$1 old=$2 new=$3; shift 3
mkdir -p "$dir" || exit 1
if [ $# = 0 ]; then
    mapfile -t programs < <(grep -v '^#' "$here/programs.txt")
    set -- "${programs[@]}"
fi
for program; do
    for format in omni 'plain omni,derive=off' latest freq timing; do
        echo "${program#oracle.}-${format%% *} $program format=${format##* },weave=ALL"
    done
done >"$dir/recordings"
export RECORDINGS=$dir/recordings RECORD_IN=$dir/work # one folder for both: programs see its name
if [ -n "$record" ]; then
    bash "$here/record.sh" "$dir/old" "$old/lib/libhindsight.so" || exit 1
    bash "$here/record.sh" "$dir/new" "$new/lib/libhindsight.so" || exit 1
fi
export PYTHONDONTWRITEBYTECODE=1
mapfile -t names < <(cut -d' ' -f1 "$dir/recordings")
python3 "$here/agents.py" "$old/bin/hindsight" "$new/bin/hindsight" "$dir" "${names[@]}"
exit $?
