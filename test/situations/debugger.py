"""debugger.py now|later COMMAND...: runs a JVM with `-agentlib:jdwp=...,server=y`, and is the debugger that connects
and lets it run: at its start (suspend=y), or when the program says that it is ready, which then gets a line."""
import re
import socket
import subprocess
import sys

later = sys.argv[1] == "later"
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
port = re.search(r"(\d+)$", program.stdout.readline())[1]
lines = []
while later and "ready\n" not in lines:
    lines.append(program.stdout.readline())
debugger = socket.create_connection(("127.0.0.1", int(port)))
debugger.sendall(b"JDWP-Handshake")
greeting = b""
while len(greeting) < 14:
    greeting += debugger.recv(14 - len(greeting))
got = b""


def until(wanted):
    global got
    while wanted not in got:
        more = debugger.recv(1 << 16)
        if not more:
            sys.exit("the JVM does not answer the debugger")
        got += more


if not later:
    until(b"\0\x40\x64")  # the event that stops it
debugger.sendall(b"\0\0\0\x0b\0\0\0\x01\0\x01\x09")  # VirtualMachine.Resume
until(b"\0\0\0\x01\x80")
program.stdin.write("\n")
program.stdin.close()
sys.stdout.writelines(lines + program.stdout.readlines())
sys.exit(program.wait())
