"""strangers.py UID DAP-PORT DAP-TOKEN JDWP-PORT VIEW-PORT VIEW-TOKEN MADE: what a user of this machine gets.

Becomes the user and tries each server. Prints what it was given, one word for each try. MADE is a file that it tries to
have made by a program that `launch` records."""

import json
import os
import socket
import struct
import sys

uid, dap, dap_token, jdwp, view, view_token, made = sys.argv[1:]
if int(uid) != os.getuid():
    os.setgroups([])
    os.setgid(int(uid))
    os.setuid(int(uid))


def ask(port, *pieces, end=False, family=socket.AF_INET, host="127.0.0.1"):
    """What the server answers to these bytes until it closes the connection, or has answered something."""
    s = socket.socket(family)
    s.settimeout(120)
    s.connect((host, int(port)))
    got = b""
    try:
        for piece in pieces:
            s.sendall(piece)
        if end:  # goes at once: nobody holds the socket any more when the server looks
            s.close()
            return "nothing"
        while len(got) < 40:
            more = s.recv(4096)
            if not more:
                break
            got += more
    except ConnectionError:
        pass
    s.close()
    return got.decode("latin1")


def message(**body):
    text = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


initialize = message(seq=1, type="request", command="initialize")
launch = message(seq=2, type="request", command="launch", arguments={"command": ["/usr/bin/touch", made]})
sizes = b"JDWP-Handshake" + struct.pack(">IIBBB", 11, 5, 0, 1, 7)


def upgrade(token):
    return (
        f"GET /?token={token} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def http(path, *headers):
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{view}", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def first_line(answer):
    return answer.split("\r\n")[0].replace("HTTP/1.1 ", "")[:3] or "nothing"


tries = {
    "dap": lambda: "answered" if '"success":true' in ask(dap, initialize) + ask(dap, initialize) else "nothing",
    "dap, mapped": lambda: "answered"
    if ask(dap, initialize, family=socket.AF_INET6, host="::ffff:127.0.0.1")
    else "nothing",
    "dap, launch and leave": lambda: ask(dap, initialize, launch, end=True) or "nothing",  # refused before it was sent
    "dap, web": lambda: first_line(ask(dap, upgrade("0" * 32))),
    "dap, web with the token": lambda: first_line(ask(dap, upgrade(dap_token))),
    "jdwp": lambda: "answered" if "JDWP" in ask(jdwp, sizes) else "nothing",
    "jdwp, mapped": lambda: "answered"
    if "JDWP" in ask(jdwp, sizes, family=socket.AF_INET6, host="::ffff:127.0.0.1")
    else "nothing",
    "view": lambda: first_line(ask(view, http("/"))),
    "view, api": lambda: first_line(ask(view, http("/api/print"))),
    "view, wrong token": lambda: first_line(ask(view, http("/api/print", "Authorization: Bearer " + "0" * 32))),
    "view, live": lambda: first_line(ask(view, upgrade("").replace(b"GET /?token=", b"GET /live"))),
    "view, page": lambda: first_line(ask(view, http("/app.js"))),
    "view with the token": lambda: first_line(ask(view, http("/api/traces", "Authorization: Bearer " + view_token))),
}
for name, attempt in tries.items():
    print(f"{name}: {attempt()}", flush=True)
