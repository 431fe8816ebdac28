#!/bin/bash
# doors.sh: each server is spoken to in the words of every other one, of a browser and of strangers (doors.py): nobody
# is answered who does not speak its own, and no command runs without the token. The token is in no argument of a
# process and in no file that others can read.
#
# test: trust.doors
# labels: trust
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Waits.java" || die "the program does not compile"
cd "$WORK" || exit 1
processes=()
trap 'exec 9>&-; kill "${processes[@]}" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT
start() { # NAME COMMAND...: leaves its port in the array `port`
    local name=$1; shift
    "$@" >"$name.out" 2>"$name.err" &
    processes+=($!)
    wait_for '[0-9]' "$name.out"
    port[$name]=$(grep -oE ': ?[0-9]+' "$name.out" | head -n 1 | tr -d ': ')
}
token() { sed -n 's/.*token=//p' "$1.out"; }
declare -A port
mkfifo in
"$JAVA" -XX:-UsePerfData "-agentpath:$AGENT=output=t,format=omni" -cp c Waits <in >jvm.out 2>&1 &
processes+=($!)
exec 9>in
wait_for ready jvm.out
"$HINDSIGHT" snapshot t >snapshot.out 2>&1 || fail "snapshot: $(cat snapshot.out)"

# a desktop: its browser is one that waits, and shows what it was given
mkdir desktop runtime
cat >desktop/xdg-open <<B
#!/bin/sh
cat "\$1" >"$WORK/page"
ls -l "\$1" >"$WORK/shown"
exec sleep 5
B
chmod +x desktop/xdg-open
start dap "$HINDSIGHT" dap --listen 0 --token kept
start jdwp "$HINDSIGHT" jdwp t --port 0
start view env PATH="$WORK/desktop:$PATH" DISPLAY=:9 XDG_RUNTIME_DIR="$WORK/runtime" "$HINDSIGHT" view t
wait_for . shown
secret=$(token view)
grep -q "url=http://127.0.0.1:${port[view]}/?token=$secret\"" page || fail "the browser is given: $(cat page)"
grep -q '^-rw-------' shown || fail "the file for the browser: $(cat shown)"
echo "$secret" >secret
shows=$(grep -lF -f secret /proc/[0-9]*/cmdline 2>/dev/null) && fail "the token is an argument: $shows"
python3 "$ROOT/test/trust/doors.py" "${port[dap]}" "$(token dap)" "${port[jdwp]}" "${port[view]}" "$secret" \
    "$WORK/t" "$WORK/made" || fail "doors.py"
[ -z "$(ls runtime)" ] || fail "the file for the browser stays: $(ls runtime)"
for name in dap jdwp view; do
    [ "$(grep -vc 'still being recorded' $name.err)" -le 1 ] || fail "$name says: $(head -n 3 $name.err)"
done

# the file of the token: made for this user alone, kept, and refused where others may read it
[ "$(stat -c %a kept)" = 600 ] && [ "$(cat kept)" = "$(token dap)" ] || fail "the file of the token: $(stat -c %a kept)"
start again "$HINDSIGHT" dap --listen 0 --token kept
[ "$(token again)" = "$(token dap)" ] || fail "the token is not that of the file"
chmod 0640 kept && one_line 1 'kept: other users can read' "$HINDSIGHT" dap --listen 0 --token kept
echo short >bad && chmod 0600 bad
one_line 1 'bad: it does not hold a token' "$HINDSIGHT" dap --listen 0 --token bad
chmod 0600 kept && ln -s kept link
one_line 1 link: "$HINDSIGHT" dap --listen 0 --token link
one_line 2 'belongs to --listen' "$HINDSIGHT" dap --token kept </dev/null
finish
