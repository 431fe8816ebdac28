# ask.py - what the question scripts share: asking the command and the examples, and comparing.
#
# A question that an example program of reader/examples answers too is asked there as well, through the C API, and must
# have the same answer.
import atexit, collections, json, os, subprocess, sys

command, examples, work = sys.argv[1:4]
wrong = asked = 0


def run(*args, status=0):
    global wrong
    r = subprocess.run(args, capture_output=True, text=True, timeout=120)
    if r.returncode != status:
        wrong += 1
        print("FAILED: %s: exit status %d: %s" % (" ".join(args), r.returncode, r.stderr.strip()))
        return ""
    return r.stdout


def example(program, trace, *args, status=0):
    """The lines that an example program prints."""
    return run("%s/%s" % (examples, program), "%s/%s" % (work, trace), *map(str, args), status=status).splitlines()


def raw(value):
    """A value as the C API has it."""
    return value["id"] if isinstance(value, dict) else int(value or 0)


def thread_name(trace, number):
    return next(t["name"] for t in ask("threads", trace) if t["thread"] == number)


def held(state):
    return [(n, v) for n, v in state.get("fields", {}).items()] + [
        ("[%s]" % i, v) for i, v in state.get("elements", {}).items()
    ]


def print_exception(x):
    return [
        "".join(
            [
                x["type"],
                " thrown %d" % x["thrown"],
                " caught %d" % x["caught"] if "caught" in x else "",
                " swallowed" if x["swallowed"] else "",
            ]
        ),
        "  message %s" % x.get("message", "-"),
        "  cause %s" % (x.get("cause") or {"type": "-"})["type"],
    ] + ["  at %s.%s:%d" % (f["class"], f["method"], f.get("line", -1)) for f in x["frames"]]


# question: what the example of that name prints for the command's answer, a list of objects; `t` is the trace
AS_EXAMPLE = {
    "history": lambda t, answer: [
        "seq %d thread %d value %d" % (e["seq"], e["thread"], raw(e["value"])) for e in answer
    ],
    "last-write": lambda t, answer: [
        "%d by %s:%d in thread %s" % (raw(e["value"]), e["method"], e["line"], thread_name(t, e["thread"]))
        for e in answer
    ],
    "why": lambda t, answer: ["%s:%d %s" % (e["event"], e.get("line", -1), e["because"]) for e in answer]
    + ["end: " + answer[-1]["end"]],
    "locals": lambda t, answer: [
        l
        for f in answer
        for l in ["%s:%d" % (f["method"], f["line"])]
        + ["  %s = %d" % (n, raw(v)) for part in ("parameters", "locals") for n, v in f[part].items()]
    ],
    "object": lambda t, answer: [
        l for o in answer for l in [o["type"]] + ["%s = %d" % (n, raw(v)) for n, v in held(o)]
    ],
    "exceptions": lambda t, answer: [l for x in answer for l in print_exception(x)],
    "threads": lambda t, answer: ["%d %s: %d events" % (x["thread"], x["name"], x["events"]) for x in answer],
    "tree": lambda t, answer: [
        "%s%s at %d makes %d calls" % ("  " * c["depth"], c["method"], c["seq"], c["calls"]) for c in answer
    ],
    "print": lambda t, answer: sorted("%s %d" % c for c in collections.Counter(e["event"] for e in answer).items()),
}


def ask(question, trace, *args):
    """The JSON objects that the command answers; the example has to answer the same."""
    args = [str(a) for a in args]
    answer = [json.loads(l) for l in run(command, question, "%s/%s" % (work, trace), *args, "--json").splitlines()]
    words = [a for a in args if not a.startswith("-")]  # the examples take the same words without options
    if question == "print":
        words = ["*"]
    if question in AS_EXAMPLE and not (question in ("print", "exceptions", "tree") and args) and "--from" not in args:
        have = example(
            question.replace("-", "_").replace("print", "events"),
            trace,
            *words,
            status=0 if answer or question != "last-write" else 1,
        )
        same(
            "%s %s through the C API" % (question, " ".join(args)),
            sorted(have) if question == "print" else have,
            AS_EXAMPLE[question](trace, answer),
        )
    return answer


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


ended = False


@atexit.register
def not_ended():
    """A script that forgets its end() would pass whatever is wrong."""
    if not ended:
        print("FAILED: %s does not come to its end()" % sys.argv[0].split("/")[-1], flush=True)
        os._exit(1)


def end():
    global ended
    ended = True
    if asked == 0:
        sys.exit("FAILED: nothing was asked")
    print("%s: %d questions, %s" % (sys.argv[0].split("/")[-1], asked, "%d wrong" % wrong if wrong else "all right"))
    sys.exit(1 if wrong else 0)
