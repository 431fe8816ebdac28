#!/bin/bash
# Values and names that are hard to carry come through every format that has values (hard.py). Those of parquet are in
# tables.sh, of hprof in hprof.sh, of selogger in selogger.sh, of mse in mse.sh; names of methods in profiles.sh.
#
# test: export.hard
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
sample t
python3 "$HERE/hard.py" "$HINDSIGHT" t "$JDK/bin/jfr" || fail "a value that did not come through"
finish
