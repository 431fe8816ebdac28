"""A trace and the questions about it as a Python object; see the package."""
import contextlib
import ctypes
import fnmatch
import os
from ctypes import byref, c_uint, c_uint32, c_uint64, c_void_p

from . import _library as L
from . import _rows as R
from ._library import lib
from ._rows import NO_SEQ, NO_TIME, known, text_of


class Trace(R.Values):
    def __init__(self, path, readonly=False, index=True):
        self._opened, self._progress, self._raised = c_void_p(), None, None
        self._cursors = {}  # that are open, by address: they are closed before the trace
        options = L.hs_open_options(ctypes.sizeof(L.hs_open_options), not index)
        self._call(lib.hs_open, os.fsencode(path), 1 if readonly else 0, byref(options), byref(self._opened))

    @property
    def _handle(self):
        if not self._opened:
            raise ValueError("the trace is closed")
        return self._opened

    def close(self):
        while self._cursors:
            lib.hs_cursor_close(self._cursors.popitem()[1])
        if self._opened:
            lib.hs_close(self._opened)
            self._opened = c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __len__(self):
        return lib.hs_event_count(self._handle)

    # ---- asking ----

    def _call(self, function, *arguments):
        """The result, 0 or 1; raises Error, or what the progress function raised."""
        error = L.hs_error(ctypes.sizeof(L.hs_error))
        for i, type_ in function.numbers:
            L.exact(type_, arguments[i])
        result = function(*arguments, byref(error))
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        if result < 0:
            raise L.Error(error.code, text_of(error.text))
        return result

    def _rows(self, row, open_function, *arguments, seek=None):
        """The rows of a cursor, one at a time; the cursor is closed when the generator ends or is dropped."""
        with self._cursor(open_function, self._handle, *arguments) as cursor:
            if seek is not None:
                self._call(lib.hs_cursor_seek, cursor, seek)
            yield from self._steps(row, cursor)

    def _rows_behind(self, row, open_function, outer_open, *arguments):
        """The rows of a cursor that is opened from another one."""
        with self._cursor(outer_open, self._handle, *arguments) as outer:
            with self._cursor(open_function, outer) as cursor:
                yield from self._steps(row, cursor)

    @contextlib.contextmanager
    def _cursor(self, open_function, *arguments):
        cursor = c_void_p()
        self._call(open_function, *arguments, byref(cursor))
        self._cursors[cursor.value] = cursor
        try:
            yield cursor
        finally:
            if self._cursors.get(cursor.value) is cursor:
                del self._cursors[cursor.value]
                lib.hs_cursor_close(cursor)

    def _steps(self, row, cursor):
        found = ctypes.POINTER(getattr(L, "hs_" + row))()
        step = getattr(lib, "hs_%s_next" % row)
        while self._call(step, cursor, byref(found)) > 0:
            yield found.contents
            if self._cursors.get(cursor.value) is not cursor:
                raise ValueError("the trace is closed")

    def progress(self, function):
        """function(done, total, phase) is called while much is read; a true result cancels (Error CANCELLED). None:
        none."""

        def report(_, done, total, phase):
            try:
                return 1 if function(done, total, phase.decode()) else 0
            except BaseException as raised:  # must not unwind through C: _call raises it again
                self._raised = raised
                return 1

        self._progress = L.hs_progress_fn(report) if function is not None else L.hs_progress_fn()
        lib.hs_set_progress(self._handle, self._progress, None)

    # ---- tables ----

    def info(self, key):
        return text_of(lib.hs_info(self._handle, key.encode()))

    @property
    def damage(self):
        return text_of(lib.hs_damage(self._handle))

    def dataid(self, number):
        found = lib.hs_dataid_get(self._handle, L.exact(c_uint32, number))
        if not found:
            return None
        d = found.contents
        attrs = {}
        for i in range(d.attr_count):
            a = d.attrs[i].contents
            attrs[text_of(a.name)] = text_of(a.text) if a.type == 1 else bool(a.number) if a.type == 2 else a.number
        return R.DataId(
            d.dataid,
            d.event,
            lib.hs_event_name(d.event).decode(),
            d.kind.decode(),
            *self._names(d.method_id),
            d.pc,
            None if d.line < 0 else d.line,
            attrs,
            text_of(d.file),
        )

    def method(self, method_id):
        m = lib.hs_method_get(self._handle, L.exact(c_uint32, method_id))
        return (
            R.Method(m.contents.method_id, text_of(m.contents.name), text_of(m.contents.desc), m.contents.access)
            if m
            else None
        )

    def counts(self):
        """Events by data ID, as a list."""
        n = lib.hs_dataid_count(self._handle)
        counts = (c_uint64 * max(n, 1))()
        self._call(lib.hs_count_dataids, self._handle, counts, None)
        return list(counts[:n])

    def classes(self):
        for c in self._rows("class", lib.hs_classes_open):
            methods = [c.methods[i].contents for i in range(c.method_count)]
            yield R.Class(
                c.class_no,
                text_of(c.name),
                text_of(c.super),
                text_of(c.loader),
                text_of(c.source),
                ("woven", "filtered", "given up")[c.state],
                [R.Method(m.method_id, text_of(m.name), text_of(m.desc), m.access) for m in methods],
            )

    def threads(self):
        for t in self._rows("thread", lib.hs_threads_open):
            yield R.Thread(
                t.thread,
                text_of(t.name),
                t.daemon,
                t.is_virtual,
                t.start_ns,
                None if t.end_ns == NO_TIME else t.end_ns,
                t.events,
            )

    def _thread_numbers(self, wanted):
        """The numbers of threads that are given by number, by name, or, if none has the name, by a glob."""
        numbers = []
        for thread in [wanted] if isinstance(wanted, (str, int)) else wanted:
            if not isinstance(thread, str):
                numbers.append(L.exact(c_uint32, thread))
                continue
            known = [(t.thread, t.name) for t in self.threads()]
            found = [n for n, name in known if name == thread]
            found = found or [n for n, name in known if fnmatch.fnmatchcase(name, thread)]
            if not found:
                raise ValueError("no thread '%s'; there are: %s" % (thread, ", ".join(sorted({n for _, n in known}))))
            numbers += found
        return numbers

    def marks(self):
        for m in self._rows("mark", lib.hs_marks_open):
            yield R.Mark(text_of(m.name), m.first, m.events, m.begin_ns, None if m.end_ns == NO_TIME else m.end_ns)

    def objects(self, type_glob=None):
        """References to all objects, or to those whose type matches, by id."""
        of_type = () if type_glob is None else (type_glob.encode(),)
        for o in self._rows("object", lib.hs_objects_of_type_open if of_type else lib.hs_objects_open, *of_type):
            yield R.Reference(o.id, text_of(o.type), self._string(o))

    # ---- events ----

    def events(
        self,
        from_seq=0,
        to_seq=NO_SEQ,
        threads=None,
        events=None,
        class_glob=None,
        method_glob=None,
        object_id=0,
        value=None,
        text=None,
        where=None,
    ):
        """The events that satisfy all that is given. `events`: names of event types; `threads`: numbers and names (or
        globs of names) of threads; `where`: a condition as print --where takes it."""
        f = L.hs_filter(ctypes.sizeof(L.hs_filter), from_seq, to_seq)
        if threads is not None:
            numbers = self._thread_numbers(threads)
            f.threads, f.thread_count = (c_uint32 * max(len(numbers), 1))(*numbers), len(numbers)
        if events is not None:
            numbers = [lib.hs_event_number(name.encode()) for name in events]
            if 0 in numbers:
                raise ValueError("no such event type: %s" % events[numbers.index(0)])
            f.events, f.event_count = (c_uint * max(len(numbers), 1))(*numbers), len(numbers)
        for name, given in (("class_glob", class_glob), ("method_glob", method_glob), ("value", value), ("text", text)):
            setattr(f, name, None if given is None else str(given).encode())
        f.object = object_id
        condition = ctypes.c_void_p()
        if where is not None:
            self._call(lib.hs_condition_parse, str(where).encode(), byref(condition))
        f.where = condition.value
        rows = self._rows("event", lib.hs_events_open, byref(f))
        try:
            for e in rows:
                yield self._event(e)
        finally:
            rows.close()
            lib.hs_condition_free(condition)

    def event(self, seq):
        found = ctypes.POINTER(L.hs_event)()
        self._call(lib.hs_event_at, self._handle, seq, byref(found))
        return self._event(found.contents)

    # ---- questions ----

    def frames(self, seq):
        """The call stack of the thread of an event, innermost first; parameters and locals by name."""
        for f in self._rows("frame", lib.hs_frames_open, seq):
            yield self._frame(f)

    def object(self, object_id, seq=NO_SEQ):
        """What is known of an object just after an event (default: at the end)."""
        found = ctypes.POINTER(L.hs_object_state)()
        self._call(lib.hs_object_at, self._handle, object_id, seq, byref(found))
        s = found.contents
        fields = [s.fields[i].contents for i in range(s.field_count)]
        elements = [s.elements[i].contents for i in range(s.element_count)]
        named = {text_of(m.name): self.value(m.kind, m.value) for m in fields}
        numbered = {m.index: self.value(m.kind, m.value) for m in elements}
        about = self.reference(object_id)
        return R.Object(
            object_id,
            about.type,
            about.string,
            known(s.created),
            known(s.first),
            known(s.last),
            s.length if s.has_length else None,
            named,
            numbered,
            s.left_out,
            s.resumed,
        )

    def contents(self, object_id, seq=NO_SEQ):
        """What a collection, StringBuilder, Optional, Atomic... or box of the JDK held just after an event, as the
        calls on it show; None for other objects. Boxes are numbers where that is known.
        """
        found = ctypes.POINTER(L.hs_contents)()
        if self._call(lib.hs_contents_at, self._handle, object_id, seq, byref(found)) == 0:
            return None
        c = found.contents

        def held(value, number):
            v = number or value
            return self.value(v.contents.kind, v.contents.bits) if v else None

        entries = [c.entries[i].contents for i in range(c.entry_count)]
        return R.Contents(
            ("list", "queue", "set", "map", "text", "value")[c.shape],
            c.known,
            c.ordered,
            known(c.since),
            text_of(c.why),
            [R.Entry(held(e.key, e.key_number), held(e.value, e.value_number), known(e.seq)) for e in entries],
            text_of(c.text),
        )

    def history(self, what, from_seq=0):
        """All writes of a field, array element or local variable, the oldest first (`hindsight history`).
        Those with `left_out` stand for writes that may be missing."""
        for w in self._rows("write", lib.hs_history_open, what.encode(), seek=from_seq or None):
            yield self._write(w)

    def last_write(self, what, before=NO_SEQ):
        """The last write before an event, or None; one with `left_out` stands for a write that may be missing."""
        found = ctypes.POINTER(L.hs_write)()
        there = self._call(lib.hs_last_write, self._handle, what.encode(), before, byref(found))
        return self._write(found.contents) if there else None

    def evaluate(self, expression, seq, frame=0):
        """The value of a Java expression just after an event, in a frame of its thread (`hindsight eval`): an
        Evaluation with a `value`, or else what was `not_recorded`, or what Java `throws`.
        """
        found = ctypes.POINTER(L.hs_evaluation)()
        self._call(lib.hs_evaluate, self._handle, seq, frame, expression.encode(), byref(found))
        return self._evaluation(found.contents)

    def watch(self, place, text=None, where=None, kind="any", threads=None, from_seq=0, to_seq=NO_SEQ):
        """A row each time that execution came to the place (Class.method, Class.method:line, or what is written:
        Class.field), with the values of the expressions in the braces of the text (`hindsight watch`). `kind`: any,
        entry, exit, line or write."""
        kinds = ["any", "entry", "exit", "line", "write"]
        numbers = (c_uint32 * len(threads))(*threads) if threads is not None else None
        options = L.hs_watch_options(
            ctypes.sizeof(L.hs_watch_options),
            kinds.index(kind),
            place.encode(),
            text.encode() if text is not None else None,
            where.encode() if where is not None else None,
            from_seq,
            to_seq,
            numbers,
            len(threads) if threads is not None else 0,
        )
        for w in self._rows("watched", lib.hs_watch_open, byref(options)):
            values = [self._evaluation(w.values[i].contents) for i in range(w.value_count)]
            yield R.Watched(self._event(w.event.contents), text_of(w.text), values, w.known)

    def output(self):
        """The lines that the program wrote to standard output and error (`hindsight output`), with the moments of the
        calls that wrote their parts."""
        for line in self._rows("output_line", lib.hs_output_open):
            yield self._output_line(line)

    def moments(self, text):
        """The moments that a text names, as `hindsight at` takes it: a number, a time (+3.5s, -2s, 12:03:04.512), or
        what is in a line of the output, which is then `line`."""
        for m in self._rows("moment", lib.hs_moments_open, text.encode("utf-8", "surrogatepass")):
            line = self._output_line(m.line.contents) if m.line else None
            yield R.Moment(m.seq, m.thread, m.time_ns if m.time_ns != NO_TIME else None, line)

    def tests(self):
        """The tests that JUnit or TestNG ran (`hindsight tests`), in the order in which they began. `status`: passed,
        failed, aborted, skipped or unfinished; `exception`: the id of the object, 0: none.
        """
        words = ["passed", "failed", "aborted", "skipped", "unfinished"]
        for t in self._rows("test", lib.hs_tests_open):
            texts = [text_of(x) for x in (t.framework, t.class_name, t.method, t.name)]
            end = t.end if t.end != NO_SEQ else None
            yield R.Test(*texts, words[t.status], t.container, t.begin, end, t.thread, t.exception, text_of(t.reason))

    def suspects(self, passed, failed=None, class_glob=None, never=False):
        """What failing runs did more often than passing ones (`hindsight suspects`), the most suspicious first; with
        `never` what every passing run did and no failing one. A run is a Trace, a Test of this trace, or
        (trace, from, to); `failed` None: this trace alone."""
        runs = [(r, False) for r in passed] + [(r, True) for r in ([self] if failed is None else failed)]
        rows = (L.hs_suspect_run * len(runs))()
        for row, (run, is_failed) in zip(rows, runs):
            if isinstance(run, R.Test):
                run = (self, run.begin, run.end)
            trace, begin, end = run if isinstance(run, tuple) else (run, 0, None)
            row.trace, row.thread, row.failed = trace._handle, 2**32 - 1, is_failed
            row.from_, row.to = begin, NO_SEQ if end is None else end
        o = L.hs_suspect_options(ctypes.sizeof(L.hs_suspect_options), rows, len(runs))
        o.class_glob = None if class_glob is None else class_glob.encode()
        o.never = never
        with self._cursor(lib.hs_suspects_open, byref(o)) as cursor:
            for s in self._steps("suspect", cursor):
                yield R.Suspect(
                    text_of(lib.hs_suspect_kind_name(s.kind)),
                    text_of(s.method),
                    s.line if s.line >= 0 else None,
                    text_of(s.what),
                    s.failing,
                    s.passing,
                    s.failing_reached,
                    s.passing_reached,
                    s.ochiai,
                    s.increase,
                    s.run,
                    s.seq,
                    s.never,
                )

    def diff(self, other, noise=None, class_glob=None, method_glob=None, first=False):
        """Where this run and another one differ (`hindsight diff`). `noise`: a third, what differs from which is left
        out; `first`: only the first difference of each thread, and its first decision."""
        o = L.hs_diff_options(ctypes.sizeof(L.hs_diff_options), self._handle, other._handle, noise and noise._handle)
        o.class_glob, o.method_glob = (None if glob is None else glob.encode() for glob in (class_glob, method_glob))
        o.first = first
        with self._cursor(lib.hs_diff_open, byref(o)) as cursor:
            for d in self._steps("difference", cursor):
                path = (d.path[i].contents for i in range(d.path_count))
                yield R.Difference(
                    text_of(lib.hs_difference_kind_name(d.kind)),
                    d.first,
                    text_of(d.what),
                    self._event(d.a.contents) if d.a else None,
                    other._event(d.b.contents) if d.b else None,
                    self._decision(d.a_decision),
                    other._decision(d.b_decision),
                    d.a_was,
                    d.b_was,
                    [text_of(d.differs[i]) for i in range(d.differs_count)],
                    d.times,
                    d.calls,
                    [R.ComparedMethod(*map(text_of, (m.class_name, m.name, m.desc))) for m in path]
                    if d.has_path
                    else None,
                    d.outer,
                )

    def why(self, seq, max_events=0, choose=None, all_choices=False, depth=16, under=False, control=False):
        """The chain back from the value of an event, newest first; `choose`, as "1.2,3.1": the choices it follows. With
        `all_choices` the tree of all of them, each moment before those it comes from, down to `depth`. `under`: each
        with the branch that it stands under; `control`: why it happened, the branches and calls up to the entry of the
        thread."""
        o = L.hs_why_options(ctypes.sizeof(L.hs_why_options), seq, max_events)
        o.choose, o.all, o.depth = (None if choose is None else choose.encode(), all_choices, depth)
        o.under, o.control = under, control
        for c in self._rows("cause", lib.hs_causes_open, byref(o)):
            choices = [c.choices[i].contents for i in range(c.choice_count)]
            yield R.Cause(
                self._event(c.event.contents),
                text_of(c.because),
                text_of(c.end),
                [c.operands[i] for i in range(c.operand_count)],
                R.WAYS[c.by],
                [R.Choice(self._event(x.event.contents), text_of(x.role), R.WAYS[x.by]) for x in choices],
                c.branch or None,
                c.chosen or None,
                c.depth,
                c.repeated,
                self._decision(c.decision),
                text_of(c.overflow),
            )

    def why_not(self, place, in_call=None, at=None, times=1, expect=None):
        """Why something did not happen (`hindsight why-not`): a place (Class.method, Class.method:LINE, Class:LINE) was
        not reached, in no call or in none `times` times; Class.field, ID.field, ID[index] or Class.method:local was
        not written, or not as `expect`; "throw TYPE". Of all calls, or of the one that the METHOD_ENTRY `in_call`
        begins; up to the moment `at`."""
        o = L.hs_absence_options(ctypes.sizeof(L.hs_absence_options), place.encode())
        o.in_, o.at = (NO_SEQ if in_call is None else in_call, NO_SEQ if at is None else at)
        o.times, o.expect = times, None if expect is None else expect.encode()
        for a in self._rows("absence", lib.hs_absences_open, byref(o)):
            yield R.Absence(
                text_of(lib.hs_situation_name(a.situation)),
                a.calls,
                text_of(a.method),
                a.line if a.line >= 0 else None,
                known(a.seq),
                text_of(a.because),
                text_of(a.needs),
                self._decision(a.decision),
                text_of(a.target),
                a.times or None,
                text_of(a.exception),
                text_of(a.what),
                *(self.value(v.contents.kind, v.contents.bits) if v else None for v in (a.value, a.expected)),
            )

    def test_source(self, seq, junit=5, class_name=None):
        """A JUnit test of the call that the event stands in: its `source`, or `why` there can be none."""
        name = None if class_name is None else class_name.encode()
        o = L.hs_test_source_options(ctypes.sizeof(L.hs_test_source_options), seq, junit, name)
        t = next(self._rows("test_source", lib.hs_test_sources_open, byref(o)))
        doubts = [text_of(t.doubts[i]) for i in range(t.doubt_count)]
        texts = (text_of(t.package), text_of(t.class_name), text_of(t.source), text_of(t.why))
        return R.TestSource(t.seq, t.method_id, *texts, doubts)

    def slice(self, seq, kind="all", forward=False, distance=None):
        """All that the event depends on, or with `forward` all that came of it. `kind`: all, thin (values alone) or
        control (branches, calls and throws alone). They are found as they are asked for.
        """
        kinds = ("all", "thin", "control")
        o = L.hs_slice_options(ctypes.sizeof(L.hs_slice_options), seq, kinds.index(kind), forward)
        o.distance = 2**32 - 1 if distance is None else distance
        for r in self._rows("slice", lib.hs_slice_open, byref(o)):
            yield R.Slice(
                self._event(r.event.contents),
                r.distance,
                known(r.from_),
                R.WAYS[r.by],
                text_of(r.because),
                text_of(r.end),
                r.output,
                self._decision(r.decision),
                text_of(r.overflow),
            )

    def allocations(self, by="place", class_glob=None, method_glob=None, type_glob=None):
        """The objects that woven code made (`hindsight alloc`), by place, type or tree, the most first. Of a method of
        the tree `type`, `line` and `pc` are None."""
        o = L.hs_allocation_options(ctypes.sizeof(L.hs_allocation_options), ("place", "type", "tree").index(by))
        o.to = NO_SEQ
        globs = (None if g is None else g.encode() for g in (class_glob, method_glob, type_glob))
        o.class_glob, o.method_glob, o.type_glob = globs
        for x in self._rows("allocation", lib.hs_allocations_open, byref(o)):
            m = lib.hs_method_get(self._handle, x.method_id).contents
            d = self.dataid(x.dataid) if x.dataid != 2**32 - 1 else None
            yield R.Allocation(
                text_of(x.type),
                x.count,
                x.unread,
                x.elements,
                x.life,
                x.longest,
                x.longest_id,
                x.seq,
                x.last,
                x.thread,
                text_of(lib.hs_class_get(self._handle, m.class_no).contents.name),
                text_of(m.name),
                text_of(m.desc),
                d and d.line,
                d and d.pc,
                x.depth if by == "tree" else None,
            )

    def heap(self, at=None, since=None, objects=False, type_glob=None, limit=0):
        """The objects at a moment (`hindsight heap`): by type, or with `objects` those that retain most, of these
        `limit` (0: all)."""
        o = L.hs_heap_options(ctypes.sizeof(L.hs_heap_options))
        o.at, o.since = (NO_SEQ if x is None else x for x in (at, since))
        o.objects, o.max = objects, limit
        o.type_glob = None if type_glob is None else type_glob.encode()
        for x in self._rows("heap_row", lib.hs_heap_open, byref(o)):
            yield R.HeapRow(
                text_of(x.type),
                x.id or None,
                x.reached,
                x.outside,
                x.unheld,
                x.retained,
                x.dominator or None,
                text_of(x.root),
                x.before,
                x.made,
                x.gone,
            )

    def overflows(self, where=None, each=False, class_glob=None, method_glob=None, limit=0):
        """Arithmetic that wrapped and conversions that lost bits (`hindsight overflows`): a row for each instruction,
        or with `each` for each time, of these the newest `limit` (0: all); the newest first. `where`: a condition as
        --where takes it. `left`, `right` and `result` are those of the first time."""
        o = L.hs_overflow_options(ctypes.sizeof(L.hs_overflow_options), 0, NO_SEQ)
        o.each, o.max = each, limit
        o.class_glob = None if class_glob is None else class_glob.encode()
        o.method_glob = None if method_glob is None else method_glob.encode()
        condition = ctypes.c_void_p()
        if where is not None:
            self._call(lib.hs_condition_parse, where.encode(), byref(condition))
            o.where = condition.value
        try:
            for x in self._rows("overflow", lib.hs_overflows_open, byref(o)):
                m = lib.hs_method_get(self._handle, x.method_id).contents
                values = [self.value(v.kind, v.bits) if v.kind != b"\0" else None for v in (x.left, x.right, x.result)]
                yield R.Overflow(
                    x.seq,
                    x.last,
                    x.count,
                    x.thread,
                    text_of(lib.hs_class_get(self._handle, m.class_no).contents.name),
                    text_of(m.name),
                    text_of(m.desc),
                    x.pc,
                    x.line if x.line >= 0 else None,
                    text_of(x.op),
                    text_of(x.symbol),
                    text_of(lib.hs_loss_name(x.loss)),
                    x.bits or None,
                    text_of(x.what),
                    *values,
                    text_of(x.exact),
                )
        finally:
            lib.hs_condition_free(condition)

    def exceptions(self):
        with self._cursor(lib.hs_exceptions_open, self._handle) as cursor:
            for x in self._steps("exception", cursor):
                yield self._thrown(cursor, x)

    def _thrown(self, cursor, x):
        """The exception that the cursor returned last."""
        held = lib.hs_exception_held(cursor)
        h = held.contents if held else None
        frames = [h.frames[i].contents for i in range(h.frame_count)] if h else []
        return R.Thrown(
            x.id,
            text_of(x.type),
            text_of(h.message) if h else None,
            (h.cause or None) if h else None,
            x.thrown,
            known(x.caught),
            x.swallowed,
            [
                R.StackFrame(
                    text_of(f.class_name),
                    text_of(f.method),
                    text_of(f.file),
                    None if f.line < 0 else f.line,
                    f.native,
                )
                for f in frames
            ],
            self._throw_stack(cursor),
        )

    def _throw_stack(self, cursor):
        """With format=exceptions: the frames when it was thrown, with their variables; else None."""
        stack = lib.hs_exception_stack(cursor)
        if not stack:
            return None
        frames = [stack.contents.frames[i].contents for i in range(stack.contents.frame_count)]
        return [
            R.ThrowFrame(
                text_of(f.class_name),
                text_of(f.method),
                text_of(f.file),
                None if f.line < 0 else f.line,
                f.native,
                f.caught,
                [
                    R.ThrowVariable(text_of(v.name), v.redacted, None if v.redacted else self.value(v.kind, v.value))
                    for v in (f.variables[i].contents for i in range(f.variable_count))
                ],
            )
            for f in frames
        ]

    @property
    def clock_resolution_ns(self):
        """Times between two events below this are not known: 1 if every event has a time; None without a clock."""
        resolution = lib.hs_clock_resolution_ns(self._handle)
        return None if resolution == NO_TIME else resolution

    def costs(self, from_seq=0, to_seq=NO_SEQ):
        """What the calls of each method took; of times below resolution_ns nothing more is known (None: no clock)."""
        resolution = self.clock_resolution_ns
        for c in self._rows("cost", lib.hs_costs_open, from_seq, to_seq):
            yield R.Cost(
                *self._names(c.method_id), c.calls, c.total_ns, c.self_ns, c.min_ns, c.max_ns, c.exceptions, resolution
            )

    def tree(self, thread=0, depth=2**32 - 1):
        """The calls of a thread in the order of their entries, loops folded."""
        options = L.hs_tree_options(ctypes.sizeof(L.hs_tree_options), thread, 0, NO_SEQ, depth, 0, NO_SEQ, 0, NO_SEQ)
        for c in self._rows("call", lib.hs_tree_open, byref(options)):
            site = lib.hs_dataid_get(self._handle, c.dataid).contents
            arguments = [c.arguments[i].contents for i in range(c.argument_count)]
            result = c.result.contents if c.result else None
            yield R.Call(
                c.seq,
                c.depth,
                *self._names(site.method_id),
                None if site.line < 0 else site.line,
                [self.value(a.kind, a.bits) for a in arguments],
                self.value(result.kind, result.bits) if result else None,
                self.reference(c.exception) if c.threw else None,
                c.calls,
                c.times,
                c.left_out,
            )

    # ---- threads against each other ----

    def holds(self, threads=None):
        """Each time that a thread held a monitor, by their ends; `threads` as of events. A monitor is a Reference, or
        the name of a class whose object is not known."""
        numbers = [] if threads is None else self._thread_numbers(threads)
        given = None if threads is None else (c_uint32 * max(len(numbers), 1))(*numbers)
        for h in self._rows("hold", lib.hs_holds_open, given, len(numbers)):
            site = self.dataid(h.dataid)
            yield R.Hold(
                self.reference(h.object) or (site.class_name if site else None),
                h.thread,
                h.dataid,
                known(h.asked),
                h.entered,
                known(h.left),
                known(h.wait_ns),
                known(h.hold_ns),
                h.again,
            )

    def locks(self):
        """The monitors: how often and how long each was held and waited for."""
        for x in self._rows("lock", lib.hs_locks_open):
            yield R.Lock(
                self._monitor(x),
                x.entered,
                x.contended,
                x.wait_ns,
                x.hold_ns,
                x.waits_unknown,
                x.holds_unknown,
                x.still_held,
                x.still_waiting,
                x.shared,
            )

    def lock_order(self):
        """Which monitors were entered while which others were held."""
        for e in self._rows_behind("lock_edge", lib.hs_lock_edges_open, lib.hs_locks_open):
            yield self._edge(e)

    def inversions(self):
        """Circles in that order, which can end in a deadlock: lists of LockEdge."""
        for v in self._rows_behind("inversion", lib.hs_inversions_open, lib.hs_locks_open):
            yield [self._edge(v.edges[i].contents) for i in range(v.edge_count)]

    def thread_states(self, seq=NO_SEQ):
        """Where each thread is just after an event (default: at the end), and what it waits for."""
        for s in self._rows("thread_state", lib.hs_thread_states_open, seq):
            yield self._state(s)

    def deadlocks(self, seq=NO_SEQ):
        """Circles of threads that wait for each other just after an event: lists of ThreadState."""
        for d in self._rows_behind("deadlock", lib.hs_deadlocks_open, lib.hs_thread_states_open, seq):
            yield [self._state(d.threads[i].contents) for i in range(d.thread_count)]

    def races(self):
        """Pairs of accesses that nothing orders. `index`: of an element; the DataId of `b` has the field."""
        for r in self._rows("race", lib.hs_races_open):
            yield R.Race(
                self.event(r.a),
                self.event(r.b),
                r.count,
                self.reference(r.object),
                r.index if r.element else None,
                r.collection,
            )

    # ---- the whole run ----

    def features(self):
        """What ran inside of the marks of each name, by their first marks; methods are (class, method, descriptor)."""
        for f in self._rows("feature", lib.hs_features_open):
            classes = [lib.hs_class_get(self._handle, f.classes[i]) for i in range(f.class_count)]
            yield R.Feature(
                text_of(f.name),
                f.marks,
                f.unended,
                known(f.first),
                known(f.last),
                f.events,
                f.calls,
                f.objects,
                f.created,
                [self._names(f.methods[i]) for i in range(f.method_count)],
                [text_of(c.contents.name) for c in classes if c],
            )

    def feature_methods(self):
        """The methods of any feature, with the names of their features."""
        names = [f.name for f in self.features()]
        for m in self._rows_behind("feature_method", lib.hs_feature_methods_open, lib.hs_features_open):
            yield R.FeatureMethod(
                *self._names(m.method_id),
                [names[m.features[i]] for i in range(m.feature_count)],
                ("single", "low", "high", "infrastructural")[m.affinity],
            )

    def feature_flows(self):
        """Objects made in one feature and used in another: how many, and of which types."""
        names = [f.name for f in self.features()]
        for f in self._rows_behind("feature_flow", lib.hs_feature_flows_open, lib.hs_features_open):
            types = [f.types[i].contents for i in range(f.type_count)]
            named = [(lib.hs_type_get(self._handle, t.class_id), t.objects) for t in types]
            yield R.FeatureFlow(
                names[f.from_], names[f.to], f.objects, {text_of(t.contents.name) if t else None: n for t, n in named}
            )

    def similarities(self):
        """Each pair of features, by their names: methods of both divided by methods of either, 0 to 1."""
        with self._cursor(lib.hs_features_open, self._handle) as cursor:
            found = [ctypes.pointer(f) for f in self._steps("feature", cursor)]  # kept until the cursor is closed
            for i, a in enumerate(found):
                for b in found[i + 1 :]:
                    similar = lib.hs_feature_similarity(a, b)
                    yield R.Similarity(text_of(a.contents.name), text_of(b.contents.name), similar)

    def signals(self, buckets=100, by_time=False):
        """Calls and their depth over the run, cut into pieces of equal width (ns with `by_time`, else events): first of
        the whole run, whose `feature` is None, then of each feature. `depth`: of the deepest call that began there."""
        for s in self._rows("signal", lib.hs_signals_open, buckets, by_time):
            n = s.bucket_count
            yield R.Signal(text_of(s.feature), s.by_time, s.width, s.calls[:n], s.depth[:n])

    def stretches(self, from_seq=0, to_seq=NO_SEQ):
        """The events of each thread in pieces, from the index; Error NOT_FOUND: it does not have them. `frames`: the
        calls open before a piece, outermost first, as (method id, position of the entry in its thread).
        """
        for s in self._rows("stretch", lib.hs_stretches_open, from_seq, to_seq):
            p = s.pause.contents if s.pause else None
            yield R.Stretch(
                s.thread,
                s.seq,
                s.position,
                s.last,
                None if s.begin_ns == NO_TIME else s.begin_ns,
                s.events,
                s.calls,
                s.exceptions,
                s.depth,
                s.least,
                s.most,
                R.Pause(p.ns, p.begin, p.dataid, self.value(p.kind, p.value)) if p else None,
                [(s.methods[i], known(s.entries[i])) for i in range(s.frame_count)],
            )

    def samples(self, step, from_seq=0, to_seq=NO_SEQ, threads=None):
        """The calls open at every `step`-th event, of each thread of which one can have begun or ended since the moment
        before. `frames`: outermost first, as (method id, position of the entry in its thread)."""
        numbers = list(threads or ())
        given = None if threads is None else (c_uint32 * max(len(numbers), 1))(*numbers)
        for s in self._rows("sample", lib.hs_samples_open, given, len(numbers), from_seq, to_seq, step):
            frames = [(s.methods[i], known(s.entries[i])) for i in range(s.frame_count)]
            yield R.Sample(s.thread, s.seq, frames)

    def event_seq(self, thread, position):
        """The seq of the event of a thread at this position."""
        seq = c_uint64()
        self._call(lib.hs_event_seq, self._handle, thread, position, byref(seq))
        return seq.value

    def build_index(self):
        self._call(lib.hs_index_build, self._handle)
