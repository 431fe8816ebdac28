"""libhindsight-reader: where it is, its structs and its functions. The structs are written down as in reader/api, and
held against the library when it is loaded: it may have longer ones (fields are appended), never shorter ones."""
import ctypes
import ctypes.util
import enum
import operator
import os
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint
from ctypes import c_uint32, c_uint64, c_void_p


class Status(enum.IntEnum):
    OK, MEMORY, IO, FORMAT, LIMIT, NOT_FOUND, EXISTS, USAGE, STORE, FULL, UNSUPPORTED, CANCELLED = range(12)


class Group(enum.IntEnum):
    EXEC, CALL, PARAM, FIELD, ARRAY, OBJECT, SYNC, LOCAL, LABEL, LINE = range(10)


class Kind(str, enum.Enum):
    VOID, BOOLEAN, BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE, REF, PC = "VZBCSIJFDLP"


class Error(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = Status(code) if 0 <= code < len(Status) else code


INTEGERS = {c_int, c_int32, c_int64, c_uint, c_uint32, c_uint64, c_size_t}


def exact(type_, value):
    """The number, if the type of C can hold it: ctypes would cut it."""
    value = operator.index(value)
    if type_(value).value != value:
        signed, bits = type_(-1).value < 0, 8 * ctypes.sizeof(type_)
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        raise ValueError("a number must be from %d to %d here, not %d" % (low, high, value))
    return value


class _Struct(Structure):
    def __setattr__(self, name, value):
        type_ = dict(self._fields_).get(name)
        super().__setattr__(name, exact(type_, value) if type_ in INTEGERS else value)


def _struct(name, *fields):
    return type(name, (_Struct,), {"_fields_": [(f, t) for names, t in fields for f in names.split()]})


def pointers(struct):
    return POINTER(POINTER(struct))


hs_error = _struct("hs_error", ("size", c_size_t), ("code", c_int), ("text", c_char * 512))
hs_open_options = _struct("hs_open_options", ("size", c_size_t), ("no_index", c_bool), ("copy_of", c_char_p))
hs_event = _struct(
    "hs_event",
    ("seq", c_uint64),
    ("thread dataid", c_uint32),
    ("value stamp time_ns", c_uint64),
    ("kind", c_char),
    ("position", c_uint64),
)
hs_filter = _struct(
    "hs_filter",
    ("size", c_size_t),
    ("from_ to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
    ("events", POINTER(c_uint)),
    ("event_count", c_size_t),
    ("class_glob method_glob", c_char_p),
    ("object", c_uint32),
    ("value text", c_char_p),
    ("where", c_void_p),
)
hs_attr = _struct("hs_attr", ("name", c_char_p), ("type", c_int), ("number", c_int64), ("text", c_char_p))
hs_dataid = _struct(
    "hs_dataid",
    ("dataid", c_uint32),
    ("event", c_uint),
    ("kind", c_char),
    ("joined", c_bool),
    ("class_no method_id pc", c_uint32),
    ("line", c_int32),
    ("attr_count", c_uint32),
    ("attrs", pointers(hs_attr)),
    ("file", c_char_p),
    ("table_line", c_int32),
)
hs_method = _struct(
    "hs_method",
    ("method_id class_no", c_uint32),
    ("name desc", c_char_p),
    ("access code_length", c_uint32),
    ("hash", c_uint64),
    ("groups", c_uint32),
    ("reason", c_char_p),
)
hs_class = _struct(
    "hs_class",
    ("class_no", c_uint32),
    ("state", c_int),
    ("name super loader", c_char_p),
    ("loader_id", c_uint64),
    ("source source_file", c_char_p),
    ("major minor access", c_uint32),
    ("hash size_bytes", c_uint64),
    ("reason", c_char_p),
    ("first_dataid dataid_count method_count", c_uint32),
    ("methods", pointers(hs_method)),
)
hs_thread = _struct(
    "hs_thread",
    ("thread", c_uint32),
    ("tid", c_uint64),
    ("name group", c_char_p),
    ("known daemon is_virtual", c_bool),
    ("start_ns end_ns object_id events", c_uint64),
)
hs_mark = _struct("hs_mark", ("name", c_char_p), ("first events begin_ns end_ns", c_uint64))
hs_object = _struct(
    "hs_object",
    ("id class_id", c_uint32),
    ("type", c_char_p),
    ("has_string latin1 cut", c_bool),
    ("length", c_uint64),
    ("data", c_void_p),
    ("data_bytes", c_size_t),
)
hs_exception = _struct(
    "hs_exception",
    ("id", c_uint32),
    ("thrown caught", c_uint64),
    ("swallowed", c_bool),
    ("left", c_uint64),
    ("exit_count", c_size_t),
    ("exits", POINTER(c_uint64)),
    ("first", POINTER(hs_event)),
    ("caught_dataid", c_uint32),
)
hs_stack_frame = _struct("hs_stack_frame", ("class_name method file", c_char_p), ("line", c_int32), ("native", c_bool))
hs_thrown = _struct(
    "hs_thrown",
    ("id", c_uint32),
    ("message", c_char_p),
    ("cause", c_uint64),
    ("suppressed", POINTER(c_uint64)),
    ("suppressed_count", c_size_t),
    ("has_stack message_redacted", c_bool),
    ("frames", pointers(hs_stack_frame)),
    ("frame_count", c_size_t),
    ("message_computed message_overridden", c_bool),
    ("detail", c_char_p),
)
hs_cost = _struct(
    "hs_cost",
    ("method_id", c_uint32),
    ("calls exceptions left total_ns self_ns min_ns max_ns", c_uint64),
    ("histogram", c_uint64 * 64),
    ("hooks_ns", c_uint64),
)
hs_value = _struct("hs_value", ("bits", c_uint64), ("kind", c_char))
hs_repeat = _struct("hs_repeat", ("calls", c_uint32), ("times", c_uint64))
hs_call = _struct(
    "hs_call",
    ("seq", c_uint64),
    ("dataid depth", c_uint32),
    ("calls times", c_uint64),
    ("repeats", pointers(hs_repeat)),
    ("repeat_count", c_size_t),
    ("receiver result", POINTER(hs_value)),
    ("arguments", pointers(hs_value)),
    ("argument_count", c_uint32),
    ("like", c_uint64),
    ("left threw", c_bool),
    ("exception left_out", c_uint64),
)
hs_tree_options = _struct(
    "hs_tree_options",
    ("size", c_size_t),
    ("thread", c_uint32),
    ("from_ to", c_uint64),
    ("depth", c_uint32),
    ("fold", c_int),
    ("open_at ahead max", c_uint64),
)
hs_variable = _struct(
    "hs_variable", ("name", c_char_p), ("slot", c_uint32), ("kind", c_char), ("value position", c_uint64)
)
hs_monitor = _struct("hs_monitor", ("object entered", c_uint64))
hs_frame = _struct(
    "hs_frame",
    ("method_id thread pc", c_uint32),
    ("line", c_int32),
    ("entered", c_uint64),
    ("has_this", c_bool),
    ("self", c_uint64),
    ("parameter_count local_count", c_size_t),
    ("parameters locals", pointers(hs_variable)),
    ("monitor_count", c_size_t),
    ("monitors", pointers(hs_monitor)),
    ("left_out", c_uint64),
    ("nowhere unsure", c_bool),
    ("file", c_char_p),
)
hs_place = _struct("hs_place", ("pc", c_uint32), ("line", c_int32), ("unsure", c_bool), ("file", c_char_p))
hs_handover = _struct("hs_handover", ("seq", c_uint64), ("dataid", c_uint32))
hs_member = _struct(
    "hs_member",
    ("name", c_char_p),
    ("index", c_uint64),
    ("kind", c_char),
    ("value", c_uint64),
    ("event", POINTER(hs_event)),
    ("stale unrecorded is_default", c_bool),
)
hs_object_state = _struct(
    "hs_object_state",
    ("id", c_uint32),
    ("created", c_uint64),
    ("created_dataid", c_uint32),
    ("first last", c_uint64),
    ("handed", POINTER(hs_handover)),
    ("has_length", c_bool),
    ("length", c_uint64),
    ("field_count element_count", c_size_t),
    ("fields elements", pointers(hs_member)),
    ("left_out", c_size_t),
    ("left_out_count", c_uint64),
    ("resumed", c_uint64),
    ("is_part all_known", c_bool),
)
hs_entry = _struct("hs_entry", ("key value key_number value_number", POINTER(hs_value)), ("seq", c_uint64))
hs_contents = _struct(
    "hs_contents",
    ("id", c_uint32),
    ("shape", c_int),
    ("known ordered", c_bool),
    ("since", c_uint64),
    ("why", c_char_p),
    ("entry_count", c_size_t),
    ("entries", pointers(hs_entry)),
    ("text", c_char_p),
    ("length", c_uint64),
)
hs_write = _struct(
    "hs_write",
    ("event", POINTER(hs_event)),
    ("object", c_uint64),
    ("has_index", c_bool),
    ("index", c_uint64),
    ("declaring field", c_char_p),
    ("left_out", c_uint64),
    ("resumed", c_uint64),
)
hs_evaluation = _struct(
    "hs_evaluation",
    ("not_recorded throws", c_char_p),
    ("kind", c_char),
    ("bits", c_uint64),
    ("text", c_char_p),
    ("seq", c_uint64),
    ("note", c_char_p),
)
hs_output_part = _struct(
    "hs_output_part",
    ("seq", c_uint64),
    ("dataid thread", c_uint32),
    ("written time_ns", c_uint64),
    ("by_program", c_bool),
    ("at", c_size_t),
)
hs_output_line = _struct(
    "hs_output_line",
    ("stream", c_int),
    ("text", c_char_p),
    ("bytes", c_void_p),
    ("byte_count", c_size_t),
    ("ended cut", c_bool),
    ("part_count", c_size_t),
    ("parts", pointers(hs_output_part)),
)
hs_moment = _struct(
    "hs_moment",
    ("seq", c_uint64),
    ("thread", c_uint32),
    ("time_ns", c_uint64),
    ("line", POINTER(hs_output_line)),
    ("part", POINTER(hs_output_part)),
)
hs_test = _struct(
    "hs_test",
    ("framework class_name method name", c_char_p),
    ("status", c_int),
    ("container", c_bool),
    ("begin end", c_uint64),
    ("thread exception", c_uint32),
    ("reason", c_char_p),
)
hs_watch_options = _struct(
    "hs_watch_options",
    ("size", c_size_t),
    ("kind", c_int),
    ("place text where", c_char_p),
    ("from_ to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
)
hs_watched = _struct(
    "hs_watched",
    ("event", POINTER(hs_event)),
    ("text", c_char_p),
    ("values", pointers(hs_evaluation)),
    ("texts", POINTER(c_char_p)),
    ("value_count", c_size_t),
    ("known", c_bool),
)
hs_decided = _struct("hs_decided", ("text", c_char_p), ("known", c_bool), ("kind", c_char), ("value seq", c_uint64))
hs_decision = _struct(
    "hs_decision",
    ("seq", c_uint64),
    ("method_id", c_uint32),
    ("place", hs_place),
    ("condition relation", c_char_p),
    ("says_value", c_bool),
    ("value_count", c_size_t),
    ("values", pointers(hs_decided)),
)
hs_absence = _struct(
    "hs_absence",
    ("situation", c_int),
    ("calls", c_uint64),
    ("method", c_char_p),
    ("line", c_int32),
    ("file", c_char_p),
    ("seq", c_uint64),
    ("because needs", c_char_p),
    ("decision", POINTER(hs_decision)),
)
hs_suspect_run = _struct(
    "hs_suspect_run", ("trace", c_void_p), ("from_ to", c_uint64), ("thread", c_uint32), ("failed", c_bool)
)
hs_suspect_options = _struct(
    "hs_suspect_options",
    ("size", c_size_t),
    ("runs", POINTER(hs_suspect_run)),
    ("count", c_size_t),
    ("class_glob", c_char_p),
)
hs_suspect = _struct(
    "hs_suspect",
    ("kind", c_int),
    ("method file", c_char_p),
    ("line", c_int32),
    ("what", c_char_p),
    ("failing passing failing_reached passing_reached", c_uint64),
    ("ochiai increase", c_double),
    ("run", c_size_t),
    ("seq", c_uint64),
)
hs_absence_options = _struct("hs_absence_options", ("size", c_size_t), ("place", c_char_p), ("in_ at", c_uint64))
hs_slice = _struct(
    "hs_slice",
    ("event", POINTER(hs_event)),
    ("distance", c_uint32),
    ("from_", c_uint64),
    ("by", c_int),
    ("because end", c_char_p),
    ("output", c_bool),
    ("decision", POINTER(hs_decision)),
    ("overflow", c_char_p),
)
hs_slice_options = _struct(
    "hs_slice_options",
    ("size", c_size_t),
    ("seq", c_uint64),
    ("kind", c_int),
    ("forward", c_bool),
    ("distance", c_uint32),
)
hs_choice = _struct("hs_choice", ("event", POINTER(hs_event)), ("role", c_char_p), ("by", c_int))
hs_cause = _struct(
    "hs_cause",
    ("event", POINTER(hs_event)),
    ("because end", c_char_p),
    ("operand_count", c_size_t),
    ("operands", POINTER(c_uint64)),
    ("by", c_int),
    ("choice_count", c_size_t),
    ("choices", pointers(hs_choice)),
    ("branch chosen depth", c_uint32),
    ("repeated", c_bool),
    ("decision", POINTER(hs_decision)),
    ("overflow", c_char_p),
)
hs_allocation = _struct(
    "hs_allocation",
    ("count seq last unread elements life longest", c_uint64),
    ("longest_id first_id thread dataid method_id depth", c_uint32),
    ("type", c_char_p),
)
hs_allocation_options = _struct(
    "hs_allocation_options",
    ("size", c_size_t),
    ("by", c_int),
    ("from_ to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
    ("class_glob method_glob type_glob", c_char_p),
)
hs_overflow = _struct(
    "hs_overflow",
    ("seq last count", c_uint64),
    ("thread dataid method_id pc", c_uint32),
    ("line", c_int32),
    ("file op symbol", c_char_p),
    ("loss", c_int),
    ("bits", c_uint32),
    ("what", c_char_p),
    ("left right result", hs_value),
    ("exact", c_char_p),
)
hs_overflow_options = _struct(
    "hs_overflow_options",
    ("size", c_size_t),
    ("from_ to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
    ("class_glob method_glob", c_char_p),
    ("where", c_void_p),
    ("each", c_bool),
    ("max", c_size_t),
)
hs_why_options = _struct(
    "hs_why_options",
    ("size", c_size_t),
    ("seq", c_uint64),
    ("max", c_size_t),
    ("choose", c_char_p),
    ("all", c_bool),
    ("depth", c_uint32),
    ("under control", c_bool),
)
hs_hold = _struct(
    "hs_hold",
    ("object", c_uint64),
    ("thread dataid", c_uint32),
    ("asked entered left wait_ns hold_ns", c_uint64),
    ("again", c_bool),
)
hs_lock = _struct(
    "hs_lock",
    ("object", c_uint64),
    ("class_name", c_char_p),
    ("entered contended wait_ns hold_ns waits_unknown holds_unknown still_held still_waiting", c_uint64),
    ("shared", c_bool),
)
hs_lock_edge = _struct(
    "hs_lock_edge", ("from_ to", POINTER(hs_lock)), ("count outer inner", c_uint64), ("circle", c_bool)
)
hs_inversion = _struct("hs_inversion", ("edge_count", c_size_t), ("edges", pointers(hs_lock_edge)))
hs_thread_state = type("hs_thread_state", (_Struct,), {})
hs_thread_state._fields_ = [
    ("thread", POINTER(hs_thread)),
    ("last", POINTER(hs_event)),
    ("frames", pointers(hs_frame)),
    ("frame_count", c_size_t),
    ("wait", c_int),
    ("timed", c_bool),
    ("since", c_uint64),
    ("object", c_uint64),
    ("of_class", POINTER(hs_class)),
    ("owner", POINTER(hs_thread_state)),
    ("held_since", c_uint64),
    ("holds", c_bool),
    ("outside", POINTER(hs_dataid)),
]
hs_deadlock = _struct("hs_deadlock", ("thread_count", c_size_t), ("threads", pointers(hs_thread_state)))
hs_race = _struct("hs_race", ("a b count object", c_uint64), ("index", c_uint32), ("element collection", c_bool))
hs_feature = _struct(
    "hs_feature",
    ("name", c_char_p),
    ("marks first last events calls objects created", c_uint64),
    ("methods classes", POINTER(c_uint32)),
    ("method_count class_count", c_size_t),
    ("unended", c_uint64),
)
hs_feature_method = _struct(
    "hs_feature_method",
    ("method_id", c_uint32),
    ("affinity", c_int),
    ("features", POINTER(c_uint32)),
    ("feature_count", c_size_t),
)
hs_type = _struct("hs_type", ("id", c_uint32), ("name", c_char_p), ("loader", c_uint64), ("access", c_uint32))
hs_feature_type = _struct("hs_feature_type", ("class_id", c_uint32), ("objects", c_uint64))
hs_feature_flow = _struct(
    "hs_feature_flow",
    ("from_ to", c_uint32),
    ("objects", c_uint64),
    ("types", pointers(hs_feature_type)),
    ("type_count", c_size_t),
)
hs_signal = _struct(
    "hs_signal",
    ("feature", c_char_p),
    ("by_time", c_bool),
    ("width", c_uint64),
    ("bucket_count", c_size_t),
    ("calls", POINTER(c_uint64)),
    ("depth", POINTER(c_uint32)),
)
hs_pause = _struct("hs_pause", ("ns begin", c_uint64), ("dataid", c_uint32), ("value", c_uint64), ("kind", c_char))
hs_stretch = _struct(
    "hs_stretch",
    ("thread", c_uint32),
    ("seq position begin_ns", c_uint64),
    ("events calls exceptions depth least most", c_uint32),
    ("pause", POINTER(hs_pause)),
    ("frame_count", c_size_t),
    ("methods", POINTER(c_uint32)),
    ("entries", POINTER(c_uint64)),
    ("last", c_uint64),
)
hs_compared_method = _struct("hs_compared_method", ("class_name name desc", c_char_p))
hs_difference = _struct(
    "hs_difference",
    ("kind", c_int),
    ("first", c_bool),
    ("what", c_char_p),
    ("a b", POINTER(hs_event)),
    ("a_decision b_decision", POINTER(hs_decision)),
    ("a_was b_was", c_uint64),
    ("differs_count", c_size_t),
    ("differs", POINTER(c_char_p)),
    ("times calls", c_uint64),
    ("has_path", c_bool),
    ("path_count outer", c_size_t),
    ("path", pointers(hs_compared_method)),
)
hs_diff_options = _struct(
    "hs_diff_options",
    ("size", c_size_t),
    ("a b noise", c_void_p),
    ("kinds", c_uint),
    ("class_glob method_glob", c_char_p),
    ("first", c_bool),
)
STRUCTS = [v for v in list(globals().values()) if isinstance(v, type) and issubclass(v, _Struct) and v is not _Struct]
SIZED = {
    hs_error,
    hs_open_options,
    hs_filter,
    hs_tree_options,
    hs_why_options,
    hs_absence_options,
    hs_suspect_options,
    hs_diff_options,
    hs_slice_options,
    hs_allocation_options,
    hs_overflow_options,
}  # structs that we fill: exactly of the library's size

PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64, c_char_p)


def _find():
    """HINDSIGHT_LIBRARY, the build tree or the package that this file lies in, or what the system's loader knows."""
    named = os.environ.get("HINDSIGHT_LIBRARY")
    if named:
        return named
    tree = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    places = [("build", "release"), ("build", "debug"), ("..",)]
    for place in places if tree.endswith("/share") else places[:2]:
        built = os.path.join(tree, *place, "lib", "libhindsight-reader.so")
        if os.path.exists(built):
            return built
    return ctypes.util.find_library("hindsight-reader") or "libhindsight-reader.so.1"


library_path = _find()
try:
    lib = ctypes.CDLL(library_path)
except OSError as error:
    raise ImportError("%s; set HINDSIGHT_LIBRARY to the path of libhindsight-reader.so" % error) from None

_E, _T, _C = POINTER(hs_error), c_void_p, POINTER(c_void_p)
_LISTS = "exceptions classes threads marks objects locks races features"  # opened from a trace
_PARTS = "lock_edges inversions deadlocks feature_methods feature_flows"  # opened from another cursor
_ROWS = {
    "event": hs_event,
    "class": hs_class,
    "thread": hs_thread,
    "mark": hs_mark,
    "object": hs_object,
    "call": hs_call,
    "exception": hs_exception,
    "cost": hs_cost,
    "frame": hs_frame,
    "write": hs_write,
    "cause": hs_cause,
    "absence": hs_absence,
    "slice": hs_slice,
    "allocation": hs_allocation,
    "overflow": hs_overflow,
    "hold": hs_hold,
    "lock": hs_lock,
    "lock_edge": hs_lock_edge,
    "inversion": hs_inversion,
    "thread_state": hs_thread_state,
    "deadlock": hs_deadlock,
    "race": hs_race,
    "feature": hs_feature,
    "feature_method": hs_feature_method,
    "feature_flow": hs_feature_flow,
    "signal": hs_signal,
    "stretch": hs_stretch,
    "suspect": hs_suspect,
    "difference": hs_difference,
    "test": hs_test,
    "output_line": hs_output_line,
    "moment": hs_moment,
    "watched": hs_watched,
}


def _declare(name, result, *arguments):
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments
    function.numbers = [(i, type_) for i, type_ in enumerate(arguments) if type_ in INTEGERS]


_declare("hs_version", c_char_p)
_declare("hs_sizeof", c_size_t, c_char_p)
_declare("hs_open", c_int, c_char_p, c_uint, POINTER(hs_open_options), _C, _E)
_declare("hs_close", None, _T)
_declare("hs_damage", c_char_p, _T)
_declare("hs_info", c_char_p, _T, c_char_p)
_declare("hs_event_count", c_uint64, _T)
_declare("hs_dataid_count", c_uint32, _T)
_declare("hs_set_progress", None, _T, PROGRESS, c_void_p)
_declare("hs_set_jobs", None, _T, c_uint)
_declare("hs_cursor_close", None, c_void_p)
_declare("hs_cursor_seek", c_int, c_void_p, c_uint64, _E)
_declare("hs_condition_parse", c_int, c_char_p, _C, _E)
_declare("hs_condition_free", None, c_void_p)
_declare("hs_events_open", c_int, _T, POINTER(hs_filter), _C, _E)
_declare("hs_event_previous", c_int, c_void_p, POINTER(POINTER(hs_event)), _E)
_declare("hs_event_at", c_int, _T, c_uint64, POINTER(POINTER(hs_event)), _E)
_declare("hs_event_name", c_char_p, c_uint)
_declare("hs_event_number", c_uint, c_char_p)
_declare("hs_count_dataids", c_int, _T, POINTER(c_uint64), POINTER(c_double), _E)
_declare("hs_dataid_get", POINTER(hs_dataid), _T, c_uint32)
_declare("hs_class_get", POINTER(hs_class), _T, c_uint32)
_declare("hs_method_get", POINTER(hs_method), _T, c_uint32)
_declare("hs_object_get", POINTER(hs_object), _T, c_uint32)
_declare("hs_thrown_get", POINTER(hs_thrown), _T, c_uint32)
_declare("hs_costs_open", c_int, _T, c_uint64, c_uint64, _C, _E)
_declare("hs_tree_open", c_int, _T, POINTER(hs_tree_options), _C, _E)
_declare("hs_clock_resolution_ns", c_uint64, _T)
_declare("hs_index_build", c_int, _T, _E)
_declare("hs_frames_open", c_int, _T, c_uint64, _C, _E)
_declare("hs_object_at", c_int, _T, c_uint32, c_uint64, POINTER(POINTER(hs_object_state)), _E)
_declare("hs_contents_at", c_int, _T, c_uint32, c_uint64, POINTER(POINTER(hs_contents)), _E)
_declare("hs_history_open", c_int, _T, c_char_p, _C, _E)
_declare("hs_last_write", c_int, _T, c_char_p, c_uint64, POINTER(POINTER(hs_write)), _E)
_declare("hs_holds_open", c_int, _T, POINTER(c_uint32), c_size_t, _C, _E)
_declare("hs_thread_states_open", c_int, _T, c_uint64, _C, _E)
_declare("hs_feature_similarity", c_double, POINTER(hs_feature), POINTER(hs_feature))
_declare("hs_signals_open", c_int, _T, c_size_t, c_bool, _C, _E)
_declare("hs_stretches_open", c_int, _T, c_uint64, c_uint64, _C, _E)
_declare("hs_type_get", POINTER(hs_type), _T, c_uint32)
_declare("hs_races_cut", c_bool, c_void_p)
_declare("hs_tests_open", c_int, _T, _C, _E)
_declare("hs_output_open", c_int, _T, _C, _E)
_declare("hs_moments_open", c_int, _T, c_char_p, _C, _E)
_declare("hs_watch_open", c_int, _T, POINTER(hs_watch_options), _C, _E)
_declare("hs_evaluate", c_int, _T, c_uint64, c_size_t, c_char_p, POINTER(POINTER(hs_evaluation)), _E)
_declare("hs_suspect_kind_name", c_char_p, c_int)
_declare("hs_suspects_open", c_int, POINTER(hs_suspect_options), _C, _E)
_declare("hs_difference_kind_name", c_char_p, c_int)
_declare("hs_diff_open", c_int, POINTER(hs_diff_options), _C, _E)
_declare("hs_absences_open", c_int, _T, POINTER(hs_absence_options), _C, _E)
_declare("hs_slice_open", c_int, _T, POINTER(hs_slice_options), _C, _E)
_declare("hs_allocations_open", c_int, _T, POINTER(hs_allocation_options), _C, _E)
_declare("hs_overflows_open", c_int, _T, POINTER(hs_overflow_options), _C, _E)
_declare("hs_overflows_unknown", c_uint64, c_void_p, POINTER(c_uint64))
_declare("hs_loss_name", c_char_p, c_int)
_declare("hs_situation_name", c_char_p, c_int)
_declare("hs_causes_open", c_int, _T, POINTER(hs_why_options), _C, _E)
for _list in (_LISTS + " " + _PARTS).split():
    _declare("hs_%s_open" % _list, c_int, _T, _C, _E)
for _row, _type in _ROWS.items():
    _declare("hs_%s_next" % _row, c_int, c_void_p, POINTER(POINTER(_type)), _E)

version = lib.hs_version().decode()


def check_layouts(sizeof=lambda name: lib.hs_sizeof(name.encode())):
    """Raises if the library's structs cannot be those that are written down here."""
    for struct in STRUCTS:
        ours, theirs = ctypes.sizeof(struct), sizeof(struct.__name__)
        if theirs < ours or (struct in SIZED and theirs != ours):
            raise ImportError(
                "%s: struct %s has %d bytes, this package expects %d: they are of different versions"
                % (library_path, struct.__name__, theirs, ours)
            )


check_layouts()
