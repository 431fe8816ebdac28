#!/bin/bash
# one-file.sh [FOLDER]: do hindsight, libhindsight.so and libhindsight-reader.so in FOLDER (build/portable) need
# nothing but glibc of 2.34 or later, export only what is ours, and have inside what THIRD_PARTY.md says?
set -u
root=${HINDSIGHT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
folder=${1:-$root/build/portable}
[ $# -gt 0 ] || (cd "$root" && cmake --preset portable && cmake --build --preset portable) >/dev/null || exit 1
newest=2.34 # glibc of Debian 12, Ubuntu 22.04, RHEL 9
bad=0
complain() { echo "FAILED: $*"; bad=1; }
file_of() { find "$folder/bin" "$folder/lib" -maxdepth 1 -name "$1" -not -type d | head -n 1; }
check() { # FILE EXPORTS: a regular expression of the symbols that it may export
    local file needed version others
    file=$(file_of "$1")
    [ -n "$file" ] || { complain "$1 is not below $folder"; return; }
    needed=$(readelf -d "$file" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' |
        grep -vxE 'lib[cm]\.so\.6|ld-linux-[a-z0-9-]+\.so\.[0-9]')
    [ -z "$needed" ] || complain "$1 needs ${needed//$'\n'/ }"
    version=$(readelf -V "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
    [ -n "$version" ] || complain "$1 has no symbol versions"
    [ "$(printf '%s\n' "$version" "GLIBC_$newest" | sort -V | tail -n 1)" = "GLIBC_$newest" ] ||
        complain "$1 needs $version: $(objdump -T "$file" | sed -nE "s/.*\($version\) +//p" | tr '\n' ' ')"
    others=$(nm -D --defined-only "$file" | awk '{print $3}' | grep -vxE "$2")
    [ -z "$others" ] || complain "$1 exports ${others//$'\n'/ }"
    readelf -d "$file" | grep -E 'RPATH|RUNPATH' && complain "$1 looks for libraries in a folder"
    echo "$1: $(stat -Lc %s "$file") bytes, $version"
}
check libhindsight.so 'Agent_On(Load|Attach|Unload)|Java_java_lang_Hindsight[A-Za-z]*_[A-Za-z]+'
check libhindsight-reader.so 'hs_[a-z0-9_]+(@@HINDSIGHT_[0-9.]+)?|HINDSIGHT_[0-9.]+'
check hindsight '(stdin|stdout|stderr|environ)@GLIBC_[0-9.]+' # copies of glibc's variables

# what is linked in is in the table, and the other way round
if [ -e "$folder/build.ninja" ]; then
    linked=$(sed -nE '/^build bin\/hindsight:|^build lib\/libhindsight.so:/,/^$/s/^ *LINK_LIBRARIES = //p' \
        "$folder/build.ninja" | tr ' ' '\n' | sed -nE 's/.*lib([a-z0-9_-]+)\.a$/\1/p' | grep -v '^hindsight-' |
        sed 's/^portable_//; s/^pcre2-8$/pcre2/; s/^z$/zlib/; s/^zip$/libzip/; s/^sqlite3$/sqlite/' | sort -u)
    listed=$(sed -nE 's/^\| ([A-Za-z0-9]+) \|.*\| (agent|command).*/\L\1/p' "$root/THIRD_PARTY.md" | sort -u)
    diff <(echo "$linked") <(echo "$listed") || complain "THIRD_PARTY.md does not list what is linked in"
fi
[ $bad = 0 ] && echo "passed"
exit $bad
