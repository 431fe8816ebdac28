#!/usr/bin/env python3
"""Which methods did the recorded program call most, which objects did they work on, and who wrote the most written
field?

    busiest.py TRACE          for example the trace of ./demo
"""
import sys
from collections import Counter

import hindsight


def main(path):
    with hindsight.open(path, readonly=True) as trace:
        costs = sorted(trace.costs(), key=lambda c: (-c.calls, c.class_name or "", c.method or "", c.desc or ""))
        print("%d events, %d methods were called" % (len(trace), len(costs)))
        for c in costs[:5]:
            print("%10d calls of %s.%s%s" % (c.calls, c.class_name, c.method, c.desc))
        if not costs:
            return
        top = costs[0]
        receivers = Counter()
        for e in trace.events(class_glob=top.class_name, method_glob=top.method + top.desc, events=["METHOD_ENTRY"]):
            receivers[str(e.value) if e.value is not None else "no object"] += 1
        for who, n in sorted(receivers.items(), key=lambda x: (-x[1], x[0]))[:3]:
            print("%10d of them on %s" % (n, who))
        writes = [(n, i) for i, n in enumerate(trace.counts()) if n and trace.dataid(i).name == "PUT_INSTANCE_FIELD"]
        if writes:
            n, most = max(writes, key=lambda x: (x[0], -x[1]))
            site = trace.dataid(most)
            print(
                "%10d times %s.%s was written in %s.%s line %s"
                % (n, site.attrs["owner"], site.attrs["name"], site.class_name, site.method, site.line)
            )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
