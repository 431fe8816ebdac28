"""output.py COMMAND TRACE: Trace.output and Trace.moments say what `hindsight output` and `hindsight at` say."""
import json
import subprocess
import sys

import hindsight

command, path = sys.argv[1:]


def told(*words):
    made = subprocess.run([command, *words, path, "--json"], capture_output=True, text=True)
    return [json.loads(line) for line in made.stdout.splitlines()]


with hindsight.open(path) as trace:
    lines = list(trace.output())
    rows = told("output", "--limit", "1000")
    assert len(lines) > 2 and len(lines) == len(rows), (lines, rows)
    for line, row in zip(lines, rows):
        first = line.parts[0]
        got = first.seq, first.thread, line.stream, line.text, first.written, first.time_ns
        assert got == tuple(row.get(key) for key in "seq thread stream text written time".split()), (line, row)
        assert not line.ended or line.bytes.rstrip(b"\r\n") == line.text.encode(), line
    word = lines[-1].text[:3]
    for text in word, '"%s"' % word, "+0.001s", "end-1us", "3":
        rows = told("at", text, "--limit", "1000")
        moments = list(trace.moments(text))
        assert moments and len(moments) == len(rows), (text, moments, rows)
        for m, row in zip(moments, rows):
            got = m.seq, m.thread, m.time_ns, m.line and m.line.text, m.line and m.line.stream
            assert got == tuple(row.get(key) for key in "seq thread time text stream".split()), (text, m, row)
    assert not list(trace.moments("no such text"))
    for wrong in "", "+1000000s", "9" * 12, "9" * 40:
        try:
            trace.moments(wrong).__next__()
        except hindsight.Error:
            continue
        sys.exit("%r is a moment" % wrong)
print("%d lines" % len(lines))
