/* cmd_fleet.c - `hindsight fleet`: many traces in one folder or bucket (fleet/place.h), and what can be asked of all of
 * them (fleet/catalogue.h, fleet/query.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reader/command/cli.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/gather.h"
#include "reader/fleet/place.h"
#include "reader/fleet/query.h"
#include "reader/fleet/running.h"

struct args {
    struct common common;
    const char *to, *from, *endpoint, *output, *older_than, *max_bytes, *engine, *cluster, *database;
    struct texts headers, servers;
    bool dry_run;
};
static const struct option_row options[] = {
    { "to", 0, "DIR|URL", OPTION_DIRECTORY, offsetof(struct args, to),
      "push: the folder of the fleet, which is made, or s3://BUCKET/PREFIX; default: the environment variable "
      "HINDSIGHT_FLEET" },
    { "from", 0, "DIR|URL", OPTION_DIRECTORY, offsetof(struct args, from),
      "query, open, prune: the folder of the fleet, or s3://BUCKET/PREFIX; default: the environment variable "
      "HINDSIGHT_FLEET" },
    { "endpoint", 0, "URL", OPTION_TEXT, offsetof(struct args, endpoint),
      "the server of s3://, as http://localhost:9000; default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, Amazon's" },
    { "request", 0, "HEADER", OPTION_TEXTS, offsetof(struct args, headers),
      "push: keep the values of this header in the table requests; may be repeated" },
    { "engine", 0, "sqlite|duckdb", OPTION_CHOICE, offsetof(struct args, engine),
      "query: what runs SQL; duckdb: the library that HINDSIGHT_DUCKDB names, or libduckdb.so; default: sqlite" },
    { "server", 0, "URL", OPTION_TEXTS, offsetof(struct args, servers),
      "query: a server of ClickHouse, http://HOST:8123, which gets the rows and runs SQL; may be repeated, for the "
      "shards of --cluster" },
    { "cluster", 0, "NAME", OPTION_TEXT, offsetof(struct args, cluster),
      "query: the servers are this cluster of their configuration" },
    { "database", 0, "NAME", OPTION_TEXT, offsetof(struct args, database),
      "query: where the servers keep the rows, one name for each fleet; default: hindsight" },
    { "output", 'o', "OUT", OPTION_DIRECTORY, offsetof(struct args, output),
      "open: the new directory of the trace; default: hindsight-RUN" },
    { "older-than", 0, "AGE", OPTION_TEXT, offsetof(struct args, older_than),
      "prune: remove runs pushed longer ago: 30d, 12h, 90m, 10s" },
    { "max-bytes", 0, "SIZE", OPTION_TEXT, offsetof(struct args, max_bytes),
      "prune: remove the oldest runs until the others have at most SIZE: 500M, 20G" },
    { "dry-run", 0, NULL, OPTION_FLAG, offsetof(struct args, dry_run), "prune: show what would be removed" },
    { 0 },
};
const struct usage usage_fleet = {
    .about =
        "push puts a trace into a folder, or a bucket of S3 (keys and region are those of the usual variables "
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION): it appears there whole, by one rename, and never "
        "changes; the same trace again changes nothing. Of a trace that is still being recorded a copy is pushed, "
        "which the next push of it replaces in all answers. Its name is a hash of its contents. Many processes may "
        "push at once. query asks SQL of SQLite over the tables runs builds calls exceptions marks requests, which "
        "have one row a run, class, method and so on; runs/*/TABLE.parquet in the folder has the same rows for other "
        "engines. open copies the trace of a run to a new directory, whose path it prints; a unique beginning of the "
        "name will do. prune removes runs by age and size, those that a later push of their recording replaced, and "
        "what processes that died have left.\n"
        "push --request HEADER finds requests that go through several JVMs: where a parameter is HEADER, in any case, "
        "the parameter behind it, or else the result, is the value.",
    .example = "hindsight fleet push hindsight-20261120-2031-4711 --to fleet",
    .options = options,
    .choices = "push query open prune",
};

static int fail(struct context *context, const struct error *err)
{
    if (err->status == ERR_CANCELLED)
        return interrupt_status();
    return cli_fail(err->status == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, context, "%s", err->text);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define ROWS "reader/answers/fleet_runs.def"
#define ROW  const struct run_id *id, const char *trace, int pushed, int running, uint64_t bytes, uint64_t age_seconds
#include "reader/answers/row.h"

/* ---- push ---- */

static void show_push(struct out *o, bool json, const struct push *p, bool added, bool running)
{
    if (!json) {
        out_format(o, "%s  %s%s\n", p->id.text, added ? "pushed" : "was there already",
                   running ? ", while it is being recorded" : "");
        return;
    }
    fleet_runs_json(o, &p->id, NULL, added, running, p->bytes, HS_NO_SEQ);
}

/* The name of the directory, also of "." and "trace/". */
static const char *base_name(const char *dir, char real[PATH_MAX])
{
    const char *slash = realpath(dir, real) != NULL ? strrchr(real, '/') : NULL;
    return slash != NULL && slash[1] != '\0' ? slash + 1 : dir;
}

/* A trace and where it is pushed to. `stage`: the copy of one that is being recorded. */
struct pushing {
    struct session *session;
    const struct args *args;
    struct place *place;
    struct push stage, push;
    char name[PATH_MAX]; /* of its directory */
    bool running, added;
};

static enum status push_trace(struct pushing *x, struct error *err)
{
    hs_trace *trace = x->session->trace;
    const char *started = hs_info(trace, "started");
    struct run_id recording;
    bool there = false;
    enum status st = push_begin(&x->push, &x->place->folder, err);
    if (st == OK)
        st = push_copy(&x->push, hs_dir(trace), err);
    if (st == OK)
        st = push_recording(&x->push, started != NULL ? started : "", &recording, err);
    if (st == OK)
        st = place_has(x->place, &x->push, &there, err);
    if (st != OK || there)
        return st;
    struct catalogue_run run = { .trace = trace,
                                 .id = x->push.id.text,
                                 .name = x->name,
                                 .recording = recording.text,
                                 .headers = &x->args->headers,
                                 .pushed_ns = now_ns(),
                                 .bytes = x->push.bytes };
    st = catalogue_write(&run, x->push.dir, x->push.path, err);
    return st == OK ? place_publish(x->place, &x->push, &x->added, err) : st;
}

/* Puts the copy in the place of the trace of the session. */
static enum status stage_running(struct pushing *x, struct error *err)
{
    struct session *s = x->session;
    char *dir = strdup(hs_dir(s->trace));
    if (dir == NULL)
        return error_memory(err, "push");
    hs_close(s->trace);
    enum status st = running_stage(&x->stage, &x->place->folder, dir, &s->trace, err);
    if (st == OK)
        hs_set_progress(s->trace, session_step, s->context);
    x->running = st == OK && hs_info(s->trace, "end") == NULL;
    free(dir);
    return st;
}

static enum status push_to(struct pushing *x, const char *where, struct error *err)
{
    interrupt_catch_ends();
    enum status st = place_open(x->place, where, x->args->endpoint, true, err);
    if (st == OK && !x->place->in_bucket) /* what was left in a bucket is removed by prune */
        st = place_sweep(x->place, now_ns(), err);
    if (st == OK && hs_info(x->session->trace, "end") == NULL)
        st = stage_running(x, err);
    if (st == OK)
        st = push_trace(x, err);
    push_end(&x->push);
    push_end(&x->stage);
    place_close(x->place);
    progress_line_erase();
    return st;
}

static int push(struct context *context, const struct args *a, const char *where)
{
    struct session s;
    struct place p;
    struct pushing x = { .session = &s, .args = a, .place = &p, .stage = { .dir = -1 }, .push = { .dir = -1 } };
    struct error err = { 0 };
    char real[PATH_MAX];
    char *trace = a->common.arguments[1] != NULL ? strdup(a->common.arguments[1]) : cli_newest_trace();
    if (trace != NULL && running_store(trace, &err) != OK) {
        free(trace);
        return fail(context, &err);
    }
    int status = session_open(&s, context, &a->common, trace);
    free(trace);
    if (status != PARSED)
        return status;
    if (hs_info(s.trace, "end") != NULL && (status = session_needs_end(&s)) != PARSED)
        return status;
    (void)snprintf(x.name, sizeof x.name, "%s", base_name(hs_dir(s.trace), real));
    enum status st = push_to(&x, where, &err);
    if (st == OK)
        show_push(&s.out, a->common.json, &x.push, x.added, x.running);
    if (st == OK && !x.running)
        return session_close(&s, EXIT_DONE);
    if (st != OK && !interrupt_seen())
        (void)cli_fail(EXIT_FAILED, context, "%s", err.text);
    hs_close(s.trace);
    status = st == OK ? EXIT_DONE : interrupt_seen() ? interrupt_status() : st == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
    return cli_out_end(&s.out, context, status);
}

/* ---- query ---- */

static int query(struct context *context, const struct args *a, struct place *p)
{
    const struct fleet_question question = { .common = &a->common,
                                             .sql = a->common.arguments[1],
                                             .engine = a->engine,
                                             .clickhouse = { &a->servers, a->cluster, a->database } };
    return fleet_ask(context, &question, p);
}

/* ---- open ---- */

static int open_run(struct context *context, const struct args *a, struct place *p)
{
    struct error err = { 0 };
    struct run_id id;
    struct out o;
    char name[sizeof "hindsight-" + RUN_ID_CHARS];
    const char *output = a->output != NULL ? a->output : name;
    if (a->common.arguments[1] == NULL)
        return cli_fail(EXIT_USAGE, context, "open: RUN is missing: SELECT run, name FROM runs lists them");
    if (place_find(p, a->common.arguments[1], &id, &err) != OK)
        return fail(context, &err);
    (void)snprintf(name, sizeof name, "hindsight-%s", id.text);
    if (place_copy_out(p, &id, output, &err) != OK)
        return fail(context, &err);
    place_close(p);
    if (!cli_out_init(&o, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (a->common.json)
        fleet_runs_json(&o, &id, output, -1, -1, HS_NO_SEQ, HS_NO_SEQ);
    else
        out_line(&o, output);
    return cli_out_end(&o, context, EXIT_DONE);
}

/* ---- prune ---- */

struct unit {
    char letter; /* 0: none */
    uint64_t factor;
};
static const struct unit of_age[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 }, { 0 } };
static const struct unit of_size[] = {
    { 0, 1 },
    { 'k', (uint64_t)1 << 10 },
    { 'M', (uint64_t)1 << 20 },
    { 'G', (uint64_t)1 << 30 },
    { 'T', (uint64_t)1 << 40 },
    { 0 },
};

/* A number with one of the units behind it, of at most 2^62. */
static bool read_amount(const char *text, const struct unit *units, uint64_t *out)
{
    char digits[24];
    size_t n = strspn(text, "0123456789");
    if (n == 0 || n >= sizeof digits)
        return false;
    (void)snprintf(digits, sizeof digits, "%.*s", (int)n, text);
    for (const struct unit *u = units; u->factor != 0; u++)
        if (text[n] == u->letter && (u->letter == '\0' || text[n + 1] == '\0'))
            return cli_u64(digits, out) && !__builtin_mul_overflow(*out, u->factor, out) && *out >> 62 == 0;
    return false;
}

static void show_pruned(struct out *o, bool json, const struct stored_run *r, uint64_t age_s)
{
    if (!json) {
        out_format(o, "%s %14llu bytes %10llu s\n", r->id.text, (unsigned long long)r->bytes,
                   (unsigned long long)age_s);
        return;
    }
    fleet_runs_json(o, &r->id, NULL, -1, -1, r->bytes, age_s);
}

static bool is_among(const run_ids *ids, const struct run_id *id)
{
    for (size_t i = 0; i < ids->count; i++)
        if (strcmp(ids->items[i].text, id->text) == 0)
            return true;
    return false;
}

static int prune(struct context *context, const struct args *a, struct place *p)
{
    stored_runs runs = { 0 };
    run_ids replaced = { 0 };
    struct gathered g = { 0 };
    struct error err = { 0 };
    struct out o;
    uint64_t age_s = UINT64_MAX, most = UINT64_MAX, all = 0;
    const uint64_t now = now_ns();
    if (a->common.arguments[1] != NULL)
        return cli_fail(EXIT_USAGE, context, "unexpected argument '%s'", a->common.arguments[1]);
    if (a->older_than != NULL && !read_amount(a->older_than, of_age, &age_s))
        return cli_fail(EXIT_USAGE, context, "--older-than wants a number with s, m, h, d or w, not '%s'",
                        a->older_than);
    if (a->max_bytes != NULL && !read_amount(a->max_bytes, of_size, &most))
        return cli_fail(EXIT_USAGE, context, "--max-bytes wants a number, with k, M, G or T behind it, not '%s'",
                        a->max_bytes);
    if (!cli_out_init(&o, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    enum status st = a->dry_run ? OK : place_sweep(p, now, &err);
    if (st == OK)
        st = gather_open(&g, context, p, &err);
    if (st == OK)
        st = gather_replaced(&g, &replaced, &err);
    gather_close(&g);
    if (st == OK)
        st = place_list(p, &runs, NULL, &err);
    for (size_t i = 0; i < runs.count; i++)
        all += runs.items[i].bytes;
    for (size_t i = 0; st == OK && i < runs.count; i++) { /* the oldest first */
        const struct stored_run *r = &runs.items[i];
        const uint64_t age = r->pushed_ns < now ? (now - r->pushed_ns) / 1000000000u : 0;
        if ((a->older_than == NULL || age <= age_s) && all <= most && !is_among(&replaced, &r->id))
            continue;
        all -= r->bytes;
        if (!a->dry_run)
            st = place_remove(p, &r->id, &err);
        if (st == OK)
            show_pruned(&o, a->common.json, r, age);
    }
    vec_free(&runs);
    vec_free(&replaced);
    return cli_out_end(&o, context, st == OK ? EXIT_DONE : fail(context, &err));
}

/* ---- the command ---- */

int cmd_fleet(struct context *context)
{
    static const struct {
        const char *name;
        int (*run)(struct context *context, const struct args *a, struct place *p);
    } actions[] = { { "query", query }, { "open", open_run }, { "prune", prune } };
    struct args a = { 0 };
    struct place p;
    struct error err = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *action = a.common.arguments[0], *where = a.to != NULL ? a.to : a.from;
    if (action == NULL)
        return cli_fail(EXIT_USAGE, context, "what to do is missing: push, query, open or prune");
    size_t known = 0;
    while (known < sizeof actions / sizeof *actions && strcmp(action, actions[known].name) != 0)
        known++;
    if (known == sizeof actions / sizeof *actions && strcmp(action, "push") != 0)
        return cli_fail(EXIT_USAGE, context, "'%s' is none of push, query, open and prune", action);
    if (where == NULL)
        where = getenv("HINDSIGHT_FLEET");
    if (where == NULL || where[0] == '\0')
        return cli_fail(EXIT_USAGE, context, "%s: --%s DIR is missing, and HINDSIGHT_FLEET is not set", action,
                        strcmp(action, "push") == 0 ? "to" : "from");
    if (strcmp(action, "push") == 0)
        return push(context, &a, where);
    interrupt_catch();
    interrupt_catch_ends(); /* a folder below TMPDIR is removed */
    status = place_open(&p, where, a.endpoint, false, &err) == OK ? actions[known].run(context, &a, &p)
                                                                  : fail(context, &err);
    place_close(&p);
    return status;
}
