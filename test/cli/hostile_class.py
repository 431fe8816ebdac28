# hostile_class.py: puts the name BAD of names.py into c/Evil.class and bad.txt.
from names import BAD

open("bad.txt", "w", newline="").write(BAD)
data = open("c/Evil.class", "rb").read()
java = BAD.encode("utf-16-be")  # class files have surrogates apart
mutf = b"".join(
    chr(int.from_bytes(java[i : i + 2], "big")).encode("utf-8", "surrogatepass") for i in range(0, len(java), 2)
)
for name in ("Evil", "eField", "eOther", "eMethod", "eParam", "eLocal", "Evil.java"):
    old = name.encode()
    new = old + (mutf if name != "eMethod" else mutf)
    new = new.replace(b"[", b"{")  # not in names of classes
    data = data.replace(b"\x01" + len(old).to_bytes(2, "big") + old, b"\x01" + len(new).to_bytes(2, "big") + new)
data = data.replace(b"\x00\x05LEvil;", b"\x00\x05LEvil;")
open("Evil.bin", "wb").write(data)
