"""heap.py - what objects, arrays and static fields hold at any moment, from one walk over the stream.

A place is (object, "a.b.Declaring.field"), (object, index) or (None, "a.b.Declaring.field") of a static. Its log has
what tells its value: (seq, value, written, when): `when` is the seq from which on it counts, which is its own but for a
putstatic that initializes a class. A failed array store (index, type) writes nothing: the next event of its thread
shows the failure."""
from bisect import bisect_left, bisect_right

from classfiles import default, descriptor
from stream import NONE, Ref

FAILED_STORES = (
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.NullPointerException",
)


class Heap:
    def __init__(self, stream, classes):
        self.stream, self.classes = stream, classes
        self.logs, self.places_of, self.lengths, self.created, self.lives, self.handed = {}, {}, {}, {}, {}, {}
        self.constructed = {}  # by object: where the constructor of its own class has its id
        self.loads = {}  # seq of a value that was read: its place
        self.failed = set()  # ARRAY_STORE_VALUE of stores that failed
        self.pending = {}  # per thread: the events of an access that has begun
        self.stored = {}  # per thread: an array store that nothing followed yet
        # per thread: putstatics that classes are initialized for, the innermost last: [event, depth of calls,
        # initialized]
        self.static = {}
        self.owner = {}  # per thread: the array whose elements MULTI_NEW_ARRAY_ELEMENT names, and how many there were

    def tell(self, object, part, seq, value, written, when=None):
        place, entry = (object, part), (seq, value, written, seq if when is None else when)
        log = self.logs.get(place)
        if log is None:
            log = self.logs[place] = []
            if object is not None:
                self.places_of.setdefault(object, []).append(place)
        if log and log[-1][3] > entry[3]:  # a put before initialization, whose object is known only now
            log.insert(bisect_left(log, entry[3], key=lambda x: x[3]), entry)
        else:
            log.append(entry)

    def event(self, e):
        kind, t, v = e.site.event, e.thread, e.value
        self.life(e)
        if t in self.stored:
            self.finish_store(self.stored.pop(t), e)
        if t in self.static:
            self.finish_static(t, e)
        if t in self.owner and kind not in ("MULTI_NEW_ARRAY_OWNER", "MULTI_NEW_ARRAY_ELEMENT"):
            self.finish_owner(t)
        handler = HANDLERS.get(kind)
        if handler:
            handler(self, e, t, v)

    def life(self, e):
        if isinstance(e.value, Ref):
            if e.value in self.lives:
                self.lives[e.value][1] = e.seq
            else:
                self.lives[e.value] = [e.seq, e.seq]

    def begin(self, e, t, v):
        self.pending[t] = [e]

    def more(self, e, t, v):
        self.pending[t].append(e)

    def get_field(self, e, t, v):
        o = self.pending[t][0].value
        field = self.classes.field(e.site.attr)
        self.loads[e.seq] = (o, field)
        self.tell(o, field, e.seq, v, False)

    def put_field(self, e, t, v):
        o = self.pending[t][0].value
        if o is not None:
            self.tell(o, self.classes.field(e.site.attr), e.seq, v, True)

    def early(self, object, puts):
        for e in puts:
            self.tell(object, self.classes.field(e.site.attr), e.seq, e.value, True)

    def get_static(self, e, t, v):
        field = self.classes.field(e.site.attr)
        self.loads[e.seq] = (None, field)
        self.tell(None, field, e.seq, v, False)

    def put_static(self, e, t, v):
        self.static.setdefault(t, []).append([e, 0, None])

    def finish_static(self, t, next):
        """the instruction initializes a class first, if it has to: it writes when that is done, or never if that
        fails"""
        kind, pending = next.site.event if next else None, self.static[t]
        put = pending[-1]
        entry, exit = kind == "METHOD_ENTRY", kind in ("METHOD_NORMAL_EXIT", "METHOD_EXCEPTIONAL_EXIT")
        if put[1] or entry and next.site.method == "<clinit>":
            put[1] += entry - exit
            put[2] = next
            return
        pending.pop()
        if not pending:
            del self.static[t]
        if put[2] is None or put[2].site.event == "METHOD_NORMAL_EXIT":
            e = put[0]
            self.tell(None, self.classes.field(e.site.attr), e.seq, e.value, True, put[2].seq + 1 if put[2] else None)
        if pending:
            self.finish_static(t, next)

    def array_load(self, e, t, v):
        array, index = (x.value for x in self.pending[t])
        self.loads[e.seq] = (array, index)
        self.tell(array, index, e.seq, v, False)

    def array_store(self, e, t, v):
        array, index = (x.value for x in self.pending[t])
        self.stored[t] = (array, index, e)

    def finish_store(self, store, next):
        array, index, e = store
        failed = array is None
        if next is not None and next.site.event == "CATCH_LABEL":
            failed |= next.value == e.site.pc
        elif next is not None and next.site.event == "METHOD_EXCEPTIONAL_EXIT":
            failed |= self.stream.types.get(next.value) in FAILED_STORES
        if failed:
            self.failed.add(e.seq)
        else:
            self.tell(array, index, e.seq, e.value, True)

    def new_array(self, e, t, v):
        self.created[v] = e.seq
        self.lengths[v] = (e.seq, self.pending[t][0].value)

    def array_length(self, e, t, v):
        array = self.pending[t][0].value
        self.lengths.setdefault(array, (e.seq, v))

    def new_object(self, e, t, v):
        self.created.setdefault(v, e.seq)

    def initialized(self, e, t, v):
        if e.site.cls == self.stream.types.get(v):
            self.constructed.setdefault(v, e.seq)

    def multi_owner(self, e, t, v):
        if t in self.owner:
            self.finish_owner(t)
        self.owner[t] = [v, 0, e.seq]

    def multi_element(self, e, t, v):
        array, n, _ = self.owner[t]
        self.tell(array, n, e.seq, v, True)
        self.owner[t] = [array, n + 1, e.seq]
        if v is not None:
            self.created.setdefault(v, e.seq)

    def finish_owner(self, t):
        array, n, seq = self.owner.pop(t)
        if n:
            self.lengths.setdefault(array, (seq, n))

    def end(self):
        for store in self.stored.values():
            self.finish_store(store, None)
        for t in list(self.static):
            self.finish_static(t, None)
        for t in list(self.owner):
            self.finish_owner(t)

    # ---- questions ----

    def known(self, place, seq):
        """what tells of a place last at or before a moment, or None"""
        log = self.logs.get(place, [])
        n = bisect_right(log, seq, key=lambda x: x[3])
        return log[n - 1] if n else None

    def last_write(self, place, before):
        log = self.logs.get(place, [])
        n = bisect_left(log, before, key=lambda x: x[3])
        while n and not log[n - 1][2]:
            n -= 1
        return log[n - 1] if n else None

    def writes(self, place):
        return [x for x in self.logs.get(place, []) if x[2]]

    def object(self, id, seq):
        """fields and elements that are known at a moment: {name: entry of its log}, {index: the same}"""
        fields, elements = {}, {}
        for place in self.places_of.get(id, []):
            x = self.known(place, seq)
            if x and isinstance(place[1], int) and self.stream.types.get(id) == "boolean[]" and x[1] is not NONE:
                x = (x[0], bool(x[1] & 1), *x[2:])  # its events have the kind of a byte
            if x:
                (elements if isinstance(place[1], int) else fields)[place[1]] = x
        return fields, elements

    def made(self, id):
        """the event that shows that the program made the object, or None"""
        return self.created.get(id, self.constructed.get(id))

    def defaults(self, id, seq):
        """what nothing can have written at a moment, of a program all of whose code is recorded: {field or index:
        (seq of the event that made the object, default value)}"""
        type, life = self.stream.types.get(id), self.lives.get(id)
        made, handed = self.made(id), self.handed.get(id)
        if type is None or made is None or seq < life[0] or handed and handed[0] <= seq:
            return {}
        fields, elements = self.object(id, seq)
        if not type.endswith("[]"):
            every = self.classes.instance_fields(type)
        elif id in self.lengths:
            every = dict.fromkeys(range(self.lengths[id][1]), default(descriptor(type[:-2])))
        else:
            every = {}
        return {part: (made, v) for part, v in every.items() if part not in fields and part not in elements}

    def stale(self, id, seq):
        """where an object was handed to code that is not woven last, and what is known only from before"""
        fields, elements = self.object(id, seq)
        handed = self.handed_last(id, seq)
        created = self.created.get(id, seq + 1)
        stale = [
            part
            for part, x in list(fields.items()) + list(elements.items())
            if handed is not None
            and x[0] < handed
            and not (part in self.classes.finals and created <= seq and (x[2] or x[0] > created))
        ]
        return handed, stale

    def handed_last(self, id, seq):
        handed = self.handed.get(id, [])
        n = bisect_right(handed, seq)
        return handed[n - 1] if n else None


HANDLERS = {
    "GET_INSTANCE_FIELD": Heap.begin,
    "GET_INSTANCE_FIELD_RESULT": Heap.get_field,
    "PUT_INSTANCE_FIELD": Heap.begin,
    "PUT_INSTANCE_FIELD_VALUE": Heap.put_field,
    "GET_STATIC_FIELD": Heap.get_static,
    "PUT_STATIC_FIELD": Heap.put_static,
    "ARRAY_LOAD": Heap.begin,
    "ARRAY_LOAD_INDEX": Heap.more,
    "ARRAY_LOAD_RESULT": Heap.array_load,
    "ARRAY_STORE": Heap.begin,
    "ARRAY_STORE_INDEX": Heap.more,
    "ARRAY_STORE_VALUE": Heap.array_store,
    "NEW_ARRAY": Heap.begin,
    "NEW_ARRAY_RESULT": Heap.new_array,
    "ARRAY_LENGTH": Heap.begin,
    "ARRAY_LENGTH_RESULT": Heap.array_length,
    "METHOD_OBJECT_INITIALIZED": Heap.initialized,
    "NEW_OBJECT_CREATED": Heap.new_object,
    "MULTI_NEW_ARRAY": Heap.new_object,
    "MULTI_NEW_ARRAY_OWNER": Heap.multi_owner,
    "MULTI_NEW_ARRAY_ELEMENT": Heap.multi_element,
}
