"""times.py ON OFF KILLED: what print says of the recordings of Clock with timestamp=true (NAME.json)."""

import json, sys

bad = []


def rows(name):
    with open(f"{name}.json", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def clock(name, events):
    """The clock of the program is that of the recording but for a constant: it was read after each CALL of nanoTime and
    before its CALL_RETURN, so there is a constant that fits all of them. Times do not go back in a thread."""
    last, called, least, most, reads = {}, {}, None, None, 0
    for e in events:
        thread, time = e["thread"], e["time"]
        if time < last.get(thread, 0):
            bad.append(f"{name}: event {e['seq']}: {time} after {last[thread]}")
        last[thread] = time
        if e["event"] == "CALL" and e["attr"].get("name") == "nanoTime":
            called[thread] = time
        elif e["event"] == "CALL_RETURN" and thread in called and isinstance(e.get("value"), int):
            before, after = called.pop(thread) - e["value"], time - e["value"]
            most = before if most is None else max(most, before)
            least = after if least is None else min(least, after)
            reads += 1
    if reads < 500:
        bad.append(f"{name}: {reads} reads of the clock")
    elif most > least:
        bad.append(f"{name}: no constant fits: it is at least {most}, at most {least}")


def steps(events):
    """Thread by thread; ids of objects and what the clock said differ between two runs."""
    by_thread = {}
    for e in events:
        value = e.get("value") if isinstance(e.get("value"), int) and abs(e["value"]) < 10**9 else None
        by_thread.setdefault(e["thread"], []).append((e["event"], e.get("method"), e.get("pc"), value))
    return by_thread


on, off, killed = (rows(name) for name in sys.argv[1:])
for name, events in zip(sys.argv[1:], (on, off, killed)):
    clock(name, events)
for thread, wanted in steps(off).items():
    found = steps(on).get(thread, [])
    if found != wanted:
        k = next((k for k, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        bad.append(f"thread {thread}: {len(found)} and {len(wanted)} events; {k}: {found[k:k+1]} {wanted[k:k+1]}")
for line in bad[:10]:
    print(line)
sys.exit(bool(bad))
