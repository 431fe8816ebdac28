#!/bin/sh
# sysroot.sh FOLDER: unpacks Debian's arm64 packages that a build of preset portable links, and a JRE 17 to run with
# qemu-aarch64, into FOLDER. Nothing of this system changes: apt-get has lists of its own.
set -e
folder=$1
made_by=$(cksum <"$0")
[ "$(cat "$folder/unpacked" 2>/dev/null)" != "$made_by" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/packages"
folder=$(cd "$folder" && pwd)
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
key='[arch=arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
cat >"$folder/apt/sources.list" <<END
deb $key http://deb.debian.org/debian $suite main
deb $key http://deb.debian.org/debian-security $suite-security main
END
get() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
        -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" \
        -o Dir::State::status=/dev/null -o APT::Sandbox::User= "$@"
}
get update
cd "$folder/apt/packages"
get download libc6 libc6-dev linux-libc-dev libcrypt1 libgcc-s1 libstdc++6 zlib1g zlib1g-dev libzstd-dev libxxhash-dev \
    libpcre2-dev libsqlite3-dev libcurl4-openssl-dev libxml2-dev openjdk-17-jre-headless
for package in ./*.deb; do dpkg-deb -x "$package" "$folder"; done
# links that lead to the root of the system lead into the folder
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -sfn "$folder$(readlink "$link")" "$link"
done
cd "$folder"
rm -rf apt
echo "$made_by" >unpacked
