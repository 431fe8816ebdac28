#!/bin/bash
# docs.sh [ROOT]: what the tables of the code offer is in docs/ (the manual page is generated: cli/commands.sh), and
# every file that a document names exists (docs.py). README.md is short and leads to every page.
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2
bad=0 told=0
need() { told=$((told + 1)); grep -qF -- "$2" "$3" || { echo "$3 has no $1 $2"; bad=1; }; }
at_least() { [ $told -ge "$1" ] || { echo "only $told $2 found in their table"; bad=1; }; told=0; }
for o in $(sed -nE 's/^OPTION\(([a-z]+),.*/\1/p' formats/options.def); do
    need option "\`$o=" docs/agent-options.md
done
at_least 20 options
for c in $(sed -nE 's/^COMMAND\(([a-z_]+),.*/\1/p' reader/command/commands.def | tr _ -); do
    need command "\`$c\`" docs/commands.md
done
at_least 25 commands
# COMMAND(name, operands, page, answer, ...: a row of "Screens and passes" for each that answers
while IFS='|' read -r c kind form alone; do
    [ "$kind" = SCREEN ] && need command "| \`${c//_/-}\` | screen |" docs/commands.md
    [ "$kind" = PASS ] && need command "| \`${c//_/-}\` | pass $form${alone:+, on one core} |" docs/commands.md
done < <(tr '\n' ' ' <reader/command/commands.def | sed 's/COMMAND(/\n&/g' | sed -nE \
    -e 's/^COMMAND\((\w+), \w+, \w+(\([^)]*\))?, SCREEN,.*/\1|SCREEN/p' \
    -e 's/^COMMAND\((\w+), \w+, \w+(\([^)]*\))?, PASS(_ALONE)?\("([^"]*)"\),.*/\1|PASS|\4|\3/p')
at_least 35 screens and passes
for g in $(sed -nE 's/^GROUP\([0-9]+, *([A-Z]+),.*/\1/p' formats/groups.def); do
    need group "| $g |" docs/events.md
done
at_least 10 groups
for p in docs/*.md; do need "link to" "($p)" README.md; done; at_least 10 pages
[ "$(wc -l <README.md)" -le 120 ] || {
    echo "README.md has more than 120 lines: what explains belongs into docs/"
    bad=1
}
while IFS=: read -r page link; do
    [ -e "docs/$link" ] || { echo "$page links to $link, which does not exist"; bad=1; }
done < <(grep -oHE '\]\([a-z-]+\.md' docs/*.md | sed 's/](//')
# The first example of the manual page is a recording, whose events the next ones ask for.
grep -m 1 '^hindsight record' reader/man/hindsight.1.in | grep -q 'format omni' || {
    echo "the examples of the manual page record no stream"
    bad=1
}
version=$(sed -nE 's/^#define HS_VERSION +"([^"]+)"$/\1/p' reader/trace.h) # also that of the command: CMakeLists.txt
for file in bindings/python/pyproject.toml editors/vscode/package.json; do
    [ -n "$version" ] && grep -qE "^ *\"?version\"?[ =:]+\"$version\",?\$" $file || {
        echo "$file has another version than $version of reader/trace.h"
        bad=1
    }
done
python3 "$(dirname "$0")/docs.py" || bad=1
[ $bad = 0 ] && echo "docs: every option, command and group is told, every path exists"
exit $bad
