# weave_changed.py HINDSIGHT CLASS COUNT: a class file with changed bytes is woven or refused in one line.
import os, random, subprocess, sys, tempfile

command, path, changes = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = open(path, "rb").read()
random.seed(17)
bad = done = refused = 0
for i in range(changes):
    b = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        b[random.randrange(8, len(b))] = random.choice((0, 1, 255, 128, random.randrange(256)))
    open("bad/flip.class", "wb").write(b)
    r = subprocess.run(
        [command, "weave", "bad/flip.class", "-o", "bad/flip.out"],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )
    if r.returncode == 0:
        done += 1
    elif r.returncode == 1 and r.stderr.count("\n") == 1:
        refused += 1
    else:
        bad += 1
        kept = os.path.join(tempfile.gettempdir(), "hindsight-flip-%d.class" % i)
        open(kept, "wb").write(b)
        print("FAILED: changed bytes, kept as %s: exit status %d: %s" % (kept, r.returncode, r.stderr[:300]))
print("%d changed class files woven, %d refused" % (done, refused))
sys.exit(1 if bad else 0)
