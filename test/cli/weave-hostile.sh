#!/bin/bash
# `hindsight weave` of what was made to do harm, or stands in its own way: it ends, in little memory, and there is
# either a whole output or none.
#
# test: cli.weave-hostile
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "the program does not compile"
cd "$WORK" || exit 1
h=$HINDSIGHT
small="prlimit --as=250000000" # of address space; a sanitized build needs more
[ -z "${HINDSIGHT_SANITIZE:-}" ] || small=
# refused PATTERN COMMAND...: status 1 and one line on standard error; counts of other classes may be told
refused() {
    local pattern=$1 status; shift
    timeout -s KILL 120 "$@" >log 2>err </dev/null; status=$?
    [ $status = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -qE -- "$pattern" err ||
        fail "$*: exit status $status, no line with '$pattern': $(head -n 3 err)"
}
nothing() { [ -z "$(ls -A "$1" 2>/dev/null)" ] || fail "$2 left $(ls -A "$1" | head -n 3 | tr '\n' ' ')"; }
jar() { python3 "$ROOT/test/cli/weave_hostile.py" "$@"; }

# directories that hold themselves
mkdir -p loop/sub && cp c/Hello.class loop/sub/ && ln -s . loop/a && ln -s . loop/b && ln -s .. loop/sub/up &&
    ln -s sub loop/again
timeout 120 "$h" weave loop -o loop.out >log 2>err || fail "links to themselves: exit status $?: $(head -n 2 err)"
[ "$(find loop.out -name '*.class' | wc -l)" = 1 ] ||
    fail "links to themselves: $(find loop.out -name '*.class' | wc -l) classes"
python3 - <<'PY'
import os, shutil
for i in range(1, 26):
    os.makedirs("wide/d%d" % i)
    for name in "xy": os.symlink("../d%d" % (i + 1), "wide/d%d/%s" % (i, name))
shutil.copy("c/Hello.class", "wide/d25/")
PY
deep=deep$(printf '/d%.0s' $(seq 1800)); mkdir -p "$deep" && cp c/Hello.class "$deep"
timeout 120 "$h" weave wide >log 2>err || fail "many ways to one directory: exit status $?"
timeout 120 "$h" weave deep -o deep.out >log 2>err || fail "a deep directory: exit status $?: $(head -n 2 err)"
refused 'OUT lies in IN' "$h" weave c -o c/sub
refused 'OUT lies in IN' "$h" weave c -o "$WORK/deep/../c/./sub/deeper"
ln -s c link; refused 'OUT lies in IN' "$h" weave link -o c/sub
mkdir -p c2/c2 && cp c/Hello.class c2/c2/ && cp c2/c2/Hello.class before
refused 'IN lies in OUT' "$h" weave c2/c2 -o c2
cmp -s before c2/c2/Hello.class || fail "the input was changed"
mkdir round && cp c/Hello.class round/ && ln -s ../round.out round/o && ln -s ../round.out/o round/p && mkdir round.out
timeout 120 "$h" weave round -o round.out >log 2>err || fail "a link to the output: exit status $?: $(head -n 2 err)"
[ "$(find round.out | wc -l)" -lt 6 ] || fail "a link to the output: $(find round.out | wc -l) files"
[ ! -e c/sub ] || fail "refused, yet c/sub was made"
rm -rf deep deep.out

# what is no file
mkdir odd && mkfifo odd/Fifo.class && ln -s /dev/zero odd/Zero.class && ln -s nowhere odd/Gone.class &&
    cp c/Hello.class odd/
timeout 120 "$h" weave odd -o odd.out >log 2>err </dev/null; status=$?
[ $status = 0 ] && [ "$(echo $(ls odd.out))" = 'Hello.class hindsight.woven' ] ||
    fail "pipes and devices among class files: exit status $status: $(head -n 2 err)"
refused 'Fifo.class' "$h" weave odd/Fifo.class
refused 'is a directory' "$h" weave c/Hello.class -o c2
: >plain; refused 'plain: ' "$h" weave c -o plain
truncate -s 6G Huge.class; refused 'Huge.class: .*64 MB' $small "$h" weave Huge.class

# jars
mkdir out
jar bad.jar bad; refused 'Worse.class' "$h" weave bad.jar -o out/bad.jar; nothing out "a bad class"
echo old >out/bad.jar
refused 'Worse.class' "$h" weave bad.jar -o out/bad.jar
[ "$(cat out/bad.jar)" = old ] || fail "a bad class replaced what was there"
rm -f out/*
jar twice.jar twice 2>/dev/null
refused 'Hello.class.* twice' "$h" weave twice.jar -o out/twice.jar
nothing out "two entries of one name"
jar large.jar large.class
refused 'large.class.*64 MB' $small "$h" weave large.jar -o out/large.jar
nothing out "a large class"
jar large.jar large.bin
$small "$h" weave large.jar -o out/large.jar >log 2>err || fail "a large entry: exit status $?: $(head -n 2 err)"
[ "$(stat -c %s out/large.jar)" -lt 2000000 ] || fail "a large entry: the output has $(stat -c %s out/large.jar) bytes"
python3 -c \
    'import zipfile,sys; sys.exit(zipfile.ZipFile("out/large.jar").getinfo("large.bin").file_size != 300 << 20)' ||
    fail "a large entry was changed"
jar many.jar many
$small "$h" weave many.jar -o out/many.jar >log 2>err || fail "many large classes: exit status $?: $(head -n 2 err)"
many=$(python3 -c 'import zipfile
z = zipfile.ZipFile("out/many.jar")
print(len(z.namelist()), min(e.file_size for e in z.infolist() if e.filename[0] == "L") > 3900000)')
[ "$many" = "101 True" ] || fail "many large classes: $(ls -la out)"
jar names.jar names
"$h" weave names.jar -o out/names.jar >log 2>err || fail "names that lead elsewhere: $(head -n 2 err)"
cmp -s <(unzip -Z1 names.jar 2>/dev/null || python3 -m zipfile -l names.jar | cut -c1-40) \
    <(unzip -Z1 out/names.jar 2>/dev/null || python3 -m zipfile -l out/names.jar | cut -c1-40) ||
    fail "the names of entries changed"
[ ! -e ../up ] && [ ! -e /tmp/abs ] && [ "$(find . -newer names.jar -name 'Hello.class' | wc -l)" = 0 ] ||
    fail "an entry's name became a path"
refused 'is a directory' "$h" weave names.jar -o c2
mkfifo pipe; refused 'no regular file' "$h" weave names.jar -o pipe
[ -p pipe ] || fail "a pipe was replaced"
cp names.jar self.jar
refused 'OUT is IN' "$h" weave self.jar -o ./self.jar
ln -s self.jar s2.jar
refused 'OUT is IN' "$h" weave self.jar -o s2.jar
# a disk that is full: what was there stays (a mount that only these commands see)
cat >full.sh <<'S'
mount -t tmpfs -o size=64k tmpfs disk || exit 0
echo old >disk/o.jar; echo old >disk/O.class
"$1" weave random.jar -o disk/o.jar >log 2>err && echo "a jar was written"
[ "$(grep -c 'o.jar' err)" = 1 ] && grep -qE 'o.jar(.woven)?: .*space' err || echo "of a jar it says $(cat err)"
head -c 64k /dev/zero >disk/fill 2>/dev/null
"$1" weave c/Hello.class -o disk/O.class >log 2>err && echo "a class was written"
grep -q 'O.class: .*space' err || echo "of a class it says $(cat err)"
[ "$(cat disk/o.jar disk/O.class | tr '\n' ' ')" = "old old " ] && [ "$(ls disk | wc -l)" = 3 ] ||
    echo "there is $(ls disk | tr '\n' ' ')"
S
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    cp names.jar random.jar && head -c 60000 /dev/urandom >random &&
        python3 -c 'import zipfile; z = zipfile.ZipFile("random.jar", "a"); z.write("random"); z.close()'
    mkdir disk && said=$(unshare -m bash full.sh "$h" 2>&1)
    [ -z "$said" ] || fail "a full disk: $said"
fi
# through a pipe and a link; not /dev/stdout itself, which a fault here would replace for the whole machine
"$h" weave c/Hello.class -o good.class >log
ln -s /proc/self/fd/1 stdout
"$h" weave c/Hello.class -o stdout 2>err | head -c "$(stat -c %s good.class)" | cmp -s - good.class ||
    fail "to standard output: $(cat err)"
[ -L stdout ] || fail "the link to standard output was replaced"
echo >target.class; ln -s target.class link.class; "$h" weave c/Hello.class -o link.class >log 2>err
[ -L link.class ] && cmp -s target.class good.class || fail "a link as output: $(cat err)"
(umask 027; "$h" weave c/Hello.class -o mode.class >log; "$h" weave self.jar -o mode.jar >log)
[ "$(stat -c %a mode.class mode.jar | tr '\n' ' ')" = "640 640 " ] || fail "modes $(stat -c %a mode.class mode.jar)"
finish
