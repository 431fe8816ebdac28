#!/bin/sh
# build.sh SOURCE WORK OUT - the page of `hindsight view`: the packages of package-lock.json, bundled by esbuild.
#
# Without npm, or without a network the first time, there is no page: that is said, and the build goes on; the next
# build tries again. Nothing of it is loaded from a network when it runs.
src=$1 work=$2 out=$3
no_page() { echo "hindsight view will have no page: $1"; exit 0; }
command -v npm >/dev/null || no_page "npm is not installed"
mkdir -p "$work" "$out" || exit 1
if ! cmp -s "$src/package-lock.json" "$work/done"; then
    cp "$src/package.json" "$src/package-lock.json" "$work" || exit 1
    (cd "$work" && npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1) ||
        no_page "npm cannot install its packages: $(tail -n 1 "$work/npm.log")"
    cp "$src/package-lock.json" "$work/done"
fi
NODE_PATH=$work/node_modules "$work/node_modules/.bin/esbuild" "$src/main.js" --bundle --minify --format=esm \
    --target=es2021 --legal-comments=eof --log-level=warning --outfile="$out/app.js" || exit 1
cp "$src/app.css" "$src/index.html" "$out"
