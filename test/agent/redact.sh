#!/bin/bash
# redact=GLOB: the values of chosen places are nowhere in the trace, neither in the journal of a program that runs, nor
# after it was killed, nor in what is stored; everything else is there as without the option.
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
        String greeting = "hello " + a.user, text = "password is " + password;
        ok &= letters(password.toCharArray()) > 0 && new String(password.toCharArray()).equals(password);
        ok &= token(password).length() > 0 & a.sum() > 0;
        System.out.println(ok + " " + greeting + " " + text.length());
        in.readLine();
    }
}
J
compile c Login.java || die "the program does not compile"
secret=987654321-Geheimnis
globs='redact=*assword*,redact=Login$Account.pin,redact=number,redact=double,redact=Login.token,redact=char[]'
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
    if [ $t = open ]; then started $t string=true; else started $t "$options"; fi
    sleep 0.3
    found=$(traces_of $(find $t -type f -size +0))
    kill -9 $pid; wait $pid 2>/dev/null; exec 3>&-
    found+=$(traces_of $(find $t -type f -size +0))
    if [ $t = open ]; then [ -n "$found" ] || fail "without redact= the text is not there: the test sees nothing"
    else [ -z "$found" ] || fail "of a program that runs: $found"; fi
done
# to its end
for t in plain whole derived; do
    case $t in plain) o=string=true ;; whole) o=$options ;; derived) o=$options,derive=on ;; esac
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
"$HINDSIGHT" info whole --json >info.json
"$HINDSIGHT" info whole | grep -q '^redacted  *[1-9][0-9]* places' || fail "info does not tell"
python3 - "$secret" <<'PY' || failures=$((failures + 1))
import json, sys
secret, bad = sys.argv[1], []
def text(t, what): return open("%s.%s" % (t, what)).read()
def rows(t, what): return [json.loads(line) for line in open("%s.%s" % (t, what))]
for t in ("whole", "derived", "hidden"):
    for what in ("print", "strings", "exceptions"):
        for s in (secret, secret[::-1]):
            if s in text(t, what): bad.append("%s: %s has %s" % (t, what, s))
    for s in ("visible user", "hello visible user"):
        if s not in text(t, "strings"): bad.append("%s: no string %r" % (t, s))
for s in (secret, secret[::-1], "password is " + secret):
    if s not in text("plain", "print"): bad.append("plain: no %s: the test sees nothing" % s)
# the same events at the same places; of the chosen ones no number is there
plain, whole = rows("plain", "print"), rows("whole", "print")
if len(plain) != len(whole): bad.append("%d events, %d without the option" % (len(whole), len(plain)))
gone = set()
for a, b in zip(plain, whole):
    if any(a.get(k) != b.get(k) for k in ("event", "class", "method", "pc", "attr")):
        bad.append("seq %s: %s is %s" % (a["seq"], a, b)); break
    if isinstance(a.get("value"), (int, float)) and not isinstance(a["value"], bool):
        if "value" not in b: gone.add((a["event"], a.get("attr", {}).get("name", "")))
        elif a["value"] != b["value"]: bad.append("seq %s: %s became %s" % (a["seq"], a["value"], b["value"]))
want = {("PUT_INSTANCE_FIELD_VALUE", "pin"), ("GET_INSTANCE_FIELD_RESULT", "pin"),
        ("PUT_INSTANCE_FIELD_VALUE", "number"), ("GET_INSTANCE_FIELD_RESULT", "number"),
        ("PUT_STATIC_FIELD", "rate"), ("ARRAY_LOAD_RESULT", ""), ("ARRAY_STORE_VALUE", "")}
if gone != want: bad.append("numbers left out: %s; not: %s" % (gone - want, want - gone))
info = json.load(open("info.json"))
if info["redacted_places"] < len(want) or info["redacted_texts"] < 5: bad.append("info: %s" % info)
for b in bad: print("FAILED:", b)
sys.exit(len(bad) > 0)
PY
one_line 1 'redact' "$JAVA" "-agentpath:$AGENT=output=x,redact=" -cp c Login
one_line 1 'weavecache.*redact' "$JAVA" "-agentpath:$AGENT=output=x,redact=a,weavecache=w" -cp c Login
finish
