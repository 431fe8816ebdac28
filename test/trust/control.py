"""control.py REQUESTS PID: many bad clients of the control socket in this directory, and a good one, which is answered.

Prints a line for each kind: how long the good one waited while they were there."""

import os
import socket
import sys
import time

MANY, requests, pid = 200, int(sys.argv[1]), int(sys.argv[2])


def connect():
    s = socket.socket(socket.AF_UNIX)
    s.connect("control")  # which waits while others are being accepted
    s.settimeout(120)
    return s


def ask(line):
    with connect() as s:
        s.sendall(line + b"\n")
        data = b""
        while piece := s.recv(65536):
            data += piece
        return data


def good():
    answer = ask(b"status")
    return b'"recording":true' in answer and answer.endswith(b"}\n")


def memory_kb():
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith("Anonymous:"):
            return int(line.split()[1])


bad = {
    "silent": lambda s, i: None,
    "half a command": lambda s, i: i == 0 and s.sendall(b"sta"),
    "a byte a second": lambda s, i: s.sendall(b"status"[i : i + 1]),
    "an endless line": lambda s, i: s.sendall(b"mark " + b"x" * 40000),
    "nonsense": lambda s, i: i == 0 and s.sendall(bytes(range(1, 256)) + b"\n"),
    "half a command and close": lambda s, i: (s.sendall(b"snap"), s.close()),
    "no interest in the answer": lambda s, i: (s.sendall(b"status\n"), s.close()),
}


def longest_wait(name, send):
    """Seconds of a good client beside many such bad ones."""
    clients, waited = [], 0
    for _ in range(MANY):
        clients.append(connect())
    for second in range(3):
        for s in clients:
            try:
                s.settimeout(0.01)
                send(s, second)
            except OSError:
                pass
        begin = time.monotonic()
        if not good():
            sys.exit(f"{name}: a wrong answer")
        waited = max(waited, time.monotonic() - begin)
    for s in clients:
        s.close()
    print(f"control: {MANY} x {name}: a good client waits {waited:.3f} s", flush=True)
    return waited


for name, send in bad.items():
    # The deadline of a bad one is 5 s: a good one that had to wait for it would have waited longer, each time. Once, a
    # busy machine can be the cause.
    if all(longest_wait(name, send) > 4 for _ in range(4)):
        sys.exit(f"{name}: they keep the good one waiting")
before, begin = memory_kb(), time.monotonic()
commands = [b"status", b"mark a", b"unmark a", b"snapshot", b"nonsense", b""]
for i in range(requests):
    answer = ask(commands[i % len(commands)])
    wrong = i % len(commands) >= 4
    if not answer.endswith(b"}\n") or (b'"error"' in answer) != wrong:
        sys.exit(f"request {i}: {answer[:200]}")
print(
    f"control: {requests} requests in a row in {time.monotonic() - begin:.1f} s, "
    f"the JVM's memory grew by {(memory_kb() - before) / 1024:.0f} MB"
)
