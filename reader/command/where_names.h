/* where_names.h - what the names of a condition (where.h) stand for in events, calls and objects. */
#ifndef READER_COMMAND_WHERE_NAMES_H
#define READER_COMMAND_WHERE_NAMES_H

#include "formats/map.h"
#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/command/where.h"

/* The names that every row has stand in WHERE_*_WORDS. */
#define WHERE_EVENT_WORDS "seq thread event class method line pc value result"
#define WHERE_EVENT_NAMES                                                                                              \
    "of which this is true: names are " WHERE_EVENT_WORDS ", arg0 arg1 ..., and the names of fields, local variables " \
    "and parameters (state, Order.state), of which an event has one"
struct where_event {
    hs_trace *trace;
    const struct hs_event *event;
};
struct where_value where_of_event(void *where_event, const char *name);

#define WHERE_CALL_WORDS "seq thread class method line depth calls this result exception"
#define WHERE_CALL_NAMES                                                                                               \
    "only calls of which this is true: names are " WHERE_CALL_WORDS ", arg0 arg1 ..., and the names of parameters"
struct where_call {
    hs_trace *trace;
    const struct hs_call *call;
    uint32_t thread;
};
struct where_value where_of_call(void *where_call, const char *name);

#define WHERE_OBJECT_WORDS "id type length string"
#define WHERE_OBJECT_NAMES                                                                                             \
    "only objects of which this is true at the end, or at --at: names are those of fields (state, Base.state), [0] "   \
    "[1] ... of elements, and " WHERE_OBJECT_WORDS
/* Which types may have the members that a condition names: a state costs a search, so it is asked of no other object.
 * Zero is empty. */
struct where_type {
    uint64_t class_id;
    bool may_have;
};
struct where_member {
    const char *name; /* of the condition */
    MAP(struct where_type) types;
};
typedef VEC(struct where_member) where_members;
void where_members_free(where_members *members);
struct where_object {
    hs_trace *trace;
    where_members *members; /* of all rows */
    uint32_t id;
    uint64_t at;                         /* seq; HS_NO_SEQ: at the end */
    const struct hs_object_state *state; /* NULL until it is needed */
    bool failed;                         /* the state cannot be had */
    struct where_value same_name[8];     /* of fields behind the first of a name */
    bool old; /* a value that was looked at may have changed since it was seen (hs_member.stale, .unrecorded) */
};
struct where_value where_of_object(void *where_object, const char *name);

/* Says on standard error which names of the condition no row has had, with the nearest of `words` (WHERE_*_WORDS), of
 * fields and, if rows have `locals`, of local variables and parameters; for an answer that is empty. The exit status:
 * EXIT_FAILED if the trace has nowhere a member of such a name. */
int where_tell_unknown(const struct where *where, const struct session *s, const char *words, bool locals);

/* Refuses a condition on events with a name that no event of the trace can have, before any is read: one line as of
 * where_tell_unknown. PARSED, or EXIT_FAILED. */
int where_refuse_unknown(const struct where *where, const struct session *s);

/* Says on standard error which two names of the condition, joined by &&, no event has both, since an event has one
 * value; for an answer that is empty. False: there are none. `status`: EXIT_FAILED if the condition can therefore never
 * be true, else EXIT_DONE. */
bool where_tell_apart(const struct where *where, const struct session *s, int *status);

#endif
