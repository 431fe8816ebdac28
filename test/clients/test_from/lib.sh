# lib.sh - what both scripts of this folder need: the jars of JUnit 4 and 5, and calls of a recording as tests.
# shellcheck shell=bash disable=SC2154 # variables of those scripts
FROM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
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
all=0 passed=0 junit=5

# check_calls NAME TRACE CLASS-PATH: $calls calls chosen by $seed; adds to $all and $passed; JUnit 4 and 5 in turn
check_calls() {
    local got of
    rm -rf made && mkdir made
    python3 "$FROM/check.py" "$HINDSIGHT" "$2" "$3" "$jars" $junit "$calls" "$seed" >said 2>&1 ||
        fail "$1: $(grep -v '^no test' said | head -n 5)"
    sed "s/^/$1: /" said
    read -r got _ of _ < <(tail -n 1 said)
    passed=$((passed + ${got:-0})) all=$((all + ${of:-0}))
    junit=$((9 - junit))
}
