/* catalogue.c - see catalogue.h. */
#include "reader/fleet/catalogue.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/export/parquet_file.h"
#include "reader/tables/sql_tables.h"

/* ---- the tables ---- */

/* Rows of a table are those of a statement, which rows_open leaves to be set. */
struct statement_state {
    sqlite3_stmt *statement;
};

static bool statement_next(struct rows *r)
{
    sqlite3_stmt *s = ((struct statement_state *)r->state)->statement;
    int code = SQLITE_ROW;
    while (rows_room(r) && (code = sqlite3_step(s)) == SQLITE_ROW) {
        for (unsigned i = 0; i < r->from.table->column_count; i++) {
            if (sqlite3_column_type(s, (int)i) == SQLITE_NULL)
                continue;
            const bool number = r->from.table->columns[i].type == COLUMN_INT;
            const char *text = number ? NULL : (const char *)sqlite3_column_text(s, (int)i);
            if (number)
                put_int(r, i, sqlite3_column_int64(s, (int)i));
            else if (text != NULL)
                put_text(r, i, text, (size_t)sqlite3_column_bytes(s, (int)i));
            else
                return rows_fail(r, "%s: out of memory", CATALOGUE_FILE);
        }
        rows_end(r);
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return rows_fail(r, "%s: %s", CATALOGUE_FILE, sql_error(sqlite3_db_handle(s)));
    return code == SQLITE_ROW;
}
static const struct table_source statement_source = { .state_bytes = sizeof(struct statement_state),
                                                      .next = statement_next };

#define TABLE(name, summary)               static const struct column columns_##name[] = {
#define COLUMN(table, name, type, meaning) { #name, COLUMN_##type, meaning },
#define END(table)                                                                                                     \
    }                                                                                                                  \
    ;
/* clang-format off */
#include "reader/fleet/catalogue.def"
/* clang-format on */
#undef TABLE
#undef COLUMN
#undef END

const struct table catalogue_tables[CATALOGUE_COUNT] = {
#define TABLE(name, summary)                                                                                           \
    { #name, summary, columns_##name, sizeof columns_##name / sizeof *columns_##name, 0, &statement_source },
#define COLUMN(table, name, type, meaning)
#define END(table)
#include "reader/fleet/catalogue.def"
#undef TABLE
#undef COLUMN
#undef END
};

static enum status run_sql(sqlite3 *db, char *sql, struct error *err)
{
    int code = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    if (code != SQLITE_OK)
        (void)error_set(err, ERR_STORE, "the catalogue: %s", sql != NULL ? sql_error(db) : "out of memory");
    sqlite3_free(sql);
    return code == SQLITE_OK ? OK : ERR_STORE;
}

enum status catalogue_create(sqlite3 *db, const char *prefix, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        const char *name = catalogue_tables[i].name;
        char *columns = sql_columns(&catalogue_tables[i], false);
        st = run_sql(
            db,
            columns != NULL ? sqlite3_mprintf("CREATE TABLE IF NOT EXISTS main.%s%s(%s)", prefix, name, columns) : NULL,
            err);
        if (st == OK && prefix[0] != '\0') /* of many runs */
            st = run_sql(
                db,
                sqlite3_mprintf("CREATE INDEX IF NOT EXISTS main.%s%s_run ON %s%s(run)", prefix, name, prefix, name),
                err);
        sqlite3_free(columns);
    }
    return st;
}

/* INSERT INTO the table, a parameter for each column. NULL: see sqlite3_errmsg. */
static sqlite3_stmt *insertion(sqlite3 *db, const char *prefix, const struct table *t)
{
    sqlite3_str *s = sqlite3_str_new(db);
    sqlite3_stmt *statement = NULL;
    sqlite3_str_appendf(s, "INSERT INTO main.%s%s VALUES(?", prefix, t->name);
    for (size_t i = 1; i < t->column_count; i++)
        sqlite3_str_appendall(s, ",?");
    sqlite3_str_appendall(s, ")");
    char *sql = sqlite3_str_finish(s);
    if (sql != NULL)
        (void)sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    return statement;
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
        add_int(in, cost->total_ns, cost->left > 0);
        add_int(in, cost->self_ns, cost->left > 0);
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
#define COLUMN(table, name, type, meaning)
#define END(table)
#include "reader/fleet/catalogue.def"
#undef TABLE
#undef COLUMN
#undef END
};

static enum status fill_table(const void *from, sqlite3 *db, size_t i, struct error *err)
{
    const struct catalogue_run *run = from;
    struct hs_error error = HS_ERROR_INIT;
    struct insert in = { .run = run, .db = db, .row = insertion(db, "", &catalogue_tables[i]) };
    enum status st = OK;
    if (in.row == NULL || !fill[i](&in, &error))
        st = error_set(err, ERR_STORE, "the table %s: %s", catalogue_tables[i].name,
                       error.text[0] != '\0' ? error.text : sql_error(db));
    (void)sqlite3_finalize(in.row);
    return st;
}

/* ---- to Parquet ---- */

static bool next_rows(void *unused, struct rows *r)
{
    (void)unused;
    return rows_next(r);
}

static enum status write_rows(sqlite3_stmt *query, const struct table *t, int fd, struct error *err)
{
    struct rows_from from = { .table = t, .to = UINT64_MAX, .wanted = ROWS_ALL_COLUMNS };
    struct rows r;
    struct out out;
    bool done = false;
    if (!out_init_file(&out, fd))
        return error_memory(err, "%s.parquet", t->name);
    if (rows_open(&r, &from)) {
        ((struct statement_state *)r.state)->statement = query;
        done = parquet_write(&out, &r, next_rows, NULL);
    }
    const int failed = out_flush(&out);
    out_done(&out);
    if (!rows_close(&r))
        return error_set(err, ERR_STORE, "%s", r.error.text);
    if (failed != 0)
        return error_set(err, ERR_IO, "%s.parquet: %s", t->name, strerror(failed));
    return done ? OK : error_memory(err, "%s.parquet", t->name);
}

enum status catalogue_parquet(sqlite3 *db, const struct table *t, int fd, struct error *err)
{
    sqlite3_stmt *query = NULL;
    enum status st = ERR_STORE;
    char *sql = sqlite3_mprintf("SELECT * FROM %s", t->name);
    if (sql == NULL || sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        (void)error_set(err, st, "%s.parquet: %s", t->name, sql_error(db));
    else
        st = write_rows(query, t, fd, err);
    (void)sqlite3_finalize(query);
    sqlite3_free(sql);
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
    enum status st = run_sql(db, sqlite3_mprintf("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN"), err);
    if (st == OK)
        st = catalogue_create(db, "", err);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = fill_one(from, db, i, err);
    if (st == OK)
        st = run_sql(db, sqlite3_mprintf("COMMIT"), err);
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

/* ---- reading ---- */

/* A database from elsewhere may define views that never end, and tables that are programs. */
static bool plain_tables(sqlite3 *db)
{
    sqlite3_stmt *odd = NULL;
    int defensive = 0, trusted = 1;
    bool plain = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, &defensive) == SQLITE_OK &&
                 sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &trusted) == SQLITE_OK &&
                 sqlite3_prepare_v2(db,
                                    "SELECT 1 FROM sqlite_schema WHERE type <> 'table' OR rootpage IS NULL"
                                    " OR rootpage = 0 OR sql LIKE '%GENERATED%' OR sql LIKE '% AS (%'",
                                    -1, &odd, NULL) == SQLITE_OK &&
                 sqlite3_step(odd) == SQLITE_DONE;
    (void)sqlite3_finalize(odd);
    return plain;
}

/* The columns of `t` that its database has, null for the others, of the runs (one, or all that there are). */
static sqlite3_stmt *selection(sqlite3 *db, const struct table *t, const run_ids *runs)
{
    sqlite3_stmt *query = NULL;
    sqlite3_str *s = sqlite3_str_new(db);
    for (size_t i = 0; i < t->column_count; i++) {
        const bool there = sqlite3_table_column_metadata(db, "main", t->name, t->columns[i].name, NULL, NULL, NULL,
                                                         NULL, NULL) == SQLITE_OK;
        sqlite3_str_appendf(s, there ? "%s \"%w\"" : "%s NULL", i == 0 ? "SELECT" : ",", t->columns[i].name);
    }
    sqlite3_str_appendf(s, " FROM main.%s", t->name);
    if (runs->count == 1)
        sqlite3_str_appendf(s, " WHERE run = %Q", runs->items[0].text);
    sqlite3_str_appendall(s, t == &catalogue_tables[CATALOGUE_runs] ? " ORDER BY run COLLATE BINARY" : "");
    char *sql = sqlite3_str_finish(s);
    if (sql != NULL)
        (void)sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    sqlite3_free(sql);
    return query;
}

/* Is the value of the type of its column? Others may mean something else to each engine. */
static bool fits(const struct column *c, sqlite3_value *v)
{
    const int type = sqlite3_value_type(v);
    return type == SQLITE_NULL || type == (c->type == COLUMN_INT ? SQLITE_INTEGER : SQLITE_TEXT);
}

/* What is wrong, or NULL. */
static const char *copy_row(const struct table *t, sqlite3_stmt *from, sqlite3_stmt *to)
{
    for (int i = 0; i < sqlite3_column_count(from); i++) {
        sqlite3_value *v = sqlite3_column_value(from, i);
        if (!fits(&t->columns[i], v))
            return "a value is of a wrong type";
        (void)sqlite3_bind_value(to, i + 1, v);
    }
    const bool done = sqlite3_step(to) == SQLITE_DONE;
    (void)sqlite3_reset(to);
    return done ? NULL : sql_error(sqlite3_db_handle(to));
}

/* The rows of these runs, which are in the order of their names. What is wrong, or NULL. */
static const char *copy_rows(const struct table *t, sqlite3_stmt *from, sqlite3_stmt *to, const run_ids *runs)
{
    const struct run_id *last = NULL, *one = NULL;
    const char *wrong = NULL;
    size_t found = 0;
    int code = SQLITE_ROW;
    while (wrong == NULL && (code = sqlite3_step(from)) == SQLITE_ROW) {
        const char *run = (const char *)sqlite3_column_text(from, 0);
        if (run != NULL && (last == NULL || strcmp(run, last->text) != 0)) {
            one = run_ids_find(runs, run);
            found += one != NULL;
        } else if (run == NULL || (one != NULL && t == &catalogue_tables[CATALOGUE_runs])) {
            return "it does not have one row of each run";
        }
        if (one != NULL && (wrong = copy_row(t, from, to)) == NULL)
            last = one;
    }
    if (wrong == NULL && code != SQLITE_DONE)
        wrong = sql_error(sqlite3_db_handle(from));
    if (wrong == NULL && t == &catalogue_tables[CATALOGUE_runs] && found != runs->count)
        wrong = "it does not have one row of each run";
    return wrong;
}

static enum status read_table(sqlite3 *from, sqlite3 *db, enum catalogue_id i, const run_ids *runs, struct error *err)
{
    const struct table *t = &catalogue_tables[i];
    if (i != CATALOGUE_runs &&
        sqlite3_table_column_metadata(from, "main", t->name, NULL, NULL, NULL, NULL, NULL, NULL) != SQLITE_OK)
        return OK; /* it was pushed before there was such a table */
    sqlite3_stmt *rows = selection(from, t, runs), *row = insertion(db, "rows_", t);
    const char *wrong = rows == NULL ? sql_error(from) : row == NULL ? sql_error(db) : copy_rows(t, rows, row, runs);
    enum status st = wrong == NULL ? OK : error_set(err, ERR_FORMAT, "no catalogue: the table %s: %s", t->name, wrong);
    (void)sqlite3_finalize(rows);
    (void)sqlite3_finalize(row);
    return st;
}

static enum status read_tables(sqlite3 *from, bool opened, sqlite3 *db, const run_ids *runs, struct error *err)
{
    enum status st = OK;
    if (!opened || !plain_tables(from))
        st = error_set(err, ERR_FORMAT, "no catalogue: %s", from != NULL ? sql_error(from) : "out of memory");
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = read_table(from, db, (enum catalogue_id)i, runs, err);
    (void)sqlite3_close(from);
    return st;
}

enum status catalogue_read(sqlite3 *db, char *bytes, size_t n, const struct run_id *id, struct error *err)
{
    sqlite3 *from = NULL;
    struct run_id one = *id;
    const bool opened = sqlite3_open(":memory:", &from) == SQLITE_OK &&
                        sqlite3_deserialize(from, "main", (unsigned char *)bytes, (sqlite3_int64)n, (sqlite3_int64)n,
                                            SQLITE_DESERIALIZE_READONLY) == SQLITE_OK;
    return read_tables(from, opened, db, &(run_ids){ .items = &one, .count = 1 }, err);
}

/* ---- many runs ---- */

enum status catalogue_read_runs(sqlite3 *db, int fd, const run_ids *runs, struct error *err)
{
    sqlite3 *from = NULL;
    char file[64]; /* it does not change: nobody has to be waited for */
    (void)snprintf(file, sizeof file, "file:/proc/self/fd/%d?immutable=1", fd);
    const bool opened = sqlite3_open_v2(file, &from, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    return read_tables(from, opened, db, runs, err);
}

static enum status copy_table(const void *from, sqlite3 *db, size_t i, struct error *err)
{
    const struct table *t = &catalogue_tables[i];
    sqlite3 *gathered = (sqlite3 *)(uintptr_t)from;
    sqlite3_stmt *rows = NULL, *row = insertion(db, "", t);
    char *sql = sqlite3_mprintf("SELECT * FROM main.rows_%s WHERE run IN (SELECT run FROM temp.fleet_part)", t->name);
    int code = SQLITE_ROW;
    const char *wrong = NULL;
    if (sql == NULL || row == NULL || sqlite3_prepare_v2(gathered, sql, -1, &rows, NULL) != SQLITE_OK)
        wrong = sql_error(row == NULL ? db : gathered);
    while (wrong == NULL && (code = sqlite3_step(rows)) == SQLITE_ROW)
        wrong = copy_row(t, rows, row);
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
