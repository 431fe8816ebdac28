"""failures.py: copies what ctest prints, and repeats before its summary why each failed test failed.

The output of a failed test stands where it ended, hundreds of lines above the summary, which only names it.
"""

import re
import sys

ANY = re.compile(r" *\d+/\d+ Test +#\d+: (\S+) \.*")
BAD = re.compile(r"\*\*\*(?!Skipped)")
NEXT = re.compile(r" +Start +\d+: ")
SUMMARY = re.compile(r"\d+% tests passed, ")
REASON = re.compile(r"FAILED|\bERROR\b|\berror:|AddressSanitizer|ThreadSanitizer|Traceback|Assertion")
LINES = 8
WIDTH = 400


def reasons(output):
    """The lines that say why, or else the last ones."""
    lines = [line.rstrip() for line in output if line.strip()]
    said = [line for line in lines if REASON.search(line)]
    return [line[:WIDTH] for line in (said[:LINES] or lines[-LINES:])]


def main():
    failed, output = [], None  # (name, its output); that of the test being read
    for line in sys.stdin:
        test = ANY.match(line)
        if test or NEXT.match(line) or SUMMARY.match(line):
            output = None
        if test and BAD.search(line):
            output = []
            failed.append((test.group(1), output))
        elif output is not None:
            output.append(line)
        if SUMMARY.match(line):
            for name, lines in failed:
                print("%s: %s" % (name, "\n    ".join(reasons(lines) or ["without a word"])))
        sys.stdout.write(line)
        sys.stdout.flush()


main()
