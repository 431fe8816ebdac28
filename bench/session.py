#!/usr/bin/env python3
"""session.py HINDSIGHT TRACE [STEPS]: how long a step of a debugging session takes (`hindsight dap`), in a trace whose
index is built. Prints a JSON line for each kind of step: how many, p50, p99 and the longest, in ms. The steps begin at
random moments; 1000 steps in and 1000 back must end in the same state: event, frames and local variables (exit status 1
if they do not)."""
import json
import random
import subprocess
import sys
import time


class Session:
    def __init__(self, command, trace):
        self.process = subprocess.Popen([command, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.times = {}
        self.measured("launch", "launch", "initialized", trace=trace)
        self.measured("first stop", "configurationDone", "stopped")

    def read(self):
        size = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def measured(self, name, command, event=None, **arguments):
        """Sends a request; the body of its answer, or of the event that follows it."""
        self.number += 1
        message = {"seq": self.number, "type": "request", "command": command, "arguments": arguments}
        text = json.dumps(message).encode()
        begin = time.monotonic()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()
        while True:
            got = self.read()
            if got["type"] == "response" and not got["success"]:
                sys.exit(f"{command}: {got['message']}")
            if got["type"] == "response" and event is None or got.get("event") == event:
                self.times.setdefault(name, []).append((time.monotonic() - begin) * 1000)
                return got["body"]


def main():
    command, trace = sys.argv[1:3]
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    random.seed(1)
    session = Session(command, trace)
    events = session.measured("timeline", "timeline", limit=1)["events"]

    def move(name, request, **arguments):
        return session.measured(name, request, "stopped", **arguments)

    def anywhere():
        return move("goto", "goto", seq=random.randrange(events))["threadId"]

    def state(thread):
        """The frames, and the variables of the innermost three, without numbers that end with the moment."""
        frames = session.measured("all frames", "stackTrace", threadId=thread)["stackFrames"]
        out = [(f["name"], f["line"], f["pc"], f.get("entered")) for f in frames]
        for f in frames[:3]:
            for scope in session.measured("scopes", "scopes", frameId=f["id"])["scopes"]:
                reference = scope["variablesReference"]
                shown = session.measured("variables", "variables", variablesReference=reference)["variables"]
                out.append([(v["name"], v["value"], v.get("type")) for v in shown])
        return out

    different = 0
    for unit in ("instruction", "statement", "line"):
        thread = anywhere()
        there = [move(f"in, {unit}", "stepIn", threadId=thread, granularity=unit)]
        while len(there) < steps and "description" not in there[-1]:
            there.append(move(f"in, {unit}", "stepIn", threadId=thread, granularity=unit))
        if "description" in there[-1]:  # the end: not a step
            there.pop()
            move("goto", "goto", seq=there[-1]["seqOfTrace"])
        back = there[-1]
        if len(there) > 1:  # the state of the first stop, seen when it was not stepped to
            move("goto", "goto", seq=there[0]["seqOfTrace"])
            before = state(thread)
            move("goto", "goto", seq=back["seqOfTrace"])
        for _ in range(len(there) - 1):
            back = move(f"back in, {unit}", "stepBack", threadId=thread, granularity=unit, kind="in")
        different += back["seqOfTrace"] != there[0]["seqOfTrace"] or (len(there) > 1 and state(thread) != before)
    for _ in range(steps // 10):
        for name, request, arguments in (
            ("over", "next", {}),
            ("out", "stepOut", {}),
            ("back over", "stepBack", {}),
            ("back out", "stepBack", {"kind": "out"}),
        ):
            thread = anywhere()
            move(name, request, threadId=thread, **arguments)
            session.measured("20 frames", "stackTrace", threadId=thread, levels=20)
    for name, times in session.times.items():
        times.sort()
        rank = {"p50": len(times) // 2, "p99": min(len(times) * 99 // 100, len(times) - 1), "max": -1}
        row = {"bench": "session", "what": name, "trace_events": events, "n": len(times)}
        print(json.dumps(row | {f"{key}_ms": round(times[i], 3) for key, i in rank.items()}))
    if different:
        sys.exit(f"{different} walks did not come back to where they began")


if __name__ == "__main__":
    main()
