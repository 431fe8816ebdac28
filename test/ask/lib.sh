# lib.sh - sourced by the tests that ask of random programs (slice/generate.py); behind lib.sh, in a scratch folder.
# shellcheck shell=bash

# each_generated FIRST COUNT CHECK: makes the programs with these seeds, records each, and calls CHECK TRACE
each_generated() {
    local seed
    for ((seed = $1; seed < $1 + $2; seed++)); do
        python3 "$ROOT/test/ask/slice/generate.py" "$seed" >"S$seed.java"
        compile c "S$seed.java" || die "S$seed does not compile"
        record "$seed" quiet=true,weave=ALL -cp c "S$seed" >/dev/null 2>err || die "recording S$seed: $(tail -n 3 err)"
        "$3" "$seed"
        rm -rf "$seed"
    done
}
