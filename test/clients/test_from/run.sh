#!/bin/bash
# `hindsight test-from` of random calls of several programs: the tests compile against the same classes and pass, of
# four calls in five; of the others it says why there is no test. JUnit 4 and 5 in turn. CALLS=40 SEED=2: others.
#
# test: clients.test_from
# labels: clients slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 1
calls=${CALLS:-16} seed=${SEED:-1}
for program in ${PROGRAMS:-test/clients/test_from/Kinds test/clients/test_from/Tables docs/programs/Stock \
    test/ask/Orders test/ask/Records}; do
    name=$(basename "$program")
    compile "$name.classes" "$ROOT/$program.java" -- -g -nowarn 2>err &&
        record "$name" weave=ALL -cp "$name.classes" "$name" >out 2>err
    [ -d "$name" ] || { fail "$name is not recorded: $(head -n 3 err)"; continue; }
    check_calls "$name" "$name" "$name.classes"
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
