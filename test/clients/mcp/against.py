"""against.py HINDSIGHT TRACE CALLS: the answers in CALLS, a file of session.mjs, are what the command prints of a copy
of the trace. Questions behind the answer, notes, and the line with the tokens are not compared."""
import json, re, subprocess, sys

hindsight, trace, calls = sys.argv[1:]
failures = compared = 0

# tool and the argument that chooses the command -> words, options by argument, operands
FORMS = [
    ("call", "method", ["calls"], {}, ["method"]),
    ("call", "at", ["calls"], {"at": "open"}, []),
    ("why", "not", ["why-not"], {}, ["not"]),
    ("why", "slice", ["slice"], {}, ["at"]),
    ("why", "at", ["why"], {"control": "control"}, ["at"]),
    ("evaluate", "expression", ["eval"], {"at": "at"}, ["expression"]),
    ("evaluate", "object", ["object"], {"at": "at"}, ["object"]),
    ("evaluate", "at", ["locals"], {"at": "at"}, []),
    ("watch", "place", ["watch"], {}, ["place", "text"]),
    ("find", "value", ["find"], {"kind": "kind"}, ["value"]),
    ("find", "exception", ["exceptions"], {"exception": "type"}, []),
    ("find", "event", ["print"], {"event": "event", "class": "class"}, []),
    ("sql", "query", ["sql"], {}, ["query"]),
]
for line in open(calls, encoding="utf-8"):
    call = json.loads(line)
    given = call["arguments"]
    form = next((f for f in FORMS if f[0] == call["tool"] and f[1] in given), None)
    if form is None or "what" in given or "next" in given or "more:" in call["text"]:
        continue
    _, _, words, options, operands = form
    for name, value in given.items():
        if name in options:
            words = words + ["--" + options[name] + ("" if value is True else "=%s" % value)]
    if "\nnote: the event has no value" in call["text"]:
        words = words + ["--control"]
    words = words + ["--", trace] + [str(given[name]) for name in operands if name in given]
    want = subprocess.run([hindsight, *words], capture_output=True, text=True, errors="surrogatepass").stdout
    got = re.sub(r"(?m)(^note: .*\n|^ask next: .*\n(?: +\w+ \{.*\}\n)*|^\[\d+ of \d+ tokens\]\n)", "", call["text"])
    compared += 1
    if got != want:
        failures += 1
        print("FAILED: %s %s:\n%s\nnot\n%s" % (call["tool"], given, got[:600], want[:600]))
print("%d answers equal to those of the command" % compared)
sys.exit(failures != 0 or compared < 20)
