#!/usr/bin/env python3
"""tables.py: the rows that the tables of an export must have, from `print --json`, and their comparison with those that
a client has read.

    tables.py expect HINDSIGHT TRACE >expected       the rows of events, calls, writes, reads and locks, one JSON a line
    tables.py csv DIR >read                          the rows of TABLE.csv in DIR, with all values as texts
    tables.py sqlite FILE >read                      those of a database, by Python's own SQLite
    tables.py compare expected read [TABLE...]       exit status 1 and a line for each difference

A row is {"table":.., "row":{column: value}} without nulls. Values that were read may be texts: they are converted to
what the expected ones are, integers exactly, doubles by their bits (NaN equals NaN, 0.0 does not equal -0.0)."""
import json
import re
import sqlite3
import struct
import subprocess
import sys

TABLES = ("events", "calls", "writes", "reads", "locks")
FIELD_WRITES = {"PUT_INSTANCE_FIELD_VALUE", "PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION", "PUT_STATIC_FIELD"}
FIELD_READS = {"GET_INSTANCE_FIELD_RESULT", "GET_STATIC_FIELD"}
PLACE = ("seq", "thread", "dataid", "event", "class", "method", "desc", "line", "pc")


def utf8(text):
    """What a format of UTF-8 can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def rows_of(hindsight, *arguments):
    out = subprocess.run([hindsight, *arguments, "--json"], check=True, capture_output=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def value(name, kind, json_value):
    """The columns of a value."""
    row = {name + "_kind": kind}
    if kind in "FD":
        number = float(json_value)
        row[name + "_double"] = struct.unpack("f", struct.pack("f", number))[0] if kind == "F" else number
    elif kind != "L":
        row[name + "_int"] = int(json_value)
    elif json_value is not None:
        row[name + "_id"] = json_value["id"]
        row[name + "_type"] = json_value["type"]
        if "string" in json_value:
            row[name + "_string"] = utf8(json_value["string"])
    return row


class Expected:
    def __init__(self, hindsight, trace):
        self.events = rows_of(hindsight, "print", trace)
        self.kinds = {d["dataid"]: d["kind"] for d in rows_of(hindsight, "dataids", trace)}
        self.by_thread = {}
        for e in self.events:
            self.by_thread.setdefault(e["thread"], []).append(e)

    def place(self, e):
        return {k: e[k] for k in PLACE if k in e}

    def value_of(self, name, e):
        return value(name, self.kinds[e["dataid"]], e["value"]) if "value" in e else {}

    def table_events(self):
        for e in self.events:
            row = {**self.place(e), **self.value_of("value", e)}
            if "time" in e:
                row["time"] = e["time"]
            yield row

    def access(self, e, base, index):
        row = {**self.place(e), **self.value_of("value", e)}
        if base is not None and base["value"] is not None:
            row["object_id"] = base["value"]["id"]
            row["object_type"] = base["value"]["type"]
        if index is not None:
            row["index"] = index["value"]
        else:
            row.update({k: e["attr"][k] for k in ("owner", "name")})
        return row

    def accesses(self, fields, element):
        rows = []
        for events in self.by_thread.values():
            for i, e in enumerate(events):
                follows = events[i + 1] if i + 1 < len(events) else None
                if e["event"] in fields:
                    pair = e["event"] in ("PUT_INSTANCE_FIELD_VALUE", "GET_INSTANCE_FIELD_RESULT")
                    if not pair or events[i - 1]["value"] is not None:
                        rows.append(self.access(e, events[i - 1] if pair else None, None))
                elif e["event"] == element:
                    threw = follows and (follows["event"], follows.get("value")) == ("CATCH_LABEL", e["pc"])
                    if not threw:
                        rows.append(self.access(e, events[i - 2], events[i - 1]))
        return sorted(rows, key=lambda row: row["seq"])

    def table_writes(self):
        return self.accesses(FIELD_WRITES, "ARRAY_STORE_VALUE")

    def table_reads(self):
        return self.accesses(FIELD_READS, "ARRAY_LOAD_RESULT")

    def table_calls(self):
        rows = []
        for thread in sorted(self.by_thread):
            stack = []
            for e in self.by_thread[thread]:
                if e["event"] == "METHOD_ENTRY":
                    row = {k: e[k] for k in ("seq", "thread", "class", "method", "desc", "line") if k in e}
                    row.update({"depth": len(stack), "arguments": [], "calls": 0, "left": False})
                    if stack:
                        stack[-1]["calls"] += 1
                        row["parent"] = stack[-1]["seq"]
                    if e.get("value"):
                        row.update({"this_id": e["value"]["id"], "this_type": e["value"]["type"]})
                    stack.append(row)
                    rows.append(row)
                elif e["event"] == "METHOD_PARAM":
                    stack[-1]["arguments"].append(e["value"])
                elif e["event"] in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"):
                    row = stack.pop()
                    row["left"] = True
                    if e["event"] == "METHOD_NORMAL_EXIT":
                        row.update(self.value_of("result", e))
                    else:
                        row.update({"exception_id": e["value"]["id"], "exception_type": e["value"]["type"]})
        return rows

    def table_locks(self):
        rows = []
        held, asked = {}, {}
        for e in self.events:
            holds = held.setdefault(e["thread"], [])
            kind, synchronized = e["event"], e.get("attr", {}).get("synchronized")
            if kind == "MONITOR_ENTER":
                asked[e["thread"]] = e["seq"]
            elif kind == "MONITOR_ENTER_RESULT" or (kind == "METHOD_ENTRY" and synchronized):
                row = {k: e[k] for k in ("thread", "class", "method", "desc", "line") if k in e}
                row["entered"] = e["seq"]
                if e.get("value"):
                    row.update({"lock_id": e["value"]["id"], "type": e["value"]["type"]})
                if kind == "MONITOR_ENTER_RESULT":
                    row["asked"] = asked.pop(e["thread"])
                monitor = row.get("lock_id", row["class"])
                row["again"] = any(other.get("lock_id", other["class"]) == monitor for _, other in holds)
                holds.append((kind, row))
            elif kind == "MONITOR_EXIT" or kind.startswith("METHOD_") and kind.endswith("_EXIT"):
                for i in range(len(holds) - 1, -1, -1):
                    how, row = holds[i]
                    same = (
                        row.get("lock_id") == e["value"]["id"]
                        if kind == "MONITOR_EXIT"
                        else all(row[k] == e[k] for k in ("class", "method", "desc"))
                    )
                    if (how == "METHOD_ENTRY") != (kind == "MONITOR_EXIT") and same:
                        row["left"] = e["seq"]
                        rows.append(row)
                        del holds[i]
                        break
        return rows + [row for holds in held.values() for _, row in reversed(holds)]

    def tables(self):
        for name in TABLES:
            for row in getattr(self, "table_" + name)():
                yield name, row


def same(want, got):
    if isinstance(want, bool):
        return got in (want, int(want), str(want).lower(), str(int(want)))
    if isinstance(want, int):
        return not isinstance(got, float) and int(got) == want
    if isinstance(want, float):
        return struct.pack("d", want) == struct.pack("d", float(got)) or (want != want and float(got) != float(got))
    if isinstance(want, list):
        return (json.loads(got) if isinstance(got, str) else got) == want
    return want == got


def read(path, only):
    tables = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if not only or row["table"] in only:
                tables.setdefault(row["table"], []).append(row["row"])
    return tables


# what plain Python does not compute from the events: numbers of methods, and the coarse clock
UNKNOWN = {"calls": {"method_id"}, "locks": {"wait_ns", "hold_ns"}}


def compare(want_path, got_path, only):
    wrong = 0
    want, got = read(want_path, only), read(got_path, only)
    for name, rows in want.items():
        have = got.get(name, [])
        if "seq" in rows[0]:  # a format may have an order of its own
            rows.sort(key=lambda row: row["seq"])
            have.sort(key=lambda row: int(row["seq"]))
        if len(rows) != len(have):
            print(f"{name}: {len(have)} rows, expected {len(rows)}")
            wrong += 1
        for number, (a, b) in enumerate(zip(rows, have)):
            keys = (a.keys() | b.keys()) - UNKNOWN.get(name, set())
            different = [k for k in keys if k not in a or k not in b or not same(a[k], b[k])]
            if different and wrong < 10:
                print(f"{name} row {number}: {[(k, a.get(k), b.get(k)) for k in different]}")
            wrong += bool(different)
    print(f"    {got_path.split('/')[-1]}: {', '.join(f'{len(r)} {n}' for n, r in want.items())}")
    return wrong == 0


def csv_rows(text):
    """RFC 4180, with null as nothing and "" as an empty text, which the module csv does not tell apart."""
    heading, row = None, []
    for quoted, plain, end in re.findall(r'(?:("(?:[^"]|"")*")|([^",\n]*))([,\n])', text):
        row.append(quoted[1:-1].replace('""', '"') if quoted else plain or None)
        if end == "\n":
            if heading is not None:
                yield {k: v for k, v in zip(heading, row, strict=True) if v is not None}
            heading, row = heading or row, []


def main(command, *arguments):
    if command == "expect":
        for name, row in Expected(*arguments).tables():
            print(json.dumps({"table": name, "row": row}))
    elif command == "csv":
        for name in TABLES:
            with open(f"{arguments[0]}/{name}.csv", encoding="utf-8", newline="") as lines:
                for row in csv_rows(lines.read()):
                    print(json.dumps({"table": name, "row": row}))
    elif command == "sqlite":
        database = sqlite3.connect(arguments[0])
        database.row_factory = sqlite3.Row
        for name in TABLES:
            for row in database.execute(f"SELECT * FROM {name}"):
                print(json.dumps({"table": name, "row": {k: row[k] for k in row.keys() if row[k] is not None}}))
    elif command == "compare":
        return 0 if compare(arguments[0], arguments[1], set(arguments[2:])) else 1
    return 0


sys.exit(main(*sys.argv[1:]))
