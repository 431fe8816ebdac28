#!/bin/sh
# jar.sh SOURCE VERSION OUT.jar WORK MACHINE=BUILD...: the jar with the agent and the command of each build, stripped;
# the same files make the same bytes. JAVA_HOME is a JDK from 17 on.
set -eu
source=$1 version=$2 out=$3 work=$4
shift 4
rm -rf "$work" && mkdir -p "$work/classes/hindsight"
"$JAVA_HOME/bin/javac" -nowarn -Xlint:-options --release 8 -d "$work/classes" \
    "$source/packaging/maven/HindsightAgent.java"
for pair; do
    folder=$work/classes/hindsight/linux-${pair%%=*} build=${pair#*=}
    mkdir -p "$folder/bin" "$folder/lib"
    strip=$(command -v "${pair%%=*}-linux-gnu-strip" || echo strip)
    "$strip" -o "$folder/bin/hindsight" "$build/bin/hindsight"
    "$strip" -o "$folder/lib/libhindsight.so" "$build/lib/libhindsight.so"
    sum=$(cat "$folder/bin/hindsight" "$folder/lib/libhindsight.so" | sha256sum | cut -c 1-16)
    printf 'version=%s\nsum=%s\n' "$version" "$sum" >"$folder/about.properties"
done
mkdir -p "$work/classes/META-INF/licenses"
cp "$source/LICENSE" "$source/THIRD_PARTY.md" "$work/classes/META-INF/licenses"
printf '%s: HindsightAgent\n' Main-Class Premain-Class >"$work/manifest"
printf 'Implementation-Version: %s\n' "$version" >>"$work/manifest"
cd "$work/classes"
# shellcheck disable=SC2046
"$JAVA_HOME/bin/jar" --create --file "$out" --manifest "$work/manifest" --date 1980-01-01T00:00:02Z \
    $(find . -type f | LC_ALL=C sort | sed 's|^\./||')
