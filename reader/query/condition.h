/* condition.h - a condition, and what its names stand for in rows; see reader/api/conditions.h. */
#ifndef READER_QUERY_CONDITION_H
#define READER_QUERY_CONDITION_H

#include "reader/cursor/cursor.h"
#include "reader/query/accessed.h"
#include "reader/query/expression_objects.h"

/* Which types may have a member that the condition names: a state costs a search, so it is asked of no other object.
 * Zero is empty. */
struct member_type {
    uint64_t class_id;
    bool may_have;
};
struct condition_name {
    struct hs_condition_name row;
    MAP(struct member_type) types;
    struct accessed accessed;
};
struct condition;
/* The context of the host: a row. */
struct row {
    struct trace_objects objects;
    struct condition *condition; /* NULL: one name is asked for */
    const struct hs_event *event;
    const struct hs_call *call;
    const struct hs_overflow *overflow;
    uint32_t thread; /* of the call */
    uint32_t id;     /* of the object */
    uint64_t at;
    const struct hs_object_state *state; /* NULL until it is needed */
    bool failed, old;
    bool accessed_alone; /* of an object what its accesses show, which costs least; else it is not known */
    /* With accessed_alone: a name had no value, but may have one; the oldest access whose value was taken, HS_NO_SEQ:
     * none; was one of a final field? */
    bool unsure, of_final;
    uint64_t oldest;
    struct expression_value same_name[8]; /* of fields behind the first of a name */
};

/* condition_quick.c: the comparisons of a condition that has nothing else; else, or of more, `count` is 0. */
enum { QUICK_LEAVES = 8, QUICK_OBJECTS = 1 << 12 };
struct quick_class {
    uint64_t class_id;
    unsigned standing; /* enum class_standing */
    unsigned answer;   /* enum expression_answer, of objects that are not copied; not of STANDS_FOR_NUMBER */
};
struct quick_leaf {
    const struct expression *tree;
    struct condition_name *name;
    bool integer, number; /* what is compared with is one */
    bool holds[3];        /* an integer that is less, equal, greater */
    int64_t other;        /* the integer that it is compared with */
    bool plain;           /* a number in digits, with an operator that no other text fulfils; not below a ! */
    MAP(struct quick_class) classes;
};
struct quick {
    struct quick_leaf leaves[QUICK_LEAVES];
    size_t count;
    uint8_t *states;                /* by data ID and comparison */
    uint32_t failed[QUICK_OBJECTS]; /* by the low bits of the id: objects of which the condition is not true */
    uint32_t id_count;
};
/* What decides the events of a data ID. */
enum quick_plan {
    PLAN_NONE, /* no event of it was seen */
    PLAN_ASK,
    PLAN_FAILS,   /* none is true */
    PLAN_INTEGER, /* their value, compared by the only comparison there is */
    PLAN_OBJECT,  /* their value, an object, compared by the only comparison */
    PLAN_QUICK,   /* quick_fails, or to be asked */
};

struct condition {
    hs_condition base;
    struct expression_tree *tree;
    VEC(struct condition_name) names;
    struct row row; /* that is decided */
    struct arena arena;
    uint8_t *dataids; /* enum quick_plan, when the first event of it was decided */
    uint32_t dataid_count;
    struct quick quick;
    /* what the filter borrows */
    unsigned event;
    uint32_t thread;
};

/* condition_quick.c: for events whose trace is that of the row. */
void quick_init(struct condition *c);
void quick_done(struct quick *q);
/* After an event of the data ID was decided as a whole. */
void quick_learn(struct condition *c, const struct hs_event *event);
enum quick_plan quick_plan(struct condition *c, uint32_t id, char kind);
/* hs_condition.scan */
uint32_t quick_scan(struct condition *c, hs_trace *t, const uint32_t *ids, const uint64_t *values, uint32_t i,
                    uint32_t end);
/* Is it known at once that the condition is not true? The kind is that of the event. */
bool quick_fails(struct condition *c, hs_trace *t, uint32_t id, char kind, uint64_t value);

/* condition_rows.c: the value of a name, not known if the row does not have it. */
struct expression_value row_event(struct row *w, const char *name);
struct expression_value row_call(struct row *w, const char *name);
struct expression_value row_object(struct row *w, const char *name);
struct expression_value row_overflow(struct row *w, const char *name);
/* Is the name's value the same for all events of this data ID? */
bool row_is_place(const struct hs_dataid *d, const char *name);
/* Is a part of the condition true of its row? */
enum hs_truth condition_part(struct condition *c, const struct expression *part, uint64_t moment);
/* The name as it was found in the condition; NULL: it is none. */
struct condition_name *condition_name(struct condition *c, const char *name);

#endif
