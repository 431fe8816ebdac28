#!/bin/bash
# redact=GLOB: the values of chosen places are nowhere in the trace, neither in the journal of a program that runs, nor
# after it was killed, nor in what is stored; everything else is there as without the option.
#
# test: agent.redact
# labels: agent cli slow
# jdks: all
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cat >Login.java <<'J'
import java.io.*;
import java.util.*;
public class Login {
    static class Account {
        String password; int pin; long number; static double rate; String user;
        Account(String user, String password) { this.user = user; this.password = password; }
        boolean check(String password) {
            if (!this.password.equals(password))
                throw new IllegalArgumentException("not '" + password + "' for " + user);
            return true;
        }
        int sum() { return pin + (int) (number % 1000); }
    }
    static String ask(BufferedReader in) throws IOException { return in.readLine(); }
    static Object any(Object o) { return o; }
    static long sealed(long number) { return number + 1; }
    static int mixed(int counted, double d, int n) { return counted + (int) d + n; }
    static String token(String s) { return new StringBuilder(s).reverse().toString(); }
    static int letters(char[] all) { int n = 0; for (char c : all) n += c; all[0] = 'x'; return n; }
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String password = in.readLine();
        Account a = new Account("visible user", password);
        a.pin = password.length() * 1000; a.number = a.pin * 1000L; Account.rate = a.pin;
        Map<String, Object> map = new HashMap<>(Map.of("key", password));
        String cast = (String) any(map.get("key"));
        boolean ok = a.check(cast);
        try { a.check(password + "!"); } catch (IllegalArgumentException e) { ok &= e.getMessage().length() > 10; }
        try { throw new IllegalStateException(); } catch (IllegalStateException e) { ok &= e.getMessage() == null; }
        int counted = 3;
        for (int i = 0; i < 4; i++) counted += i + mixed(i, 2.5, counted);
        ok &= counted > 3;
        String greeting = "hello " + a.user, text = "password is " + password;
        ok &= letters(password.toCharArray()) > 0 && new String(password.toCharArray()).equals(password);
        ok &= token(password).length() > 0 & a.sum() > 0 & sealed(5) == 6;
        System.out.println(ok + " " + greeting + " " + text.length());
        in.readLine();
    }
}
J
compile c Login.java || die "the program does not compile"
secret=987654321-Geheimnis
# Account is nested, and may be named as in Java source
globs='redact=*assword*,redact=Login.Account.pin,redact=Login$Account.pin'
globs+=,redact=number,redact=double,redact=Login.token,redact='char[]'
globs+=,redact=Login.sealed,redact=Login.main:i,redact=Login.mixed:counted
unmatched='redact=pasword,redact=*.Nobody.pin'
options=$globs,redact=cast,redact=Login.main:text
traces_of() { # FILE...: which of them have the text, forwards or backwards, as bytes or as UTF-16
    python3 - "$secret" "$@" <<'PY'
import sys
texts = [t.encode(code) for t in (sys.argv[1], sys.argv[1][::-1]) for code in ("ascii", "utf-16-le", "utf-16-be")]
for name in sys.argv[2:]:
    data = open(name, "rb").read()
    if any(t in data for t in texts): print(name)
PY
}
started() { # TRACE OPTIONS: the program waits for its second line; leaves pid
    mkfifo $1.in
    "$JAVA" "-agentpath:$AGENT=output=$1,format=omni,$2" -Xverify:all -cp c Login <$1.in >$1.out 2>$1.err &
    pid=$!
    exec 3>$1.in
    echo "$secret" >&3
    wait_for true $1.out
}
# a program that is running, and that is killed there
for t in open hidden; do
    if [ $t = open ]; then started $t string=true; else started $t "$options,$unmatched"; fi
    for ((rounds = 0; rounds < ${waited:-600}; rounds++)); do # until it is there; then as long for the other
        found=$(traces_of $(find $t -type f -size +0))
        [ -z "$found" ] || break
        sleep 0.1
    done
    waited=$((rounds + 3))
    kill -9 $pid; wait $pid 2>/dev/null; exec 3>&-
    found+=$(traces_of $(find $t -type f -size +0))
    if [ $t = open ]; then [ -n "$found" ] || fail "without redact= the text is not there: the test sees nothing"
    else [ -z "$found" ] || fail "of a program that runs: $found"; fi
done
# to its end
for t in plain whole derived; do
    case $t in plain) o=string=true ;; whole) o=$options ;; derived) o=$unmatched,$options,derive=on ;; esac
    started $t "$o"; echo >&3; exec 3>&-
    wait $pid || fail "$t: $(cat $t.err)"
    cmp plain.out $t.out || fail "$t: the output differs"
    [ $t = plain ] || { found=$(traces_of $(find $t -type f -size +0)); [ -z "$found" ] || fail "in $found"; }
done
for t in plain whole derived hidden; do
    for what in print strings exceptions dataids; do "$HINDSIGHT" $what $t --json >$t.$what 2>err; done
    "$HINDSIGHT" fsck $t >out 2>err; status=$?
    [ $status = 0 ] || { [ $t = hidden ] && [ $status = 3 ]; } || fail "fsck $t: $(cat out err)"
done
# an answer that shows such a number says so: it is not 0, null or blank
first=$(grep '"PUT_INSTANCE_FIELD"' whole.print |
    sed -nE 's/.*"value":\{"id":([0-9]+),"type":"Login.Account".*/\1/p' | head -n 1)
"$HINDSIGHT" object "$first" whole --json >object.json || fail "object $first: exit status $?"
grep -qF '"Login$Account.pin":{"redacted":true}' object.json ||
    fail "object does not say that the number is left out: $(head -c 600 object.json)"
"$HINDSIGHT" object "$first" whole | grep -q 'pin  *(redacted)' || fail "object: $("$HINDSIGHT" object "$first" whole)"
"$HINDSIGHT" history "$first.pin" whole >history.txt && [ "$(grep -c 'VALUE  *(redacted)' history.txt)" -gt 0 ] &&
    ! grep -qE 'VALUE +Login' history.txt || fail "history: $(cat history.txt)"
[ "$("$HINDSIGHT" print whole | grep -c '(redacted)')" = "$(grep -c '"value":{"redacted":true}' whole.print)" ] ||
    fail "print shows other numbers as left out than print --json"
"$HINDSIGHT" tree whole | grep -q 'Login.sealed((redacted)) = (redacted)$' || fail "tree: $("$HINDSIGHT" tree whole)"
"$HINDSIGHT" tree whole --json | grep -qF '"arguments":[{"redacted":true}],"result":{"redacted":true}' ||
    fail "tree --json: $("$HINDSIGHT" tree whole --json | grep sealed)"
# a message that was left out is not one that the exception never had
"$HINDSIGHT" exceptions whole | grep -q 'IllegalArgumentException#[0-9]*: message (redacted) at' ||
    fail "exceptions: $("$HINDSIGHT" exceptions whole)"
"$HINDSIGHT" sql whole 'select type, message_redacted from exceptions' --json >rows.json
grep -q 'IllegalArgument.*:1' rows.json && grep -q 'IllegalState.*:0' rows.json || fail "sql: $(cat rows.json)"
# nor has an export
"$HINDSIGHT" export whole --to appmap -o maps && "$HINDSIGHT" export whole --to mse -o whole.mse || fail "no export"
grep -qF "(arguments '(redacted)')" whole.mse && ! grep -F '(value 0)' whole.mse || fail "mse shows the numbers as 0"
"$HINDSIGHT" info whole --json >info.json
"$HINDSIGHT" info whole >info.text
grep -q '^redacted  *[1-9][0-9]* places' info.text || fail "info does not tell"
# a glob that matches nothing is told, others are not; also of a program that was killed
"$HINDSIGHT" info hidden >hidden.text 2>err
grep -q '^unmatched  *redact=pasword,\*\.Nobody\.pin: ' hidden.text &&
    grep -q '^redacted  *[1-9][0-9]* places' hidden.text ||
    fail "info of a killed one: $(grep -E '^(redacted|unmatched)' hidden.text)"
"$HINDSIGHT" info derived --json >derived.json
"$HINDSIGHT" info derived | grep -A 1 '^unmatched  *redact=pasword,\*\.Nobody\.pin: ' >told
grep -q 'Class.method:VARIABLE' told || fail "info does not tell the globs that match nothing"
grep -q 'redact=pasword and 1 other glob.* matched nothing' derived.err || fail "closing line: $(cat derived.err)"
! grep -q 'matched nothing' whole.err && ! grep -q unmatched info.text ||
    fail "globs that match are told: $(cat whole.err info.text)"
python3 "$ROOT/test/agent/redact.py" "$secret" || failures=$((failures + 1))
# a number, however the compiler leads it: by subclasses, interfaces, captures, locals without a name, boxes, arrays, in
# texts
compile v "$ROOT/test/agent/Vault.java" || die "Vault does not compile"
vault=,redact=Vault.Account.serial,redact=Vault.Account.shared,redact=Vault.Account.getSerial,redact=pin
vault+=,redact=Vault.Account.codes,redact=Vault.Account.words
vault+=,redact=Vault.HasCode.code,redact=Vault.HasCode.again,redact=Vault.made,redact=Vault.code
for t in vault-open,string=true vault-derived,derive=on$vault vault-plain,derive=off$vault \
    vault-latest,format=latest$vault; do
    record "${t%%,*}" "${t#*,}" -Xverify:all -Dnumber=77110011 -cp v Vault >out 2>err && grep -q fine out ||
        fail "${t%%,*}: $(cat out err)"
    ! grep -q 'matched nothing' err || fail "${t%%,*}: $(cat err)"
    t=${t%%,*}
    "$HINDSIGHT" fsck $t >out 2>&1 || fail "fsck $t: $(head -n 5 out)"
    for what in print strings objects info latest; do "$HINDSIGHT" $what $t --json 2>err; done >$t.all
    case $t in
    vault-open) [ "$(grep -c 77110011 $t.all)" -gt 100 ] || fail "$t: the number is not there: the test sees nothing" ;;
    *) ! grep -m 5 77110011 $t.all >found || fail "$t shows the number: $(cut -c 1-300 found)" ;;
    esac
done
# arguments of the command and names of threads
cat >Named.java <<'J'
public class Named {
    static String secret;
    public static void main(String[] args) throws Exception {
        secret = args[0];
        Thread t = new Thread(() -> { }, "worker of " + secret);
        t.start(); t.join();
    }
}
J
compile n Named.java
for o in string=true string=false redact=secret; do
    rm -rf named
    record named $o -Dgiven=come-from-outside -cp n Named come-from-outside 2>err || fail "Named: $(cat err)"
    for what in info threads strings print; do "$HINDSIGHT" $what named --json; done >all 2>err
    found=$(grep -rl come-from-outside named all | tr '\n' ' ')
    case $o in
    string=true) [ "$found" = "named/data.mdb all " ] || fail "$o: the text is in: $found" ;;
    *) [ -z "$found" ] || fail "$o: the text is in: $found" ;;
    esac
    "$HINDSIGHT" info named | grep -qE '^command +Named( come-from-outside)?$' || fail "$o: no command in info"
done
# what was stored before it came to such a place is told
cat >Late.java <<'J'
import java.io.*;
public class Late {
    static String fetch(BufferedReader r) throws IOException { return r.readLine(); }
    public static void main(String[] args) throws IOException {
        String in = fetch(new BufferedReader(new InputStreamReader(System.in)));
        String password = in;
        System.out.println(password.length());
    }
}
J
compile l Late.java
for glob in 'password 1' 'in 1' 'fetch 0'; do
    rm -rf late
    "$JAVA" "-agentpath:$AGENT=output=late,format=omni,redact=${glob% *}" -cp l Late >/dev/null 2>err \
        <<<come-from-outside || fail "Late"
    "$HINDSIGHT" info late --json >info.json
    json info.json 'd["redacted_late"]' | grep -qx "${glob#* }" || fail "$glob: $(json info.json 'd["redacted_late"]')"
    place='[{"object":[0-9]*,"seq":[0-9]*,"event":"CALL_RETURN","class":"Late","method":"fetch","line":3}]'
    [ "$(grep -c "\"redacted_late_places\":$place" info.json)" = "${glob#* }" ] &&
        [ "$("$HINDSIGHT" info late | grep -c 'CALL_RETURN in Late.fetch, line 3$')" = "${glob#* }" ] ||
        fail "$glob: the place is not told: $("$HINDSIGHT" info late)"
    [ "$(grep -c '1 text of redact= stored before' err)" = "${glob#* }" ] || fail "$glob: $(cat err)"
    [ "$("$HINDSIGHT" strings late --json | grep -c 'come-from')" = "${glob#* }" ] || fail "$glob: the text is there"
done
# methods without such a place record inputs alone; the events are those of derive=off, in code with and without names
events() { "$HINDSIGHT" print "$1" | sed -E 's/#[0-9]+//g'; }
for debug in -g -g:none; do
    compile pins "$ROOT/test/agent/Pins.java" -- "$debug" || die "Pins does not compile"
    for glob in pin Pins.rate '*password*' 'Pins.ret()' y; do
        for derive in on off; do
            rm -rf "pins.$derive"
            "$JAVA" "-agentpath:$AGENT=output=pins.$derive,format=omni,derive=$derive,redact=$glob" -cp pins Pins \
                >/dev/null 2>err || fail "Pins: $(cat err)"
            consistent "pins.$derive"
        done
        events pins.off >off
        events pins.on | diff off - >diff || fail "Pins, $debug redact=$glob: other events: $(head -n 4 diff)"
        [[ $glob != *password* ]] || ! grep -q topsecret off || fail "Pins, $debug: the text is there"
    done
done
one_line 1 'redact' "$JAVA" "-agentpath:$AGENT=output=x,redact=" -cp c Login
one_line 1 'weavecache.*redact' "$JAVA" "-agentpath:$AGENT=output=x,redact=a,weavecache=w" -cp c Login
finish
