/* session.h - the public header of this folder: moving through a recorded run as a debugger does. DAP and JDWP are
 * built on it.
 *
 *     struct nav *nav;
 *     struct nav_stop stop;
 *     nav_open(trace, &nav, &err);
 *     nav_step(nav, nav_thread(nav), NAV_OVER, NAV_LINE, NAV_FORWARD, &stop, &err);
 *     nav_frames(nav, stop.thread, &frames, &count, &err);
 *     nav_close(nav);
 *
 * A session stands at a moment: just after event `seq`. Every thread then stands at its own latest event up to that
 * moment. Moving one thread makes the moment that of the event where it stops, so the others move along.
 *
 * Steps go to stops of a unit. Whether an event is a stop depends on the events before it alone, so the stops of a
 * thread are the same in both directions: n steps in and n steps back end where they began.
 *
 *     NAV_EVENT      every event
 *     NAV_STATEMENT  every entry of the line table that is reached (LINE_NUMBER); in methods without such events, the
 *                    first event of a line
 *     NAV_LINE       the same if the one before in its frame had another line
 *
 *     direction      in                 over                                out
 *     forward        the next stop      the next stop of the frame; when    the caller's next event
 *                    of the thread      it is left, the caller's next event
 *     backward       the previous one   the previous stop of the frame;     the caller's last event before the call
 *                                       before its first, the caller's last
 *                                       event before the call
 *
 * moment.c has the moment and its frames, step.c the steps, hits.c breakpoints, frame_next.c the walk along one frame,
 * frame_events.c what a frame did around the moment, expression.c expressions, held.c what collections answer in them,
 * invoked.c calls of debuggers, members.c what objects held, declared.c what class files declare. One thread at a time,
 * as the trace. */
#ifndef READER_SESSION_H
#define READER_SESSION_H

#include "formats/arena.h"
#include "formats/status.h"
#include "reader/expression/expression.h"
#include "reader/trace.h"

struct nav;

enum nav_direction { NAV_FORWARD, NAV_BACKWARD };
enum nav_step { NAV_IN, NAV_OVER, NAV_OUT };
enum nav_unit { NAV_EVENT, NAV_STATEMENT, NAV_LINE };
enum nav_reason {
    NAV_STEPPED,
    NAV_HIT,       /* of a breakpoint */
    NAV_BEGIN,     /* of the thread or the recording: there is nothing before */
    NAV_END,       /* there is nothing after */
    NAV_CANCELLED, /* nav_set_poll asked to stop: at the moment where it was before */
};
struct nav_stop {
    enum nav_reason reason;
    uint64_t seq;
    uint32_t thread;
    const uint32_t *hits; /* ids of the breakpoints; borrowed until the next stop of the session */
    size_t hit_count;
};

/* Stands after event 0. The trace is borrowed. ERR_NOT_FOUND: it has no events. */
enum status nav_open(hs_trace *trace, struct nav **out, struct error *err);
void nav_close(struct nav *nav); /* NULL is allowed */
uint64_t nav_seq(const struct nav *nav);
uint32_t nav_thread(const struct nav *nav); /* of the event of the moment */
/* Asked while long searches run; true: give up. */
void nav_set_poll(struct nav *nav, bool (*poll)(void *context), void *context);

/* Goes to an event. ERR_NOT_FOUND: there is no such event. */
enum status nav_go(struct nav *nav, uint64_t seq, struct error *err);
/* The latest event of a thread up to the moment. ERR_NOT_FOUND: it has none yet (`err` is left alone). */
enum status nav_thread_seq(struct nav *nav, uint32_t thread, uint64_t *seq, struct error *err);
/* The frames of a thread at the moment, innermost first; borrowed until the session moves. None before its first
 * event. */
enum status nav_frames(struct nav *nav, uint32_t thread, const struct hs_frame *const **frames, size_t *count,
                       struct error *err);

/* Calls `fn` with the events of one frame (0 is innermost) in their order, those of the calls that it makes left out:
 * the last `limit` up to the moment, and `limit` behind it. False from `fn`: out of memory. ERR_NOT_FOUND: there is no
 * such frame (`err` is left alone). */
typedef bool nav_event_fn(void *context, const struct hs_event *e);
enum status nav_frame_events(struct nav *nav, uint32_t thread, size_t frame, size_t limit, nav_event_fn *fn,
                             void *context, struct error *err);
/* The event that gave a variable of a frame of the thread its value. */
enum status nav_written(struct nav *nav, uint32_t thread, const struct hs_variable *v, uint64_t *seq,
                        struct error *err);

/* Moves a thread. When a breakpoint is hit on the way, there. */
enum status nav_step(struct nav *nav, uint32_t thread, enum nav_step step, enum nav_unit unit,
                     enum nav_direction direction, struct nav_stop *stop, struct error *err);
/* To the next hit of a breakpoint, or the last (or first) event of the trace. */
enum status nav_run(struct nav *nav, enum nav_direction direction, struct nav_stop *stop, struct error *err);
/* Back to where a frame of the thread (0 is innermost) was entered: just after its parameters. ERR_NOT_FOUND: that was
 * not recorded. */
enum status nav_restart(struct nav *nav, uint32_t thread, size_t frame, struct nav_stop *stop, struct error *err);

/* ---- breakpoints (hits.c) ---- */

enum nav_break_kind {
    NAV_BREAK_LINE,      /* classes, line: the first instruction of that line in each method that has it; without
                            `source` the line is one of LineNumberTable, as that of PC */
    NAV_BREAK_PC,        /* method_id, pc, line: that instruction, or the nearest one of its line that has an event */
    NAV_BREAK_METHOD,    /* classes, methods: entered; the moment is just after the parameters */
    NAV_BREAK_RETURN,    /* the same: left in any way */
    NAV_BREAK_EXCEPTION, /* classes (of the exception), caught, uncaught: thrown */
    NAV_BREAK_WRITE,     /* what (a location as of hs_history_open): written */
    NAV_BREAK_READ,      /* what: a field or an element, read */
    NAV_BREAK_ACCESS,    /* either */
    NAV_BREAK_LOCK,      /* object: its monitor is entered or left by a synchronized block */
};
struct nav_break {
    enum nav_break_kind kind;
    const char *classes; /* glob; NULL: all */
    const char *methods; /* glob; NULL: all */
    const char *source;  /* LINE: path of the source file, of which package and name count; NULL: by `classes` */
    int32_t line;
    uint32_t method_id, pc;
    bool caught, uncaught;
    const char *what;
    uint32_t object;
    uint32_t thread;       /* of this thread only; UINT32_MAX: any */
    const char *condition; /* an expression that has to be true; NULL: none */
    /* of the hits that satisfy the condition, counted from the beginning of the trace: '=' the `hits`th, '>' those
     * after it, '}' it and those after it, '<' those before it, '%' each `hits`th; 0: all */
    char relation;
    uint64_t hits;
};
/* The new breakpoint's id, from 1 on. `*places` (may be NULL) gets the number of places in code that it stands for, and
 * `*line` that of the first. ERR_NOT_FOUND: the trace has no such place; ERR_USAGE: the condition or the location is
 * not understood. */
enum status nav_break_add(struct nav *nav, const struct nav_break *b, uint32_t *id, size_t *places, struct error *err);
/* Called where a breakpoint is hit, at that moment; true: pass on (a log point). It must not move the session. */
typedef bool nav_pass_fn(void *context, const struct nav_stop *stop);
void nav_set_pass(struct nav *nav, nav_pass_fn *pass, void *context);
void nav_break_remove(struct nav *nav, uint32_t id);
/* The breakpoints that the event `seq` hits, as nav_run finds them. */
enum status nav_hits_at(struct nav *nav, uint64_t seq, struct nav_stop *stop, struct error *err);
/* The lines of a source file (as in struct nav_break) that have code in the trace, rising; the caller frees them. */
enum status nav_lines(struct nav *nav, const char *source, uint32_t **lines, size_t *count, struct error *err);
/* Has a class lines of the source file of this path? By package and name of the file. */
bool nav_source_matches(struct nav *nav, const struct hs_class *c, const char *path);
/* The files that lines of a class are in, beside its source file (as in struct hs_dataid); NULL behind the last. */
const char *nav_source_file(struct nav *nav, const struct hs_class *c, size_t number);
/* Is the line of a data ID one of that file? */
bool nav_is_at_source(struct nav *nav, const struct hs_dataid *d, const char *path);
/* The next (or previous) event after `from` that is at a line of a source file; ERR_NOT_FOUND: there is none. */
enum status nav_find_line(struct nav *nav, const char *source, int32_t line, uint64_t from,
                          enum nav_direction direction, uint64_t *seq, struct error *err);

/* ---- what class files declare (declared.c) ---- */

/* A field as the class file has it; name and descriptor are UTF-8. */
struct nav_declared {
    const char *name, *desc;
    unsigned access;
};
/* The fields that a class declares itself, in the arena; none if the trace has no class file of it. */
enum status nav_declared_fields(struct nav *nav, uint32_t class_no, struct arena *arena,
                                const struct nav_declared **fields, size_t *count, struct error *err);
/* What is known of the place of a class among others, also of one that is not woven; borrowed from the trace. */
/* The attribute SourceDebugExtension (JSR-45) of a class, in the arena; NULL: it has none, or memory is out. */
const char *nav_source_debug_extension(struct nav *nav, uint32_t class_no, struct arena *arena);
struct nav_lineage {
    const char *name; /* with dots, as the interfaces that it declares */
    uint64_t loader;
    bool is_interface;
    const char *const *interfaces;
    size_t interface_count;
};
/* False: nothing is known of it. */
bool nav_lineage_of(struct nav *nav, const char *name, uint64_t loader, struct nav_lineage *out);
/* Every class of which something is known, by number; false: there are no more. */
bool nav_lineage_at(struct nav *nav, size_t number, struct nav_lineage *out);
/* Entry `i` of the local variable table of a method: in `slot` from pc `start` up to `end`. False: there is none. */
struct nav_scope {
    const char *name, *desc;
    uint32_t start, end;
    uint16_t slot;
};
bool nav_declared_variable(struct nav *nav, uint32_t method_id, size_t i, struct nav_scope *out);

/* ---- values (members.c, expression.c) ---- */

struct nav_member {
    const char *name;      /* of a field: without the class; of an element NULL */
    const char *declaring; /* the class of a field; NULL else */
    uint64_t index;        /* of an element */
    const char *what;      /* its location, as of hs_history_open; NULL: it has none */
    struct expression_value value;
};
/* What an object held at the moment: fields with those that are not known, or the known elements. Lives in the
 * arena. */
struct nav_object {
    uint32_t id;
    const char *type; /* NULL unknown */
    bool has_length;
    uint64_t length;
    size_t member_count;
    const struct nav_member *members;
};
enum status nav_object(struct nav *nav, uint32_t id, struct arena *arena, struct nav_object *out, struct error *err);
/* The same just after another event than that of the moment. */
enum status nav_object_at(struct nav *nav, uint32_t id, uint64_t seq, struct arena *arena, struct nav_object *out,
                          struct error *err);
/* As nav_object; of an array whose length is known at most so many of the known elements from index `from` on. */
enum status nav_object_part(struct nav *nav, uint32_t id, uint64_t from, uint64_t most, struct arena *arena,
                            struct nav_object *out, struct error *err);
/* The element of an array. */
enum status nav_element(struct nav *nav, uint32_t id, uint64_t index, struct expression_value *out, struct error *err);
/* A field by name, of the class `as`, one of the object's (NULL: its own), or a superclass of that; else any of the
 * object. ERR_NOT_FOUND: it has no such field. */
enum status nav_field(struct nav *nav, uint32_t id, const char *as, const char *name, struct expression_value *out,
                      struct error *err);
/* Has its class, as far as that is known, such a field? */
bool nav_has_field(struct nav *nav, uint32_t id, const char *as, const char *name);
/* A static field of a class by its name, and by the loader of the class that asks: of several of one name that of this
 * loader. */
enum status nav_static(struct nav *nav, const char *class_name, uint64_t loader, const char *name,
                       struct expression_value *out, struct error *err);
enum status nav_static_at(struct nav *nav, const char *class_name, uint64_t loader, const char *name, uint64_t seq,
                          struct expression_value *out, struct error *err);

/* An expression (reader/expression) in a frame of a thread at the moment (0 is innermost). Texts live in the arena.
 * ERR_USAGE: it is not understood, or Java would throw, with a sentence. A value that depends on something not recorded
 * is not known. */
enum status nav_evaluate(struct nav *nav, uint32_t thread, size_t frame, const char *text, struct arena *arena,
                         struct expression_value *out, struct error *err);
/* As nav_evaluate, of a condition: is it true? */
enum status nav_decide(struct nav *nav, uint32_t thread, size_t frame, const struct expression_tree *tree,
                       enum expression_answer *out, struct error *err);

/* ---- calls that a debugger makes (invoked.c) ---- */

/* Methods executed at a moment, just after an event: over the heap as it was then. What one writes to that heap is gone
 * when it has returned; objects that it makes have ids from NAV_MADE on and stay, until nav_calls_free. */
struct nav_calls;
#define NAV_MADE ((uint64_t)1 << 32)
struct nav_calls *nav_calls_new(struct nav *nav, uint64_t seq); /* NULL: out of memory */
void nav_calls_free(struct nav_calls *c);                       /* NULL is allowed */
uint64_t nav_calls_seq(const struct nav_calls *c);
size_t nav_calls_made(const struct nav_calls *c); /* the number of objects that were made */
/* A method of the JDK that can be executed; instance methods of the type of the receiver. */
struct nav_jdk_method {
    const char *owner, *name, *desc;
    bool is_static;
};
/* The next one of a type, from number `*at` on; `*at` becomes the number behind it. False: there are no more. */
bool nav_jdk_method(struct nav_calls *c, const char *type, uint64_t loader, size_t *at, struct nav_jdk_method *out);
bool nav_jdk_method_at(size_t number, struct nav_jdk_method *out);
struct nav_call {
    uint32_t method_id;                   /* of a woven method; of one of the JDK: */
    const struct nav_jdk_method *jdk;     /* NULL */
    bool exact;                           /* that very method, not the one that the receiver has */
    const struct expression_value *given; /* the receiver of an instance method first, but not of a constructor */
    size_t count;
};
/* The result: known; or `thrown` is the text of the exception, and `bits` its id; or `missing` says what is not known.
 * Texts live as long as the calls. */
struct expression_value nav_call(struct nav_calls *c, const struct nav_call *call);
/* An object that was made: its type, NULL: there is none of this id; a field, as nav_field names it; an element, or the
 * length of an array (index -1). */
const char *nav_made_type(struct nav_calls *c, uint64_t id, uint64_t *loader);
struct expression_value nav_made_field(struct nav_calls *c, uint64_t id, const char *as, const char *name);
struct expression_value nav_made_element(struct nav_calls *c, uint64_t id, int64_t index);
#endif
