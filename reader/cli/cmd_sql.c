/* cmd_sql.c - `hindsight sql QUERY`: SQL over the tables of a trace, without a copy: they are virtual tables
 * (export/sql_tables.h) of a database in memory. */
#include "reader/command/cli.h"
#include "reader/command/names.h"
#include "reader/tables/sql_rows.h"
#include "reader/tables/sql_tables.h"

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
        "SQL of SQLite over the tables"
#include "reader/answers/table_names.h"
        ", whose columns are those of export --to sqlite, and the views method_calls call_edges "
        "field_writes thrown_types held_locks object_types. Table functions are output, what the program wrote line by "
        "line, watch('Class.method:line', 'text {expression}', 'condition'), whose columns value1 to value8 are "
        "the expressions, alloc, heap(SEQ), overflows, and diff('TRACE'), where another trace differs from this one; "
        "columns are those of --csv of these commands. SELECT name FROM pragma_table_info('events') lists the "
        "columns of a table. Put desc, index, group, end and left between double quotes: they are words of SQL. A "
        "range "
        "of seq in events, writes and reads, and a single id or data ID, are found at once; other conditions read the "
        "table. For many queries of a large trace make a database: export --to sqlite. With --json a row is an object; "
        "null is null, and a NaN a text.",
    .example = "hindsight sql 'SELECT class, method, calls FROM method_calls ORDER BY calls DESC LIMIT 10'",
    .options = options,
};

static int run(struct session *s, const struct args *a, sqlite3 *db, const char *sql)
{
    uint64_t rows;
    struct error err;
    int status = sql_ask(&s->out, &a->common, db, sql, &rows, &err);
    if (status != EXIT_DONE) {
        (void)session_fail(s, "%s", err.text);
        return status;
    }
    names_empty(s, rows, a->common.limit, "row");
    status = session_close(s, EXIT_DONE);
    return status == EXIT_DONE && a->fail_if_any && rows > 0 ? EXIT_FAILED : status;
}

int cmd_sql(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct sql_source source = { 0 };
    const char *trace, *sql;
    char *counted = NULL;
    sqlite3 *db = NULL;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    trace = cli_trace_and_word(&a.common, &sql);
    if (sql == NULL)
        return cli_fail(EXIT_USAGE, context, "QUERY is missing; try %s -h", context->name);
    if ((status = session_open(&s, context, &a.common, trace)) != PARSED)
        return status;
    source.trace = s.trace;
    source.reader = context->host == NULL ? context : NULL; /* a server's clients name no paths */
    source.without = format_without_stream(s.trace);        /* no empty answer: a check by --fail-if-any would pass */
    if (sqlite3_open(":memory:", &db) != SQLITE_OK || sql_tables_create(db, "main", "", &source) != SQLITE_OK ||
        sql_functions_create(db, &source) != SQLITE_OK || sql_views_create(db, "main") != SQLITE_OK) {
        status = session_fail(&s, "%s", db != NULL ? sql_error(db) : "out of memory");
        goto out;
    }
    sql_catch_interrupt(db);
    counted = sql_count(&source, sql);
    if (counted == NULL)
        counted = sql_groups(&source, db, sql);
    status = run(&s, &a, db, counted != NULL ? counted : sql);
out:
    sqlite3_free(counted);
    (void)sqlite3_close(db);
    return status;
}
