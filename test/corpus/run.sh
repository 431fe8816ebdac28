#!/bin/bash
# run.sh [--slice | --full] [TARGET...]: every class of jars and JDK modules, woven through the agent and verified by
# the JVM.
#
# For each target (a jar of test/workloads/jars.txt by file name, or jrt:MODULE) the class VerifyAll loads and links
# every class, plain and under the agent with -Xverify:all; the verdicts must be the same and nothing rejected. Each
# choice of groups is one run. Then `hindsight weave` does the same files offline, twice: equal bytes.
#   --slice (default)  a few targets, in the short size (HINDSIGHT_TEST_SIZE) fewer; EXEC+CALL+PARAM and ALL
#   --full             every jar that is installed and every module of the JDK; each group alone and ALL
#   GROUPS_TO_WEAVE="ALL LABEL" chooses; CORPUS_LOG=FILE gets every class that was not woven with its reason
# Prints per run: classes, linked, unresolved, rejected, woven, methods, given up by reason; and the sums at the end.
#
# test: corpus.slice
# labels: corpus slow
# jdks: all
# limit: 900 s
# full: --full
# full limit: 86400 s
. "$(dirname "$0")/../lib.sh"
here=$ROOT/test/workloads
mode=--slice targets=()
for a; do case $a in --slice | --full) mode=$a ;; *) targets+=("$a") ;; esac; done
if [ $mode = --full ]; then
    groups=${GROUPS_TO_WEAVE:-ALL EXEC CALL PARAM+EXEC+CALL FIELD ARRAY OBJECT SYNC LOCAL LABEL LINE}
    if [ ${#targets[@]} = 0 ]; then
        while read -r _ jar; do [ ! -e "/usr/share/java/$jar" ] || targets+=("$jar"); done <"$here/jars.txt"
        while read -r module; do
            ! "$JAVA" --list-modules | grep -q "^$module@" || targets+=("jrt:$module")
        done <"$here/modules.txt"
    fi
else
    groups=${GROUPS_TO_WEAVE:-EXEC+CALL+PARAM ALL freq latest}
    if [ ${#targets[@]} = 0 ]; then
        jars=(org.sat4j.core.jar js.jar asm-all.jar) modules=(jrt:java.logging jrt:jdk.jfr)
        [ "${HINDSIGHT_TEST_SIZE:-long}" != short ] || { jars=(js.jar) modules=(jrt:java.logging); }
        for jar in "${jars[@]}"; do
            if [ -e "/usr/share/java/$jar" ]; then
                targets+=("$jar")
            else
                fail "no /usr/share/java/$jar (test/packages.sh)"
            fi
        done
        targets+=("${modules[@]}")
    fi
fi
compile "$WORK/v" "$here/VerifyAll.java" || die "VerifyAll does not compile"

# All other jars, so that references resolve.
CP=
while read -r _ jar; do [ ! -e "/usr/share/java/$jar" ] || CP=$CP${CP:+:}/usr/share/java/$jar; done <"$here/jars.txt"

# System classes are excluded by default; the modules must be woven. VerifyAll itself need not be.
system="i=java/,i=javax/,i=jdk/,i=sun/,i=com/sun/,i=com/oracle/,i=netscape/"
system="$system,i=org/ietf/,i=org/jcp/,i=org/w3c/,i=org/xml/,i=org/graalvm/,i=toolbox/"
sums=$WORK/sums; : >"$sums"

verify() { # OUTPUT JAVA-OPTIONS... : VerifyAll of $target
    local out=$1; shift
    local arguments=("$target")
    case $target in jrt:*) ;; *) arguments=(-cp "$CP" "/usr/share/java/$target") ;; esac
    timeout -s KILL 900 "$JAVA" -Xmx2g -XX:-CreateCoredumpOnCrash "$@" -Xverify:all -cp "$WORK/v" VerifyAll \
        -v "${arguments[@]}" >"$out" 2>"$out.err"
}

[ ${#targets[@]} -gt 0 ] || die "nothing to weave"
for target in "${targets[@]}"; do
    verify "$WORK/plain"; plain=$?
    count=$(tail -n 1 "$WORK/plain")
    case $count in
    classes*) ;;
    *) fail "$target without the agent: exit status $plain: $(tail -n 1 "$WORK/plain.err")"; continue ;;
    esac
    for weave in $groups; do
        trace=$WORK/trace; rm -rf "$trace"
        options=output=$trace,format=omni,weave=$weave
        case $weave in
            freq | latest) options=output=$trace,format=$weave ;; # hooks without values; loops that keep entries
        esac
        case $target in jrt:*) options=$options,$system ;; esac
        verify "$WORK/woven" "-agentpath:$AGENT=$options"; status=$?
        now=$(tail -n 1 "$WORK/woven")
        if [ "$count" != "$now" ] || [ $status != $plain ]; then
            fail "$target with $weave: $count became $now (exit status $plain, $status)"
            diff <(grep -v ^classes "$WORK/plain" | sort) <(grep -v ^classes "$WORK/woven" | sort) | head -n 6
            tail -n 3 "$WORK/woven.err"
        fi
        [ -d "$trace" ] || { fail "$target with $weave: no trace"; continue; }
        "$HINDSIGHT" info "$trace" --json >"$WORK/info.json" 2>"$WORK/err" || {
            fail "$target with $weave: info: $(head -n 1 "$WORK/err")"
            continue
        }
        methods=$("$HINDSIGHT" methods "$trace" --json 2>/dev/null | wc -l)
        python3 - "$WORK/info.json" "$target" "$weave" "$now" "$methods" "$sums" "${CORPUS_LOG:-/dev/null}" \
            <<'PY' || failures=$((failures + 1))
import json, sys
info, target, weave, counts, methods, sums, log = sys.argv[1:8]
d = json.load(open(info)); c = d.get("classes", {}); reasons = {}
whole = 0
with open(log, "a") as f:
    for n in d.get("not_woven", []):
        r = n.get("reason", "?")
        kind = ("method: " if n.get("method") else "class: ") + r
        reasons[kind] = reasons.get(kind, 0) + 1
        row = (target, weave, n.get("class"), n.get("method", "-"), n.get("groups", "-"), r)
        f.write("\t".join(str(x) for x in row) + "\n")
print("%-28s %-16s %s woven %s filtered %s given up %s methods %s%s" % (
      target, weave, counts, c.get("woven"), c.get("filtered"), c.get("given_up"), methods,
      "".join("\n        %5d %s" % (n, r) for r, n in sorted(reasons.items()))))
words = counts.split()
with open(sums, "a") as f:
    f.write(json.dumps({"weave": weave, "classes": int(words[1]), "linked": int(words[3]),
                        "rejected": int(words[7]), "woven": c.get("woven", 0),
                        "methods": int(methods), "reasons": reasons}) + "\n")
sys.exit(0)
PY
    done
    # offline: woven twice gives equal bytes, and what is not woven is told in one line each
    case $target in
    jrt:*) ;;
    *)
        for n in 1 2; do
            "$HINDSIGHT" weave "/usr/share/java/$target" -o "$WORK/$n.jar" --weave ALL >"$WORK/weave.$n" 2>&1 ||
                fail "hindsight weave $target: $(tail -n 1 "$WORK/weave.$n")"
        done
        cmp "$WORK/1.jar" "$WORK/2.jar" || fail "$target woven twice is not the same"
        rm -f "$WORK"/[12].jar ;;
    esac
done
python3 "$ROOT/test/corpus/sums.py" "$sums" "$RELEASE"
finish "corpus: every woven class is verified as without, on JDK $RELEASE"
