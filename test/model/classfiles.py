"""classfiles.py - what class files say that events do not: who declares a field (JVMS 5.4.3.2), and the names of local
variables.

Classes come from folders and jars of the program, and from the JDK's image for those it inherits from."""
import os, struct, subprocess, tempfile, zipfile

WIDTH = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


class Class:
    """fields: {(name, descriptor): access}; variables: {(method, descriptor): [(start, end, slot, name)]}"""

    def __init__(self, data):
        self.data, self.at = data, 8
        self.pool = self.read_pool()
        self.access, this, above, count = self.u2(), self.u2(), self.u2(), self.u2()
        self.name, self.super = self.class_name(this), self.class_name(above) if above else None
        self.interfaces = [self.class_name(self.u2()) for _ in range(count)]
        self.fields, self.variables, self.lengths = {}, {}, {}
        for _ in range(self.u2()):
            access, name, desc = self.u2(), self.pool[self.u2()], self.pool[self.u2()]
            self.fields[name, desc] = access
            self.attributes(None)
        for _ in range(self.u2()):
            self.u2()
            self.attributes((self.pool[self.u2()], self.pool[self.u2()]))

    def u2(self):
        self.at += 2
        return struct.unpack_from(">H", self.data, self.at - 2)[0]

    def u4(self):
        self.at += 4
        return struct.unpack_from(">I", self.data, self.at - 4)[0]

    def read_pool(self):
        pool, n, i = {}, self.u2(), 1
        while i < n:
            tag = self.data[self.at]
            self.at += 1
            if tag == 1:
                size = self.u2()
                pool[i] = (
                    self.data[self.at : self.at + size].decode("utf-8", "surrogatepass").replace("\xc0\x80", "\0")
                    if self.utf8(size)
                    else ""
                )
                self.at += size
            else:
                if tag == 7:
                    pool[i] = struct.unpack_from(">H", self.data, self.at)[0]
                self.at += WIDTH[tag]
            i += 2 if tag in (5, 6) else 1
        return pool

    def utf8(self, size):
        try:
            self.data[self.at : self.at + size].decode("utf-8", "surrogatepass")
            return True
        except UnicodeDecodeError:  # modified UTF-8 with a NUL: no name that is asked for
            return False

    def class_name(self, index):
        return self.pool[self.pool[index]].replace("/", ".")

    def attributes(self, method):
        for _ in range(self.u2()):
            name, size = self.pool[self.u2()], self.u4()
            end = self.at + size
            if method and name == "Code":
                self.at += 4
                self.lengths[method] = self.u4()
                self.at += self.lengths[method]
                handlers = self.u2()
                self.at += 8 * handlers
                self.attributes(method)
            elif method and name == "LocalVariableTable":
                rows = self.variables.setdefault(method, [])
                for _ in range(self.u2()):
                    start, length, variable, _, slot = self.u2(), self.u2(), self.pool[self.u2()], self.u2(), self.u2()
                    rows.append((start, start + length, slot, variable))
            self.at = end


class Classes:
    def __init__(self, paths, jdk):
        self.paths, self.jdk, self.known, self.declaring = [], jdk, {}, {}
        self.finals = set()  # final fields of classes of the program, as field() names them
        self.own = set()  # the classes of the program
        for p in paths:
            self.paths.append(zipfile.ZipFile(p) if os.path.isfile(p) else p)

    def bytes(self, name):
        file = name.replace(".", "/") + ".class"
        for p in self.paths:
            if isinstance(p, zipfile.ZipFile):
                if file in p.namelist():
                    self.own.add(name)
                    return p.read(file)
            elif os.path.exists(os.path.join(p, file)):
                self.own.add(name)
                return open(os.path.join(p, file), "rb").read()
        with tempfile.TemporaryDirectory() as out:  # of the JDK
            escaped = file.replace(".", "\\.").replace("$", "\\$")
            subprocess.run(
                [
                    self.jdk + "/bin/jimage",
                    "extract",
                    "--dir",
                    out,
                    "--include",
                    "regex:/[^/]*/" + escaped,
                    self.jdk + "/lib/modules",
                ],
                capture_output=True,
            )
            for module in os.listdir(out):
                if os.path.exists(os.path.join(out, module, file)):
                    return open(os.path.join(out, module, file), "rb").read()
        return None

    def get(self, name):
        if name not in self.known:
            data = self.bytes(name)
            self.known[name] = Class(data) if data else None
        return self.known[name]

    def find(self, name, field):
        c = self.get(name)
        if c is None:
            return None
        if field in c.fields:
            return name
        for i in c.interfaces:
            found = self.find(i, field)
            if found:
                return found
        return self.find(c.super, field) if c.super else None

    def field(self, attr):
        """ "a.b.Declaring.field" of the static attributes of a field access"""
        key = attr["owner"], attr["name"], attr["type"]
        if key not in self.declaring:
            field = key[1], descriptor(key[2])
            found = self.find(key[0], field)
            self.declaring[key] = "%s.%s" % (found or key[0], key[1])
            if found in self.own and self.get(found).fields[field] & 0x10:
                self.finals.add(self.declaring[key])
        return self.declaring[key]

    def instance_fields(self, name):
        """ "a.b.Declaring.field" -> default value, of the classes of the program among a class and those above it"""
        out, c = {}, self.get(name)
        while c is not None and c.name in self.own:
            for (field, desc), access in c.fields.items():
                if not access & 8:
                    out["%s.%s" % (c.name, field)] = default(desc)
            c = self.get(c.super) if c.super else None
        return out

    def is_a(self, name, above):
        """does this class extend or implement that one, or is it that one?"""
        c = self.get(name) if name else None
        return (
            name == above
            or c is not None
            and (self.is_a(c.super, above) or any(self.is_a(i, above) for i in c.interfaces))
        )

    def variables(self, cls, method, desc):
        c = self.get(cls)
        return c.variables.get((method, desc), []) if c else []


def default(desc):
    """what a field or element of that descriptor holds before anything is written: as JSON has it"""
    return None if desc[0] in "L[" else False if desc == "Z" else 0.0 if desc in "FD" else 0


LETTERS = {
    "byte": "B",
    "char": "C",
    "double": "D",
    "float": "F",
    "int": "I",
    "long": "J",
    "short": "S",
    "boolean": "Z",
    "void": "V",
}


def descriptor(type):
    """of a type as in Java source"""
    if type.endswith("[]"):
        return "[" + descriptor(type[:-2])
    return LETTERS.get(type) or "L%s;" % type.replace(".", "/")
