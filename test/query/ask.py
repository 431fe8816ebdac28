# ask.py - what the question scripts share: asking the command and the examples, and comparing.
import json, subprocess, sys

command, examples, work = sys.argv[1:4]
wrong = asked = 0

def run(*args):
    r = subprocess.run(args, capture_output=True, text=True, timeout=120)
    if r.returncode != 0:
        print("FAILED: %s: exit status %d: %s" % (" ".join(args), r.returncode, r.stderr.strip()))
        return ""
    return r.stdout

def ask(question, trace, *args):
    """The JSON objects that the command answers."""
    return [json.loads(l) for l in run(command, question, "%s/%s" % (work, trace), *map(str, args), "--json").splitlines()]

def example(program, trace, *args):
    """The lines that an example program prints."""
    return run("%s/%s" % (examples, program), "%s/%s" % (work, trace), *map(str, args)).splitlines()

def same(what, have, want):
    global wrong, asked
    asked += 1
    if have != want:
        wrong += 1
        print("FAILED: %s:\n   have %s\n   want %s" % (what, have, want))

def events(trace, **want):
    """Events of the stream with these members."""
    return [e for e in ask("print", trace) if all(e.get(k) == v for k, v in want.items())]

def one(trace, **want):
    found = events(trace, **want)
    if len(found) != 1:
        print("FAILED: %d events with %s in %s" % (len(found), want, trace))
        sys.exit(1)
    return found[0]

def plain(value):
    """A value as a person says it: strings as their content, other references as their type."""
    if isinstance(value, dict):
        return value.get("string", value.get("type"))
    return value

def values(answer):
    return [plain(e.get("value")) for e in answer]

def end():
    print("%s: %d questions, %s" % (sys.argv[0].split("/")[-1], asked, "%d wrong" % wrong if wrong else "all right"))
    sys.exit(1 if wrong else 0)
