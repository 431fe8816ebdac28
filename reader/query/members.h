/* members.h - the fields or elements of an object at a moment while they are looked for: object_state.c asks
 * object_fields.c and object_elements.c. */
#ifndef READER_MEMBERS_H
#define READER_MEMBERS_H

#include "reader/query/state.h"

/* A member while it is looked for; its event becomes a pointer at the end. */
struct found_member {
    struct hs_member made;
    struct hs_event event;
};

/* The fields or elements found so far. */
struct answer_members {
    hs_trace *trace;
    struct arena *arena;
    uint32_t id;
    uint64_t seq; /* the moment */
    struct part part;
    VEC(struct found_member) members;
    bool cut;                /* there may be more elements */
    uint64_t only;           /* 0: all; else the site_hash of the fields that are looked for */
    uint64_t complete_until; /* no access up to here is left out; at most `seq` */
    u64_vec types;           /* site_hash of the names of its class and superclasses; empty: not all are known */
};
void members_done(struct answer_members *m);
/* `name` NULL: an element. The event has its value. */
enum status members_add(struct answer_members *m, const char *name, uint64_t index, const struct hs_event *value,
                        struct error *err);
/* One that has had the default value since the event. */
enum status members_add_default(struct answer_members *m, const char *name, uint64_t index, char kind,
                                const struct hs_event *made, struct error *err);

/* ---- object_fields.c ---- */

/* "a.b.Declaring.field"; with the type behind it where that class declares several of this name. */
const char *field_full_name(hs_trace *t, struct arena *arena, struct field f);
/* Sets m->types; false: out of memory. */
bool fields_types(struct answer_members *m, const struct hs_object *o);
/* Is the class, as site_hash of its name, one of them, or are they not known? */
bool fields_have_type(const struct answer_members *m, uint64_t name);
/* Those that accesses show. */
enum status fields_accessed(struct answer_members *m, struct error *err);
/* As fields_accessed, and what was written before any event could name the object; by name. */
enum status fields_find(struct answer_members *m, struct error *err);
/* The fields that its classes declare. A class that is not woven ends it: its own code may write those above. */
enum status fields_add_defaults(struct answer_members *m, const struct hs_object *o, const struct hs_event *made,
                                struct error *err);

/* ---- object_elements.c ---- */

/* By index, with the length if they show it. `nested`: its elements are arrays. */
enum status elements_find(struct answer_members *m, bool nested, struct hs_object_state *out, struct error *err);
enum status elements_add_defaults(struct answer_members *m, const char *type, struct hs_object_state *o,
                                  const struct hs_event *made, struct error *err);

#endif
