#!/bin/bash
# abi/run.sh SOURCE LIBRARY [--update]: has the binary interface of libhindsight-reader stayed as it was?
#
# trace.h, with those in api/, is compiled into a library of empty functions with debug information, so that its
# description (abidw) has the public surface and nothing else; abidiff compares it with
# test/abi/libhindsight-reader.abi. The real library must export exactly the same functions, in the same version. An
# intended change: `test/abi/run.sh SOURCE LIBRARY --update`, and a look at what git says changed. At the end a planted
# change (a struct that grows) has to be found.
source=$(realpath "$1") library=$2
for tool in abidw abidiff; do
    command -v "$tool" >/dev/null || { echo "no $tool: apt-get install abigail-tools"; exit 77; }
done
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
known=$source/test/abi/libhindsight-reader.abi map=$source/reader/libhindsight-reader.map

# The names are relative: no path of this machine comes into the description.
describe() { # OUT: of $work/trace.h
    python3 - "$work"/api/*.h >"$work/stub.c" <<'PY' || exit 1
import re, sys
text = "".join(open(path).read() for path in sys.argv[1:])
print('#include "trace.h"')
for declaration in re.findall(r"^HS_API (.*?);", re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.M | re.S):
    print(declaration + " { __builtin_trap(); }")
PY
    (cd "$work" && cc -g -O0 -fPIC -shared -fdebug-prefix-map="$work"=. \
        -Wl,--version-script="$map",-soname,libhindsight-reader.so.1 -o stub.so stub.c) || exit 1
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$work/stub.so" --out-file "$1" || exit 1
}

exports() { nm -D --defined-only "$1" | awk '$2 == "T" {print $3}' | sort; }

copy_headers() { rm -rf "$work/api" && cp -r "$source/reader/trace.h" "$source/reader/api" "$work/"; }

copy_headers
describe "$work/now.abi"
cp "$work/stub.so" "$work/now.so"
if [ "$3" = --update ]; then
    cp "$work/now.abi" "$known"
    exit
fi
bad=0
if ! diff <(exports "$work/now.so") <(exports "$library") >"$work/diff"; then
    echo "the library does not export what trace.h declares, in versions (<: only trace.h, >: only the library):"
    cat "$work/diff"
    bad=1
fi
if ! abidiff "$known" "$work/now.abi" >"$work/changes" 2>&1; then
    cat "$work/changes"
    echo "the binary interface has changed: restore it, or $0 $source $library --update"
    bad=1
fi
[ "$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" = libhindsight-reader.so.1 ] || {
    echo "the SONAME of $library is not libhindsight-reader.so.1"
    bad=1
}

# planted changes
plant() { # WHAT SED-SCRIPT
    copy_headers
    sed -i "$2" "$work"/api/*.h
    diff -q -r "$source/reader/api" "$work/api" >/dev/null && {
        echo "planted $1: sed found nothing to change"
        bad=1
        return
    }
    describe "$work/planted.abi"
    abidiff "$known" "$work/planted.abi" >/dev/null 2>&1 && { echo "planted $1: it is not found"; bad=1; }
}
plant "a field in the middle of struct hs_event" \
    's|^    uint64_t seq;  *\(/\* place.*\)|    uint64_t planted;\n    uint64_t seq; \1|'
plant "a longer hs_filter" 's|^    const char \*text;  */\* the value is a string.*|&\n    int planted;|'
plant "another number of a status" 's|HS_ERR_IO = 2,|HS_ERR_IO = 22,|'
plant "another parameter" \
    's|^HS_API void hs_close(hs_trace \*trace);|HS_API void hs_close(hs_trace *trace, int planted);|'
exit $bad
