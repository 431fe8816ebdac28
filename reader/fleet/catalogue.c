/* catalogue.c - see catalogue.h. */
#include "reader/fleet/catalogue.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/command/report.h"
#include "reader/tables/sql_tables.h"

enum status catalogue_sql(sqlite3 *db, struct error *err, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *sql = sqlite3_vmprintf(format, values);
    va_end(values);
    enum status st = sql == NULL ? error_memory(err, "the tables of the fleet")
                     : sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK
                         ? OK
                         : error_set(err, ERR_STORE, "the tables of the fleet: %s", sql_error(db));
    sqlite3_free(sql);
    return st;
}

static enum status value(sqlite3 *db, struct error *err, char **out, const char *format, va_list values)
{
    sqlite3_stmt *query = NULL;
    char *sql = sqlite3_vmprintf(format, values);
    const bool done =
        sql != NULL && sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW;
    *out = done && sqlite3_column_type(query, 0) != SQLITE_NULL
               ? sqlite3_mprintf("%s", (const char *)sqlite3_column_text(query, 0))
               : NULL;
    (void)sqlite3_finalize(query);
    sqlite3_free(sql);
    return done ? OK : error_set(err, ERR_STORE, "the tables of the fleet: %s", sql_error(db));
}

enum status catalogue_text(sqlite3 *db, struct error *err, char **out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    enum status st = value(db, err, out, format, values);
    va_end(values);
    return st;
}

enum status catalogue_count(sqlite3 *db, struct error *err, uint64_t *out, const char *format, ...)
{
    char *text;
    va_list values;
    va_start(values, format);
    enum status st = value(db, err, &text, format, values);
    va_end(values);
    if (st == OK && (text == NULL || !cli_u64(text, out)))
        st = error_memory(err, "the tables of the fleet");
    sqlite3_free(text);
    return st;
}

enum status catalogue_create(sqlite3 *db, const char *prefix, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        const char *name = catalogue_tables[i].name;
        char *columns = sql_columns(&catalogue_tables[i], false);
        st = columns == NULL
                 ? error_memory(err, "the tables of the fleet")
                 : catalogue_sql(db, err, "CREATE TABLE IF NOT EXISTS main.%s%s(%s)", prefix, name, columns);
        if (st == OK && prefix[0] != '\0') /* of many runs */
            st = catalogue_sql(db, err, "CREATE INDEX IF NOT EXISTS main.%s%s_run ON %s%s(run)", prefix, name, prefix,
                               name);
        sqlite3_free(columns);
    }
    return st;
}

/* ---- from the trace ---- */

struct insert {
    const struct catalogue_run *run;
    sqlite3 *db;
    sqlite3_stmt *row;
    int column; /* the one that was bound last */
};

static void add_text(struct insert *in, const char *text)
{
    (void)sqlite3_bind_text(in->row, ++in->column, text, -1, SQLITE_STATIC);
}
static void add_int(struct insert *in, uint64_t v, bool known)
{
    ++in->column;
    if (known && v <= INT64_MAX)
        (void)sqlite3_bind_int64(in->row, in->column, (int64_t)v);
    else
        (void)sqlite3_bind_null(in->row, in->column);
}
static void add_number(struct insert *in, const char *digits)
{
    uint64_t v = 0;
    const bool known = digits != NULL && cli_u64(digits, &v);
    add_int(in, v, known);
}
static bool add_row(struct insert *in)
{
    bool done = sqlite3_step(in->row) == SQLITE_DONE;
    in->column = 0;
    (void)sqlite3_reset(in->row);
    return done;
}

static bool fill_runs(struct insert *in, struct hs_error *error)
{
    hs_trace *t = in->run->trace;
    const char *lost = hs_info(t, "lost");
    (void)error;
    add_text(in, in->run->id);
    add_text(in, in->run->name);
    add_int(in, in->run->pushed_ns, true);
    add_number(in, hs_info(t, "started"));
    add_number(in, hs_info(t, "ended"));
    add_text(in, hs_info(t, "end"));
    add_text(in, hs_info(t, "format"));
    add_text(in, hs_info(t, "weave"));
    add_text(in, hs_info(t, "options"));
    add_text(in, hs_info(t, "jvm"));
    add_text(in, hs_info(t, "command"));
    add_number(in, hs_info(t, "pid"));
    add_int(in, hs_event_count(t), true);
    add_number(in, lost != NULL ? lost : "0");
    add_int(in, in->run->bytes, true);
    add_text(in, in->run->recording);
    return add_row(in);
}

static bool fill_calls(struct insert *in, struct hs_error *error)
{
    const struct hs_cost *cost;
    hs_trace *t = in->run->trace;
    hs_cursor *costs = NULL;
    const uint64_t resolution = report_resolution(t);
    int more = hs_costs_open(t, 0, HS_NO_SEQ, &costs, error);
    while (more >= 0 && (more = hs_cost_next(costs, &cost, error)) > 0) {
        const struct hs_method *m = hs_method_get(t, cost->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        add_text(in, in->run->id);
        add_text(in, c != NULL ? c->name : NULL);
        add_text(in, m != NULL ? m->name : NULL);
        add_text(in, m != NULL ? m->desc : NULL);
        add_int(in, cost->calls, true);
        add_int(in, cost->exceptions, true);
        add_int(in, cost->total_ns, cost->left > 0 && report_time_known(cost->total_ns, resolution));
        add_int(in, cost->self_ns, cost->left > 0 && report_time_known(cost->self_ns, resolution));
        if (!add_row(in))
            more = -1;
    }
    hs_cursor_close(costs);
    return more == 0;
}

static bool fill_marks(struct insert *in, struct hs_error *error)
{
    const struct hs_mark *mark;
    hs_cursor *marks = NULL;
    int more = hs_marks_open(in->run->trace, &marks, error);
    while (more >= 0 && (more = hs_mark_next(marks, &mark, error)) > 0) {
        add_text(in, in->run->id);
        add_text(in, mark->name);
        add_int(in, mark->first, true);
        add_int(in, mark->events, true);
        add_int(in, mark->begin_ns, true);
        add_int(in, mark->end_ns, mark->end_ns != HS_NO_TIME);
        if (!add_row(in))
            more = -1;
    }
    hs_cursor_close(marks);
    return more == 0;
}

/* Statements with the run as ?1 and, for `requests`, the header as ?2, over the tables of the trace. */
static bool run_query(struct insert *in, const char *sql, const char *header)
{
    sqlite3_stmt *query = NULL;
    bool done = sqlite3_prepare_v2(in->db, sql, -1, &query, NULL) == SQLITE_OK &&
                sqlite3_bind_text(query, 1, in->run->id, -1, SQLITE_STATIC) == SQLITE_OK &&
                (header == NULL || sqlite3_bind_text(query, 2, header, -1, SQLITE_STATIC) == SQLITE_OK) &&
                sqlite3_step(query) == SQLITE_DONE;
    (void)sqlite3_finalize(query);
    return done;
}

static bool fill_builds(struct insert *in, struct hs_error *error)
{
    (void)error;
    return run_query(in,
                     "INSERT INTO main.builds SELECT ?1, class, loader, hash FROM temp.trace_classes"
                     " WHERE woven AND hash IS NOT NULL",
                     NULL);
}

static bool fill_exceptions(struct insert *in, struct hs_error *error)
{
    (void)error;
    return run_query(in,
                     "INSERT INTO main.exceptions SELECT ?1, type, frames, class, method, line, count(*),"
                     " total(swallowed), total(uncaught), min(thrown) FROM temp.trace_exceptions GROUP BY type, frames",
                     NULL);
}

/* A header is a parameter of a call, or of a woven method; its value the parameter behind it, or else the result. What
 * comes more than a thousand events later is taken for no answer. */
static bool fill_requests(struct insert *in, struct hs_error *error)
{
    (void)error;
    for (size_t i = 0; i < in->run->headers->count; i++)
        if (!run_query(
                in,
                "INSERT INTO main.requests SELECT ?1, ?2, value, count(*), min(seq), thread, class, method FROM ("
                " SELECT e.seq, e.thread, e.class, e.method,"
                "  (SELECT n.value_string FROM temp.trace_events AS n"
                "   WHERE n.seq > e.seq AND n.seq <= e.seq + 1000 AND n.thread = e.thread AND n.class = e.class"
                "   AND n.method = e.method AND n.\"desc\" = e.\"desc\" AND"
                "   (n.pc = e.pc AND n.event IN (e.event, replace(e.event, 'CALL_PARAM', 'CALL_RETURN'))"
                "    OR e.event = 'METHOD_PARAM' AND n.event = 'METHOD_NORMAL_EXIT')"
                "   ORDER BY n.seq LIMIT 1) AS value"
                " FROM temp.trace_events AS e WHERE e.event IN ('CALL_PARAM', 'METHOD_PARAM')"
                " AND lower(e.value_string) = lower(?2)) WHERE value IS NOT NULL GROUP BY value",
                in->run->headers->items[i]))
            return false;
    return true;
}

static bool fill_labels(struct insert *in, struct hs_error *error)
{
    (void)error;
    bool done = true;
    for (size_t i = 0; done && i < in->run->labels->count; i++) {
        const char *label = in->run->labels->items[i];
        const size_t key = strcspn(label, "=");
        add_text(in, in->run->id);
        (void)sqlite3_bind_text(in->row, ++in->column, label, (int)key, SQLITE_STATIC);
        add_text(in, label[key] == '=' ? label + key + 1 : "");
        done = add_row(in);
    }
    return done;
}

static bool (*const fill[CATALOGUE_COUNT])(struct insert *, struct hs_error *) = {
#define TABLE(name, summary) fill_##name,
#include "reader/fleet/catalogue.def"
};

/* Else it is the trace that cannot be read. */
static bool is_of_disk(int code) { return code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_NOMEM; }

static enum status fill_table(const void *from, sqlite3 *db, size_t i, struct error *err)
{
    const struct catalogue_run *run = from;
    struct hs_error error = HS_ERROR_INIT;
    struct insert in = { .run = run, .db = db, .row = catalogue_insertion(db, "", &catalogue_tables[i]) };
    enum status st = OK;
    if (in.row == NULL || !fill[i](&in, &error))
        st = error_set(err, is_of_disk(sqlite3_errcode(db)) ? ERR_STORE : ERR_FORMAT, "the table %s: %s",
                       catalogue_tables[i].name, error.text[0] != '\0' ? error.text : sql_error(db));
    (void)sqlite3_finalize(in.row);
    return st;
}

static enum status write_parquet(sqlite3 *db, const struct table *t, int dir, struct error *err)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s.parquet", t->name);
    int fd = file_make(dir, name, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return error_set(err, ERR_STORE, "%s cannot be made", name);
    enum status st = catalogue_parquet(db, t, fd, err);
    (void)close(fd);
    return st;
}

/* Fills a table of the new database. */
typedef enum status fill_fn(const void *from, sqlite3 *db, size_t table, struct error *err);

static enum status write_files(fill_fn *fill_one, const void *from, sqlite3 *db, int dir, struct error *err)
{
    enum status st = catalogue_sql(db, err, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    if (st == OK)
        st = catalogue_create(db, "", err);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = fill_one(from, db, i, err);
    if (st == OK)
        st = catalogue_sql(db, err, "COMMIT");
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = write_parquet(db, &catalogue_tables[i], dir, err);
    return st;
}

static enum status new_database(const char *path, sqlite3 **db, struct error *err)
{
    char file[PATH_MAX];
    int n = snprintf(file, sizeof file, "%s/%s", path, CATALOGUE_FILE);
    if (n < 0 || (size_t)n >= sizeof file)
        return error_set(err, ERR_LIMIT, "%s: the path is too long", path);
    if (!file_touch(path, CATALOGUE_FILE, O_EXCL, 0)) /* for its mode */
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));
    if (sqlite3_open(file, db) != SQLITE_OK)
        return error_set(err, ERR_STORE, "%s: %s", file, *db != NULL ? sql_error(*db) : "out of memory");
    sql_catch_interrupt(*db);
    return OK;
}

enum status catalogue_write(const struct catalogue_run *run, int dir, const char *path, struct error *err)
{
    struct sql_source source = { .trace = run->trace };
    sqlite3 *db = NULL;
    enum status st = new_database(path, &db, err);
    if (st == OK && sql_tables_create(db, "temp", "trace_", &source) != SQLITE_OK)
        st = error_set(err, ERR_STORE, "%s: %s", path, sql_error(db));
    if (st == OK)
        st = write_files(fill_table, run, db, dir, err);
    (void)sqlite3_close(db);
    return st;
}

/* ---- many runs ---- */

static enum status copy_table(const void *from, sqlite3 *db, size_t i, struct error *err)
{
    const struct table *t = &catalogue_tables[i];
    sqlite3 *gathered = (sqlite3 *)(uintptr_t)from;
    sqlite3_stmt *rows = NULL, *row = catalogue_insertion(db, "", t);
    char *sql = sqlite3_mprintf("SELECT * FROM main.rows_%s WHERE run IN (SELECT run FROM temp.fleet_part)", t->name);
    int code = SQLITE_ROW;
    const char *wrong = NULL;
    if (sql == NULL || row == NULL || sqlite3_prepare_v2(gathered, sql, -1, &rows, NULL) != SQLITE_OK)
        wrong = sql_error(row == NULL ? db : gathered);
    while (wrong == NULL && (code = sqlite3_step(rows)) == SQLITE_ROW)
        wrong = catalogue_copy_row(t, rows, row);
    if (wrong == NULL && code != SQLITE_DONE)
        wrong = sql_error(gathered);
    enum status st = wrong == NULL ? OK : error_set(err, ERR_STORE, "the table %s: %s", t->name, wrong);
    (void)sqlite3_finalize(rows);
    (void)sqlite3_finalize(row);
    sqlite3_free(sql);
    return st;
}

enum status catalogue_write_runs(sqlite3 *gathered, int dir, const char *path, struct error *err)
{
    sqlite3 *db = NULL;
    enum status st = new_database(path, &db, err);
    if (st == OK)
        st = write_files(copy_table, gathered, db, dir, err);
    (void)sqlite3_close(db);
    return st;
}
