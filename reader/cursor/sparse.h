/* sparse.h - the events that pass a filter, with an index: only chunks that can hold such events are decoded.
 *
 * Gives the same events as a cursor over all chunks (events.c), in the same order and with the same seq. order.c reads
 * the stamps of every chunk; this merges only the events that pass and counts their seq (positions.c). */
#ifndef READER_SPARSE_H
#define READER_SPARSE_H

#include "reader/cursor/filter.h"

struct sparse;

/* The filter is borrowed; its bitmap of data IDs may lose bits while this lives. Stands before event 0. */
enum status sparse_new(hs_trace *t, const struct filter *filter, struct sparse **out, struct error *err);
void sparse_free(struct sparse *s);
/* Leaves out chunks outside of the filter's from and to from now on. */
enum status sparse_bound(struct sparse *s, struct error *err);
enum status sparse_seek(struct sparse *s, uint64_t seq, struct error *err);
/* ERR_NOT_FOUND at the end (`err` left alone). */
enum status sparse_next(struct sparse *s, struct hs_event *out, struct error *err);
enum status sparse_previous(struct sparse *s, struct hs_event *out, struct error *err);
/* Would it decode less than half of the chunks? If not, `*first` is the least stamp of a chunk that may hold what
 * passes; UINT64_MAX: none. */
bool sparse_pays(struct sparse *s, uint64_t *first);
/* Can the chunk hold events that pass, according to the index? */
bool sparse_candidate(struct sparse *s, const struct chunk_ref *c);
/* To be called after bits of the filter were cleared. */
void sparse_narrowed(struct sparse *s);

#endif
