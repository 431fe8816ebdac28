/* accessed.h - what accesses show of a field of many objects at one moment: `--where` of `objects` asks for the same
 * field of one object after the other.
 *
 * The first ones are looked for one by one (object_accessed). Then one walk backwards finds the last access of the
 * field in all objects that may be asked for next: each chunk is read once, and only where the index has one of those
 * that are still missing. */
#ifndef READER_ACCESSED_H
#define READER_ACCESSED_H

#include "formats/arena.h"
#include "formats/map.h"
#include "reader/query/state.h"

enum { ACCESSED_FIELDS = 32 };
struct accessed_object {
    uint64_t id;
    uint32_t first;   /* of its members: position + 1 */
    uint32_t missing; /* bits: fields that its classes can have and that were not found */
};
struct accessed_member {
    struct hs_member made;
    struct hs_event event;
    uint32_t next; /* of the object: position + 1 */
};
/* Zero at first. */
struct accessed {
    hs_trace *trace;
    uint64_t seq;        /* the moment */
    unsigned alone, few; /* that were looked for one by one since the last walk; how many before the next one */
    uint32_t last;       /* id: the walk was for objects up to it */
    MAP(struct accessed_object) objects;
    VEC(struct accessed_member) members;
    struct arena arena; /* names */
    struct hs_object_state answer;
    const struct hs_member *list[ACCESSED_FIELDS];
};
/* The classes whose objects may be asked for; false: out of memory. */
typedef bool accessed_classes_fn(void *context, u32_vec *out);
/* As object_accessed, for objects whose ids rise from call to call. */
int accessed_get(struct accessed *a, hs_trace *t, uint32_t id, const char *field, uint64_t seq,
                 accessed_classes_fn *classes, void *context, const struct hs_object_state **out);
void accessed_done(struct accessed *a);

#endif
