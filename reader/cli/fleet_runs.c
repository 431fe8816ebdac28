/* fleet_runs.c - `hindsight fleet list`, `show`, `remove` and `repair`: runs as people look for them, without SQL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/fleet_args.h"
#include "reader/command/interrupt.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/gather.h"
#include "reader/fleet/query.h"

#define ROWS "reader/answers/fleet_runs.def"
#include "reader/answers/row.h"

/* ---- list, show: questions in SQL ---- */

#define TIME(column) "strftime('%%Y-%%m-%%d %%H:%%M:%%S', " column " / 1000000000, 'unixepoch')"
#define SECONDS      "CASE WHEN ended >= started THEN round((ended - started) / 1e9, 3) END"

static int ask(struct context *context, const struct fleet_args *a, struct place *p, char *sql)
{
    const struct fleet_question question = { .common = &a->common,
                                             .sql = sql,
                                             .clickhouse = { &a->servers, a->cluster, a->database } };
    int status = sql != NULL ? fleet_ask(context, &question, p) : cli_fail(EXIT_FAILED, context, "out of memory");
    sqlite3_free(sql);
    return status;
}

static void add_label(sqlite3_str *s, const char *label)
{
    const size_t key = strcspn(label, "=");
    sqlite3_str_appendf(s, " AND run IN (SELECT run FROM labels WHERE key = '%.*q'", (int)key, label);
    if (label[key] == '=')
        sqlite3_str_appendf(s, " AND value = %Q", label + key + 1);
    sqlite3_str_appendall(s, ")");
}

int fleet_list_runs(struct context *context, const struct fleet_args *a, struct place *p)
{
    uint64_t age_s = 0;
    if (a->common.arguments[1] != NULL)
        return cli_fail(EXIT_USAGE, context, "unexpected argument '%s'", a->common.arguments[1]);
    if (a->since != NULL && !fleet_age(a->since, &age_s))
        return cli_fail(EXIT_USAGE, context, "--since wants a number with s, m, h, d or w, not '%s'", a->since);
    sqlite3_str *s = sqlite3_str_new(NULL);
    sqlite3_str_appendf(
        s, "SELECT substr(run, 1, 12) AS run, " TIME(
               "started") " AS started, " SECONDS " AS seconds,"
                          " name, coalesce(\"end\", 'running') AS \"end\", events, bytes,"
                          " (SELECT group_concat(key || '=' || value, ' ') FROM labels WHERE labels.run = runs.run)"
                          " AS labels, command FROM runs WHERE 1");
    if (a->name != NULL)
        sqlite3_str_appendf(s, " AND name GLOB %Q", a->name);
    if (a->since != NULL)
        sqlite3_str_appendf(s, " AND started >= %llu - %llu * 1000000000e0", (unsigned long long)fleet_now_ns(),
                            (unsigned long long)age_s);
    if (a->exception != NULL)
        sqlite3_str_appendf(s, " AND run IN (SELECT run FROM exceptions WHERE type GLOB %Q)", a->exception);
    if (a->handled != NULL)
        sqlite3_str_appendf(s, " AND run IN (SELECT run FROM requests WHERE value = %Q)", a->handled);
    if (a->build != NULL)
        sqlite3_str_appendf(s, " AND run IN (SELECT run FROM builds WHERE hash = %Q)", a->build);
    for (size_t i = 0; i < a->labels.count; i++)
        add_label(s, a->labels.items[i]);
    sqlite3_str_appendall(s, " ORDER BY runs.started DESC, runs.run");
    return ask(context, a, p, sqlite3_str_finish(s));
}

/* The column as people read it. */
static void add_value(sqlite3_str *s, const char *column)
{
    static const char *const times[] = { "pushed", "started", "ended" };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(column, times[i]) == 0) {
            sqlite3_str_appendf(s, TIME("%s") " || ' UTC'", column);
            return;
        }
    sqlite3_str_appendf(s, "\"%w\"", column);
}

int fleet_show(struct context *context, const struct fleet_args *a, struct place *p)
{
    const struct table *runs = &catalogue_tables[CATALOGUE_runs];
    struct error err = { 0 };
    struct run_id id;
    if (a->common.argument_count != 2)
        return cli_fail(EXIT_USAGE, context, "show wants one RUN: hindsight fleet list");
    if (place_find(p, a->common.arguments[1], &id, &err) != OK)
        return fleet_fail(context, &err);
    sqlite3_str *s = sqlite3_str_new(NULL);
    for (size_t i = 0; i < runs->column_count; i++) {
        sqlite3_str_appendf(s, "%sSELECT '%s' AS key, ", i > 0 ? " UNION ALL " : "", runs->columns[i].name);
        add_value(s, runs->columns[i].name);
        sqlite3_str_appendf(s, " AS value FROM runs WHERE run = %Q", id.text);
    }
    sqlite3_str_appendf(s, " UNION ALL SELECT 'label ' || key, value FROM labels WHERE run = %Q", id.text);
    for (size_t i = 0; i < CATALOGUE_COUNT; i++)
        if (i != CATALOGUE_runs && i != CATALOGUE_labels)
            sqlite3_str_appendf(s, " UNION ALL SELECT '%s', count(*) FROM %s WHERE run = %Q", catalogue_tables[i].name,
                                catalogue_tables[i].name, id.text);
    return ask(context, a, p, sqlite3_str_finish(s));
}

/* ---- remove ---- */

int fleet_remove_runs(struct context *context, const struct fleet_args *a, struct place *p)
{
    struct error err = { 0 };
    struct out o;
    enum status st = OK;
    if (a->common.argument_count < 2)
        return cli_fail(EXIT_USAGE, context, "remove: RUN is missing: hindsight fleet list");
    if (!cli_out_init(&o, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    for (int i = 1; st == OK && i < a->common.argument_count; i++) {
        struct stored_run run = { 0 };
        st = place_find(p, a->common.arguments[i], &run.id, &err);
        if (st == OK && !a->dry_run)
            st = place_remove(p, &(stored_runs){ .items = &run, .count = 1 }, &err);
        if (st == OK && a->common.json)
            fleet_runs_json(&o, &run.id, NULL, -1, -1, -1, HS_NO_SEQ, HS_NO_SEQ);
        else if (st == OK)
            out_line(&o, run.id.text);
    }
    return cli_out_end(&o, context, st == OK ? EXIT_DONE : fleet_fail(context, &err));
}

/* ---- repair ---- */

/* Texts that a query answers, after those that are there; to be freed by done_texts. */
static void add_texts(struct texts *to, sqlite3 *db, const char *sql, const char *run)
{
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK)
        (void)sqlite3_bind_text(query, 1, run, -1, SQLITE_STATIC);
    while (query != NULL && to->count < TEXTS_MAX && sqlite3_step(query) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(query, 0);
        if (text != NULL && (to->items[to->count] = strdup(text)) != NULL)
            to->count++;
    }
    (void)sqlite3_finalize(query);
}
static void done_texts(struct texts *t, size_t from)
{
    for (size_t i = from; i < t->count; i++)
        free((void *)(uintptr_t)t->items[i]);
}

/* What the tables said of the run, if they could be read, stays: its name, when it was pushed, labels and headers. */
static enum status make_again(const struct gathered *g, const struct fleet_args *a, struct place *p,
                              const struct run_id *id, struct error *err)
{
    struct push push = { .dir = -1 };
    struct texts headers = a->headers, labels = a->labels, known = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    struct run_id recording;
    hs_trace *trace = NULL;
    char path[PATH_MAX];
    add_texts(&headers, g->db, "SELECT DISTINCT header FROM main.rows_requests WHERE run = ?", id->text);
    add_texts(&labels, g->db, "SELECT key || '=' || value FROM main.rows_labels WHERE run = ?", id->text);
    add_texts(&known, g->db, "SELECT name FROM main.rows_runs WHERE run = ?", id->text);
    add_texts(&known, g->db, "SELECT pushed FROM main.rows_runs WHERE run = ?", id->text);
    enum status st = place_get_trace(p, id, err);
    if (st == OK)
        st = push_begin(&push, &p->folder, err);
    int n = snprintf(path, sizeof path, "%s/runs/%s", p->folder.path, id->text);
    if (st == OK && (n < 0 || (size_t)n >= sizeof path))
        st = error_set(err, ERR_LIMIT, "%s: the path is too long", p->folder.path);
    if (st == OK)
        st = push_copy(&push, path, err);
    if (st == OK && strcmp(push.id.text, id->text) != 0)
        st = error_set(err, ERR_FORMAT, "run %s: its trace is damaged: it has the hash %s", id->text, push.id.text);
    if (st == OK && hs_open(push.path, 0, NULL, &trace, &error) != 0)
        st = error_set(err, ERR_FORMAT, "run %s: %s", id->text, error.text);
    if (st == OK)
        st = push_recording(&push, hs_info(trace, "started") != NULL ? hs_info(trace, "started") : "", &recording, err);
    if (st == OK) {
        struct catalogue_run run = { .trace = trace,
                                     .id = id->text,
                                     .name = known.count == 2 ? known.items[0] : id->text,
                                     .recording = recording.text,
                                     .headers = &headers,
                                     .labels = &labels,
                                     .pushed_ns = fleet_now_ns(),
                                     .bytes = push.bytes };
        if (known.count == 2)
            (void)cli_u64(known.items[1], &run.pushed_ns);
        st = catalogue_write(&run, push.dir, push.path, err);
    }
    hs_close(trace);
    if (st == OK)
        st = place_replace(p, &push, err);
    push_end(&push);
    done_texts(&headers, a->headers.count);
    done_texts(&labels, a->labels.count);
    done_texts(&known, 0);
    return st;
}

/* The runs that are named, or else those whose tables cannot be read. */
static enum status choose(const struct gathered *g, const struct fleet_args *a, struct place *p, run_ids *out,
                          struct error *err)
{
    enum status st = OK;
    const size_t named = (size_t)a->common.argument_count - 1;
    for (size_t i = 0; st == OK && i < (named > 0 ? named : g->odd.count); i++) {
        struct run_id id;
        if (named > 0)
            st = place_find(p, a->common.arguments[i + 1], &id, err);
        else
            (void)snprintf(id.text, sizeof id.text, "%.*s", RUN_ID_CHARS, g->odd.items[i].text);
        struct run_id *row = st == OK && run_id_is(id.text) ? vec_push(out) : NULL;
        if (row != NULL)
            *row = id;
    }
    return st;
}

int fleet_repair(struct context *context, const struct fleet_args *a, struct place *p)
{
    struct gathered g;
    struct error err = { 0 };
    struct out o;
    run_ids ids = { 0 };
    int status = EXIT_DONE;
    if (!fleet_labels_are(&a->labels))
        return cli_fail(EXIT_USAGE, context, "repair: --label wants KEY=VALUE");
    if (!cli_out_init(&o, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    enum status st = gather_open(&g, context, p, &err);
    if (st == OK)
        st = choose(&g, a, p, &ids, &err);
    if (st != OK)
        status = fleet_fail(context, &err);
    for (size_t i = 0; st == OK && i < ids.count && !interrupt_seen(); i++) {
        const enum status one = a->dry_run ? OK : make_again(&g, a, p, &ids.items[i], &err);
        if (one != OK)
            status = fleet_fail(context, &err);
        if (a->common.json)
            fleet_runs_json(&o, &ids.items[i], NULL, -1, -1, one == OK, HS_NO_SEQ, HS_NO_SEQ);
        else if (one == OK)
            out_format(&o, "%s  %s\n", ids.items[i].text, a->dry_run ? "to be repaired" : "repaired");
    }
    vec_free(&ids);
    gather_close(&g);
    return cli_out_end(&o, context, status);
}
