"""ask.py - asking the command and the library (answers.c) about a trace, and counting what they say otherwise than the
model."""
import collections, json, struct, subprocess

from stream import NONE, Ref


class Asker:
    def __init__(self, command, answers, trace):
        self.command, self.answers, self.trace = command, answers, trace
        self.asked, self.wrong, self.shown = collections.Counter(), collections.Counter(), collections.Counter()
        self.library = None

    # ---- the command ----

    def run(self, question, *args, status=(0,)):
        """the lines of JSON that the command answers"""
        words = [self.command, question, self.trace] + [str(a) for a in args] + ["--json"]
        r = subprocess.run(words, capture_output=True, text=True, timeout=300)
        if r.returncode not in status:
            self.differ(
                question, " ".join(words[3:]), "exit status %d: %s" % (r.returncode, r.stderr.strip()), "an answer"
            )
            return None
        return [json.loads(line) for line in r.stdout.splitlines()]

    # ---- the library ----

    def open(self):
        self.library = subprocess.Popen(
            [self.answers, self.trace], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self):
        self.library.stdin.close()
        if self.library.wait() != 0:
            self.differ("library", "its end", "exit status %d" % self.library.returncode, "0")

    def ask(self, *words):
        """rows of words; None where the question fails (self.why says why)"""
        self.library.stdin.write("\t".join("-" if w is None else str(w) for w in words) + "\n")
        self.library.stdin.flush()
        rows = []
        for line in self.library.stdout:
            if line == ".\n":
                break
            rows.append(line.rstrip("\n").split("\t"))
        else:
            raise SystemExit("FAILED: the library died at: %s" % " ".join(map(str, words)))
        if rows and rows[-1][0] == "failed":
            self.why = rows[-1][1]
            return None
        return rows

    # ---- comparing ----

    def compare(self, question, what, have, want):
        """repr tells true from 1 and -0.0 from 0.0; Bits compare by themselves"""
        self.asked[question] += 1
        if have != want or not question.startswith("hs_") and repr(have) != repr(want):
            self.differ(question, what, have, want, counted=True)

    def differ(self, question, what, have, want, counted=False):
        if not counted:
            self.asked[question] += 1
        self.wrong[question] += 1
        self.shown[question] += 1
        if self.shown[question] <= 3:
            if isinstance(have, list) and isinstance(want, list) and len(want) > 20:
                have, want = from_difference(have, want)
            print(
                "FAILED: %s %s of %s:\n   have %s\n   want %s" % (question, what, self.trace, brief(have), brief(want))
            )


def from_difference(have, want):
    """long lists from where they differ"""
    same = next((i for i, (x, y) in enumerate(zip(have, want)) if x != y), min(len(have), len(want)))
    return tuple("%d items, from the %dth %s" % (len(x), same, x[same : same + 5]) for x in (have, want))


def brief(x):
    text = str(x)
    return text if len(text) < 600 else text[:600] + "..."


def absent(word):
    return None if word == "-" else int(word)


class Bits:
    """a value of the library; equal to what the model has for the same value"""

    def __init__(self, kind, bits):
        self.kind, self.bits = kind, 0 if kind in "-V" else int(bits)

    def __eq__(self, v):
        kind, bits = self.kind, self.bits
        if kind in "-V":
            return v is NONE
        if kind == "L":
            return v is None if bits == 0 else isinstance(v, Ref) and int(v) == bits
        if kind == "Z":
            return v is (bits != 0)
        if isinstance(v, (Ref, bool)) or v is None or v is NONE:
            return False
        if kind in "FD":
            real, size, whole = ("<f", 4, "<I") if kind == "F" else ("<d", 8, "<Q")
            mine, theirs = struct.pack(whole, bits & (1 << 8 * size) - 1), struct.pack(real, float(v))
            return (
                mine == theirs or float(v) != float(v) and struct.unpack(real, mine)[0] != struct.unpack(real, mine)[0]
            )
        return (bits - (1 << 64) if bits >> 63 else bits) == v

    def __ne__(self, v):
        return not self == v

    def __repr__(self):
        return "%s:%d" % (self.kind, self.bits)
