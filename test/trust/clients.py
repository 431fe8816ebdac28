"""clients.py PORT KIND TOKEN PID: many bad clients of a server at a time, and a good one, which is answered.

KIND is dap, jdwp or view. Prints a line for each kind of bad client: how long the good one waited while they were
there, and the memory of the server and of its sessions then."""

import os
import socket
import struct
import sys
import time

port, kind, token, pid = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
MANY, MEMORY_KB = 200, 200 << 10


def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=120)


def until(s, end, limit=1 << 20):
    data = b""
    while end not in data and len(data) < limit:
        more = s.recv(65536)
        if not more:
            raise EOFError(data)
        data += more
    return data


def http(path="/"):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n".encode()


def good():
    """Asks one question, and gets the answer to it."""
    with connect() as s:
        if kind == "jdwp":
            s.sendall(b"JDWP-Handshake" + struct.pack(">IIBBB", 11, 5, 0, 1, 7))  # sizes of ids
            return struct.pack(">II", 31, 5) in until(s, struct.pack(">5I", 8, 8, 8, 8, 8))
        if kind == "dap":
            body = b'{"seq":1,"type":"request","command":"initialize"}'
            s.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            return b'"command":"initialize"' in until(s, b'"success":true')
        s.sendall(http("/api/traces") + b"\r\n")
        return b"200 OK" in until(s, b'"trace":')


def drip(text):
    """A client that sends a byte a second."""
    return lambda s, i: s.sendall(text[i : i + 1])


def first(text):
    """A client that sends this and nothing more."""
    return lambda s, i: i == 0 and s.sendall(text)


def endless(head, piece):
    return lambda s, i: s.sendall(head if i == 0 else piece)


content = b"Content-Length: "
bad = {
    "silent": first(b""),
    "half messages": first({"jdwp": b"JDWP-Ha", "dap": content + b"500\r\n\r\n{", "view": b"GET / HT"}[kind]),
    "a byte a second": drip({"jdwp": b"JDWP-Handshake", "dap": content + b"50\r\n\r\n", "view": http()}[kind]),
    "endless headers": endless(http(), b"X-More: " + b"x" * 1000 + b"\r\n"),
    "a header line without end": endless(b"GET /" if kind == "view" else b"X: ", b"x" * 5000),
    "an endless body": endless(
        {
            "jdwp": b"JDWP-Handshake" + struct.pack(">IIBBB", 1 << 20, 1, 0, 1, 1),
            "dap": content + b"16000000\r\n\r\n",
            "view": http("/api/info").replace(b"GET", b"POST") + b"Content-Length: 999999999\r\n\r\n",
        }[kind],
        b"x" * 20000,
    ),
    "giant lengths": first(
        {
            "jdwp": b"JDWP-Handshake" + struct.pack(">I", 0xFFFFFFFF),
            "dap": content + b"99999999999999999999\r\n\r\n",
            "view": http().replace(b"GET", b"POST") + content + b"99999999999999999999\r\n\r\n",
        }[kind]
    ),
}


def memory_kb():
    """Of the server and its children, what is theirs alone."""
    total = 0
    for process in [pid] + [
        int(p) for p in open(f"/proc/{pid}/task/{pid}/children").read().split()  # of its one thread
    ]:
        try:
            for line in open(f"/proc/{process}/smaps_rollup"):
                if line.startswith(("Private_Dirty:", "Private_Clean:")):
                    total += int(line.split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total


def longest_wait(name, send):
    """Seconds of a good client beside many such bad ones, and kB of the server meanwhile."""
    clients = [connect() for _ in range(MANY)]
    waited = []
    for second in range(3):
        for s in list(clients):
            try:
                s.settimeout(0.01)
                send(s, second)
            except OSError:  # it was refused, or has no room for more
                pass
        begin = time.monotonic()
        if not good():
            sys.exit(f"{name}: a wrong answer")
        waited.append(time.monotonic() - begin)
    used = memory_kb()
    for s in clients:
        s.close()
    print(f"{kind}: {MANY} x {name}: a good client waits {max(waited):.3f} s; {used / 1024:.0f} MB")
    return max(waited), used


failed = False
for name, send in bad.items():
    # A good client that had to wait for a bad one would have waited for its deadline of 10 s and more, each time. Once,
    # a busy machine can be the cause.
    for _ in range(4):
        waited, used = longest_wait(name, send)
        if waited <= 9 or used > MEMORY_KB:
            break
    failed |= waited > 9 or used > MEMORY_KB
begin, requests = time.monotonic(), int(os.environ["REQUESTS"])
for i in range(requests):
    if not good():
        sys.exit(f"request {i}: a wrong answer")
print(f"{kind}: {requests} sessions in a row in {time.monotonic() - begin:.1f} s; {memory_kb() / 1024:.0f} MB")
sys.exit(failed)
