"""depends.py - what each moment of a run of a class of generate.py depends on, found without the reader: the bytecode,
as javap shows it, is executed over the events of `print --json`, with the events that gave each operand instead of
values. Control dependence is that of Ferrante, Ottenstein and Warren, on sets of instructions."""
import collections, re, subprocess

BRANCH = re.compile(r"if(_icmp)?(eq|ne|lt|ge|gt|le)$")
CONSTANT = re.compile(r"(iconst_|lconst_|bipush|sipush|ldc)")
COMPUTES = re.compile(r"[il](add|sub|mul|and|or|xor|ushr|shl|shr)$")


class Method:
    def __init__(self):
        self.code, self.order = {}, []

    def finish(self):
        """the sets of what can be reached from each instruction, and of what follows it on every way"""
        after, out = {}, -1
        for i, pc in enumerate(self.order):
            op, operand = self.code[pc]
            following = [self.order[i + 1]] if i + 1 < len(self.order) else []
            if op == "goto":
                following = [int(operand)]
            elif BRANCH.match(op):
                following = [int(operand), following[0]]
            elif op.endswith("return"):
                following = [out]
            after[pc] = following
        before = collections.defaultdict(list)
        for pc, following in after.items():
            for f in following:
                before[f].append(pc)
        self.follows = self.on_every_way(after, self.order[::-1], out)
        self.precedes = self.on_every_way(before, self.order, self.order[0])
        self.reached = {pc: self.reach(after, pc) for pc in self.order}

    def on_every_way(self, edges, order, end):
        sets = {pc: {pc} if pc == end else set(order) | {end} for pc in order + [end]}
        changed = True
        while changed:
            changed = False
            for pc in order:
                if pc == end:
                    continue
                new = {pc} | (set.intersection(*(sets[f] for f in edges[pc])) if edges[pc] else set())
                changed, sets[pc] = changed or new != sets[pc], new
        return sets

    def reach(self, edges, pc):
        seen, left = {pc}, [pc]
        while left:
            for f in edges.get(left.pop(), ()):
                if f not in seen:
                    seen.add(f)
                    left.append(f)
        return seen

    def decides(self, branch, to, pc):
        return pc in self.follows[to] and (pc == branch or pc not in self.follows[branch])


def read_code(javap, classes, name):
    text = subprocess.run(
        [javap, "-c", "-p", "-s", "-cp", classes, name], capture_output=True, text=True, check=True
    ).stdout
    methods, method, name = {}, None, None
    for line in text.splitlines():
        head = re.match(r"  \S.*?(\w+)\(.*\);$|  static (\{\});$", line)
        if head:
            method = Method()
            methods["<clinit>" if head.group(2) else head.group(1)] = method
        code = re.match(r"\s+(\d+): (\w+)\s*(.*)$", line)
        if code and method is not None:
            pc = int(code.group(1))
            method.code[pc] = (code.group(2), code.group(3))
            method.order.append(pc)
    for m in methods.values():
        m.finish()
    return methods


class Moment:
    """data: moments that the value comes from; ways: by which it was reached; control: what decided that it happened"""

    def __init__(self, data=(), ways=(), control=None):
        self.data, self.ways, self.control = set(data), set(ways), control


OWN_VALUES = "METHOD_PARAM METHOD_NORMAL_EXIT CALL_PARAM CALL_RETURN GET_INSTANCE_FIELD_RESULT GET_STATIC_FIELD".split()
OWN_VALUES += ["LOCAL_LOAD", "LOCAL_STORE"]


class Run:
    def __init__(self, methods, events):
        self.methods, self.events, self.at = methods, [e for e in events if e["event"] != "LINE_NUMBER"], 0
        self.moments, self.memory, self.result = {}, {}, None
        while self.at < len(self.events) and self.result is None:
            self.frame(None, [])

    def next(self, *types):
        e = self.events[self.at]
        assert e["event"] in types, (e, types)
        self.at += 1
        return e

    def control(self, m, labels, pc, is_branch):
        """the branch that pc stands under in its frame, of a loop around a branch the last round alone"""
        now = pc
        for seq, branch, to in reversed(labels):
            if not m.decides(branch, to, now):
                continue
            again = is_branch and (
                branch == pc or (pc in m.reached[branch] and branch in m.reached[pc] and branch not in m.precedes[pc])
            )
            if not again:
                return seq
            now = branch
        return None

    def frame(self, call, arguments):
        """executes a method from its METHOD_ENTRY on; returns the moment of its exit"""
        entry = self.next("METHOD_ENTRY")
        if entry["method"] == "<init>":
            while self.events[self.at]["event"] != "METHOD_NORMAL_EXIT":
                self.at += 1
            return self.next("METHOD_NORMAL_EXIT")["seq"]
        m, labels, stack, slots = self.methods[entry["method"]], [], [], {}
        self.moments[entry["seq"]] = Moment(control=call)
        slot = 0
        while self.events[self.at]["event"] == "METHOD_PARAM":
            e = self.next("METHOD_PARAM")
            self.moments[e["seq"]] = Moment(arguments[slot : slot + 1], control=call)
            slots[slot] = e["seq"]
            slot += 1
        pc = 0

        def add(e, data=(), ways=()):
            parent = self.control(m, labels, e["pc"], False)
            self.moments[e["seq"]] = Moment(data, ways, call if parent is None else parent)
            return {e["seq"]}

        def label(branch, operands):
            while self.events[self.at]["event"] == "LABEL":
                e = self.next("LABEL")
                if e["value"] != branch or branch is None:
                    continue
                parent = self.control(m, labels, branch, True)
                self.moments[e["seq"]] = Moment(operands, control=call if parent is None else parent)
                labels.append((e["seq"], branch, e["pc"]))
                return e["pc"]

        while True:
            while self.events[self.at]["event"] == "LABEL" and self.events[self.at]["pc"] == pc:
                self.at += 1
            op, operand = m.code[pc]
            following = m.order[m.order.index(pc) + 1] if pc != m.order[-1] else None
            variable = re.match(r"([ila])(load|store)_?(\d*)$", op)
            if CONSTANT.match(op):
                stack.append(set())
            elif variable:
                n = int(variable.group(3) or operand)
                if variable.group(2) == "load":
                    e = self.next("LOCAL_LOAD")
                    stack.append(add(e, [slots[n]]))
                else:
                    e = self.next("LOCAL_STORE")
                    add(e, stack.pop())
                    slots[n] = e["seq"]
            elif op == "iinc":
                n, e = int(operand.split(",")[0]), self.next("LOCAL_INCREMENT")
                add(e, [slots[n]])
                slots[n] = e["seq"]
            elif COMPUTES.match(op):
                right = stack.pop()
                stack.append(stack.pop() | right)
            elif op == "i2l":
                pass  # no event: what it converts stays on the stack
            elif op == "getstatic":
                e = self.next("GET_STATIC_FIELD")
                stack.append(add(e, self.last(e["attr"]["name"])))
            elif op == "putstatic":
                e = self.next("PUT_STATIC_FIELD")
                add(e, stack.pop())
                self.memory[e["attr"]["name"]] = e["seq"]
            elif op == "getfield":
                way, e = self.next("GET_INSTANCE_FIELD"), self.next("GET_INSTANCE_FIELD_RESULT")
                add(way, stack.pop())
                stack.append(add(e, self.last((way["value"]["id"], e["attr"]["name"])), [way["seq"]]))
            elif op == "putfield":
                way, e = self.next("PUT_INSTANCE_FIELD"), self.next("PUT_INSTANCE_FIELD_VALUE")
                add(e, stack.pop(), [way["seq"]])
                add(way, stack.pop())
                self.memory[way["value"]["id"], e["attr"]["name"]] = e["seq"]
            elif op == "iaload":
                array, index = self.next("ARRAY_LOAD"), self.next("ARRAY_LOAD_INDEX")
                e = self.next("ARRAY_LOAD_RESULT")
                add(index, stack.pop())
                add(array, stack.pop())
                last = self.last((array["value"]["id"], index["value"]))
                stack.append(add(e, last, [array["seq"], index["seq"]]))
            elif op == "iastore":
                array, index = self.next("ARRAY_STORE"), self.next("ARRAY_STORE_INDEX")
                e = self.next("ARRAY_STORE_VALUE")
                add(e, stack.pop(), [array["seq"], index["seq"]])
                add(index, stack.pop())
                add(array, stack.pop())
                self.memory[array["value"]["id"], index["value"]] = e["seq"]
            elif op == "newarray":
                length, e = self.next("NEW_ARRAY"), self.next("NEW_ARRAY_RESULT")
                add(length, stack.pop())
                stack.append(add(e))
                self.memory["length", e["value"]["id"]] = length["seq"]
            elif op == "arraylength":
                array, e = self.next("ARRAY_LENGTH"), self.next("ARRAY_LENGTH_RESULT")
                add(array, stack.pop())
                stack.append(add(e, self.last(("length", array["value"]["id"])), [array["seq"]]))
            elif op == "new":
                self.next("NEW_OBJECT")
                stack.append(set())
            elif op == "dup":
                stack.append(set(stack[-1]))
            elif op == "invokespecial":
                e = self.next("CALL")
                add(e)
                self.frame(e["seq"], [])
                self.next("CALL_RETURN")
                stack[-2:] = [add(self.next("NEW_OBJECT_CREATED"))]
            elif op == "invokestatic":
                e, given = self.next("CALL"), []
                add(e)
                while self.events[self.at]["event"] == "CALL_PARAM":
                    given.append(self.next("CALL_PARAM"))
                for g in reversed(given):
                    add(g, stack.pop())
                left = self.frame(e["seq"], [g["seq"] for g in given])
                stack.append(add(self.next("CALL_RETURN"), [left]))
            elif op == "invokevirtual":  # println
                self.result = stack[-1]
                return None
            elif op in ("ireturn", "return"):
                e = self.next("METHOD_NORMAL_EXIT")
                add(e, stack.pop() if op == "ireturn" else ())
                return e["seq"]
            elif BRANCH.match(op):
                operands = stack.pop() | (stack.pop() if "icmp" in op else set())
                following = label(pc, operands)
            elif op == "goto":
                following = int(operand)
            else:
                raise AssertionError("%d: %s" % (pc, op))
            pc = following

    def last(self, place):
        return [self.memory[place]] if place in self.memory else []

    def causes(self, seq, kind):
        m = self.moments[seq]
        control = {m.control} if m.control is not None else set()
        return {"all": m.data | m.ways | control, "thin": m.data, "control": control}[kind]

    def contents(self, seq):
        """What was last stored into the elements of the array, or the fields of the object, of the moment."""
        last, asked = {}, next(e for e in self.events if e["seq"] == seq)
        if asked["event"] not in OWN_VALUES or not isinstance(asked.get("value"), dict):
            return set()
        for i, e in enumerate(self.events):
            if e["seq"] >= seq:
                break
            if e["event"] == "ARRAY_STORE" and e["value"]["id"] == asked["value"]["id"]:
                last[self.events[i + 1]["value"]] = self.events[i + 2]["seq"]
            if e["event"] == "PUT_INSTANCE_FIELD" and e["value"]["id"] == asked["value"]["id"]:
                last[e["attr"]["name"]] = self.events[i + 1]["seq"]
        return {s for s in last.values() if s < seq}

    def slice(self, seq, kind):
        seen, left = {seq}, [seq]
        if kind != "control":
            seen |= self.contents(seq)
            left += seen - {seq}
        while left:
            for c in self.causes(left.pop(), kind) - seen:
                seen.add(c)
                left.append(c)
        return seen

    def forward(self, seq, kind):
        came = {seq}
        for s in sorted(self.moments):
            if s > seq and self.causes(s, kind) & came:
                came.add(s)
        return came
