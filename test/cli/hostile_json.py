# hostile_json.py HINDSIGHT TRACE: --json has the names as they are.
import json, subprocess, sys
from names import BAD


def rows(*a):
    r = subprocess.run([sys.argv[1], *a, sys.argv[2], "--json"], capture_output=True)
    return [json.loads(l) for l in r.stdout.decode().splitlines()]


name = BAD.replace("[", "{")
wrong = [
    w
    for w, ok in (
        ("threads", any(r.get("name") == "T" + BAD for r in rows("threads"))),
        ("classes", any(r["class"] == "Evil" + name for r in rows("classes"))),
        ("methods", any(r["method"] == "eMethod" + name for r in rows("methods"))),
        ("strings", any(r["string"] == BAD for r in rows("strings"))),
        ("exceptions", any(r["message"] == BAD for r in rows("exceptions"))),
    )
    if not ok
]
print(*wrong)
sys.exit(bool(wrong))
