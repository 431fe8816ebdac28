#!/usr/bin/env python3
"""fuzz.py HINDSIGHT TRACE ROUNDS [SEED]: random requests to `hindsight dap`, some with wrong arguments, some with wrong
bytes, some cut off. It must end with status 0 or 1 within a minute, and no sanitizer may report anything. The bytes of
a round that fails are kept in dap-fuzz-ROUND.bin."""
import json
import random
import subprocess
import sys

COMMANDS = """setBreakpoints setFunctionBreakpoints setExceptionBreakpoints dataBreakpointInfo setDataBreakpoints
    breakpointLocations continue reverseContinue next stepIn stepOut stepBack pause goto gotoTargets restartFrame
    restart threads stackTrace scopes variables setVariable evaluate completions exceptionInfo source loadedSources
    lastWrite why history timeline configurationDone""".split()
NAMES = """threadId frameId variablesReference start count startFrame levels filter granularity kind seq targetId line
    endLine column text expression name what dataId accessType at before limit forward sourceReference
    filters""".split()
NUMBERS = [0, 1, 2, 5, -1, 100000, 2**31, 2**53, 1e308]
TEXTS = ["", "x", "7", "Account.balance", "a.b:c", "1[2]", "#8.balance", "instruction", "in", "(" * 500, "a" * 3000]
TEXTS += ["\u0000", "\ud800", "{x}", "lock:8", ">= 2", "% 0", "account.balance", "amount + 1", "this", "args[0]"]
TEXTS += ["seen == 107 && first", '"a" + account', "#40", "Bank.bothHaveRead", "-'x'", "1 / 0", "deposit()", "0x"]
TEXTS += ["account instanceof Account", "~seen >>> 2L", "1e400", "'", '"\\']


def value(depth):
    kind = random.random()
    if kind < 0.2 and depth < 2:
        return [arguments(depth + 1) for _ in range(random.randrange(4))]
    if kind < 0.6:
        return random.choice(TEXTS)
    return random.choice(NUMBERS + [True, None, ["uncaught"]])


def breakpoint_of():
    names = ("name", "dataId", "condition", "hitCondition", "logMessage")
    return {"line": random.randrange(40)} | {n: random.choice(TEXTS) for n in names if random.random() < 0.5}


def arguments(depth=0):
    made = {random.choice(NAMES): value(depth) for _ in range(random.randrange(6))}
    for name, limit in (("threadId", 6), ("frameId", 4), ("variablesReference", 9)):
        if random.random() < 0.5:
            made[name] = random.randrange(1, limit)
    if random.random() < 0.3:
        made |= {"source": {"path": "/x/Bank.java"}, "breakpoints": [breakpoint_of() for _ in range(3)]}
    return made


def message(number, command, given, spoil):
    request = {"seq": number, "type": "request", "command": command, "arguments": given}
    text = bytearray(json.dumps(request).encode())
    for _ in range(3 if spoil else 0):
        text[random.randrange(len(text))] = random.randrange(256)
    return b"Content-Length: %d\r\n\r\n" % len(text) + bytes(text)


def main():
    hindsight, trace, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    bad = 0
    for n in range(rounds):
        data = message(1, "launch", {"trace": trace}, False)
        for i in range(150):
            data += message(2 + i, random.choice(COMMANDS), arguments(), random.random() < 0.05)
        if random.random() < 0.3:
            data = data[: random.randrange(len(data))]
        try:
            done = subprocess.run([hindsight, "dap"], input=data, capture_output=True, timeout=60)
            said = done.stderr.decode(errors="replace")
            why = f"status {done.returncode}" if done.returncode not in (0, 1) else ""
            why += said if "Sanitizer" in said or "runtime error" in said else ""
        except subprocess.TimeoutExpired:
            why = "no end"
        if why:
            bad += 1
            print(f"FAILED: round {n}: {why[:2000]}")
            with open(f"dap-fuzz-{n}.bin", "wb") as out:
                out.write(data)
    print(f"{rounds} rounds, {bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
