/* past_heap.h - the heap at a moment, for code that is executed over it (execute.h).
 *
 * What is known of objects is what hs_object_at, hs_contents_at and hs_object_value_get answer. A value that code which
 * is not woven, or a time without recording, may have changed counts as not known. */
#ifndef READER_PAST_HEAP_H
#define READER_PAST_HEAP_H

#include "formats/arena.h"
#include "formats/map.h"
#include "reader/execute/execute.h"

struct field_watch;
struct past_heap {
    hs_trace *trace;
    uint64_t seq; /* the moment is just after this event; HS_NO_SEQ: the end */
    /* what getMessage of Throwable gives; false: not known */
    bool (*message)(void *asks, uint32_t exception, const char **text);
    void *asks;
    struct field_watch *fields; /* fields are asked of it first; NULL: there is none */
    struct arena arena;
    MAP(struct past_state {
        uint64_t key; /* object id, and which part of an array */
        const struct hs_object_state *state;
    })
    states;
    MAP(struct past_contents {
        uint64_t key;
        bool known;
        const char *why;
        struct held held;
    })
    contents;
};
/* The callbacks; `h` must not move. */
struct heap past_heap(struct past_heap *h);
void past_heap_done(struct past_heap *h);

/* handover.c: a field was seen at event `from`. Was the object given, up to `to`, to nothing that may have written it
 * unseen, but to methods of the JDK that write no fields? */
bool handover_harmless(hs_trace *t, uint32_t object, uint64_t from, uint64_t to);

/* The value of a static field just after event `seq` as the last event of it shows it: 1; 0: no event does; -1.
 * `*unrecorded`: recording was stopped since. */
int static_at(hs_trace *t, struct field f, uint64_t seq, struct hs_event *out, bool *unrecorded, struct error *err);
/* The value of a static field's attribute ConstantValue (JVMS 4.7.2), which no instruction writes; false: it has none.
 * Of a string `*text`, which lives until hs_close, else NULL. */
bool static_constant(hs_trace *t, const struct field *f, char *kind, uint64_t *bits, const char **text);

/* state.c: the innermost frame of the event's thread just after it, without its variables, when it was entered, and its
 * monitors. ERR_NOT_FOUND: no frame is open (`err` is left alone). */
enum status top_frame_at(hs_trace *t, const struct hs_event *e, struct hs_frame *out, struct error *err);
/* Adds its variables. */
enum status top_variables_at(hs_trace *t, const struct hs_event *e, struct arena *arena, struct hs_frame *top,
                             struct error *err);
/* One of its variables alone. ERR_NOT_FOUND: none of that name is known (`err` is left alone). */
enum status top_variable_at(hs_trace *t, const struct hs_event *e, const struct hs_frame *top, const char *name,
                            struct arena *arena, struct hs_variable *out, struct error *err);

/* field_watch.c: fields that are asked for again and again while the moment moves ahead. `object` 0: a static field. */
struct watched_field {
    bool known, stale;
    bool of_event; /* of a read or write that was seen on the way */
    char kind;
    uint64_t bits, seq;
};
struct field_watch *field_watch_new(hs_trace *t); /* NULL: it cannot be done in this trace, or memory is out */
void field_watch_free(struct field_watch *w);     /* NULL is allowed */
/* The value just after event `seq`, which must not be less than before. False: it is to be found otherwise, and may be
 * kept. */
bool field_watch_get(struct field_watch *w, uint32_t object, const struct field *f, uint64_t seq,
                     struct watched_field *out);
void field_watch_keep(struct field_watch *w, uint32_t object, const struct field *f, uint64_t seq,
                      const struct watched_field *value);

#endif
