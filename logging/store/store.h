/* store.h - the trace's LMDB environment, for its only writer.
 *
 * The drain thread of a running recording, or recovery after a crash, opens a store; nothing else in the project opens
 * a write transaction. All calls on one store come from one thread at a time; a transaction stays on the thread that
 * began it. Without WRITEMAP a full disk is an error of store_commit, never a SIGBUS (design.md 7). Commits are not
 * synced: a killed process loses no committed transaction; store_sync protects against a crash of the machine. Every
 * row is stored with its check, which is verified on reading, and each commit writes the number of rows and the sum of
 * weights of each table (formats/rowcheck.h).
 *
 *     store_open -> { store_begin -> store_put* -> store_commit }* -> store_sync -> store_close */
#ifndef LOGGING_STORE_H
#define LOGGING_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/schema.h"
#include "formats/status.h"

struct store;

/* Opens the environment in the existing directory `dir` and creates the databases of schema.h that are missing. With
 * `create` the environment is created too (ERR_EXISTS if there is one) and STORE_RESERVE_BYTES are set aside for
 * store_release_reserve; without it ERR_NOT_FOUND if there is none, and ERR_FORMAT, before anything is written, if it
 * is damaged (formats/probe.h). */
enum status store_open(const char *dir, bool create, struct store **out, struct error *err);

/* A complete trace, or a bundle of one, which is only read, without LMDB's lock file: a reader of this process may have
 * the trace open, and two environments of a process would take each other's places among the readers. */
enum status store_open_source(const char *dir, struct store **out, struct error *err);

/* Aborts an open transaction, releases the reserve, closes. NULL is allowed. */
void store_close(struct store *s);

/* Calls `work`, which may call all functions below. If somebody makes the file shorter meanwhile, it returns at once,
 * from wherever it is, and then and ever after each function gives ERR_IO and leaves the file as it is. If another
 * file is made shorter, it returns, too, but the store goes on working (`leave` in cut_guard.h). `work` must not hold a
 * lock while it uses either. */
typedef enum status store_work_fn(void *context, struct error *err);
enum status store_guarded(struct store *s, store_work_fn *work, void *context, struct error *err);

/* The next commit stores every pack. Without this, packs of class files are kept across commits until they are full
 * (they are needed last and compress best in large packs); store_waits returns true if there are any. */
void store_flush_packs(struct store *s);
/* From now on each derived chunk is a pack of its own, which can be deleted. */
void store_chunks_alone(struct store *s);
bool store_waits(const struct store *s);

/* One transaction at a time. After a failed put the caller aborts; a failed commit has aborted already. ERR_FULL from
 * any of them means that disk or map are full. */
enum status store_begin(struct store *s, struct error *err);
enum status store_commit(struct store *s, struct error *err);
void store_abort(struct store *s);
bool store_in_transaction(const struct store *s);

/* Replaces the value of a key. `key` of a U32 database must fit. Rising keys of CHUNK and CHUNKDIR are appended, which
 * fills pages; other keys work too. `data` is copied. Rows of packed databases (pack.h) reach the disk with the
 * commit. */
enum status store_put(struct store *s, enum schema_db db, uint64_t key, const void *data, size_t size,
                      struct error *err);
/* Of a packed database: the key behind the last row that is stored or waits in a pack. In a transaction. */
enum status store_end_of_packs(struct store *s, enum schema_db db, uint64_t *out, struct error *err);
enum status store_put_text(struct store *s, enum schema_db db, const char *key, size_t key_size, const void *data,
                           size_t size, struct error *err);
/* Until it is called with 0: rows of COUNTS, LATEST, TIMING and TALLY become those of this snapshot (DB_SAVED). */
void store_save_as(struct store *s, uint32_t snapshot);
/* A number of the info database, in decimal. */
enum status store_put_number(struct store *s, const char *key, uint64_t value, struct error *err);
/* Inside a transaction, not of a packed database: the value, borrowed until the next put or the transaction's end.
 * ERR_NOT_FOUND does not set `err`. */
enum status store_get(struct store *s, enum schema_db db, uint64_t key, const void **data, size_t *size,
                      struct error *err);
enum status store_get_text(struct store *s, enum schema_db db, const char *key, const void **data, size_t *size,
                           struct error *err);
/* Inside a transaction: the greatest key of an integer database; ERR_NOT_FOUND if it is empty. */
enum status store_last_key(struct store *s, enum schema_db db, uint64_t *key, struct error *err);
/* Inside a transaction: calls `row` for each stored row of an integer database (unpacked) in key order until it returns
 * something not OK, which is then the result. `row` must not put. */
typedef enum status store_row_fn(void *context, uint64_t key, const void *data, size_t size);
enum status store_each(struct store *s, enum schema_db db, store_row_fn *row, void *context, struct error *err);

/* Inside a transaction: the row with the least key of an integer database, borrowed as with store_get; ERR_NOT_FOUND if
 * it is empty. */
enum status store_first(struct store *s, enum schema_db db, uint64_t *key, const void **data, size_t *size,
                        struct error *err);
/* Inside a transaction: removes the rows of an integer database from `first` to `last`; their pages can be used again
 * by later transactions. */
enum status store_delete(struct store *s, enum schema_db db, uint64_t first, uint64_t last, struct error *err);
/* Inside a transaction: bytes of the pages that all rows take, and of the file when it is committed, if no page that
 * was freed before is used again (without what the commit itself adds). */
uint64_t store_used(const struct store *s);
uint64_t store_file_bytes(const struct store *s);

/* As store_each, for a database with text keys. */
typedef enum status store_text_fn(void *context, const char *key, size_t key_size, const void *data, size_t size);
enum status store_each_text(struct store *s, enum schema_db db, store_text_fn *row, void *context, struct error *err);
/* For a trace that is written at once, in the order of keys: fills pages, and compresses packs as far as zstd can. */
void store_small(struct store *s);

/* Writes everything committed to the disk. */
enum status store_sync(struct store *s, struct error *err);

/* After ERR_FULL: releases the reserved disk space, so that the end of the recording can still be written. */
enum { STORE_RESERVE_BYTES = 256 * 1024 };
void store_release_reserve(struct store *s);

#endif
