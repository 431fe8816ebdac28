/* compact.c - see compact.h. */
#include "reader/fleet/compact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "formats/files.h"
#include "reader/fleet/catalogue.h"
#include "reader/tables/sql_tables.h"

/* The hash of the names and stamps of the runs that the views have. */
static enum status name_set(sqlite3 *db, struct run_id *set, struct error *err)
{
    sqlite3_stmt *query = NULL;
    XXH3_state_t *hash = XXH3_createState();
    int code = sqlite3_prepare_v2(db,
                                  "SELECT run || ' ' || stamp || ';' FROM main.fleet_known WHERE run NOT IN"
                                  " (SELECT run FROM main.fleet_replaced) ORDER BY run",
                                  -1, &query, NULL);
    if (hash == NULL || XXH3_128bits_reset(hash) != XXH_OK)
        code = SQLITE_NOMEM;
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(query);
        const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(query, 0) : NULL;
        if (text != NULL)
            (void)XXH3_128bits_update(hash, text, strlen(text));
    }
    if (code == SQLITE_DONE)
        run_id_set(set, XXH3_128bits_digest(hash));
    (void)XXH3_freeState(hash);
    (void)sqlite3_finalize(query);
    return code == SQLITE_DONE ? OK : error_set(err, ERR_STORE, "compact: %s", sql_error(db));
}

enum status fleet_compact(const struct gathered *g, struct place *p, struct run_id *set, struct error *err)
{
    struct push push = { .dir = -1 };
    char name[64];
    enum status st = name_set(g->db, set, err);
    if (st == OK)
        st = push_begin(&push, &p->folder, err);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        (void)snprintf(name, sizeof name, "%s.parquet", catalogue_tables[i].name);
        int fd = file_make(push.dir, name, O_WRONLY | O_CREAT | O_EXCL);
        st = fd >= 0 ? catalogue_parquet(g->db, &catalogue_tables[i], fd, err)
                     : error_set(err, ERR_IO, "%s cannot be made", name);
        if (fd >= 0)
            (void)close(fd);
    }
    int fd = st == OK ? file_make(push.dir, TABLES_CURRENT, O_WRONLY | O_CREAT | O_EXCL) : -1;
    if (st == OK && (fd < 0 || !file_write(fd, set->text, RUN_ID_CHARS) || !file_write(fd, "\n", 1)))
        st = error_set(err, ERR_IO, TABLES_CURRENT ": %s", strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    if (st == OK)
        st = p->in_bucket ? bucket_put_tables(&p->s3, set, push.dir, err) : push_tables(&push, set->text, err);
    push_end(&push);
    return st;
}
