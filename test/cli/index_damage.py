# index_damage.py HINDSIGHT: finds and flips a bit of whole.mdb that damages chunk 0, in t/data.mdb.
import subprocess, sys

data = open("whole.mdb", "rb").read()


def damaged(at):
    with open("t/data.mdb", "wb") as f:
        f.write(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    said = subprocess.run([sys.argv[1], "print", "t"], capture_output=True, text=True).stderr
    return "damaged: t: chunk 0: data.mdb: table chunk: row 0 is damaged" in said


at = next(i for i in range(len(data) - 1, 0, -64) if damaged(i))  # a chunk of 182 events has some 160 bytes
last = next(i for i in range(at, len(data)) if not damaged(i + 1))
open("check", "w").write(str(last))
sys.exit(not damaged(last - 4))
