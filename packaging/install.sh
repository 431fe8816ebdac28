#!/bin/sh
# install.sh hindsight-VERSION-linux-MACHINE.tar.gz [PREFIX] [SHA256]: unpacks Hindsight below PREFIX (/usr/local
# as root, else ~/.local), if the checksum is right: SHA256, or what stands in the file .sha256 beside the archive. The
# archive may be an URL. `sh install.sh --remove [PREFIX]` takes away what it installed.
set -eu
prefix=$HOME/.local
[ "$(id -u)" != 0 ] || prefix=/usr/local
list=share/hindsight/installed
say() { echo "install.sh: $*" >&2; }
if [ "${1:-}" = --remove ]; then
    prefix=${2:-$prefix}
    [ -f "$prefix/$list" ] || { say "nothing was installed in $prefix"; exit 1; }
    cd "$prefix"
    { cat "$list" && echo "$list"; } | sort -r | while read -r file; do
        if [ -d "$file" ] && [ ! -L "$file" ]; then rmdir "$file" 2>/dev/null || :; else rm -f "$file"; fi
    done
    exit 0
fi
if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
fi
archive=$1 prefix=${2:-$prefix} sum=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case $archive in
http://* | https://*)
    for file in "$archive" "$archive.sha256"; do
        [ "$file" = "$archive" ] || [ -z "$sum" ] || continue
        curl -fsSL -o "$scratch/${file##*/}" "$file" || { say "cannot get $file"; exit 1; }
    done
    archive=$scratch/${archive##*/} ;;
esac
[ -f "$archive" ] || { say "$archive is not there"; exit 1; }
[ -n "$sum" ] || [ -f "$archive.sha256" ] || { say "no checksum: neither a word nor $archive.sha256"; exit 1; }
[ -n "$sum" ] || sum=$(cut -d ' ' -f 1 "$archive.sha256")
found=$(sha256sum "$archive" | cut -d ' ' -f 1)
[ "$found" = "$sum" ] || { say "$archive has the checksum $found, not $sum: nothing was installed"; exit 1; }
case $archive in
*-linux-"$(uname -m)".tar.gz) ;;
*) say "$archive is not for this machine, $(uname -m)"; exit 1 ;;
esac
mkdir -p "$prefix"
# what is new here is ours to remove, and what we installed before
tar -tzf "$archive" | sed -n 's|^[^/]*/\(..*\)|\1|p' | sed 's|/$||' | while read -r file; do
    [ -d "$prefix/$file" ] || echo "$file"
done >"$scratch/list"
[ ! -f "$prefix/$list" ] || cat "$prefix/$list" >>"$scratch/list"
tar -xzf "$archive" -C "$prefix" --strip-components 1 --no-same-owner
sort -u "$scratch/list" >"$prefix/$list"
"$prefix/bin/hindsight" --version >&2 || { say "$prefix/bin/hindsight does not run here"; exit 1; }
say "installed in $prefix"
