/* api/history.h - the history of a place that is written, and the chain of causes of a value. */
#ifndef HINDSIGHT_API_HISTORY_H
#define HINDSIGHT_API_HISTORY_H

#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- history ----
 *
 * What is written (`what`); Type#ID may stand for ID:
 *     Class.field         of every object, or static: the field that classes of this name (a glob) declare or inherit.
 *                         Where they inherit it, only writes on objects of these classes count
 *     ID.field            of one object: the field that its class means by the name
 *     ID.Class.field      the same, declared by a superclass, where it is hidden
 *     ID[index]           an array element
 *     Class.method:local  a local variable by name, or as #slot
 *     number              a data ID: every event of it
 * HS_ERR_USAGE: it is none of these; HS_ERR_NOT_FOUND: the trace has no such class, field, object or variable. */

struct hs_write {
    const struct hs_event *event; /* carries the value written; for a data ID the event itself */
    uint64_t object;              /* of an instance field or array element; 0 none, or not known */
    bool has_index;
    uint64_t index;                /* of an array element */
    const char *declaring, *field; /* of a field: the class that declares it, and its name; NULL else */
    /* not 0: no write, but EVENTS_LEFT_OUT of a call that may have written here: so many of its events are missing */
    uint64_t left_out;
    /* recording was stopped before the write (hs_last_write: before the event asked for): seq of the first event since
     * the last time; 0: it was not. What was written while it was stopped is not known */
    uint64_t resumed;
};
/* All writes, and with percall= the places where some may be missing, the oldest first; next, previous and seek as with
 * events. */
HS_API int hs_history_open(hs_trace *trace, const char *what, hs_cursor **out, struct hs_error *error);
HS_API int hs_write_next(hs_cursor *cursor, const struct hs_write **row, struct hs_error *error);
HS_API int hs_write_previous(hs_cursor *cursor, const struct hs_write **row, struct hs_error *error);
/* The object of ID.field and ID[index], 0 of the other forms. */
HS_API uint32_t hs_history_object(const hs_cursor *history);
/* The last write before event `seq`, or what stands for one that may be missing (left_out): 1, 0 there is none, -1. */
HS_API int hs_last_write(hs_trace *trace, const char *what, uint64_t seq, const struct hs_write **write,
                         struct hs_error *error);

/* Was the value of this event stored? Events of a store are recorded before it is done: false if it threw then (null,
 * index, type, class initialization), as far as the events behind it show. True of all but PUT_INSTANCE_FIELD_VALUE,
 * PUT_STATIC_FIELD and ARRAY_STORE_VALUE. */
HS_API bool hs_store_done(hs_trace *trace, const struct hs_event *event);
/* The object of a PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, which METHOD_OBJECT_INITIALIZED of its constructor shows; 0
 * if no event does, and of all other events. */
HS_API uint32_t hs_early_object(hs_trace *trace, const struct hs_event *event);

/* ---- decisions ---- */

/* What a branch looked at. */
struct hs_decided {
    const char *text; /* as it may stand in source: "x", "order.state"; "..." for what is not known */
    bool known;       /* the value; of kind enum hs_kind */
    char kind;
    uint64_t value;
    uint64_t seq; /* of the event that has it, or the first value that it was computed from; HS_NO_SEQ: none has */
};
/* A conditional branch or a switch that went one way. */
struct hs_decision {
    uint64_t seq; /* of the LABEL behind it */
    uint32_t method_id;
    struct hs_place place;
    const char *condition; /* that held, as it may stand in source: "x > max", "!done", "kind is 3" */
    const char *relation;  /* between its two values: "<"; NULL: it has one */
    bool says_value;       /* the condition leaves no doubt about the values */
    size_t value_count;
    const struct hs_decided *const *values;
};

/* ---- causes ---- */

/* How the moment where a chain goes on was found. Code that is not woven leaves no events of its own. */
enum hs_cause_by {
    HS_BY_EVENTS = 0,   /* recorded events lead there */
    HS_BY_IDENTITY = 1, /* the same object was given to code that is not woven */
    HS_BY_EQUAL = 2,    /* an equal value was: probable */
    HS_BY_COMPUTED = 3, /* code that is not woven had this when it made the value: possible */
    HS_BY_CONTROL = 4   /* this decided that it happened: a branch, a call, a throw */
};
/* A moment where the chain can go on. */
struct hs_choice {
    const struct hs_event *event;
    const char *role; /* of its value: "receiver", "left of +", "argument 1 of java.util.Map.put", ... */
    enum hs_cause_by by;
};
struct hs_cause {
    const struct hs_event *event;
    const char *because; /* where its value comes from, a phrase */
    /* why the chain ends here ("constant", "new object", "native", ...); NULL if it goes on */
    const char *end;
    size_t operand_count;     /* of a computed value: events that gave its operands; the chain follows the first */
    const uint64_t *operands; /* seq */
    enum hs_cause_by by;      /* how the next moment of the chain was found */
    size_t choice_count;      /* also where the chain ends */
    const struct hs_choice *const *choices;
    uint32_t branch; /* number of this moment among those of the chain with several choices, from 1 on; 0: it has not */
    uint32_t chosen; /* the choice that the chain follows, from 1 on; 0: it ends */
    uint32_t depth;  /* in a tree: 0 the value asked for, then one more a choice */
    bool repeated;   /* in a tree: this moment is explained further up */
    /* with `under` the branch that the moment stands under; with `control`, of a LABEL, the branch that it stands
     * behind; NULL: there is none, or it is not known */
    const struct hs_decision *decision;
    const char *overflow; /* what arithmetic of its value lost: "imul wrapped, exactly 10000000000"; NULL: nothing */
};
/* The chain back from the value of event `seq`, newest first, of at most `max` events (0: 1000); rows are kept.
 * HS_ERR_NOT_FOUND: no such event, or it has no value. */
HS_API int hs_why_open(hs_trace *trace, uint64_t seq, size_t max, hs_cursor **out, struct hs_error *error);

enum { HS_WHY_DEPTH_MAX = 1000 };
struct hs_why_options {
    size_t size;        /* sizeof(struct hs_why_options) */
    uint64_t seq;       /* the event */
    size_t max;         /* events at most; 0: 1000 */
    const char *choose; /* "1.2,3.1": at branch 1 the chain follows choice 2, at branch 3 choice 1; else the first */
    bool all;           /* the tree of all choices, each moment before the moments it comes from */
    uint32_t depth;     /* of the tree, at most HS_WHY_DEPTH_MAX; moments deeper are left out */
    bool under;         /* each moment with the branch that it stands under */
    /* why it happened, not where its value came from: the branches and calls that it stands under, up to the entry of
     * the thread; with `all` both. The event needs no value. */
    bool control;
};
#define HS_WHY_OPTIONS_INIT                                                                                            \
    {                                                                                                                  \
        .size = sizeof(struct hs_why_options), .depth = 16                                                             \
    }
/* hs_why_open with options. HS_ERR_USAGE: `choose` has another form, or names a branch or a choice that the chain
 * does not have. */
HS_API int hs_causes_open(hs_trace *trace, const struct hs_why_options *options, hs_cursor **out,
                          struct hs_error *error);
HS_API int hs_cause_next(hs_cursor *cursor, const struct hs_cause **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
