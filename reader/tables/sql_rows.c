/* sql_rows.c - see sql_rows.h. */
#include "reader/tables/sql_rows.h"

#include <errno.h>
#include <string.h>

#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/tables/sql_tables.h"

/* Only questions: nothing is written, and no other file is opened. */
static int authorize(void *unused, int action, const char *a, const char *b, const char *schema, const char *trigger)
{
    (void)unused;
    (void)schema;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return strcmp(b, "fts3_tokenizer") != 0 ? SQLITE_OK : SQLITE_DENY; /* has addresses */
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

/* NULL: out of memory, which `o` says then. */
static const char *text_of(struct out *o, sqlite3_stmt *row, int i)
{
    const char *text = (const char *)sqlite3_column_text(row, i);
    if (text == NULL)
        o->failed = ENOMEM;
    return text;
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
    default: {
        const char *text = text_of(o, row, i);
        json_text_n(j, text != NULL ? text : "", text != NULL ? (size_t)sqlite3_column_bytes(row, i) : 0);
    }
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
    const int type = sqlite3_column_type(row, i); /* before it is made a text */
    const char *text = NULL;
    switch (type) {
    case SQLITE_NULL: break;
    case SQLITE_FLOAT: text = json_double_digits(double_bits(sqlite3_column_double(row, i)), digits); break;
    case SQLITE_BLOB: blob_text(o, sqlite3_column_blob(row, i), sqlite3_column_bytes(row, i)); return;
    default: text = text_of(o, row, i); break;
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
static int show_rows(struct out *o, const struct common *c, sqlite3_stmt *query, uint64_t *rows)
{
    int code = SQLITE_ROW;
    while (*rows < c->limit && o->failed == 0 && (code = sqlite3_step(query)) == SQLITE_ROW) {
        if (*rows == 0 && !c->json)
            heading(o, query);
        progress_line_erase();
        (c->json ? row_json : row_text)(o, query);
        ++*rows;
    }
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

int sql_ask(struct out *o, const struct common *c, sqlite3 *db, const char *sql, uint64_t *rows, struct error *err)
{
    sqlite3_stmt *query = NULL;
    const char *behind = sql;
    *rows = 0;
    sql_catch_interrupt(db);
    /* made when it is named first, which the query may not */
    (void)sqlite3_exec(db, "SELECT 1 FROM pragma_table_info('')", NULL, NULL, NULL);
    (void)sqlite3_set_authorizer(db, authorize, NULL);
    int code = sqlite3_prepare_v2(db, sql, -1, &query, &behind), status = EXIT_FAILED;
    if (code != SQLITE_OK || query == NULL || behind[strspn(behind, " \t\n;")] != '\0')
        status = code == SQLITE_NOMEM ? EXIT_FAILED : EXIT_USAGE;
    else
        code = show_rows(o, c, query, rows);
    (void)sqlite3_finalize(query); /* before a trace is closed, of which it has cursors */
    progress_line_erase();
    if (code == SQLITE_OK && status == EXIT_USAGE)
        (void)error_set(err, ERR_USAGE, "QUERY has to be one statement: SELECT ...");
    else if (code != SQLITE_OK)
        (void)error_set(err, ERR_STORE, "%s", sql_error(db));
    else
        return EXIT_DONE;
    return code != SQLITE_OK && interrupt_seen() ? EXIT_INTERRUPTED : status;
}
