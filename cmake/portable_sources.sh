#!/bin/sh
# portable_sources.sh FOLDER UNPACKED PACKAGE...: FOLDER/PACKAGE is the source package of Debian that this system's
# packages were built from, with Debian's patches; apt-get checks the signature. If UNPACKED is not empty,
# UNPACKED/PACKAGE is copied instead. FOLDER/unpacked is made when all are there, and has their versions.
folder=$1 unpacked=$2
shift 2
set -e
rm -rf "$folder"
mkdir -p "$folder"
if [ -n "$unpacked" ]; then
    for package; do cp -R "$unpacked/$package" "$folder/"; done
else
    # apt-get with lists of its own, so that the system's stay as they are
    apt=$folder/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/source"
    suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
    cat >"$apt/sources.list" <<END
deb-src $key http://deb.debian.org/debian $suite main
deb-src $key http://deb.debian.org/debian-security $suite-security main
END
    get() {
        apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User= "$@"
    }
    get update
    cd "$apt/source"
    for package; do
        get source --download-only "$package" >/dev/null
        dpkg-source --no-check -x "${package}"_*.dsc "$folder/$package" >/dev/null
    done
    cd /
    rm -rf "$apt"
fi
for package; do
    printf '%s %s\n' "$package" "$(sed -n '1s/^[^(]*(\([^)]*\)).*/\1/p' "$folder/$package/debian/changelog")"
done >"$folder/unpacked"
