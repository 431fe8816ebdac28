"""docs.py: in the folder that is the root, every file or folder of the tree that a document (*.md, *.1) names in
backquotes exists.

A name is one of ours when it begins with a folder of ours, or has an ending of ours. It may be a glob, have {a,b} and
<placeholders>, and stand relative to the document's folder, or alone for a file anywhere below it. `NAME.c` stands for
any name."""
import glob, os, re, sys

ENDINGS = "c h def md sh py java txt in cmake json".split()
COPIES = ("./test/oracle", "./test/workloads")  # documents of shared folders
INSIDE = "cli fsck agent tool jvm hook examples man lib unit".split()  # folders that a document of their parent names
# the product's output, class files and libraries; not of the tree
FOREIGN = re.compile(
    r"[=#$()\\;,\"' ]|^[-/~]|://|^(build|java|javax|com|org|jdk|sun|TRACE|DIR|woven)/|\.\.\.$"
    r"|^hindsight/trace\.h$|^(jvmti|jni|lmdb)\.h$"
)


def alternatives(text):
    m = re.search(r"\{([^{}]*)\}", text)
    return (
        [w for part in m.group(1).split(",") for w in alternatives(text[: m.start()] + part + text[m.end() :])]
        if m
        else [text]
    )


def ours(name, tops):
    first, slash, rest = name.partition("/")
    if slash:
        return first in tops or first == ".." or first in INSIDE
    return "." in name.lstrip(".") and name.rpartition(".")[2] in ENDINGS


def exists(name, folder):
    pattern = re.sub(r"<[a-z]+>|\b[A-Z]{4,}\b(?=[._])", "*", name).replace("/.../", "/**/")
    places = [".", folder] + ([] if "/" in name else [os.path.join(folder, "**")])
    # of modules the name alone
    return any(glob.glob(os.path.join(p, pattern + end), recursive=True) for p in places for end in ("", ".c"))


documents = [
    os.path.join(d, f)
    for d, _, files in os.walk(".")
    for f in files
    if f.endswith((".md", ".1")) and not d.startswith(("./build", "./.git/") + COPIES)
]
tops = {e for e in os.listdir(".") if os.path.isdir(e)}
checked = bad = 0
for document in sorted(documents):
    for number, line in enumerate(open(document, encoding="utf-8"), 1):
        for words in re.findall(r"`([^`]+)`", line):
            for name in alternatives(words):
                name = re.sub(r"(?<=\w):\w+$", "", name).rstrip("/")
                if FOREIGN.search(name) or not ours(name, tops):
                    continue
                checked += 1
                if not exists(name, os.path.dirname(document)):
                    bad += 1
                    print("%s:%d names %s, which does not exist" % (document[2:], number, name))
if checked < 150:
    bad += 1
    print("only %d paths found" % checked)
print("%d paths in %d documents" % (checked, len(documents)))
sys.exit(bad != 0)
