/* dataid_stats.h - inside the reader: counts and times of formats without a stream (dataid_stats.c). */
#ifndef READER_DATAID_STATS_H
#define READER_DATAID_STATS_H

#include "reader/trace/internal.h"

typedef VEC(struct hs_cost) cost_vec;

/* The rows of a database. */
enum status dataid_stats_each(hs_trace *t, enum schema_db db, env_row_fn *row, void *context, struct error *err);
/* Events by data ID, counts[t->kind_count], cleared by the caller. */
enum status dataid_stats_counts(hs_trace *t, uint64_t *counts, struct error *err);
/* Appends one per method that was entered. */
enum status dataid_stats_costs(hs_trace *t, cost_vec *list, struct error *err);

#endif
