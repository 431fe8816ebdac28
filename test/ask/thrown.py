# Which line threw, where the first event that shows an exception is its handler or the exit of a method; and which
# messages the JVM computes.
from ask import *

lines = {}
for number, text in enumerate(open(sys.path[0] + "/Thrown.java"), 1):
    if "// " in text and number > 1:
        lines[text.split("// ")[1].split(":")[0].strip()] = number
want = [
    ("parsed", lines["PARSED"], False),
    ("length", lines["LENGTH"], True),
    ("required", lines["REQUIRED"], False),
    ("thrown", lines["NOW"], False),
    ("thrown", lines["MINE"], False),  # its stack has the line that created it
    ("left", lines["LEFT"], True),
    ("inner", lines["INNER"], True),
]
all_ = [json.loads(l) for l in run(command, "exceptions", work + "/Thrown", "--json").splitlines()]
same("places", [(x["method"], x["line"], x.get("message_computed", False)) for x in all_], want)
for option, test in [
    (["--uncaught"], lambda x: x.get("uncaught", False)),
    (["--class", "Thrown"], lambda x: x["class"] == "Thrown"),
    (["--class", "Object"], lambda x: x["class"] == "Object"),
    (["--from", str(all_[3]["thrown"])], lambda x: x["thrown"] >= all_[3]["thrown"]),
]:
    r = subprocess.run([command, "exceptions", work + "/Thrown", "--json"] + option, capture_output=True, text=True)
    same("exceptions " + option[0], [json.loads(l) for l in r.stdout.splitlines()], [x for x in all_ if test(x)])
left = [[(e["method"], e["line"]) for e in x["left"]] for x in all_]
same("no exits", left[:5], [[]] * 5)
same("exits", left[5:], [[("left", lines["LEFT"])], [(n.lower(), lines[n]) for n in ("INNER", "OUTER", "AGAIN")]])
rows = run(command, "exceptions", work + "/Thrown").splitlines()[1:]
same("a row each", len(rows), len(want))
for row, (method, line, computed) in zip(rows, want):
    same("place of " + row, " at Thrown.%s:%d, thread " % (method, line) in row, True)
    same("message of " + row, ': "Cannot invoke ' in row, computed)
for x, (method, line, computed) in zip(all_, want):
    answer = ask("object", "Thrown", x["id"])[0]["exception"]
    same("object of " + method, answer.get("message_computed", False), computed)
    same(
        "object of %s as text" % method,
        "message  \"Cannot invoke " in run(command, "object", work + "/Thrown", str(x["id"])),
        computed,
    )
end()
