#!/bin/bash
# compilers.sh [COMPILER...]: do the newest compilers, gcc and clang of Debian's unstable suite, build all of it without
# a warning? In a chroot that it makes in build/chroots. As root.
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/packages.sh
. "$ROOT/test/packages.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
[ $# -gt 0 ] || set -- gcc clang
install_missing mmdebstrap
tree=$ROOT/build/chroots/compilers
# what is built needs no JDK of a certain release, and no page
packages=$(echo "$PACKAGES clang lld" | tr -s ' \n' '\n' | grep -vxE 'openjdk-.*|nodejs|npm|ecj')
if [ ! -e "$tree/made" ]; then
    rm -rf "$tree" && mkdir -p "${tree%/*}"
    mmdebstrap --quiet --variant=apt --mode=root --aptopt='APT::Sandbox::User "root"' \
        --aptopt='Acquire::Check-Valid-Until "false"' --include="${packages//$'\n'/ } openjdk-21-jdk-headless" \
        sid "$tree" >"$WORK/log" 2>&1 || die "no chroot: $(tail -n 3 "$WORK/log")"
    touch "$tree/made"
fi
mkdir -p "$tree/source"
in_tree() {
    unshare -m -p --fork sh -c "mount -t proc proc '$tree/proc' && mount --bind '$ROOT' '$tree/source' &&
        exec chroot '$tree' \"\$@\"" sh "$@"
}
for compiler; do
    version=$(in_tree "$compiler" --version | head -n 1)
    [ "$compiler" = gcc ] && flags=-O2 || flags=-O0 # what gcc warns of depends on what it optimizes
    in_tree cmake -S /source -B "/build/$compiler" -G Ninja "-DCMAKE_C_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=None \
        "-DCMAKE_C_FLAGS=$flags" -DHINDSIGHT_WERROR=ON >"$WORK/log" 2>&1 || die "$version: $(tail -n 5 "$WORK/log")"
    in_tree ninja -k 0 -C "/build/$compiler" >"$WORK/log" 2>&1 ||
        fail "$version: $(grep -E 'error: |FAILED: ' "$WORK/log" | sort -u | head -n 20)"
    echo "$version: $(grep -c 'Building C object' "$WORK/log") files"
done
finish
