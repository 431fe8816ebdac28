#!/bin/bash
# costs.sh [DIR]: runs the experiments of experiments/costs, some 8 minutes, with what is built in build/release (or
# HINDSIGHT and HINDSIGHT_AGENT), and writes their tables into docs/costs.md (costs.py). Results go to DIR (default:
# build/costs), where an experiment that was interrupted goes on. Nothing else should run on the machine.
set -euo pipefail
lab=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$lab/../.." && pwd)
results=${1:-$root/build/costs}
hindsight=${HINDSIGHT:-$root/build/release/bin/hindsight}
mkdir -p "$results"
cd "$results"
for experiment in "$lab"/experiments/costs/*.toml; do
    begin=$SECONDS status=0
    "$hindsight" lab "$experiment" || status=$?
    [ $status = 0 ] || [ $status = 3 ] || exit $status # 3: a run failed, the table says how many there are
    echo "== $(basename "$experiment" .toml): $((SECONDS - begin)) s"
done
python3 "$lab/costs.py" "$results" "$root/docs/costs.md"
git -C "$root" --no-pager diff --stat -- docs/costs.md
