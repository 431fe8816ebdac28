"""races_virtual.py EVENTS: for RacesVirtual.java: `hindsight races` finds those fields that are named so, no others."""
import json, os, subprocess, sys

trace = os.path.join(os.path.dirname(sys.argv[1]), "trace")
lines = subprocess.run([os.environ["HINDSIGHT"], "races", trace, "--json"], capture_output=True, text=True).stdout
fields = {json.loads(line)["location"].split(".")[-1] for line in lines.splitlines()}
if fields != {"racyBoth", "racyTimedOut", "racyAfterStart"}:
    sys.exit("FAILED: these race: " + " ".join(sorted(fields)))
