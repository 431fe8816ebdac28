#!/usr/bin/env python3
"""generate.py [--check]: writes hindsight/_structs.py, the structs and functions of libhindsight-reader for ctypes,
from reader/api/*.h. --check: is it what would be written, but for its layout, which is that of black?"""
import ast
import keyword
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
API = HERE.parent.parent / "reader" / "api"
OUT = HERE / "hindsight" / "_structs.py"
HEAD = '''"""The structs and functions of reader/api/*.h; written by bindings/python/generate.py."""
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t
from ctypes import c_uint, c_uint32, c_uint64, c_void_p

from ._exact import Struct

'''
NUMBERS = {"bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "double": "c_double"}
NUMBERS.update({t + "_t": "c_" + t for t in ("int32", "int64", "uint32", "uint64")}, size_t="c_size_t")
OPAQUE = ("hs_trace", "hs_cursor", "hs_condition", "void", "uint8_t")


def ctype(text, structs):
    """Of a type of C, as `const struct hs_event *const *`."""
    words = text.replace("const", " ").replace("struct ", " ").replace("*", " * ").split()
    base, stars = words[0], words.count("*")
    if base == "enum":
        return "c_int"
    if base.endswith("_fn"):
        return base
    if base in OPAQUE and stars:
        made, stars = "c_void_p", stars - 1
    elif base == "char" and stars:
        made, stars = "c_char_p", stars - 1
    elif base == "void":
        return "None"
    else:
        made = NUMBERS.get(base, base)
        if made not in NUMBERS.values() and base not in structs:
            sys.exit("generate.py: what is %s?" % text)
    return "POINTER(" * stars + made + ")" * stars


def declaration(text):
    """type and name of `const char *name`, and the length of `uint64_t histogram[64]`"""
    found = re.fullmatch(r"(.*?[\s*])(\w+)(?:\[(\w+)\])?", text.strip(), re.S)
    return found.group(1), found.group(2), found.group(3)


def fields(body, structs, constants):
    for line in filter(str.strip, body.split(";")):
        first, *more = line.split(",")
        base, name, length = declaration(first)
        kind = ctype(base, structs) + (" * %d" % constants[length] if length else "")
        for each in [name] + [m.strip(" \n*") for m in more]:
            yield each + "_" * keyword.iskeyword(each), kind


def arguments(text, structs):
    found = [] if text.strip() == "void" else text.split(",")
    return ", ".join(ctype(declaration(a)[0], structs) for a in found)


def numbers(text):
    """Constants, which may be sums and shifts of others."""
    found = {}
    for name, value in re.findall(r"\b(HS_\w+) = ([^,}\n]+)", text):
        if re.fullmatch(r"[\w\s<*+-]+", value):
            found[name] = eval(value, {}, found)  # numbers of our own headers
    return found


def in_order(structs):
    """Each behind those that it contains."""
    left = sorted(structs)
    while left:
        name = next(n for n in left if not any(kind in left for _, kind in structs[n]))
        left.remove(name)
        yield name


def module():
    text = "".join(p.read_text(encoding="utf-8") for p in sorted(API.glob("*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    constants = numbers(text)
    bodies = dict(re.findall(r"\nstruct (hs_\w+) \{\n(.*?)\n\};", text, re.S))
    made = {name: list(fields(body, bodies, constants)) for name, body in bodies.items()}
    lines = ["\nclass %s(Struct):\n    pass\n" % name for name in sorted(made)]
    for result, name, given in re.findall(r"typedef (\w+) (hs_\w+_fn)\((.*?)\);", text, re.S):
        lines.append("%s = CFUNCTYPE(%s, %s)" % (name, ctype(result, bodies), arguments(given, bodies)))
    for name in in_order(made):
        lines += ["%s._fields_ = [" % name] + ['    ("%s", %s),' % f for f in made[name]] + ["]"]
    lines += ["STRUCTS = [%s]" % ", ".join(sorted(made)), "FUNCTIONS = {  # name: result, arguments"]
    for result, name, given in sorted(re.findall(r"HS_API ([^;(]*?)(hs_\w+)\(([^;]*)\);", text), key=lambda f: f[1]):
        given = re.sub(r"(hs_\w+_fn) \*", r"\1 ", given)
        lines.append('    "%s": (%s, [%s]),' % (name, ctype(result, bodies), arguments(given, bodies)))
    return HEAD + "\n".join(lines + ["}", ""])


if __name__ == "__main__":
    made = module()
    if "--check" in sys.argv[1:]:
        same = ast.dump(ast.parse(made)) == ast.dump(ast.parse(OUT.read_text(encoding="utf-8")))
        sys.exit(not same and "%s is not of reader/api/*.h: run generate.py" % OUT)
    OUT.write_text(made, encoding="utf-8")
    subprocess.run(["black", "-q", "--config", HERE.parent.parent / "pyproject.toml", OUT], check=True)
