/* env.h - the LMDB environment of a trace: short read transactions, verification of rows. */
#ifndef READER_ENV_H
#define READER_ENV_H

#include <lmdb.h>

#include "formats/bundle.h"
#include "formats/pack.h"
#include "formats/resident.h"
#include "formats/schema.h"
#include "formats/status.h"

/* Of each table; half a megabyte each. Methods that call each other are of classes in several packs: of those that
 * executing a chunk of a compiler's run needs, every seventh is unpacked twice if eight are kept, few with sixteen. */
enum { ENV_PACKS = 32 };

struct env {
    MDB_env *lmdb;
    MDB_txn *txn; /* reset between uses, so that it pins no snapshot; NULL before the first */
    MDB_dbi dbi[DB_COUNT];
    bool has[DB_COUNT];          /* the database can be read */
    char damage[ERROR_TEXT_MAX]; /* the first one found; empty: none */
    unsigned depth;              /* nested env_begin */
    struct env_pack {
        uint64_t used; /* when; 0: it is empty */
        uint64_t first;
        struct pack_reader reader;
    } packs[DB_COUNT][ENV_PACKS]; /* cache: the packs used last, of packed databases */
    uint64_t uses;
    struct resident resident;
};
/* `read_only`: writes nothing in the directory, not even LMDB's lock file. `bundle`: its parts, if the trace is one
 * file, which is never written; else NULL. */
enum status env_open(struct env *env, const char *dir, bool read_only, const struct bundle *bundle, struct error *err);
void env_close(struct env *env);
/* The same environment for another thread, with its own transactions and packs. `to` is zero. */
void env_share(struct env *to, const struct env *from);
/* Read transactions nest; values are borrowed until the outermost env_end. */
enum status env_begin(struct env *env, struct error *err);
void env_end(struct env *env);
/* Inside a transaction. ERR_NOT_FOUND does not set `err`; ERR_FORMAT: the row does not match its check (kept in
 * `damage`). Rows of packed databases (pack.h) are unpacked, and borrowed until the next access to that database. */
enum status env_get(struct env *env, enum schema_db db, uint64_t key, struct text *value, struct error *err);
/* The first row with a key >= `*key`; `*key` becomes its key, also when the row is damaged. Integer databases. */
enum status env_at_least(struct env *env, enum schema_db db, uint64_t *key, struct text *value, struct error *err);
/* Called for each row. Damaged rows are skipped, and kept in `damage`. */
typedef enum status env_row_fn(void *context, struct text key, struct text value, struct error *err);
enum status env_each(struct env *env, enum schema_db db, env_row_fn *row, void *context, struct error *err);
/* Native integer of a key, 0 when its size is wrong. */
uint64_t env_integer(struct text key);
/* Verifies every row of every table. Calls `tell` with a sentence for each one that does not match its check. */
typedef void env_tell_fn(void *context, const char *what);
enum status env_verify(struct env *env, env_tell_fn *tell, void *context, uint64_t *rows, struct error *err);

#endif
