# journal_head.py HINDSIGHT TRACE...: each byte of the head of a journal is changed; the trace is read or refused.
import os, shutil, subprocess, sys

bad = 0
for trace in sys.argv[2:]:
    for at in range(0, 160):
        shutil.copytree(trace, trace + ".head")
        with open(trace + ".head/journal", "r+b") as f:
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ 1]))
        r = subprocess.run([sys.argv[1], "info", trace + ".head"], capture_output=True, timeout=60)
        if r.returncode not in (0, 1, 3):
            print(os.path.basename(trace), "byte", at, "exit status", r.returncode)
            bad = 1
        shutil.rmtree(trace + ".head")
sys.exit(bad)
