#!/bin/bash
# docs.sh [ROOT]: what the tables of the code offer is in README.md: options of the agent, commands, groups, libraries.
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2
bad=0
need() { grep -qF -- "$2" README.md || { echo "README.md does not tell of the $1 $2"; bad=1; }; }
for o in $(sed -nE 's/^OPTION\(([a-z]+),.*/\1/p' logging/agent/options.def); do need option "\`$o="; done
for c in $(sed -nE 's/^COMMAND\(([a-z_]+),.*/\1/p' reader/cli/commands.def | tr _ -); do need command "\`$c\`"; done
for g in $(sed -nE 's/^GROUP\([0-9]+, *([A-Z]+),.*/\1/p' formats/groups.def); do need group "$g"; done
[ $bad = 0 ] && echo "docs: README.md has every option, command and group"
exit $bad
