"""Numbers that the types of C can hold: ctypes would cut others."""
import operator
from ctypes import Structure, sizeof, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64

INTEGERS = {c_int, c_int32, c_int64, c_uint, c_uint32, c_uint64, c_size_t}


def exact(type_, value):
    """The number, if the type can hold it."""
    value = operator.index(value)
    if type_(value).value != value:
        signed, bits = type_(-1).value < 0, 8 * sizeof(type_)
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        raise ValueError("a number must be from %d to %d here, not %d" % (low, high, value))
    return value


class Struct(Structure):
    def __setattr__(self, name, value):
        type_ = dict(self._fields_).get(name)
        super().__setattr__(name, exact(type_, value) if type_ in INTEGERS else value)
