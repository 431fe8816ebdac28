/* condition.h - a condition, and what its names stand for in rows; see reader/api/conditions.h. */
#ifndef READER_QUERY_CONDITION_H
#define READER_QUERY_CONDITION_H

#include "reader/cursor/cursor.h"
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
    struct expression_value same_name[8]; /* of fields behind the first of a name */
};

struct condition {
    hs_condition base;
    struct expression_tree *tree;
    VEC(struct condition_name) names;
    struct row row; /* that is decided */
    struct arena arena;
    /* By data ID, when the first event of it was decided: can those behind it pass? See condition.c. */
    uint8_t *dataids;
    uint32_t dataid_count;
    /* what the filter borrows */
    unsigned event;
    uint32_t thread;
};

/* condition_rows.c: the value of a name, not known if the row does not have it. */
struct expression_value row_event(struct row *w, const char *name);
struct expression_value row_call(struct row *w, const char *name);
struct expression_value row_object(struct row *w, const char *name);
struct expression_value row_overflow(struct row *w, const char *name);
/* Is the name's value the same for all events of this data ID? */
bool row_is_place(const struct hs_dataid *d, const char *name);
/* The name as it was found in the condition; NULL: it is none. */
struct condition_name *condition_name(struct condition *c, const char *name);

#endif
