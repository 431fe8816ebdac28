# A string built in a loop: its values in order, and where each comes from.
from ask import *

same("text", values(ask("history", "Text", "Text.build:text")), ["", "even", "evenodd", "evenoddeven"])
same("digit", values(ask("history", "Text", "Text.build:digit")), ["even", "odd", "even"])
same("i", values(ask("history", "Text", "Text.build:i")), [0, 1, 2, 3])
same("a parameter", values(ask("history", "Text", "Text.build:n")), [3])
all_ = one("Text", event="LOCAL_STORE", method="main")
chain = ask("why", "Text", all_["seq"])
same(
    "why",
    [(e["event"], e["method"], plain(e["value"])) for e in chain[:9]],
    [
        ("LOCAL_STORE", "main", "evenoddeven"),
        ("CALL_RETURN", "main", "evenoddeven"),
        ("METHOD_NORMAL_EXIT", "build", "evenoddeven"),
        ("LOCAL_LOAD", "build", "evenoddeven"),
        ("LOCAL_STORE", "build", "evenoddeven"),
        ("CALL_RETURN", "build", "evenoddeven"),
        ("METHOD_NORMAL_EXIT", "join", "evenoddeven"),
        ("INVOKE_DYNAMIC_RESULT", "join", "evenoddeven"),
        ("INVOKE_DYNAMIC_PARAM", "join", "evenodd"),
    ],
)
parts = [plain(e["value"]) for s in chain[7]["operands"] for e in ask("print", "Text", "--from", s, "--to", s)]
same("joined from", parts, ["evenodd", "even"])
same("it began empty", (plain(chain[-1]["value"]), chain[-1]["end"]), ("", "constant"))
digits = [e for e in events("Text", event="LOCAL_STORE", method="build") if e["attr"]["name"] == "digit"]
for store, word in zip(digits, ["even", "odd", "even"]):
    chain = ask("why", "Text", store["seq"])
    same(
        "the branch taken",
        [(e["event"], plain(e["value"])) for e in chain],
        [("LOCAL_STORE", word), ("OBJECT_CONSTANT_LOAD", word)],
    )
final = ask("object", "Text", all_["value"]["id"])[0]
same("string", (final["type"], final["string"], final["length"]), ("java.lang.String", "evenoddeven", 11))
dataid = digits[0]["dataid"]
same("data ID", [e["seq"] for e in ask("history", "Text", dataid)], [e["seq"] for e in digits])
inside = events("Text", event="INVOKE_DYNAMIC_RESULT", method="join")[1]
frames = ask("locals", "Text", "--at", inside["seq"])
same(
    "locals in the loop",
    {k: plain(v) for k, v in frames[1]["locals"].items()},
    {"text": "even", "i": 1, "digit": "odd"},
)
end()
