/* store_parts.h - an open store, for store.c and store_open.c. */
#ifndef LOGGING_STORE_PARTS_H
#define LOGGING_STORE_PARTS_H

#include <lmdb.h>

#include "formats/bytes.h"
#include "formats/pack.h"
#include "formats/rowcheck.h"
#include "logging/journal/cut_guard.h"
#include "logging/store/store.h"

struct store {
    MDB_env *env;
    MDB_txn *txn; /* NULL outside a transaction */
    MDB_dbi dbi[DB_COUNT], sums_dbi;
    struct row_sums sums, sums_before; /* of the open transaction; of the one before */
    bool changed;                      /* the open transaction has a put or a removal */
    struct pack packs[DB_COUNT];       /* rows of packed databases not stored yet; stored with the commit */
    bool small;                        /* store_small */
    bool flush_packs;
    bool chunks_alone; /* each derived chunk is a pack of its own */
    struct {
        bool known;
        uint64_t key;
    } ends[DB_COUNT];  /* behind the last row in the packs that are stored */
    uint32_t snapshot; /* store_save_as */
    struct writer scratch;
    bool source; /* only read */
    bool bundle; /* of a trace in one file (bundle.h) */
    size_t map_bytes;
    uint64_t used_before;     /* store_used when the transaction began */
    uint64_t file_bytes;      /* of the last commit; the file never gets shorter */
    struct cut_escape escape; /* its `cut`: somebody has cut the file, LMDB is not called any more */
    char *dir, *reserve;      /* reserve: path, NULL when given back */
};

/* The error that LMDB or the system gives in `what`. */
enum status store_failed(const struct store *s, const char *what, int rc, struct error *err);
/* Is the file as long as LMDB has made it? If not, it was cut. */
bool store_is_whole(struct store *s);
/* The error when it is not. */
enum status store_was_cut(const struct store *s, struct error *err);
/* Reads the row of the sums, in a transaction. */
enum status store_load_sums(struct store *s, struct error *err);

#endif
