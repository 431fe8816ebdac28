"""visible.py - texts as the command shows them."""


def visible(s):
    """As formats/visible.h and JSON strings show a text."""
    out = ""
    for c in s:
        if c in '"\\':
            out += "\\" + c
        elif c in "\n\t\r":
            out += {"\n": "\\n", "\t": "\\t", "\r": "\\r"}[c]
        elif c < " " or "\ud800" <= c <= "\udfff" or c == "\u202e":
            out += "\\u%04x" % ord(c)
        else:
            out += c
    return out
