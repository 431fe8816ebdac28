"""questions.py [options] [PROGRAM...]: in which row of an answer the line stands that repairs the program.

Of each program of measure.py the test that failed is asked four questions, which follow from its page (`failure`)
alone:

    why --control    of the first moment in the origin of the actual value that lies in the program, not in its test;
                     else of what was thrown
    slice --thin     of the actual value, or of what was thrown
    why-not          the actual value with --expect of the expected one; else 'throw TYPE' of an exception that did not
                     come, or the next line with code behind that at which it came, in the innermost call of the
                     program
    suspects         of all tests

The cells are the row that names the line first, of ten; -: none does; nothing: there is no such question. What one
line did at several moments counts as one row, as a reader sees it.

    --classes DIR   compiled already, by javac -g; else they are compiled
    --markdown      the table as in docs/bugs.md
    --least A,B,C,D fail unless so many % of the programs have the line in ten rows of each
    --misses        print the answers that do not have it
    --keep DIR      leave the recordings there; those that are there already are asked again

HINDSIGHT and JAVA_HOME name the command and the JDK."""
import argparse, glob, json, os, re, shlex, shutil, sys, tempfile

import measure
from measure import HERE, HINDSIGHT, Program, compile_all, run, spots

ROWS = 10
QUESTIONS = ["why --control", "slice --thin", "why-not", "suspects"]
ROWS_READ = 300  # of which lines are taken together
LINES_ON = 8  # behind an exception


def literal(value):
    """As --expect has it; None: it is no value that can be written down."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        value = value.get("string")
        return None if value is None else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def own_frame(page, program):
    """The innermost call of the program itself."""
    for f in page.get("frames", []):
        if f["class"].split(".")[0] == program.name and not f["class"].endswith("Test") and "line" in f:
            return f
    return None


def why_not(page, program):
    seq = page.get("actual_seq")
    if seq is not None and "expected" in page:
        value = literal(page["expected"])
        if value is not None:
            return [str(seq), "--expect", value]
    absent = re.search(r"[Ee]xpected (?:exception: )?([\w.$]+(?:Exception|Error))", page.get("message") or "")
    if absent:
        return ["throw " + absent.group(1)]
    frame = own_frame(page, program)
    if frame is not None:
        return ["%s.%s:%d" % (frame["class"], frame["method"], frame["line"] + 1), "--in", str(frame["entered"])]
    return None


def in_program(page, program):
    """The moment that `why --control` is asked of."""
    for row in page.get("origin", []):
        name = row.get("class", "")
        if name.split(".")[0] == program.name and not name.endswith("Test"):
            return row["seq"]
    return page.get("thrown", page.get("actual_seq"))


def questions(page, program, trace):
    seq, control = page.get("actual_seq", page.get("thrown")), in_program(page, program)
    absent = why_not(page, program)
    return [
        ["why", trace, str(control), "--control"] if control is not None else None,
        ["slice", trace, str(seq), "--thin"] if seq is not None else None,
        ["why-not", absent[0], trace, *absent[1:]] if absent else None,
        ["suspects", trace],
    ]


def row_of(program, words):
    """The row that names the line first, from 1 on; None; and the answer."""
    for _ in range(LINES_ON):
        status, said, _ = run([HINDSIGHT, *words, "--limit", str(ROWS_READ), "--json"])
        if status not in (0, 1, 3):
            sys.exit("%s: hindsight %s: %s" % (program.name, shlex.join(words), said[:500]))
        behind = re.fullmatch(r"(.*:)(\d+)", words[1])
        if status != 1 or words[0] != "why-not" or not behind:
            break
        words[1] = behind.group(1) + str(int(behind.group(2)) + 1)  # no code stands there
    seen = set()
    for row in [json.loads(line) for line in said.splitlines() if line.startswith("{")]:
        spot = next(iter(places(row)), len(seen))
        seen.add(spot)
        if len(seen) > ROWS:
            break
        named = {(program.file_of.get(n.rsplit(".", 1)[-1].split("$")[0]), line) for n, line in places(row)}
        if named & program.lines:
            return len(seen), said
    return None, said


def places(row):
    """(class, line) of all that the row names; rows of why-not and suspects have Class.method and a line."""
    yield from spots(row)
    if "class" not in row and isinstance(row.get("line"), int):
        yield row["method"].rsplit(".", 1)[0], row["line"]


def ask_all(program, classes, work):
    trace = os.path.join(work, program.name + ".trace")
    if not os.path.isdir(trace):
        run([HINDSIGHT, "record", "--tests", "-o", trace, "--"] + program.command(classes))
    if not os.path.isdir(trace):
        sys.exit("%s: it was not recorded" % program.name)
    _, page, _ = run([HINDSIGHT, "failure", trace, "--json"])
    page = json.loads(page.splitlines()[0])
    return [
        row_of(program, words) + (words,) if words else (None, "", None) for words in questions(page, program, trace)
    ]


def main():
    a = argparse.ArgumentParser()
    for option in ("--classes", "--keep", "--least"):
        a.add_argument(option)
    for option in ("--markdown", "--misses"):
        a.add_argument(option, action="store_true")
    a.add_argument("programs", nargs="*")
    o = a.parse_args()
    found = sorted(p for p in glob.glob(HERE + "/*/") if glob.glob(p + "*Test.java"))
    programs = [Program(p) for p in found if not o.programs or os.path.basename(p.rstrip("/")) in o.programs]
    work = o.keep or tempfile.mkdtemp(prefix="hindsight-bugs.")
    try:
        classes = o.classes or os.path.join(work, "classes")
        if not o.classes:
            compile_all([p.folder for p in programs], classes)
        lines = [["program", "kind of fault"] + QUESTIONS]
        lines += [["---"] * len(lines[0])] if o.markdown else []
        hits = [0] * len(QUESTIONS)
        for program in programs:
            answers = ask_all(program, classes, work)
            for i, (row, said, words) in enumerate(answers):
                hits[i] += row is not None
                if o.misses and row is None:
                    print("%s: %s\n%s" % (program.name, words and shlex.join(words), said), file=sys.stderr)
            lines.append(
                [program.name, program.kind] + [str(row or "-") if words else "" for row, said, words in answers]
            )
            if not o.keep:
                shutil.rmtree(os.path.join(work, program.name + ".trace"))
        wide = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        for line in lines:
            print(
                "| %s |" % " | ".join(line)
                if o.markdown
                else "  ".join(c.ljust(w) for c, w in zip(line, wide)).rstrip()
            )
        shares = [100 * n // len(programs) for n in hits]
        print()
        print(
            "%d programs: the line is in the first %d rows of %s."
            % (
                len(programs),
                ROWS,
                ", ".join("`%s` %d (%d %%)" % (q, n, s) for q, n, s in zip(QUESTIONS, hits, shares)),
            )
        )
        least = [int(n) for n in (o.least or "0,0,0,0").split(",")]
        sys.exit(any(s < n for s, n in zip(shares, least)))
    finally:
        if not o.keep:
            shutil.rmtree(work)


main()
