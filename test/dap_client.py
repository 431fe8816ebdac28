"""dap_client.py - the smallest client of `hindsight dap`: requests in order, each with the messages up to it."""
import json
import re
import subprocess

MOVES = ("configurationDone", "continue", "reverseContinue")


class Dap:
    def __init__(self, hindsight):
        self.process = subprocess.Popen([hindsight, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def ask(self, command, **arguments):
        """The messages up to the answer, and for a move up to where it stops."""
        self.count += 1
        body = json.dumps({"seq": self.count, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        out = self.process.stdout
        seen, answered, stopped = [], False, command not in MOVES
        while not (answered and stopped):
            size = int(re.match(rb"Content-Length: (\d+)", out.readline())[1])
            out.readline()
            m = json.loads(out.read(size))
            seen.append(m)
            answered |= m.get("request_seq") == self.count
            stopped |= m.get("event") == "stopped"
        return seen

    def end(self):
        self.ask("disconnect")
        self.process.stdin.close()
        self.process.wait()
