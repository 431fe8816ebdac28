/* api/state.h - the state at a moment: call stacks with their variables, objects, contents of collections.
 *
 * "At seq" means just after that event. What is not known from the trace is absent, never guessed. */
#ifndef HINDSIGHT_API_STATE_H
#define HINDSIGHT_API_STATE_H

#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hs_variable {
    const char *name; /* "#3" for slot 3 where the class has no names */
    uint32_t slot;
    char kind; /* enum hs_kind */
    uint64_t value;
    uint64_t position; /* of the event that wrote it, in its thread */
};
/* A monitor that a frame holds; entered twice, it is there twice. */
struct hs_monitor {
    uint64_t object; /* object id */
    /* seq of MONITOR_ENTER_RESULT, or of METHOD_ENTRY if it is that of a synchronized method; HS_NO_SEQ unknown */
    uint64_t entered;
};
struct hs_frame {
    uint32_t method_id, thread;
    uint32_t pc;      /* of the instruction at which it stands: of its latest event, or that threw or called since */
    int32_t line;     /* -1 unknown */
    uint64_t entered; /* seq of its METHOD_ENTRY; HS_NO_SEQ: before the recording */
    bool has_this;
    uint64_t self; /* object id */
    size_t parameter_count, local_count;
    const struct hs_variable *const *parameters; /* as passed */
    const struct hs_variable *const *locals;     /* alive at pc; parameters only if they were written since */
    size_t monitor_count;
    /* as they were entered; held also while its thread waits for a notification */
    const struct hs_monitor *const *monitors;
    /* so many of its events are missing because of percall=, since when neither locals nor monitors are known */
    uint64_t left_out;
    bool nowhere;     /* its latest event is among them: pc and line are not known */
    bool unsure;      /* as in struct hs_place */
    const char *file; /* as in struct hs_dataid */
};
/* The call stack of the thread of event `seq`, innermost first; rows are kept. HS_ERR_NOT_FOUND: no such event. */
HS_API int hs_frames_open(hs_trace *trace, uint64_t seq, hs_cursor **out, struct hs_error *error);
HS_API int hs_frame_next(hs_cursor *cursor, const struct hs_frame **row, struct hs_error *error);

/* An object was given to code that is not woven, which may have written it unseen. */
struct hs_handover {
    uint64_t seq;    /* of the last CALL (as receiver), CALL_PARAM or METHOD_NORMAL_EXIT that did */
    uint32_t dataid; /* of the CALL, or of the METHOD_NORMAL_EXIT */
};
struct hs_member {
    /* "a.b.Declaring.field", with ":type" behind it where that class has several fields of the name; NULL for
     * elements */
    const char *name;
    uint64_t index; /* of an element */
    char kind;      /* enum hs_kind */
    uint64_t value;
    const struct hs_event *event; /* that has the value: the last write, or a later read */
    /* since then the object was handed to code that is not woven, which may have written it unseen; not of a final
     * field of a woven class once its object was created by woven code */
    bool stale;
    bool unrecorded; /* recording was stopped since then: what was written meanwhile is not known; not of a field as
                        above */
    /* nothing has written it since its object was made: null, 0 or false. `event` is then the one that made the object:
     * that of `created`, or METHOD_OBJECT_INITIALIZED of its constructor; it has another value */
    bool is_default;
};
struct hs_object_state {
    uint32_t id;
    /* seq of NEW_OBJECT_CREATED, NEW_ARRAY_RESULT, MULTI_NEW_ARRAY...; HS_NO_SEQ: not in woven code */
    uint64_t created;
    uint32_t created_dataid;          /* the allocation site, if created */
    uint64_t first, last;             /* seq of the first and last event of it in the whole trace; HS_NO_SEQ: none */
    const struct hs_handover *handed; /* the last one up to the moment; NULL: none */
    bool has_length;                  /* an array whose length is known */
    uint64_t length;
    size_t field_count, element_count;
    const struct hs_member *const *fields;   /* by name */
    const struct hs_member *const *elements; /* by index */
    size_t left_out;         /* fields or elements that are not given, since events that may have written them ... */
    uint64_t left_out_count; /* ... are missing because of percall=: so many of the last call of those */
    /* recording was stopped before the moment: seq of the first event since the last time; 0: it was not */
    uint64_t resumed;
    bool is_part;   /* there may be more elements that are known (hs_object_part_at) */
    bool all_known; /* every element of the array is known: those that nothing has written have their default */
};
/* Fields or elements of an object at `seq` (HS_NO_SEQ: at the end), as far as known from writes and reads in woven
 * code, and defaults where no other code can have written them: of an array the first 65536, the others by
 * hs_object_part_at. HS_ERR_NOT_FOUND: there is no such object. */
HS_API int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state,
                        struct hs_error *error);
/* As hs_object_at, of an array at most so many of the elements that are known from index `from` on: time and memory
 * follow `most` where they were accessed late. */
HS_API int hs_object_part_at(hs_trace *trace, uint32_t id, uint64_t seq, uint64_t from, uint64_t most,
                             const struct hs_object_state **state, struct hs_error *error);
/* The length of an array, from its creation, the call that returned it or any arraylength: 1; 0: it is not known, or no
 * array; -1. */
HS_API int hs_array_length(hs_trace *trace, uint32_t array, uint64_t *length, struct hs_error *error);
/* May objects of this class (hs_object.class_id) have a field of this name among the fields of hs_object_at? No: no
 * woven class declares it, and none of recorded code reads or writes it. A quick answer, for choosing the objects to
 * ask for. */
HS_API bool hs_type_may_have(hs_trace *trace, uint32_t class_id, const char *field);
/* The last time that an object was handed over from event `from` to event `to` (both inclusive): 1, 0 it was not, -1.
 * After a write, with what follows it, it returns whether the value can still be relied on. Looks at every call with
 * the object in between. */
HS_API int hs_handed_over(hs_trace *trace, uint32_t object, uint64_t from, uint64_t to,
                          const struct hs_handover **handover, struct hs_error *error);

/* What a collection, text or single value of the JDK held, whose own code was not recorded: replayed from the calls
 * that recorded code made on it. */
enum hs_contents_shape {
    HS_CONTENTS_LIST = 0,
    HS_CONTENTS_QUEUE = 1, /* a list in an order that is not known: PriorityQueue */
    HS_CONTENTS_SET = 2,
    HS_CONTENTS_MAP = 3,
    HS_CONTENTS_TEXT = 4, /* StringBuilder, StringBuffer */
    HS_CONTENTS_VALUE = 5 /* one entry or none: Optional, AtomicInteger, Integer, ... */
};
struct hs_entry {
    const struct hs_value *key, *value;               /* key: of a map, else NULL */
    const struct hs_value *key_number, *value_number; /* what is in it if it is a box and that is known; else NULL */
    uint64_t seq; /* at which the call that put it there returned; HS_NO_SEQ: not looked for */
};
struct hs_contents {
    uint32_t id;
    enum hs_contents_shape shape;
    /* false: there may be others than the entries, which are those of a map that were put or read after it was lost */
    bool known;
    bool ordered;    /* entries are in the order in which the program has them; else as they were put there */
    uint64_t since;  /* not known: the event that may have changed it unseen; HS_NO_SEQ: it was never known */
    const char *why; /* not known: a phrase; NULL: how it was made is not seen */
    size_t entry_count;
    const struct hs_entry *const *entries;
    const char *text; /* of TEXT, if known; a NUL in it is C0 80 */
    uint64_t length;  /* in UTF-16 units */
};
/* At `seq` (HS_NO_SEQ: at the end): 1; 0: the object is none of these, or its own code was recorded (hs_object_at has
 * its fields); -1. The effort is bounded: of an object with very many calls the contents are not known. */
HS_API int hs_contents_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_contents **contents,
                          struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
