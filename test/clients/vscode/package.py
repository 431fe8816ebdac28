"""package.py VSIX ROOT: is a packed extension whole? Its parts are those that the Open Packaging Conventions and VS
Code ask for, every file that a manifest or a module names is there, and what the package says is what package.json
says."""
import json
import os
import re
import sys
import zipfile
from xml.etree import ElementTree

vsix, root = sys.argv[1:]
failures = 0


def check(what, good):
    global failures
    if not good:
        failures += 1
        print("FAILED: " + what)


z = zipfile.ZipFile(vsix)
check("the checksums of the zip", z.testzip() is None)
names = z.namelist()
check("each part once", len(names) == len(set(names)))
parts = {name: z.read(name).decode("utf-8") for name in names}

# [Content_Types].xml has a type for the ending of every part
types = ElementTree.fromstring(parts["[Content_Types].xml"])
endings = {e.get("Extension") for e in types}
for name in names:
    check("a type for " + name, name == "[Content_Types].xml" or os.path.splitext(name)[1] in endings)

p = json.loads(parts["extension/package.json"])
space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
manifest = ElementTree.fromstring(parts["extension.vsixmanifest"])
identity = manifest.find(".//%sIdentity" % space)
for attribute, key in (("Id", "name"), ("Version", "version"), ("Publisher", "publisher")):
    check("the manifest has %s" % key, identity.get(attribute) == p[key])
properties = {e.get("Id"): e.get("Value") for e in manifest.iter(space + "Property")}
check("the version of VS Code", properties["Microsoft.VisualStudio.Code.Engine"] == p["engines"]["vscode"])
named = [e.get("Path") for e in manifest.iter(space + "Asset")] + [manifest.find(".//%sLicense" % space).text]
named += ["extension/" + os.path.normpath(p[entry]) for entry in ("main", "browser")]
for name in named:
    check(name + " is named, and not there", name in parts)

# modules: those of src/ are required by name; the one of the browser requires nothing but what VS Code gives
modules = {name: text for name, text in parts.items() if name.endswith(".js")}
for name, text in modules.items():
    for required in re.findall(r"require\('(.*?)'\)", text):
        beside = name != "extension/web.js" and os.path.normpath(os.path.join(os.path.dirname(name), required)) in parts
        inside = name == "extension/web.js" and "'%s': function (" % required in text
        check("%s requires %s" % (name, required), required == "vscode" or beside or inside)

# each command is registered, and each one of a menu or view is declared
declared = {c["command"] for c in p["contributes"]["commands"]}
source = "".join(text for name, text in modules.items() if name.startswith("extension/src/"))
for command in declared:
    check(command + " is declared, and nothing runs it", "'%s'" % command in source)
for rows in p["contributes"]["menus"].values():
    for row in rows:
        check(row["command"] + " of a menu is not declared", row["command"] in declared)
for view in p["contributes"]["views"]["debug"]:
    check("the view %s is not made" % view["id"], "'%s'" % view["id"] in source)

# what may stand in a launch configuration is what docs/dap.md says
with open(os.path.join(root, "docs", "dap.md"), encoding="utf-8") as f:
    table = set(re.findall(r"^\| `(\w+)` \|", f.read().split("## Launch")[1].split("## Moving")[0], re.M))
attributes = p["contributes"]["debuggers"][0]["configurationAttributes"]
known = set(attributes["launch"]["properties"]) - {"address"}
check("arguments of launch: %s, not %s" % (sorted(known), sorted(table)), known == table)
check("processId of attach", "processId" in attributes["attach"]["properties"])
print("%d parts, %d failures" % (len(names), failures))
sys.exit(1 if failures else 0)
