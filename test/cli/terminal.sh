#!/bin/bash
# The command on a terminal (tmux): colours, pager, width, progress, Ctrl-C. In a pipe there is none of this.
#
# test: cli.terminal
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
[ -z "${HINDSIGHT_SANITIZE:-}" ] || skip "it waits for what is shown within seconds"
command -v tmux >/dev/null && command -v less >/dev/null || die "no tmux or no less (test/packages.sh)"
cd "$WORK" || exit 1
compile c "$ROOT/test/cli/Rounds.java" || die "Rounds does not compile"
record t "" -cp c Rounds 40 >/dev/null 2>err || die "recording: $(cat err)"
record long "" -cp c Rounds 1500000 >/dev/null 2>err || die "recording: $(cat err)"
esc=$'\033'

# ---- a terminal of 80 columns and 24 rows, with a shell whose prompt is READY ----
terminal() { tmux -S "$WORK/socket" -f /dev/null "$@"; }
cat >rc <<RC
PS1='READY> ' PATH=$(dirname "$HINDSIGHT"):\$PATH
unset PAGER HINDSIGHT_PAGER LESS NO_COLOR COLUMNS LINES PROMPT_COMMAND
shopt -u checkwinsize # which would set COLUMNS, but not in the environment
RC
terminal new-session -d -x 80 -y 24 "TERM=screen-256color exec bash --noprofile --rcfile rc -i" ||
    die "tmux does not start"
trap 'terminal kill-server 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$WORK"' EXIT
screen() { terminal capture-pane -p "$@"; }
keys() { terminal send-keys "$@"; }
shows() { # PATTERN: within two minutes
    for _ in $(seq 2400); do
        screen | grep -qE -- "$1" && return
        sleep 0.05
    done
    fail "${told:-the screen} never shows $1: $(screen | grep . | tail -n 5)"
    return 1
}
runs=0
run() { # COMMAND: types it; `told` is it
    told=$1 runs=$((runs + 1))
    keys -l "clear; $1; echo \"status$runs=\$?\""
    keys Enter
}
ended() { shows "^status$runs=$1\$" && shows '^READY>$'; } # STATUS
has() { screen "${@:2}" | grep -qE -- "$1" || fail "$told: the screen does not have $1: $(screen | head -n 5)"; }
has_not() { ! screen "${@:2}" | grep -qE -- "$1" || fail "$told: the screen has $1: $(screen | grep -E -- "$1")"; }
shows '^READY>$' || finish # nothing else would work

# ---- colours ----
colours="$esc\[[0-9;]*3[0-9]"
run 'hindsight print t --limit 5'; ended 0 && has "$colours" -e
run 'NO_COLOR=1 hindsight print t --limit 5'; ended 0 && has_not "$colours" -e
run 'TERM=dumb hindsight print t --limit 5'; ended 0 && has_not "$colours" -e
run 'hindsight print t --limit 5 --color never'; ended 0 && has_not "$colours" -e
run 'NO_COLOR=1 hindsight print t --limit 5 --color=always'; ended 0 && has "$colours" -e
run 'hindsight print t --limit 5 | cat'; ended 0 && has_not "$colours" -e
run 'hindsight print t --limit 5 --color=always | cat'; ended 0 && has "$colours" -e
one_line 2 "color wants auto, always or never, not 'blue'" "$HINDSIGHT" print t --color blue

# ---- width: of 80 columns the last ones are those that matter; classes have no packages ----
compile framework "$ROOT/test/cli/Framed.java" || die "Framed does not compile"
record framed "" -cp framework com.acme.framework.orders.internal.Framed >/dev/null 2>err
grep -q 'there are 2 of 5' err || die "recording: $(cat err)"
run 'hindsight exceptions framed'; ended 0
has '^ +[0-9]+ +1  IllegalStateException#[0-9]+ at Framed\$OrderService\.place:[0-9]+$'
has '^ +\(uncaught\) "there are 2 of 5 that were ordered'
run 'hindsight report framed'; ended 0
has '  Framed\$OrderService\.place\(Fra' && has_not 'com\.acme'
has '  …\$OrderProc.*ntation\.reserve\(' # of a long name begin and end: the method is seen
run 'hindsight print framed --event METHOD_PARAM'; ended 0
has 'METHOD_PARAM +String\[\]#[0-9]+ +Framed\.main:[0-9]+ args$'
run 'hindsight threads framed'; ended 0
has '^ +0 +[0-9]+ +[0-9]+  main$'
thrown=$("$HINDSIGHT" exceptions framed --json | grep -o '"thrown":[0-9]*')
run "hindsight threads framed --at ${thrown#*:}"; ended 0
has '^ +Framed\$OrderService\.place:[0-9]+$'
run 'COLUMNS=200 hindsight report framed'; ended 0 && has 'com\.acme\.framework'

# ---- pager ----
run 'hindsight print t --limit 20'; ended 0 && has '^ +seq +thr  event' # 21 rows fit
run 'hindsight print t'
shows '^:$' && has '^ +0 ' && has_not '^status[0-9]+='
keys Space; shows '^ +30 '
keys q; ended 0 && has_not '[Pp]ipe|rror|descriptor'
run 'hindsight print long'; shows '^:$'; keys q; ended 0 && has_not '[Pp]ipe|rror|descriptor'
run 'hindsight help options'; shows '^:$'; keys q; ended 0
run 'hindsight print t --json'; shows '^:$'; keys q; ended 0
run 'hindsight print t --no-pager | tail -n 1; hindsight print t --no-pager'; ended 0; has_not '^:$'
run 'HINDSIGHT_PAGER="head -n 3" PAGER=false hindsight print t'; ended 0 && [ "$(screen | grep -c '^ ')" = 3 ] ||
    fail "HINDSIGHT_PAGER: $(screen | head -n 6)"
run 'PAGER="tail -n 2" hindsight print t'; ended 0 && [ "$(screen | grep -c '^ ')" = 2 ] ||
    fail "PAGER: $(screen | head -n 6)"
run 'PAGER=cat hindsight print t'; ended 0
run 'PAGER= hindsight print t'; ended 0
run 'PAGER=less hindsight print t'; shows '^:$'; keys q; ended 0
run 'PAGER=no-such-pager hindsight print t'; ended 1 && has 'no-such-pager.*not found'
run 'hindsight print t </dev/null'; ended 0 # nobody could press a key

# ---- width ----
run 'hindsight print framed --limit 20'; ended 0 && has '^ +[0-9].*…$' && has_not '^[^ s]'"$(printf '.%.0s' $(seq 30))"
[ "$(screen | grep -cE '^ +[0-9]+ +0  [A-Z]')" = 20 ] || fail "rows are not cut at the width of the screen: $(screen)"
run 'COLUMNS=40 hindsight print t --limit 5'; ended 0
[ "$(screen | grep -cE '^ .{38}…$')" = 6 ] || fail "COLUMNS=40: $(screen)"
run 'COLUMNS=0 hindsight print t --limit 5'; ended 0 && has_not '…'
run 'hindsight print t --limit 5 --json'; ended 0 && has_not '…' && has '"seq":4,'
run 'hindsight print t --limit 5 | cat'; ended 0 && has_not '…'
COLUMNS=40 "$HINDSIGHT" print t >out 2>err && ! grep -q '…' out || fail "rows are cut in a file"

# ---- progress ----
progress='hindsight [a-z]+: [a-z]+ [0-9]+ %(, [0-9]+ s left)?$'
soon=HINDSIGHT_PROGRESS_DELAY=0
run "$soon hindsight fsck long"; shows "$progress" && shows ' s left$'
ended 0 && has_not "$progress" && has ' 0 violations'
run "$soon hindsight fsck long 2>err"; ended 0
[ ! -s err ] || fail "progress in a file: $(head -c 300 err)"
# the index that the first question makes: progress here, one line elsewhere
run "rm -f long/index; $soon hindsight object 1 long"; shows 'hindsight object: index [0-9]+ %'; ended 0
run "rm -f long/index; $soon hindsight object 1 long 2>err"; ended 0
grep -qE '^hindsight object: making the index of the trace, once: [0-9]+ %(, [0-9]+ s left)?$' err &&
    [ "$(wc -l <err)" = 1 ] || fail "the index is made silently: $(head -c 300 err)"
run "$soon hindsight object 1 long 2>err"; ended 0
[ ! -s err ] || fail "the second question: $(head -c 300 err)"
run 'hindsight fsck t'; ended 0 && has_not "$progress" # within the first second
run "$soon hindsight print long --where 'value * 2 == 123456789'"; shows "$progress"
ended 0 && has 'empty' && has_not "$progress"

# ---- Ctrl-C ----
run "$soon hindsight fsck long"; shows "$progress"; keys C-c; ended 130 && has_not 'violations|%|cancelled'
run "rm -f long/index; $soon hindsight index long"; shows "$progress"; keys C-c
ended 130 && has_not 'cancelled|chunks'
"$HINDSIGHT" index long >out 2>err &&
    "$HINDSIGHT" fsck long >out 2>>err || fail "the index after Ctrl-C: $(cat out err)"
run "$soon hindsight print long --where 'value * 2 == 123456789'; stty -a | grep -o ' echo '"
shows "$progress" && keys C-c
shows '^ echo' # the terminal is as it was
run 'hindsight print long'; shows '^:$'; keys C-c; sleep 0.3; has_not '^status[0-9]+='; keys q; ended 130
# ---- completion, as the Tab key does it ----
for shell in bash zsh fish; do
    "$HINDSIGHT" completion $shell >$shell.script || fail "completion $shell: exit status $?"
    command -v $shell >/dev/null || fail "$shell is not installed (test/packages.sh)"
done
completes() { # SHELL START WANTED...: the Tab key behind START gives all of WANTED
    local shell=$1 start=$2 want; told="$1: $2 and Tab"; shift 2
    keys -l "$start"; sleep 0.2; keys Tab; sleep 0.2; keys Tab
    for want; do shows "$want"; done
    keys C-c; sleep 0.2; keys -l "clear"; keys Enter; shows "^$shell>"
}
begins() { # SHELL COMMAND SCRIPT...: an interactive one with these commands
    local shell=$1 line; told=$1; keys -l "clear; $2"; keys Enter; shift 2; sleep 0.5
    for line; do keys -l "$line"; keys Enter; done
    keys -l clear; keys Enter; shows "^$shell>"
}
begins bash 'bash --norc -i' "PS1='bash> '" '. ./bash.script'
all_of() { # SHELL: the same in every shell
    completes "$1" 'hindsight tree --fol' 'hindsight tree --fold'
    completes "$1" 'hindsight help exit-c' 'hindsight help exit-codes'
    completes "$1" 'hindsight print --event METHOD_EN' 'METHOD_ENTRY'
    completes "$1" 'hindsight last-w' 'hindsight last-write'
    keys -l exit; keys Enter; shows '^READY>$'
}
all_of bash
begins zsh 'zsh -f' "PS1='zsh> '" 'autoload -Uz compinit; compinit -u -D; . ./zsh.script'
all_of zsh
begins fish 'HOME=$PWD fish --no-config' 'function fish_prompt; echo "fish> "; end' '. ./fish.script'
all_of fish

(trap '' INT; "$HINDSIGHT" print t >out 2>err; exit $?) || fail "with SIGINT ignored: $(cat err)"
finish
