#!/bin/bash
# `cmake --install` into a prefix: agent, command and reader library work from there; pkg-config and CMake find the
# library.
#
# test: cli.install
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "nobody installs a sanitized build"
cd "$WORK" || exit 1
cmake --install "$BUILD" --prefix "$WORK/p" >log 2>&1 || die "$(tail -n 5 log)"
compile c "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
agent=$(find p -name libhindsight.so)
library=$(find p -name libhindsight-reader.so)
[ -f "$agent" ] && [ -e "$library" ] || die "no agent or no library: $(find p -name '*.so')"
"$JAVA" "-agentpath:$WORK/$agent=output=t,format=omni,quiet=true" -cp c Hello >/dev/null || fail "the installed agent"
p/bin/hindsight info t >/dev/null || fail "the installed command"
for page in man1/hindsight.1 man1/hindsight-print.1 man5/hindsight-format.5 man7/hindsight-agent.7; do
    [ -f "p/share/man/$page" ] || fail "$page is not installed"
done
PATH=$JDK/bin:$PATH p/bin/hindsight record -o t2 --format omni -- java -cp c Hello >/dev/null 2>err ||
    fail "the installed command does not find its agent: $(cat err)"
cat >user.c <<'C'
#include <hindsight/trace.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error = HS_ERROR_INIT;
    if (argc < 2 || hs_open(argv[1], HS_OPEN_READONLY, NULL, &trace, &error) != 0)
        return 1;
    hs_cursor *cursor;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *event;
    long events = 0;
    if (hs_events_open(trace, &filter, &cursor, &error) != 0)
        return 1;
    while (hs_event_next(cursor, &event, &error) > 0)
        events++;
    hs_cursor_close(cursor);
    hs_close(trace);
    printf("%ld\n", events);
    return 0;
}
C
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/p" -name '*.pc')"); export PKG_CONFIG_PATH
want=$("$HINDSIGHT" print t --json | wc -l)
# shellcheck disable=SC2046
cc -Wall -Werror user.c -o user $(pkg-config --cflags --libs hindsight-reader) \
    -Wl,-rpath,"$(pkg-config --variable=libdir hindsight-reader)" || fail "pkg-config"
[ "$(./user t)" = "$want" ] || fail "a C program counts $(./user t) events, print $want"
# shellcheck disable=SC2046
cc user.c -o user-static $(pkg-config --cflags hindsight-reader) "$(find p -name libhindsight-reader.a)" \
    $(pkg-config --static --libs-only-l hindsight-reader | sed 's/-lhindsight-reader//') &&
    [ "$(./user-static t)" = "$want" ] || fail "the static library"
# shellcheck disable=SC2046
cc -static user.c -o user-whole $(pkg-config --static --cflags --libs hindsight-reader) 2>log &&
    [ "$(./user-whole t)" = "$want" ] || fail "pkg-config --static: $(head -n 3 log)"
for example in "$ROOT"/reader/examples/*.c; do
    [ -f "p/share/doc/hindsight/examples/$(basename "$example")" ] || fail "$(basename "$example") is not installed"
done
for example in p/share/doc/hindsight/examples/*.c; do
    # shellcheck disable=SC2046
    cc -Wall -Werror "$example" -o example $(pkg-config --cflags --libs hindsight-reader) \
        -Wl,-rpath,"$(pkg-config --variable=libdir hindsight-reader)" 2>log || fail "$example: $(head -n 3 log)"
done
mkdir cm && cat >cm/CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(HindsightReader REQUIRED)
foreach(kind shared static)
    add_executable(user-${kind} ../user.c)
    target_link_libraries(user-${kind} HindsightReader::${kind})
endforeach()
CM
cmake -S cm -B cmb -G Ninja -DCMAKE_PREFIX_PATH="$WORK/p" >log 2>&1 && cmake --build cmb >>log 2>&1 ||
    fail "find_package: $(tail -n 5 log)"
for kind in shared static; do [ "$(cmb/user-$kind t)" = "$want" ] || fail "a CMake user ($kind)"; done
exported=$(nm -D --defined-only "$agent" | awk '{print $3}' |
    grep -vE '^(Agent_|_init|_fini|_edata|_end|__bss_start|Java_)' | tr '\n' ' ')
[ -z "$exported" ] || fail "the agent exports $exported"
[ "$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" = libhindsight-reader.so.1 ] ||
    fail "the SONAME is not libhindsight-reader.so.1"
[ -e "$(dirname "$library")/libhindsight-reader.so.1" ] || fail "libhindsight-reader.so.1 is not installed"
version=$(sed -nE 's/^#define HS_VERSION +"([^"]+)"$/\1/p' "$ROOT/reader/trace.h")
[ "$(pkg-config --modversion hindsight-reader)" = "$version" ] ||
    fail "pkg-config says version $(pkg-config --modversion hindsight-reader)"
[ "$("$HINDSIGHT" --version)" = "hindsight $version" ] || fail "the command is $("$HINDSIGHT" --version)"
# Python outside of the tree: the package, copied, with the installed library
mkdir py && cp -r "$ROOT/bindings/python/hindsight" py/ && rm -rf py/hindsight/__pycache__
python=$(PYTHONPATH=$WORK/py HINDSIGHT_LIBRARY=$WORK/$library python3 -c 'import hindsight
t = hindsight.open("t", readonly=True)
print(sum(1 for _ in t.events()), hindsight.version)') ||
    fail "a Python user"
[ "$python" = "$want $version" ] || fail "a Python user counts $python, print $want"
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' |
    grep -vE '^(hs_|HINDSIGHT_1\.0|_init|_fini|_edata|_end|__bss_start)' | tr '\n' ' ')
[ -z "$exported" ] || fail "the library exports $exported"
nm -D --defined-only "$agent" | grep -q ' Agent_OnLoad$' &&
    nm -D --defined-only "$library" | grep -q ' hs_open@@HINDSIGHT_1.0$' || fail "nm does not show what they export"
finish
