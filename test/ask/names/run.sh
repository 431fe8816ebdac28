#!/bin/bash
# A name that matches nothing is told, with exit status 1, by every command that takes one; a known name without
# anything to show is an empty answer: exit status 0, and standard error says so.
#
# test: ask.names
# labels: ask cli
# limit: 900 s
. "$(dirname "$0")/../../lib.sh"
compile "$WORK/c" "$ROOT/test/cli/Hello.java" || die "Hello does not compile"
cd "$WORK" || exit 1
record t "" -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
record timing format=timing -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
record latest format=latest -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
h=$HINDSIGHT
# every option of that kind that any command has, so that a new command is asked too
asked=0
for c in $("$h" help | sed -nE 's/^  +([a-z][a-z-]+)  +.*/\1/p'); do
    "$h" "$c" -h >help || fail "$c -h"
    for json in "" --json; do
        for o in class method thread feature type mark; do
            case $c in status | mark | unmark | start | stop | snapshot | attach | record | weave) continue ;; esac
            case $c:$o in history:* | last-write:* | object:* | why:*) continue ;; esac # their own grammar
            grep -q -- " --$o " help || continue
            asked=$((asked + 1))
            case $c in
            export) more="--to jsonl" ;;
            diff) more=t ;;
            calls) more=Hello.main ;;
            find) more=5 ;;
            watch) more="Hello.main text" ;;
            *) more= ;;
            esac
            # shellcheck disable=SC2086
            one_line 1 "$c: .*--$o.* '?Nosuch" "$h" "$c" t --$o Nosuch $more $json
        done
    done
done
[ $asked -ge 40 ] || fail "only $asked options asked"
last=$("$h" print t --json | wc -l)
for c in print tree; do
    one_line 1 "from $last: the last event.* $((last - 1))" "$h" "$c" t --from "$last"
    one_line 1 'from 99999999999' "$h" "$c" t --from 99999999999
    one_line 2 'to 3.*--from 5' "$h" "$c" t --from 5 --to 3
done
for c in print tree; do
    "$h" $c t --from $((last - 1)) >/dev/null 2>err || fail "$c --from the last event: $(cat err)"
done
# a name that no event can have, in a condition: before anything is read or written
for c in print "export --to jsonl" "export --to parquet -o made" "export --to collapsed"; do
    # shellcheck disable=SC2086
    for condition in 'nosuch == 1' 'line > 0 || nosuch == 1'; do
        one_line 1 "where: no row has 'nosuch'; names are seq .*, and those of fields" "$h" $c t --where "$condition"
    done
    # shellcheck disable=SC2086
    one_line 1 "where: no row has 'Hello.metod'; the nearest: method" "$h" $c t --where "Hello.metod == 1"
done
[ ! -e made ] || fail "export makes a file for a condition with an unknown name"
one_line 1 'object 999999.*no object' "$h" print t --object 999999
one_line 2 'object 0' "$h" print t --object 0
one_line 1 "class: no class is called 'Nosuch'" "$h" print t --class Nosuch --method main
one_line 1 "method: no method of Hello is called 'fibb'" "$h" print t --class Hello --method fibb
one_line 1 "class: no class is called 'Nosuch'" "$h" report timing --class Nosuch
one_line 1 "class: no class is called 'Nosuch'" "$h" latest latest --class Nosuch
for e in Nosuch METHOD_ENTER; do for c in print freq latest; do one_line 2 "event.*$e" "$h" $c t --event $e; done; done
one_line 2 "the nearest: Hello.main:t" "$h" history t t # a local variable without its method
one_line 1 "2147483: is no trace; hindsight status names .* 2147483" "$h" last-write Hello.field 2147483
one_line 1 "nosuch: is no trace" "$h" history Hello.field nosuch
one_line 1 'around 99999999|99999999' "$h" tree t --around 99999999
one_line 1 '99999999' "$h" locals t --at 99999999
one_line 1 'no event 99999999' "$h" why t 99999999
one_line 1 'no event 99999999' "$h" why t --at 99999999
one_line 1 'event 0 \(METHOD_ENTRY\) has no value' "$h" why t 0
one_line 1 'at 99999999: the last event' "$h" last-write t Hello.field --at 99999999
"$h" last-write t Hello.field --before 99999999 >bound && "$h" last-write t Hello.field >whole &&
    [ -s bound ] && cmp -s bound whole || fail 'last-write --before is a bound'

# the nearest names
one_line 1 "class: no class is called 'Helo'; the nearest: Hello" "$h" print t --class Helo
one_line 1 "class: no class is called 'hello'; the nearest: Hello" "$h" methods t --class hello
one_line 1 "class: no class is called 'Strin'; hindsight classes lists them" "$h" print t --class Strin # not woven
one_line 1 "method: no method of Hello is called 'mian'; the nearest: main" "$h" report t --class Hello --method mian
one_line 1 "type: no type is called 'Strnig'; the nearest: java.lang.String" "$h" objects t --type Strnig
for c in print tree; do one_line 1 "thread: no thread is called 'mian'; the nearest: main" "$h" $c t --thread mian; done
for c in print freq latest; do
    one_line 2 "unknown event type 'METHOD_ENTYR'; the nearest: METHOD_ENTRY" "$h" $c t --event METHOD_ENTYR
done
one_line 2 "group: 'CAL' is no event group; the nearest: CALL" "$h" print t --group EXEC+CAL
one_line 2 "unknown command 'prnt'; the nearest: print" "$h" prnt t
one_line 2 "unknown option '--klass'; the nearest: --class;" "$h" print t --klass
one_line 2 "unknown option '--theard=main'; the nearest: --thread;" "$h" print t --theard=main
one_line 1 "no class 'Helo' is recorded; the nearest: Hello" "$h" history t Helo.x
one_line 1 "no class 'Helo' is woven; the nearest: Hello" "$h" history t Helo.main:i

# methods are printed as in Java source, and can be given back so
compile o "$ROOT/test/cli/Overloads.java" || die "Overloads does not compile"
record overloads "" -cp o Overloads >/dev/null 2>err || die "recording: $(cat err)"
while read -r id _ name; do
    found=$("$h" methods overloads --class "${name%%.*}" --method "${name#*.}" --json |
        sed -E 's/.*"method_id":([0-9]+).*/\1/')
    [ "$found" = "$id" ] || fail "--method '${name#*.}' finds $found, not $id"
done < <("$h" methods overloads | tail -n +2)
finds() { # METHOD RESULT: its calls return this
    "$h" tree overloads --method "$1" --json >out 2>err && [ "$(grep -c . out)" = 1 ] && grep -q "\"result\":$2," out ||
        fail "tree --method '$1': $(cat out err)"
}
finds 'm()' 0; finds 'm(int)' 1; finds 'm(int[])' 2; finds 'm(String[])' 3; finds 'm( java.util.Map.Entry )' 4
finds 'm(Map$Entry)' 4; finds 'm(long,String[][],Inner)' 5; finds 'm(long, *, Overloads.Inner)' 5; finds 'm(I)I' 1
one_line 1 'no method of the trace is called' "$h" methods overloads --method 'm(int, int)'
one_line 1 'no method of the trace is called' "$h" methods overloads --method 'm(int'

# empty [STATUS] PATTERN COMMAND...: no rows, one line on standard error
empty() {
    local pattern=$1 status; shift
    "$@" --json >out 2>err; status=$?
    [ $status = 0 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qiE "empty.*$pattern" err ||
        fail "${*:2}: exit status $status, $(wc -l <out) rows, says '$(cat err)'"
    "$@" >out 2>err || fail "${*:2}: exit status $?"
    grep -qiE "empty.*$pattern" err || fail "${*:2} in text says '$(cat err)'"
}
empty event "$h" print t --event MONITOR_ENTER
empty event "$h" print t --class Hello --value 123456789
empty event "$h" print t --text nobodysaysthis
empty string "$h" strings t --text nobodysaysthis
empty event "$h" freq t --event MONITOR_ENTER
empty exception "$h" exceptions t --type Thread
empty 'no mark' "$h" features t
for c in print tree report classes methods dataids freq latest objects strings; do
    "$h" $c t --limit 0 >/dev/null 2>err && [ ! -s err ] || fail "$c --limit 0: $(cat err)"
    "$h" $c t --limit 1 >/dev/null 2>err && [ ! -s err ] || fail "$c --limit 1: $(cat err)"
done
# what was not woven is told with its group
record calls weave=EXEC+CALL -cp o Overloads >/dev/null 2>err || die "recording: $(cat err)"
record lines weave=LINE -cp o Overloads >/dev/null 2>err || die "recording: $(cat err)"
empty 'FIELD was not woven .weave=EXEC.CALL' "$h" print calls --event PUT_STATIC_FIELD
empty 'FIELD.ARRAY was not woven' "$h" print calls --event 'PUT_*,ARRAY_LOAD'
empty 'event that satisfies every option$' "$h" print calls --event 'PUT_*,METHOD_THROW'
empty 'call.*EXEC was not woven .weave=LINE' "$h" report lines
empty 'call, since EXEC' "$h" tree lines
empty 'wrote Hello.field before event 0$' "$h" last-write t Hello.field --before 0
record less weave=EXEC -cp c Hello >/dev/null 2>err || die "recording: $(cat err)"
for c in last-write history; do empty 'since FIELD was not woven .weave=EXEC' "$h" $c less Hello.field; done
empty 'call at these moments, since EXEC' "$h" timeline lines
for how in --paths --blocks; do empty 'call of such a method that was left, since EXEC' "$h" report lines $how; done
"$h" report calls --blocks >out 2>err && [ -s out ] && [ "$(wc -l <err)" = 1 ] &&
    grep -q 'block, since LABEL was' err ||
    fail "report --blocks without LABEL: $(cat err)"
"$h" timeline t >out 2>err && [ -s out ] && [ ! -s err ] || fail "timeline of calls: $(cat err)"
empty 'data ID, since LABEL was' "$h" freq calls --event LABEL
empty 'deadlock, since SYNC was' "$h" deadlocks calls
empty 'exception, since EXEC' "$h" exceptions lines
one_line 1 'local variable.*LOCAL was not woven' "$h" history calls Overloads.main:args
"$h" locals calls --at 3 >out 2>err && grep -q 'LOCAL was not woven' err || fail "locals without LOCAL: $(cat err)"
"$h" locals t --at 3 >out 2>err && [ ! -s err ] && "$h" locals t 3 | cmp -s - out || fail "locals 3: $(cat err)"
echo 'class Sync { static synchronized void f() { } public static void main(String[] a) { f(); } }' >Sync.java
compile y Sync.java
record exec weave=EXEC -cp y Sync >/dev/null 2>err || die "recording: $(cat err)"
"$h" locks exec >out 2>err && grep -q 'Sync' out && grep -q 'methods alone, since SYNC was not woven' err ||
    fail "locks without SYNC: $(cat out err)"
"$h" threads exec --at 1 >out 2>err && grep -q 'wait for .* since SYNC was not woven' err ||
    fail "threads without SYNC: $(cat out err)"
"$h" threads exec >out 2>err && [ ! -s err ] || fail "threads of which none is left: $(cat out err)"
"$h" threads t --at 3 >out 2>err && [ ! -s err ] || fail "threads with SYNC: $(cat out err)"
for c in objects strings; do one_line 1 'format=timing keeps no values' "$h" $c timing; done

"$h" fsck --rules --json >rules || fail "fsck --rules --json"
"$h" fsck --rules >rules.txt || fail "fsck --rules"
python3 - rules rules.txt <<'PY' || fail "the rules as JSON are not those in text"
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
text = [l.rstrip("\n").split(None, 1) for l in open(sys.argv[2])]
assert len(rows) > 10 and [[r["rule"], r["what"]] for r in rows] == text, (rows[:2], text[:2])
PY
finish
