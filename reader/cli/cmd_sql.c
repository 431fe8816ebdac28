/* cmd_sql.c - `hindsight sql QUERY`: SQL over the tables of a trace, without a copy: they are virtual tables
 * (export/sql_tables.h) of a database in memory. */
#include <math.h>
#include <string.h>

#include "reader/cli/cli.h"
#include "reader/cli/export/sql_tables.h"
#include "reader/cli/interrupt.h"
#include "reader/cli/progress_line.h"

struct args {
    struct common common;
    bool fail_if_any;
};
static const struct option_row options[] = {
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct args, fail_if_any),
      "exit status 1 if there is a row, for checks: a query that finds what must not be" },
    { 0 },
};
const struct usage usage_sql = {
    .about =
        "SQL of SQLite over the tables events calls writes reads exceptions locks objects strings threads classes "
        "methods dataids, whose columns are those of export --to sqlite, and the views method_calls call_edges "
        "field_writes thrown_types held_locks object_types. SELECT name FROM pragma_table_info('events') lists the "
        "columns of a table. Put desc, index, group, end and left between double quotes: they are words of SQL. A "
        "range "
        "of seq in events, writes and reads, and a single id or data ID, are found at once; other conditions read the "
        "table. For many queries of a large trace make a database: export --to sqlite. With --json a row is an object; "
        "null is null, and a NaN a text.",
    .example = "hindsight sql 'SELECT class, method, calls FROM method_calls ORDER BY calls DESC LIMIT 10'",
    .options = options,
};

/* Only questions: nothing is written, and no other file is opened. */
static int authorize(void *unused, int action, const char *a, const char *b, const char *schema, const char *trigger)
{
    (void)unused;
    (void)b;
    (void)schema;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_PRAGMA: return strcmp(a, "table_info") == 0 || strcmp(a, "table_list") == 0 ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

/* ---- rows ---- */

static uint64_t double_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static void blob_text(struct out *o, const unsigned char *p, int n)
{
    for (int i = 0; i < n; i++)
        out_format(o, "%02x", p[i]);
}

static void value_json(struct out *o, sqlite3_stmt *row, int i)
{
    struct json *j = &o->json;
    switch (sqlite3_column_type(row, i)) {
    case SQLITE_INTEGER: json_i64(j, sqlite3_column_int64(row, i)); break;
    case SQLITE_FLOAT: json_double(j, double_bits(sqlite3_column_double(row, i))); break;
    case SQLITE_NULL: json_null(j); break;
    case SQLITE_BLOB:
        json_raw(j);
        out_char(o, '"');
        blob_text(o, sqlite3_column_blob(row, i), sqlite3_column_bytes(row, i));
        out_char(o, '"');
        break;
    default: json_text_n(j, (const char *)sqlite3_column_text(row, i), (size_t)sqlite3_column_bytes(row, i)); break;
    }
}

static void row_json(struct out *o, sqlite3_stmt *row)
{
    json_object(&o->json);
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        json_name(&o->json, sqlite3_column_name(row, i));
        value_json(o, row, i);
    }
    json_end_line(&o->json);
}

/* Numbers stand to the right. The last column has no width. */
static int width_of(sqlite3_stmt *row, int i)
{
    enum { NUMBER_WIDTH = -12, TEXT_WIDTH = 24 };
    const int type = sqlite3_column_type(row, i);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        return NUMBER_WIDTH;
    return i + 1 < sqlite3_column_count(row) ? TEXT_WIDTH : 0;
}

static void text_cell(struct out *o, sqlite3_stmt *row, int i)
{
    char digits[JSON_NUMBER_MAX];
    const char *text = (const char *)sqlite3_column_text(row, i);
    switch (sqlite3_column_type(row, i)) {
    case SQLITE_FLOAT: text = json_double_digits(double_bits(sqlite3_column_double(row, i)), digits); break;
    case SQLITE_BLOB: blob_text(o, sqlite3_column_blob(row, i), sqlite3_column_bytes(row, i)); return;
    default: break;
    }
    out_padded(o, text != NULL ? text : "-", width_of(row, i));
}

static void row_text(struct out *o, sqlite3_stmt *row)
{
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        out_bytes(o, "  ", i > 0 ? 2 : 0);
        text_cell(o, row, i);
    }
    out_char(o, '\n');
}

/* Above the first row, with its widths. */
static void heading(struct out *o, sqlite3_stmt *row)
{
    out_colour(o, COLOUR_DIM);
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        out_bytes(o, "  ", i > 0 ? 2 : 0);
        out_padded(o, sqlite3_column_name(row, i), width_of(row, i));
    }
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

/* ---- the query ---- */

/* Steps through the rows; *rows counts them. Returns a code of SQLite. */
static int show_rows(struct session *s, const struct common *c, sqlite3_stmt *query, uint64_t *rows)
{
    int code = SQLITE_ROW;
    while (*rows < c->limit && s->out.failed == 0 && (code = sqlite3_step(query)) == SQLITE_ROW) {
        if (*rows == 0 && !c->json)
            heading(&s->out, query);
        progress_line_erase();
        (c->json ? row_json : row_text)(&s->out, query);
        ++*rows;
    }
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

static int run(struct session *s, const struct args *a, sqlite3 *db, const char *sql)
{
    sqlite3_stmt *query = NULL;
    uint64_t rows = 0;
    const char *behind = sql;
    int code = sqlite3_prepare_v2(db, sql, -1, &query, &behind), status = EXIT_FAILED;
    if (code != SQLITE_OK || query == NULL || behind[strspn(behind, " \t\n;")] != '\0')
        status = EXIT_USAGE;
    else
        code = show_rows(s, &a->common, query, &rows);
    (void)sqlite3_finalize(query); /* before the trace is closed, of which it has cursors */
    progress_line_erase();
    if (code == SQLITE_OK && status == EXIT_USAGE) {
        (void)session_fail(s, "QUERY has to be one statement: SELECT ...");
        return EXIT_USAGE;
    }
    if (code != SQLITE_OK) {
        (void)session_fail(s, "%s", sql_error(db));
        return interrupt_seen() ? EXIT_INTERRUPTED : status;
    }
    status = session_close(s, EXIT_DONE);
    return status == EXIT_DONE && a->fail_if_any && rows > 0 ? EXIT_FAILED : status;
}

int cmd_sql(int argc, char **argv)
{
    struct args a = { 0 };
    struct session s;
    struct sql_source source = { 0 };
    const char *trace, *sql;
    sqlite3 *db = NULL;
    int status = cli_parse(argc, argv, &a);
    if (status != PARSED)
        return status;
    trace = cli_trace_and_word(&a.common, &sql);
    if (sql == NULL)
        return cli_fail(EXIT_USAGE, argv[0], "QUERY is missing; try %s -h", argv[0]);
    if ((status = session_open(&s, argv[0], &a.common, trace)) != PARSED)
        return status;
    source.trace = s.trace;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK || sql_tables_create(db, "main", "", &source) != SQLITE_OK ||
        sql_views_create(db, "main") != SQLITE_OK) {
        status = session_fail(&s, "%s", db != NULL ? sql_error(db) : "out of memory");
        goto out;
    }
    sql_catch_interrupt(db);
    (void)sqlite3_set_authorizer(db, authorize, NULL);
    status = run(&s, &a, db, sql);
out:
    (void)sqlite3_close(db);
    return status;
}
