# The last write of a field or element before some moment, against a walk over all writes.
from ask import *
import bisect, random

all_writes = [
    json.loads(l)
    for l in run(
        command,
        "print",
        "%s/Places" % work,
        "--json",
        "--event",
        "PUT_INSTANCE_FIELD,PUT_INSTANCE_FIELD_VALUE,ARRAY_STORE,ARRAY_STORE_INDEX,ARRAY_STORE_VALUE",
    ).splitlines()
]
places, begun, index = collections.defaultdict(list), {}, {}
for e in all_writes:  # the events of one write follow each other in their thread
    if e["event"] in ("PUT_INSTANCE_FIELD", "ARRAY_STORE"):
        begun[e["thread"]] = e["value"]["id"]
    elif e["event"] == "ARRAY_STORE_INDEX":
        index[e["thread"]] = e["value"]
    elif e["event"] == "PUT_INSTANCE_FIELD_VALUE":
        places["%d.%s" % (begun[e["thread"]], e["attr"]["name"])].append((e["seq"], plain(e["value"])))
    else:
        places["%d[%d]" % (begun[e["thread"]], index[e["thread"]])].append((e["seq"], plain(e["value"])))
last = all_writes[-1]["seq"]
kinds = collections.Counter(p.split(".")[1] if "." in p else "[]" for p in places)
same("every kind of place is written", set(kinds), {"often", "seldom", "friend", "cells", "[]"})
rng = random.Random(5)
by_kind = {k: sorted(p for p in places if (p.split(".")[1] if "." in p else "[]") == k) for k in kinds}
for n in range(30):
    place = rng.choice(by_kind[rng.choice(sorted(kinds))])
    before = rng.randrange(places[place][0][0] + 1, last)
    at = bisect.bisect_left(places[place], (before,))
    answer = ask("last-write", "Places", place, "--before", before)
    same("%s before %d" % (place, before), [(e["seq"], plain(e["value"])) for e in answer], places[place][at - 1 : at])
for kind in sorted(kinds):  # and all of them
    place = rng.choice(by_kind[kind])
    same("history of " + place, [(e["seq"], plain(e["value"])) for e in ask("history", "Places", place)], places[place])
end()
