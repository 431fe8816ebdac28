#!/bin/bash
# `pack`: every question has the same answer on the directory and on the file; a file that is cut, changed or another's
# is one clear line; the file is never written, nor anything beside it; without the secrets that --redact names.
#
# test: cli.pack
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Filler.java" "$ROOT/test/ask/Failure.java" || die "the programs do not compile"
cd "$WORK" || exit 1
record made weave=ALL -cp c Failure >/dev/null 2>err || die "recording: $(cat err)"
record freq format=freq -cp c Failure >/dev/null 2>err || die "recording: $(cat err)"
"$HINDSIGHT" pack made -o run.hst >out && grep -q '^run.hst: [1-9][0-9]* events, .*; hindsight view run.hst$' out ||
    fail "pack: $(cat out)"
"$HINDSIGHT" pack freq --json >out && [ "$(json out 'd["file"], d["bytes"], d["events"]')" = \
    "('freq.hst', $(stat -c %s freq.hst), 0)" ] || fail "pack --json: $(cat out)"
[ "$(stat -c %a run.hst)" = 600 ] || fail "others may read it: $(ls -l run.hst)"

# The same answers. Both are named alike, as messages and `info` show the name. Bytes of the files differ: a directory
# also has those of `run`.
mkdir dir one && cp -r made dir/t && cp run.hst one/t
"$HINDSIGHT" compact dir/t >out && "$HINDSIGHT" index dir/t >/dev/null || fail "compact: $(cat out)"
chmod a-w one/t one
find one -printf '%p %s %T@\n' | sort >before
seq=$("$HINDSIGHT" print made --json --event METHOD_THROW | sed -n '1s/^{"seq":\([0-9]*\),.*/\1/p')
object=$("$HINDSIGHT" objects made --json --limit 1 | sed 's/^{"id":\([0-9]*\),.*/\1/')
words=0
same() { # WORD...
    (cd dir && "$HINDSIGHT" "$@") >expected 2>told; local status=$?
    (cd one && "$HINDSIGHT" "$@") >out 2>err; local got=$?
    [ "$1" != info ] ||
        sed -i -E 's/"bytes":[0-9]+,"bytes_per_event":[0-9.]+,//; s/"storage":\{[^}]*\},//
            /^(bytes|storage) /d' expected out
    cmp -s expected out || fail "$*: another answer: $(diff expected out | head -n 3)"
    cmp -s told err || fail "$*: $(diff told err | head -n 3)"
    [ $got = $status ] || fail "$*: exit status $got instead of $status: $(cat err)"
    words=$((words + 1))
}
while read -r -a line; do same "${line[@]}"; done <<EOF2
info t --json
info t
print t --json
tree t
report t --json
freq t --limit 20
exceptions t --json
objects t --json
object t $object --json
strings t
threads t --json
classes t --json
methods t
dataids t --json
why $seq t
why t --at $seq --control
locals t --at $seq --json
slice t $seq --limit 20
find t 2 --limit 20
output t
timeline t
activity t --json
diff t t
races t
locks t
deadlocks t
features t
tests t
failure t
watch t Failure.main
fsck t
index t
status t
export t --to jsonl
sql t SELECT(count(*))FROM(calls)
EOF2
[ $words -gt 30 ] || fail "only $words questions were asked"
find one -printf '%p %s %T@\n' | sort | cmp -s before - || fail "the file was written, or something beside it"
chmod u+w one one/t
one_line 1 'one/t: is one file, which is never written' "$HINDSIGHT" compact one/t
"$HINDSIGHT" recover one/t | grep -q 'nothing to recover' || fail "recover"

# copies of it are those of the directory; servers and fleets take it
"$HINDSIGHT" print made --json >then
"$HINDSIGHT" expand run.hst -o whole >out && "$HINDSIGHT" print whole --json | cmp -s then - ||
    fail "expand: $(cat out)"
"$HINDSIGHT" pack run.hst -o again.hst >out && "$HINDSIGHT" print again.hst --json | cmp -s then - ||
    fail "packed twice"
"$HINDSIGHT" fleet push run.hst --to fleet >out &&
    "$HINDSIGHT" fleet query 'SELECT events FROM runs' --from fleet --json >now &&
    grep -q ":$(wc -l <then)}" now || fail "fleet push: $(cat out now)"
ln -s run.hst link && "$HINDSIGHT" print link --json | cmp -s then - || fail "a link to it"

# damaged: each byte of the trailer, cut anywhere, longer, another's file. One line each, nothing is left behind.
size=$(stat -c %s run.hst)
for cut in 0 1 4096 $((size / 2)) $((size - 41)) $((size - 40)) $((size - 8)) $((size - 1)); do
    head -c "$cut" run.hst >hurt
    one_line 1 'hurt: is not a trace: .* or it was cut off' "$HINDSIGHT" info hurt
done
(cat run.hst && echo) >hurt
one_line 1 'hurt: is not a trace' "$HINDSIGHT" info hurt
for at in 40 33 30 23 20 15 8 1; do
    cp run.hst hurt && printf '\xa5' | dd of=hurt bs=1 seek=$((size - at)) conv=notrunc 2>/dev/null
    one_line 1 'hurt: is not a trace' "$HINDSIGHT" info hurt
done
# sizes with a right checksum, but wrong: the parts lie elsewhere
python3 - <<'PY' || die "no xxhash of Python"
import ctypes, struct
lib = ctypes.CDLL("libxxhash.so.0")
lib.XXH64.restype = ctypes.c_uint64
lib.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
whole = open("run.hst", "rb").read()
magic, data, index, run, _ = struct.unpack("<8s4Q", whole[-40:])
for n, sizes in enumerate([(0, data + index, run), (8192, data + index - 8192, run), (data + index + run, 0, 0),
                           (2**64 - 4096, index + 4096, data + run), (data, 0, index + run), (data, index + run, 0)]):
    head = struct.pack("<8s3Q", magic, *(s % 2**64 for s in sizes))
    open(f"wrong{n}", "wb").write(whole[:-40] + head + struct.pack("<Q", lib.XXH64(head, len(head), 0)))
PY
for wrong in wrong?; do
    timeout -s KILL 120 "$HINDSIGHT" print $wrong --json >out 2>err
    case $? in
    0) cmp -s then out || fail "$wrong: another answer" ;;
    1 | 3) [ "$(wc -l <err)" = 1 ] || fail "$wrong: $(cat err)" ;;
    *) fail "$wrong: exit status $?: $(head -n 2 err)" ;;
    esac
done
for ((i = 0; i < 12; i++)); do # bytes of the data overwritten
    at=$(((i * 7919 + 4099) % (size - 200)))
    cp run.hst hurt && yes $i | head -c 64 | dd of=hurt bs=1 seek=$at conv=notrunc 2>/dev/null
    timeout -s KILL 120 "$HINDSIGHT" print hurt --json >out 2>err
    case $? in
    0) cmp -s then out || fail "overwritten ($i): another answer" ;;
    1 | 3) [ "$(wc -l <err)" = 1 ] || fail "overwritten ($i): $(cat err)" ;;
    *) fail "overwritten ($i): exit status $?" ;;
    esac
done
mkfifo pipe
one_line 1 'pipe: is not a trace' timeout -s KILL 120 "$HINDSIGHT" info pipe
cp c/Failure.class other
one_line 1 'other: is not a trace' "$HINDSIGHT" info other
one_line 1 'other: exists and is no trace in one file' "$HINDSIGHT" pack made -o other
cmp -s c/Failure.class other || fail "what was no trace was replaced"
one_line 1 'nowhere/x.hst: ' "$HINDSIGHT" pack made -o nowhere/x.hst
one_line 1 'missing' "$HINDSIGHT" pack missing -o x.hst
"$HINDSIGHT" pack made -o run.hst >out || fail "such a file is replaced: $(cat out)"

# --redact: not in the strings, nor anywhere in the file as text
secret=$("$HINDSIGHT" strings made --json | python3 -c 'import json, sys
print(next(s for s in (json.loads(l)["string"] for l in sys.stdin) if 6 <= len(s) < 40 and s.isprintable()))')
"$HINDSIGHT" pack made -o clean.hst --redact "$secret" >out && grep -q '^[1-9][0-9]* texts and ' out ||
    fail "--redact: $(cat out)"
"$HINDSIGHT" strings run.hst | grep -qF -- "\"$secret\"" || fail "the test sees nothing"
! "$HINDSIGHT" strings clean.hst | grep -F -- "\"$secret\"" || fail "--redact: it is in the file"
one_line 2 'a secret of 2 bytes' "$HINDSIGHT" pack made -o no.hst --redact ab
[ -z "$(ls -A | grep -e hindsight-pack -e '^no\.hst$' -e '^x\.hst$')" ] || fail "left over: $(ls -A)"

# servers of a file: the page of view, and a session of dap, which stands in the threads that the trace has
"$HINDSIGHT" view run.hst --no-browser >view.out 2>view.err & viewer=$!
wait_for http view.out
python3 - "$(grep -oE 'http://[^ ]+' view.out)" "$HINDSIGHT" <<'PY' >said 2>&1 || fail "servers: $(cat said)"
import json, re, subprocess, sys, urllib.request
page = urllib.request.urlopen(sys.argv[1], timeout=120).read().decode()
assert "<html" in page, page[:200]
asked = ["initialize", "launch", "configurationDone", "threads", "disconnect"]
given = {"initialize": {"adapterID": "x"}, "launch": {"trace": "run.hst"}}
sent = b""
for n, word in enumerate(asked, 1):
    body = json.dumps({"seq": n, "type": "request", "command": word, "arguments": given.get(word, {})}).encode()
    sent += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
out = subprocess.run([sys.argv[2], "dap"], input=sent, stdout=subprocess.PIPE, timeout=60, check=False).stdout.decode()
said = [json.loads(m) for m in re.split(r"Content-Length: \d+\r\n\r\n", out) if m]
answers = {m["command"]: m for m in said if m["type"] == "response"}
assert all(answers[word]["success"] for word in asked), answers
threads = subprocess.run([sys.argv[2], "threads", "made", "--json"], stdout=subprocess.PIPE, check=True).stdout
names = {json.loads(line)["name"] for line in threads.decode().splitlines()}
got = {t["name"] for t in answers["threads"]["body"]["threads"]}
assert got and got <= names, (got, names)
PY
kill $viewer
# record --pack
"$HINDSIGHT" record -o rec --pack -- "$JAVA" -cp c Filler 1 100 >/dev/null 2>err
grep -q ' in rec.hst; to begin with:$' err && grep -q '^    hindsight [a-z]* rec.hst' err ||
    fail "record --pack: $(cat err)"
"$HINDSIGHT" print rec --json >then && "$HINDSIGHT" print rec.hst --json | cmp -s then - || fail "record --pack: $(ls)"
finish "a trace as one file"
