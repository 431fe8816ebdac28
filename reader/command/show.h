/* show.h - events, values and data IDs as text and as JSON: the one place that knows these shapes.
 *
 * What an event takes from its data ID is the same every time, so it is formatted once and kept (bounded, see
 * show.c). */
#ifndef READER_COMMAND_SHOW_H
#define READER_COMMAND_SHOW_H

#include "reader/command/out.h"
#include "reader/trace.h"

struct show_cache;
struct show {
    hs_trace *trace;
    struct out *out;
    struct show_cache *cache;
    bool bare_boxes; /* in text a box is shown as its number alone */
    uint64_t at;     /* the moment at which collections are shown with what they hold; HS_NO_SEQ: they are not */
};
bool show_init(struct show *s, hs_trace *trace, struct out *out); /* false: out of memory */
void show_done(struct show *s);

/* {"seq":..,"thread":..,...} without a newline. */
void show_event_json(struct show *s, const struct hs_event *e);
/* As show_event_json, but the object stays open for more members. */
void show_event_json_open(struct show *s, const struct hs_event *e);
void show_event_members(struct show *s, const struct hs_event *e); /* in an object that is open */
/* One line with its newline. */
void show_event_text(struct show *s, const struct hs_event *e);
void show_event_heading(struct show *s);

/* A value by its kind, as JSON and as text. Values of two kinds never have the same text, but for numbers:
 *
 *     120  -0.0  1.5  NaN  -Infinity   numbers          'x' (120)  '\n' (10)   a char with its code
 *     true  null                                        "text"#16  "begin"...#16   a string with its id, of which only
 *     Order#12                         an object                               a line is shown
 *     BigDecimal#9 1.50                one with what it stands for; of an enum: RoundingMode.HALF_UP */
void show_value_json(struct show *s, char kind, uint64_t value);
/* Does the event have a value, or has redact= left out a number? (References keep their ids.) */
bool show_has_value(struct show *s, const struct hs_event *e);
/* The result of a call that was left: no value, but is it a number that redact= left out? */
bool show_result_redacted(struct show *s, const struct hs_call *c);
void show_value_text(struct show *s, char kind, uint64_t value);
/* Order#12, also of a string. */
void show_object_name(struct show *s, uint64_t id);
/* {"id":..,"type":..,"string":..} or null. */
void show_reference_json(struct show *s, uint64_t id);

/* "name":[reference, ...] */
void show_references_json(struct show *s, const char *name, const uint64_t *ids, size_t count);

/* "class X#12" of an object that is that class; false: it is none, nothing is written. */
bool show_class_object(struct show *s, uint64_t id);
/* That, or the object's name. */
void show_monitor_name(struct show *s, uint64_t id);
/* show_reference_json, with "class" if the object is one. */
void show_monitor_json(struct show *s, uint64_t id);
/* "pc", "left_out" and "entered" of a frame, of those that are known. */
void show_frame_members(struct json *j, const struct hs_frame *f);
/* "monitors":[{"object","entered"}] of a frame, if it holds any */
void show_monitors_member(struct show *s, const struct hs_frame *f);

/* A static attribute; NULL if the data ID has none of the name. */
const char *show_text_attr(const struct hs_dataid *d, const char *name);
/* "to java.lang.System.arraycopy by a.B.m:12"; false if it was not handed over. */
bool show_handover_text(struct show *s, const struct hs_handover *h);
/* "handed":{"seq":.., and the members of the call's data ID}; nothing if it was not. */
void show_handover_json(struct show *s, const struct hs_handover *h);
/* Members of a data ID: "dataid","event","class","method","desc","file","line","pc"; and "attr":{...}, if it has
 * any. */
void show_dataid_members(struct show *s, const struct hs_dataid *d);
void show_attrs_member(struct show *s, const struct hs_dataid *d);

/* "class":..,"method":..,"desc":.. and "cut":true if one of them is */
void show_method_members(struct out *o, const char *class_name, const char *method, const char *desc);
/* a.b.C.method(java.lang.String, int), followed by `end` */
void show_method_text(struct out *o, const char *class_name, const char *method, const char *desc, const char *end);
/* method(java.lang.String, int) */
void show_signature_text(struct out *o, const char *method, const char *desc);
/* a.b.C.method:line, with the file before the line if it is another than that of the class (out_spot) */
void show_place_text(struct show *s, const struct hs_dataid *d);
/* That of an event: where it stands (hs_place_of). */
void show_event_place_text(struct show *s, const struct hs_event *e);
/* The same with another line of the method; -1: none. */
void show_spot_text(struct show *s, const struct hs_dataid *d, struct spot spot);
/* With --source the line of the source: "  | text", and the member "source". */
void show_source_text(struct show *s, uint32_t class_no, struct spot spot);
void show_source_member(struct show *s, uint32_t class_no, struct spot spot);
/* "class", "method", and the file and line of a spot of the method, with its source if that is wanted; nothing without
 * a data ID. */
void show_spot_members(struct show *s, const struct hs_dataid *d, struct spot spot, bool source);
void show_method_spot_members(struct show *s, uint32_t method_id, struct spot spot, bool source);
/* "class":..,"method":..,"file":..,"line":..,"native":true of a frame of a stack. */
void show_stack_members(struct out *o, const struct hs_stack_frame *f);
/* "name":[{"class":..,"method":..,"file":..,"line":..,"native":true}, ...]: the stack of an exception. */
void show_frames_json(struct show *s, const char *name, const struct hs_thrown *t);

/* What an object stands for, behind the name of its type: Optional[a] is [a], Point[x=1] is [x=1]. */
const char *show_without_type(const char *text);

#endif
