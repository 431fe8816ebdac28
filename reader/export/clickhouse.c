/* clickhouse.c - the format clickhouse: the tables of the trace in a database of a server.
 *
 *     DB_loading   is made first; another export into DB finds it there, and fails. It gets all rows
 *     DB           gets the tables by one RENAME when the server has counted the rows that were sent
 *
 * So nobody asks a half table; after a failure or Ctrl-C DB_loading is dropped, and after a kill --replace drops it.
 * Tables of events are cut into ranges of seq, which --jobs threads read and send, each with a trace and a connection
 * of its own. */
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/derived.h"
#include "formats/event.h"
#include "reader/command/clickhouse_server.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/export/clickhouse_native.h"
#include "reader/export/row_files.h"

enum { RANGE_EVENTS = 1 << 20, BODY_BYTES = 64 << 20, JOBS_MAX = 256, END_S = 30 };

/* How the tables are sorted, those of events by place and object, and which columns are in every row. A table that is
 * not here is not sorted. */
static const struct sorting {
    const char *table, *key, *always;
} sortings[] = {
    { "events", "dataid, ifNull(value_id, 0), seq", " dataid seq thread " },
    { "writes", "dataid, ifNull(object_id, 0), seq", " dataid seq thread " },
    { "reads", "dataid, ifNull(object_id, 0), seq", " dataid seq thread " },
    { "calls", "method_id, seq", " method_id seq thread " },
    { "exceptions", "id", " id " },
    { "locks", "entered", " entered thread " },
    { "objects", "id", " id " },
    { "strings", "id", " id " },
    { "threads", "thread", " thread " },
    { "classes", "ifNull(class, '')", "" },
    { "methods", "method_id", " method_id " },
    { "dataids", "dataid", " dataid " },
};

static const struct sorting *sorting_of(const struct table *t)
{
    static const struct sorting none = { "", "tuple()", "" };
    for (size_t i = 0; i < sizeof sortings / sizeof *sortings; i++)
        if (strcmp(sortings[i].table, t->name) == 0)
            return &sortings[i];
    return &none;
}

static bool is_always(const struct table *t, const char *column)
{
    char word[64];
    (void)snprintf(word, sizeof word, " %s ", column);
    return strstr(sorting_of(t)->always, word) != NULL;
}

struct piece {
    const struct table *table;
    uint64_t from, to;
};
struct load {
    struct export_job *x;
    const char *server, *database;
    bool parts; /* several threads may read it */
    VEC(struct piece) pieces;
    pthread_mutex_t lock; /* of what follows */
    size_t taken, done;
    uint64_t rows[TABLE_COUNT];
    bool usage, failed;
    struct error error;
};
struct worker {
    struct load *load;
    hs_trace *trace;
    struct clickhouse_client client;
    struct native native;
    pthread_t thread;
    bool started;
};

/* ---- statements ---- */

/* Of our own, from sqlite3_mprintf; if it is refused, that is no fault of the command line. */
static enum status say(const struct clickhouse_client *c, const char *server, char *sql, bool ends, http_text *text,
                       struct error *err)
{
    const struct clickhouse_statement q = { .sql = sql,
                                            .ends = ends,
                                            .parameters = "&allow_experimental_low_cardinality_type=1" };
    enum status st = sql == NULL ? error_memory(err, "ClickHouse") : clickhouse_run(c, server, &q, text, err);
    sqlite3_free(sql);
    return st == ERR_USAGE ? ERR_IO : st;
}

static char *columns_of(const struct table *t)
{
    sqlite3_str *s = sqlite3_str_new(NULL);
    for (size_t i = 0; i < t->column_count; i++)
        sqlite3_str_appendf(s, "%s`%s` %s", i > 0 ? ", " : "", t->columns[i].name,
                            native_type(t->columns[i].type, is_always(t, t->columns[i].name)));
    return sqlite3_str_finish(s);
}

/* Leaves out the types of events that follow from the code. */
static void leave_out_derived(struct chosen_events *f)
{
    struct event_choice kept = { 0 };
    for (unsigned i = 0; i < EVENT_LIMIT; i++) {
        bool chosen = f->events.count == 0 && event_name(i) != NULL;
        for (size_t k = 0; !chosen && k < f->events.count; k++)
            chosen = f->events.items[k] == i;
        if (chosen && !derive_event_valueless(i))
            kept.items[kept.count++] = i;
    }
    f->events = kept;
    f->filter.events = f->events.items;
    f->filter.event_count = kept.count;
    f->all = false;
}

static bool is_wanted(const struct export_job *x, const struct table *t)
{
    const char *only = x->options.table;
    return only == NULL || strcmp(only, "all") == 0 || strcmp(only, t->name) == 0;
}

static enum status make_database(const struct load *l, const struct clickhouse_client *c, struct error *err)
{
    enum status st = OK;
    if (l->x->options.replace)
        st = say(c, l->server, sqlite3_mprintf("DROP DATABASE IF EXISTS %s_loading", l->database), false, NULL, err);
    if (st == OK)
        st = say(c, l->server, sqlite3_mprintf("CREATE DATABASE %s_loading", l->database), false, NULL, err);
    if (st != OK && strstr(err->text, "already exists") != NULL)
        st = error_set(err, ERR_EXISTS,
                       "%s: the database %s_loading is there: another export makes it now, or was killed; "
                       "--replace drops it",
                       l->server, l->database);
    return st;
}

static enum status make_table(const struct load *l, const struct clickhouse_client *c, const struct table *t,
                              struct error *err)
{
    char *columns = columns_of(t);
    enum status st = say(c, l->server,
                         sqlite3_mprintf("CREATE TABLE %s_loading.%s (%s) ENGINE = MergeTree ORDER BY (%s)",
                                         l->database, t->name, columns, sorting_of(t)->key),
                         false, NULL, err);
    sqlite3_free(columns);
    return st;
}

/* The first number of the answer. */
static enum status ask_number(const struct load *l, const struct clickhouse_client *c, char *sql, uint64_t *n,
                              struct error *err)
{
    http_text text = { 0 };
    enum status st = say(c, l->server, sql, false, &text, err);
    if (st == OK && vec_push(&text) == NULL)
        st = error_memory(err, "ClickHouse");
    if (st == OK) {
        text.items[text.count - 1] = '\0';
        text.items[strcspn(text.items, "\n")] = '\0';
        if (!cli_u64(text.items, n))
            st = error_set(err, ERR_FORMAT, "%s: a count is '%s'", l->server, text.items);
    }
    vec_free(&text);
    return st;
}

/* ---- rows ---- */

static uint32_t always_of(const struct table *t)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < t->column_count; i++)
        bits |= (uint32_t)is_always(t, t->columns[i].name) << i;
    return bits;
}

static enum status send_rows(struct worker *w, const struct table *t, struct error *err)
{
    char sql[192];
    (void)snprintf(sql, sizeof sql, "INSERT INTO %s_loading.%s FORMAT Native", w->load->database, t->name);
    const struct clickhouse_statement q = { .sql = sql,
                                            .parameters = "&allow_experimental_low_cardinality_type=1",
                                            .body = w->native.body.data,
                                            .body_bytes = w->native.body.size };
    enum status st = w->native.body.size == 0 ? OK : clickhouse_run(&w->client, w->load->server, &q, NULL, err);
    w->native.body.size = 0;
    return st == ERR_USAGE ? ERR_IO : st;
}

static enum status send_piece(struct worker *w, const struct piece *p, uint64_t *count, bool *usage, struct error *err)
{
    const uint32_t always = always_of(p->table);
    struct export_job *x = w->load->x;
    struct rows_from from = { .trace = w->trace,
                              .table = p->table,
                              .from = p->from,
                              .to = p->to,
                              .wanted = ROWS_ALL_COLUMNS,
                              .filter = (p->table->traits & OF_EVENTS) != 0 ? x->filter : NULL };
    struct rows r;
    enum status st = OK;
    uint64_t left = x->limit; /* given: a piece is a table */
    bool ok = rows_open(&r, &from);
    while (ok && st == OK && rows_next(&r) && left > 0) {
        if (r.count > left)
            r.count = (size_t)left;
        left -= r.count;
        *count += r.count;
        if (!native_block(&w->native, &r, always))
            st = error_memory(err, "%s", p->table->name);
        else if (w->native.body.size >= BODY_BYTES)
            st = send_rows(w, p->table, err);
    }
    if (!rows_close(&r) && st == OK) {
        *usage = r.usage;
        st = error_set(err, ERR_IO, "%s", r.error.text);
    }
    return st == OK ? send_rows(w, p->table, err) : st;
}

/* ---- threads ---- */

static bool take_piece(struct load *l, struct piece *p)
{
    (void)pthread_mutex_lock(&l->lock);
    const bool more = !l->failed && !interrupt_seen() && l->taken < l->pieces.count;
    if (more)
        *p = l->pieces.items[l->taken++];
    (void)pthread_mutex_unlock(&l->lock);
    return more;
}

static void end_piece(struct worker *w, const struct piece *p, enum status st, uint64_t count, bool usage,
                      const struct error *err)
{
    struct load *l = w->load;
    (void)pthread_mutex_lock(&l->lock);
    l->done++;
    l->rows[p->table - table_list] += count;
    if (st != OK && !l->failed) {
        l->failed = true;
        l->usage = usage;
        l->error = *err;
    }
    const size_t done = l->done;
    (void)pthread_mutex_unlock(&l->lock);
    if (!w->started)
        progress_line_show("rows", done, l->pieces.count);
}

static void *work(void *context)
{
    struct worker *w = context;
    struct piece p;
    while (take_piece(w->load, &p)) {
        struct error err = { 0 };
        uint64_t count = 0;
        bool usage = false;
        enum status st = w->client.http != NULL ? OK : clickhouse_open(&w->client, &err);
        if (st == OK)
            st = send_piece(w, &p, &count, &usage, &err);
        end_piece(w, &p, st, count, usage, &err);
    }
    return NULL;
}

static int is_interrupted(void *context, uint64_t done, uint64_t total, const char *phase)
{
    (void)context;
    (void)done;
    (void)total;
    (void)phase;
    return interrupt_seen();
}

/* One more reader of the trace; where it cannot be, the others do its work. */
static void begin_worker(struct worker *w, struct load *l)
{
    struct hs_error error = HS_ERROR_INIT;
    sigset_t all, before;
    w->load = l;
    if (hs_open(hs_dir(l->x->trace), 0, NULL, &w->trace, &error) != 0)
        return;
    hs_set_progress(w->trace, is_interrupted, NULL);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    w->started = true;
    w->started = pthread_create(&w->thread, NULL, work, w) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_worker(struct worker *w)
{
    if (w->started)
        (void)pthread_join(w->thread, NULL);
    clickhouse_close(&w->client);
    native_done(&w->native);
    hs_close(w->trace);
}

static bool cut_table(struct load *l, const struct table *t)
{
    const uint64_t events = hs_event_count(l->x->trace);
    uint64_t from = l->x->filter->filter.from, to = l->x->filter->filter.to;
    struct piece *p;
    if (!l->parts || (t->traits & (OF_EVENTS | KEYED)) != (OF_EVENTS | KEYED) || events == 0)
        return (p = vec_push(&l->pieces)) != NULL && (*p = (struct piece){ t, 0, UINT64_MAX }, true);
    for (to = to < events ? to : events - 1; from <= to; from += RANGE_EVENTS) {
        if ((p = vec_push(&l->pieces)) == NULL)
            return false;
        *p = (struct piece){ t, from, to - from < RANGE_EVENTS ? to : from + RANGE_EVENTS - 1 };
    }
    return true;
}

/* The rows of all tables. */
static void send_all(struct load *l, struct clickhouse_client *c)
{
    struct worker workers[JOBS_MAX] = { 0 };
    uint64_t jobs = l->x->jobs > 0 ? l->x->jobs : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (!l->parts)
        jobs = 1;
    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    if (jobs > 1)
        hs_set_jobs(l->x->trace, 1);
    workers[0] = (struct worker){ .load = l, .trace = l->x->trace, .client = *c };
    for (uint64_t i = 1; i < jobs && i < l->pieces.count; i++)
        begin_worker(&workers[i], l);
    (void)work(&workers[0]);
    native_done(&workers[0].native);
    for (uint64_t i = 1; i < jobs; i++)
        end_worker(&workers[i]);
}

/* ---- from beginning to end ---- */

static enum status is_there(const struct load *l, const struct clickhouse_client *c, const struct table *t, bool *there,
                            struct error *err)
{
    uint64_t n = 0;
    enum status st =
        ask_number(l, c,
                   sqlite3_mprintf("SELECT count() FROM system.tables WHERE database = '%s' AND name = '%s'",
                                   l->database, t->name),
                   &n, err);
    *there = n > 0;
    return st;
}

/* What is there may be replaced, or is an error before anything is sent. */
static enum status check_free(const struct load *l, const struct clickhouse_client *c, struct error *err)
{
    enum status st = OK;
    bool there = false;
    for (size_t i = 0; st == OK && !l->x->options.replace && i < TABLE_COUNT; i++) {
        if (!is_wanted(l->x, &table_list[i]))
            continue;
        st = is_there(l, c, &table_list[i], &there, err);
        if (st == OK && there)
            st = error_set(err, ERR_EXISTS, "%s: the database %s has a table %s: --replace, or another --database",
                           l->server, l->database, table_list[i].name);
    }
    return st;
}

/* Does the server have the rows that were sent? */
static enum status check_rows(const struct load *l, const struct clickhouse_client *c, const struct table *t,
                              struct error *err)
{
    uint64_t n = 0;
    enum status st =
        ask_number(l, c, sqlite3_mprintf("SELECT count() FROM %s_loading.%s", l->database, t->name), &n, err);
    if (st == OK && n != l->rows[t - table_list])
        st = error_set(err, ERR_STORE, "%s: the table %s has %llu rows, not the %llu that were sent", l->server,
                       t->name, (unsigned long long)n, (unsigned long long)l->rows[t - table_list]);
    return st;
}

/* All tables get their names by one statement. */
static enum status publish(const struct load *l, const struct clickhouse_client *c, struct error *err)
{
    sqlite3_str *s = sqlite3_str_new(NULL);
    const char *d = l->database, *between = "RENAME TABLE";
    enum status st = say(c, l->server, sqlite3_mprintf("CREATE DATABASE IF NOT EXISTS %s", d), false, NULL, err);
    for (size_t i = 0; st == OK && i < TABLE_COUNT; i++) {
        const char *t = table_list[i].name;
        bool there = false;
        if (!is_wanted(l->x, &table_list[i]))
            continue;
        st = check_rows(l, c, &table_list[i], err);
        if (st == OK)
            st = is_there(l, c, &table_list[i], &there, err);
        if (there)
            sqlite3_str_appendf(s, "%s %s.%s TO %s_loading.old_%s", between, d, t, d, t), between = ",";
        sqlite3_str_appendf(s, "%s %s_loading.%s TO %s.%s", between, d, t, d, t), between = ",";
    }
    char *rename = sqlite3_str_finish(s);
    if (st == OK)
        return say(c, l->server, rename, true, NULL, err);
    sqlite3_free(rename);
    return st;
}

static enum status load(struct load *l, struct clickhouse_client *c, bool *made, struct error *err)
{
    enum status st = check_free(l, c, err);
    if (st == OK)
        st = make_database(l, c, err);
    *made = st == OK;
    for (size_t i = 0; st == OK && i < TABLE_COUNT; i++) {
        if (!is_wanted(l->x, &table_list[i]))
            continue;
        st = make_table(l, c, &table_list[i], err);
        if (st == OK && !cut_table(l, &table_list[i]))
            st = error_memory(err, "clickhouse");
    }
    if (st != OK)
        return st;
    send_all(l, c);
    if (interrupt_seen())
        return error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED));
    if (l->failed)
        *err = l->error;
    return l->failed ? err->status : publish(l, c, err);
}

/* The name of the trace, of which what a name cannot have is _. */
static void name_database(const struct export_job *x, char *name, size_t size)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s", hs_dir(x->trace));
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = '\0';
    const char *slash = strrchr(path, '/');
    (void)snprintf(name, size, "%s", slash != NULL ? slash + 1 : path);
    for (char *c = name; *c != '\0'; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9'))
            *c = '_';
}

bool export_clickhouse(struct export_job *x)
{
    char name[48];
    struct clickhouse_client c = { 0 };
    struct load l = { .x = x, .server = x->options.server, .database = x->options.database };
    struct error err = { 0 }, left = { 0 };
    struct chosen_events inputs = *x->filter;
    bool made = false;
    if (l.server == NULL)
        return export_wrong(x, "--server http://HOST:8123 is missing");
    if (l.database == NULL) {
        name_database(x, name, sizeof name);
        l.database = name;
    }
    if (!clickhouse_is_name(l.database) || strlen(l.database) >= sizeof name)
        return export_wrong(x, "--database wants a name of letters, digits and _, of at most %d", (int)sizeof name - 1);
    if (clickhouse_check_server(l.server, &err) != OK)
        return export_wrong(x, "%s", err.text);
    if (x->options.table != NULL && strcmp(x->options.table, "all") != 0 && !export_table_fits(x))
        return false;
    if (x->options.derived != NULL && strcmp(x->options.derived, "none") == 0) {
        leave_out_derived(&inputs);
        x->filter = &inputs;
        if (inputs.events.count == 0)
            return export_wrong(x, "--derived none: all of the chosen events follow from the bytecode");
    }
    l.parts = x->limit == UINT64_MAX && x->filter->where == NULL;
    (void)pthread_mutex_init(&l.lock, NULL);
    interrupt_patience(END_S);
    enum status st = clickhouse_open(&c, &err);
    if (st == OK)
        st = load(&l, &c, &made, &err);
    progress_line_erase();
    if (made &&
        say(&c, l.server, sqlite3_mprintf("DROP DATABASE IF EXISTS %s_loading", l.database), true, NULL, &left) != OK)
        st = error_set(&err, ERR_IO, "%s%s%s_loading is left there, which --replace drops: %s", err.text,
                       st != OK ? "; " : "", l.database, left.text);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        x->rows += l.rows[i];
    clickhouse_close(&c);
    vec_free(&l.pieces);
    (void)pthread_mutex_destroy(&l.lock);
    return st == OK || (l.usage ? export_wrong(x, "%s", err.text) : export_fail(x, "%s", err.text));
}
