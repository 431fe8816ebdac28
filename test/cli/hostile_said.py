# hostile_said.py: no file of the folder said has a character that a terminal would obey.
import json, os, sys
from names import HIDDEN

bad = 0
for name in sorted(os.listdir("said")):
    why = None
    try:
        text = open("said/" + name, "rb").read().decode()
        found = HIDDEN.search(text)
        if found:
            why = repr(text[max(0, found.start() - 40) : found.end() + 20])
        elif not text.strip():
            why = "says nothing"
        elif name.endswith("--json"):
            [json.loads(l) for l in text.splitlines()]
    except UnicodeDecodeError as e:
        why = "not UTF-8: %s" % e
    except ValueError:
        why = "no JSON: " + text[:200]
    if why:
        print("FAILED: %s: %s" % (name, why))
        bad = 1
print(len(os.listdir("said")), "outputs")
sys.exit(bad)
