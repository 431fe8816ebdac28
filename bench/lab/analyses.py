"""analyses.py - more figures from a recorded trace than `info` has: a row in TABLE, and a function (tools, cell, paths)
-> {name: number}.

They read every event through `print --json`, about half a million a second: for programs of some million events."""
import struct
import subprocess
from collections import defaultdict

RINGS = [8, 16, 32, 64, 128, 256, 512, 1024]


# ---- rings: what would format latest keep? ---------------------------------------------------------------------------
# A ring of N keeps the last N events of every data ID. Figures by N, as the studies of near-omniscient debugging count
# them:
#   kept_N       share of the events that are kept
#   whole_N      share of the data IDs, of those that occurred, of which all events are kept
#   precision_N  a kept read is answered with the last kept write of its location: share of the answers that are the
#                true write
#   recall_N     share of the kept reads with a true write that get it

READS = {"GET_INSTANCE_FIELD_RESULT", "GET_STATIC_FIELD", "ARRAY_LOAD_RESULT"}
WRITES = {"PUT_INSTANCE_FIELD_VALUE", "PUT_STATIC_FIELD", "ARRAY_STORE_VALUE"}
BASES = {"GET_INSTANCE_FIELD", "PUT_INSTANCE_FIELD", "ARRAY_LOAD", "ARRAY_STORE"}
INDEXES = {"ARRAY_LOAD_INDEX", "ARRAY_STORE_INDEX"}


class Accesses:
    """The reads of a trace, each with the writes of its location before it."""

    def __init__(self):
        self.counts = defaultdict(int)  # events by data ID
        self.writes = defaultdict(list)  # by location: (data ID, its how-manieth event)
        self.reads = []  # (data ID, how-manieth, location, writes before it)
        self.base = {}  # by thread: the object or array of the access that is going on
        self.index = {}

    def take(self, event):
        number, kind, thread = event["dataid"], event["event"], event["thread"]
        nth = self.counts[number]
        self.counts[number] += 1
        if kind in BASES:
            value = event.get("value")
            self.base[thread] = value["id"] if value else None
        elif kind in INDEXES:
            self.index[thread] = event["value"]
        elif kind in READS or kind in WRITES:
            where = self.location(event, kind, thread)
            if where is None:
                return
            if kind in WRITES:
                self.writes[where].append((number, nth))
            else:
                self.reads.append((number, nth, where, len(self.writes[where])))

    def location(self, event, kind, thread):
        if kind.startswith("ARRAY"):
            base = self.base.get(thread)
            return None if base is None else (base, self.index.get(thread))
        name = event["attr"].get("name")
        if "STATIC" in kind:
            return (event["attr"].get("owner"), name)
        base = self.base.get(thread)
        return None if base is None else (base, name)

    def figures(self, size):
        events = sum(self.counts.values())
        answer = {
            "kept_%d" % size: sum(min(c, size) for c in self.counts.values()) / max(events, 1),
            "whole_%d" % size: sum(c <= size for c in self.counts.values()) / max(len(self.counts), 1),
        }

        def kept(number, nth):
            return nth >= self.counts[number] - size

        right = answered = true = 0
        for number, nth, where, before in self.reads:
            if before == 0 or not kept(number, nth):
                continue
            true += 1
            writes = self.writes[where]
            given = next((i for i in range(before - 1, -1, -1) if kept(*writes[i])), None)
            answered += given is not None
            right += given == before - 1
        if answered:
            answer["precision_%d" % size] = right / answered
        if true:
            answer["recall_%d" % size] = right / true
        return answer


def rings(tools, cell, paths):
    """Of omni traces: by counting. Of latest traces: what is really there, so that one can be held against the
    other."""
    if cell.format.startswith("latest"):
        rows = [row for path in paths for row in tools.lines("latest", path)]
        events = sum(row["count"] for row in rows)
        return {
            "kept": sum(len(row["values"]) for row in rows) / max(events, 1),
            "whole": sum(len(row["values"]) == row["count"] for row in rows) / max(len(rows), 1),
        }
    if not cell.format.startswith("omni"):
        return {}
    answer = {}
    for path in paths:
        accesses = Accesses()
        for event in tools.lines("print", path):
            accesses.take(event)
        for size in RINGS:
            for name, value in accesses.figures(size).items():
                answer.setdefault(name, value)
    return answer


# ---- rows: what would the events take without the codec? -------------------------------------------------------------
# A row of 16 bytes holds what an event is made of: data ID, thread, value. Written plainly, and through zstd.


def row_of(event):
    value = event.get("value")
    if isinstance(value, dict):
        value = value["id"]
    if isinstance(value, float):
        word = struct.pack("<d", value)
    elif isinstance(value, str):  # NaN, Infinity
        word = struct.pack("<d", float(value))
    else:
        word = struct.pack("<Q", int(value or 0) & (1 << 64) - 1)
    return struct.pack("<II", event["dataid"], event["thread"]) + word


class Zstd:
    """Counts the bytes that come out of `zstd -LEVEL`."""

    def __init__(self, level):
        self.child = subprocess.Popen(
            "exec zstd -q -%d -c | wc -c" % level, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def put(self, data):
        self.child.stdin.write(data)

    def size(self):
        out, _ = self.child.communicate()
        if self.child.returncode != 0:
            raise RuntimeError("zstd: exit status %d (Debian package zstd)" % self.child.returncode)
        return int(out)


def rows(tools, cell, paths):
    if not cell.format.startswith("omni"):
        return {}
    levels = {1: Zstd(1), 19: Zstd(19)}
    events, buffer = 0, bytearray()
    for path in paths:
        for event in tools.lines("print", path):
            events += 1
            buffer += row_of(event)
            if len(buffer) >= 1 << 20:
                for zstd in levels.values():
                    zstd.put(buffer)
                buffer.clear()
    for zstd in levels.values():
        zstd.put(buffer)
    answer = {"plain": 16.0}
    answer.update({"zstd_%d" % level: zstd.size() / max(events, 1) for level, zstd in levels.items()})
    return answer


TABLE = {"rings": rings, "rows": rows}
