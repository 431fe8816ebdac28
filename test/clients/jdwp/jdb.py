"""jdb.py: jdb as a child, a command at a time."""

import os
import re
import select
import subprocess
import time


SUSPENDED = rb"(main|Thread-0)\[\d+\] $"
RUNNING = rb"> $"


class Jdb:
    def __init__(self, jdb, *arguments, prompt=SUSPENDED):
        self.process = subprocess.Popen([jdb, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.until_prompt(prompt)
        # it may print its first prompt twice: by itself, and for the event that the VM has started
        while select.select([self.process.stdout], [], [], 3)[0] and os.read(self.process.stdout.fileno(), 65536):
            pass

    def until_prompt(self, prompt):
        out = b""
        ends = time.monotonic() + 120
        while not re.search(prompt, out):
            if not select.select([self.process.stdout], [], [], max(0, ends - time.monotonic()))[0]:
                raise TimeoutError(out.decode())
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                break
            out += data
        return out.decode()

    def ended(self):
        return self.process.poll() is not None

    def ask(self, command, prompt=SUSPENDED):
        """What it prints up to its next prompt. TimeoutError: there is none for two minutes."""
        self.process.stdin.write(command.encode() + b"\n")
        return self.until_prompt(prompt)

    def close(self):
        """False: it does not end."""
        self.process.stdin.close()
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False
        return True
