/* storage.c - where the bytes of a trace are: pages of LMDB's databases by kind of table, and the files beside them. */
#include <stdio.h>
#include <sys/stat.h>

#include "reader/trace.h"
#include "reader/trace/open_trace.h"

enum storage { EVENTS, OBJECTS, CLASS_FILES, TABLES, VALUES, THREADS, INFO, OTHER, INDEX, STORAGE_COUNT };

static const char *const names[STORAGE_COUNT] = {
    [EVENTS] = "events", [OBJECTS] = "objects", [CLASS_FILES] = "class_files",
    [TABLES] = "tables", [VALUES] = "values",   [THREADS] = "threads",
    [INFO] = "info",     [OTHER] = "other",     [INDEX] = "index",
};

static enum storage storage_of(enum schema_db db)
{
    switch (db) {
    case DB_CHUNK:
    case DB_CHUNKPACK:
    case DB_CHUNKDIR:
    case DB_FOLLOWER:
    case DB_STATE: return EVENTS;
    case DB_OBJECT: return OBJECTS;
    case DB_CLASSFILE: return CLASS_FILES;
    case DB_CLASS:
    case DB_DATAID:
    case DB_KIND:
    case DB_ROLE:
    case DB_TYPE:
    case DB_HIERARCHY: return TABLES;
    case DB_COUNTS:
    case DB_LATEST:
    case DB_TIMING:
    case DB_SNAPSHOT:
    case DB_SAVED: return VALUES;
    case DB_THREAD:
    case DB_CLOCK:
    case DB_DRAINED:
    case DB_MARK:
    case DB_TALLY:
    case DB_DERIVED:
    case DB_PASSED:
    case DB_INTERVAL: return THREADS;
    case DB_INFO: return INFO;
    case DB_COUNT: break;
    }
    return OTHER;
}

/* Bytes of the databases of one kind; of all of them for STORAGE_COUNT. */
static uint64_t pages_of(hs_trace *t, enum storage kind)
{
    uint64_t sum = 0;
    struct error ignored;
    if (env_begin(&t->env, &ignored) != OK)
        return 0;
    for (unsigned db = 0; db < DB_COUNT; db++) {
        MDB_stat stat;
        bool wanted = kind == STORAGE_COUNT || storage_of((enum schema_db)db) == kind;
        if (!wanted || !t->env.has[db] || mdb_stat(t->env.txn, t->env.dbi[db], &stat) != MDB_SUCCESS)
            continue;
        sum += (uint64_t)stat.ms_psize * (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages);
    }
    env_end(&t->env);
    return sum;
}

static uint64_t index_bytes(const hs_trace *t)
{
    enum { BLOCK = 512 };
    char path[4096 + 16];
    struct stat st;
    if (t->bundled)
        return t->bundle.bytes[BUNDLE_INDEX];
    int n = snprintf(path, sizeof path, "%s/%s", t->dir, TRACE_INDEX_FILE);
    if (n < 0 || (size_t)n >= sizeof path || lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    return (uint64_t)st.st_blocks * BLOCK;
}

bool hs_storage(hs_trace *t, size_t i, const char **kind, uint64_t *bytes)
{
    if (i >= STORAGE_COUNT)
        return false;
    *kind = names[i];
    if (i == INDEX) {
        *bytes = index_bytes(t);
    } else if (i == OTHER) {
        uint64_t all = hs_disk_bytes(t), known = pages_of(t, STORAGE_COUNT);
        *bytes = all > known ? all - known : 0;
    } else {
        *bytes = pages_of(t, (enum storage)i);
    }
    return true;
}
