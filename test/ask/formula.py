# Long expressions: what `why` tells of one may leave out operands, but is never cut inside of one.
import re

from ask import *

for e in events("Formula", event="METHOD_NORMAL_EXIT", method="of")[-5:]:
    first = ask("why", "Formula", e["seq"])[0]
    text = first["because"].replace("returned: ", "")
    named = {int(n) for n in re.findall(r"seq (\d+)", text)}
    same("what is named is offered: " + text, named - {c["seq"] for c in first["choices"]}, set())
    for part in (r"(seq \d+|constant \d+|\.\.\.)", r"i\w+ of \(\) and \(\)"):
        while re.search(part, text):
            text = re.sub(part, "()", text)
    same("it is an expression: " + first["because"], text, "()")
end()
