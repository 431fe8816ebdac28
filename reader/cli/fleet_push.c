/* fleet_push.c - `hindsight fleet push`: a trace, or those of a folder, become runs. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/bundle.h"
#include "formats/schema.h"
#include "reader/cli/fleet_args.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/running.h"

#define ROWS "reader/answers/fleet_runs.def"
#include "reader/answers/row.h"

static void show_push(struct out *o, bool json, const struct push *p, bool added, bool running)
{
    if (!json) {
        out_format(o, "%s  %s%s\n", p->id.text, added ? "pushed" : "was there already",
                   running ? ", while it is being recorded" : "");
        return;
    }
    fleet_runs_json(o, &p->id, NULL, added, running, -1, p->bytes, HS_NO_SEQ);
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
    const struct fleet_args *args;
    struct place *place;
    struct push stage, push;
    char name[PATH_MAX]; /* of its directory */
    bool running, added;
    bool refused; /* what is wrong is wrong with the trace */
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
    x->refused = st == ERR_FORMAT;
    if (st == OK)
        st = place_has(x->place, &x->push, &there, err);
    if (st != OK || there)
        return st;
    struct catalogue_run run = { .trace = trace,
                                 .id = x->push.id.text,
                                 .name = x->name,
                                 .recording = recording.text,
                                 .headers = &x->args->headers,
                                 .labels = &x->args->labels,
                                 .pushed_ns = fleet_now_ns(),
                                 .bytes = x->push.bytes };
    st = catalogue_write(&run, x->push.dir, x->push.path, err);
    x->refused = st == ERR_FORMAT;
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
        fleet_sweep(&x->place->folder);
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

/* The exit status. `away`, if not NULL, gets why the fleet does not take it, which is not said then, and a trace that
 * is being recorded is left: STILL_RUNNING. */
enum { STILL_RUNNING = -1 };
static int push_one(struct context *context, const struct fleet_args *a, const char *where, const char *trace,
                    struct error *away)
{
    struct session s;
    struct place p;
    struct pushing x = { .session = &s, .args = a, .place = &p, .stage = { .dir = -1 }, .push = { .dir = -1 } };
    struct error err = { 0 };
    char real[PATH_MAX];
    if (away == NULL && trace != NULL && running_store(trace, &err) != OK)
        return fleet_fail(context, &err);
    int status = session_open(&s, context, &a->common, trace);
    if (status != PARSED)
        return status;
    if (away != NULL && hs_info(s.trace, "end") == NULL) {
        hs_close(s.trace);
        out_done(&s.out);
        return STILL_RUNNING;
    }
    if (hs_info(s.trace, "end") != NULL && (status = session_needs_end(&s)) != PARSED)
        return status;
    (void)snprintf(x.name, sizeof x.name, "%s", base_name(hs_dir(s.trace), real));
    enum status st = push_to(&x, where, &err);
    if (st == OK)
        show_push(&s.out, a->common.json, &x.push, x.added, x.running);
    if (st == OK && !x.running)
        return session_close(&s, EXIT_DONE);
    if (st != OK && away != NULL && !x.refused)
        *away = err;
    else if (st != OK && !interrupt_seen())
        (void)cli_fail(EXIT_FAILED, context, "%s", err.text);
    hs_close(s.trace);
    status = st == OK ? EXIT_DONE : interrupt_seen() ? interrupt_status() : st == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
    return cli_out_end(&s.out, context, status);
}

enum pushed fleet_push_spooled(struct context *context, const struct fleet_args *a, const char *where,
                               const char *trace, int *status, struct error *err)
{
    *status = push_one(context, a, where, trace, err);
    if (err->status == ERR_LIMIT || err->status == ERR_EXISTS) { /* it is the trace: too large, or another is there */
        (void)fleet_fail(context, err);
        return PUSH_REFUSED;
    }
    return err->status != OK                                    ? PUSH_AWAY
           : *status == STILL_RUNNING                           ? PUSH_RUNNING
           : *status == EXIT_DONE || *status == EXIT_INCOMPLETE ? PUSH_DONE
                                                                : PUSH_REFUSED;
}

/* ---- many ---- */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool is_trace(const char *path)
{
    struct bundle b;
    struct error none;
    char data[PATH_MAX];
    struct stat st;
    int n = snprintf(data, sizeof data, "%s/" TRACE_DATA_FILE, path);
    return n > 0 && (size_t)n < sizeof data && (lstat(data, &st) == 0 || bundle_read(path, &b, &none) == OK);
}

static bool add_path(fleet_paths *out, const char *path)
{
    char **row = vec_push(out);
    return row != NULL && (*row = strdup(path)) != NULL;
}

void fleet_paths_done(fleet_paths *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->items[i]);
    vec_free(p);
}

bool fleet_traces_below(fleet_paths *out, const char *path)
{
    DIR *d = opendir(path);
    const size_t before = out->count;
    char below[PATH_MAX];
    bool room = true;
    for (const struct dirent *e; room && d != NULL && (e = readdir(d)) != NULL;) {
        int n = snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (e->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof below || !is_trace(below))
            continue;
        room = add_path(out, below);
    }
    if (d != NULL)
        (void)closedir(d);
    if (out->count > before)
        qsort(out->items + before, out->count - before, sizeof *out->items, by_text);
    return room;
}

/* The trace, or those of a folder of traces; what is neither is left for session_open to refuse. False: out of
 * memory. */
static bool add_traces(fleet_paths *out, const char *path)
{
    const size_t before = out->count;
    return (is_trace(path) || fleet_traces_below(out, path)) && (out->count > before || add_path(out, path));
}

bool fleet_labels_are(const struct texts *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i][0] == '=' || strchr(labels->items[i], '=') == NULL)
            return false;
    return true;
}

/* All of them; the exit status is that of the first one that is not done. */
int fleet_push(struct context *context, const struct fleet_args *a, const char *where)
{
    fleet_paths traces = { 0 };
    bool room = true;
    int status = EXIT_DONE;
    if (!fleet_labels_are(&a->labels))
        return cli_fail(EXIT_USAGE, context, "push: --label wants KEY=VALUE");
    for (int i = 1; room && i < a->common.argument_count; i++)
        room = add_traces(&traces, a->common.arguments[i]);
    if (!room)
        status = cli_fail(EXIT_FAILED, context, "out of memory");
    else if (a->common.argument_count < 2) {
        char *newest = cli_newest_trace();
        status = push_one(context, a, where, newest, NULL);
        free(newest);
    }
    for (size_t i = 0; room && i < traces.count && !interrupt_seen(); i++) {
        const int one = push_one(context, a, where, traces.items[i], NULL);
        status = status == EXIT_DONE ? one : status;
    }
    fleet_paths_done(&traces);
    return status;
}
