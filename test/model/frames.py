"""frames.py - stacks, locals, and the call tree, from one walk over the stream.

A frame lives from METHOD_ENTRY to behind its exit. What was recorded last in a frame is where it is."""
from flights import Flights
from stream import NONE, Ref


class Call:
    __slots__ = (
        "seq",
        "depth",
        "site",
        "arguments",
        "result",
        "exception",
        "calls",
        "left",
        "last",
        "this",
        "parameters",
        "slots",
        "early",
        "call",
        "passed",
        "returned",
        "initializing",
        "trigger",
    )

    def __init__(self, e, depth):
        self.seq, self.depth, self.site, self.last = e.seq, depth, e.site, e
        self.arguments, self.result, self.exception, self.calls, self.left = [], NONE, None, 0, False
        self.this = e.value if isinstance(e.value, Ref) else None
        self.parameters, self.slots, self.early = [], {}, []
        self.call = self.passed = self.returned = None
        self.initializing = []  # calls of <clinit> that nothing in this frame has followed yet
        self.trigger = None  # of a <clinit>: the event that follows it in the frame which needed the class

    def key(self):
        return self.site.cls, self.site.method, self.site.desc


class Frames:
    def __init__(self, heap):
        self.heap = heap
        self.stacks, self.calls, self.links, self.local_writes, self.flights = {}, {}, {}, {}, Flights()
        self.strange = []
        self.leaving = {}  # per thread: an exit that nothing followed yet
        # per thread: a call whose callee has not shown yet: [its events, depth of initializations]
        self.calling_out = {}

    def event(self, e):
        """returns the stack of its thread as it is just after the event; a frame that is left is still there"""
        kind, stack = e.site.event, self.stacks.setdefault(e.thread, [])
        if e.thread in self.calling_out:
            self.callee(e)
        if e.thread in self.leaving:
            self.returned_to(self.leaving.pop(e.thread), e, stack)
        if stack and stack[-1].left:
            stack.pop()
        if kind == "METHOD_ENTRY":
            self.enter(e, stack)
        if not stack or stack[-1].key() != (e.site.cls, e.site.method, e.site.desc):
            self.strange.append(e)
            return stack
        f = stack[-1]
        f.last = e
        for c in f.initializing:
            c.trigger = e
        f.initializing = []
        handler = HANDLERS.get(kind)
        if handler:
            handler(self, e, f)
        if isinstance(e.value, Ref):
            self.flights.event(e, f.seq)
        return stack

    def enter(self, e, stack):
        f = Call(e, len(stack))
        if stack:
            above = stack[-1]
            above.calls += 1
            if e.site.method == "<clinit>":
                above.initializing.append(f)
            if above.call and above.call[0].attr["name"] == e.site.method and above.call[0].attr["desc"] == e.site.desc:
                f.passed = {a.site.attr["index"]: a for a in above.call[1]}
        stack.append(f)
        self.calls.setdefault(e.thread, []).append(f)

    def parameter(self, e, f):
        f.arguments.append(e.value)
        slot = self.slot(e.site, f)
        f.parameters.append((e, slot))
        self.write(e, f, slot)
        f.slots[slot] = (e, False)
        if f.passed and e.site.attr["index"] in f.passed:
            self.links[e.seq] = f.passed[e.site.attr["index"]].seq

    def slot(self, site, f):
        """of a parameter: after the receiver and those before, where long and double take two"""
        first = 0 if f.site.attr.get("methodtype") == "static" else 1
        return first + sum(2 if d in "JD" else 1 for d in parameters(site.desc)[: site.attr["index"] - first])

    def store(self, e, f):
        self.write(e, f, e.site.attr["varindex"])
        f.slots[e.site.attr["varindex"]] = (e, True)

    def write(self, e, f, slot):
        name = e.site.attr.get("name")
        if name is not None:
            self.local_writes.setdefault((f.key(), name), []).append((e.seq, e.value))

    def load(self, e, f):
        written = f.slots.get(e.site.attr["varindex"])
        if written:
            self.links[e.seq] = written[0].seq

    def calling(self, e, f):
        f.call, f.returned = (e.site, []), None

        self.calling_out[e.thread] = [[e], 0]

    def callee(self, e):
        """is what follows a call the method that it calls? Else its receiver and arguments were handed to code that is
        not woven."""
        call = self.calling_out[e.thread]
        kind, site, first = e.site.event, e.site, call[0][0].site
        if kind == "CALL_PARAM" and site.pc == first.pc and not call[1] and site.method == first.method:
            call[0].append(e)
        elif call[1] or kind == "METHOD_ENTRY" and site.method == "<clinit>":
            call[1] += (kind == "METHOD_ENTRY") - (kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT"))
        else:
            del self.calling_out[e.thread]
            if kind != "METHOD_ENTRY" or not called(first.attr, site):
                self.hand(call[0])

    def hand(self, events):
        for e in events:
            if isinstance(e.value, Ref):
                self.heap.handed.setdefault(e.value, []).append(e.seq)

    def argument(self, e, f):
        if f.call:
            f.call[1].append(e)

    def call_return(self, e, f):
        if f.returned is not None and e.value is not NONE and f.call and f.call[0].pc == e.site.pc:
            self.links[e.seq] = f.returned.seq
        f.call = f.returned = None

    def initialized(self, e, f):
        f.this = e.value
        self.heap.early(e.value, f.early)
        f.early = []

    def early_put(self, e, f):
        f.early.append(e)

    def leave(self, e, f):
        f.left = True
        self.leaving[e.thread] = e
        if e.site.event == "METHOD_EXCEPTIONAL_EXIT":
            f.exception = e.value
        else:
            f.result = e.value
        stack = self.stacks[e.thread]
        if len(stack) > 1:
            above = stack[-2]
            name_and_desc = above.call and (above.call[0].attr["name"], above.call[0].attr["desc"])
            above.returned = (
                e if name_and_desc == (f.site.method, f.site.desc) and e.site.event == "METHOD_NORMAL_EXIT" else None
            )

    def returned_to(self, exit, next, stack):
        """a result that the woven caller does not get next goes to code that is not woven"""
        above = stack[-2] if len(stack) > 1 else None
        woven = next.site.event == "CALL_RETURN" and above and above.call and called(above.call[0].attr, exit.site)
        if exit.site.event == "METHOD_NORMAL_EXIT" and not woven:
            self.hand([exit])


def called(attr, site):
    """can a call enter this method? A constructor is that of the class it names."""
    return (attr["name"], attr["desc"]) == (site.method, site.desc) and (
        site.method != "<init>" or attr["owner"] == site.cls
    )


def parameters(desc):
    """first letters of the parameters' descriptors"""
    out, i = [], 1
    while desc[i] != ")":
        out.append("L" if desc[i] in "L[" else desc[i])
        while desc[i] == "[":
            i += 1
        i = desc.index(";", i) + 1 if desc[i] == "L" else i + 1
    return out


class Frame:
    """what `locals` says of one frame"""

    def __init__(self, f, classes, callee=None):
        self.key, self.entered, self.pc, self.line, self.this = f.key(), f.seq, f.last.pc, f.last.line, f.this
        # a class is initialized for an instruction whose event comes before or behind
        behind = callee and callee.key()[1] == "<clinit>" and f.last.site.event not in ("PUT_STATIC_FIELD", *CALLS)
        self.initializing = callee if behind else None
        self.call, self.variables = f, classes.variables(*self.key)
        self.locals, self.maybe = {}, {}  # maybe: the store is the latest event, and ends before the name begins
        for slot, (e, stored) in f.slots.items():
            if not stored:
                continue
            if not self.variables:  # the class has no names
                self.locals["#%d" % slot] = e.value
                continue
            names = {name for start, end, s, name in self.variables if s == slot and start <= self.pc < end}
            if e.site.attr.get("name") in names:
                self.locals[e.site.attr["name"]] = e.value
            elif e.site.pc == self.pc and "name" in e.site.attr:
                self.maybe[e.site.attr["name"]] = e.value

    def stands(self):
        """pc and line; None: no event tells"""
        if self.initializing is None:
            return self.pc, self.line
        e = self.initializing.trigger
        return (e.pc, e.line) if e and e.site.event in ("GET_STATIC_FIELD", "NEW_OBJECT") else None

    @property
    def parameters(self):
        """as they were passed, from METHOD_ENTRY on: those whose METHOD_PARAM comes a few events later as well; without
        a name by slot"""
        return {e.site.attr.get("name", "#%d" % slot): e.value for e, slot in self.call.parameters}


CALLS = ("CALL", "CALL_PARAM")
HANDLERS = {
    "METHOD_PARAM": Frames.parameter,
    "LOCAL_STORE": Frames.store,
    "LOCAL_INCREMENT": Frames.store,
    "LOCAL_LOAD": Frames.load,
    "CALL": Frames.calling,
    "CALL_PARAM": Frames.argument,
    "CALL_RETURN": Frames.call_return,
    "METHOD_OBJECT_INITIALIZED": Frames.initialized,
    "PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION": Frames.early_put,
    "METHOD_NORMAL_EXIT": Frames.leave,
    "METHOD_EXCEPTIONAL_EXIT": Frames.leave,
}
