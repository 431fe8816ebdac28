#!/usr/bin/env python3
"""api.py HINDSIGHT TRACE ADDRESS: asks a running `hindsight view` as scripts, other pages and strangers would."""
import base64
import http.client
import json
import os
import re
import socket
import subprocess
import sys
from urllib.parse import urlencode, urlsplit

HINDSIGHT, TRACE, ADDRESS = sys.argv[1:4]
HOST = urlsplit(ADDRESS).netloc
PORT = urlsplit(ADDRESS).port
TOKEN = urlsplit(ADDRESS).query.split("=")[1]
BEARER = {"Authorization": "Bearer " + TOKEN}
WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
}
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


def ask(path, headers=None, method="GET"):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read() if answer.status != 101 else b""
    connection.close()
    return answer, body


def expect(status, path, headers=None, method="GET", secret=b'"seq"'):
    answer, body = ask(path, headers, method)
    if answer.status != status:
        fail(f"{method} {path} with {headers}: {answer.status}, not {status}")
    if status >= 400 and secret in body:
        fail(f"{method} {path} with {headers}: {status}, but the answer is there")
    return answer, body


# What the command prints. An operand is a parameter with a name of its own.
QUESTIONS = [
    ("info", [], {}),
    ("threads", [], {}),
    ("tree", ["--depth", "2"], {"depth": 2}),
    ("tree", ["--fold", "none", "--limit", "5"], {"fold": "none", "limit": 5}),
    ("print", ["--from", "200", "--num", "20"], {"from": 200, "num": 20}),
    ("print", ["--event", "CALL", "--event", "CATCH"], [("event", "CALL"), ("event", "CATCH")]),
    ("locals", ["--at", "214"], {"at": 214}),
    ("object", ["5", "--at", "214"], {"id": 5, "at": 214}),
    ("history", ["Item.count"], {"what": "Item.count"}),
    ("last-write", ["Item.count", "--before", "305"], {"what": "Item.count", "before": 305}),
    ("why", ["--at", "214", "--limit", "6"], {"at": 214, "limit": 6}),
    ("report", ["--sort", "calls"], {"sort": "calls"}),
    ("report", ["--tree"], {"tree": "true"}),
    ("report", [], {"tree": "false"}),
    ("freq", ["--class", "Stock"], {"class": "Stock"}),
    ("exceptions", [], {}),
    ("strings", [], {}),
    ("classes", [], {}),
]


def command(words):
    result = subprocess.run([HINDSIGHT, *words, "--json"], capture_output=True, check=False)
    if result.returncode not in (0, 3):
        fail(f"hindsight {' '.join(words)}: {result.stderr.decode()}")
    return result.stdout


def answers():
    for name, words, query in QUESTIONS:
        _, body = expect(200, f"/api/{name}?" + urlencode(query), BEARER)
        # the trace comes first, but for operands, which may be in either order
        if body != command([name, TRACE, *words]) or (not body and name != "strings"):
            fail(f"/api/{name} {query}: not what the command prints: {body[:200]}")
    _, body = expect(200, "/api/traces", BEARER)
    if [json.loads(line)["path"] for line in body.splitlines()] != [os.path.realpath(TRACE)]:
        fail(f"/api/traces: {body}")
    _, body = expect(200, "/api/", BEARER)
    offered = {row["command"]: row for row in map(json.loads, body.splitlines())}
    if offered["stop"]["method"] != "POST" or offered["print"]["method"] != "GET" or "record" in offered:
        fail(f"/api/: {sorted(offered)}")
    if any("source" in row["parameters"] for row in offered.values()):
        fail("/api/ offers an option that names files")


def refusals():
    """Commands that write, other traces, files, and options in values."""
    for name in ["record", "recover", "export", "compact", "weave", "view", "", "../info", "nothing"]:
        if name:
            expect(404, f"/api/{name}", BEARER)
    for name in ["start", "stop", "mark", "attach", "snapshot"]:
        expect(405, f"/api/{name}", BEARER)
    for name in ["info", "print"]:
        expect(405, f"/api/{name}", BEARER, "POST")
    for query in [
        "trace=/etc",
        "trace=" + TRACE,
        "trace=..",
        "source=/etc",
        "json=--help&help=1",
        "nothing=1",
        "limit=x",
        "limit=%00",
        "limit=%zz1",
    ]:
        expect(400, "/api/print?" + query, BEARER)
    answer, _ = ask("/api/history?what=--help", BEARER)
    if answer.status != 422 and answer.status != 400:
        fail(f"an operand was taken as an option: {answer.status}")
    expect(400, "/api/print?" + "&".join(["event=CALL"] * 200), BEARER)
    for path in ["/nothing", "/../../etc/passwd", "/app.js/../../../etc/passwd"]:
        if ask(path, BEARER)[0].status not in (400, 404):
            fail(f"{path} is answered")


def strangers():
    wrong = "0" * len(TOKEN)
    for path in ["/", "/app.js", "/api/info", "/api/", "/api/print?limit=1", "/nothing"]:
        for headers in [
            {},
            {"Authorization": "Bearer " + wrong},
            {"Authorization": "Bearer"},
            {"Authorization": "Bearer " + TOKEN[:-1]},
            {"Cookie": f"hindsight-{HOST.split(':')[1]}={wrong}"},
            {"Cookie": "hindsight-1=" + TOKEN},
        ]:
            asks = path.startswith("/api/")  # the files of the page have no secret
            expect(401 if asks else 404 if path == "/nothing" else 200, path, headers)
        for host in [
            "evil.example",
            "evil.example:" + HOST.split(":")[1],
            "127.0.0.1",
            "127.0.0.1:1",
            "LOCALHOST.evil",
        ]:
            expect(403, path, {**BEARER, "Host": host})
        for origin in ["http://evil.example", "null", "https://" + HOST, "http://" + HOST + ".evil"]:
            expect(403, path, {**BEARER, "Origin": origin})
    expect(403, "/?token=" + TOKEN, {"Host": "evil.example"})
    expect(401, "/api/stop", {}, "POST")
    expect(403, "/api/stop", {**BEARER, "Origin": "http://evil.example"}, "POST")

    expect(101, "/live", {**BEARER, **WEBSOCKET})
    expect(101, "/live", {**BEARER, **WEBSOCKET, "Origin": "http://" + HOST})
    expect(101, "/live?token=" + TOKEN, WEBSOCKET)
    expect(401, "/live", WEBSOCKET)
    expect(401, "/live?token=" + wrong, WEBSOCKET)
    expect(403, "/live?token=" + TOKEN, {**WEBSOCKET, "Origin": "http://evil.example"})
    expect(403, "/live", {**BEARER, **WEBSOCKET, "Origin": "http://evil.example"})
    expect(403, "/live", {**BEARER, **WEBSOCKET, "Host": "evil.example"})


def page():
    answer, body = expect(200, "/?token=" + TOKEN)
    if answer.getheader("Set-Cookie") is not None or TOKEN.encode() in body:
        fail(f"/?token=: {answer.getheaders()} {body}")
    answer, _ = expect(200, "/api/info", {"Cookie": f"hindsight-{PORT}={TOKEN}"})
    policy = answer.getheader("Content-Security-Policy")
    if "default-src 'none'" not in policy or "unsafe-" in policy:
        fail(f"Content-Security-Policy: {policy}")
    if answer.getheader("Access-Control-Allow-Origin") is not None:
        fail("other origins may read")


def raw(text):
    """What the server sends for these bytes; "" if it only hangs up."""
    with socket.create_connection(("127.0.0.1", PORT), timeout=120) as s:
        s.sendall(text.replace("\n", "\r\n").encode())
        s.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := s.recv(65536):
            answer += chunk
    return answer


def forged():
    """Requests that are no browser's. An answer has the file name of the trace, or the page."""
    with_token = "Authorization: Bearer " + TOKEN + "\n"
    for text in [
        "GET /api/traces HTTP/1.0\n\n",
        "GET /api/traces HTTP/1.0\n" + with_token + "\n",
        "GET /api/traces HTTP/1.1\n" + with_token + "\n",
        f"GET http://{HOST}/api/traces HTTP/1.1\nHost: evil.example\n{with_token}\n",
        f"GET /api/traces HTTP/1.1\nHost: evil.example\nHost: {HOST}\n{with_token}\n",
        f"GET /api/traces HTTP/1.1\nHost: {HOST}\nhost: evil.example\n{with_token}\n",
        f"GET /api/traces HTTP/1.1\nHost: {HOST}@evil.example\n{with_token}\n",
        f"GET /api/traces HTTP/1.1\nHost: {HOST}\nOrigin: http://{HOST}\nOrigin: http://evil.example\n{with_token}\n",
        f"GET /api/traces HTTP/1.1\nHost: {HOST}\n{with_token}Authorization: Bearer x\n\n",
        f"GET /api/traces HTTP/1.1\nHost: 127.0.0.1.nip.io:{PORT}\n{with_token}\n",
        f"GET /api/traces?token={TOKEN} HTTP/1.1\nHost: {HOST}\nConnection: close\n\n",
        f"HEAD /api/traces HTTP/1.1\nHost: {HOST}\nConnection: close\n\n",
        f"OPTIONS /api/stop HTTP/1.1\nHost: {HOST}\nOrigin: http://evil.example\n"
        "Access-Control-Request-Method: POST\nConnection: close\n\n",
        f"POST /api/stop HTTP/1.1\nHost: {HOST}\nOrigin: http://evil.example\nCookie: hindsight-{PORT}={TOKEN}\n"
        "Content-Length: 0\nConnection: close\n\n",
        f"GET /api/traces HTTP/1.1\nHost: {HOST}\nReferer: http://evil.example/\nOrigin: http://evil.example\n"
        f"Cookie: hindsight-{PORT}={TOKEN}\nConnection: close\n\n",
        f"TRACE / HTTP/1.1\nHost: {HOST}\n{with_token}Connection: close\n\n",
        f"GET /live HTTP/1.1\nHost: {HOST}\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\n"
        f"Sec-WebSocket-Key: {WEBSOCKET['Sec-WebSocket-Key']}\nOrigin: null\nCookie: hindsight-{PORT}={TOKEN}\n\n",
    ]:
        answer = raw(text)
        status = answer.split(b"\r\n")[0]
        if re.match(rb"HTTP/1.. (1|2)", status) or os.path.basename(TRACE).encode() in answer:
            fail(f"{text!r} is answered: {answer[:300]}")
        if b"access-control-allow" in answer.lower():
            fail(f"{text!r}: other origins are allowed: {answer[:300]}")


def only_loopback():
    """The kernel's list of listening sockets: one of the port, on 127.0.0.1."""
    found = []
    for path in ["/proc/net/tcp", "/proc/net/tcp6"]:
        with open(path, encoding="ascii") as table:
            for row in list(table)[1:]:
                address, state = row.split()[1], row.split()[3]
                if state == "0A" and int(address.split(":")[1], 16) == PORT:
                    found.append(address.split(":")[0])
    if found != ["0100007F"]:
        fail(f"the server listens on {found}")


def policies():
    """Every answer has the policy, also a failure; none may be guessed to be of another type or framed."""
    for path in ["/", "/app.js", "/app.css", "/api/info", "/api/print?limit=x", "/nothing"]:
        answer, _ = ask(path, BEARER)
        policy = answer.getheader("Content-Security-Policy") or ""
        if "default-src 'none'" not in policy or "unsafe-" in policy or "frame-ancestors 'none'" not in policy:
            fail(f"{path}: Content-Security-Policy: {policy}")
        if answer.getheader("X-Content-Type-Options") != "nosniff":
            fail(f"{path}: its type may be guessed")
        if answer.getheader("Cache-Control") is None or answer.getheader("Referrer-Policy") != "no-referrer":
            fail(f"{path}: {answer.getheaders()}")
    _, body = ask("/", BEARER)
    if re.search(rb"<script(?![^>]*src=)|\son\w+=|javascript:|<style", body):
        fail("the page has code in its markup")


answers()
refusals()
strangers()
forged()
only_loopback()
policies()
page()
print(f"{len(QUESTIONS)} questions, {failures} failures")
sys.exit(1 if failures else 0)
