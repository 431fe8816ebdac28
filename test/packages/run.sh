#!/bin/bash
# run.sh [SUITE...]: the packages of preset portable. Are they what Debian's policy asks for, and the same bytes when
# they are made again elsewhere (REBUILD=)? In a fresh Debian with nothing installed but a JVM unpacked beside: does
# what install.sh unpacks, and what dpkg installs, record a program, answer and serve the page, and go away again? Does
# the jar print a path, and record by -javaagent:? Do the Dockerfile and the snippets of CI what they are for?
# SUITE: bookworm, trixie, sid (default: bookworm). As root; installs the programs that it needs. The trees of suites
# stay in build/chroots.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=test/packages.sh
. "$ROOT/test/packages.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
install_missing mmdebstrap lintian rpm
[ $# -gt 0 ] || set -- bookworm
packages=$ROOT/build/portable chroots=$ROOT/build/chroots
SOURCE_DATE_EPOCH=$(git -C "$ROOT" log -1 --format=%ct) || die "no commit to take the time of"
export SOURCE_DATE_EPOCH
make_packages() { # TREE [option of cmake]
    (cd "$1" && shift && cmake --preset portable "$@" && cmake --build --preset portable --target package) \
        >"$WORK/make.log" 2>&1 || die "$(tail -n 5 "$WORK/make.log")"
}
make_packages "$ROOT"
bash "$ROOT/test/packages/one-file.sh" "$packages" || fail "one-file.sh"
archive=$(echo "$packages"/hindsight-*-linux-*.tar.gz) deb=$(echo "$packages"/hindsight_*.deb)
(cd "$packages" && sha256sum --quiet -c ./*.sha256) || fail "checksums"
lintian --allow-root --fail-on error "$deb" >"$WORK/lintian.log" 2>&1 ||
    fail "lintian: $(grep '^E' "$WORK/lintian.log")"

if [ -n "${REBUILD:-}" ]; then
    mkdir "$WORK/elsewhere"
    git -C "$ROOT" ls-files -z | (cd "$ROOT" && xargs -0 tar -cf -) | tar -xf - -C "$WORK/elsewhere"
    make_packages "$WORK/elsewhere" "-DHINDSIGHT_SOURCES=$packages/third_party/src"
    for file in "$packages"/hindsight[-_]*.{tar.gz,deb,rpm,jar}; do
        [ -e "$file" ] || continue
        cmp "$file" "$WORK/elsewhere/build/portable/${file##*/}" || fail "${file##*/}: other bytes when made again"
    done
fi

"$JDK/bin/jlink" --add-modules java.base --output "$WORK/jre" || die "jlink"
cd "$WORK" || exit 1
compile classes "$ROOT/docs/programs/Stock.java" || die "Stock does not compile"
cat >"$WORK/use.sh" <<'END'
# in the fresh tree: HINDSIGHT is the installed command
set -eu
cd /tmp
$HINDSIGHT record -o shop -- /opt/jre/bin/java -cp /opt/classes Stock 2>err && exit 1
grep -q '328 events of 2 classes' err || { cat err; exit 1; }
$HINDSIGHT last-write Item.count --before 305 shop | grep -q Stock.deliver:31
$HINDSIGHT why 214 shop --limit 6 | grep -q 'returned by java.lang.Integer.parseInt'
$HINDSIGHT sql 'select count(*) from events' shop | grep -q 328
$HINDSIGHT weave -o woven /opt/classes >/dev/null
$HINDSIGHT fsck shop >/dev/null
timeout 60 $HINDSIGHT view shop --no-browser >view.log 2>&1 &
for _ in $(seq 600); do grep -q 'http://' view.log && break; sleep 0.1; done
url=$(grep -oE 'http://[^ ]+' view.log | head -n 1)
port=$(echo "$url" | sed -E 's|.*:([0-9]+).*|\1|')
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /app.js HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" >&3
head -n 1 <&3 | grep -q ' 200 ' || { echo "the page is not served: $(cat view.log)"; exit 1; }
kill $! && wait $! || :
END
in_tree() {
    unshare -m -p --fork env -u TMPDIR sh -c "mount -t proc proc '$tree/proc' && exec chroot '$tree' \"\$@\"" sh "$@"
}
unchanged() { in_tree find /usr -xdev | sort | diff "$WORK/before" - >"$WORK/changed"; }
# ---- the jar, with the JVM of this system ----
jar=$(echo "$packages"/hindsight-agent-*.jar)
export XDG_CACHE_HOME=$WORK/cache
path=$("$JAVA" -jar "$jar" path) || fail "the jar prints no path"
"$JAVA" "-agentpath:$path=output=by-path,format=omni,quiet=true" -cp classes Stock >out 2>&1
"$JAVA" -jar "$jar" hindsight info by-path >out || fail "recorded by the jar's agent: $(cat out)"
"$JAVA" "-javaagent:$jar=output=by-jar,format=omni" -cp classes Stock >out 2>err && fail "Stock does not fail"
[ ! -s out ] || fail "-javaagent: writes on the program's output: $(cat out)"
"$HINDSIGHT" exceptions by-jar 2>&1 | grep -q '5 of pen wanted' || fail "recorded by -javaagent: $(cat err)"
"$JAVA" -XX:+DisableAttachMechanism "-javaagent:$jar" -cp classes Stock >out 2>err
grep -q 'this run is not recorded' err && grep -q IllegalStateException err && [ ! -s out ] ||
    fail "no attaching: $(cat err)"
(export XDG_CACHE_HOME=/proc/none && "$JAVA" -jar "$jar" path) | grep -q 'libhindsight.so$' ||
    fail "without a cache folder"
"$JAVA" -jar "$jar" 2>err && fail "no word is taken"
unset XDG_CACHE_HOME

# ---- snippets of CI: their commands, each with a home of its own ----
found_by() { # NAME PATH: the command is the one that was installed, and runs
    [ "$(PATH=$2:$PATH command -v hindsight)" = "$WORK/$1/.local/bin/hindsight" ] &&
        PATH=$2:$PATH hindsight --version >out 2>&1 || fail "$1: $(cat log)"
}
mkdir github gitlab
sed -n '/^ *run: |$/,$ { s/^        //p }' "$ROOT/packaging/ci/action.yml" |
    sed "s|\${{ inputs.archive }}|$archive|; s|\${{ inputs.sha256 }}||" >github/step.sh
HOME=$WORK/github GITHUB_PATH=$WORK/github/path GITHUB_ACTION_PATH=$ROOT/packaging/ci sh -e github/step.sh >log 2>&1
found_by github "$(cat github/path)"
{
    echo "cd '$ROOT'"
    sed -n '/before_script:/,/artifacts:/ { s/^    - //p }' "$ROOT/packaging/ci/gitlab.yml"
    echo 'echo "${PATH%%:*}" >"$HOME/path"'
} >gitlab/step.sh
HOME=$WORK/gitlab HINDSIGHT_ARCHIVE=$archive sh -e gitlab/step.sh >log 2>&1
found_by gitlab "$(cat gitlab/path)"
dockerfile=$ROOT/packaging/Dockerfile

for suite; do
    mkdir -p "$chroots"
    if [ ! -f "$chroots/$suite.tar" ]; then # whole, or not there
        mmdebstrap --quiet --variant=minbase --mode=root --aptopt='APT::Sandbox::User "root"' \
            --aptopt='Acquire::Check-Valid-Until "false"' "$suite" "$WORK/new.tar" >"$WORK/log" 2>&1 &&
            mv "$WORK/new.tar" "$chroots/$suite.tar" || { fail "$suite: $(tail -n 3 "$WORK/log")"; continue; }
    fi
    tree=$WORK/$suite
    mkdir "$tree" && tar -xf "$chroots/$suite.tar" -C "$tree" --exclude='./dev/*'
    mknod -m 666 "$tree/dev/null" c 1 3 && mknod -m 666 "$tree/dev/urandom" c 1 9
    cp -r "$WORK/jre" "$WORK/classes" "$tree/opt" && cp "$WORK/use.sh" "$tree/opt/use.sh"
    cp "$archive" "$archive.sha256" "$packages/install.sh" "$deb" "$tree/opt"
    in_tree find /usr -xdev | sort >"$WORK/before"

    in_tree sh /opt/install.sh "/opt/${archive##*/}" /usr/local deadbeef 2>"$WORK/log" && fail "a wrong checksum"
    in_tree sh /opt/install.sh "/opt/${archive##*/}" /usr/local 2>"$WORK/log" || fail "install.sh: $(cat "$WORK/log")"
    in_tree env HINDSIGHT=/usr/local/bin/hindsight bash /opt/use.sh || fail "$suite: installed by install.sh"
    rm -rf "$tree"/tmp/*
    in_tree sh /opt/install.sh --remove /usr/local || fail "install.sh --remove"
    unchanged || fail "$suite: install.sh leaves files behind, or takes others away: $(cat "$WORK/changed")"

    # the commands of the Dockerfile, on top of a tree that has Java
    mkdir "$tree/tmp/hindsight" "$tree/traces"
    cp "$archive" "$archive.sha256" "$packages/install.sh" "$tree/tmp/hindsight"
    in_tree sh -c "$(sed -n 's/^RUN //p' "$dockerfile")" 2>"$WORK/log" || fail "RUN: $(cat "$WORK/log")"
    in_tree env "$(sed -nE 's/^ENV (.*)="(.*)"/\1=\2/p' "$dockerfile")" /opt/jre/bin/java -cp /opt/classes Stock \
        >"$WORK/log" 2>&1
    in_tree sh -c '/usr/local/bin/hindsight info /traces/trace-*' >"$WORK/out" 2>&1 ||
        fail "the Dockerfile records nothing: $(cat "$WORK/log" "$WORK/out")"
    in_tree sh /opt/install.sh --remove /usr/local || fail "install.sh --remove"
    in_tree rm -rf /traces

    in_tree dpkg -i "/opt/${deb##*/}" >"$WORK/log" 2>&1 || fail "dpkg: $(tail -n 3 "$WORK/log")"
    in_tree env HINDSIGHT=hindsight bash /opt/use.sh || fail "$suite: installed by dpkg"
    in_tree dpkg -P hindsight >"$WORK/log" 2>&1 || fail "dpkg -P: $(tail -n 3 "$WORK/log")"
    unchanged || fail "$suite: the package leaves files behind, or takes others away: $(cat "$WORK/changed")"

    rpm=$(echo "$packages"/hindsight-*.rpm) # this system has none of its own: files only
    if [ -f "$rpm" ]; then
        (cd "$tree" && rpm2archive - <"$rpm" | tar -xzf - --no-same-owner)
        in_tree env HINDSIGHT=hindsight bash /opt/use.sh || fail "$suite: the files of the .rpm"
    fi
    echo "$suite: $("$HINDSIGHT" --version)"
    rm -rf "$tree"
done
finish
