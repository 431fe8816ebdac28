/* contents_entries.h - the elements of a list, queue or set, or the entries of a map, while they are replayed. */
#ifndef READER_CONTENTS_ENTRIES_H
#define READER_CONTENTS_ENTRIES_H

#include "reader/query/contents.h"

static const struct hs_value entries_nothing = { 0, HS_KIND_REF };
/* Why contents are lost. */
static const char *const entries_contradiction = "returned something else than the calls before it show";
static const char *const entries_unclear = "has changed it in a way that does not show";

static inline struct held *entries_at(const struct contents *c, size_t i) { return &c->items.items[c->first + i]; }
static inline bool entries_are_map(const struct contents *c) { return (c->class->shapes & SHAPE_MAP) != 0; }
static inline bool entries_are_set(const struct contents *c) { return (c->class->shapes & SHAPE_SET) != 0; }

/* False: out of memory. */
bool entries_insert(struct contents *c, size_t i, struct hs_value key, struct hs_value value, uint64_t seq);
void entries_take_out(struct contents *c, size_t i);
/* The value of an entry of a map. */
void entries_replace(struct contents *c, size_t i, struct hs_value value, uint64_t seq);
/* Looks for an equal key (of a map) or element, from the front or from the back; of entries of a map only those with
 * this value, if it is not NULL. UNSURE: it may be `*index`, but there are others that it may be, too; or SAME with a
 * single one that it may be, if `there` is set: one of them is known to be equal. */
enum sameness entries_find(struct contents *c, struct hs_value what, const struct hs_value *value, bool there,
                           bool backward, size_t *index);

/* ---- contents_bulk.c ---- */
/* All that the collection held when the call began, behind what is there or, in a list, before `where`. False, as of
 * the others: out of memory. */
bool bulk_add_all(struct contents *c, const struct contents_op *op, uint32_t id, size_t where);
bool bulk_clone(struct contents *c, const struct contents_op *op, uint32_t id);
bool bulk_add_array(struct contents *c, const struct contents_op *op, uint32_t array);
/* List.of(a, b), List.of(array), Arrays.asList(array), Map.of(key, value). */
bool bulk_arguments(struct contents *c, const struct contents_op *op);
bool bulk_copies(struct contents *c, const struct contents_op *op);
/* removeAll, retainAll */
void bulk_keep(struct contents *c, const struct contents_op *op, bool retain);

/* ---- contents_filter.c ---- */
/* removeIf: takes out what its condition was true of. False, and nothing is changed: that is not known. */
bool contents_filter(struct contents *c, const struct contents_op *op);

/* ---- contents_maps.c ---- */
/* What a call did to a map. False: out of memory. */
bool map_change(struct contents *c, const struct contents_op *op);
/* To one whose contents were lost: entries that were put or read since are known. */
bool map_change_lost(struct contents *c, const struct contents_op *op);
/* Of a key that may be there. */
bool map_entry_put(struct contents *c, const struct contents_op *op, struct hs_value key, struct hs_value value);

#endif
