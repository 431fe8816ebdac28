#!/bin/bash
# The format mse, read by the grammar of MSE (mse.py): classes, activations, accesses to fields, instances and features
# are those of the events, with the names of FAMIX 2 and 3.
#
# test: export.mse
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
cd "$WORK" || exit 1
sample t 5 order=total,weave=EXEC+PARAM+FIELD
"${MARK_TRACE:-$BUILD/test/mark_trace}" t "it's" 10 200 load 150 300 || die "marks"
"$HINDSIGHT" print t --json >events
"$HINDSIGHT" methods t --json >methods
read_it() { python3 "$HERE/mse.py" "$@" || fail "$*"; }
for names in "" --famix3; do
    # shellcheck disable=SC2086
    "$HINDSIGHT" export t --to mse $names -o model$names.mse || fail "not exported $names"
    # shellcheck disable=SC2086
    read_it model$names.mse events methods $names
done
for name in "it's" load; do
    "$HINDSIGHT" print t --json --mark "$name" |
        sed -nE '1s/^..seq.:([0-9]+),.*/\1/p; $s/^..seq.:([0-9]+),.*/\1/p' >seqs
    want="(name '${name//"'"/"''"}') (start $(head -n 1 seqs)) (stop $(tail -n 1 seqs))"
    grep -qF "$want" model.mse || fail "no $want: $(grep Dynamix.Feature model.mse | head -n 2)"
done

# a filter chooses activations by their entry; the model stays
"$HINDSIGHT" export t --to mse --method fibonacci -o some.mse
[ "$(grep -c Dynamix.Activation some.mse)" = "$(grep -c '"METHOD_ENTRY".*"fibonacci"' events)" ] || fail "a filter"
cmp <(grep FAMIX model.mse) <(grep FAMIX some.mse) || fail "the static part changed"

# formats of events refuse a recording that has none, before they write anything
sample freq 5 format=freq
for format in mse xml hprof; do one_line 1 "no event stream" "$HINDSIGHT" export freq --to $format; done
finish
