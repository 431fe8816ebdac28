/* sites.h - sites: the data IDs of an event type, what they name, and the fields they access.
 *
 * Most questions want few of hundreds of thousands of data IDs, and want them soon: one pass over the stored rows keeps
 * a small row each, names as hashes. A hash only chooses; who must be sure looks at the data ID itself. */
#ifndef READER_SITES_H
#define READER_SITES_H

#include "reader/code/fields.h"

struct site {
    uint32_t dataid, method_id;
    uint64_t name, owner; /* site_hash of these attributes, 0 without */
};
typedef VEC(struct site) site_vec;

/* All data IDs of an event type, rising. Never NULL; what cannot be read is left out (hs_damage). */
const site_vec *sites_of(hs_trace *t, unsigned event);
/* Those of them that name a field, method or variable `name`: *count of them at the result. */
const struct site *sites_named(hs_trace *t, unsigned event, const char *name, size_t *count);
uint64_t site_hash(const char *text, size_t size);

/* The field that the instruction of a data ID means. */
struct field sites_field(hs_trace *t, uint32_t dataid);
bool sites_same_field(hs_trace *t, uint32_t dataid, struct field f);
void sites_done(hs_trace *t);

#endif
