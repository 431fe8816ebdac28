#!/bin/bash
# Diagrams: what mermaid, plantuml and dot draw are the calls and objects that print --json has, with loops folded, and
# every text as it is; read by mermaid's parser, PlantUML and Graphviz.
#
# test: export.diagrams
# labels: export slow
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
compile sampler "$HERE/Sampler.java" || die "Sampler does not compile"
rename_method sampler/Sampler.class
sample t 5 weave=ALL
"$HINDSIGHT" print t --json >events
"$HINDSIGHT" threads t --json >threads
texts=$(sed -n 's/.*"PUT_STATIC_FIELD".*"value":{"id":\([0-9]*\),.*"name":"texts".*/\1/p' events)

export_diagram() { "$HINDSIGHT" export t --limit 1000 "$@" || fail "export $*"; }
for format in mermaid plantuml; do
    export_diagram --to $format -o sequence.$format
    export_diagram --to $format --diagram calls -o calls.$format
    export_diagram --to $format --diagram objects --object "$texts" -o objects.$format
done
export_diagram --to dot -o dot.calls.dot
grep -q '[0-9] of 1 call\b' calls.mermaid && ! grep -qE 'of 1 calls|of [0-9]+ count' calls.mermaid dot.calls.dot ||
    fail "units of the call graph: $(grep -m 3 ' of ' calls.mermaid)"
export_diagram --to dot --diagram objects --object "$texts" -o dot.objects.dot
for missing in dot plantuml; do command -v $missing >/dev/null || skip "$missing is not installed"; done
for kind in calls objects; do
    dot -Tsvg dot.$kind.dot -o dot.$kind.svg 2>err && [ ! -s err ] || fail "dot: $(cat err)"
done
# with the transformer of the JDK: that of libxalan2-java, if it is there, writes surrogates that are no XML
transformer=com.sun.org.apache.xalan.internal.xsltc.trax.TransformerFactoryImpl
JAVA_TOOL_OPTIONS=-Djavax.xml.transform.TransformerFactory=$transformer \
    plantuml -tsvg -failfast2 ./*.plantuml >err 2>&1 || fail "plantuml: $(cat err)"
npm_client diagrams
node "$HERE/mermaid.mjs" sequence.mermaid calls.mermaid objects.mermaid >all 2>err || fail "mermaid: $(head -n 5 err)"
for kind in sequence calls objects; do read -r line && echo "$line" >$kind.json; done <all
python3 "$HERE/diagrams.py" events . || fail "not what print --json has"

# bounds, with a note
"$HINDSIGHT" export t --to mermaid --limit 3 >few && [ "$(grep -c -- '->>p.*(' few)" = 3 ] ||
    fail "--limit 3: $(cat few)"
grep -q 'Note over p1: 3 messages are shown' few || fail "no note: $(cat few)"
"$HINDSIGHT" export t --to dot --limit 2 >few && [ "$(grep -c '^    n[0-9]* \[label' few)" = 2 ] ||
    fail "--limit 2: $(cat few)"
grep -q 'are left out' few || fail "no note: $(cat few)"
# only calls of a class, from the call around them; of one thread, as calls of two stand in the order in which they came
# shellcheck disable=SC2016
"$HINDSIGHT" export t --to plantuml --class 'Sampler$Account' --thread 'worker; <0>*' | grep -A4 '^loop' |
    tr '\n' ' ' | grep -q '^loop 5 times p1 -> p2 : add(1, 0) activate p2 p2 --> p1 : ' || fail "--class"
one_line 2 "dot has none" "$HINDSIGHT" export t --to dot --diagram sequence
one_line 2 "select them" "$HINDSIGHT" export t --to mermaid --value 5
finish
