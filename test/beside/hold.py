#!/usr/bin/env python3
"""Stops one thread of a process for some time: hold.py PID NAME FILE. It is stopped until FILE exists."""
import ctypes, os, pathlib, signal, sys, time

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000

pid, name, until = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, thread):
    if libc.ptrace(request, thread, None, None) != 0:
        sys.exit(f"hold.py: {name}: {os.strerror(ctypes.get_errno())}")


threads = [int(t.name) for t in pathlib.Path(f"/proc/{pid}/task").iterdir() if (t / "comm").read_text().strip() == name]
if len(threads) != 1:
    sys.exit(f"hold.py: {len(threads)} threads are named {name}")
ptrace(PTRACE_SEIZE, threads[0])
ptrace(PTRACE_INTERRUPT, threads[0])
os.waitpid(threads[0], WALL)
print("held", flush=True)
for _ in range(1200):
    if until.exists():
        break
    time.sleep(0.05)
ptrace(PTRACE_DETACH, threads[0])
