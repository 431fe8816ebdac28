# weave_hostile.py OUT KIND CLASS...: a jar that is wrong in one way.
import sys, zipfile

out, kind = sys.argv[1:3]


def pool(c):  # bytes of its constant pool
    at, i = 10, 1
    while i < int.from_bytes(c[8:10], "big"):
        i += 2 if c[at] in (5, 6) else 1
        if c[at] == 1:
            at += 3 + int.from_bytes(c[at + 1 : at + 3], "big")
        elif c[at] == 15:
            at += 4
        elif c[at] in (3, 4, 9, 10, 11, 12, 17, 18):
            at += 5
        elif c[at] in (5, 6):
            at += 9
        else:
            at += 3
    return at - 10


hello = open("c/Hello.class", "rb").read()
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
    z.writestr("Hello.class", hello)
    if kind == "bad":
        z.writestr("Worse.class", b"\xca\xfe\xba\xbe nothing")
        z.writestr("Z.class", hello)
    if kind == "twice":
        z.writestr("Hello.class", hello)
    if kind == "names":
        for n in (
            "../../up/Hello.class",
            "/tmp/abs/Hello.class",
            "a/../../Hello.class",
            "..\\w\\Hello.class",
            "text.txt",
            "../up.txt",
            "dir/",
        ):
            z.writestr(n, hello if n.endswith("class") else b"" if n.endswith("/") else b"t" * 100)
    if kind in ("large.class", "large.bin"):
        with z.open("large." + kind[6:], "w", force_zip64=True) as f:
            for _ in range(300):
                f.write(bytes(1 << 20))
    if kind == "many":  # 400 MB of valid classes: constants that nothing uses
        n = int.from_bytes(hello[8:10], "big")
        end = 10 + pool(hello)
        texts = (b"\x01\xff\xff" + b"x" * 65535) * 60
        more = hello[:8] + (n + 60).to_bytes(2, "big") + hello[10:end] + texts + hello[end:]
        for i in range(100):
            z.writestr("L%d.class" % i, more)
