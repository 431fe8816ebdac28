# tables.py ROOT: the tables that costs.py has written into costs.md.
import json, re, sys

root = sys.argv[1]
name = r"<!-- lab (\w+) -->"
before, after = open(root + "/docs/costs.md").read(), open("costs.md").read()
assert re.findall(name, before) == re.findall(name, after) and len(re.findall(name, before)) == 6
table = re.search(r"<!-- lab startup -->\n(.*?)<!-- end -->", after, re.S).group(1)
rows = [[w.strip() for w in l.strip("|").split("|")] for l in table.splitlines() if l.startswith("| `")]
cells = json.load(open("startup.lab/cells.json"))["cells"]
plain = cells[0]["wall_s"]
want = [["`%s`" % c["format"], "%.0f ms" % (1000 * c["wall_s"] - 1000 * plain)] for c in cells[1:]]
assert [r[:2] for r in rows] == want and len(want) == 5, (rows, want)
assert all(r[2].startswith("%.1fx" % c["slowdown"]["mean"]) for r, c in zip(rows, cells[1:])), rows
block = r"<!-- lab startup -->.*?<!-- end -->"  # what is not in the marks of this table stays
assert re.sub(block, "", before, flags=re.S) == re.sub(block, "", after, flags=re.S)
