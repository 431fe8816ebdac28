#!/bin/bash
# `hindsight test-from` of random calls of several programs: the tests compile against the same classes and pass, of
# four calls in five; of the others it says why there is no test. JUnit 4 and 5 in turn. CALLS=40 SEED=2: others.
#
# test: clients.test_from
# labels: clients
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$WORK" || exit 1
jars=$(for j in junit-jupiter-api junit-jupiter-engine junit-platform-commons junit-platform-console \
    junit-platform-engine junit-platform-launcher junit-platform-reporting opentest4j opentest4j-reporting-events \
    opentest4j-reporting-schema apiguardian-api junit4 hamcrest-all picocli; do
    ls /usr/share/java/$j.jar 2>/dev/null
done | tr '\n' ':')
case $jars in
*junit-jupiter-engine*junit-platform-console*junit4*) ;;
*) die "no JUnit 4 or 5 (test/packages.sh)" ;;
esac
export JDK
calls=${CALLS:-16} seed=${SEED:-1} all=0 passed=0 junit=5
for program in ${PROGRAMS:-test/clients/test_from/Kinds docs/programs/Stock test/ask/Orders test/ask/Records \
    test/workloads/src/modern17/Modern17}; do
    name=$(basename "$program")
    rm -rf made && mkdir made
    compile "$name.classes" "$ROOT/$program.java" -- -g -nowarn 2>err &&
        record "$name" weave=ALL -cp "$name.classes" "$name" >out 2>err
    [ -d "$name" ] || { fail "$name is not recorded: $(head -n 3 err)"; continue; }
    python3 "$HERE/check.py" "$HINDSIGHT" "$name" "$name.classes" "$jars" $junit "$calls" "$seed" >said 2>&1 ||
        fail "$name: $(grep -v '^no test' said | head -n 5)"
    sed "s/^/$name: /" said
    read -r got _ of _ < <(tail -n 1 said)
    passed=$((passed + ${got:-0})) all=$((all + ${of:-0}))
    junit=$((9 - junit))
done
[ $all -gt 0 ] && [ $((5 * passed)) -ge $((4 * all)) ] || fail "$passed of $all tests pass"

# one that the program never was in: a call with a changed result fails
at=$("$HINDSIGHT" print Kinds --event METHOD_ENTRY --method fold --json | sed -nE 's/.*"seq":([0-9]+).*/\1/p')
"$HINDSIGHT" test-from "$at" Kinds --name Wrong |
    sed -E 's/assertEquals\(([0-9]+L?), result/assertEquals(1\1, result/' \
    >Wrong.java
"${JAVAC[@]}" -cp "Kinds.classes:$jars" -d wrong Wrong.java &&
    "$JAVA" -cp "wrong:Kinds.classes:$jars" org.junit.platform.console.ConsoleLauncher -c Wrong >out 2>&1
[ $? = 1 ] && grep -q 'expected: <1' out || fail "a wrong result passes: $(tail -n 3 out)"
finish "$passed of $all tests pass"
