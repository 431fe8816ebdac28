"""hostile.py PORT: broken packets. Each command gets one reply, an error or not, or the connection ends; the server
then takes the next one."""

import random
import socket
import struct
import sys

port = int(sys.argv[1])
source = random.Random(7)
SETS = {
    1: 22,
    2: 19,
    3: 4,
    4: 1,
    5: 1,
    6: 5,
    8: 1,
    9: 10,
    10: 1,
    11: 15,
    12: 3,
    13: 3,
    14: 1,
    15: 3,
    16: 4,
    17: 1,
    18: 2,
}


def connect(greeting=b"JDWP-Handshake"):
    s = socket.create_connection(("127.0.0.1", port), timeout=120)
    s.sendall(greeting)
    return s


def exactly(s, size):
    data = b""
    while len(data) < size:
        more = s.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def packet(s):
    size, number, flags, high, low = struct.unpack(">IIBBB", exactly(s, 11))
    return number, flags, high << 8 | low, exactly(s, size - 11)


def ask(s, number, command_set, command, data):
    s.sendall(struct.pack(">IIBBB", 11 + len(data), number, 0, command_set, command) + data)
    while True:
        got, flags, error, body = packet(s)
        if flags & 0x80:
            assert got == number, f"the reply to {got}, not {number}"
            return error, body


def greeted():
    s = connect()
    assert exactly(s, 14) == b"JDWP-Handshake"
    return s


def ended(s, what):
    try:
        while s.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        sys.exit(f"{what}: the connection is not ended")


for broken in (b"GET / HTTP/1.1\r\n\r\n", b"JDWP-Handshakf"):
    ended(connect(broken), broken)
for size in (0, 10, 1 << 21, 0xFFFFFFFF):
    s = greeted()
    s.sendall(struct.pack(">IIBBB", size, 1, 0, 1, 1))
    ended(s, f"length {size}")
s = greeted()  # cut off in the middle
s.sendall(struct.pack(">IIBBB", 100, 1, 0, 1, 1))
s.close()

s = greeted()
assert ask(s, 1, 1, 7, b"")[1] == struct.pack(">5I", 8, 8, 8, 8, 8)
for command_set, command in ((1, 21), (2, 16), (18, 1), (99, 1), (0, 0)):
    assert ask(s, 2, command_set, command, b"\0" * 64)[0] == 99, f"{command_set}.{command} is not NOT_IMPLEMENTED"
huge = struct.pack(">I", 0xFFFFFFFF)
main = struct.pack(">Q", 2 << 32 | 1)
for command_set, command, data in (
    (9, 2, struct.pack(">Q", 1) + huge),
    (13, 2, struct.pack(">Q", 1) + huge * 2),
    (15, 1, b"\2\2" + huge),
    (16, 1, main + struct.pack(">Q", 0) + huge),
    (1, 11, huge),
    (2, 6, struct.pack(">Q", 1 << 32 | 1) + huge),
    (11, 6, main + huge + struct.pack(">I", 5)),
):
    assert ask(s, 3, command_set, command, data)[0] != 0, f"{command_set}.{command} with a huge count is no error"

ids = [n << 32 | k for n in range(8) for k in (0, 1, 2, 5, 0xFFFFFFFF)] + [0, 1, 2**64 - 1]
replies = errors = connections = 0
for i in range(4000):
    command_set = source.choice(list(SETS))
    command = source.randint(1, SETS[command_set])
    data = b"".join(
        source.choice(
            (struct.pack(">Q", source.choice(ids)), source.randbytes(1), struct.pack(">I", source.choice((0, 1, 3))))
        )
        for _ in range(source.randint(0, 8))
    )
    try:
        error, _ = ask(s, i + 10, command_set, command, data)
        replies += 1
        errors += error != 0
    except (EOFError, ConnectionError):
        connections += 1
        s.close()
        s = greeted()
assert replies > 2000 and 0 < errors < replies, (replies, errors)
print(f"{replies} replies, {errors} of them errors, {connections} connections ended")
