#!/usr/bin/env python3
"""jacoco.py FILE: the execution data that JaCoCo's agent has written, without its sessions, which have times: for each
class its name, the CRC of the class file that the agent saw, and the probes that were reached."""
import struct, sys

data, at = open(sys.argv[1], "rb").read(), 0


def take(kind):
    global at
    (value,) = struct.unpack_from(">" + kind, data, at)
    at += struct.calcsize(kind)
    return value


def text():
    global at
    size = take("H")
    at += size
    return data[at - size : at].decode()


def number():
    value = shift = 0
    while True:
        byte = take("B")
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value


found = []
while at < len(data):
    block = take("B")
    if block == 1:
        assert take("H") == 0xC0C0 and take("H") == 0x1007, "not JaCoCo's format"
    elif block == 0x10:
        text(), take("q"), take("q")
    else:
        assert block == 0x11, "an unknown block %d" % block
        crc, name, count = take("Q"), text(), number()
        probes = [take("B") for _ in range((count + 7) // 8)]
        found.append("%s %016x %d %s" % (name, crc, count, bytes(probes).hex()))
print("\n".join(sorted(found)))
