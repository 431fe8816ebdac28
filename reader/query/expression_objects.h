/* expression_objects.h - what expressions (reader/expression) ask about objects, answered from a trace. */
#ifndef READER_QUERY_EXPRESSION_OBJECTS_H
#define READER_QUERY_EXPRESSION_OBJECTS_H

#include "formats/map.h"
#include "reader/expression/expression.h"
#include "reader/trace.h"

/* The object that a class has as the constant of a name, which lives as long as this. */
struct enum_constant {
    uint64_t key;
    const char *name;
    uint32_t object;
};
/* The context of a host begins with this. Zero but `trace` and `moment` is right. */
struct trace_objects {
    hs_trace *trace;
    uint64_t moment; /* HS_NO_SEQ: the end */
    MAP(struct enum_constant) constants;
};
extern const struct expression_objects trace_objects;
void trace_objects_done(struct trace_objects *o);
/* Is it an Integer, Long, ...? NULL is allowed. */
bool object_is_box(const struct hs_object *o);

/* ---- object_state.c ---- */

/* What is asked for: of an array `most` of the elements from index `from` on; of others the fields of this name. */
struct part {
    uint64_t from, most;
    uint64_t field; /* its site_hash; 0: all */
};
#define PART_ALL ((struct part){ 0, UINT64_MAX, 0 })
/* hs_object_part_at without `last`, which takes a search of its own. */
enum status object_part_at(hs_trace *t, uint32_t id, uint64_t seq, struct part part,
                           const struct hs_object_state **state, struct error *err);

#endif
