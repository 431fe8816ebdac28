#!/bin/bash
# hashes.sh: identity hashes of a recorded program are spread as those of a JVM alone, in each format, whether the
# recorder meets an object before its hash is asked for or after (Hashes.java); ids are consecutive all the same. The
# JVM's own rule for hashes stays as it is.
#
# test: objects.hashes
# labels: objects
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/classes" "$(dirname "$0")/Hashes.java" || die "Hashes does not compile"
cd "$WORK" || exit 1
# For 4096 random numbers 2589 different values are expected, with a standard deviation of 27; equal are 0.004.
spread() { # NAME: of what is in `out`
    local near product folded equal near2 product2 folded2 equal2 rule rest
    read -r near product folded equal near2 product2 folded2 equal2 rule rest <out || { fail "$1: no output"; return; }
    echo "$1: $near $product $folded $equal; hashed before: $near2 $product2 $folded2 $equal2"
    [ $((near + near2 + equal + equal2)) -le 2 ] || fail "$1: hashes are neighbours, or equal"
    for n in $product $folded $product2 $folded2; do
        [ "$n" -ge 2450 ] && [ "$n" -le 2730 ] || fail "$1: $n different values, not about 2589"
    done
    [ "$rule" = "$default" ] || fail "$1: hashCode=$rule, not $default as without"
}
java=(-XX:+UnlockExperimentalVMOptions -cp classes Hashes) # to show that option
"$JAVA" "${java[@]}" >out || die "Hashes fails"
default=$(awk '{ print $9 }' out)
spread "not recorded"
for format in omni latest freq timing discard; do
    record $format "format=$format,weave=EXEC+PARAM" "${java[@]}" >out 2>err || fail "$format: $(cat err)"
    spread $format
done
# as many ids as objects, from pages of 1024
ids=$("$HINDSIGHT" objects omni --json | python3 -c 'import json, sys
ids = [json.loads(line)["id"] for line in sys.stdin]
print(len(ids), len(set(ids)), max(ids))')
read -r shown different greatest <<<"$ids"
[ "$shown" = "$different" ] && [ "$shown" -ge 8192 ] && [ "$greatest" -le $((shown + 8 * 1024)) ] ||
    fail "$shown objects, $different ids up to $greatest"
finish
