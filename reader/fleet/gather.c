/* gather.c - see gather.h. */
#include "reader/fleet/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "formats/files.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/dirs.h"
#include "reader/fleet/merged.h"
#include "reader/fleet/statistics.h"
#include "reader/tables/sql_tables.h"

enum { BUSY_MS = 5000, PART_WORTH = 20, READ_AT_ONCE = 64 }; /* a part is not opened for fewer runs */

struct gathering {
    struct gathered *g;
    struct context *context;
    struct place *place;
    stored_runs runs; /* in the order of their names */
    bool *wanted;     /* which of them are to be read; NULL: few */
};

/* ---- the cache ---- */

/* False: there can be none. */
static bool cache_path(const struct place *p, char out[PATH_MAX])
{
    char dir[PATH_MAX];
    const char *home = getenv("XDG_CACHE_HOME"), *below = "";
    if (home == NULL || home[0] != '/') {
        home = getenv("HOME");
        below = "/.cache";
    }
    int n = home != NULL && home[0] == '/' ? snprintf(dir, sizeof dir, "%s%s", home, below) : -1;
    if (n < 0 || (size_t)n + 64 >= sizeof dir || (!dir_make(AT_FDCWD, dir) && errno != EEXIST))
        return false;
    (void)snprintf(dir + n, sizeof dir - (size_t)n, "/hindsight");
    if (!dir_make(AT_FDCWD, dir) && errno != EEXIST)
        return false;
    (void)snprintf(out, PATH_MAX, "%.*s/fleet-%016llx-%zu.db", PATH_MAX - 64, dir,
                   (unsigned long long)place_identity(p), catalogue_columns());
    int fd = file_make(AT_FDCWD, out, O_RDWR | O_CREAT);
    (void)closed(&fd);
    return fd >= 0;
}

/* rows_NAME of each table; fleet_known: the runs whose rows are there; fleet_replaced. */
static enum status make_tables(sqlite3 *db, struct error *err)
{
    enum status st =
        catalogue_sql(db, err,
                      "CREATE TABLE IF NOT EXISTS main.fleet_known(run TEXT PRIMARY KEY, stamp TEXT, owner INTEGER)"
                      " WITHOUT ROWID;"
                      "CREATE TABLE IF NOT EXISTS main.fleet_replaced(run TEXT PRIMARY KEY) WITHOUT ROWID");
    return st == OK ? catalogue_create(db, "rows_", err) : st;
}

static enum status open_database(struct gathered *g, const char *path, struct error *err)
{
    if (sqlite3_open(path, &g->db) != SQLITE_OK)
        return error_set(err, ERR_STORE, "the tables of the fleet: %s", g->db != NULL ? sql_error(g->db) : "memory");
    if (statistics_create(g->db, err) != OK)
        return ERR_MEMORY;
    (void)sqlite3_busy_timeout(g->db, BUSY_MS);
    (void)sqlite3_exec(g->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY", NULL,
                       NULL, NULL);
    return OK;
}

/* ---- which runs are new ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct stored_run *)a)->id.text, ((const struct stored_run *)b)->id.text);
}

void stamp_of(const struct stored_run *run, char out[STAMP_CHARS])
{
    (void)snprintf(out, STAMP_CHARS, "%llu %llu", (unsigned long long)run->catalogue_bytes,
                   (unsigned long long)run->catalogue_ns);
}

/* Compares what is known with what is listed, both in the order of names: known runs that are gone or have changed, and
 * the indexes of those to be read. */
static enum status compare(const struct gathering *x, run_ids *gone, u64_vec *wanted, struct error *err)
{
    sqlite3_stmt *known = NULL;
    char stamp[STAMP_CHARS];
    size_t at = 0;
    bool room = true;
    int code = sqlite3_prepare_v2(x->g->db, "SELECT run, stamp FROM main.fleet_known ORDER BY run", -1, &known, NULL);
    bool more = code == SQLITE_OK && (code = sqlite3_step(known)) == SQLITE_ROW;
    while (room && (more || at < x->runs.count)) {
        const char *run = more ? (const char *)sqlite3_column_text(known, 0) : NULL;
        const char *has = more ? (const char *)sqlite3_column_text(known, 1) : NULL;
        const int order = at >= x->runs.count ? -1 : run == NULL ? 1 : strcmp(run, x->runs.items[at].id.text);
        bool same = order == 0;
        if (same) {
            stamp_of(&x->runs.items[at], stamp);
            same = has != NULL && strcmp(has, stamp) == 0;
        }
        if (order <= 0 && !same) {
            struct run_id *id = vec_push(gone);
            room = id != NULL;
            if (id != NULL)
                (void)snprintf(id->text, sizeof id->text, "%s", run != NULL ? run : "");
        }
        if (order >= 0 && !same) {
            uint64_t *index = vec_push(wanted);
            room = room && index != NULL;
            if (index != NULL)
                *index = at;
        }
        at += order >= 0;
        if (order <= 0)
            more = (code = sqlite3_step(known)) == SQLITE_ROW;
    }
    (void)sqlite3_finalize(known);
    if (!room)
        return error_memory(err, "the tables of the fleet");
    return code == SQLITE_DONE ? OK : error_set(err, ERR_STORE, "the tables of the fleet: %s", sql_error(x->g->db));
}

/* ---- reading them ---- */

static enum status forget(sqlite3 *db, const struct run_id *id, struct error *err)
{
    enum status st = catalogue_sql(db, err, "DELETE FROM main.fleet_known WHERE run = %Q", id->text);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = catalogue_sql(db, err, "DELETE FROM main.rows_%s WHERE run = %Q", catalogue_tables[i].name, id->text);
    return st;
}

static enum status remember(sqlite3 *db, const struct stored_run *run, struct error *err)
{
    char stamp[STAMP_CHARS];
    stamp_of(run, stamp);
    return catalogue_sql(db, err, "INSERT INTO main.fleet_known VALUES(%Q, %Q, %llu)", run->id.text, stamp,
                         (unsigned long long)run->owner);
}

/* The rows of one run, all or none. What is wrong with it alone is an oddity; a failure of the whole is an error. */
static enum status read_run(struct gathering *x, const struct fetched *fetched, struct error *err)
{
    const struct stored_run *run = fetched->run;
    const struct fleet *f = &x->place->folder;
    sqlite3 *db = x->g->db;
    struct error why = fetched->err;
    char *bytes = NULL;
    size_t n = 0;
    enum status st = fetched->status;
    if (st == OK)
        st = fleet_read(f, &run->id, CATALOGUE_FILE, &bytes, &n, &why);
    if (st == OK && (st = catalogue_sql(db, err, "SAVEPOINT run")) != OK)
        return st;
    if (st == OK && (st = catalogue_read(db, bytes, n, &run->id, &why)) != OK &&
        catalogue_sql(db, err, "ROLLBACK TO run") != OK)
        return ERR_STORE;
    free(bytes);
    if (n > 0 && catalogue_sql(db, err, "RELEASE run") != OK)
        return ERR_STORE;
    if (x->place->in_bucket)
        (void)fleet_remove(f, &run->id, err);
    if (st == OK)
        return remember(db, run, err);
    if (st == ERR_MEMORY || st == ERR_CANCELLED || (x->place->in_bucket && st == ERR_IO))
        return error_set(err, st, "%s", why.text);
    if (st == ERR_NOT_FOUND && (x->place->in_bucket || !fleet_has(f, &run->id))) /* it was removed meanwhile */
        return OK;
    return odd_add(&x->g->odd, run->id.text, why.text) ? OK : error_memory(err, "the tables of the fleet");
}

/* ---- many at once ---- */

static const struct stored_run *listed(const struct gathering *x, const struct stored_run *run)
{
    const struct stored_run *r = bsearch(run, x->runs.items, x->runs.count, sizeof *x->runs.items, by_name);
    return r != NULL && r->catalogue_bytes == run->catalogue_bytes && r->catalogue_ns == run->catalogue_ns ? r : NULL;
}

/* Those of the part that are wanted and not read yet, in the order of their names. */
static enum status wanted_of(const struct gathering *x, const part_runs *runs, run_ids *out, struct error *err)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct stored_run *run = listed(x, &runs->items[i]);
        struct run_id *id = run != NULL && x->wanted[run - x->runs.items] ? vec_push(out) : NULL;
        if (id != NULL)
            *id = run->id;
        else if (run != NULL && x->wanted[run - x->runs.items])
            return error_memory(err, "the tables of the fleet");
    }
    run_ids_sort(out);
    return OK;
}

/* The rows of the runs of one part, all or none. */
static enum status read_part(struct gathering *x, struct merged *m, const struct run_id *part, struct error *err)
{
    struct error why = { 0 };
    part_runs runs = { 0 };
    run_ids wanted = { 0 };
    int fd = -1;
    enum status st = merged_runs(m, part, &runs, &why), read = ERR_NOT_FOUND;
    if (st == OK)
        st = wanted_of(x, &runs, &wanted, err);
    else if (st != ERR_MEMORY && st != ERR_CANCELLED)
        st = OK;
    if (st == OK && wanted.count >= PART_WORTH && merged_rows(m, part, &fd, &why) == OK) {
        st = catalogue_sql(x->g->db, err, "SAVEPOINT part");
        read = st == OK ? catalogue_read_runs(x->g->db, fd, &wanted, &why) : st;
        if (st == OK && read != OK)
            st = catalogue_sql(x->g->db, err, "ROLLBACK TO part");
        if (st == OK)
            st = catalogue_sql(x->g->db, err, "RELEASE part");
    }
    for (size_t i = 0; st == OK && read == OK && i < wanted.count; i++) {
        struct stored_run key = { .id = wanted.items[i] };
        const struct stored_run *run = bsearch(&key, x->runs.items, x->runs.count, sizeof key, by_name);
        x->wanted[run - x->runs.items] = false;
        st = remember(x->g->db, run, err);
    }
    (void)closed(&fd);
    vec_free(&runs);
    vec_free(&wanted);
    return st;
}

/* From the merged tables, as far as they have them; what is wrong with those is no failure, as they can be made again:
 * the catalogues of the runs are read then. */
static enum status read_parts(struct gathering *x, struct error *err)
{
    struct merged m;
    struct error none;
    enum status st = merged_open(&m, x->place, false, &none) == OK ? OK : ERR_NOT_FOUND;
    for (size_t i = 0; st == OK && i < m.parts.count; i++) {
        progress_line_show("merged tables", i, m.parts.count);
        st = interrupt_seen() ? error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED))
                              : read_part(x, &m, &m.parts.items[i], err);
    }
    merged_close(&m);
    return st == ERR_NOT_FOUND ? OK : st;
}

/* The catalogues of some, which are fetched at once from a bucket. */
static enum status read_some(struct gathering *x, const uint64_t *wanted, size_t n, struct error *err)
{
    struct fetched fetched[READ_AT_ONCE] = { 0 };
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (x->wanted == NULL || x->wanted[wanted[i]])
            fetched[used++].run = &x->runs.items[wanted[i]];
    enum status st = place_get(x->place, fetched, used, err);
    for (size_t i = 0; st == OK && i < used; i++)
        st = interrupt_seen() ? error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED))
                              : read_run(x, &fetched[i], err);
    return st;
}

static enum status read_new(struct gathering *x, const run_ids *gone, const u64_vec *wanted, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < gone->count; i++)
        st = forget(x->g->db, &gone->items[i], err);
    if (wanted->count >= PART_WORTH && st == OK) {
        if ((x->wanted = calloc(x->runs.count, sizeof *x->wanted)) == NULL)
            return error_memory(err, "the tables of the fleet");
        for (size_t i = 0; i < wanted->count; i++)
            x->wanted[wanted->items[i]] = true;
        st = read_parts(x, err);
    }
    for (size_t i = 0; st == OK && i < wanted->count; i += READ_AT_ONCE) {
        progress_line_show("catalogues", i, wanted->count);
        st = read_some(x, &wanted->items[i], wanted->count - i < READ_AT_ONCE ? wanted->count - i : READ_AT_ONCE, err);
    }
    free(x->wanted);
    x->wanted = NULL;
    progress_line_erase();
    return st != OK
               ? st
               : catalogue_sql(x->g->db, err,
                               "DELETE FROM main.fleet_replaced; INSERT INTO main.fleet_replaced SELECT run FROM"
                               " (SELECT r.run, row_number() OVER (PARTITION BY coalesce(r.recording, r.run), k.owner"
                               "  ORDER BY CASE WHEN r.\"end\" IS NULL THEN 1 ELSE 0 END, r.events DESC, r.pushed DESC,"
                               "  r.run) AS n FROM main.rows_runs AS r JOIN main.fleet_known AS k ON k.run = r.run)"
                               " WHERE n > 1");
}

/* The tables have the runs that are listed, in a transaction that goes on: of reading, if nothing is new. */
static enum status synchronize(struct gathering *x, struct error *err)
{
    run_ids gone = { 0 };
    u64_vec wanted = { 0 };
    enum status st = catalogue_sql(x->g->db, err, "BEGIN");
    if (st == OK)
        st = compare(x, &gone, &wanted, err);
    if (st == OK && gone.count + wanted.count > 0) { /* others may have read them meanwhile */
        gone.count = wanted.count = 0;
        st = catalogue_sql(x->g->db, err, "COMMIT; BEGIN IMMEDIATE");
        if (st == OK)
            st = compare(x, &gone, &wanted, err);
        if (st == OK)
            st = read_new(x, &gone, &wanted, err);
        if (st == OK)
            st = catalogue_sql(x->g->db, err, "COMMIT; BEGIN");
    }
    vec_free(&gone);
    vec_free(&wanted);
    return st;
}

static enum status make_views(sqlite3 *db, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = catalogue_sql(db, err,
                           "CREATE TEMP VIEW %s AS SELECT * FROM main.rows_%s WHERE run NOT IN"
                           " (SELECT run FROM main.fleet_replaced)",
                           catalogue_tables[i].name, catalogue_tables[i].name);
    return st;
}

static enum status fill(struct gathering *x, const char *path, struct error *err)
{
    struct gathered *g = x->g;
    x->g->odd.count = 0;
    enum status st = open_database(g, path, err);
    if (st == OK)
        st = make_tables(g->db, err);
    if (st == OK)
        st = place_list(x->place, &x->runs, &x->g->odd, err);
    if (st == OK && x->runs.count > 0)
        qsort(x->runs.items, x->runs.count, sizeof *x->runs.items, by_name);
    if (st == OK)
        st = synchronize(x, err);
    return st == OK ? make_views(g->db, err) : st;
}

static void show_odd(struct gathering *x)
{
    for (size_t i = 0; i < x->g->odd.count && i < ODD_SHOWN; i++)
        (void)cli_fail(EXIT_INCOMPLETE, x->context, "%s", x->g->odd.items[i].text);
    if (x->g->odd.count > ODD_SHOWN)
        (void)cli_fail(EXIT_INCOMPLETE, x->context, "and %zu%s more", x->g->odd.count - ODD_SHOWN,
                       x->g->odd.count < ODD_MAX ? "" : " or");
}

enum status gather_open(struct gathered *g, struct context *context, struct place *p, struct error *err)
{
    struct gathering x = { .g = g, .context = context, .place = p };
    char path[PATH_MAX];
    *g = (struct gathered){ 0 };
    const bool cached = cache_path(p, path);
    enum status st = cached ? fill(&x, path, err) : ERR_STORE;
    if (st == ERR_STORE) { /* there is no cache, it is damaged, or others hold it */
        if (cached && (sqlite3_errcode(g->db) == SQLITE_CORRUPT || sqlite3_errcode(g->db) == SQLITE_NOTADB))
            (void)unlink(path);
        gather_close(g);
        x.runs.count = 0;
        *err = (struct error){ 0 };
        st = fill(&x, "", err);
    }
    if (st == OK)
        show_odd(&x);
    vec_free(&x.runs);
    return st;
}

void gather_close(struct gathered *g)
{
    (void)sqlite3_close(g->db);
    g->db = NULL;
    vec_free(&g->odd);
    g->odd = (oddities){ 0 };
}

enum status gather_replaced(const struct gathered *g, run_ids *out, struct error *err)
{
    sqlite3_stmt *query = NULL;
    int code = sqlite3_prepare_v2(g->db, "SELECT run FROM main.fleet_replaced", -1, &query, NULL);
    enum status st = code == SQLITE_OK ? OK : error_set(err, ERR_STORE, "%s", sql_error(g->db));
    while (st == OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        const char *run = code == SQLITE_ROW ? (const char *)sqlite3_column_text(query, 0) : NULL;
        struct run_id *id = run != NULL ? vec_push(out) : NULL;
        if (id != NULL)
            (void)snprintf(id->text, sizeof id->text, "%s", run);
        else
            st = error_memory(err, "the tables of the fleet");
    }
    (void)sqlite3_finalize(query);
    return st;
}
