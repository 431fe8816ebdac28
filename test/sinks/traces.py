"""traces.py - what the scripts that compare traces share: commands that print JSON, where a data ID stands, what a
value is."""
import collections, hashlib, json, re, subprocess, sys

LONG = 200  # characters of a string, above which its hash stands for it


def lines(*command):
    """what a command prints, a JSON object per line; it must end well"""
    p = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in p.stdout:
        yield json.loads(line)
    if p.wait() != 0:
        sys.exit("    %s: exit status %d" % (" ".join(command), p.returncode))


def located(rows):
    """where each data ID stands, with its row; of those that stand at one place (a class that two loaders have) each is
    another location"""
    seen = collections.Counter()
    for d in rows:  # which come by rising data ID
        k = json.dumps(
            [d["class"], d["method"], d["desc"], d["event"], d["pc"], d.get("line"), d.get("attr")], sort_keys=True
        )
        seen[k] += 1
        yield k + "#%d" % seen[k], d


def shown(v):
    """a value as it is in every run: an object by its type and content"""
    if not isinstance(v, dict):
        return v
    text = v.get("string")
    if text is not None and len(text) > LONG:
        text = (len(text), hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return (re.sub(r"Lambda.*", "Lambda", v.get("type")), text)  # names of hidden classes hold addresses
