#!/usr/bin/env python3
"""expect.py SOURCE RUN EVENTS INFO STDERR: checks the directions in a test's source (see run.sh) for its RUN-th
recorded run. expect.py --lines EVENTS: prints the lines that the patterns are matched with. EVENTS is the output of
`print --json`."""
import collections, gc, json, re, sys

gc.disable()  # of millions of lines, none in a cycle


class Numbers(dict):
    """Object ids by first appearance, so that patterns do not depend on what a run hands out."""

    def __missing__(self, key):
        self[key] = len(self) + 1
        return self[key]


def value(v, numbers):
    if isinstance(v, dict):
        text = "#%d:%s" % (numbers[v["id"]], re.sub(r"\$\$Lambda[^\[]*", "$$Lambda", v.get("type", "?")))
        cut = " cut of %d" % v["length"] if v.get("cut") else ""
        return text + ("=" + json.dumps(v["string"], ensure_ascii=False) + cut if "string" in v else "")
    return json.dumps(v)


HEAD = re.compile(r'\{"seq":(\d+),"thread":(\d+),("dataid":\d+,)?')
TIME = re.compile(r',"time":\d+(?=\}$|,"thrown_at":)')


def line_of(e, numbers):
    attrs = ";".join(
        "%s=%s" % (k, json.dumps(v) if isinstance(v, bool) else v) for k, v in sorted(e.get("attr", {}).items())
    )
    return "%s %s.%s%s pc %s line %s value %s %s" % (
        e["event"],
        e.get("class", "-"),
        e.get("method", "-"),
        e.get("desc", ""),
        e.get("pc", "-"),
        e.get("line", "-"),
        value(e["value"], numbers) if "value" in e else "-",
        attrs,
    )


def around_number(text, object_id):
    """The line before and behind the number of the object that is the value; None if other objects are shown."""
    e = json.loads("{" + text)
    if object_id is None:
        return line_of(e, {})
    if text.count('"id":') > 1 or not isinstance(e.get("value"), dict) or str(e["value"].get("id")) != object_id:
        return None
    mark = 1 << 70  # no object has that number
    before, _, behind = line_of(e, {int(object_id): mark}).partition("#%d:" % mark)
    return before + "#", ":" + behind


def lines(path):
    """(thread, line) of each event. Most differ from others in seq and the number of an object alone: those are made
    from what the first of their kind gave."""
    numbers, out, last, kinds = Numbers(), [], -1, {}
    with open(path, encoding="utf-8") as f:
        for text in f:
            head = HEAD.match(text)
            if int(head[1]) <= last:
                sys.exit("expect: seq %s after %d" % (head[1], last))
            last = int(head[1])
            text = text[head.end() : -1]
            if '"time":' in text:
                text = TIME.sub("", text)
            kind, object_id = text, None
            at = text.find('"id":') + 5  # in a string the quotes would have backslashes
            if at >= 5:
                end = text.find(",", at)
                kind, object_id = text[:at] + text[end:], text[at:end]
            if kind not in kinds:
                kinds[kind] = around_number(text, object_id)
            if kinds[kind] is None:
                line = line_of(json.loads("{" + text), numbers)
            elif object_id is None:
                line = kinds[kind]
            else:
                before, behind = kinds[kind]
                line = "%s%d%s" % (before, numbers[int(object_id)], behind)
            out.append((int(head[2]), line))
    return out


def pattern(text):
    return re.compile(".*".join(re.escape(p) for p in text.strip().split("*")))


# the words of run.sh; a comment that looks like a direction and is none would never fail
WORDS = (
    "labels javac java jvm args long classes main agent javaagent "
    "expect next never count rewind info print check checkjni end stderr"
).split()


def unknown(source):
    """Lines like directions whose word is none."""
    for number, line in enumerate(open(source, encoding="utf-8"), 1):
        m = re.match(r"// *([a-z]+):", line)
        if m and m.group(1) not in WORDS:
            yield number, m.group(1)


def directions(source, run):
    """(verb, text, line number) of those that hold for this run."""
    current = 0
    for number, line in enumerate(open(source, encoding="utf-8"), 1):
        m = re.match(r"// *(agent|expect|next|never|count|info|stderr): *(.*)|// *(rewind) *$", line)
        if not m:
            continue
        verb, text = m.group(1) or m.group(3), m.group(2) or ""
        if verb == "agent":
            current += 1
        elif current in (0, run):
            yield verb, text.strip(), number


def main():
    if sys.argv[1] == "--lines":
        for thread, line in lines(sys.argv[2]):
            print("T%d %s" % (thread, line))
        return 0
    source, run, events, info, stderr = sys.argv[1], int(sys.argv[2]), lines(sys.argv[3]), sys.argv[4], sys.argv[5]
    at, bad, checked = -1, 0, 0
    different = collections.Counter(line for _, line in events)

    def fail(number, what):
        nonlocal bad
        bad += 1
        print("FAILED: %s:%d: %s" % (source.split("/")[-1], number, what))

    for number, word in unknown(source):
        fail(number, "%s: is no direction; there are %s" % (word, " ".join(WORDS)))
    for verb, text, number in directions(source, run):
        checked += 1
        if verb == "rewind":
            at = -1
        elif verb == "expect":
            p = pattern(text)
            found = next((i for i in range(at + 1, len(events)) if p.search(events[i][1])), None)
            if found is None:
                fail(number, "no such event after %s: %s" % ("the start" if at < 0 else events[at][1], text))
            else:
                at = found
        elif verb == "next":
            found = next((i for i in range(at + 1, len(events)) if at < 0 or events[i][0] == events[at][0]), None)
            if found is None or not pattern(text).search(events[found][1]):
                fail(number, "the next event is %s, not: %s" % ("none" if found is None else events[found][1], text))
            else:
                at = found
        elif verb == "never":
            p = pattern(text)
            found = next((line for line in different if p.search(line)), None)
            if found is not None:
                fail(number, "there is one: " + found)
        elif verb == "count":
            want, rest = text.split(None, 1)
            p = pattern(rest)
            have = sum(n for line, n in different.items() if p.search(line))
            if have != int(want):
                fail(number, "%d events, not %s: %s" % (have, want, rest))
        elif verb == "info":
            if not pattern(text).search(open(info, encoding="utf-8").read()):
                fail(number, "info does not say: " + text)
        elif verb == "stderr":
            if not any(pattern(text).search(l) for l in open(stderr, encoding="utf-8", errors="replace")):
                fail(number, "no such line on standard error: " + text)
    if not bad:
        print("%d directions hold over %d events" % (checked, len(events)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
