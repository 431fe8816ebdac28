/* env.c - opening the LMDB environment of a trace for reading, and its short read transactions.
 *
 * One transaction object is reset and renewed, so that no snapshot is pinned between two queries (a pinned one makes
 * the file of a running recording grow). Handles are opened in a transaction that is committed: handles of an aborted
 * one are invalid. A directory that cannot be written is read without LMDB's lock file. */
#include "reader/trace/open_trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/limits.h"
#include "formats/probe.h"
#include "formats/rowcheck.h"
#include "formats/trace_files.h"
#include "reader/trace/shared_env.h"

#define MAP_BYTES_MAX ((size_t)1 << 40)
enum { MEMORY_PARTS = 4, MAP_BYTES_SPARE = 16 << 20 }; /* where memory is limited the rest is left for queries */

static enum status failed(const char *what, int rc, struct error *err)
{
    enum status st = rc == MDB_INVALID || rc == MDB_CORRUPTED || rc == MDB_PAGE_NOTFOUND ||
                             rc == MDB_VERSION_MISMATCH || rc == MDB_BAD_VALSIZE
                         ? ERR_FORMAT
                     : rc == ENOMEM ? ERR_MEMORY
                                    : ERR_STORE;
    return error_set(err, st, "%s: %s", what,
                     rc == MDB_READERS_FULL ? "126 programs read the trace, more cannot at a time" : mdb_strerror(rc));
}

static void damaged(struct env *env, const char *where, const char *what, const char *why)
{
    if (env->damage[0] == '\0')
        (void)snprintf(env->damage, sizeof env->damage, "%.300s: table %s: %.160s", where, what, why);
}

struct opening {
    const char *dir;
    uint64_t file_bytes;
    bool read_only, bundle;
};

static int open_lmdb(MDB_env **out, const char *dir, size_t map_bytes, unsigned flags)
{
    MDB_env *env;
    int rc = mdb_env_create(&env);
    if (rc != MDB_SUCCESS)
        return rc;
    rc = mdb_env_set_maxdbs(env, DB_COUNT + 1);
    if (rc == MDB_SUCCESS)
        rc = mdb_env_set_mapsize(env, map_bytes);
    if (rc == MDB_SUCCESS)
        rc = mdb_env_open(env, dir, MDB_RDONLY | MDB_NOTLS | flags, 0); /* mode 0: no file is created */
    if (rc != MDB_SUCCESS) {
        mdb_env_close(env);
        return rc;
    }
    *out = env;
    return MDB_SUCCESS;
}

static int make_env(void *context, MDB_env **out)
{
    const struct opening *o = context;
    /* LMDB would follow a symbolic link named lock.mdb when it creates that file, and a directory from elsewhere may
     * have one */
    unsigned locked = o->bundle ? MDB_NOSUBDIR | MDB_NOLOCK
                      : !o->read_only && file_touch(o->dir, TRACE_LOCK_FILE, 0, TRACE_LOCK_BYTES) ? 0
                                                                                                  : MDB_NOLOCK;
    size_t bytes = (size_t)limit_memory_part(MAP_BYTES_MAX, MEMORY_PARTS, o->file_bytes + MAP_BYTES_SPARE);
    int rc = ENOMEM;
    for (; rc == ENOMEM && bytes > o->file_bytes; bytes /= 2) {
        rc = open_lmdb(out, o->dir, bytes, locked);
        if (rc == EACCES || rc == EROFS || rc == EPERM)
            rc = open_lmdb(out, o->dir, bytes, locked | MDB_NOLOCK);
    }
    return rc;
}

/* LMDB's table of readers has 126 places. Those of programs that were killed are taken until somebody looks. */
static int begin_reading(MDB_env *lmdb, MDB_txn **txn)
{
    int dead, rc = mdb_txn_begin(lmdb, NULL, MDB_RDONLY, txn);
    return rc == MDB_READERS_FULL && mdb_reader_check(lmdb, &dead) == MDB_SUCCESS
               ? mdb_txn_begin(lmdb, NULL, MDB_RDONLY, txn)
               : rc;
}

/* A running recording may replace the snapshot's meta page during the probe: then a newer snapshot is probed. */
static enum status probed_snapshot(struct env *env, const char *path, MDB_txn **txn, struct probe *probe,
                                   struct error *err)
{
    const char *table;
    for (int attempt = 0;; attempt++) {
        int rc = begin_reading(env->lmdb, txn);
        if (rc != MDB_SUCCESS)
            return failed(path, rc, err);
        uint64_t newest, own = mdb_txn_id(*txn);
        enum status st = probe_file(path, own, false, probe, err);
        if (st == OK && probe_fault(probe, &table) == NULL)
            return OK;
        if (attempt == 2 || probe_metas(path, &newest, NULL) != OK || newest == own) { /* that is not the cause */
            if (st != OK)
                mdb_txn_abort(*txn);
            return st;
        }
        mdb_txn_abort(*txn);
    }
}

/* A trace of version 1 has no sums, and its rows no checks. */
static enum status refuse_old(struct env *env, MDB_txn *txn, const char *path, struct error *err)
{
    MDB_val key = { .mv_data = (char[]){ "version" }, .mv_size = strlen("version") }, value;
    bool old = mdb_dbi_open(txn, schema_name(DB_INFO), 0, &env->dbi[DB_INFO]) == MDB_SUCCESS &&
               mdb_get(txn, env->dbi[DB_INFO], &key, &value) == MDB_SUCCESS && value.mv_size == 1 &&
               *(const char *)value.mv_data == '1';
    return old ? error_set(err, ERR_UNSUPPORTED, "%s: is of version 1, this program reads version " SCHEMA_VERSION,
                           path)
               : error_set(err, ERR_FORMAT, "%s: is not a trace, or damaged: it has no table " ROW_SUMS_NAME, path);
}

static enum status open_tables(struct env *env, MDB_txn *txn, const char *path, const struct probe *probe,
                               struct error *err)
{
    for (unsigned i = 0; i < DB_COUNT; i++) {
        enum schema_db db = (enum schema_db)i;
        unsigned want = schema_key_type(db) == KEY_TEXT ? 0 : MDB_INTEGERKEY;
        const struct probe_table *t = &probe->tables[i];
        if (t->state != PROBE_SOUND)
            damaged(env, path, schema_name(db), t->why);
        if (t->state == PROBE_BROKEN)
            continue;
        int rc = mdb_dbi_open(txn, schema_name(db), want, &env->dbi[i]);
        if (rc != MDB_SUCCESS)
            return failed(path, rc, err);
        env->has[i] = true;
    }
    if (probe->sums.state != PROBE_SOUND)
        damaged(env, path, ROW_SUMS_NAME, probe->sums.why);
    return OK;
}

static enum status open_databases(struct env *env, const char *path, struct error *err)
{
    MDB_txn *txn;
    struct probe probe;
    enum status st = probed_snapshot(env, path, &txn, &probe, err);
    if (st != OK)
        return st;
    st = probe.has_sums ? open_tables(env, txn, path, &probe, err) : refuse_old(env, txn, path, err);
    if (st != OK) {
        mdb_txn_abort(txn);
        return st;
    }
    int rc = mdb_txn_commit(txn);
    return rc == MDB_SUCCESS ? OK : failed(path, rc, err);
}

static enum status find_data_file(const char *dir, char *path, size_t room, struct stat *info, struct error *err)
{
    if ((size_t)snprintf(path, room, "%s/" TRACE_DATA_FILE, dir) >= room)
        return error_set(err, ERR_LIMIT, "%s: the name is too long", dir);
    if (stat(path, info) != 0)
        return error_set(err, errno == ENOENT ? ERR_FORMAT : ERR_IO, "%s: is not a trace: " TRACE_DATA_FILE ": %s", dir,
                         strerror(errno));
    return trace_files_regular(dir, err);
}

/* A link to it is followed, as one to a directory is: it was named by the user, not by the trace. */
static enum status find_bundle(const char *file, char path[PATH_MAX], struct stat *info, struct error *err)
{
    if (realpath(file, path) == NULL || stat(path, info) != 0)
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));
    return OK;
}

enum status env_open(struct env *env, const char *dir, bool read_only, const struct bundle *bundle, struct error *err)
{
    char path[PATH_MAX];
    struct stat info;
    uint64_t txn;
    enum status st =
        bundle != NULL ? find_bundle(dir, path, &info, err) : find_data_file(dir, path, sizeof path, &info, err);
    if (st != OK)
        return st;
    st = probe_metas(path, &txn, err);
    if (st != OK)
        return st;

    struct opening opening = { bundle != NULL ? path : dir, (uint64_t)info.st_size, read_only, bundle != NULL };
    int rc = shared_env_open(&info, make_env, &opening, &env->lmdb);
    if (rc != MDB_SUCCESS)
        return failed(path, rc, err);
    st = open_databases(env, path, err);
    shared_env_opened();
    if (st != OK)
        env_close(env);
    return st;
}

void env_close(struct env *env)
{
    for (unsigned db = 0; db < DB_COUNT; db++)
        for (unsigned i = 0; i < ENV_PACKS; i++)
            pack_reader_done(&env->packs[db][i].reader);
    if (env->txn != NULL)
        mdb_txn_abort(env->txn);
    if (env->lmdb != NULL)
        shared_env_close(env->lmdb);
    *env = (struct env){ 0 };
}

void env_share(struct env *to, const struct env *from)
{
    shared_env_use(from->lmdb);
    to->lmdb = from->lmdb;
    memcpy(to->dbi, from->dbi, sizeof to->dbi);
    memcpy(to->has, from->has, sizeof to->has);
}

enum status env_begin(struct env *env, struct error *err)
{
    if (env->depth == 0) {
        int rc = env->txn == NULL ? begin_reading(env->lmdb, &env->txn) : mdb_txn_renew(env->txn);
        if (rc != MDB_SUCCESS)
            return failed("cannot begin to read", rc, err);
    }
    env->depth++;
    return OK;
}

void env_end(struct env *env)
{
    if (--env->depth == 0)
        mdb_txn_reset(env->txn);
}

uint64_t env_integer(struct text key)
{
    uint64_t wide = 0;
    uint32_t small = 0;
    if (key.size == sizeof wide)
        memcpy(&wide, key.data, sizeof wide);
    else if (key.size == sizeof small) {
        memcpy(&small, key.data, sizeof small);
        wide = small;
    }
    return wide;
}

static MDB_val key_of(enum schema_db db, uint64_t *wide, uint32_t *small)
{
    if (schema_key_type(db) == KEY_U64)
        return (MDB_val){ .mv_data = wide, .mv_size = sizeof *wide };
    *small = (uint32_t)*wide;
    return (MDB_val){ .mv_data = small, .mv_size = sizeof *small };
}

/* The row of a stored value, if its check matches this key. */
static enum status open_row(struct env *env, enum schema_db db, const MDB_val *key, const MDB_val *value,
                            struct text *row, struct error *err)
{
    size_t size = value->mv_size;
    resident_read(&env->resident, value->mv_data, size);
    if (!row_open(db, key->mv_data, key->mv_size, value->mv_data, &size)) {
        struct text name = { key->mv_data, key->mv_size };
        char why[80];
        if (schema_key_type(db) == KEY_TEXT)
            (void)snprintf(why, sizeof why, "a row is damaged");
        else
            (void)snprintf(why, sizeof why, "row %llu is damaged", (unsigned long long)env_integer(name));
        damaged(env, TRACE_DATA_FILE, schema_name(db), why);
        return error_set(err, ERR_FORMAT, TRACE_DATA_FILE ": table %s: %s", schema_name(db), why);
    }
    *row = (struct text){ value->mv_data, size };
    return OK;
}

static enum status get_plain(struct env *env, enum schema_db db, uint64_t key, struct text *value, struct error *err)
{
    uint32_t small;
    MDB_val k = key_of(db, &key, &small), v;
    if (!env->has[db])
        return ERR_NOT_FOUND;
    int rc = mdb_get(env->txn, env->dbi[db], &k, &v);
    if (rc == MDB_NOTFOUND)
        return ERR_NOT_FOUND;
    return rc == MDB_SUCCESS ? open_row(env, db, &k, &v, value, err) : failed(schema_name(db), rc, err);
}

/* The place in the cache of the pack with that key, or the one that was used least lately. */
static struct env_pack *cached_pack(struct env *env, enum schema_db db, uint64_t first)
{
    struct env_pack *oldest = env->packs[db];
    for (struct env_pack *p = env->packs[db]; p < env->packs[db] + ENV_PACKS; p++) {
        if (p->used != 0 && p->first == first)
            return p;
        if (p->used < oldest->used)
            oldest = p;
    }
    return oldest;
}

/* The pack with the greatest key that is not above `key`. */
static enum status find_pack(struct env *env, enum schema_db db, uint64_t key, struct env_pack **out, struct error *err)
{
    struct env_pack *p = NULL;
    uint32_t small;
    MDB_cursor *cursor;
    MDB_val k = key_of(db, &key, &small), v;
    if (!env->has[db])
        return ERR_NOT_FOUND;
    int rc = mdb_cursor_open(env->txn, env->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return failed(schema_name(db), rc, err);
    rc = mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE);
    if (rc == MDB_NOTFOUND)
        rc = mdb_cursor_get(cursor, &k, &v, MDB_LAST);
    else if (rc == MDB_SUCCESS && env_integer((struct text){ k.mv_data, k.mv_size }) > key)
        rc = mdb_cursor_get(cursor, &k, &v, MDB_PREV);
    enum status st = rc == MDB_SUCCESS ? OK : rc == MDB_NOTFOUND ? ERR_NOT_FOUND : failed(schema_name(db), rc, err);
    uint64_t first = st == OK ? env_integer((struct text){ k.mv_data, k.mv_size }) : 0;
    if (st == OK)
        p = cached_pack(env, db, first);
    if (p != NULL && (p->used == 0 || p->first != first)) {
        struct text row;
        pack_reader_done(&p->reader);
        st = open_row(env, db, &k, &v, &row, err);
        if (st == OK)
            st = pack_open(&p->reader, first, row.data, row.size, err);
        *p = (struct env_pack){ .first = first, .reader = p->reader };
    }
    if (st == OK)
        p->used = ++env->uses;
    *out = p;
    mdb_cursor_close(cursor);
    return st;
}

static enum status get_packed(struct env *env, enum schema_db db, uint64_t key, struct text *value, struct error *err)
{
    struct env_pack *p = NULL;
    uint64_t at;
    const uint8_t *data;
    size_t size;
    enum status st = find_pack(env, db, key, &p, err);
    if (st != OK)
        return st;
    pack_rewind(&p->reader, p->first);
    while (pack_next(&p->reader, &at, &data, &size))
        if (at == key) {
            *value = (struct text){ (const char *)data, size };
            return OK;
        }
    return p->reader.index.bad ? error_set(err, ERR_FORMAT, "%s: a pack is malformed", schema_name(db)) : ERR_NOT_FOUND;
}

enum status env_get(struct env *env, enum schema_db db, uint64_t key, struct text *value, struct error *err)
{
    return schema_packed(db) ? get_packed(env, db, key, value, err) : get_plain(env, db, key, value, err);
}

enum status env_at_least(struct env *env, enum schema_db db, uint64_t *key, struct text *value, struct error *err)
{
    uint32_t small;
    MDB_cursor *cursor;
    MDB_val k = key_of(db, key, &small), v;
    if (!env->has[db])
        return ERR_NOT_FOUND;
    int rc = mdb_cursor_open(env->txn, env->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return failed(schema_name(db), rc, err);
    enum status st = OK;
    rc = mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE);
    if (rc == MDB_SUCCESS) {
        *key = env_integer((struct text){ k.mv_data, k.mv_size });
        st = open_row(env, db, &k, &v, value, err);
    }
    mdb_cursor_close(cursor);
    return rc == MDB_SUCCESS ? st : rc == MDB_NOTFOUND ? ERR_NOT_FOUND : failed(schema_name(db), rc, err);
}

/* Rows of one pack from key `*next` on. */
static enum status each_in_pack(uint64_t first, struct text value, uint64_t *next, env_row_fn *row, void *context,
                                struct error *err)
{
    struct pack_reader r;
    uint64_t key;
    const uint8_t *data;
    size_t size;
    enum status st = pack_open(&r, first, value.data, value.size, err);
    if (st != OK)
        goto out;
    while (pack_next(&r, &key, &data, &size)) {
        uint32_t small = (uint32_t)key;
        if (key < *next)
            continue;
        st = row(context, (struct text){ (const char *)&small, sizeof small },
                 (struct text){ (const char *)data, size }, err);
        if (st != OK)
            goto out;
        *next = key + 1;
    }
out:
    pack_reader_done(&r);
    return st;
}

enum status env_each(struct env *env, enum schema_db db, env_row_fn *row, void *context, struct error *err)
{
    MDB_cursor *cursor;
    MDB_val k, v;
    if (!env->has[db])
        return OK;
    int rc = mdb_cursor_open(env->txn, env->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return failed(schema_name(db), rc, err);
    enum status st = OK;
    uint64_t next = 0; /* of a packed database: a pack rewritten by recovery may overlap the one before */
    for (;;) {
        rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT);
        if (rc != MDB_SUCCESS) {
            st = rc == MDB_NOTFOUND ? OK : failed(schema_name(db), rc, err);
            break;
        }
        struct text key = { k.mv_data, k.mv_size }, value;
        if (open_row(env, db, &k, &v, &value, NULL) != OK)
            continue;
        st = schema_packed(db) ? each_in_pack(env_integer(key), value, &next, row, context, err)
                               : row(context, key, value, err);
        if (st != OK)
            break;
    }
    mdb_cursor_close(cursor);
    return st;
}

static enum status verify_table(struct env *env, enum schema_db db, env_tell_fn *tell, void *context, uint64_t *rows,
                                struct error *err)
{
    MDB_cursor *cursor;
    MDB_val k, v;
    int rc = mdb_cursor_open(env->txn, env->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return failed(schema_name(db), rc, err);
    for (;; (*rows)++) {
        rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT);
        if (rc != MDB_SUCCESS)
            break;
        struct text row;
        struct error why;
        if (open_row(env, db, &k, &v, &row, &why) != OK)
            tell(context, why.text);
    }
    mdb_cursor_close(cursor);
    return rc == MDB_NOTFOUND ? OK : failed(schema_name(db), rc, err);
}

enum status env_verify(struct env *env, env_tell_fn *tell, void *context, uint64_t *rows, struct error *err)
{
    enum status st = env_begin(env, err);
    if (st != OK)
        return st;
    for (unsigned db = 0; db < DB_COUNT; db++) {
        if (!env->has[db])
            continue;
        st = verify_table(env, (enum schema_db)db, tell, context, rows, err);
        if (st != OK)
            break;
    }
    env_end(env);
    return st;
}
