"""paths.py EVENTS: rebuilds the executed path of every frame from its LABEL events alone and holds it against the
control flow graph that javap shows for the class files in $HINDSIGHT_CLASSES. Needs a recording with EXEC and LABEL.

From the last LABEL (or CATCH_LABEL) of a frame, execution went straight on, without a branch and without entering
another block, to the pc that the next one names; from there its instruction leads to the pc of the next one: a jump,
the next instruction, or a handler that covers it. A return must be reached in the same way. jsr and ret are not looked
at here (OldClassFiles.java)."""
import json, os, re, subprocess, sys

classes = os.environ["HINDSIGHT_CLASSES"]
javap = os.path.join(os.environ.get("JDK", "/usr"), "bin", "javap")
ENDS = ("goto", "goto_w", "athrow", "tableswitch", "lookupswitch")


def graph(name):
    """{(method, desc): (order of pcs, {pc: (op, targets)}, handlers)}"""
    text = subprocess.run([javap, "-c", "-p", "-s", "-cp", classes, name], capture_output=True, text=True).stdout
    out, head, key, table = {}, None, None, None
    for line in text.splitlines():
        m = re.match(r"  (\S.*);$", line)
        if m:
            head, key, table = m.group(1), None, None
            continue
        m = re.match(r"    descriptor: (\(.*)", line)
        if m and head:
            if head == "static {}":
                method = "<clinit>"
            else:
                method = re.sub(r"\(.*", "", head).split()[-1]
                method = "<init>" if method == name else method
            key = (method, m.group(1))
            out[key] = ([], {}, [])
            continue
        if key is None:
            continue
        pcs, code, handlers = out[key]
        if "Exception table:" in line:
            table = "handlers"
            continue
        m = re.match(r"\s+(\d+): ([a-z]\w*)\s*(.*)", line)
        if m and table != "handlers":
            pc, op, rest = int(m.group(1)), m.group(2), m.group(3)
            pcs.append(pc)
            targets = [int(rest.split()[0])] if op.startswith("if") or op.startswith("goto") else []
            code[pc] = (op, targets)
            table = "switch" if op.endswith("switch") else None
            continue
        m = re.match(r"\s+(-?\d+|default): (\d+)$", line)
        if m and table == "switch":
            code[pcs[-1]][1].append(int(m.group(2)))
            continue
        m = re.match(r"\s+(\d+)\s+(\d+)\s+(\d+)\s+(Class .*|any)$", line)
        if m and table == "handlers":
            handlers.append(tuple(int(x) for x in m.group(1, 2, 3)))
    for pcs, code, handlers in out.values():
        starts = {0} | {t for op, ts in code.values() for t in ts} | {h[2] for h in handlers}
        for i, pc in enumerate(pcs[:-1]):
            if code[pc][0].startswith("if"):
                starts.add(pcs[i + 1])
        handlers.append(starts)
    return out


def straight(g, start, end):
    """Can execution go from start to end without a branch or another block's start in between?"""
    pcs, code, handlers = g
    if start not in code or end not in code or end < start:
        return False
    for pc in pcs[pcs.index(start) : pcs.index(end)]:
        op = code[pc][0]
        if op in ENDS or op.startswith("if") or op.endswith("return"):
            return False
        if pc != start and pc in handlers[-1]:
            return False
    return end == start or end not in handlers[-1]


graphs, stacks, labels, frames = {}, {}, 0, 0
for text in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(text)
    kind, name = e["event"], e.get("class")
    if kind not in ("METHOD_ENTRY", "METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT", "LABEL", "CATCH_LABEL"):
        continue
    if name not in graphs:
        graphs[name] = graph(name)
    key = (e["method"], e["desc"])
    g = graphs[name].get(key)
    if g is None:
        sys.exit("FAILED: javap shows no %s.%s%s" % (name, *key))
    stack = stacks.setdefault(e["thread"], [])
    if kind == "METHOD_ENTRY":
        stack.append([name, key, None])
        frames += 1
        continue
    if not stack or stack[-1][:2] != [name, key]:
        sys.exit("FAILED: seq %d is not in the innermost frame (%s)" % (e["seq"], stack[-1:] or "none"))
    top, pc = stack[-1], e["pc"]
    if kind == "METHOD_EXCEPTIONAL_EXIT":
        stack.pop()
    elif kind == "METHOD_NORMAL_EXIT":
        if not straight(g, top[2], pc):
            sys.exit(
                "FAILED: seq %d: the return at %d is not reached from label %s in %s.%s%s"
                % (e["seq"], pc, top[2], name, *key)
            )
        stack.pop()
    else:
        labels += 1
        came = e["value"]
        pcs, code, handlers = g
        if top[2] is None:
            ok = kind == "LABEL" and pc == 0 and came == 0
        elif not straight(g, top[2], came):
            ok = False
        elif kind == "CATCH_LABEL":
            ok = any(h[0] <= came < h[1] and h[2] == pc for h in handlers[:-1])
        else:
            op, targets = code[came]
            i = pcs.index(came)
            follows = i + 1 < len(pcs) and pcs[i + 1] == pc and op not in ENDS and not op.endswith("return")
            ok = pc in targets or follows
        if not ok:
            sys.exit(
                "FAILED: seq %d: %s at %d from %s does not follow label %s in %s.%s%s"
                % (e["seq"], kind, pc, came, top[2], name, *key)
            )
        top[2] = pc
if labels == 0:
    sys.exit("FAILED: no labels")
print("    the paths of %d frames are rebuilt from %d labels" % (frames, labels))
