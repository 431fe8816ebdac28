#!/usr/bin/env python3
"""pack.py [OUT.vsix]: packs the extension, into build/ of the tree without OUT. Needs Python alone, and no network.

A .vsix is a zip of the extension's folder with a manifest and the types of its files (Open Packaging Conventions). In a
browser VS Code loads one script, which cannot require others: web.js is made of the modules of src/ here. """
import json
import os
import re
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".txt": "text/plain"}
STAMP = (2026, 1, 1, 0, 0, 0)  # the same files make the same package


def read(*path):
    with open(os.path.join(HERE, *path), encoding="utf-8") as f:
        return f.read()


def bundle(entry):
    """One script of a module of src/ and all that it requires, each as a function."""
    modules, todo = {}, [entry]
    while todo:
        name = todo.pop()
        if name not in modules:
            modules[name] = read("src", name)
            todo += re.findall(r"require\('\./([\w.-]+)'\)", modules[name])
    text = "// made by pack.py from the files of src/\n'use strict';\nconst modules = {\n"
    for name in sorted(modules):
        text += "'./%s': function (require, exports) {\n%s},\n" % (name, modules[name])
    return text + (
        "};\nconst loaded = {};\nfunction load(name) {\n"
        "    if (!modules[name]) return require(name);\n"
        "    if (!loaded[name]) modules[name](load, loaded[name] = {});\n"
        "    return loaded[name];\n}\nmodule.exports = load('./%s');\n" % entry
    )


def manifest(p):
    return """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id=%s Version=%s Publisher=%s/>
    <DisplayName>%s</DisplayName>
    <Description xml:space="preserve">%s</Description>
    <Tags>%s</Tags>
    <Categories>%s</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value=%s/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace,web"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
""" % (
        *(quoteattr(p[key]) for key in ("name", "version", "publisher")),
        escape(p["displayName"]),
        escape(p["description"]),
        escape(",".join(p["keywords"])),
        escape(",".join(p["categories"])),
        quoteattr(p["engines"]["vscode"]),
    )


def content_types(names):
    rows = "".join(
        '<Default Extension="%s" ContentType="%s"/>' % (end, TYPES[end])
        for end in sorted({os.path.splitext(name)[1] for name in names})
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">%s'
        '<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>\n' % rows
    )


def main(out):
    p = json.loads(read("package.json"))
    files = {"package.json": read("package.json"), "README.md": read("README.md"), "web.js": bundle("web.js")}
    files["LICENSE.txt"] = read("..", "..", "LICENSE")
    for name in sorted(os.listdir(os.path.join(HERE, "src"))):
        files["src/" + name] = read("src", name)
    parts = {"[Content_Types].xml": content_types(files), "extension.vsixmanifest": manifest(p)}
    parts.update(("extension/" + name, text) for name, text in files.items())
    os.makedirs(os.path.dirname(os.path.abspath(out)), exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in parts.items():
            z.writestr(zipfile.ZipInfo(name, STAMP), text, zipfile.ZIP_DEFLATED)
    print(out)


if __name__ == "__main__":
    main(
        sys.argv[1]
        if len(sys.argv) > 1
        else os.path.normpath(os.path.join(HERE, "..", "..", "build", "hindsight.vsix"))
    )
