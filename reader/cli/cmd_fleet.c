/* cmd_fleet.c - `hindsight fleet`: many traces in one folder or bucket (fleet/place.h), and what can be asked of all of
 * them (fleet/catalogue.h, fleet/query.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reader/cli/fleet_args.h"
#include "reader/command/cli.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/compact.h"
#include "reader/fleet/gather.h"
#include "reader/fleet/query.h"

static const struct option_row options[] = {
    { "to", 0, "DIR|URL", OPTION_DIRECTORY, offsetof(struct fleet_args, to),
      "init, push, watch: the folder of the fleet, which is made, or s3://BUCKET/PREFIX; default: the environment "
      "variable "
      "HINDSIGHT_FLEET" },
    { "from", 0, "DIR|URL", OPTION_DIRECTORY, offsetof(struct fleet_args, from),
      "all others: the folder of the fleet, or s3://BUCKET/PREFIX; default: the environment variable "
      "HINDSIGHT_FLEET" },
    { "endpoint", 0, "URL", OPTION_TEXT, offsetof(struct fleet_args, endpoint),
      "the server of s3://, as http://localhost:9000; default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, Amazon's" },
    { "request", 0, "HEADER", OPTION_TEXTS, offsetof(struct fleet_args, headers),
      "push, watch, repair: keep the values of this header in the table requests; may be repeated" },
    { "label", 0, "KEY=VALUE", OPTION_TEXTS, offsetof(struct fleet_args, labels),
      "push, watch, repair: say this of the run, in the table labels; list: only runs with this one; may be repeated" },
    { "name", 0, "GLOB", OPTION_TEXT, offsetof(struct fleet_args, name), "list: only runs of this name" },
    { "since", 0, "AGE", OPTION_TEXT, offsetof(struct fleet_args, since),
      "list: only runs that began at most so long ago: 30d, 12h, 90m, 10s" },
    { "exception", 0, "GLOB", OPTION_TEXT, offsetof(struct fleet_args, exception),
      "list: only runs with an exception of this type" },
    { "handled", 0, "VALUE", OPTION_TEXT, offsetof(struct fleet_args, handled),
      "list: only runs that handled this value of a header of --request" },
    { "build", 0, "HASH", OPTION_TEXT, offsetof(struct fleet_args, build),
      "list: only runs of a class with this hash" },
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct fleet_args, fail_if_any),
      "query, compare: exit status 1 if there is a row" },
    { "engine", 0, "sqlite|duckdb", OPTION_CHOICE, offsetof(struct fleet_args, engine),
      "query: what runs SQL; duckdb: the library that HINDSIGHT_DUCKDB names, or libduckdb.so; default: sqlite" },
    { "server", 0, "URL", OPTION_TEXTS, offsetof(struct fleet_args, servers),
      "query: a server of ClickHouse, http://HOST:8123, which gets the rows and runs SQL; may be repeated, for the "
      "shards of --cluster" },
    { "cluster", 0, "NAME", OPTION_TEXT, offsetof(struct fleet_args, cluster),
      "query: the servers are this cluster of their configuration" },
    { "database", 0, "NAME", OPTION_TEXT, offsetof(struct fleet_args, database),
      "query: where the servers keep the rows, one name for each fleet; default: hindsight" },
    { "output", 'o', "OUT", OPTION_DIRECTORY, offsetof(struct fleet_args, output),
      "open: the new directory of the trace; default: hindsight-RUN" },
    { "group", 0, "NAME", OPTION_TEXT, offsetof(struct fleet_args, group),
      "init: the users of this group may push, ask all runs, and remove their own" },
    { "every", 0, "AGE", OPTION_TEXT, offsetof(struct fleet_args, every),
      "watch: look so often (default: 5s); a trace is pushed when two looks find the same" },
    { "once", 0, NULL, OPTION_FLAG, offsetof(struct fleet_args, once),
      "watch: one look, which pushes all, and no more" },
    { "remove", 0, NULL, OPTION_FLAG, offsetof(struct fleet_args, remove),
      "watch: a trace that is in the fleet is removed from the folder" },
    { "older-than", 0, "AGE", OPTION_TEXT, offsetof(struct fleet_args, older_than),
      "prune: remove runs pushed longer ago: 30d, 12h, 90m, 10s" },
    { "max-bytes", 0, "SIZE", OPTION_TEXT, offsetof(struct fleet_args, max_bytes),
      "prune: remove the oldest runs until the others have at most SIZE: 500M, 20G; watch: while the fleet is away "
      "remove the oldest traces until those that wait have at most SIZE" },
    { "dry-run", 0, NULL, OPTION_FLAG, offsetof(struct fleet_args, dry_run),
      "prune, remove, repair: show what would be done" },
    { 0 },
};
const struct usage usage_fleet = {
    .about =
        "push puts a trace into a folder, or a bucket of S3 (keys and region are those of the usual variables "
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION): it appears there whole, by one rename, and never "
        "changes; the same trace again changes nothing. Of a trace that is still being recorded a copy is pushed, "
        "which the next push of it replaces in all answers. Its name is a hash of its contents. Many processes may "
        "push at once. Of a folder that is no trace all traces in it are pushed. watch "
        "pushes the traces of a folder as they appear and are complete, until it is stopped. init makes a folder, for "
        "several users with --group. list shows runs, newest first, show "
        "what is "
        "known of one. query asks SQL of SQLite over the tables runs builds calls exceptions marks requests labels, "
        "which "
        "have one row a run, class, method and so on; runs/*/TABLE.parquet in the folder has the same rows for other "
        "engines. compare says which exceptions only one of two "
        "builds has, and which methods' times changed; a build is a label KEY=VALUE or the hash of a class. "
        "open copies the trace of a run to a new directory, whose path it prints; a unique beginning of the "
        "name will do, also for show, remove and repair. repair makes the tables of a run again from its trace: of "
        "those that are named, or else of all whose tables cannot be read. compact writes the tables of all runs as "
        "one "
        "Parquet file each, below tables/. prune removes runs by age and size, those that a later push of their "
        "recording replaced, and "
        "what processes that died have left.\n"
        "push --request HEADER finds requests that go through several JVMs: where a parameter is HEADER, in any case, "
        "the parameter behind it, or else the result, is the value.",
    .example = "hindsight fleet push hindsight-20261120-2031-4711 --to fleet",
    .options = options,
    .choices = "init push watch list show query compare open repair remove prune compact",
};

#define ROWS "reader/answers/fleet_runs.def"
#include "reader/answers/row.h"

/* ---- query ---- */

static int query(struct context *context, const struct fleet_args *a, struct place *p)
{
    const struct fleet_question question = { .common = &a->common,
                                             .sql = a->common.arguments[1],
                                             .engine = a->engine,
                                             .clickhouse = { &a->servers, a->cluster, a->database },
                                             .fail_if_any = a->fail_if_any };
    return fleet_ask(context, &question, p);
}

/* ---- open ---- */

static int open_run(struct context *context, const struct fleet_args *a, struct place *p)
{
    struct error err = { 0 };
    struct run_id id;
    struct out o;
    char name[sizeof "hindsight-" + RUN_ID_CHARS];
    const char *output = a->output != NULL ? a->output : name;
    if (a->common.arguments[1] == NULL)
        return cli_fail(EXIT_USAGE, context, "open: RUN is missing: SELECT run, name FROM runs lists them");
    if (place_find(p, a->common.arguments[1], &id, &err) != OK)
        return fleet_fail(context, &err);
    (void)snprintf(name, sizeof name, "hindsight-%s", id.text);
    if (place_copy_out(p, &id, output, &err) != OK)
        return fleet_fail(context, &err);
    place_close(p);
    if (!cli_out_init(&o, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    if (a->common.json)
        fleet_runs_json(&o, &id, output, -1, -1, -1, HS_NO_SEQ, HS_NO_SEQ);
    else
        out_line(&o, output);
    return cli_out_end(&o, context, EXIT_DONE);
}

/* ---- prune ---- */

enum { PRUNE_AT_ONCE = 1000 };

static void show_pruned(struct out *o, bool json, const struct stored_run *r, uint64_t age_s)
{
    static const struct {
        const char *name;
        uint64_t seconds;
    } units[] = { { "d", 86400 }, { "h", 3600 }, { "m", 60 }, { "s", 1 } };
    size_t unit = 0;
    while (!json && age_s < units[unit].seconds && units[unit].seconds > 1)
        unit++;
    if (!json) {
        out_format(o, "%s %14llu bytes, pushed %llu%s ago\n", r->id.text, (unsigned long long)r->bytes,
                   (unsigned long long)(age_s / units[unit].seconds), units[unit].name);
        return;
    }
    fleet_runs_json(o, &r->id, NULL, -1, -1, -1, r->bytes, age_s);
}

/* What is to be removed, and how far that is. */
struct pruning {
    struct context *context;
    const struct fleet_args *args;
    struct place *place;
    struct out out;
    uint64_t now_ns;
    stored_runs batch; /* chosen; in a folder one, as each may be of another user, who keeps it */
    size_t kept;
};

/* Removes the batch and shows it. *bytes: of those that stay. */
static enum status prune_batch(struct pruning *x, uint64_t *bytes, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; x->args->max_bytes == NULL && i < x->batch.count; i++)
        place_measure(x->place, &x->batch.items[i]);
    if (!x->args->dry_run && x->batch.count > 0)
        st = place_remove(x->place, &x->batch, err);
    if (st != OK && !x->place->in_bucket && !interrupt_seen()) {
        if (x->kept++ < ODD_SHOWN)
            (void)fleet_fail(x->context, err);
        *bytes += x->batch.items[0].bytes;
        x->batch.count = 0;
        st = OK;
    }
    for (size_t i = 0; st == OK && i < x->batch.count; i++) {
        const struct stored_run *r = &x->batch.items[i];
        const uint64_t age_s = r->pushed_ns < x->now_ns ? (x->now_ns - r->pushed_ns) / 1000000000u : 0;
        show_pruned(&x->out, x->args->common.json, r, age_s);
    }
    x->batch.count = 0;
    return st;
}

static enum status prune_runs(struct pruning *x, const stored_runs *runs, const run_ids *replaced, uint64_t age_s,
                              uint64_t most, struct error *err)
{
    uint64_t all = 0;
    enum status st = OK;
    for (size_t i = 0; i < runs->count; i++)
        all += runs->items[i].bytes;
    for (size_t i = 0; st == OK && i < runs->count; i++) { /* the oldest first */
        const struct stored_run *r = &runs->items[i];
        const uint64_t age = r->pushed_ns < x->now_ns ? (x->now_ns - r->pushed_ns) / 1000000000u : 0;
        if (age <= age_s && all <= most && run_ids_find(replaced, r->id.text) == NULL)
            continue;
        struct stored_run *row = vec_push(&x->batch);
        if (row == NULL)
            return error_memory(err, "prune");
        *row = *r;
        all -= r->bytes;
        if (!x->place->in_bucket || x->batch.count >= PRUNE_AT_ONCE)
            st = prune_batch(x, &all, err);
        progress_line_show("runs", i, runs->count);
    }
    return st == OK ? prune_batch(x, &all, err) : st;
}

static int prune(struct context *context, const struct fleet_args *a, struct place *p)
{
    stored_runs runs = { 0 };
    run_ids replaced = { 0 };
    struct gathered g = { 0 };
    struct error err = { 0 };
    struct pruning x = { .context = context, .args = a, .place = p, .now_ns = fleet_now_ns() };
    uint64_t age_s = UINT64_MAX, most = UINT64_MAX;
    if (a->common.arguments[1] != NULL)
        return cli_fail(EXIT_USAGE, context, "unexpected argument '%s'", a->common.arguments[1]);
    if (a->older_than != NULL && !fleet_age(a->older_than, &age_s))
        return cli_fail(EXIT_USAGE, context, "--older-than wants a number with s, m, h, d or w, not '%s'",
                        a->older_than);
    if (a->max_bytes != NULL && !fleet_size(a->max_bytes, &most))
        return cli_fail(EXIT_USAGE, context, "--max-bytes wants a number, with k, M, G or T behind it, not '%s'",
                        a->max_bytes);
    if (!cli_out_init(&x.out, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    enum status st = place_survey(p, x.now_ns, !a->dry_run, a->max_bytes != NULL, &runs, &err);
    if (st == OK)
        st = gather_open(&g, context, p, &err);
    if (st == OK)
        st = gather_replaced(&g, &replaced, &err);
    const bool whole = g.odd.count == 0;
    gather_close(&g);
    if (st == OK)
        st = prune_runs(&x, &runs, &replaced, age_s, most, &err);
    progress_line_erase();
    vec_free(&runs);
    vec_free(&x.batch);
    vec_free(&replaced);
    if (x.kept > ODD_SHOWN)
        (void)cli_fail(EXIT_FAILED, context, "and %zu more", x.kept - ODD_SHOWN);
    return cli_out_end(&x.out, context,
                       st != OK     ? fleet_fail(context, &err)
                       : x.kept > 0 ? EXIT_FAILED
                       : whole      ? EXIT_DONE
                                    : EXIT_INCOMPLETE);
}

/* ---- compact ---- */

static int compact(struct context *context, const struct fleet_args *a, struct place *p)
{
    struct gathered g;
    run_ids parts = { 0 };
    struct error err = { 0 };
    struct out o;
    if (a->common.arguments[1] != NULL)
        return cli_fail(EXIT_USAGE, context, "unexpected argument '%s'", a->common.arguments[1]);
    enum status st = gather_open(&g, context, p, &err);
    const bool whole = g.odd.count == 0;
    if (st == OK)
        st = fleet_compact(&g, p, &parts, &err);
    gather_close(&g);
    if (!cli_out_init(&o, context, &a->common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    for (size_t i = 0; st == OK && i < parts.count; i++)
        if (a->common.json)
            fleet_runs_json(&o, &parts.items[i], NULL, -1, -1, -1, HS_NO_SEQ, HS_NO_SEQ);
        else
            out_line(&o, parts.items[i].text);
    vec_free(&parts);
    return cli_out_end(&o, context, st != OK ? fleet_fail(context, &err) : whole ? EXIT_DONE : EXIT_INCOMPLETE);
}

/* ---- init ---- */

static int init(struct context *context, const struct fleet_args *a, const char *where)
{
    struct error err = { 0 };
    if (a->common.argument_count > 1)
        return cli_fail(EXIT_USAGE, context, "unexpected argument '%s'", a->common.arguments[1]);
    if (strstr(where, "://") != NULL)
        return cli_fail(EXIT_USAGE, context, "%s: init makes folders; a bucket is shared by the policies of its server",
                        where);
    return fleet_init(where, a->group, &err) == OK ? EXIT_DONE : fleet_fail(context, &err);
}

/* ---- the command ---- */

/* `options`: those of the action, beside --to, --from and --endpoint. Another one is refused, as without it the answer
 * is another one. */
struct action {
    const char *name, *options;
    int (*run)(struct context *context, const struct fleet_args *a, struct place *p);
    int (*run_at)(struct context *context, const struct fleet_args *a, const char *where); /* opens the place itself */
};
static const struct action actions[] = {
    { "init", "group", NULL, init },
    { "push", "request label", NULL, fleet_push },
    { "watch", "request label every once remove max-bytes", NULL, fleet_watch },
    { "list", "name since exception handled build label", fleet_list_runs, NULL },
    { "show", "", fleet_show, NULL },
    { "query", "fail-if-any engine server cluster database", query, NULL },
    { "compare", "fail-if-any", fleet_compare, NULL },
    { "open", "output", open_run, NULL },
    { "repair", "request label dry-run", fleet_repair, NULL },
    { "remove", "dry-run", fleet_remove_runs, NULL },
    { "prune", "older-than max-bytes dry-run", prune, NULL },
    { "compact", "", compact, NULL },
};

static const struct action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

static bool is_given(const struct option_row *o, const struct fleet_args *a)
{
    const void *at = (const char *)a + o->offset;
    return o->type == OPTION_FLAG    ? *(const bool *)at
           : o->type == OPTION_TEXTS ? ((const struct texts *)at)->count > 0
                                     : *(const char *const *)at != NULL;
}

static bool is_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

static const struct option_row *find_stray(const struct fleet_args *a, const struct action *action)
{
    for (const struct option_row *o = options; o->name != NULL; o++)
        if (is_given(o, a) && !is_word("to from endpoint", o->name) && !is_word(action->options, o->name))
            return o;
    return NULL;
}

int cmd_fleet(struct context *context)
{
    struct fleet_args a = { 0 };
    struct place p;
    struct error err = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *name = a.common.arguments[0], *where = a.to != NULL ? a.to : a.from;
    if (name == NULL)
        return cli_fail(EXIT_USAGE, context, "what to do is missing: push, list, query, or another word of -h");
    const struct action *action = find_action(name);
    if (action == NULL)
        return cli_fail(EXIT_USAGE, context, "'%s' is none of %s", name, usage_fleet.choices);
    const struct option_row *stray = find_stray(&a, action);
    if (stray != NULL)
        return cli_fail(EXIT_USAGE, context, "%s has no --%s", name, stray->name);
    if (where == NULL)
        where = getenv("HINDSIGHT_FLEET");
    if (where == NULL || where[0] == '\0')
        return cli_fail(EXIT_USAGE, context, "%s: --%s DIR is missing, and HINDSIGHT_FLEET is not set", name,
                        action->run_at != NULL ? "to" : "from");
    if (action->run_at != NULL)
        return action->run_at(context, &a, where);
    interrupt_catch();
    interrupt_catch_ends(); /* a folder below TMPDIR is removed */
    status =
        place_open(&p, where, a.endpoint, false, &err) == OK ? action->run(context, &a, &p) : fleet_fail(context, &err);
    place_close(&p);
    return status;
}
