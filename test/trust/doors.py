"""doors.py DAP-PORT DAP-TOKEN JDWP-PORT VIEW-PORT VIEW-TOKEN TRACE MADE: each server hears the words of all others.

TRACE is being recorded: its control socket is a door, too. MADE is a file that is made if a door runs a command. Every
speech is said at once, and a byte at a time. A new server gets a row in DOORS, in SPEECHES, and in RIGHT."""

import contextlib
import json
import os
import re
import socket
import struct
import sys
import time

dap_port, dap_token, jdwp_port, view_port, view_token, trace, made = sys.argv[1:]
failed = False


def fail(text):
    global failed
    failed = True
    print("FAILED:", text)


def tcp(port):
    return lambda: socket.create_connection(("127.0.0.1", int(port)), timeout=120)


def unix():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(120)
    s.connect(os.path.join(os.path.relpath(trace), "control"))
    return s


DOORS = {"dap": tcp(dap_port), "jdwp": tcp(jdwp_port), "view": tcp(view_port), "control": unix}


def launch(**arguments):
    arguments["command"] = ["/usr/bin/touch", made]
    text = json.dumps({"seq": 1, "type": "request", "command": "launch", "arguments": arguments}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def http(line, *headers, body=b""):
    lines = [line + " HTTP/1.1", *headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


LAUNCH = launch()
BODY = LAUNCH.split(b"\r\n\r\n")[1]
# what the page of another server may make a browser send without asking (a simple request of the Fetch standard)
BROWSER = ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain;charset=UTF-8"]
SOCKET = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
SOCKET += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
here = "Host: 127.0.0.1:%s"
SPEECHES = {
    "dap launch": LAUNCH,
    "dap launch with a wrong token": launch(token="0" * 32),
    "jdwp": b"JDWP-Handshake" + struct.pack(">IIBBB", 11, 5, 0, 1, 7),
    "mcp": b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n',
    "control": b"mark heard\n",
    "get": http("GET /api/stop", here % view_port),
    "rebound": http("GET /api/print", "Host: evil.example:" + view_port),
    "post of a launch": http("POST /", here % dap_port, *BROWSER, body=BODY),
    "post of a whole message": http("POST /", here % dap_port, *BROWSER, body=LAUNCH),
    "post of lines": http("POST /", here % dap_port, *BROWSER, body=b"stop\nJDWP-Handshake\n" + LAUNCH),
    "post to the api": http("POST /api/stop", here % view_port, *BROWSER),
    "preflight": http("OPTIONS /api/stop", here % view_port, *BROWSER, "Access-Control-Request-Method: POST"),
    "put": http("PUT /", here % dap_port, *BROWSER, body=LAUNCH),
    "web socket": http("GET /live", here % view_port, *BROWSER, *SOCKET),
    "web socket, wrong token": http("GET /live?token=" + "0" * 32, here % view_port, *SOCKET),
    "web socket, part of the token": http(f"GET /live?token={view_token[:31]}", here % view_port, *SOCKET),
    "no web socket": http(f"GET /?token={dap_token}", here % dap_port),
    "a line before": b"X-Header: 1\r\n" + LAUNCH,
    "a line behind": LAUNCH.replace(b"\r\n\r\n", b"\r\nHost: x\r\n\r\n", 1),
    "two lengths": LAUNCH.replace(b"\r\n\r\n", b"\r\nContent-Length: 2\r\n\r\n", 1),
    "http 0.9": b"GET /\r\n" + LAUNCH,
    "http 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9),
    "tls": bytes([22, 3, 1, 0, 5, 1, 0, 0, 1, 0]),
    "zeros": bytes(300) + LAUNCH,
    "mail": b"HELO x\r\nMAIL FROM:<a@b>\r\n" + LAUNCH,
}
# what is answered, but for HTTP errors and a line of the control socket which says that there is no such command
RIGHT = {
    ("dap", "dap launch"): "dap refuses",
    ("dap", "dap launch with a wrong token"): "dap refuses",
    ("jdwp", "jdwp"): "jdwp",
    ("control", "control"): "control",
}


def said(answer):
    """What kind of answer it is; "" if it is none."""
    if re.match(rb"HTTP/\d.\d 4\d\d ", answer):
        return ""
    if answer.startswith(b'{"error":') and b"no such command" in answer:
        return ""
    if answer.startswith(b"JDWP-Handshake"):
        return "jdwp"
    if answer.startswith(b"Content-Length: "):
        return "dap refuses" if b'"success":false' in answer and b"needs `token`" in answer else "dap"
    if answer.startswith(b'{"recording":'):
        return "control"
    return repr(answer[:60]) if answer else ""


def say(connect, pieces):
    """All that is answered to it until the connection ends, or the answer is whole."""
    answer = b""
    with connect() as s:
        try:
            for piece in pieces:
                s.sendall(piece)
            with contextlib.suppress(OSError):  # the other side has closed it
                s.shutdown(socket.SHUT_WR)
            while more := s.recv(65536):
                answer += more
        except ConnectionError:
            pass
    return answer


for door, connect in DOORS.items():
    for name, speech in SPEECHES.items():
        for how, pieces in [
            ("at once", [speech]),
            ("a byte at a time", [bytes([b]) for b in speech[:80]] + [speech[80:]]),
        ]:
            got = said(say(connect, pieces))
            if got != RIGHT.get((door, name), ""):
                fail(f"{door} hears '{name}' {how}: {got or 'nothing'}")
        if os.path.exists(made):
            fail(f"{door} hears '{name}': it has run a command")
            os.remove(made)

# the same servers still do what they are for, and a command runs for who has the token
frame = b"\x81\xfe" + struct.pack(">H", len(BODY)) + bytes(4) + BODY
opened = http(f"GET /?token={dap_token}", "Host: x", "Origin: https://vscode.dev", *SOCKET)
for name, speech in [("plain", launch(token=dap_token)), ("web", opened + frame)]:
    answer = say(DOORS["dap"], [speech])
    if not os.path.exists(made):
        fail(f"a command with the token, {name}: {answer[:300]}")
    else:
        os.remove(made)
bearer = "Authorization: Bearer " + view_token
for path, headers, status in [
    ("/api/traces", [bearer], b"200"),
    ("/api/traces", [f"Cookie: hindsight-{view_port}={view_token}"], b"200"),
    ("/api/traces?token=" + view_token, [], b"401"),
    ("/live?token=" + view_token, SOCKET, b"101"),
    ("/live?token=" + view_token, [*SOCKET, "Origin: http://evil.example"], b"403"),
]:
    answer = say(DOORS["view"], [http("GET " + path, here % view_port, *headers)])
    if answer[9:12] != status:
        fail(f"view, {path} {headers}: {answer[:60]}")
    if b"set-cookie" in answer.lower():
        fail(f"view, {path}: a cookie, which every server of 127.0.0.1 would be sent")
status = say(DOORS["control"], [b"status\n"])
if b'"recording":true' not in status or b'"starts":1,' not in status:
    fail(f"the recording was controlled by others: {status}")
print(f"{len(DOORS)} doors, {len(SPEECHES)} speeches")
sys.exit(failed)
