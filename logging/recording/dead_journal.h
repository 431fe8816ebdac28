/* dead_journal.h - the journal of a dead recorder, read from its file.
 *
 * The content is not trusted: head, descriptors and buffers are checked against the size of the file before they are
 * used. */
#ifndef LOGGING_DEAD_JOURNAL_H
#define LOGGING_DEAD_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/journal.h"
#include "formats/recover.h"
#include "logging/drain/drain.h"
#include "logging/recording/held.h"

/* A file of the trace, mapped for reading. */
struct map {
    const uint8_t *data; /* NULL: it does not exist, or is empty */
    size_t size;
};
/* Also OK if it does not exist, or is not a regular file. */
enum status map_open(struct map *m, const char *dir, const char *name, struct error *err);
void map_close(struct map *m);

/* NULL: malformed. */
const struct journal_head *dead_journal_head(const struct map *m);
/* The buffers with data, ordered by descriptor and sequence. False: no memory. */
bool dead_journal_buffers(const struct map *m, drain_buffer_vec *out);

/* Counts lost events or bytes; the note of the result is the first reason. */
void recover_lose(struct recover_result *r, unsigned long long count, const char *why);

/* Counts missing buffers: those of a descriptor are numbered without gaps, from the one that was stored last (position
 * of the drain) up to the last one that it began (which may not exist as a buffer yet). */
enum status dead_journal_check(const struct map *m, const drain_buffer_vec *buffers, struct batch *b,
                               struct recover_result *out, struct error *err);

#endif
