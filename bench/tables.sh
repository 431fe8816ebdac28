#!/bin/bash
# tables.sh [NAME...]: workloads.sh (default: all programs of test/workloads) in each situation of the list below, one
# table each. Medians of REPEATS (default 3) runs. JDK17=, JDK25= are the JVMs; SITUATIONS="A B" takes some, WAYS=W,W
# other ways. Results are kept in the folder OUT (default: build/release/bench/tables): what is there is not measured
# again, so that a run that was stopped goes on. Nothing else should run on the machine.
. "$(dirname "$0")/../test/lib.sh"
out=${OUT:-$BUILD/bench/tables}
jdk17=${JDK17:-$(ls -d /usr/lib/jvm/java-17-openjdk-*64 | head -n 1)}
jdk25=${JDK25:-$(ls -d /usr/lib/jvm/temurin-25-jdk-*64 | head -n 1)}
ways=${WAYS:-omni,omni EXEC+PARAM,timing,exceptions}
names=("$@"); [ $# -gt 0 ] || for f in "$ROOT"/test/workloads/w/*.sh; do f=${f##*/}; names+=("${f%.sh}"); done
situations=( # NAME|JDK|OPTIONS|heading
    "jdk17|$jdk17|--cores 2|JDK 17, two cores"
    "jdk25|$jdk25|--cores 2|JDK 25, two cores"
    "one-core|$jdk17|--cores 1|JDK 17, one core"
    "jacoco|$jdk17|--cores 2 --beside jacoco|JDK 17, two cores, beside JaCoCo (plain too)"
    "jacoco25|$jdk25|--cores 2 --beside jacoco|JDK 25, two cores, beside JaCoCo (plain too)"
    "virtual|$jdk25|--cores 2 --virtual|JDK 25, two cores, the main of each program in a virtual thread"
)
mkdir -p "$out"
for situation in "${situations[@]}"; do
    IFS='|' read -r key jdk options heading <<<"$situation"
    [[ -z ${SITUATIONS:-} || " $SITUATIONS " == *" $key "* ]] || continue
    for name in "${names[@]}"; do
        ! grep -qs "\"workload\": \"$name\"" "$out/$key" || continue
        # shellcheck disable=SC2086
        JDK=$jdk REPEATS=${REPEATS:-3} "$ROOT/bench/workloads.sh" --ways "$ways" $options "$name" >>"$out/$key"
    done
    printf '## %s\n\n' "$heading"
    python3 "$ROOT/bench/table.py" <"$out/$key"
done
