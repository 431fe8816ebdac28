#!/bin/bash
# keep.sh [FUZZ_REPLAY]: makes traces/*.rows anew when what is stored has changed. Inputs of store,
# exports, index and data_file then mean other changes: replay them, and keep those that still cover something (run.sh).
. "$(dirname "$0")/../lib.sh"
replay=${1:-$BUILD/test/fuzz_replay}
to=$ROOT/test/fuzz/traces
mkdir -p "$to"
compile "$WORK/classes" "$ROOT/test/faults/damage/Damaged.java" Asked.java || die "the programs do not compile"
take() { # NAME OPTIONS [PROGRAM]
    "$JAVA" -agentpath:"$AGENT=output=$WORK/$1,quiet=true,control=off,$2" -cp "$WORK/classes" "${3:-Damaged}" \
        >/dev/null &&
        "$replay" --keep "$WORK/$1" "$to/$1.rows" || fail "$1 is not kept"
    ls -l "$to/$1.rows"
}
take omni format=omni,derive=off,timestamp=true,freeze=IllegalArgumentException
take derived format=omni,derive=on,order=total # hooks for every event
parts='logstart=Damaged#step#.*#METHOD_ENTRY,logend=Damaged#step#.*#METHOD_NORMAL_EXIT'
take parts "format=omni,$parts"
take latest "format=latest,size=4,$parts,logsave=snapshot"
take freq format=freq
take timing format=timing
take inputs format=omni,derive=on
take asked format=omni,weave=ALL Asked
finish
