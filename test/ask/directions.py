"""directions.py - questions in the comments of a program, and what their answers have to say (test/jvm/run.sh has such
comments on events):

    // ask: hindsight why {all} T      a command line, or a program of reader/examples; T is the trace
    // answer: PATTERN                 a line of the answer, behind the one found before
    // next: PATTERN                   the line behind that one
    // never: PATTERN                  no line of the answer
    // lines: N                        the answer has so many, with those of standard error behind them

A PATTERN is words: * stands for anything, a blank for any blanks, {name} for a number, which the first pattern that
has it takes from its line, {MARK} for the line of the program with the comment `// MARK`; all else stands for itself.
It begins where a word begins, and ends where one ends."""
import re

WORDS = "answer next never lines".split()


def questions(source):
    """(line number, command line, [(line number, word, text)]) of each question."""
    found = []
    for number, line in enumerate(source.splitlines(), 1):
        m = re.match(r"// *([a-z]+): *(.*)", line)
        if m and m.group(1) == "ask":
            found.append((number, m.group(2), []))
        elif m and m.group(1) in WORDS and found:
            found[-1][2].append((number, m.group(1), m.group(2)))
        elif m and m.group(1) != "record":
            raise ValueError("line %d: %s: is none of ask %s" % (number, m.group(1), " ".join(WORDS)))
    return found


def marks(source):
    """The lines of the program that have a mark."""
    found = {}
    for number, line in enumerate(source.splitlines(), 1):
        m = re.search(r"\S.*// ([A-Z]+)\b", line)
        if m and m.group(1) in found:
            raise ValueError("line %d: %s is the mark of line %s, too" % (number, m.group(1), found[m.group(1)]))
        if m:
            found[m.group(1)] = str(number)
    return found


def filled(text, taken):
    """A command line with what was taken."""
    return re.sub(r"\{(\w+)\}", lambda m: taken[m.group(1)], text)


def pattern(text, taken):
    out = r"(?:^|\s)"
    new = set()
    for part in re.split(r"(\*|\{\w+\}|\s+)", text.strip()):
        name = part.strip("{}")
        if part == "*":
            out += ".*"
        elif part.isspace():
            out += r"\s+"
        elif not re.fullmatch(r"\{\w+\}", part):
            out += re.escape(part)
        elif name in taken:
            out += taken[name]
        elif name in new:
            out += "(?P=%s)" % name
        else:
            new.add(name)
            out += r"(?P<%s>\d+)" % name
    return re.compile(out + (r"(?!\w)" if re.search(r"[\w}]$", text) else ""))


def wrong(directions, lines, taken):
    """What of the answer is not as the directions say; what patterns take is put into `taken`."""
    if not directions:
        yield 0, "a question without an answer"
    at = -1
    for number, word, text in directions:
        if word == "lines":
            if len(lines) != int(text):
                yield number, "%d lines, not %s" % (len(lines), text)
            continue
        p = pattern(text, taken)
        if word == "never":
            for line in lines:
                if p.search(line):
                    yield number, "there is one: " + line
            continue
        ahead = range(at + 1, at + 2 if word == "next" else len(lines))
        found = next(((i, m) for i in ahead if i < len(lines) for m in [p.search(lines[i])] if m), None)
        if found is None:
            yield number, "%s is no line like: %s" % ("the next" if word == "next" else "behind line %d" % at, text)
            continue
        at = found[0]
        taken.update(found[1].groupdict())
