# lib.sh - sourced by run.sh: JDKs that this Debian does not have, from Debian's unstable suite, which has all of them.
#
# They are unpacked below JDKS (default /var/cache/hindsight-jdks), once: with the C library that they are built
# against, which may be newer than that of the machine. So their programs name its loader and its folder themselves
# (patchelf), and run like those of any other JDK, without a chroot. Needs apt-get and dpkg-deb; installs patchelf.
# shellcheck shell=bash
# shellcheck source=test/packages.sh
. "$ROOT/test/packages.sh"
JDKS=${JDKS:-/var/cache/hindsight-jdks}
suite=sid
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
apt=$JDKS/apt libc=$JDKS/libc

# apt with sources, lists and state of its own
apt_of_suite() {
    APT_CONFIG=$apt/apt.conf "$@"
}

# A mirror of unstable that is behind has a list that has run out after a week: its signature is checked, not its date.
prepare_apt() {
    mkdir -p "$apt"/lists/partial "$apt"/archives/partial "$apt/none"
    : >"$apt/status"
    echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<-END
	Dir::State "$apt";
	Dir::State::status "$apt/status";
	Dir::Cache "$apt";
	Dir::Etc::sourcelist "$apt/sources.list";
	Dir::Etc::sourceparts "$apt/none";
	Dir::Etc::preferencesparts "$apt/none";
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	Acquire::Check-Valid-Until "false";
	END
    apt_of_suite apt-get -q update
}

# unpack FOLDER PACKAGE...
unpack() {
    local folder=$1
    shift
    rm -rf "$apt/debs" && mkdir -p "$apt/debs" "$folder"
    (cd "$apt/debs" && apt_of_suite apt-get -q download "$@")
    for deb in "$apt"/debs/*.deb; do
        dpkg-deb -x "$deb" "$folder"
    done
    rm -rf "$apt/debs"
}

get_libc() {
    [ -e "$libc/done" ] && return
    unpack "$libc" libc6 libstdc++6 libgcc-s1 zlib1g
    touch "$libc/done"
}

# The programs of a JDK use our C library.
use_libc() {
    local loader
    loader=$(readlink -f "$libc"/usr/lib64/ld-linux-x86-64.so.2)
    find "$1" -type f \( -path '*/bin/*' -o -name jspawnhelper \) -perm /111 | while read -r program; do
        [ "$(head -c 4 "$program" | tail -c 3)" = ELF ] || continue
        patchelf --set-interpreter "$loader" --force-rpath \
            --set-rpath "$(patchelf --print-rpath "$program"):$libc/usr/lib/x86_64-linux-gnu" "$program"
    done
}

get_jdk() {
    local release=$1 jdk=$JDKS/$1 all=$JDKS/unpacked
    [ -e "$jdk/release" ] && return
    rm -rf "$all" "$jdk"
    unpack "$all" "openjdk-$release-jre-headless" "openjdk-$release-jdk-headless"
    # configuration is in /etc, by links
    find "$all/usr/lib/jvm" -type l -lname '/etc/java-*' | while read -r link; do
        local target
        target=$all$(readlink "$link")
        [ ! -e "$target" ] || { rm "$link" && cp -rL "$target" "$link"; }
    done
    use_libc "$all"
    mv "$all/usr/lib/jvm/java-$release-openjdk-amd64" "$jdk"
    rm -rf "$all"
    "$jdk/bin/java" -Xshare:dump >/dev/null 2>&1 || true # as Debian's package does when it is installed
    [ -e "$jdk/release" ] || "$jdk/bin/java" -version 2>&1 | sed -nE 's/^openjdk version (".*")/JAVA_VERSION=\1/p' \
        >"$jdk/release"
}

# get_jdks RELEASE...: makes those that are not there; JDK N is then in $JDKS/N
get_jdks() (
    set -e
    install_missing patchelf
    for release; do
        [ ! -e "$JDKS/$release/release" ] || continue
        [ -n "${prepared:-}" ] || prepare_apt
        prepared=yes
        get_libc
        get_jdk "$release"
    done
)
