# hostile_clients.py KIND: bad clients of the control socket of t.
import os, socket, sys, time

os.chdir("t")


def client():
    s = socket.socket(socket.AF_UNIX)
    s.connect("control")
    return s


kind, all = sys.argv[1], []
for i in range(40 if kind == "silent" else 6):
    all.append(client())
    if kind == "deaf":
        all[-1].sendall(b"status\n")
open("../ready", "w").close()
first, begin, over = all[0], time.time(), None
while over is None and time.time() - begin < 20:
    for s in all if kind == "slow" else []:
        try:
            s.sendall(b"x")
        except OSError:
            over = over or time.time() - begin
    if kind == "silent":
        try:
            first.settimeout(0.3)
            if first.recv(1) == b"":
                over = time.time() - begin
        except TimeoutError:
            pass
    if kind == "deaf":
        if time.time() - begin > 6.5:
            got = 0
            try:
                first.settimeout(1)
                while True:
                    n = len(first.recv(1 << 20))
                    if n == 0:
                        break
                    got += n
            except OSError:
                pass
            over = time.time() - begin
    time.sleep(0.3)
open("../over", "w").write("%.1f" % (over or 99))
