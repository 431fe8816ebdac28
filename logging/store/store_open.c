/* store_open.c - opening and closing a store, and the disk space that is kept for its end.
 *
 * Why these flags: NOSYNC because page cache survives the process and the journal covers what a commit misses; NOTLS so
 * that the JVM's threads carry no LMDB state; no WRITEMAP because a full disk would then kill the program with SIGBUS.
 * The map is 1 TiB of address space, which costs nothing; under a limit on address space smaller maps are tried. */
#include "logging/store/store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "formats/files.h"
#include "formats/limits.h"
#include "formats/probe.h"
#include "formats/trace_files.h"

#define MAP_BYTES_MAX ((size_t)1 << 40)
enum { MAP_BYTES_LEAST = 64 << 20, MEMORY_PARTS = 12, MAP_UNIT = 64 * 1024 };
enum { FILE_MODE = 0600 /* of files.h, which creates them */, RESERVE_PIECE = 4096 };

static char *path_in(const char *dir, const char *name)
{
    size_t size = strlen(dir) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        (void)snprintf(path, size, "%s/%s", dir, name);
    return path;
}

/* Without this file a full disk only leaves no room for the closing note. */
static void make_reserve(const struct store *s)
{
    static const char zeros[RESERVE_PIECE];
    int fd = file_make(AT_FDCWD, s->reserve, O_WRONLY | O_EXCL);
    if (fd < 0)
        return;
    for (unsigned n = 0; n < STORE_RESERVE_BYTES / RESERVE_PIECE; n++)
        if (write(fd, zeros, sizeof zeros) != (ssize_t)sizeof zeros)
            break;
    (void)close(fd);
}

/* The file never grows beyond the map, so with a map below the limit on file size LMDB reports an error instead of a
 * signal being raised. */
static size_t map_limit(const char *data)
{
    struct stat st;
    uint64_t used = stat(data, &st) == 0 ? (uint64_t)st.st_size : 0, file = limit_file_bytes();
    uint64_t bytes = limit_memory_part(MAP_BYTES_MAX, MEMORY_PARTS, 2 * used + MAP_BYTES_LEAST);
    return (size_t)((bytes < file ? bytes : file) / MAP_UNIT * MAP_UNIT);
}

static int open_map(struct store *s, const char *data)
{
    int rc = ENOMEM;
    size_t most = map_limit(data);
    if (most <= 2 * STORE_RESERVE_BYTES)
        return EFBIG;
    for (size_t bytes = most - STORE_RESERVE_BYTES; rc == ENOMEM && bytes > STORE_RESERVE_BYTES; bytes /= 2) {
        s->map_bytes = bytes;
        if ((rc = mdb_env_create(&s->env)) != MDB_SUCCESS)
            return rc;
        if ((rc = mdb_env_set_maxdbs(s->env, DB_COUNT + 1)) == MDB_SUCCESS &&
            (rc = mdb_env_set_mapsize(s->env, bytes)) == MDB_SUCCESS)
            rc = mdb_env_open(s->env, s->bundle ? data : s->dir,
                              MDB_NOTLS | (s->bundle ? MDB_NOSUBDIR : 0u) |
                                  (s->source ? MDB_RDONLY | MDB_NOLOCK : MDB_NOSYNC),
                              FILE_MODE);
        if (rc != MDB_SUCCESS) {
            mdb_env_close(s->env);
            s->env = NULL;
        }
    }
    return rc;
}

/* LMDB has found pages that it has not written, and would abort the process. */
static void leave_lmdb(MDB_env *env, const char *message)
{
    struct store *s = mdb_env_get_userctx(env);
    (void)message;
    if (s->escape.active) {
        s->escape.active = false;
        s->escape.cut = true;
        siglongjmp(s->escape.to, 1);
    }
}

static enum status open_databases(struct store *s, bool create, struct error *err)
{
    enum status st = store_begin(s, err);
    unsigned made = create ? MDB_CREATE : 0;
    for (unsigned i = 0; st == OK && i < DB_COUNT; i++) {
        enum schema_db db = (enum schema_db)i;
        unsigned flags = made | (schema_key_type(db) == KEY_TEXT ? 0u : (unsigned)MDB_INTEGERKEY);
        int rc = mdb_dbi_open(s->txn, schema_name(db), flags, &s->dbi[i]);
        if (rc != MDB_SUCCESS)
            st = store_failed(s, schema_name(db), rc, err);
    }
    int rc = st == OK ? mdb_dbi_open(s->txn, ROW_SUMS_NAME, made | MDB_INTEGERKEY, &s->sums_dbi) : MDB_SUCCESS;
    if (rc != MDB_SUCCESS)
        st = store_failed(s, ROW_SUMS_NAME, rc, err);
    if (st == OK && !create)
        st = store_load_sums(s, err);
    s->changed = create;
    if (st == OK)
        return store_commit(s, err);
    store_abort(s);
    return st;
}

/* Checks an existing file completely before LMDB opens it: LMDB would follow damaged pages and overwrite others. */
static enum status prove(const struct store *s, const char *data, struct error *err)
{
    uint64_t txn;
    struct probe probe;
    const char *table;
    enum status st = s->bundle ? OK : trace_files_regular(s->dir, err);
    if (st == OK)
        st = probe_metas(data, &txn, err);
    if (st == OK)
        st = probe_file(data, txn, !s->bundle, &probe, err);
    if (st == OK && !probe.has_sums)
        return error_set(err, ERR_UNSUPPORTED,
                         "%s: has no sums of its tables: it is of version 1, or damaged; this program writes "
                         "version " SCHEMA_VERSION,
                         data);
    const struct probe_table *fault = st == OK ? probe_fault(&probe, &table) : NULL;
    return fault != NULL ? error_set(err, ERR_FORMAT, "%s: damaged: table %s: %s", data, table, fault->why) : st;
}

static enum status open_store(const char *dir, bool create, bool source, struct store **out, struct error *err)
{
    enum status st = ERR_MEMORY;
    bool bundle = source && bundle_is(dir);
    char *data = bundle ? realpath(dir, NULL) : path_in(dir, TRACE_DATA_FILE);
    struct store *s = calloc(1, sizeof *s);
    if (s == NULL || data == NULL || (s->dir = strdup(dir)) == NULL ||
        (s->reserve = path_in(dir, TRACE_RESERVE_FILE)) == NULL) {
        st = error_memory(err, "%s: cannot open the trace store", dir);
        goto out;
    }
    s->bundle = bundle;
    s->source = source;
    bool exists = access(data, F_OK) == 0;
    if (exists == create) {
        st = create ? error_set(err, ERR_EXISTS, "%s: there is a trace in it already", dir)
                    : error_set(err, ERR_NOT_FOUND, "%s: there is no " TRACE_DATA_FILE " in it", dir);
        free(s->reserve); /* not ours */
        s->reserve = NULL;
        goto out;
    }
    if (!create) {
        st = prove(s, data, err);
        if (st != OK)
            goto out;
    }
    /* LMDB would create its files with a mode that depends on the umask */
    bool made = source || ((!create || file_touch(dir, TRACE_DATA_FILE, O_EXCL, 0)) &&
                           file_touch(dir, TRACE_LOCK_FILE, 0, TRACE_LOCK_BYTES));
    int rc = made ? open_map(s, data) : errno;
    if (rc != MDB_SUCCESS) {
        st = store_failed(s, "cannot open the trace store", rc, err);
        goto out;
    }
    cut_guard_add_escape(&s->escape);
    (void)mdb_env_set_userctx(s->env, s);
    (void)mdb_env_set_assert(s->env, leave_lmdb);
    st = open_databases(s, create, err);
    if (st == OK && create)
        make_reserve(s);
out:
    free(data);
    if (st == OK)
        *out = s;
    else
        store_close(s);
    return st;
}

enum status store_open(const char *dir, bool create, struct store **out, struct error *err)
{
    return open_store(dir, create, false, out, err);
}

enum status store_open_source(const char *dir, struct store **out, struct error *err)
{
    return open_store(dir, false, true, out, err);
}

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    store_abort(s);
    cut_guard_remove_escape(&s->escape);
    if (s->env != NULL && !s->escape.cut) /* else LMDB's own memory is left: closing reads the file */
        mdb_env_close(s->env);
    s->env = NULL;
    store_release_reserve(s);
    for (unsigned db = 0; db < DB_COUNT; db++)
        pack_done(&s->packs[db]);
    writer_free(&s->scratch);
    free(s->dir);
    free(s);
}

void store_release_reserve(struct store *s)
{
    if (s->reserve != NULL) {
        (void)unlink(s->reserve); /* it may not exist */
        /* below a limit on file size the map has a reserve too; where memory is limited remapping could fail and leave
         * LMDB without a map */
        if (s->env != NULL && s->txn == NULL && !s->escape.cut && limit_memory_bytes() == UINT64_MAX &&
            s->map_bytes < MAP_BYTES_MAX / 2 &&
            mdb_env_set_mapsize(s->env, s->map_bytes + STORE_RESERVE_BYTES) == MDB_SUCCESS)
            s->map_bytes += STORE_RESERVE_BYTES;
    }
    free(s->reserve);
    s->reserve = NULL;
}
