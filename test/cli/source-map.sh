#!/bin/bash
# Classes with a SourceDebugExtension (JSR-45): every answer has the file and line that it names, as JSON and as text,
# and debuggers stop there; --source finds the files, also where folders of packages are left out. The right answers are
# made from those about the same class without the attribute (mapped.py).
#
# test: cli.source-map
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
HERE=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
h=$HINDSIGHT
cd "$WORK" || exit 1
compile plain "$HERE/Mapped.java" || die "javac"
mkdir -p given/mapped
python3 "$HERE/mapped.py" give plain/mapped/Mapped.class "$HERE/Mapped.java" given/mapped/Mapped.class ||
    die "mapped.py"
for kind in plain given; do
    for format in omni latest; do
        record $kind.$format format=$format -cp $kind mapped.Mapped >out 2>err
        grep -q 'IllegalStateException: none' err || die "recording: $(cat err)"
    done
done

same() { # COMMAND...: about both traces
    local format=omni
    [ "$1" != latest ] || format=latest
    "$h" "$@" plain.$format --json >plain.rows 2>err || fail "$*: $(cat err)"
    "$h" "$@" given.$format --json >given.rows 2>err || fail "$*: $(cat err)"
    python3 "$HERE/mapped.py" same "$HERE/Mapped.java" plain.rows given.rows || fail "$*"
}
at() { "$h" print given.omni --json --event "$1" | grep "\"line\":$2,.*$3" | json_field seq | tail -n 1; }
json_field() { python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)[sys.argv[1]])' "$1"; }
stored=$(at PUT_STATIC_FIELD 5 shared) thrown=$(at METHOD_THROW 11 '') printed=$(at CALL 8 println)
same print
same dataids
same tree
same exceptions
same locals --at "$thrown"
same locals --at "$stored"
same why "$stored"
same history mapped.Mapped.shared
same last-write mapped.Mapped.shared
same threads --at "$printed"
same locks
same freq
same latest
same latest --merged
same object "$("$h" exceptions given.omni --json | json_field id)"

text() { # WORDS COMMAND...: stand in the answer
    local words=$1; shift
    "$h" "$@" given.omni >out 2>err || fail "$*: $(cat err)"
    grep -qF "$words" out || fail "$*: no '$words': $(head -n 5 out)"
}
text 'mapped.Mapped.check:Util.kt:11 pc' print
text 'at mapped.Mapped.check:Util.kt:11, thread' exceptions
text 'mapped.Mapped.count:Util.kt:5 pc' why "$stored"
text 'mapped.Mapped.main:Main.kt:13 pc' locals --at "$thrown"
text 'mapped.Mapped.main:Main.kt:12' threads --at "$printed"
text ' Util.kt:10 Util.kt:11' report --blocks --method check
"$h" print given.omni --where 'line == 11 && class == "mapped.Mapped"' --json >out
[ "$(json_field line <out | sort -u)" = 11 ] || fail "--where line"
"$h" print given.omni --json --method made | json_field line | sort -u | tr '\n' ' ' | grep -qx '2 21 ' ||
    fail "lines that the map does not have are those of the class"
"$h" sql given.omni "SELECT DISTINCT file, line FROM events WHERE method = 'check' ORDER BY line" >out &&
    grep -q 'mapped/util/Util.kt' out && grep -q 11 out || fail "sql: $(cat out)"
"$h" export given.omni --to speedscope >out && grep -q '"file":"Util.kt","line":10' out || fail "speedscope"
"$h" export given.omni --to nod4j --out nod4j >/dev/null &&
    grep -q '"className":"mapped/util/Util.kt"' nod4j/varinfo.json &&
    grep -q '"name":"Util.kt"' nod4j/fileinfo.json || fail "nod4j"

# --source: in their packages; Util.kt without the folder that all packages have; the name of another package; two
for n in $(seq 15); do echo "main $n"; done >lines
mkdir -p src/mapped src/util src/elsewhere && cp lines src/mapped/Main.kt && sed 's/main/page/' lines >src/page.jsp
{ echo 'package mapped.util'; sed '1d; s/main/util/' lines; } >src/util/Util.kt
{ echo 'package elsewhere'; sed '1d; s/main/wrong/' lines; } >src/elsewhere/Util.kt
text '  | main 13' locals --at "$thrown" --source src
text '  | util 11' exceptions --source src
text '  | page 2' print --method made --source src
"$h" source Util.kt given.omni --source src | grep -q '11  util 11' || fail "source Util.kt"
"$h" source mapped/Main.kt given.omni --source src | grep -q '13  main 13' || fail "source mapped/Main.kt"
command -v zip >/dev/null && (cd src && zip -qr ../src.zip .) && text '  | util 11' exceptions --source src.zip
mkdir src/again && cp src/util/Util.kt src/again
"$h" exceptions given.omni --source src >out 2>err || fail "exceptions --source"
grep -q 'several files elsewhere' err && ! grep -q '  |' out || fail "two files of one name: $(cat err out)"
rm -r src/again

# a debugger's breakpoint in the named file: both copies of the inlined code, once each
ask() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
dap() { # PATH LINE: stops there until the end of the trace, and the frame of each stop
    local i
    ask '{"seq":1,"type":"request","command":"initialize"}'
    ask '{"seq":2,"type":"request","command":"launch","arguments":{"trace":"given.omni","sourcePaths":["src"]}}'
    ask '{"seq":3,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"'"$1"'"},
        "breakpoints":[{"line":'"$2"'}]}}'
    ask '{"seq":4,"type":"request","command":"configurationDone"}'
    for i in 1 2 3 4; do
        ask '{"seq":'"$i"'1,"type":"request","command":"continue","arguments":{"threadId":1}}'
        ask '{"seq":'"$i"'2,"type":"request","command":"stackTrace","arguments":{"threadId":1,"levels":1}}'
    done
    ask '{"seq":99,"type":"request","command":"disconnect"}'
}
for case in "$WORK/src/util/Util.kt 4 2" /x/mapped/Main.kt\ 5\ 1 "/x/page.jsp 2 1"; do
    # shellcheck disable=SC2086
    set -- $case
    dap "$1" "$2" | "$h" dap >out 2>err || fail "dap: $(cat err)"
    stops=$(grep -c . < <(grep -ao '"reason":"breakpoint"' out))
    [ "$stops" = "$3" ] || fail "dap: $stops stops at $1:$2, not $3"
    grep -aq '"name":"'"${1##*/}"'"[^}]*},"line":'"$2," out || fail "dap: no frame at $1:$2"
done

# jdb reads the attribute itself
"$h" jdwp given.omni --port 0 >port 2>err &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$WORK"' EXIT
wait_for : port
PYTHONPATH=$ROOT/test/clients/jdwp timeout 100 python3 - "$JDK/bin/jdb" "$(sed 's/.*: //' port)" <<'PY' || fail "jdb"
import sys
from jdb import Jdb
jdb = Jdb(sys.argv[1], "-attach", sys.argv[2])
jdb.ask("stop in mapped.Mapped.check")
jdb.ask("cont")
where = jdb.ask("where")
assert "(Util.kt:" in where and "(Main.kt:13)" in where, where
jdb.process.kill()
PY
finish
