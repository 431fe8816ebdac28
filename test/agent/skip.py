# skip.py: the methods and classes that skip= left out, and no other.
import json


def rows(name):
    return [json.loads(line) for line in open(name)]


def methods(name):
    return {(e["class"], e["method"], e["desc"]) for e in rows(name)}


got, plain = methods("t.entries"), methods("all.entries")
main = "app.Main"
gone = {
    (main + "$Message", "<init>", "()V"),
    (main + "$Message", "get", "()I"),
    (main + "$Invisible", "get", "()I"),
    (main + "$Visible", "get", "()I"),
    (main + "$After", "get", "()I"),
    (main + "$Mine", "made", "()I"),
    (main + "$Mine", "compareTo", "(Ljava/lang/Object;)I"),
}
bad = []
for m in (main + "$Mine", "written", "()I"), (main, "lambda$main$0", "(I)I"):
    if m not in got:
        bad.append("%s was left out" % (m,))
outer = [main + "$Outer" + n for n in ("", "$Inner", "$Inner$Deep", "$1", "$1Local")] + ["app.Top", "app.Top$Builder"]
gone |= {(c, m, d) for c, m, d in plain if c in outer}
if len([m for m in gone if m[0] in outer]) < 14:
    bad.append("the program does not run the nested classes")
if plain - got != gone or got - plain:
    bad.append("left out: %s; more: %s" % (plain - got, got - plain))
left = {c["class"] for c in rows("t.classes") if not c["woven"] and c["class"].startswith("app")}
want = {main + "$" + n for n in ("Message", "Invisible", "Visible", "After")} | set(outer)
if left != want:
    bad.append("classes left out: %s" % left)
reasons = {(n.get("class"), n.get("method")): n["reason"] for n in json.load(open("info.json"))["not_woven"]}
if "bridge" not in reasons.get((main + "$Mine", "compareTo"), ""):
    bad.append("info: no bridge: %s" % reasons)
if "annotated" not in reasons.get((main + "$Invisible", None), ""):
    bad.append("info does not tell of Invisible")
if "annotated" not in reasons.get((main + "$Mine", "made"), ""):
    bad.append("info does not tell of made")
for b in bad:
    print("FAILED:", b)
raise SystemExit(len(bad) > 0)
