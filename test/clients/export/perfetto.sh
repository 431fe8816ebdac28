#!/bin/bash
# --to perfetto: protoc reads the packets with Perfetto's schema (perfetto.proto); calls, values, throws, monitors and
# flows are those that plain Python finds in `print --json`.
#
# test: export.perfetto
# labels: export
# limit: 900 s
. "$(dirname "$0")/sampler.bash"
command -v protoc >/dev/null || skip "protoc is not installed (Debian: protobuf-compiler)"
cd "$WORK" || exit 1
sample t 40
"$HINDSIGHT" print t --json >events || die "print"
"$HINDSIGHT" export t --to perfetto -o trace || die "export"
protoc "-I$HERE" --decode=perfetto.protos.Trace "$HERE/perfetto.proto" <trace >decoded ||
    fail "protoc cannot decode the trace"
python3 "$HERE/perfetto.py" || fail "other contents"
echo "    left out: Perfetto's trace processor, of which there is no package in Debian and none of its own in npm"
finish
