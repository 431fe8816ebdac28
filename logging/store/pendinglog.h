/* pendinglog.h - rows not in LMDB yet: appended to TRACE/pending at once (formats/pending.h), stored by the drain.
 *
 * Any thread may add; the drain thread takes. */
#ifndef LOGGING_PENDINGLOG_H
#define LOGGING_PENDINGLOG_H

#include <pthread.h>
#include <stdbool.h>

#include "formats/bytes.h"
#include "formats/pending.h"
#include "formats/status.h"
#include "logging/store/store.h"

struct pendinglog {
    int fd;
    pthread_mutex_t mutex; /* guards the rest */
    struct writer rows;    /* added, not yet taken */
    uint64_t size;         /* bytes in the file */
    uint64_t hole;         /* of them, at the beginning: rows that are stored, which take no disk space any more */
    uint64_t *published;   /* where `size` is published for recovery; NULL: not yet */
    int failed;            /* errno if a write failed: rows may be missing from the file (they still go to LMDB) */
};

enum status pendinglog_open(struct pendinglog *p, const char *path, struct error *err);

/* From now on the size of the file is also written to `*size`. */
void pendinglog_publish_size(struct pendinglog *p, uint64_t *size);

/* Adds rows that were encoded by pending_encode, as one write. False when neither file nor memory took them. */
bool pendinglog_add(struct pendinglog *p, const struct writer *rows);
bool pendinglog_put(struct pendinglog *p, enum schema_db db, uint64_t key, const struct writer *value);
bool pendinglog_put_info(struct pendinglog *p, const char *key, const char *value);

/* Takes what was added since the last call; `out` (empty before) is the caller's to free. */
void pendinglog_take_rows(struct pendinglog *p, struct writer *out);
/* Everything that is in the file, whether taken or not; in place of pendinglog_take_rows. */
void pendinglog_reread(struct pendinglog *p, struct writer *out);
/* Everything taken is committed: empties the file, as far as nothing has been added since. */
void pendinglog_stored(struct pendinglog *p);

/* Puts encoded rows into the store, inside a transaction. `*damaged`: rows from some byte on cannot be read. */
enum status pending_store(struct store *s, const void *rows, size_t size, bool *damaged, struct error *err);

#endif
