#!/bin/bash
# run.sh [OPTION...] OLD_HINDSIGHT NEW_HINDSIGHT TRACE...: do two builds of the command answer the same, byte for
# byte, with and without index? For a change that must not change behaviour: OLD is a build from before it. Traces are
# never written to; record.sh makes a set. --help lists the options.
set -u
export PYTHONDONTWRITEBYTECODE=1
python3 "$(dirname "${BASH_SOURCE[0]}")/same_answers.py" "$@"
exit $?
