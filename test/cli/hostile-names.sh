#!/bin/bash
# Names are chosen by the program that was recorded. Whatever they hold, nothing in the output of any command moves the
# cursor, changes colours, makes lines of its own or turns the writing direction; and --json has them exactly.
#
# test: cli.hostile-names
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Hostile.java <<'J'
import java.nio.file.*;
public class Hostile extends ClassLoader {
    static String bad, message;
    Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    public static void main(String[] a) throws Exception {
        bad = Files.readString(Path.of("bad.txt"));
        byte[] code = Files.readAllBytes(Path.of("Evil.bin"));
        System.out.println("ready");
        System.in.read();
        Thread t = new Thread(() -> {
            try { new Hostile().define(code).getMethods()[0].invoke(null, bad); }
            catch (ReflectiveOperationException e) { message = String.valueOf(e.getCause()); }
        }, "T" + bad);
        t.start();
        t.join();
        throw new IllegalStateException(bad);
    }
}
J
cat >Evil.java <<'J'
public class Evil {
    static Object eField;
    String[] eOther = { "x" };
    public static void eMethod(String eParam) {
        Evil eLocal = new Evil();
        eLocal.eOther[0] = eParam;
        eField = eLocal;
        synchronized (eLocal) { for (int i = 0; i < 3; i++) eField = eParam + i; }
        throw new IllegalArgumentException(eParam);
    }
}
J
compile c Hostile.java Evil.java || die "the programs do not compile"
cat >names.py <<'PY'
import re
# C0, DEL, C1 (CSI, NEL), line separators, bidi overrides, isolates and marks, a half of a pair is in the string only
BAD = "\x1b[31m\x07\x08\x7f\x9b31m\x85\n\r\t\u2028\u2029\u202a\u202e\u2066\u2069\u200f\u061c\u00e9\U0001f600"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")
PY
PYTHONPATH=. python3 "$ROOT/test/cli/hostile_class.py"
rm c/Evil.class
bad=$(cat bad.txt; echo x); bad=${bad%x}
trace="t$(printf '\033[31m\302\233\342\200\256')"
mkfifo pipe && mkdir said
clean() { # NAME COMMAND...: what it says is looked at in the end
    local name=$1; shift
    "$@" >"said/${format:-} $name" 2>&1
}
for format in omni latest; do
    rm -rf "$trace"
    "$JAVA" -Dfile.encoding=UTF-8 "-agentpath:$AGENT=output=$trace,format=$format" -cp c Hostile "$bad" <pipe >out \
        2>err &
    pid=$!
    exec 9>pipe
    wait_for ready out
    c1=$(printf 'mark\302\233\342\200\256')
    clean "mark" "$HINDSIGHT" mark "$trace" "$c1"
    clean "mark, another" "$HINDSIGHT" mark "$trace" "another $c1"
    clean "mark, refused" "$HINDSIGHT" mark "$trace" "$bad"
    clean "status" "$HINDSIGHT" status "$trace"
    clean "status --json" "$HINDSIGHT" status "$trace" --json
    clean "unmark, refused" "$HINDSIGHT" unmark "$trace" "no $c1"
    echo >&9; exec 9>&-
    wait $pid
    grep -q IllegalStateException err || fail "the program did not throw: $(head -c 300 err)"
    grep '^hindsight' err >closing; clean "closing line" cat closing
    [ "$(wc -l <closing)" = 1 ] || fail "$format: closing line: $(cat err)"
    commands=(info classes methods dataids threads strings objects freq latest)
    if [ $format != latest ]; then
        evil=$("$HINDSIGHT" objects "$trace" --json | python3 -c 'import json, sys
print([o["id"] for o in map(json.loads, sys.stdin) if o["type"].startswith("Evil")][0])')
        commands+=(print exceptions tree "tree --fold once" report "report --paths" "report --blocks")
        commands+=(features "features --affinity" "features --signal" fsck "object $evil")
    fi
    for command in "${commands[@]}"; do
        read -ra words <<<"$command"
        [ "${words[0]}" = object ] && words=(object "$trace" "${words[1]}") ||
            words=("${words[0]}" "$trace" "${words[@]:1}")
        clean "$command" "$HINDSIGHT" "${words[@]}"
        clean "$command --json" "$HINDSIGHT" "${words[@]}" --json
    done
    [ $format = omni ] || continue
    PYTHONPATH=. python3 "$ROOT/test/cli/hostile_json.py" "$HINDSIGHT" "$trace" ||
        fail "--json does not have the names as they are"
    # a row for each thread, whatever its name; what can be shown is shown
    "$HINDSIGHT" threads "$trace" | grep -qF "\\u001b[31m\\u0007" &&
        "$HINDSIGHT" threads "$trace" | grep -q '\\u061cé😀$' ||
        fail "threads: $("$HINDSIGHT" threads "$trace" | tail -n 2)"
    rows=$("$HINDSIGHT" threads "$trace" | grep -vc '^               ') # without the stacks
    [ "$rows" = $(($("$HINDSIGHT" threads "$trace" --json | wc -l) + 1)) ] ||
        fail "threads: more rows than threads"
    last=$("$HINDSIGHT" print "$trace" --json --event METHOD_THROW,PUT_STATIC_FIELD | tail -n 1 |
        sed 's/.*"seq":\([0-9]*\).*/\1/')
    for command in locals why; do
        [ $command = locals ] && words=(locals "$trace" --at "$last") || words=(why "$trace" "$last")
        clean $command "$HINDSIGHT" "${words[@]}"
        clean "$command --json" "$HINDSIGHT" "${words[@]}" --json
    done
    field="Evil${bad//[/{}.eField${bad//[/{}"
    clean history "$HINDSIGHT" history "$trace" "$field"
    clean "history --json" "$HINDSIGHT" history "$trace" "$field" --json
    clean "history, unknown" "$HINDSIGHT" history "$trace" "$bad.x"
    clean "last-write" "$HINDSIGHT" last-write "$trace" "$field"
    clean "weave" "$HINDSIGHT" weave Evil.bin
done
# what is typed or lies about
cp Evil.bin "X$bad.class"; echo no class >"Y$bad.class"
clean "weave of a name" "$HINDSIGHT" weave "X$bad.class"
clean "weave of no class" "$HINDSIGHT" weave "Y$bad.class"
python3 -c 'import zipfile, names
z = zipfile.ZipFile("n.jar", "w")
z.write("Evil.bin", names.BAD.replace("[", "{") + ".class")
z.writestr("Bad" + names.BAD + ".class", "x")'
clean "weave of a jar" "$HINDSIGHT" weave n.jar
clean "command" "$HINDSIGHT" "$bad"
clean "option" "$HINDSIGHT" info --"$bad"
clean "trace" "$HINDSIGHT" info "$bad"
clean "agent option" "$JAVA" "-agentpath:$AGENT=$(printf 'output=x\033[31m,bad\033[31m=1')" -cp c Hostile
clean "invalid UTF-8" "$HINDSIGHT" info "$(printf 'x\377\302\340\240y')"
PYTHONPATH=. python3 "$ROOT/test/cli/hostile_said.py" || failures=$((failures + 1))
# out_text makes a newline visible: rows end with out_line
! grep -nE 'out_text\(.*\\n"' "$ROOT"/reader/*/*.c "$ROOT"/*/tool/*.c || fail "out_text with a newline"
finish
