#!/bin/bash
# Every example of `-h`, `help TOPIC` and the manual pages runs: in a folder with app.jar, class Main, a trace of it
# named `trace` (and newest hindsight-*). Those of README.md and docs/: test/docs.
#
# test: cli.examples
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "record starts java itself, which needs the sanitizer's library loaded first"
cd "$WORK" || exit 1
mkdir -p src/com/acme
cat >src/com/acme/Main.java <<'J'
package com.acme;
public class Main {
    static int half(int x) { if (x % 2 != 0) throw new IllegalArgumentException("odd http://" + x); return x / 2; }
    public static void main(String[] a) {
        for (int i = 0; i < 4; i++) {
            try { System.out.println(half(i)); }
            catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        }
    }
}
J
cat >src/com/acme/Wait.java <<'J'
package com.acme;
public class Wait {
    public static void main(String[] a) throws Exception { System.out.println("ready"); System.in.read(); }
}
J
compile c src/com/acme/Main.java src/com/acme/Wait.java && "$JDK/bin/jar" cfe app.jar com.acme.Main -C c . ||
    die "no app.jar"
PATH=$(dirname "$HINDSIGHT"):$JDK/bin:$PATH
mkdir woven
hindsight record -o trace --format omni --option stdout=true -- java -jar app.jar >/dev/null 2>err ||
    die "recording: $(cat err)"
hindsight record --format omni -- java -jar app.jar >/dev/null 2>err || die "recording: $(cat err)"
for run in failed good-1 good-2; do cp -r trace $run; done # suspects
printf 'name = "s"\nrepetitions = 1\n[[programs]]\nname = "app"\ncommand = ["java", "-jar", "%s/app.jar"]\n' "$WORK" \
    >sizes.toml
{
    for c in $(hindsight help | sed -nE 's/^  +([a-z][a-z-]+)  +.*/\1/p'); do
        hindsight "$c" -h | sed -nE 's/^ *(example: *)?(hindsight '"$c"' .*)/\2/Ip' |
            grep -v -e '\[' -e "hindsight $c - "
    done
    for page in "$BUILD"/docs/man/man?/*; do # what stands under Example or Examples
        MANWIDTH=500 man -P cat -l "$page" 2>/dev/null | col -b |
            sed -nE '/^EXAMPLES?$/,/^SEE ALSO$/s/^ +(hindsight )/\1/p'
    done
    for t in $(hindsight help | sed -nE '/^Topics:/,/^$/s/,//gp'); do
        hindsight help "$t" | sed -nE '/^Example:/,$s/^ +(hindsight )/\1/p'
    done
} |
    sed -e 's/  *# .*//' -e "s|/path/libhindsight.so|$AGENT|" -e 's/hindsight-20261120-2031-4711/trace/' \
    -e 's/-agentpath:\(.*\)=output=trace/-agentpath:\1=output=again/' -e 's/ -o trace / -o other /' |
    sort -u >examples
# Process 4711 of an example is a program that waits: without the agent for attach, stopped for start, else recording,
# with the mark checkout.
waits() {
    local options="-agentpath:$AGENT=output=running,format=omni" mark=
    case $1 in *attach*) options=-Dx=y ;; *' start '*) options+=,start=off ;; *) mark=checkout ;; esac
    rm -rf running gate && mkfifo gate
    # shellcheck disable=SC2086
    java $options -cp c com.acme.Wait <gate >waits.out 2>&1 &
    exec 4>gate
    wait_for ready waits.out
    [ -z "$mark" ] || hindsight mark running $mark >/dev/null
}
serves() { # COMMAND PATTERN: a server, which Ctrl-C ends once it has said where it listens; leaves status
    : >out
    env --default-signal=INT bash -c "exec $1" >out 2>err </dev/null &
    wait_for "$2" out
    kill -INT $!; wait $!; status=$?
    [ $status != 130 ] || status=0
}
while read -r line; do
    case $line in *...*) continue ;; esac # a form, no example
    rm -rf other again
    case $line in *4711*) waits "$line"; line=${line//4711/$!} ;; esac
    case $line in
    'hindsight view'*) serves "$line" '^http://' ;;
    'hindsight jdwp'*) serves "$line" '^Listening' ;;
    *) timeout 60 bash -c "$line" >out 2>err </dev/null; status=$? ;;
    esac
    if [ $status = 0 ]; then
        echo "ok: $line ($(wc -l <out) lines)"
    else
        fail "$line: exit status $status: $(head -n 1 err)"
    fi
    exec 4>&-
    wait
    [ -z "${!:-}" ] || rm -rf hindsight-*-"$!" # what was attached
done <examples
[ "$(wc -l <examples)" -gt 8 ] || fail "only $(wc -l <examples) examples found"
finish
