#!/bin/bash
# jobs.sh - are answers that read everything the same, byte for byte, for any number of threads that decode (--jobs),
# with and without index: of a trace that ended, of one with every event stored, of one that is cut, of a JVM that runs,
# and of one that was killed? The threads must be there: else one would be compared with one.
#
# test: cli.jobs
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
compile c "$ROOT/test/cli/Passes.java"
rounds=9000

# same TRACE QUESTION...: the answer, what is said on standard error and the status, of several numbers of jobs
same() {
    local trace=$1 one='' now; shift
    for jobs in 1 2 $more; do
        now=$("$HINDSIGHT" "$@" --jobs "$jobs" "$trace" 2>&1 | md5sum; echo "${PIPESTATUS[0]}")
        [ "$now" = "${one:=$now}" ] || fail "$trace: $*: another answer with $jobs jobs than with one"
    done
    answers=$((answers + 1))
}
# questions TRACE: without and with index
questions() {
    same "$1" print --value 4321
    "$HINDSIGHT" report --tree "$1" >without 2>&1
    "$HINDSIGHT" index "$1" >/dev/null 2>&1
    "$HINDSIGHT" report --tree "$1" >with 2>&1
    cmp -s without with || fail "$1: report --tree says something else with an index"
    same "$1" print --value 4321
    same "$1" print --method refuse --event METHOD_ENTRY --limit 3000 --json
    same "$1" races --limit 20
}
answers=0 more=4

record derived '' -cp c Passes $rounds >/dev/null 2>&1 || die "no recording"
questions derived
same derived fsck --limit 20
same derived export --to csv --event CATCH
record stored derive=off,weave=EXEC+FIELD+SYNC -cp c Passes $((rounds * 4)) >/dev/null 2>&1 || die "no recording"
questions stored

threads() { # JOBS TRACE: so many threads decode
    strace -f -e trace=clone,clone3 -o calls "$HINDSIGHT" print --value 4321 --jobs "$1" "$2" >/dev/null 2>&1
    grep -cE 'clone3?\(' calls
}
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    for trace in derived stored; do
        [ "$(threads 1 $trace)" = 0 ] || fail "$trace: one job has $(threads 1 $trace) threads"
        [ "$(threads 3 $trace)" = 3 ] || fail "$trace: three jobs have $(threads 3 $trace) threads"
    done
fi

more=
cp -r stored cut && rm -f cut/index
size=$(stat -c %s cut/data.mdb)
head -c 20000 /dev/zero | dd of=cut/data.mdb bs=1 seek=$((size / 2)) conv=notrunc status=none
questions cut

mkfifo hold
"$JAVA" "-agentpath:$AGENT=output=running,format=omni" -cp c Passes $rounds wait <hold >said 2>&1 &
pid=$!
exec 3>hold
wait_for '^[0-9]' said
"$HINDSIGHT" snapshot running >/dev/null 2>&1
questions running
kill -KILL $pid
wait $pid 2>/dev/null
exec 3>&-
questions running

for jobs in x -1 1.5 '' 99999999999999999999; do
    "$HINDSIGHT" print derived --limit 1 --jobs "$jobs" >/dev/null 2>err
    [ $? = 2 ] || fail "--jobs '$jobs' is accepted: $(cat err)"
done
for jobs in 0 1000000; do
    "$HINDSIGHT" print derived --limit 1 --jobs "$jobs" >/dev/null 2>err || fail "--jobs $jobs: $(cat err)"
done
finish "$answers questions answered alike"
