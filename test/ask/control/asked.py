"""asked.py: what the scripts of this folder share: a question to the command, which is their first argument."""

import json, subprocess, sys


def ask(*args):
    """The rows of its answer."""
    r = subprocess.run([sys.argv[1], *args, "--json"], capture_output=True, text=True, timeout=300)
    if r.returncode != 0:
        sys.exit("FAILED: %s: status %d: %s" % (args, r.returncode, r.stderr))
    return [json.loads(line) for line in r.stdout.splitlines()]
