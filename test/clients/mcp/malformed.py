"""malformed.py HINDSIGHT TRACE COUNT: COUNT messages that are wrong in their bytes, their JSON or their types, the same
ones every time, to one server. Each answer is a JSON-RPC message; what has an id gets one answer with this id; nothing
else is written; the server lives on, and ends well."""
import copy, json, queue, random, subprocess, sys, threading

hindsight, trace, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
TOOLS = [
    ("overview", {}),
    ("failure", {"test": "ShopTest.three", "budget": 500}),
    ("find", {"class": "Shop", "event": "CALL", "where": "line > 3"}),
    ("find", {"from": 3, "to": 90, "value": "10", "kind": "field,local", "thread": "main"}),
    ("find", {"exception": "java.lang.*"}),
    ("call", {"at": 40}),
    ("call", {"method": "Shop.priceOf", "where": "args[0] > 1", "sort": "result"}),
    ("evaluate", {"at": 40}),
    ("evaluate", {"at": 60, "object": "Shop#5"}),
    ("evaluate", {"at": 60, "expression": "price + 1", "frame": 0}),
    ("watch", {"place": "Shop.priceOf:14", "text": "{item}", "changes": True}),
    ("why", {"what": "Shop.price", "at": 100}),
    ("why", {"what": "Shop.main:after"}),
    ("why", {"at": 60, "choose": "1.1", "all": True}),
    ("why", {"not": "Shop.priceOf:15", "in": 40, "times": 2, "expect": "3"}),
    ("why", {"at": 60, "slice": True, "next": "line-3-0123456789abcdef"}),
    ("sql", {"query": "SELECT * FROM calls"}),
]
VALID = [
    {"method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}},
    {"method": "ping"},
    {"method": "tools/list", "params": {}},
    {"method": "server/discover", "params": {"_meta": MODERN}},
    {"method": "prompts/list"},
    {"method": "prompts/get", "params": {"name": "debug"}},
    {"method": "resources/list"},
    {"method": "resources/read", "params": {"uri": "hindsight://skill"}},
    {"method": "notifications/cancelled", "params": {"requestId": 3}},
] + [
    {"method": "tools/call", "params": {"name": name, "arguments": arguments, **({"_meta": MODERN} if i % 2 else {})}}
    for i, (name, arguments) in enumerate(TOOLS)
]
ODD = [
    None,
    True,
    False,
    0,
    -1,
    2**53,
    2**64,
    10**400,
    1.5,
    -0.0,
    1e308,
    "",
    "\ud800",
    "x" * 70000,
    "--help",
    "-1",
    "../..",
    "/etc/passwd",
    "%s%n%n",
    "\u202e\n\x1b[2J",
    "Shop#99999999999999999999",
    "[" * 300,
    [],
    {},
    [[]],
    {"a": {"b": []}},
    ["Shop"] * 500,
    "*" * 400,
    "((((a",
    "Shop.main:" + "a" * 5000,
    "5[999999999999999999]",
    "18446744073709551615",
]
random.seed(20261122)
choice = random.choice


def places(value, path=()):
    """Every member and element, as a path."""
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], path + (key,))


def other_json(message):
    """One member replaced, removed, added, or put elsewhere."""
    message = copy.deepcopy(message)
    for _ in range(choice((1, 1, 2))):
        path = choice(list(places(message)) or [("id",)])
        holder = message
        for key in path[:-1]:
            holder = holder[key]
        how = random.randrange(4)
        if how == 0 and isinstance(holder, dict):
            del holder[path[-1]]
        elif how == 1 and isinstance(holder, dict):
            holder[choice(["budget", "next", "at", "trace", "_meta", "", "x" * 300])] = copy.deepcopy(choice(ODD))
        elif path[-1] in holder if isinstance(holder, dict) else True:
            holder[path[-1]] = copy.deepcopy(choice(ODD))
    return message


def other_bytes(line):
    line = bytearray(line)
    for _ in range(choice((1, 2, 8))):
        at = random.randrange(len(line) or 1)
        how = random.randrange(5)
        if how == 0:
            line[at : at + 1] = bytes([random.randrange(256)])
        elif how == 1:
            del line[at : at + random.randrange(1, 20)]
        elif how == 2:
            line[at:at] = line[at : at + random.randrange(1, 40)]
        elif how == 3:
            line[at:at] = choice([b"\0", b"\xff\xfe", b"\\u0000", b"\\ud800", b'"', b"{", b"]", b"\xc0\x80", b"1e999"])
        else:
            line = line[:at] or bytearray(b"{")
    return bytes(line).replace(b"\n", b" ").replace(b"\r", b" ")


def whole_line():
    return choice([
        b"", b"   ", b"null", b"[]", b"{}", b"1", b'"x"', b"[" * 100000, b'{"a":' * 100000, b"[1,2,3]", b"\xff" * 100,
        b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":[1],"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1e300,"method":"ping"}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"method":"' + b"m" * 100000 + b'"}',
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}',
    ])  # fmt: skip


def message(number):
    valid = {"jsonrpc": "2.0", "id": number, **choice(VALID)}
    how = random.randrange(10)
    if how == 0:
        return whole_line()
    if how < 7:
        return json.dumps(other_json(valid)).encode()
    return other_bytes(json.dumps(valid).encode())


lines = [message(i) for i in range(count - 2)]
lines += [b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"y" * (5 << 20) + b'"}}', b"z" * (9 << 20)]
server = subprocess.Popen(
    [hindsight, "mcp", trace], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
)
answers, errors = queue.Queue(), []
threading.Thread(target=lambda: [answers.put(line) for line in server.stdout], daemon=True).start()
threading.Thread(target=lambda: errors.extend(server.stderr), daemon=True).start()
codes, tool_errors, good = {}, 0, 0
failures = []
for number, line in enumerate(lines):
    # what comes back before the answer to this belongs to the line
    mark = "mark %d" % number
    server.stdin.write(line + b"\n" + json.dumps({"jsonrpc": "2.0", "id": mark, "method": "ping"}).encode() + b"\n")
    server.stdin.flush()
    got = []
    while True:
        try:
            answer = json.loads(answers.get(timeout=60))
        except queue.Empty:
            sys.exit(
                "FAILED: no answer within a minute, or the server has died (%s) at:\n%r\n%s"
                % (server.poll(), line[:1000], b"".join(errors).decode("utf-8", "replace")[-3000:])
            )
        assert answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer), answer
        if answer.get("id") == mark:
            break
        got.append(answer)
    try:
        sent = json.loads(line)
    except (ValueError, RecursionError):
        sent = None
    if len(got) > 1:
        failures.append("%d answers to %r" % (len(got), line[:300]))
    if isinstance(sent, dict) and sent.get("jsonrpc") == "2.0" and isinstance(sent.get("method"), str):
        plain = isinstance(sent.get("id"), str) or type(sent.get("id")) is int and abs(sent["id"]) < 2**53
        # half of a surrogate pair, or U+0000, is no text for the server
        read = len(line) < 4 << 20 and b"\\u0000" not in line and b"\\ud" not in line.lower()
        if read and plain and [a.get("id") for a in got] != [sent["id"]]:
            failures.append("the answer to %r is %r" % (line[:300], got))
        if read and "id" not in sent and got:
            failures.append("an answer to the notification %r" % line[:300])
    for answer in got:
        if "error" in answer:
            codes[answer["error"]["code"]] = codes.get(answer["error"]["code"], 0) + 1
            assert isinstance(answer["error"]["message"], str) and answer["error"]["message"], answer
        elif answer["result"].get("isError"):
            tool_errors += 1
            assert answer["result"]["content"][0]["text"], (line[:300], answer)
        else:
            good += 1
server.stdin.close()
status = server.wait(60)
if status != 0 or errors:
    failures.append("exit status %d: %s" % (status, b"".join(errors).decode("utf-8", "replace")[-3000:]))
for code in (-32700, -32600, -32601, -32602, -32022):
    if code not in codes:
        failures.append("no message was refused with %d" % code)
if min(tool_errors, good) < count / 20:
    failures.append("%d errors of tools, %d answers: one of them is too few" % (tool_errors, good))
print(
    "%d messages: %d answered, %d errors of tools, refused %s"
    % (len(lines), good, tool_errors, dict(sorted(codes.items())))
)
for failure in failures[:5]:
    print("FAILED: " + failure)
sys.exit(failures != [])
