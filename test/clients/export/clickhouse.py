#!/usr/bin/env python3
"""clickhouse.py HINDSIGHT TRACE SERVER DATABASE PAGE: the rows of the tables in the server are those of other exports
and of `print --json`, and its answers to the questions of PAGE are those of `hindsight sql` or, where the languages
differ, of a model over `print --json`."""
import base64, json, os, re, subprocess, sys, urllib.request

hindsight, trace, server, database, page = sys.argv[1:]
TABLES = "events calls writes reads exceptions locks objects strings threads classes methods dataids".split()
failures = 0


def ask(sql):
    """Rows of the server; 64 bits are texts there."""
    settings = "?output_format_json_quote_denormals=1&join_default_strictness=ALL&database=" + database
    key = base64.b64encode(b"%s:%s" % (os.environb[b"CLICKHOUSE_USER"], os.environb[b"CLICKHOUSE_PASSWORD"])).decode()
    request = urllib.request.Request(server + "/" + settings, (sql + " FORMAT JSONEachRow").encode())
    request.add_header("Authorization", "Basic " + key)
    with urllib.request.urlopen(request) as answer:
        return [json.loads(line, parse_int=str) for line in answer.read().decode().split("\n") if line]


def lines(*arguments):
    out = subprocess.run([hindsight, *arguments], check=True, capture_output=True).stdout.decode()
    return [json.loads(line) for line in out.split("\n") if line]


def plain(row):
    """Without nulls, numbers as texts: 1 and true are the same; a double, of which -0 is one, by its value."""
    made = {}
    for name, value in row.items():
        if value is None:
            continue
        if isinstance(value, bool):
            value = int(value)
        made[name] = repr(float(value)).lower() if name.endswith("_double") else str(value)
    return made


def compare(what, got, want):
    global failures
    got, want = [plain(r) for r in got], [plain(r) for r in want]
    if got != want or not want:
        failures += 1
        differs = next((p for p in zip(got, want) if p[0] != p[1]), None)
        print(f"{what}: {len(got)} rows, not {len(want)}; the first that differs: {differs}")


def tables():
    for table in TABLES:
        rows = subprocess.run([hindsight, "sql", trace, f"SELECT * FROM {table}", "--json"], check=True,
                              capture_output=True).stdout.decode()  # fmt: skip
        want = [json.loads(line) for line in rows.split("\n") if line]
        key = lambda row: json.dumps(plain(row), sort_keys=True)
        compare(table, sorted(ask(f"SELECT * FROM {table}"), key=key), sorted(want, key=key))


def last_values():
    """The last question: what the events say, without SQL and without the table writes."""
    last, receiver = {}, {}
    attrs = {d["dataid"]: d.get("attr", {}) for d in lines("dataids", trace, "--json")}
    writes = {(r["seq"]): r for r in lines("export", trace, "--to", "jsonl", "--table", "writes")}
    for e in lines("print", trace, "--json"):
        if e["event"] == "PUT_INSTANCE_FIELD":
            receiver[e["thread"]] = (e["value"] or {}).get("id")
        elif (
            e["event"] == "PUT_INSTANCE_FIELD_VALUE" and e["seq"] in writes and not isinstance(e["value"], (dict, str))
        ):
            if e["value"] is not None and not isinstance(e["value"], float):
                a = attrs[e["dataid"]]
                last[receiver[e["thread"]], a["owner"], a["name"]] = int(e["value"])
    return [dict(object_id=o, owner=c, name=n, last=v) for (o, c, n), v in sorted(last.items())]


def questions():
    text = open(page).read()
    asked = re.findall(r"```sql\n(.*?)```", text, re.S)
    assert len(asked) == 10, len(asked)
    for number, sql in enumerate(asked, 1):
        want = last_values() if "argMax" in sql else lines("sql", trace, sql, "--json")
        compare(f"question {number}", ask(sql), want)


tables()
questions()
sys.exit(failures > 0)
