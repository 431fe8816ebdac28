/* query.c - see query.h. */
#include "reader/fleet/query.h"

#include <stdio.h>
#include <string.h>

#include "reader/command/interrupt.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/duckdb.h"
#include "reader/fleet/gather.h"
#include "reader/tables/sql_rows.h"
#include "reader/tables/sql_tables.h"

struct asking {
    struct context *context;
    const struct fleet_question *question;
    struct place *place;
    struct gathered gathered;
    struct out out;
    struct error err;
};

/* The note is said; false: it is not answered. */
static bool ask_first(struct asking *a)
{
    sqlite3_stmt *row = NULL;
    bool done = a->question->first == NULL;
    sql_catch_interrupt(a->gathered.db);
    if (!done && sqlite3_prepare_v2(a->gathered.db, a->question->first, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(row, 1);
        done = sqlite3_column_int(row, 0) == 0;
        if (done)
            (void)cli_fail(EXIT_DONE, a->context, "%s", text);
        else
            (void)error_set(&a->err, ERR_NOT_FOUND, "%s", text);
    } else if (!done) {
        (void)error_set(&a->err, ERR_STORE, "the tables of the fleet: %s", sql_error(a->gathered.db));
    }
    (void)sqlite3_finalize(row);
    return done;
}

/* Shows the rows of `sql`. The exit status. */
static int show_rows(struct asking *a, const char *sql)
{
    uint64_t rows;
    place_close(a->place);
    if (!ask_first(a))
        return EXIT_FAILED;
    int status = sql_ask(&a->out, a->question->common, a->gathered.db, sql, &rows, &a->err);
    if (status != EXIT_DONE || a->gathered.odd.count > 0)
        return status == EXIT_DONE ? EXIT_INCOMPLETE : status;
    if (rows == 0 && a->question->common->limit > 0 && a->out.failed == 0)
        (void)cli_fail(EXIT_DONE, a->context, "empty: there is no row");
    return rows > 0 && a->question->fail_if_any ? EXIT_FAILED : EXIT_DONE;
}

/* What runs SQL over the tables of SQLite: itself, or the others, which leave their answer there too. */
static enum status ask_sqlite(const struct asking *a, struct answer *answer, struct error *err)
{
    (void)err;
    answer->select = sqlite3_mprintf("%s", a->question->sql);
    return answer->select != NULL ? OK : error_memory(err, "query");
}

static enum status ask_clickhouse(const struct asking *a, struct answer *answer, struct error *err)
{
    struct clickhouse servers = a->question->clickhouse;
    servers.fleet = place_identity(a->place);
    return clickhouse_ask(&servers, a->gathered.db, a->question->sql, answer, err);
}

static enum status ask_duckdb(const struct asking *a, struct answer *answer, struct error *err)
{
    return duckdb_ask(a->gathered.db, a->question->sql, answer, err);
}

struct engine {
    const char *name;
    enum status (*ask)(const struct asking *a, struct answer *answer, struct error *err);
};
static const struct engine clickhouse = { "clickhouse", ask_clickhouse };
static const struct engine engines[] = { { "sqlite", ask_sqlite }, { "duckdb", ask_duckdb } };

static const struct engine *find_engine(const struct fleet_question *q)
{
    if (q->clickhouse.servers->count > 0)
        return q->engine == NULL ? &clickhouse : NULL;
    if (q->engine == NULL)
        return &engines[0];
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strcmp(engines[i].name, q->engine) == 0)
            return &engines[i];
    return NULL;
}

static int ask(struct asking *a)
{
    struct answer answer = { 0 };
    enum status st =
        a->question->clickhouse.servers->count > 0 ? clickhouse_check(&a->question->clickhouse, &a->err) : OK;
    if (st == OK)
        st = gather_open(&a->gathered, a->context, a->place, &a->err);
    if (st == OK)
        st = find_engine(a->question)->ask(a, &answer, &a->err);
    int status = st == OK ? show_rows(a, answer.select) : st == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
    sqlite3_free(answer.select);
    gather_close(&a->gathered);
    return status;
}

int fleet_ask(struct context *context, const struct fleet_question *q, struct place *p)
{
    struct asking a = { .context = context, .question = q, .place = p };
    if (q->sql == NULL)
        return cli_fail(EXIT_USAGE, context, "query: SQL is missing: hindsight fleet query 'SELECT * FROM runs'");
    if (q->clickhouse.servers->count == 0 && (q->clickhouse.cluster != NULL || q->clickhouse.database != NULL))
        return cli_fail(EXIT_USAGE, context, "--cluster and --database are for --server");
    if (find_engine(q) == NULL)
        return cli_fail(EXIT_USAGE, context, "--engine %s: there are sqlite and duckdb, without --server", q->engine);
    if (!cli_out_init(&a.out, context, q->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    int status = ask(&a);
    if (interrupt_seen())
        status = interrupt_status();
    else if (a.err.text[0] != '\0')
        (void)cli_fail(status, context, "%s", a.err.text);
    return cli_out_end(&a.out, context, status);
}
