/* tallies.h - inside the reader: counts and times of formats without a stream (tallies.c). */
#ifndef READER_TALLIES_H
#define READER_TALLIES_H

#include "reader/trace/internal.h"

typedef VEC(struct hs_cost) cost_vec;

/* The rows of a database. */
enum status tallies_each(hs_trace *t, enum schema_db db, env_row_fn *row, void *context, struct error *err);
/* Events by data ID, counts[t->kind_count], cleared by the caller. */
enum status tallies_counts(hs_trace *t, uint64_t *counts, struct error *err);
/* Appends one per method that was entered. */
enum status tallies_costs(hs_trace *t, cost_vec *list, struct error *err);

#endif
