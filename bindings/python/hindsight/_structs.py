"""The structs and functions of reader/api/*.h; written by bindings/python/generate.py."""
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t
from ctypes import c_uint, c_uint32, c_uint64, c_void_p

from ._exact import Struct


class hs_absence(Struct):
    pass


class hs_absence_options(Struct):
    pass


class hs_allocation(Struct):
    pass


class hs_allocation_options(Struct):
    pass


class hs_attr(Struct):
    pass


class hs_call(Struct):
    pass


class hs_cause(Struct):
    pass


class hs_choice(Struct):
    pass


class hs_class(Struct):
    pass


class hs_compared_method(Struct):
    pass


class hs_condition_name(Struct):
    pass


class hs_contents(Struct):
    pass


class hs_context(Struct):
    pass


class hs_cost(Struct):
    pass


class hs_dataid(Struct):
    pass


class hs_deadlock(Struct):
    pass


class hs_decided(Struct):
    pass


class hs_decision(Struct):
    pass


class hs_diff_options(Struct):
    pass


class hs_difference(Struct):
    pass


class hs_entry(Struct):
    pass


class hs_error(Struct):
    pass


class hs_evaluation(Struct):
    pass


class hs_event(Struct):
    pass


class hs_exception(Struct):
    pass


class hs_exception_group(Struct):
    pass


class hs_feature(Struct):
    pass


class hs_feature_flow(Struct):
    pass


class hs_feature_method(Struct):
    pass


class hs_feature_type(Struct):
    pass


class hs_field(Struct):
    pass


class hs_filter(Struct):
    pass


class hs_frame(Struct):
    pass


class hs_fsck_result(Struct):
    pass


class hs_handover(Struct):
    pass


class hs_heap_options(Struct):
    pass


class hs_heap_row(Struct):
    pass


class hs_hold(Struct):
    pass


class hs_index_info(Struct):
    pass


class hs_interval(Struct):
    pass


class hs_inversion(Struct):
    pass


class hs_life(Struct):
    pass


class hs_lock(Struct):
    pass


class hs_lock_edge(Struct):
    pass


class hs_mark(Struct):
    pass


class hs_member(Struct):
    pass


class hs_method(Struct):
    pass


class hs_moment(Struct):
    pass


class hs_monitor(Struct):
    pass


class hs_object(Struct):
    pass


class hs_object_state(Struct):
    pass


class hs_object_value(Struct):
    pass


class hs_open_options(Struct):
    pass


class hs_output_line(Struct):
    pass


class hs_output_part(Struct):
    pass


class hs_overflow(Struct):
    pass


class hs_overflow_options(Struct):
    pass


class hs_path(Struct):
    pass


class hs_path_repeat(Struct):
    pass


class hs_pause(Struct):
    pass


class hs_place(Struct):
    pass


class hs_race(Struct):
    pass


class hs_recent(Struct):
    pass


class hs_repeat(Struct):
    pass


class hs_rule(Struct):
    pass


class hs_sample(Struct):
    pass


class hs_signal(Struct):
    pass


class hs_slice(Struct):
    pass


class hs_slice_options(Struct):
    pass


class hs_snapshot(Struct):
    pass


class hs_stack_frame(Struct):
    pass


class hs_stretch(Struct):
    pass


class hs_suspect(Struct):
    pass


class hs_suspect_options(Struct):
    pass


class hs_suspect_run(Struct):
    pass


class hs_test(Struct):
    pass


class hs_test_source(Struct):
    pass


class hs_test_source_options(Struct):
    pass


class hs_thread(Struct):
    pass


class hs_thread_state(Struct):
    pass


class hs_throw_frame(Struct):
    pass


class hs_throw_stack(Struct):
    pass


class hs_throw_variable(Struct):
    pass


class hs_thrown(Struct):
    pass


class hs_tree_options(Struct):
    pass


class hs_type(Struct):
    pass


class hs_value(Struct):
    pass


class hs_variable(Struct):
    pass


class hs_violation(Struct):
    pass


class hs_watch_options(Struct):
    pass


class hs_watched(Struct):
    pass


class hs_why_options(Struct):
    pass


class hs_write(Struct):
    pass


hs_violation_fn = CFUNCTYPE(None, c_void_p, POINTER(hs_violation))
hs_progress_fn = CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64, c_char_p)
hs_absence._fields_ = [
    ("situation", c_int),
    ("calls", c_uint64),
    ("method", c_char_p),
    ("line", c_int32),
    ("file", c_char_p),
    ("seq", c_uint64),
    ("target", c_char_p),
    ("times", c_uint64),
    ("exception", c_char_p),
    ("because", c_char_p),
    ("needs", c_char_p),
    ("decision", POINTER(hs_decision)),
    ("what", c_char_p),
    ("value", POINTER(hs_value)),
    ("expected", POINTER(hs_value)),
]
hs_absence_options._fields_ = [
    ("size", c_size_t),
    ("place", c_char_p),
    ("in_", c_uint64),
    ("at", c_uint64),
    ("times", c_uint64),
    ("expect", c_char_p),
]
hs_allocation._fields_ = [
    ("count", c_uint64),
    ("seq", c_uint64),
    ("last", c_uint64),
    ("unread", c_uint64),
    ("elements", c_uint64),
    ("life", c_uint64),
    ("grown", c_uint64),
    ("added", c_uint64),
    ("repeated", c_uint64),
    ("longest", c_uint64),
    ("longest_id", c_uint32),
    ("first_id", c_uint32),
    ("thread", c_uint32),
    ("dataid", c_uint32),
    ("method_id", c_uint32),
    ("depth", c_uint32),
    ("type", c_char_p),
]
hs_allocation_options._fields_ = [
    ("size", c_size_t),
    ("by", c_int),
    ("from_", c_uint64),
    ("to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
    ("class_glob", c_char_p),
    ("method_glob", c_char_p),
    ("type_glob", c_char_p),
]
hs_attr._fields_ = [
    ("name", c_char_p),
    ("type", c_int),
    ("number", c_int64),
    ("text", c_char_p),
]
hs_call._fields_ = [
    ("seq", c_uint64),
    ("dataid", c_uint32),
    ("depth", c_uint32),
    ("calls", c_uint64),
    ("times", c_uint64),
    ("repeats", POINTER(POINTER(hs_repeat))),
    ("repeat_count", c_size_t),
    ("receiver", POINTER(hs_value)),
    ("result", POINTER(hs_value)),
    ("arguments", POINTER(POINTER(hs_value))),
    ("argument_count", c_uint32),
    ("like", c_uint64),
    ("left", c_bool),
    ("threw", c_bool),
    ("exception", c_uint64),
    ("left_out", c_uint64),
]
hs_cause._fields_ = [
    ("event", POINTER(hs_event)),
    ("because", c_char_p),
    ("end", c_char_p),
    ("operand_count", c_size_t),
    ("operands", POINTER(c_uint64)),
    ("by", c_int),
    ("choice_count", c_size_t),
    ("choices", POINTER(POINTER(hs_choice))),
    ("branch", c_uint32),
    ("chosen", c_uint32),
    ("depth", c_uint32),
    ("repeated", c_bool),
    ("decision", POINTER(hs_decision)),
    ("overflow", c_char_p),
]
hs_choice._fields_ = [
    ("event", POINTER(hs_event)),
    ("role", c_char_p),
    ("by", c_int),
]
hs_class._fields_ = [
    ("class_no", c_uint32),
    ("state", c_int),
    ("name", c_char_p),
    ("super", c_char_p),
    ("loader", c_char_p),
    ("loader_id", c_uint64),
    ("source", c_char_p),
    ("source_file", c_char_p),
    ("major", c_uint32),
    ("minor", c_uint32),
    ("access", c_uint32),
    ("hash", c_uint64),
    ("size_bytes", c_uint64),
    ("reason", c_char_p),
    ("first_dataid", c_uint32),
    ("dataid_count", c_uint32),
    ("method_count", c_uint32),
    ("methods", POINTER(POINTER(hs_method))),
]
hs_compared_method._fields_ = [
    ("class_name", c_char_p),
    ("name", c_char_p),
    ("desc", c_char_p),
]
hs_condition_name._fields_ = [
    ("name", c_char_p),
    ("asked", c_bool),
    ("seen", c_bool),
    ("joined", c_uint32),
]
hs_contents._fields_ = [
    ("id", c_uint32),
    ("shape", c_int),
    ("known", c_bool),
    ("ordered", c_bool),
    ("since", c_uint64),
    ("why", c_char_p),
    ("entry_count", c_size_t),
    ("entries", POINTER(POINTER(hs_entry))),
    ("text", c_char_p),
    ("length", c_uint64),
]
hs_context._fields_ = [
    ("method_id", c_uint32),
    ("caller_id", c_uint32),
    ("depth", c_uint32),
    ("calls", c_uint64),
    ("exceptions", c_uint64),
    ("left", c_uint64),
    ("total_ns", c_uint64),
    ("self_ns", c_uint64),
    ("max_ns", c_uint64),
]
hs_cost._fields_ = [
    ("method_id", c_uint32),
    ("calls", c_uint64),
    ("exceptions", c_uint64),
    ("left", c_uint64),
    ("total_ns", c_uint64),
    ("self_ns", c_uint64),
    ("min_ns", c_uint64),
    ("max_ns", c_uint64),
    ("histogram", c_uint64 * 64),
    ("hooks_ns", c_uint64),
]
hs_dataid._fields_ = [
    ("dataid", c_uint32),
    ("event", c_uint),
    ("kind", c_char),
    ("joined", c_bool),
    ("class_no", c_uint32),
    ("method_id", c_uint32),
    ("pc", c_uint32),
    ("line", c_int32),
    ("attr_count", c_uint32),
    ("attrs", POINTER(POINTER(hs_attr))),
    ("file", c_char_p),
    ("table_line", c_int32),
]
hs_deadlock._fields_ = [
    ("thread_count", c_size_t),
    ("threads", POINTER(POINTER(hs_thread_state))),
]
hs_decided._fields_ = [
    ("text", c_char_p),
    ("known", c_bool),
    ("kind", c_char),
    ("value", c_uint64),
    ("seq", c_uint64),
]
hs_diff_options._fields_ = [
    ("size", c_size_t),
    ("a", c_void_p),
    ("b", c_void_p),
    ("noise", c_void_p),
    ("kinds", c_uint),
    ("class_glob", c_char_p),
    ("method_glob", c_char_p),
    ("first", c_bool),
]
hs_difference._fields_ = [
    ("kind", c_int),
    ("first", c_bool),
    ("what", c_char_p),
    ("a", POINTER(hs_event)),
    ("b", POINTER(hs_event)),
    ("a_decision", POINTER(hs_decision)),
    ("b_decision", POINTER(hs_decision)),
    ("a_was", c_uint64),
    ("b_was", c_uint64),
    ("differs_count", c_size_t),
    ("differs", POINTER(c_char_p)),
    ("times", c_uint64),
    ("calls", c_uint64),
    ("has_path", c_bool),
    ("path_count", c_size_t),
    ("outer", c_size_t),
    ("path", POINTER(POINTER(hs_compared_method))),
]
hs_entry._fields_ = [
    ("key", POINTER(hs_value)),
    ("value", POINTER(hs_value)),
    ("key_number", POINTER(hs_value)),
    ("value_number", POINTER(hs_value)),
    ("seq", c_uint64),
]
hs_error._fields_ = [
    ("size", c_size_t),
    ("code", c_int),
    ("text", c_char * 512),
]
hs_evaluation._fields_ = [
    ("not_recorded", c_char_p),
    ("throws", c_char_p),
    ("kind", c_char),
    ("bits", c_uint64),
    ("text", c_char_p),
    ("seq", c_uint64),
    ("note", c_char_p),
]
hs_event._fields_ = [
    ("seq", c_uint64),
    ("thread", c_uint32),
    ("dataid", c_uint32),
    ("value", c_uint64),
    ("stamp", c_uint64),
    ("time_ns", c_uint64),
    ("kind", c_char),
    ("position", c_uint64),
]
hs_exception._fields_ = [
    ("id", c_uint32),
    ("thrown", c_uint64),
    ("caught", c_uint64),
    ("swallowed", c_bool),
    ("left", c_uint64),
    ("exit_count", c_size_t),
    ("exits", POINTER(c_uint64)),
    ("first", POINTER(hs_event)),
    ("caught_dataid", c_uint32),
    ("type", c_char_p),
]
hs_exception_group._fields_ = [
    ("first", POINTER(hs_exception)),
    ("times", c_uint64),
    ("alike", c_uint64),
    ("threads", c_bool),
    ("exits", c_bool),
]
hs_feature._fields_ = [
    ("name", c_char_p),
    ("marks", c_uint64),
    ("first", c_uint64),
    ("last", c_uint64),
    ("events", c_uint64),
    ("calls", c_uint64),
    ("objects", c_uint64),
    ("created", c_uint64),
    ("methods", POINTER(c_uint32)),
    ("classes", POINTER(c_uint32)),
    ("method_count", c_size_t),
    ("class_count", c_size_t),
    ("unended", c_uint64),
]
hs_feature_flow._fields_ = [
    ("from_", c_uint32),
    ("to", c_uint32),
    ("objects", c_uint64),
    ("types", POINTER(POINTER(hs_feature_type))),
    ("type_count", c_size_t),
]
hs_feature_method._fields_ = [
    ("method_id", c_uint32),
    ("affinity", c_int),
    ("features", POINTER(c_uint32)),
    ("feature_count", c_size_t),
]
hs_feature_type._fields_ = [
    ("class_id", c_uint32),
    ("objects", c_uint64),
]
hs_field._fields_ = [
    ("name", c_char_p),
    ("type", c_char_p),
    ("is_static", c_bool),
    ("is_final", c_bool),
]
hs_filter._fields_ = [
    ("size", c_size_t),
    ("from_", c_uint64),
    ("to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
    ("events", POINTER(c_uint)),
    ("event_count", c_size_t),
    ("class_glob", c_char_p),
    ("method_glob", c_char_p),
    ("object", c_uint32),
    ("value", c_char_p),
    ("text", c_char_p),
    ("where", c_void_p),
]
hs_frame._fields_ = [
    ("method_id", c_uint32),
    ("thread", c_uint32),
    ("pc", c_uint32),
    ("line", c_int32),
    ("entered", c_uint64),
    ("has_this", c_bool),
    ("self", c_uint64),
    ("parameter_count", c_size_t),
    ("local_count", c_size_t),
    ("parameters", POINTER(POINTER(hs_variable))),
    ("locals", POINTER(POINTER(hs_variable))),
    ("monitor_count", c_size_t),
    ("monitors", POINTER(POINTER(hs_monitor))),
    ("left_out", c_uint64),
    ("nowhere", c_bool),
    ("unsure", c_bool),
    ("file", c_char_p),
]
hs_fsck_result._fields_ = [
    ("events", c_uint64),
    ("checked", c_uint64),
    ("violations", c_uint64),
]
hs_handover._fields_ = [
    ("seq", c_uint64),
    ("dataid", c_uint32),
]
hs_heap_options._fields_ = [
    ("size", c_size_t),
    ("at", c_uint64),
    ("since", c_uint64),
    ("objects", c_bool),
    ("type_glob", c_char_p),
    ("max", c_size_t),
]
hs_heap_row._fields_ = [
    ("type", c_char_p),
    ("id", c_uint32),
    ("reached", c_uint64),
    ("outside", c_uint64),
    ("unheld", c_uint64),
    ("retained", c_uint64),
    ("dominator", c_uint32),
    ("root", c_char_p),
    ("before", c_uint64),
    ("made", c_uint64),
    ("gone", c_uint64),
]
hs_hold._fields_ = [
    ("object", c_uint64),
    ("thread", c_uint32),
    ("dataid", c_uint32),
    ("asked", c_uint64),
    ("entered", c_uint64),
    ("left", c_uint64),
    ("wait_ns", c_uint64),
    ("hold_ns", c_uint64),
    ("again", c_bool),
]
hs_index_info._fields_ = [
    ("chunks", c_uint64),
    ("indexed", c_uint64),
    ("bytes", c_uint64),
    ("kept", c_bool),
]
hs_interval._fields_ = [
    ("first", c_uint64),
    ("events", c_uint64),
    ("begin_ns", c_uint64),
    ("end_ns", c_uint64),
    ("start_dataid", c_uint32),
    ("end_dataid", c_uint32),
    ("start_thread", c_uint32),
    ("end_thread", c_uint32),
]
hs_inversion._fields_ = [
    ("edge_count", c_size_t),
    ("edges", POINTER(POINTER(hs_lock_edge))),
]
hs_life._fields_ = [
    ("id", c_uint32),
    ("first", c_uint64),
    ("last", c_uint64),
]
hs_lock._fields_ = [
    ("object", c_uint64),
    ("class_name", c_char_p),
    ("entered", c_uint64),
    ("contended", c_uint64),
    ("wait_ns", c_uint64),
    ("hold_ns", c_uint64),
    ("waits_unknown", c_uint64),
    ("holds_unknown", c_uint64),
    ("still_held", c_uint64),
    ("still_waiting", c_uint64),
    ("shared", c_bool),
]
hs_lock_edge._fields_ = [
    ("from_", POINTER(hs_lock)),
    ("to", POINTER(hs_lock)),
    ("count", c_uint64),
    ("outer", c_uint64),
    ("inner", c_uint64),
    ("circle", c_bool),
]
hs_mark._fields_ = [
    ("name", c_char_p),
    ("first", c_uint64),
    ("events", c_uint64),
    ("begin_ns", c_uint64),
    ("end_ns", c_uint64),
]
hs_member._fields_ = [
    ("name", c_char_p),
    ("index", c_uint64),
    ("kind", c_char),
    ("value", c_uint64),
    ("event", POINTER(hs_event)),
    ("stale", c_bool),
    ("unrecorded", c_bool),
    ("is_default", c_bool),
]
hs_method._fields_ = [
    ("method_id", c_uint32),
    ("class_no", c_uint32),
    ("name", c_char_p),
    ("desc", c_char_p),
    ("access", c_uint32),
    ("code_length", c_uint32),
    ("hash", c_uint64),
    ("groups", c_uint32),
    ("reason", c_char_p),
]
hs_moment._fields_ = [
    ("seq", c_uint64),
    ("thread", c_uint32),
    ("time_ns", c_uint64),
    ("line", POINTER(hs_output_line)),
    ("part", POINTER(hs_output_part)),
]
hs_monitor._fields_ = [
    ("object", c_uint64),
    ("entered", c_uint64),
]
hs_object._fields_ = [
    ("id", c_uint32),
    ("class_id", c_uint32),
    ("type", c_char_p),
    ("has_string", c_bool),
    ("latin1", c_bool),
    ("cut", c_bool),
    ("length", c_uint64),
    ("data", c_void_p),
    ("data_bytes", c_size_t),
]
hs_object_state._fields_ = [
    ("id", c_uint32),
    ("created", c_uint64),
    ("created_dataid", c_uint32),
    ("first", c_uint64),
    ("last", c_uint64),
    ("handed", POINTER(hs_handover)),
    ("has_length", c_bool),
    ("length", c_uint64),
    ("field_count", c_size_t),
    ("element_count", c_size_t),
    ("fields", POINTER(POINTER(hs_member))),
    ("elements", POINTER(POINTER(hs_member))),
    ("left_out", c_size_t),
    ("left_out_count", c_uint64),
    ("resumed", c_uint64),
    ("is_part", c_bool),
    ("all_known", c_bool),
]
hs_object_value._fields_ = [
    ("id", c_uint32),
    ("kind", c_char),
    ("bits", c_uint64),
    ("is_constant", c_bool),
    ("text", c_char_p),
]
hs_open_options._fields_ = [
    ("size", c_size_t),
    ("no_index", c_bool),
    ("copy_of", c_char_p),
]
hs_output_line._fields_ = [
    ("stream", c_int),
    ("text", c_char_p),
    ("bytes", c_void_p),
    ("byte_count", c_size_t),
    ("ended", c_bool),
    ("cut", c_bool),
    ("part_count", c_size_t),
    ("parts", POINTER(POINTER(hs_output_part))),
]
hs_output_part._fields_ = [
    ("seq", c_uint64),
    ("dataid", c_uint32),
    ("thread", c_uint32),
    ("written", c_uint64),
    ("time_ns", c_uint64),
    ("by_program", c_bool),
    ("at", c_size_t),
]
hs_overflow_options._fields_ = [
    ("size", c_size_t),
    ("from_", c_uint64),
    ("to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
    ("class_glob", c_char_p),
    ("method_glob", c_char_p),
    ("where", c_void_p),
    ("each", c_bool),
    ("max", c_size_t),
]
hs_path._fields_ = [
    ("method_id", c_uint32),
    ("threw", c_bool),
    ("calls", c_uint64),
    ("steps", POINTER(c_uint32)),
    ("step_count", c_size_t),
    ("repeats", POINTER(POINTER(hs_path_repeat))),
    ("repeat_count", c_size_t),
]
hs_path_repeat._fields_ = [
    ("first", c_uint32),
    ("steps", c_uint32),
    ("times", c_uint64),
]
hs_pause._fields_ = [
    ("ns", c_uint64),
    ("begin", c_uint64),
    ("dataid", c_uint32),
    ("value", c_uint64),
    ("kind", c_char),
]
hs_place._fields_ = [
    ("pc", c_uint32),
    ("line", c_int32),
    ("unsure", c_bool),
    ("file", c_char_p),
]
hs_decision._fields_ = [
    ("seq", c_uint64),
    ("method_id", c_uint32),
    ("place", hs_place),
    ("condition", c_char_p),
    ("relation", c_char_p),
    ("says_value", c_bool),
    ("value_count", c_size_t),
    ("values", POINTER(POINTER(hs_decided))),
]
hs_race._fields_ = [
    ("a", c_uint64),
    ("b", c_uint64),
    ("count", c_uint64),
    ("object", c_uint64),
    ("index", c_uint32),
    ("element", c_bool),
    ("collection", c_bool),
]
hs_recent._fields_ = [
    ("event", POINTER(hs_event)),
    ("methods", POINTER(c_uint32)),
    ("entered", POINTER(c_uint64)),
    ("frame_count", c_size_t),
]
hs_repeat._fields_ = [
    ("calls", c_uint32),
    ("times", c_uint64),
]
hs_rule._fields_ = [
    ("name", c_char_p),
    ("sentence", c_char_p),
]
hs_sample._fields_ = [
    ("thread", c_uint32),
    ("seq", c_uint64),
    ("frame_count", c_size_t),
    ("methods", POINTER(c_uint32)),
    ("entries", POINTER(c_uint64)),
]
hs_signal._fields_ = [
    ("feature", c_char_p),
    ("by_time", c_bool),
    ("width", c_uint64),
    ("bucket_count", c_size_t),
    ("calls", POINTER(c_uint64)),
    ("depth", POINTER(c_uint32)),
]
hs_slice._fields_ = [
    ("event", POINTER(hs_event)),
    ("distance", c_uint32),
    ("from_", c_uint64),
    ("by", c_int),
    ("because", c_char_p),
    ("end", c_char_p),
    ("output", c_bool),
    ("decision", POINTER(hs_decision)),
    ("overflow", c_char_p),
]
hs_slice_options._fields_ = [
    ("size", c_size_t),
    ("seq", c_uint64),
    ("kind", c_int),
    ("forward", c_bool),
    ("distance", c_uint32),
]
hs_snapshot._fields_ = [
    ("number", c_uint32),
    ("kind", c_int),
    ("saved", c_bool),
    ("seq", c_uint64),
    ("ns", c_uint64),
    ("stamp", c_uint64),
    ("thread", c_uint32),
    ("interval", c_uint32),
    ("object", c_uint32),
    ("type", c_char_p),
]
hs_stack_frame._fields_ = [
    ("class_name", c_char_p),
    ("method", c_char_p),
    ("file", c_char_p),
    ("line", c_int32),
    ("native", c_bool),
]
hs_stretch._fields_ = [
    ("thread", c_uint32),
    ("seq", c_uint64),
    ("position", c_uint64),
    ("begin_ns", c_uint64),
    ("events", c_uint32),
    ("calls", c_uint32),
    ("exceptions", c_uint32),
    ("depth", c_uint32),
    ("least", c_uint32),
    ("most", c_uint32),
    ("pause", POINTER(hs_pause)),
    ("frame_count", c_size_t),
    ("methods", POINTER(c_uint32)),
    ("entries", POINTER(c_uint64)),
    ("last", c_uint64),
]
hs_suspect._fields_ = [
    ("kind", c_int),
    ("method", c_char_p),
    ("file", c_char_p),
    ("line", c_int32),
    ("what", c_char_p),
    ("failing", c_uint64),
    ("passing", c_uint64),
    ("failing_reached", c_uint64),
    ("passing_reached", c_uint64),
    ("ochiai", c_double),
    ("increase", c_double),
    ("run", c_size_t),
    ("seq", c_uint64),
    ("never", c_bool),
]
hs_suspect_options._fields_ = [
    ("size", c_size_t),
    ("runs", POINTER(hs_suspect_run)),
    ("count", c_size_t),
    ("class_glob", c_char_p),
    ("never", c_bool),
]
hs_suspect_run._fields_ = [
    ("trace", c_void_p),
    ("from_", c_uint64),
    ("to", c_uint64),
    ("thread", c_uint32),
    ("failed", c_bool),
]
hs_test._fields_ = [
    ("framework", c_char_p),
    ("class_name", c_char_p),
    ("method", c_char_p),
    ("name", c_char_p),
    ("status", c_int),
    ("container", c_bool),
    ("begin", c_uint64),
    ("end", c_uint64),
    ("thread", c_uint32),
    ("exception", c_uint32),
    ("reason", c_char_p),
    ("dropped", c_bool),
]
hs_test_source._fields_ = [
    ("seq", c_uint64),
    ("method_id", c_uint32),
    ("class_name", c_char_p),
    ("package", c_char_p),
    ("source", c_char_p),
    ("why", c_char_p),
    ("doubt_count", c_size_t),
    ("doubts", POINTER(c_char_p)),
]
hs_test_source_options._fields_ = [
    ("size", c_size_t),
    ("seq", c_uint64),
    ("junit", c_uint),
    ("class_name", c_char_p),
]
hs_thread._fields_ = [
    ("thread", c_uint32),
    ("tid", c_uint64),
    ("name", c_char_p),
    ("group", c_char_p),
    ("known", c_bool),
    ("daemon", c_bool),
    ("is_virtual", c_bool),
    ("start_ns", c_uint64),
    ("end_ns", c_uint64),
    ("object_id", c_uint64),
    ("events", c_uint64),
]
hs_thread_state._fields_ = [
    ("thread", POINTER(hs_thread)),
    ("last", POINTER(hs_event)),
    ("frames", POINTER(POINTER(hs_frame))),
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
hs_throw_frame._fields_ = [
    ("class_name", c_char_p),
    ("method", c_char_p),
    ("file", c_char_p),
    ("line", c_int32),
    ("native", c_bool),
    ("caught", c_bool),
    ("variable_count", c_size_t),
    ("variables", POINTER(POINTER(hs_throw_variable))),
]
hs_throw_stack._fields_ = [
    ("frame_count", c_size_t),
    ("frames", POINTER(POINTER(hs_throw_frame))),
    ("caught", c_int64),
    ("more", c_uint64),
]
hs_throw_variable._fields_ = [
    ("name", c_char_p),
    ("redacted", c_bool),
    ("kind", c_char),
    ("value", c_uint64),
]
hs_thrown._fields_ = [
    ("id", c_uint32),
    ("message", c_char_p),
    ("cause", c_uint64),
    ("suppressed", POINTER(c_uint64)),
    ("suppressed_count", c_size_t),
    ("has_stack", c_bool),
    ("message_redacted", c_bool),
    ("frames", POINTER(POINTER(hs_stack_frame))),
    ("frame_count", c_size_t),
    ("message_computed", c_bool),
    ("message_overridden", c_bool),
    ("detail", c_char_p),
]
hs_tree_options._fields_ = [
    ("size", c_size_t),
    ("thread", c_uint32),
    ("from_", c_uint64),
    ("to", c_uint64),
    ("depth", c_uint32),
    ("fold", c_int),
    ("open_at", c_uint64),
    ("ahead", c_uint64),
    ("max", c_uint64),
]
hs_type._fields_ = [
    ("id", c_uint32),
    ("name", c_char_p),
    ("loader", c_uint64),
    ("access", c_uint32),
]
hs_value._fields_ = [
    ("bits", c_uint64),
    ("kind", c_char),
]
hs_overflow._fields_ = [
    ("seq", c_uint64),
    ("last", c_uint64),
    ("count", c_uint64),
    ("thread", c_uint32),
    ("dataid", c_uint32),
    ("method_id", c_uint32),
    ("pc", c_uint32),
    ("line", c_int32),
    ("file", c_char_p),
    ("op", c_char_p),
    ("symbol", c_char_p),
    ("loss", c_int),
    ("bits", c_uint32),
    ("what", c_char_p),
    ("left", hs_value),
    ("right", hs_value),
    ("result", hs_value),
    ("exact", c_char_p),
]
hs_variable._fields_ = [
    ("name", c_char_p),
    ("slot", c_uint32),
    ("kind", c_char),
    ("value", c_uint64),
    ("position", c_uint64),
]
hs_violation._fields_ = [
    ("rule", c_char_p),
    ("seq", c_uint64),
    ("what", c_char_p),
]
hs_watch_options._fields_ = [
    ("size", c_size_t),
    ("kind", c_int),
    ("place", c_char_p),
    ("text", c_char_p),
    ("where", c_char_p),
    ("from_", c_uint64),
    ("to", c_uint64),
    ("threads", POINTER(c_uint32)),
    ("thread_count", c_size_t),
]
hs_watched._fields_ = [
    ("event", POINTER(hs_event)),
    ("text", c_char_p),
    ("values", POINTER(POINTER(hs_evaluation))),
    ("texts", POINTER(c_char_p)),
    ("value_count", c_size_t),
    ("known", c_bool),
]
hs_why_options._fields_ = [
    ("size", c_size_t),
    ("seq", c_uint64),
    ("max", c_size_t),
    ("choose", c_char_p),
    ("all", c_bool),
    ("depth", c_uint32),
    ("under", c_bool),
    ("control", c_bool),
]
hs_write._fields_ = [
    ("event", POINTER(hs_event)),
    ("object", c_uint64),
    ("has_index", c_bool),
    ("index", c_uint64),
    ("declaring", c_char_p),
    ("field", c_char_p),
    ("left_out", c_uint64),
    ("resumed", c_uint64),
]
STRUCTS = [
    hs_absence,
    hs_absence_options,
    hs_allocation,
    hs_allocation_options,
    hs_attr,
    hs_call,
    hs_cause,
    hs_choice,
    hs_class,
    hs_compared_method,
    hs_condition_name,
    hs_contents,
    hs_context,
    hs_cost,
    hs_dataid,
    hs_deadlock,
    hs_decided,
    hs_decision,
    hs_diff_options,
    hs_difference,
    hs_entry,
    hs_error,
    hs_evaluation,
    hs_event,
    hs_exception,
    hs_exception_group,
    hs_feature,
    hs_feature_flow,
    hs_feature_method,
    hs_feature_type,
    hs_field,
    hs_filter,
    hs_frame,
    hs_fsck_result,
    hs_handover,
    hs_heap_options,
    hs_heap_row,
    hs_hold,
    hs_index_info,
    hs_interval,
    hs_inversion,
    hs_life,
    hs_lock,
    hs_lock_edge,
    hs_mark,
    hs_member,
    hs_method,
    hs_moment,
    hs_monitor,
    hs_object,
    hs_object_state,
    hs_object_value,
    hs_open_options,
    hs_output_line,
    hs_output_part,
    hs_overflow,
    hs_overflow_options,
    hs_path,
    hs_path_repeat,
    hs_pause,
    hs_place,
    hs_race,
    hs_recent,
    hs_repeat,
    hs_rule,
    hs_sample,
    hs_signal,
    hs_slice,
    hs_slice_options,
    hs_snapshot,
    hs_stack_frame,
    hs_stretch,
    hs_suspect,
    hs_suspect_options,
    hs_suspect_run,
    hs_test,
    hs_test_source,
    hs_test_source_options,
    hs_thread,
    hs_thread_state,
    hs_throw_frame,
    hs_throw_stack,
    hs_throw_variable,
    hs_thrown,
    hs_tree_options,
    hs_type,
    hs_value,
    hs_variable,
    hs_violation,
    hs_watch_options,
    hs_watched,
    hs_why_options,
    hs_write,
]
FUNCTIONS = {  # name: result, arguments
    "hs_absence_next": (c_int, [c_void_p, POINTER(POINTER(hs_absence)), POINTER(hs_error)]),
    "hs_absences_open": (c_int, [c_void_p, POINTER(hs_absence_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_allocation_next": (c_int, [c_void_p, POINTER(POINTER(hs_allocation)), POINTER(hs_error)]),
    "hs_allocations_cut": (c_uint64, [c_void_p]),
    "hs_allocations_open": (c_int, [c_void_p, POINTER(hs_allocation_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_array_length": (c_int, [c_void_p, c_uint32, POINTER(c_uint64), POINTER(hs_error)]),
    "hs_call_next": (c_int, [c_void_p, POINTER(POINTER(hs_call)), POINTER(hs_error)]),
    "hs_cause_next": (c_int, [c_void_p, POINTER(POINTER(hs_cause)), POINTER(hs_error)]),
    "hs_causes_open": (c_int, [c_void_p, POINTER(hs_why_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_class_count": (c_size_t, [c_void_p]),
    "hs_class_extends": (c_bool, [c_void_p, c_char_p, c_uint64, c_char_p, POINTER(c_bool)]),
    "hs_class_find": (POINTER(hs_class), [c_void_p, c_char_p, c_uint64]),
    "hs_class_get": (POINTER(hs_class), [c_void_p, c_uint32]),
    "hs_class_matches": (c_bool, [c_char_p, c_char_p]),
    "hs_class_next": (c_int, [c_void_p, POINTER(POINTER(hs_class)), POINTER(hs_error)]),
    "hs_class_object": (c_uint32, [c_void_p, POINTER(hs_class)]),
    "hs_class_super": (c_char_p, [c_void_p, c_char_p, c_uint64]),
    "hs_classes_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_clock_ns": (c_uint64, [c_void_p, c_uint64]),
    "hs_clock_resolution_ns": (c_uint64, [c_void_p]),
    "hs_close": (None, [c_void_p]),
    "hs_condition_call": (c_int, [c_void_p, c_void_p, c_uint32, POINTER(hs_call)]),
    "hs_condition_event": (c_int, [c_void_p, c_void_p, POINTER(hs_event)]),
    "hs_condition_free": (None, [c_void_p]),
    "hs_condition_name_get": (POINTER(hs_condition_name), [c_void_p, c_uint32]),
    "hs_condition_object": (c_int, [c_void_p, c_void_p, c_uint32, c_uint64, POINTER(c_bool)]),
    "hs_condition_overflow": (c_int, [c_void_p, c_void_p, POINTER(hs_overflow)]),
    "hs_condition_parse": (c_int, [c_char_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_contents_at": (c_int, [c_void_p, c_uint32, c_uint64, POINTER(POINTER(hs_contents)), POINTER(hs_error)]),
    "hs_context_next": (c_int, [c_void_p, POINTER(POINTER(hs_context)), POINTER(hs_error)]),
    "hs_contexts_cut": (c_uint64, [c_void_p]),
    "hs_contexts_open": (c_int, [c_void_p, c_int, c_uint64, c_uint64, c_size_t, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_cost_next": (c_int, [c_void_p, POINTER(POINTER(hs_cost)), POINTER(hs_error)]),
    "hs_costs_open": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_count_dataids": (c_int, [c_void_p, POINTER(c_uint64), POINTER(c_double), POINTER(hs_error)]),
    "hs_cursor_close": (None, [c_void_p]),
    "hs_cursor_count": (c_uint64, [c_void_p]),
    "hs_cursor_seek": (c_int, [c_void_p, c_uint64, POINTER(hs_error)]),
    "hs_damage": (c_char_p, [c_void_p]),
    "hs_dataid_count": (c_uint32, [c_void_p]),
    "hs_dataid_get": (POINTER(hs_dataid), [c_void_p, c_uint32]),
    "hs_deadlock_next": (c_int, [c_void_p, POINTER(POINTER(hs_deadlock)), POINTER(hs_error)]),
    "hs_deadlocks_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_diff_noise": (c_uint64, [c_void_p]),
    "hs_diff_open": (c_int, [POINTER(hs_diff_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_diff_partial": (None, [c_void_p, POINTER(c_uint64), POINTER(c_uint64)]),
    "hs_difference_kind_name": (c_char_p, [c_int]),
    "hs_difference_next": (c_int, [c_void_p, POINTER(POINTER(hs_difference)), POINTER(hs_error)]),
    "hs_dir": (c_char_p, [c_void_p]),
    "hs_disk_bytes": (c_uint64, [c_void_p]),
    "hs_early_object": (c_uint32, [c_void_p, POINTER(hs_event)]),
    "hs_evaluate": (
        c_int,
        [c_void_p, c_uint64, c_size_t, c_char_p, POINTER(POINTER(hs_evaluation)), POINTER(hs_error)],
    ),
    "hs_event_at": (c_int, [c_void_p, c_uint64, POINTER(POINTER(hs_event)), POINTER(hs_error)]),
    "hs_event_count": (c_uint64, [c_void_p]),
    "hs_event_may_have": (c_bool, [c_void_p, c_uint32, c_char_p]),
    "hs_event_name": (c_char_p, [c_uint]),
    "hs_event_next": (c_int, [c_void_p, POINTER(POINTER(hs_event)), POINTER(hs_error)]),
    "hs_event_number": (c_uint, [c_char_p]),
    "hs_event_previous": (c_int, [c_void_p, POINTER(POINTER(hs_event)), POINTER(hs_error)]),
    "hs_event_seq": (c_int, [c_void_p, c_uint32, c_uint64, POINTER(c_uint64), POINTER(hs_error)]),
    "hs_events_open": (c_int, [c_void_p, POINTER(hs_filter), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_exception_alike": (c_uint64, [c_void_p]),
    "hs_exception_group_next": (c_int, [c_void_p, POINTER(POINTER(hs_exception_group)), POINTER(hs_error)]),
    "hs_exception_groups_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_exception_held": (POINTER(hs_thrown), [c_void_p]),
    "hs_exception_next": (c_int, [c_void_p, POINTER(POINTER(hs_exception)), POINTER(hs_error)]),
    "hs_exception_stack": (POINTER(hs_throw_stack), [c_void_p]),
    "hs_exceptions_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_exceptions_open_from": (c_int, [c_void_p, c_uint64, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_feature_flow_next": (c_int, [c_void_p, POINTER(POINTER(hs_feature_flow)), POINTER(hs_error)]),
    "hs_feature_flows_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_feature_method_next": (c_int, [c_void_p, POINTER(POINTER(hs_feature_method)), POINTER(hs_error)]),
    "hs_feature_methods_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_feature_next": (c_int, [c_void_p, POINTER(POINTER(hs_feature)), POINTER(hs_error)]),
    "hs_feature_similarity": (c_double, [POINTER(hs_feature), POINTER(hs_feature)]),
    "hs_features_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_field_declaring": (c_char_p, [c_void_p, c_uint32]),
    "hs_field_get": (POINTER(hs_field), [c_void_p, c_char_p, c_uint64, c_size_t]),
    "hs_frame_next": (c_int, [c_void_p, POINTER(POINTER(hs_frame)), POINTER(hs_error)]),
    "hs_frames_open": (c_int, [c_void_p, c_uint64, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_fsck": (c_int, [c_void_p, hs_violation_fn, c_void_p, POINTER(POINTER(hs_fsck_result)), POINTER(hs_error)]),
    "hs_handed_over": (
        c_int,
        [c_void_p, c_uint32, c_uint64, c_uint64, POINTER(POINTER(hs_handover)), POINTER(hs_error)],
    ),
    "hs_heap_open": (c_int, [c_void_p, POINTER(hs_heap_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_heap_row_next": (c_int, [c_void_p, POINTER(POINTER(hs_heap_row)), POINTER(hs_error)]),
    "hs_history_object": (c_uint32, [c_void_p]),
    "hs_history_open": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_hold_next": (c_int, [c_void_p, POINTER(POINTER(hs_hold)), POINTER(hs_error)]),
    "hs_holds_open": (c_int, [c_void_p, POINTER(c_uint32), c_size_t, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_index_build": (c_int, [c_void_p, POINTER(hs_error)]),
    "hs_index_info": (POINTER(hs_index_info), [c_void_p]),
    "hs_info": (c_char_p, [c_void_p, c_char_p]),
    "hs_interval_count": (c_size_t, [c_void_p]),
    "hs_interval_next": (c_int, [c_void_p, POINTER(POINTER(hs_interval)), POINTER(hs_error)]),
    "hs_intervals_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_inversion_next": (c_int, [c_void_p, POINTER(POINTER(hs_inversion)), POINTER(hs_error)]),
    "hs_inversions_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_lambda_body": (POINTER(hs_method), [c_void_p, c_uint32]),
    "hs_last_event": (c_int, [c_void_p, c_uint32, c_uint64, POINTER(POINTER(hs_event)), POINTER(hs_error)]),
    "hs_last_write": (c_int, [c_void_p, c_char_p, c_uint64, POINTER(POINTER(hs_write)), POINTER(hs_error)]),
    "hs_latest_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_latest_read": (c_int, [c_void_p, POINTER(c_uint32), c_size_t, c_bool, POINTER(hs_error)]),
    "hs_latest_select": (c_int, [c_void_p, c_uint32, POINTER(c_size_t), POINTER(hs_error)]),
    "hs_life_get": (c_int, [c_void_p, c_uint32, POINTER(POINTER(hs_life)), POINTER(hs_error)]),
    "hs_life_next": (c_int, [c_void_p, POINTER(POINTER(hs_life)), POINTER(hs_error)]),
    "hs_lives_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_lock_edge_next": (c_int, [c_void_p, POINTER(POINTER(hs_lock_edge)), POINTER(hs_error)]),
    "hs_lock_edges_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_lock_next": (c_int, [c_void_p, POINTER(POINTER(hs_lock)), POINTER(hs_error)]),
    "hs_locks_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_loss_name": (c_char_p, [c_int]),
    "hs_mark_next": (c_int, [c_void_p, POINTER(POINTER(hs_mark)), POINTER(hs_error)]),
    "hs_marks_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_method_get": (POINTER(hs_method), [c_void_p, c_uint32]),
    "hs_method_matches": (c_bool, [c_char_p, c_char_p, c_char_p]),
    "hs_method_monitor": (c_uint64, [c_void_p, c_uint32, c_uint64]),
    "hs_moment_next": (c_int, [c_void_p, POINTER(POINTER(hs_moment)), POINTER(hs_error)]),
    "hs_moments_open": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_next_start": (c_uint64, [c_void_p, c_uint64]),
    "hs_object_at": (c_int, [c_void_p, c_uint32, c_uint64, POINTER(POINTER(hs_object_state)), POINTER(hs_error)]),
    "hs_object_get": (POINTER(hs_object), [c_void_p, c_uint32]),
    "hs_object_next": (c_int, [c_void_p, POINTER(POINTER(hs_object)), POINTER(hs_error)]),
    "hs_object_part_at": (
        c_int,
        [c_void_p, c_uint32, c_uint64, c_uint64, c_uint64, POINTER(POINTER(hs_object_state)), POINTER(hs_error)],
    ),
    "hs_object_value_get": (POINTER(hs_object_value), [c_void_p, c_uint32, c_uint64]),
    "hs_objects_of_type_open": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_objects_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_open": (c_int, [c_char_p, c_uint, POINTER(hs_open_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_output_line_next": (c_int, [c_void_p, POINTER(POINTER(hs_output_line)), POINTER(hs_error)]),
    "hs_output_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_overflow_next": (c_int, [c_void_p, POINTER(POINTER(hs_overflow)), POINTER(hs_error)]),
    "hs_overflows_cut": (c_bool, [c_void_p]),
    "hs_overflows_open": (c_int, [c_void_p, POINTER(hs_overflow_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_overflows_unknown": (c_uint64, [c_void_p, POINTER(c_uint64)]),
    "hs_path_next": (c_int, [c_void_p, POINTER(POINTER(hs_path)), POINTER(hs_error)]),
    "hs_paths_open": (c_int, [c_void_p, c_int, c_uint64, c_uint64, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_place_of": (c_int, [c_void_p, POINTER(hs_event), POINTER(POINTER(hs_place)), POINTER(hs_error)]),
    "hs_race_next": (c_int, [c_void_p, POINTER(POINTER(hs_race)), POINTER(hs_error)]),
    "hs_races_cut": (c_bool, [c_void_p]),
    "hs_races_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_recent_next": (c_int, [c_void_p, POINTER(POINTER(hs_recent)), POINTER(hs_error)]),
    "hs_recents_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_recording_end_ns": (c_uint64, [c_void_p]),
    "hs_rule_next": (c_int, [c_void_p, POINTER(POINTER(hs_rule)), POINTER(hs_error)]),
    "hs_rules_open": (c_int, [POINTER(c_void_p), POINTER(hs_error)]),
    "hs_sample_next": (c_int, [c_void_p, POINTER(POINTER(hs_sample)), POINTER(hs_error)]),
    "hs_samples_open": (
        c_int,
        [c_void_p, POINTER(c_uint32), c_size_t, c_uint64, c_uint64, c_uint64, POINTER(c_void_p), POINTER(hs_error)],
    ),
    "hs_set_jobs": (None, [c_void_p, c_uint]),
    "hs_set_progress": (None, [c_void_p, hs_progress_fn, c_void_p]),
    "hs_signal_next": (c_int, [c_void_p, POINTER(POINTER(hs_signal)), POINTER(hs_error)]),
    "hs_signals_open": (c_int, [c_void_p, c_size_t, c_bool, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_situation_name": (c_char_p, [c_int]),
    "hs_sizeof": (c_size_t, [c_char_p]),
    "hs_slice_next": (c_int, [c_void_p, POINTER(POINTER(hs_slice)), POINTER(hs_error)]),
    "hs_slice_open": (c_int, [c_void_p, POINTER(hs_slice_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_snapshot_count": (c_size_t, [c_void_p]),
    "hs_snapshot_next": (c_int, [c_void_p, POINTER(POINTER(hs_snapshot)), POINTER(hs_error)]),
    "hs_snapshots_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_status_text": (c_char_p, [c_int]),
    "hs_storage": (c_bool, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_uint64)]),
    "hs_store_done": (c_bool, [c_void_p, POINTER(hs_event)]),
    "hs_stretch_next": (c_int, [c_void_p, POINTER(POINTER(hs_stretch)), POINTER(hs_error)]),
    "hs_stretches_open": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_string_contains": (c_bool, [POINTER(hs_object), c_char_p]),
    "hs_suspect_kind_name": (c_char_p, [c_int]),
    "hs_suspect_next": (c_int, [c_void_p, POINTER(POINTER(hs_suspect)), POINTER(hs_error)]),
    "hs_suspects_open": (c_int, [POINTER(hs_suspect_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_test_next": (c_int, [c_void_p, POINTER(POINTER(hs_test)), POINTER(hs_error)]),
    "hs_test_source_next": (c_int, [c_void_p, POINTER(POINTER(hs_test_source)), POINTER(hs_error)]),
    "hs_test_sources_open": (c_int, [c_void_p, POINTER(hs_test_source_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_tests_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_thread_count": (c_size_t, [c_void_p]),
    "hs_thread_get": (POINTER(hs_thread), [c_void_p, c_uint32]),
    "hs_thread_next": (c_int, [c_void_p, POINTER(POINTER(hs_thread)), POINTER(hs_error)]),
    "hs_thread_state_next": (c_int, [c_void_p, POINTER(POINTER(hs_thread_state)), POINTER(hs_error)]),
    "hs_thread_states_open": (c_int, [c_void_p, c_uint64, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_threads_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_throw_stack_get": (POINTER(hs_throw_stack), [c_void_p, POINTER(hs_event)]),
    "hs_thrown_at": (c_int, [c_void_p, POINTER(hs_event), POINTER(POINTER(hs_place)), POINTER(hs_error)]),
    "hs_thrown_get": (POINTER(hs_thrown), [c_void_p, c_uint32]),
    "hs_thrown_peek": (POINTER(hs_thrown), [c_void_p, c_uint32]),
    "hs_tree_cut": (c_bool, [c_void_p]),
    "hs_tree_open": (c_int, [c_void_p, POINTER(hs_tree_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_type_count": (c_size_t, [c_void_p]),
    "hs_type_get": (POINTER(hs_type), [c_void_p, c_uint32]),
    "hs_type_may_have": (c_bool, [c_void_p, c_uint32, c_char_p]),
    "hs_type_next": (c_int, [c_void_p, POINTER(POINTER(hs_type)), POINTER(hs_error)]),
    "hs_types_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_use_snapshot": (c_int, [c_void_p, c_uint32, POINTER(hs_error)]),
    "hs_version": (c_char_p, []),
    "hs_version_number": (c_uint, []),
    "hs_watch_expression": (c_char_p, [c_void_p, c_size_t]),
    "hs_watch_kind": (c_int, [c_void_p]),
    "hs_watch_open": (c_int, [c_void_p, POINTER(hs_watch_options), POINTER(c_void_p), POINTER(hs_error)]),
    "hs_watch_undecided": (c_uint64, [c_void_p]),
    "hs_watched_next": (c_int, [c_void_p, POINTER(POINTER(hs_watched)), POINTER(hs_error)]),
    "hs_why_open": (c_int, [c_void_p, c_uint64, c_size_t, POINTER(c_void_p), POINTER(hs_error)]),
    "hs_write_next": (c_int, [c_void_p, POINTER(POINTER(hs_write)), POINTER(hs_error)]),
    "hs_write_previous": (c_int, [c_void_p, POINTER(POINTER(hs_write)), POINTER(hs_error)]),
}
