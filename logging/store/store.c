/* store.c - the only file that opens LMDB write transactions; see store.h for the contract. Opening is in
 * store_open.c. */
#include "logging/store/store_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "formats/trace_files.h"
#include "formats/windows.h"

static bool disk_is_full(const struct store *s)
{
    struct statvfs fs;
    return statvfs(s->dir, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < STORE_RESERVE_BYTES;
}

/* LMDB reports a short write of a filling disk as EIO. */
static enum status status_of(const struct store *s, int rc)
{
    switch (rc) {
    case MDB_SUCCESS: return OK;
    case MDB_NOTFOUND: return ERR_NOT_FOUND;
    case MDB_MAP_FULL:
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return ERR_FULL;
    case EIO: return disk_is_full(s) ? ERR_FULL : ERR_IO;
    case ENOMEM: return ERR_MEMORY;
    case MDB_INVALID:
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_VERSION_MISMATCH: return ERR_FORMAT;
    default: return ERR_STORE;
    }
}

enum status store_failed(const struct store *s, const char *what, int rc, struct error *err)
{
    enum status st = status_of(s, rc);
    const char *why = rc == MDB_MAP_FULL ? "no room below the limit on files or memory (ulimit -f, -v)"
                                         : mdb_strerror(st == ERR_FULL && rc == EIO ? ENOSPC : rc);
    return error_set(err, st, "%s: %s: %s", s->dir, what, why);
}

/* ---- a file that somebody cuts (cut_guard.h) ---- */

enum status store_was_cut(const struct store *s, struct error *err)
{
    return error_set(err, ERR_IO, "%s: somebody has cut " TRACE_DATA_FILE " while it was recorded", s->dir);
}

bool store_is_whole(struct store *s)
{
    struct stat st;
    mdb_filehandle_t fd;
    if (!s->escape.cut && mdb_env_get_fd(s->env, &fd) == MDB_SUCCESS && fstat(fd, &st) == 0) {
        if ((uint64_t)st.st_size < s->file_bytes)
            __atomic_store_n(&s->escape.cut, true, __ATOMIC_RELAXED); /* store_sync reads it in another thread */
        s->file_bytes = (uint64_t)st.st_size;
    }
    return !s->escape.cut;
}

enum status store_guarded(struct store *s, store_work_fn *work, void *context, struct error *err)
{
    if (sigsetjmp(s->escape.to, 1) != 0) {
        if (!s->escape.cut)
            store_abort(s); /* LMDB was not left in the middle */
        return s->escape.cut ? store_was_cut(s, err)
                             : error_set(err, ERR_IO, "%s: somebody has cut a file while it was recorded", s->dir);
    }
    s->escape.thread = pthread_self();
    s->escape.active = true;
    enum status st = work(context, err);
    s->escape.active = false;
    return st;
}

/* ---- sums: number of rows and sum of weights of each table (rowcheck.h) ---- */

static MDB_val sums_key(uint32_t *room)
{
    *room = ROW_SUMS_KEY;
    return (MDB_val){ .mv_data = room, .mv_size = sizeof *room };
}

enum status store_load_sums(struct store *s, struct error *err)
{
    uint32_t room;
    MDB_val key = sums_key(&room), value;
    int rc = mdb_get(s->txn, s->sums_dbi, &key, &value);
    if (rc != MDB_SUCCESS)
        return store_failed(s, ROW_SUMS_NAME, rc, err);
    size_t size = value.mv_size;
    if (!row_open(ROW_SUMS_TABLE, key.mv_data, key.mv_size, value.mv_data, &size) ||
        !row_sums_decode(value.mv_data, size, &s->sums))
        return error_set(err, ERR_FORMAT, "%s: damaged: the table of sums", s->dir);
    return OK;
}

static enum status put_sums(struct store *s, struct error *err)
{
    uint32_t room;
    MDB_val key = sums_key(&room), value;
    s->sums.txn = mdb_txn_id(s->txn);
    s->scratch.size = 0;
    s->scratch.bad = false;
    row_sums_encode(&s->sums, &s->scratch);
    size_t size = s->scratch.size;
    write_le4(&s->scratch, 0);
    if (s->scratch.bad)
        return error_set(err, ERR_MEMORY, "%s: no memory for the sums of the tables", s->dir);
    row_close(ROW_SUMS_TABLE, key.mv_data, key.mv_size, s->scratch.data, size);
    value = (MDB_val){ .mv_data = s->scratch.data, .mv_size = s->scratch.size };
    int rc = mdb_put(s->txn, s->sums_dbi, &key, &value, 0);
    return rc == MDB_SUCCESS ? OK : store_failed(s, ROW_SUMS_NAME, rc, err);
}

static void weigh(struct store *s, enum schema_db db, const MDB_val *key, const MDB_val *value, bool added)
{
    uint64_t weight = row_weight(db, key->mv_data, key->mv_size, value->mv_data, value->mv_size);
    struct row_sum *sum = &s->sums.tables[db];
    sum->rows += added ? 1 : UINT64_MAX;
    sum->weight += added ? weight : 0 - weight;
    s->changed = true;
}

uint64_t store_used(const struct store *s)
{
    uint64_t pages = 0, page = 0;
    MDB_stat stat;
    for (unsigned i = 0; i < DB_COUNT && !s->escape.cut; i++)
        if (mdb_stat(s->txn, s->dbi[i], &stat) == MDB_SUCCESS) {
            pages += stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages;
            page = stat.ms_psize;
        }
    return pages * page;
}

enum status store_begin(struct store *s, struct error *err)
{
    if (!store_is_whole(s))
        return store_was_cut(s, err);
    int dead; /* a reader that was killed would keep its snapshot: no page that is freed could be used again */
    (void)mdb_reader_check(s->env, &dead);
    int rc = mdb_txn_begin(s->env, NULL, s->source ? MDB_RDONLY : 0, &s->txn);
    s->sums_before = s->sums;
    s->changed = false;
    if (rc == MDB_SUCCESS) {
        s->used_before = store_used(s);
        return OK;
    }
    s->txn = NULL;
    return store_failed(s, s->source ? "cannot begin to read" : "cannot begin to write", rc, err);
}

bool store_in_transaction(const struct store *s) { return s->txn != NULL; }

/* Native integer keys: 4 or 8 bytes. `room` holds a 32-bit key. */
static enum status key_of(const struct store *s, enum schema_db db, const uint64_t *key, uint32_t *room, MDB_val *out,
                          struct error *err)
{
    if (schema_key_type(db) == KEY_U64) {
        *out = (MDB_val){ .mv_data = (void *)(uintptr_t)key, .mv_size = sizeof *key };
        return OK;
    }
    if (*key > UINT32_MAX)
        return error_set(err, ERR_LIMIT, "%s: %s: key %llu does not fit into 32 bits", s->dir, schema_name(db),
                         (unsigned long long)*key);
    *room = (uint32_t)*key;
    *out = (MDB_val){ .mv_data = room, .mv_size = sizeof *room };
    return OK;
}

/* Space for the row and its check is reserved in LMDB's page and filled there, so nothing is copied twice. */
static enum status put(struct store *s, enum schema_db db, MDB_val *key, const void *data, size_t size,
                       struct error *err)
{
    if (s->escape.cut)
        return store_was_cut(s, err);
    MDB_val value = { .mv_size = size + ROW_CHECK_BYTES };
    int rc = MDB_KEYEXIST;
    if (db == DB_CHUNK || db == DB_CHUNKDIR || db == DB_CHUNKPACK || s->small)
        /* fails for a key that is not the greatest */
        rc = mdb_put(s->txn, s->dbi[db], key, &value, MDB_RESERVE | MDB_APPEND);
    if (rc == MDB_KEYEXIST) {
        value.mv_size = size + ROW_CHECK_BYTES;
        rc = mdb_put(s->txn, s->dbi[db], key, &value, MDB_RESERVE | MDB_NOOVERWRITE);
        if (rc == MDB_KEYEXIST) { /* `value` is the existing one */
            weigh(s, db, key, &value, false);
            /* LMDB would leave a value that became short in the pages of the long one (WEIGHED_BYTES) */
            rc = value.mv_size > WEIGHED_BYTES ? mdb_del(s->txn, s->dbi[db], key, NULL) : MDB_SUCCESS;
            value.mv_size = size + ROW_CHECK_BYTES;
            if (rc == MDB_SUCCESS)
                rc = mdb_put(s->txn, s->dbi[db], key, &value, MDB_RESERVE);
        }
    }
    if (rc != MDB_SUCCESS)
        return store_failed(s, schema_name(db), rc, err);
    if (size > 0)
        memcpy(value.mv_data, data, size);
    row_close(db, key->mv_data, key->mv_size, value.mv_data, size);
    weigh(s, db, key, &value, true);
    return OK;
}

/* The row of a stored value; ERR_FORMAT if it does not match its check. */
static enum status open_row(const struct store *s, enum schema_db db, const MDB_val *key, MDB_val *value,
                            struct error *err)
{
    if (row_open(db, key->mv_data, key->mv_size, value->mv_data, &value->mv_size))
        return OK;
    return error_set(err, ERR_FORMAT, "%s: damaged: a row of table %s", s->dir, schema_name(db));
}

static bool integer_key(const MDB_val *key, uint64_t *out)
{
    uint32_t small;
    if (key->mv_size == sizeof *out) {
        memcpy(out, key->mv_data, sizeof *out);
        return true;
    }
    if (key->mv_size != sizeof small)
        return false;
    memcpy(&small, key->mv_data, sizeof small);
    *out = small;
    return true;
}

/* The first or the last row of an integer database. */
static enum status row_at(struct store *s, enum schema_db db, MDB_cursor_op where, uint64_t *key, MDB_val *value,
                          struct error *err)
{
    if (s->escape.cut)
        return store_was_cut(s, err);
    MDB_cursor *cursor;
    MDB_val k;
    int rc = mdb_cursor_open(s->txn, s->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return store_failed(s, schema_name(db), rc, err);
    enum status st = OK;
    rc = mdb_cursor_get(cursor, &k, value, where);
    if (rc == MDB_NOTFOUND)
        st = ERR_NOT_FOUND;
    else if (rc != MDB_SUCCESS)
        st = store_failed(s, schema_name(db), rc, err);
    else if (!integer_key(&k, key))
        st = error_set(err, ERR_FORMAT, "%s: %s: a key has %zu bytes", s->dir, schema_name(db), k.mv_size);
    else
        st = open_row(s, db, &k, value, err);
    mdb_cursor_close(cursor);
    return st;
}

static enum status put_pack(struct store *s, enum schema_db db, struct error *err)
{
    uint64_t first = s->packs[db].first;
    MDB_val k;
    uint32_t room;
    s->scratch.size = 0;
    s->scratch.bad = false;
    s->packs[db].small = s->small;
    s->packs[db].quick = db == DB_CHUNKPACK;
    enum status st = pack_encode(&s->packs[db], &s->scratch, err);
    if (st == OK)
        st = key_of(s, db, &first, &room, &k, err);
    if (st == OK)
        st = put(s, db, &k, s->scratch.data, s->scratch.size, err);
    if (st == OK && s->ends[db].key <= s->packs[db].last)
        s->ends[db].key = s->packs[db].last + 1;
    return st;
}

enum status store_end_of_packs(struct store *s, enum schema_db db, uint64_t *out, struct error *err)
{
    MDB_val value;
    struct pack_reader r;
    uint64_t key = 0, end = 0;
    const uint8_t *data;
    size_t size;
    if (!s->ends[db].known) {
        enum status st = row_at(s, db, MDB_LAST, &key, &value, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (st == OK)
            end = key; /* if it is damaged its rows are written again */
        if (st == OK) {
            st = pack_open(&r, key, value.mv_data, value.mv_size, NULL);
            while (st == OK && pack_next(&r, &key, &data, &size))
                end = key + 1;
            pack_reader_done(&r);
            if (st == ERR_MEMORY)
                return error_memory(err, "the last pack of a table");
        }
        s->ends[db].key = s->ends[db].key > end ? s->ends[db].key : end;
        s->ends[db].known = true;
    }
    end = s->ends[db].key;
    *out = s->packs[db].count > 0 && s->packs[db].last >= end ? s->packs[db].last + 1 : end;
    return OK;
}

enum status store_put(struct store *s, enum schema_db db, uint64_t key, const void *data, size_t size,
                      struct error *err)
{
    MDB_val k;
    uint32_t room;
    if (s->snapshot != 0 && (db == DB_COUNTS || db == DB_LATEST || db == DB_TIMING || db == DB_TALLY)) {
        key = saved_key(s->snapshot, db, (uint32_t)key);
        db = DB_SAVED;
    }
    enum status st = key_of(s, db, &key, &room, &k, err);
    if (st == OK && schema_packed(db)) {
        if (!pack_add(&s->packs[db], key, data, size)) {
            st = put_pack(s, db, err);
            (void)pack_add(&s->packs[db], key, data, size);
        }
        return st == OK && db == DB_CHUNKPACK && s->chunks_alone ? put_pack(s, db, err) : st;
    }
    return st == OK ? put(s, db, &k, data, size, err) : st;
}

void store_save_as(struct store *s, uint32_t snapshot) { s->snapshot = snapshot; }

void store_flush_packs(struct store *s) { s->flush_packs = true; }
void store_chunks_alone(struct store *s) { s->chunks_alone = true; }

bool store_waits(const struct store *s) { return s->packs[DB_CLASSFILE].count > 0; }

enum status store_commit(struct store *s, struct error *err)
{
    enum status st = OK;
    for (unsigned db = 0; db < DB_COUNT && st == OK; db++)
        if (s->packs[db].count > 0 && (db != DB_CLASSFILE || s->flush_packs))
            st = put_pack(s, (enum schema_db)db, err);
    s->flush_packs = false;
    if (st == OK && s->changed)
        st = put_sums(s, err);
    if (st == OK && !store_is_whole(s)) /* a commit would put zeros in place of what is gone */
        st = store_was_cut(s, err);
    if (st != OK) {
        store_abort(s);
        return st;
    }
    MDB_txn *txn = s->txn;
    s->txn = NULL;
    int rc = mdb_txn_commit(txn);
    if (rc != MDB_SUCCESS) {
        memset(s->ends, 0, sizeof s->ends);
        s->sums = s->sums_before;
    }
    return rc != MDB_SUCCESS   ? store_failed(s, "cannot commit", rc, err)
           : store_is_whole(s) ? OK
                               : store_was_cut(s, err);
}

void store_abort(struct store *s)
{
    for (unsigned db = 0; db < DB_COUNT; db++)
        pack_done(&s->packs[db]);
    memset(s->ends, 0, sizeof s->ends);
    if (s->txn != NULL && !s->escape.cut) {
        mdb_txn_abort(s->txn);
        s->sums = s->sums_before;
    }
    s->txn = NULL;
}

enum status store_put_text(struct store *s, enum schema_db db, const char *key, size_t key_size, const void *data,
                           size_t size, struct error *err)
{
    MDB_val k = { .mv_data = (void *)(uintptr_t)key, .mv_size = key_size };
    return put(s, db, &k, data, size, err);
}

enum status store_put_number(struct store *s, const char *key, uint64_t value, struct error *err)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return store_put_text(s, DB_INFO, key, strlen(key), text, (size_t)n, err);
}

static enum status get(struct store *s, enum schema_db db, MDB_val *key, const void **data, size_t *size,
                       struct error *err)
{
    if (s->escape.cut)
        return store_was_cut(s, err);
    MDB_val value;
    int rc = mdb_get(s->txn, s->dbi[db], key, &value);
    if (rc == MDB_NOTFOUND)
        return ERR_NOT_FOUND;
    if (rc != MDB_SUCCESS)
        return store_failed(s, schema_name(db), rc, err);
    enum status st = open_row(s, db, key, &value, err);
    if (st != OK)
        return st;
    *data = value.mv_data;
    *size = value.mv_size;
    return OK;
}

enum status store_get(struct store *s, enum schema_db db, uint64_t key, const void **data, size_t *size,
                      struct error *err)
{
    MDB_val k;
    uint32_t room;
    enum status st = key_of(s, db, &key, &room, &k, err);
    if (st != OK)
        return st;
    return get(s, db, &k, data, size, err);
}

enum status store_get_text(struct store *s, enum schema_db db, const char *key, const void **data, size_t *size,
                           struct error *err)
{
    MDB_val k = { strlen(key), (void *)(uintptr_t)key };
    return get(s, db, &k, data, size, err);
}

enum status store_last_key(struct store *s, enum schema_db db, uint64_t *key, struct error *err)
{
    MDB_val value;
    return row_at(s, db, MDB_LAST, key, &value, err);
}

enum status store_first(struct store *s, enum schema_db db, uint64_t *key, const void **data, size_t *size,
                        struct error *err)
{
    MDB_val value;
    enum status st = row_at(s, db, MDB_FIRST, key, &value, err);
    if (st == OK) {
        *data = value.mv_data;
        *size = value.mv_size;
    }
    return st;
}

enum status store_delete(struct store *s, enum schema_db db, uint64_t first, uint64_t last, struct error *err)
{
    if (s->escape.cut)
        return store_was_cut(s, err);
    MDB_cursor *cursor;
    MDB_val k, value;
    uint32_t room;
    uint64_t key;
    enum status st = key_of(s, db, &first, &room, &k, err);
    if (st != OK)
        return st;
    int rc = mdb_cursor_open(s->txn, s->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return store_failed(s, schema_name(db), rc, err);
    for (rc = mdb_cursor_get(cursor, &k, &value, MDB_SET_RANGE);
         rc == MDB_SUCCESS && integer_key(&k, &key) && key <= last;
         rc = mdb_cursor_get(cursor, &k, &value, MDB_NEXT)) { /* after a removal this is the row that took its place */
        weigh(s, db, &k, &value, false);
        if ((rc = mdb_cursor_del(cursor, 0)) != MDB_SUCCESS)
            break;
    }
    mdb_cursor_close(cursor);
    return rc == MDB_SUCCESS || rc == MDB_NOTFOUND ? OK : store_failed(s, schema_name(db), rc, err);
}

uint64_t store_file_bytes(const struct store *s)
{
    uint64_t used = store_used(s);
    return s->file_bytes + (used > s->used_before ? used - s->used_before : 0);
}

static enum status each_in_pack(uint64_t first, const MDB_val *value, store_row_fn *row, void *context,
                                struct error *err)
{
    struct pack_reader r;
    uint64_t key;
    const uint8_t *data;
    size_t size;
    enum status st = pack_open(&r, first, value->mv_data, value->mv_size, err);
    while (st == OK && pack_next(&r, &key, &data, &size))
        st = row(context, key, data, size);
    pack_reader_done(&r);
    return st;
}

enum status store_each(struct store *s, enum schema_db db, store_row_fn *row, void *context, struct error *err)
{
    if (s->escape.cut)
        return store_was_cut(s, err);
    MDB_cursor *cursor;
    MDB_val k, value;
    uint64_t key;
    int rc = mdb_cursor_open(s->txn, s->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return store_failed(s, schema_name(db), rc, err);
    enum status st = OK;
    while (st == OK && (rc = mdb_cursor_get(cursor, &k, &value, MDB_NEXT)) == MDB_SUCCESS) {
        if (!integer_key(&k, &key))
            st = error_set(err, ERR_FORMAT, "%s: %s: a key has %zu bytes", s->dir, schema_name(db), k.mv_size);
        else if ((st = open_row(s, db, &k, &value, err)) == OK)
            st = schema_packed(db) ? each_in_pack(key, &value, row, context, err)
                                   : row(context, key, value.mv_data, value.mv_size);
    }
    if (st == OK && rc != MDB_NOTFOUND)
        st = store_failed(s, schema_name(db), rc, err);
    mdb_cursor_close(cursor);
    return st;
}

enum status store_each_text(struct store *s, enum schema_db db, store_text_fn *row, void *context, struct error *err)
{
    if (s->escape.cut)
        return store_was_cut(s, err);
    MDB_cursor *cursor;
    MDB_val k, value;
    int rc = mdb_cursor_open(s->txn, s->dbi[db], &cursor);
    if (rc != MDB_SUCCESS)
        return store_failed(s, schema_name(db), rc, err);
    enum status st = OK;
    while (st == OK && (rc = mdb_cursor_get(cursor, &k, &value, MDB_NEXT)) == MDB_SUCCESS) {
        st = open_row(s, db, &k, &value, err);
        if (st == OK)
            st = row(context, k.mv_data, k.mv_size, value.mv_data, value.mv_size);
    }
    if (st == OK && rc != MDB_NOTFOUND)
        st = store_failed(s, schema_name(db), rc, err);
    mdb_cursor_close(cursor);
    return st;
}

void store_small(struct store *s) { s->small = true; }

enum status store_sync(struct store *s, struct error *err)
{
    if (__atomic_load_n(&s->escape.cut, __ATOMIC_RELAXED))
        return store_was_cut(s, err);
    int rc = mdb_env_sync(s->env, 1);
    return rc == MDB_SUCCESS ? OK : store_failed(s, "cannot sync", rc, err);
}
