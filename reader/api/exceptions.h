/* api/exceptions.h - exceptions: what they held, and where each was thrown, passed on and caught. */
#ifndef HINDSIGHT_API_EXCEPTIONS_H
#define HINDSIGHT_API_EXCEPTIONS_H

#include "base.h"
#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hs_stack_frame {
    /* `file` and `line` as in struct hs_dataid, for woven classes; the file without its folder, "" unknown */
    const char *class_name, *method, *file;
    int32_t line; /* -1 unknown */
    bool native;
};
/* What a Throwable held when it was recorded. */
struct hs_thrown {
    uint32_t id;
    const char
        *message;   /* that getMessage gave when it was thrown; NULL: null, or not known for one of the reasons below */
    uint64_t cause; /* object id, 0 none */
    const uint64_t *suppressed;
    size_t suppressed_count;
    bool has_stack;                             /* false: the stack trace was not recorded */
    bool message_redacted;                      /* message is NULL as redact= left it out */
    const struct hs_stack_frame *const *frames; /* innermost first */
    size_t frame_count;
    /* The JVM computes the message when it is asked for, as that of its own NullPointerExceptions. */
    bool message_computed;
    bool message_overridden; /* its class has a getMessage of its own, and what that gave is not known */
    const char *detail;      /* what Throwable keeps as the message; NULL: null, or left out by redact= */
};
/* NULL if its contents were not recorded. They live until hs_close: of very many, hs_exception_held or
 * hs_thrown_peek. */
HS_API const struct hs_thrown *hs_thrown_get(hs_trace *trace, uint32_t id);
/* The same; it lives until the next hs_thrown_peek of the trace. */
HS_API const struct hs_thrown *hs_thrown_peek(hs_trace *trace, uint32_t id);

/* One flight of an exception: where it was thrown, passed on and caught, as far as recorded. One object has several if
 * it is thrown anew (those that a field keeps, or the JVM), but not where the frame that caught it throws it again. */
struct hs_exception {
    uint32_t id;
    /* seq of the first event that shows it on its way: METHOD_THROW, or the first catch or exit */
    uint64_t thrown;
    uint64_t caught; /* seq of the CATCH that ended its way; HS_NO_SEQ: none did */
    bool swallowed; /* nothing has shown it since it was caught, until its next flight, nor is it cause of or suppressed
                       by another */
    uint64_t left;  /* frames that it left */
    size_t exit_count;
    const uint64_t *exits;        /* seqs of METHOD_EXCEPTIONAL_EXIT */
    const struct hs_event *first; /* the event `thrown`, without its time */
    uint32_t caught_dataid;       /* of the CATCH; UINT32_MAX: none */
    const char *type;             /* of the object; NULL: not known */
};
/* Flights that are alike, once: of the same type, message and type of cause, thrown at one place, caught at one place
 * or not, and swallowed or not. Several groups may still have all that in common. */
struct hs_exception_group {
    const struct hs_exception *first; /* the earliest; of several with the least `left` of all, and without `exits` */
    uint64_t times;
    uint64_t alike; /* hs_exception_alike */
    bool threads;   /* they are of several threads */
    bool exits;     /* they left different numbers of frames */
};
/* With format=exceptions: the stack at a throw, as far as it was recorded. */
struct hs_throw_variable {
    const char *name;
    bool redacted; /* its value was left out: by redact=, or as its name is one of a secret */
    char kind;     /* enum hs_kind of the value; 0: redacted */
    uint64_t value;
};
struct hs_throw_frame {
    const char *class_name, *method, *file; /* "" unknown */
    int32_t line;                           /* -1 unknown */
    bool native;
    bool caught; /* it has the handler that the exception went to, also a finally block which throws it on */
    size_t variable_count;
    const struct hs_throw_variable *const *variables; /* of the classes that were to be recorded, compiled with -g */
};
struct hs_throw_stack {
    size_t frame_count;
    const struct hs_throw_frame *const *frames; /* innermost first */
    int64_t caught; /* the position of the frame that caught it, also behind those here; -1: none did */
    uint64_t more;  /* outer frames that were left out */
};
/* `thrown`: hs_exception.first. NULL: it was recorded in another format, or cannot be read. Valid until hs_close; each
 * call makes a new one. */
HS_API const struct hs_throw_stack *hs_throw_stack_get(hs_trace *trace, const struct hs_event *thrown);

/* The exceptions by the seq at which they were thrown; the first ones are there soon if the trace has its index, else
 * the open reads all events. */
HS_API int hs_exceptions_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
/* The same of those thrown at event `from` or later. */
HS_API int hs_exceptions_open_from(hs_trace *trace, uint64_t from, hs_cursor **out, struct hs_error *error);
HS_API int hs_exception_next(hs_cursor *cursor, const struct hs_exception **row, struct hs_error *error);
/* What the exception that this cursor returned last held, and its stack, as hs_thrown_get and hs_throw_stack_get: valid
 * until the cursor goes on, is put elsewhere or closed, so that a pass over all of them keeps those of one. Of
 * hs_exceptions_open, hs_exceptions_open_from and hs_exception_groups_open; else NULL. */
HS_API const struct hs_thrown *hs_exception_held(hs_cursor *cursor);
HS_API const struct hs_throw_stack *hs_exception_stack(hs_cursor *cursor);
/* A number that the exception returned last shares with all that have the same type, message and type of cause. An
 * index has it, so that equal ones can be counted without reading what each of them held; else its contents are read.
 * It is a hash of 64 bits. */
HS_API uint64_t hs_exception_alike(hs_cursor *cursor);
/* The exceptions counted, by the seq at which the first of each group was thrown: with an index from its sums. */
HS_API int hs_exception_groups_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_exception_group_next(hs_cursor *cursor, const struct hs_exception_group **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
