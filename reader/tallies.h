/* tallies.h - inside the reader: counts and times of formats without a stream (tallies.c). */
#ifndef READER_TALLIES_H
#define READER_TALLIES_H

#include "reader/internal.h"

typedef VEC(struct hs_cost) cost_vec;

/* Events by data ID, counts[t->kind_count], cleared by the caller. */
enum status tallies_counts(hs_trace *t, uint64_t *counts, struct error *err);
/* Appends one per method that was entered. */
enum status tallies_costs(hs_trace *t, cost_vec *list, struct error *err);

#endif
