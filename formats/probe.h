/* probe.h - checks that an LMDB file is intact, before LMDB follows any of its page numbers.
 *
 * LMDB trusts its file: a page number behind the end is a SIGBUS, a bad offset an invalid read, an unexpected page type
 * an abort, and a flipped bit in a key or a branch hides rows silently. So all trees are walked before a trace is
 * opened: every page number, offset and length lies inside the file, no page is reached twice, nodes fill their page,
 * keys ascend within the range that the branches above give, and rows and weights of each table add up to what its last
 * commit wrote (rowcheck.h). Only branch and leaf pages are read; long values lie in overflow pages, whose bytes the
 * checks of their rows cover. One table may be damaged and the others sound.
 *
 * A reader needs no more. For writing, overflow pages and the list of free pages are checked as well, because LMDB uses
 * them. */
#ifndef FORMATS_PROBE_H
#define FORMATS_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/rowcheck.h"
#include "formats/schema.h"
#include "formats/status.h"

enum probe_state {
    PROBE_SOUND,
    PROBE_INCOMPLETE, /* can be read; rows are missing or are not those that were written */
    PROBE_BROKEN,     /* must not be read */
};
struct probe_table {
    enum probe_state state;
    char why[160]; /* unless it is sound */
};
struct probe {
    struct probe_table tables[DB_COUNT];
    struct probe_table sums; /* the database `sum` and what it says of the whole file */
    bool has_sums;           /* false: a trace of version 1 */
};

/* The number of the last transaction of the file, from its two first pages. They must be right in everything that LMDB
 * takes from them when it opens the file. `path` must be a regular file, not a link. */
enum status probe_metas(const char *path, uint64_t *txn, struct error *err);

/* Checks the snapshot of that transaction. An error: the file must not be opened at all. */
enum status probe_file(const char *path, uint64_t txn, bool to_write, struct probe *out, struct error *err);

/* The first table that is not sound, and its name; NULL if all are. */
const struct probe_table *probe_fault(const struct probe *p, const char **table);

#endif
