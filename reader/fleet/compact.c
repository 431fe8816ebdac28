/* compact.c - see compact.h. */
#include "reader/fleet/compact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "formats/files.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/dirs.h"
#include "reader/tables/sql_tables.h"

enum { PART_RUNS = 10000 };

struct part {
    struct run_id name;
    size_t runs;
};
struct compacting {
    sqlite3 *db;
    struct merged merged;
    VEC(struct part) kept;
    struct error *err;
};

static enum status failed(const struct compacting *c)
{
    return error_set(c->err, ERR_STORE, "compact: %s", sql_error(c->db));
}

/* ---- what is there ---- */

/* Runs of the part are taken from temp.fleet_todo, if that has all of them. */
static enum status keep_part(struct compacting *c, const struct run_id *name, const part_runs *runs)
{
    sqlite3_stmt *take = NULL;
    char stamp[STAMP_CHARS];
    bool all = true;
    int code = sqlite3_prepare_v2(c->db, "DELETE FROM temp.fleet_todo WHERE run = ?1 AND stamp = ?2", -1, &take, NULL);
    for (size_t i = 0; code == SQLITE_OK && all && i < runs->count; i++) {
        stamp_of(&runs->items[i], stamp);
        (void)sqlite3_bind_text(take, 1, runs->items[i].id.text, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(take, 2, stamp, -1, SQLITE_STATIC);
        code = sqlite3_step(take) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
        all = sqlite3_changes(c->db) == 1;
        (void)sqlite3_reset(take);
    }
    (void)sqlite3_finalize(take);
    if (code != SQLITE_OK)
        return failed(c);
    struct part *part = all ? vec_push(&c->kept) : NULL;
    if (part != NULL)
        *part = (struct part){ .name = *name, .runs = runs->count };
    return all && part == NULL ? error_memory(c->err, "compact")
                               : catalogue_sql(c->db, c->err, all ? "RELEASE part" : "ROLLBACK TO part; RELEASE part");
}

/* A part that cannot be read is written again. */
static enum status keep_parts(struct compacting *c)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < c->merged.parts.count; i++) {
        part_runs runs = { 0 };
        struct error why;
        const struct run_id *name = &c->merged.parts.items[i];
        if (merged_runs(&c->merged, name, &runs, &why) == OK && runs.count > 0) {
            st = catalogue_sql(c->db, c->err, "SAVEPOINT part");
            st = st == OK ? keep_part(c, name, &runs) : st;
        }
        vec_free(&runs);
    }
    return st;
}

/* Parts that are not large enough to stay beside what is written now are written with it. */
static enum status take_small(struct compacting *c, uint64_t *todo)
{
    enum status st = catalogue_count(c->db, c->err, todo, "SELECT count(*) FROM temp.fleet_todo");
    for (size_t i = 0; st == OK && *todo > 0 && i < c->kept.count;) {
        part_runs runs = { 0 };
        const struct part part = c->kept.items[i];
        if (part.runs >= PART_RUNS || part.runs > 2 * *todo) {
            i++;
            continue;
        }
        st = merged_runs(&c->merged, &part.name, &runs, c->err);
        for (size_t k = 0; st == OK && k < runs.count; k++) {
            st = catalogue_sql(c->db, c->err,
                               "INSERT OR IGNORE INTO temp.fleet_todo SELECT k.run, k.stamp, r.pushed"
                               " FROM main.fleet_known AS k JOIN main.rows_runs AS r USING (run) WHERE k.run = %Q",
                               runs.items[k].id.text);
        }
        vec_free(&runs);
        c->kept.items[i] = c->kept.items[--c->kept.count];
        *todo += part.runs;
        i = 0;
    }
    return st;
}

/* ---- a new part ---- */

/* Writes the file `known`, and names the part by it. */
static enum status write_known(const struct compacting *c, int dir, struct run_id *name)
{
    sqlite3_stmt *query = NULL;
    XXH3_state_t *hash = XXH3_createState();
    int fd = file_make(dir, MERGED_KNOWN, O_WRONLY | O_CREAT | O_EXCL);
    bool done = fd >= 0 && hash != NULL && XXH3_128bits_reset(hash) == XXH_OK;
    int code = sqlite3_prepare_v2(c->db,
                                  "SELECT run || ' ' || stamp || char(10) FROM temp.fleet_part JOIN"
                                  " main.fleet_known USING (run) ORDER BY run",
                                  -1, &query, NULL);
    while (done && (code == SQLITE_OK || code == SQLITE_ROW) && (code = sqlite3_step(query)) == SQLITE_ROW) {
        const char *line = (const char *)sqlite3_column_text(query, 0);
        done = line != NULL && file_write(fd, line, strlen(line));
        if (done)
            (void)XXH3_128bits_update(hash, line, strlen(line));
    }
    const int number = errno;
    if (done && code == SQLITE_DONE)
        run_id_set(name, XXH3_128bits_digest(hash));
    (void)XXH3_freeState(hash);
    (void)sqlite3_finalize(query);
    (void)closed(&fd);
    return !done ? error_set(c->err, ERR_IO, "compact: %s", strerror(number)) : code == SQLITE_DONE ? OK : failed(c);
}

/* The runs that were pushed first, of those that are left. */
static enum status write_part(struct compacting *c, struct push *push)
{
    struct run_id name;
    struct part *part;
    enum status st =
        catalogue_sql(c->db, c->err,
                      "DELETE FROM temp.fleet_part; INSERT INTO temp.fleet_part SELECT run FROM"
                      " temp.fleet_todo ORDER BY pushed, run LIMIT %d; DELETE FROM temp.fleet_todo WHERE run IN"
                      " (SELECT run FROM temp.fleet_part)",
                      PART_RUNS);
    if (st == OK)
        st = write_known(c, push->dir, &name);
    if (st == OK)
        st = catalogue_write_runs(c->db, push->dir, push->path, c->err);
    if (st == OK)
        st = merged_put(&c->merged, push, &name, c->err);
    if (st == OK && (part = vec_push(&c->kept)) == NULL)
        st = error_memory(c->err, "compact");
    if (st == OK)
        *part = (struct part){ .name = name };
    return st;
}

/* An engine wants a file with the columns, also of no run. */
static enum status write_parts(struct compacting *c, uint64_t todo)
{
    enum status st = OK;
    for (uint64_t at = 0; st == OK && (at < todo || c->kept.count == 0); at += PART_RUNS) {
        struct push push = { .dir = -1 };
        progress_line_show("runs", at, todo);
        st = push_begin(&push, &c->merged.place->folder, c->err);
        if (st == OK)
            st = write_part(c, &push);
        push_end(&push);
    }
    progress_line_erase();
    return st;
}

static enum status put_current(struct compacting *c, run_ids *parts)
{
    struct push push = { .dir = -1 };
    enum status st = OK;
    for (size_t i = 0; st == OK && i < c->kept.count; i++) {
        struct run_id *id = vec_push(parts);
        st = id != NULL ? OK : error_memory(c->err, "compact");
        if (id != NULL)
            *id = c->kept.items[i].name;
    }
    run_ids_sort(parts);
    if (st == OK)
        st = push_begin(&push, &c->merged.place->folder, c->err);
    if (st == OK)
        st = merged_put_current(&c->merged, &push, parts, c->err);
    push_end(&push);
    return st;
}

enum status fleet_compact(const struct gathered *g, struct place *p, run_ids *parts, struct error *err)
{
    struct compacting c = { .db = g->db, .err = err };
    uint64_t todo;
    enum status st = merged_open(&c.merged, p, true, err);
    if (st == ERR_NOT_FOUND || st == ERR_FORMAT) /* there are none, or they are written again */
        st = OK;
    if (st == OK)
        st = catalogue_sql(
            c.db, err,
            "CREATE TEMP TABLE fleet_part(run TEXT PRIMARY KEY) WITHOUT ROWID;"
            "CREATE TEMP TABLE fleet_todo(run TEXT PRIMARY KEY, stamp TEXT, pushed INTEGER) WITHOUT ROWID;"
            "INSERT INTO temp.fleet_todo SELECT k.run, k.stamp, r.pushed FROM main.fleet_known AS k JOIN"
            " main.rows_runs AS r USING (run) WHERE k.run NOT IN (SELECT run FROM main.fleet_replaced)");
    if (st == OK)
        st = keep_parts(&c);
    if (st == OK)
        st = take_small(&c, &todo);
    if (st == OK)
        st = write_parts(&c, todo);
    if (st == OK)
        st = put_current(&c, parts);
    merged_close(&c.merged);
    vec_free(&c.kept);
    return st;
}
