#!/bin/bash
# Every option of every command (option_list prints the table) is accepted in each form, and stands in -h, in its manual
# page and in the completions of bash, zsh and fish, which load and complete.
#
# test: cli.commands
# labels: cli slow
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
h=$HINDSIGHT docs=$BUILD/docs
cd "$WORK" || exit 1
"$BUILD/test/option_list" >options || die "no table of options"
commands=$(cut -d ' ' -f 1 options | sort -u)
[ "$(wc -l <options)" -gt 150 ] || die "only $(wc -l <options) options found"
[ "$(wc -w <<<"$commands")" = "$("$h" help | grep -cE '^  [a-z-]+ ')" ] ||
    fail "hindsight help lists other commands than the table has"

# the manual pages, as they are read: one for each command, those of the trace format and of the agent
pages=$(find "$docs/man" -type f)
[ "$(wc -l <<<"$pages")" = $(($(wc -w <<<"$commands") + 3)) ] || fail "other manual pages than commands: $pages"
for page in $pages; do
    name=$(basename "$page")
    MANWIDTH=200 man --warnings -l "$page" 2>warnings | col -b >"$name.txt"
    [ ! -s warnings ] || fail "man --warnings $name: $(head -n 3 warnings)"
    [ "$(wc -l <"$name.txt")" -gt 15 ] || fail "man $name: $(cat "$name.txt")"
done
# shellcheck disable=SC2086
mandoc -T lint -W warning $pages >lint 2>&1 || fail "mandoc: $(head -n 3 lint)"
for c in $commands; do
    sed "s/^/$c /" "hindsight-$c.1.txt"
    grep -q "hindsight-$c(1)" hindsight.1.txt || fail "hindsight(1) does not name $c" >&2
done >man.parts
for o in $(sed -nE 's/^OPTION\(([a-z]+),.*/\1/p' "$ROOT/formats/options.def"); do
    grep -qE "^ *$o=" hindsight-agent.7.txt || fail "hindsight-agent(7) does not have $o"
done

# the completions
for shell in bash zsh fish; do "$h" completion $shell >$shell.script || fail "completion $shell: exit status $?"; done
cmp -s bash.script "$docs/hindsight" && cmp -s zsh.script "$docs/_hindsight" &&
    cmp -s fish.script "$docs/hindsight.fish" || fail "the build makes other scripts"
# shellcheck disable=SC1091
. ./bash.script
complete -p hindsight | grep -q _hindsight || fail "the script of bash registers no function"
completes() { # WORD... : what bash offers for the last word
    COMP_WORDS=(hindsight "$@") COMP_CWORD=$#
    _hindsight 2>/dev/null
    printf '%s\n' "${COMPREPLY[@]}"
}

for c in $commands; do
    "$h" "$c" -h >"$c.help" || fail "$c -h: exit status $?"
    grep -q "^$c " man.parts || fail "hindsight-$c(1) is empty"
    grep -qx "$c" < <(completes "${c:0:3}") || fail "bash does not complete $c"
    grep -q "^    $c)" zsh.script || fail "zsh: no $c"
    grep -qF -- "-xa $c -d" fish.script || fail "fish: no $c"
done

accepts() { # ARGUMENT...: these, and then -h, show the help of the command
    "$h" "$@" -h >out 2>err && cmp -s out "$1.help" || fail "$*: $(cat err)"
}
while read -r c name letter argument; do
    dash=${letter/#-/} value=1
    [ "$name" = help ] && continue
    if [ "$argument" = - ]; then
        accepts "$c" "--$name"
        [ -z "$dash" ] || accepts "$c" "-$letter"
        [ -z "$dash" ] || accepts "$c" "-$letter$letter"
    else
        accepts "$c" "--$name" $value
        accepts "$c" "--$name=$value"
        [ -z "$dash" ] || accepts "$c" "-$letter" $value
        [ -z "$dash" ] || accepts "$c" "-$letter$value"
        "$h" "$c" "--$name" >out 2>err; status=$?
        [ $status = 2 ] && grep -q -- "--$name wants an argument" err ||
            fail "$c --$name without argument: exit status $status, $(cat err)"
    fi
    grep -qE -- "^  (-$letter|  ),? --$name( |$)" "$c.help" || grep -qE -- "^ +(-$letter, )?--$name( |$)" "$c.help" ||
        fail "$c -h does not show --$name"
    grep -qE -- "^$c .*--$name( |$)" man.parts || fail "the manual page of $c does not show --$name"
    [ -z "$dash" ] || grep -qE -- "^$c .*-$letter, --$name( |$)" man.parts ||
        fail "the manual page of $c does not show -$letter"
    grep -qx -- "--$name" < <(completes "$c" "--${name:0:2}") || fail "bash does not complete $c --$name"
    [ -z "$dash" ] || grep -qx -- "-$letter" < <(completes "$c" -) || fail "bash does not complete $c -$letter"
    sed -n "/^    $c)/,/;;/p" zsh.script | grep -qE -- "'\*?--$name[=[]" || fail "zsh: $c has no --$name"
    grep -qE -- "__hindsight_is $c' -l $name( |$)" fish.script || fail "fish: $c has no --$name"
done <options
echo "$(wc -l <options) options of $(wc -w <<<"$commands") commands"

# arguments are completed too
offers() { # WANTED WORD...
    local wanted=$1; shift
    grep -qx -- "$wanted" < <(completes "$@") || fail "bash: hindsight $* is not completed to $wanted"
}
mkdir 'a trace'
touch file.class
offers print pri
offers help hel
offers exit-codes help exit
offers print help pri
offers always print --color al
offers once tree --fold on
offers once tree --fold = on # --fold=on, as bash divides it
offers METHOD_ENTRY,CALL_RETURN print --event METHOD_ENTRY,CALL_RE
offers METHOD_ENTRY,CALL_RETURN print -e METHOD_ENTRY,CALL_RE
offers EXEC+FIELD record --weave EXEC+FI
offers 'a trace' info a
offers 'a trace' record -o a
offers file.class weave fi
offers zsh completion z
[ -z "$(completes print --limit '')" ] || fail "bash completes a number: $(completes print --limit '')"
if command -v zsh >/dev/null; then
    zsh -f -c "autoload -Uz compinit && compinit -u -d zdump && . ./zsh.script &&
        (( \${+functions[_hindsight]} )) && [[ \$_comps[hindsight] == _hindsight ]]" ||
        fail "zsh does not load its script"
else
    fail "zsh is not installed (test/packages.sh)"
fi
if command -v fish >/dev/null; then
    HOME=$WORK fish --no-config -c '. ./fish.script
        complete -C "hindsight pri"
        complete -C "hindsight tree --fold on"
        complete -C "hindsight help exit"
        complete -C "hindsight print --lim"' >fish.out 2>fish.err ||
        fail "fish: $(cat fish.err)"
    for word in print once --limit exit-codes; do
        grep -q -- "^$word" fish.out || fail "fish does not complete $word: $(cat fish.out)"
    done
else
    fail "fish is not installed (test/packages.sh)"
fi
finish
