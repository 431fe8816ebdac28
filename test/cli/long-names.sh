#!/bin/bash
# Names of 60,000 characters: what stands in every row is cut after --maxname characters (1000), and says so; up to
# there names are exact.
#
# test: cli.long-names
# labels: cli
# limit: 900 s
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
python3 - >Main.java <<'PY'
names = ["e" * 1000, "f" * 1001, "\u00e9" * 1000, "\u00e4" * 1001, "g" * 60000]
print("public class Main {")
for n in names: print("    int %s; void %s(int x) { %s = x; }" % (n, n, n))
print("    public static void main(String[] a) throws Exception { Main m = new Main(); for (int i = 0; i < 300; i++) {")
for n in names: print("        m.%s(i);" % n)
print("    } try { m.getClass().getMethod(\"x\"); } catch (Exception e) { } } }")
PY
compile c Main.java || die "Main does not compile"
record t "" -cp c Main >/dev/null 2>err || die "recording: $(cat err)"
python3 "$ROOT/test/cli/long_names.py" "$HINDSIGHT" t || failures=$((failures + 1))
one_line 2 'maxname.*few' "$HINDSIGHT" print t --maxname few
finish
