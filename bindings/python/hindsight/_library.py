"""libhindsight-reader: where it is, and its functions. The structs (_structs.py) are held against the library when it
is loaded: it may have longer ones (fields are appended), never shorter ones."""
import ctypes
import ctypes.util
import enum
import os

from . import _structs
from ._exact import INTEGERS, exact
from ._structs import *


class Status(enum.IntEnum):
    OK, MEMORY, IO, FORMAT, LIMIT, NOT_FOUND, EXISTS, USAGE, STORE, FULL, UNSUPPORTED, CANCELLED = range(12)


class Group(enum.IntEnum):
    EXEC, CALL, PARAM, FIELD, ARRAY, OBJECT, SYNC, LOCAL, LABEL, LINE = range(10)


class Kind(str, enum.Enum):
    VOID, BOOLEAN, BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE, REF, PC = "VZBCSIJFDLP"


class Error(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = Status(code) if 0 <= code < len(Status) else code


def _find():
    """HINDSIGHT_LIBRARY, the build tree or the package that this file lies in, or what the system's loader knows."""
    named = os.environ.get("HINDSIGHT_LIBRARY")
    if named:
        return named
    tree = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    places = [("build", "release"), ("build", "debug"), ("..",)]
    for place in places if tree.endswith("/share") else places[:2]:
        built = os.path.join(tree, *place, "lib", "libhindsight-reader.so")
        if os.path.exists(built):
            return built
    return ctypes.util.find_library("hindsight-reader") or "libhindsight-reader.so.1"


library_path = _find()
try:
    lib = ctypes.CDLL(library_path)
except OSError as error:
    raise ImportError("%s; set HINDSIGHT_LIBRARY to the path of libhindsight-reader.so" % error) from None

for _name, (_result, _arguments) in _structs.FUNCTIONS.items():
    _function = getattr(lib, _name)
    _function.restype, _function.argtypes = _result, _arguments
    _function.numbers = [(i, type_) for i, type_ in enumerate(_arguments) if type_ in INTEGERS]

version = lib.hs_version().decode()


def check_layouts(sizeof=lambda name: lib.hs_sizeof(name.encode())):
    """Raises if the library's structs cannot be those that are written down here."""
    for struct in _structs.STRUCTS:
        ours, theirs = ctypes.sizeof(struct), sizeof(struct.__name__)
        filled = struct._fields_[0][0] == "size"  # by us: exactly of the library's size
        if theirs < ours or (filled and theirs != ours):
            raise ImportError(
                "%s: struct %s has %d bytes, this package expects %d: they are of different versions"
                % (library_path, struct.__name__, theirs, ours)
            )


check_layouts()
