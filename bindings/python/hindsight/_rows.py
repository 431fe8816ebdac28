"""The rows of the answers, copies of the structs of the library; see the package."""
import ctypes
import struct as _pack
from collections import namedtuple
from ctypes import c_uint32

from . import _library as L
from ._library import lib

NO_SEQ = 2**64 - 1
NO_TIME = 2**64 - 1
_BITS = {"B": 64, "S": 64, "I": 64, "J": 64}

DataId = namedtuple("DataId", "dataid event name kind class_name method desc pc line attrs file")
Class = namedtuple("Class", "class_no name super loader source state methods")
Method = namedtuple("Method", "method_id name desc access")
Thread = namedtuple("Thread", "thread name daemon virtual start_ns end_ns events")
Mark = namedtuple("Mark", "name first events begin_ns end_ns")
Frame = namedtuple("Frame", "method_id class_name method desc line pc entered this parameters locals left_out file")
Object = namedtuple("Object", "id type string created first last length fields elements left_out resumed")
Contents = namedtuple("Contents", "kind known ordered since why entries text")
Entry = namedtuple("Entry", "key value seq")
Write = namedtuple("Write", "event object index declaring field left_out resumed")
Evaluation = namedtuple("Evaluation", "value not_recorded throws")
Test = namedtuple("Test", "framework class_name method name status container begin end thread exception reason")
OutputLine = namedtuple("OutputLine", "stream text bytes ended cut parts")
OutputPart = namedtuple("OutputPart", "seq dataid thread written time_ns by_program at")
Moment = namedtuple("Moment", "seq thread time_ns line")
Watched = namedtuple("Watched", "event text values known")
Cause = namedtuple("Cause", "event because end operands by choices branch chosen depth repeated decision overflow")
Suspect = namedtuple(
    "Suspect",
    "kind method line what failing passing failing_reached passing_reached ochiai increase run seq never",
)
Difference = namedtuple(
    "Difference", "kind first what a b a_decision b_decision a_was b_was differs times calls path outer"
)
ComparedMethod = namedtuple("ComparedMethod", "class_name name desc")
TestSource = namedtuple("TestSource", "seq method_id package class_name source why doubts")
Absence = namedtuple(
    "Absence",
    "situation calls method line seq because needs decision target times exception what value expected",
)
Slice = namedtuple("Slice", "event distance found_by by because end output decision overflow")
Allocation = namedtuple(
    "Allocation",
    "type count unread elements life longest longest_id seq last thread class_name method desc line pc depth",
)
HeapRow = namedtuple("HeapRow", "type id reached outside unheld retained dominator root before made gone")
Overflow = namedtuple(
    "Overflow",
    "seq last count thread class_name method desc pc line op symbol loss bits what left right result exact",
)
Decided = namedtuple("Decided", "text value seq")
Decision = namedtuple("Decision", "seq class_name method line condition relation values")
Choice = namedtuple("Choice", "event role by")
WAYS = (None, "identity", "equal", "computed", "control")  # Cause.by, Choice.by, Slice.by
Thrown = namedtuple("Thrown", "id type message cause thrown caught swallowed frames stack")
ThrowVariable = namedtuple("ThrowVariable", "name redacted value")
ThrowFrame = namedtuple("ThrowFrame", "class_name method file line native caught variables")
StackFrame = namedtuple("StackFrame", "class_name method file line native")
Cost = namedtuple("Cost", "class_name method desc calls total_ns self_ns min_ns max_ns exceptions resolution_ns")
Call = namedtuple("Call", "seq depth class_name method desc line arguments result exception calls times left_out")

Hold = namedtuple("Hold", "monitor thread dataid asked entered left wait_ns hold_ns again")
Lock = namedtuple(
    "Lock", "monitor entered contended wait_ns hold_ns waits_unknown holds_unknown still_held still_waiting shared"
)
LockEdge = namedtuple("LockEdge", "outer inner count entered_outer entered_inner circle")
ThreadState = namedtuple("ThreadState", "thread name last frames holds wait outside")
Wait = namedtuple("Wait", "what monitor since timed owner held_since")
Feature = namedtuple("Feature", "name marks unended first last events calls objects created methods classes")
FeatureMethod = namedtuple("FeatureMethod", "class_name method desc features affinity")
FeatureFlow = namedtuple("FeatureFlow", "source target objects types")
Similarity = namedtuple("Similarity", "a b similarity")
Signal = namedtuple("Signal", "feature by_time width calls depth")
Stretch = namedtuple(
    "Stretch", "thread seq position last begin_ns events calls exceptions depth least most pause frames"
)
Sample = namedtuple("Sample", "thread seq frames")
Pause = namedtuple("Pause", "ns begin dataid value")
Race = namedtuple("Race", "a b count object index collection")


class Reference(namedtuple("Reference", "id type string")):
    """A reference to an object: its id, its type and, of a string, its text."""

    __slots__ = ()

    def __str__(self):
        return repr(self.string) if self.string is not None else "%s#%d" % (self.type or "object", self.id)


Event = namedtuple("Event", "seq thread dataid name value kind time_ns position")


def text_of(raw):
    """As trace.h writes names: a NUL is C0 80, a lone surrogate its three bytes; a cut sentence may end in a
    character."""
    if raw is None:
        return None
    raw = raw.replace(b"\xc0\x80", b"\0")
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")


def known(seq):
    return None if seq == NO_SEQ else seq


class Values:
    """What rows are made of: values, objects, events, frames, names. Trace has the handle."""

    def reference(self, object_id):
        """None for null."""
        if object_id == 0:
            return None
        found = lib.hs_object_get(self._handle, L.exact(c_uint32, object_id))
        return (
            Reference(object_id, text_of(found.contents.type), self._string(found.contents))
            if found
            else Reference(object_id, None, None)
        )

    @staticmethod
    def _string(o):
        if not o.has_string:
            return None
        data = ctypes.string_at(o.data, o.data_bytes) if o.data_bytes else b""
        return data.decode("latin-1") if o.latin1 else data.decode("utf-16-le", "surrogatepass")

    def value(self, kind, bits):
        """A Python value: None for null and for events without a value, Reference for objects."""
        kind = kind.decode() if isinstance(kind, bytes) else kind
        if kind == "L":
            return self.reference(bits)
        if kind in "V\0":
            return None
        if kind == "Z":
            return bits != 0
        if kind in _BITS:
            return bits - 2**64 if bits >= 2**63 else bits
        if kind == "F":
            return _pack.unpack("<f", _pack.pack("<I", bits & 0xFFFFFFFF))[0]
        if kind == "D":
            return _pack.unpack("<d", _pack.pack("<Q", bits))[0]
        return bits

    def _event(self, e):
        site = lib.hs_dataid_get(self._handle, e.dataid)
        name = lib.hs_event_name(site.contents.event).decode() if site else None
        return Event(
            e.seq,
            e.thread,
            e.dataid,
            name,
            self.value(e.kind, e.value),
            e.kind.decode(),
            None if e.time_ns == NO_TIME else e.time_ns,
            e.position,
        )

    def _names(self, method_id):
        m = lib.hs_method_get(self._handle, method_id)
        c = lib.hs_class_get(self._handle, m.contents.class_no) if m else None
        return (
            text_of(c.contents.name) if c else None,
            text_of(m.contents.name) if m else None,
            text_of(m.contents.desc) if m else None,
        )

    def _frame(self, f):
        def variables(list_, n):
            return {
                text_of(list_[i].contents.name): self.value(list_[i].contents.kind, list_[i].contents.value)
                for i in range(n)
            }

        return Frame(
            f.method_id,
            *self._names(f.method_id),
            None if f.line < 0 else f.line,
            None if f.nowhere or f.unsure else f.pc,
            known(f.entered),
            self.reference(f.self) if f.has_this else None,
            variables(f.parameters, f.parameter_count),
            variables(f.locals, f.local_count),
            f.left_out,
            text_of(f.file),
        )

    def _write(self, w):
        return Write(
            self._event(w.event.contents),
            w.object or None,
            w.index if w.has_index else None,
            text_of(w.declaring),
            text_of(w.field),
            w.left_out,
            w.resumed,
        )

    def _evaluation(self, v):
        missing, throws = text_of(v.not_recorded), text_of(v.throws)
        value = None
        if missing is None and throws is None:
            value = text_of(v.text) if v.text is not None else self.value(v.kind, v.bits)
        return Evaluation(value, missing, throws)

    @staticmethod
    def _output_line(x):
        parts = []
        for p in (x.parts[i].contents for i in range(x.part_count)):
            time_ns = p.time_ns if p.time_ns != NO_TIME else None
            parts.append(OutputPart(p.seq, p.dataid, p.thread, p.written, time_ns, p.by_program, p.at))
        stream = "stderr" if x.stream == 2 else "stdout"
        return OutputLine(stream, text_of(x.text), ctypes.string_at(x.bytes, x.byte_count), x.ended, x.cut, parts)

    def _decision(self, pointer):
        if not pointer:
            return None
        d = pointer.contents
        m = lib.hs_method_get(self._handle, d.method_id).contents
        seen = [d.values[i].contents for i in range(d.value_count)]
        return Decision(
            d.seq,
            text_of(lib.hs_class_get(self._handle, m.class_no).contents.name),
            text_of(m.name),
            d.place.line if d.place.line >= 0 else None,
            text_of(d.condition),
            text_of(d.relation),
            [
                Decided(
                    text_of(v.text),
                    self.value(v.kind, v.value) if v.known else None,
                    None if v.seq == NO_SEQ else v.seq,
                )
                for v in seen
            ],
        )

    def _monitor(self, lock):
        return self.reference(lock.object) or text_of(lock.class_name)

    def _edge(self, e):
        return LockEdge(
            self._monitor(e.from_.contents),
            self._monitor(e.to.contents),
            e.count,
            self.event(e.outer),
            self.event(e.inner),
            e.circle,
        )

    def _state(self, s):
        owner, of_class = s.owner, s.of_class
        wait = None
        if s.wait != 0:
            wait = Wait(
                (None, "enter", "notify", "join")[s.wait],
                text_of(of_class.contents.name) if of_class else self.reference(s.object),
                s.since,
                s.timed,
                owner.contents.thread.contents.thread if owner else None,
                known(s.held_since),
            )
        return ThreadState(
            s.thread.contents.thread,
            text_of(s.thread.contents.name),
            self._event(s.last.contents) if s.last else None,
            [self._frame(s.frames[i].contents) for i in range(s.frame_count)] if s.frames else None,
            s.holds,
            wait,
            self.dataid(s.outside.contents.dataid) if s.outside else None,
        )
