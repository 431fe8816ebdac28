/* schema.h - the databases of a trace and their keys.
 *
 * A trace is a directory: an LMDB environment (`data.mdb`, `lock.mdb`), and, while it is being recorded or after a
 * crash, `journal` (journal.h) and `pending` (rows not yet in LMDB: pending.h). Every database holds what SCHEMA's row
 * says. Keys of 32 and 64 bits are native integers (MDB_INTEGERKEY). Values are encoded as rows.h, chunk.h and
 * objects.h say. */
#ifndef FORMATS_SCHEMA_H
#define FORMATS_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#define SCHEMA_VERSION "4" /* `version` of the table info */

/*        name        key       value */
#define SCHEMA(X)                                                                                                      \
    X(INFO, info, TEXT)          /* text: see info_keys.def; values are text */                                        \
    X(CLASS, class, U32)         /* class number -> class_row with its method rows; packed */                          \
    X(CLASSFILE, classfile, U32) /* class number -> original class file; packed */                                     \
    X(DATAID, dataid, U32)       /* class number -> its data ID rows; packed */                                        \
    X(KIND, kind, U32)           /* first data ID of a class -> one kind letter per data ID */                         \
    X(THREAD, thread, U32)       /* thread number -> thread_row */                                                     \
    X(TYPE, type, U32)           /* id of a class object -> type_row */                                                \
    X(OBJECT, object, U64)       /* id >> 10 << 32 | fragment number -> objects.h: types and strings */                \
    X(CHUNK, chunk, U64)         /* chunk number -> encoded events, chunk.h */                                         \
    X(CHUNKDIR, chunkdir, U64)   /* chunk number -> chunk_info */                                                      \
    X(CLOCK, clock, U64)         /* stamp -> ns since the start, both as clock_row */                                  \
    X(DRAINED, drained, U32)     /* journal descriptor -> how far its buffers are stored */                            \
    X(MARK, mark, U32)           /* number, in order of beginning -> mark_row */                                       \
    X(ROLE, role, U32)           /* first data ID of a class -> roles of its data IDs, roles.h */                      \
    X(COUNTS, counts, U32)       /* formats without a stream (dataid_stats.h): events by data ID, in blocks */         \
    X(LATEST, latest, U32)       /* data ID -> its last events */                                                      \
    X(TIMING, timing, U32)       /* data ID of a METHOD_ENTRY -> calls and times of the method */                      \
    X(TALLY, tally, U32)         /* thread number -> its events */                                                     \
    X(INTERVAL, interval, U32)   /* recorded in parts (windows.h): number of the first of a block -> intervals */      \
    X(SNAPSHOT, snapshot, U32)   /* number, from 1 -> why and when the state was kept */                               \
    X(SAVED, saved, U64)         /* snapshot, database, key -> the row as it was then */                               \
    X(HIERARCHY, hierarchy, U32) /* number, from 1 -> hierarchy_row of a class that is not woven */                    \
    X(DERIVED, derived, U32)     /* thread number -> state behind its last derived chunk (deriver.h) */                \
    X(FOLLOWER, follower, U64)   /* chunk number -> data IDs that came first after another in it (followers.h) */      \
    X(CHUNKPACK, chunkpack, U64) /* chunk number -> a derived chunk, as in CHUNK; they are short, so packed */         \
    X(STATE, state, U64)   /* number of a derived chunk behind what was dropped -> state of its thread, drop.h */      \
    X(PASSED, passed, U32) /* of tests whose events were dropped: reader/query/passed.h */

enum schema_db {
#define X(id, name, key) DB_##id,
    SCHEMA(X)
#undef X
        DB_COUNT
};
/* The first key of PASSED of what threads were in the middle of. */
#define PASSED_LEFT (UINT64_C(1) << 31)
enum schema_key { KEY_TEXT, KEY_U32, KEY_U64 };

/* Databases whose rows are packed (pack.h); store and reader pack and unpack them transparently. */
static inline bool schema_packed(enum schema_db db)
{
    return db == DB_CLASS || db == DB_CLASSFILE || db == DB_DATAID || db == DB_KIND || db == DB_ROLE ||
           db == DB_CHUNKPACK;
}

/* Name and key type of a database. */
const char *schema_name(enum schema_db db);
enum schema_key schema_key_type(enum schema_db db);

#define TRACE_DATA_FILE      "data.mdb"
#define TRACE_LOCK_FILE      "lock.mdb"
#define TRACE_LOCK_BYTES     8192 /* as LMDB makes it for 126 readers */
#define TRACE_JOURNAL_FILE   "journal"
#define TRACE_PENDING_FILE   "pending"
#define TRACE_CONTROL_SOCKET "control"
#define TRACE_STATE_FILE     "state"
#define TRACE_INTERVALS_FILE "intervals"
#define TRACE_WOVEN_DIR      "woven"
#define TRACE_RUN_FILE       "run"
#define TRACE_RESERVE_FILE   "reserve"
#define TRACE_INDEX_FILE     "index"

/* TRACE_RUN_FILE begins with this: "hindsigh" of the line "hindsight run". */
#define TRACE_RUN_MAGIC UINT64_C(0x68676973646e6968)
/* The environment variable that names the run for all JVMs below it (logging/recording/run.h): letters, digits, '.',
 * '-' and '_'. */
#define RUN_VARIABLE "HINDSIGHT_RUN"

/* With stdout=true the recorder adds this class, whose methods are called for each write to standard output and error;
 * it is woven, but no class of the program. */
#define THROW_CLASS  "java.lang.HindsightThrow"
#define OUTPUT_CLASS "java.lang.HindsightOutput"

/* A page of object ids: assigned to one thread at a time, stored together. */
enum { OBJECT_PAGE_BITS = 10, OBJECT_PAGE_IDS = 1 << OBJECT_PAGE_BITS };

#endif
