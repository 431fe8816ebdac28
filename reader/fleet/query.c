/* query.c - see query.h. */
#include "reader/fleet/query.h"

#include <stdio.h>
#include <string.h>

#include "reader/command/interrupt.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/chdb.h"
#include "reader/fleet/duckdb.h"
#include "reader/tables/sql_rows.h"
#include "reader/tables/sql_tables.h"

struct asking {
    struct context *context;
    const struct fleet_question *question;
    struct place *place;
    sqlite3 *db;
    struct out out;
    struct error err;
};

/* Adds the rows of every run; *bad counts runs that cannot be read. */
static enum status read_runs(struct asking *a, size_t *bad)
{
    const struct fleet *f = &a->place->folder;
    stored_runs runs = { 0 };
    char path[PATH_MAX];
    struct error why;
    enum status st = fleet_list(f, &runs, &a->err);
    for (size_t i = 0; st == OK && i < runs.count && !interrupt_seen(); i++) {
        const struct run_id *id = &runs.items[i].id;
        int n = snprintf(path, sizeof path, "%s/runs/%s/%s", f->path, id->text, CATALOGUE_FILE);
        if (n < 0 || (size_t)n >= sizeof path)
            st = error_set(&a->err, ERR_LIMIT, "%s: the path is too long", f->path);
        else if (catalogue_read(a->db, path, id->text, &why) != OK && fleet_has(f, id) && ++*bad > 0)
            (void)cli_fail(EXIT_INCOMPLETE, a->context, "%s", why.text);
    }
    vec_free(&runs);
    return st;
}

/* The tables of the catalogue in a->db. */
static enum status read_tables(struct asking *a, size_t *bad)
{
    enum status st = place_read(a->place, BUCKET_DATABASE, &a->err);
    if (st == OK && sqlite3_exec(a->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        st = error_memory(&a->err, "query");
    if (st == OK)
        st = catalogue_create(a->db, &a->err);
    if (st == OK)
        st = read_runs(a, bad);
    if (st == OK)
        st = catalogue_remove_replaced(a->db, &a->err);
    if (st == OK && sqlite3_exec(a->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        st = error_memory(&a->err, "query");
    return st;
}

/* Shows the rows of `sql`. The exit status; `bad`: catalogues that cannot be read. */
static int show_rows(struct asking *a, const char *sql, size_t bad)
{
    uint64_t rows;
    place_close(a->place);
    int status = sql_ask(&a->out, a->question->common, a->db, sql, &rows, &a->err);
    if (status != EXIT_DONE || bad > 0)
        return status == EXIT_DONE ? EXIT_INCOMPLETE : status;
    if (rows == 0 && a->question->common->limit > 0 && a->out.failed == 0)
        (void)cli_fail(EXIT_DONE, a->context, "empty: there is no row");
    return EXIT_DONE;
}

static int failed(enum status st) { return st == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED; }

static int ask_sqlite(struct asking *a)
{
    size_t bad = 0;
    enum status st = read_tables(a, &bad);
    return st == OK ? show_rows(a, a->question->sql, bad) : failed(st);
}

static int ask_clickhouse(struct asking *a)
{
    size_t bad = 0;
    struct answer answer = { 0 };
    enum status st = clickhouse_check(&a->question->clickhouse, &a->err);
    if (st == OK)
        st = read_tables(a, &bad);
    if (st == OK)
        st = clickhouse_ask(&a->question->clickhouse, a->db, a->question->sql, &answer, &a->err);
    int status = st == OK ? show_rows(a, answer.select, bad) : failed(st);
    sqlite3_free(answer.select);
    return status;
}

static int ask_duckdb(struct asking *a)
{
    char *select = NULL;
    enum status st = place_read(a->place, BUCKET_PARQUET, &a->err);
    if (st == OK)
        st = duckdb_ask(a->db, &a->place->folder, a->question->sql, &select, &a->err);
    int status = st == OK ? show_rows(a, select, 0) : failed(st);
    sqlite3_free(select);
    return status;
}

static int ask_chdb(struct asking *a)
{
    struct answer answer = { 0 };
    enum status st = place_read(a->place, BUCKET_PARQUET, &a->err);
    if (st == OK)
        st = chdb_ask(a->db, &a->place->folder, a->question->sql, &answer, &a->err);
    int status = st == OK ? show_rows(a, answer.select, 0) : failed(st);
    sqlite3_free(answer.select);
    return status;
}

struct engine {
    const char *name;
    int (*ask)(struct asking *a);
};
static const struct engine clickhouse = { "clickhouse", ask_clickhouse };
static const struct engine engines[] = { { "sqlite", ask_sqlite }, { "duckdb", ask_duckdb }, { "chdb", ask_chdb } };

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

int fleet_ask(struct context *context, const struct fleet_question *q, struct place *p)
{
    struct asking a = { .context = context, .question = q, .place = p };
    int status = EXIT_FAILED;
    if (q->sql == NULL)
        return cli_fail(EXIT_USAGE, context, "query: SQL is missing: hindsight fleet query 'SELECT * FROM runs'");
    if (q->clickhouse.servers->count == 0 && (q->clickhouse.cluster != NULL || q->clickhouse.database != NULL))
        return cli_fail(EXIT_USAGE, context, "--cluster and --database are for --server");
    if (find_engine(q) == NULL)
        return cli_fail(EXIT_USAGE, context, "--engine %s: there are sqlite, duckdb and chdb, without --server",
                        q->engine);
    if (!cli_out_init(&a.out, context, q->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (sqlite3_open(":memory:", &a.db) != SQLITE_OK)
        (void)error_memory(&a.err, "query");
    else
        status = find_engine(q)->ask(&a);
    if (interrupt_seen())
        status = EXIT_INTERRUPTED;
    else if (a.err.text[0] != '\0')
        (void)cli_fail(status, context, "%s", a.err.text);
    (void)sqlite3_close(a.db);
    return cli_out_end(&a.out, context, status);
}

enum status fleet_replaced(struct context *context, struct place *p, run_ids *out, struct error *err)
{
    struct asking a = { .context = context, .place = p };
    sqlite3_stmt *query = NULL;
    size_t bad = 0;
    int code;
    enum status st = ERR_STORE;
    if (sqlite3_open(":memory:", &a.db) == SQLITE_OK)
        st = read_tables(&a, &bad);
    if (st == OK && sqlite3_prepare_v2(a.db, "SELECT run FROM temp.replaced", -1, &query, NULL) != SQLITE_OK)
        st = ERR_STORE;
    while (st == OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        const char *run = code == SQLITE_ROW ? (const char *)sqlite3_column_text(query, 0) : NULL;
        struct run_id *id = run != NULL ? vec_push(out) : NULL;
        if (id != NULL)
            (void)snprintf(id->text, sizeof id->text, "%s", run);
        else
            st = error_memory(&a.err, "prune");
    }
    if (st != OK)
        *err = a.err;
    (void)sqlite3_finalize(query);
    (void)sqlite3_close(a.db);
    return st;
}
