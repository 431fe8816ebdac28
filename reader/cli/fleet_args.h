/* fleet_args.h - what the actions of `hindsight fleet` share: cmd_fleet.c has the options, fleet_push.c and
 * fleet_runs.c the actions. */
#ifndef READER_CLI_FLEET_ARGS_H
#define READER_CLI_FLEET_ARGS_H

#include "reader/command/cli.h"
#include "reader/fleet/place.h"

struct fleet_args {
    struct common common;
    const char *to, *from, *endpoint, *output, *older_than, *max_bytes, *engine, *cluster, *database;
    const char *every, *group;
    const char *name, *since, *exception, *handled, *build;
    struct texts headers, labels, servers;
    bool dry_run, fail_if_any, once, remove;
};

/* Reports it; the exit status. */
int fleet_fail(struct context *context, const struct error *err);
uint64_t fleet_now_ns(void);
bool fleet_age(const char *text, uint64_t *seconds); /* 30d, 12h, 90m, 10s */
bool fleet_size(const char *text, uint64_t *bytes);  /* 500M, 20G */
/* A row of the answer of push, open, remove, repair and prune. */
#define ROW                                                                                                            \
    const struct run_id *id, const char *trace, int pushed, int running, int repaired, uint64_t bytes,                 \
        uint64_t age_seconds

/* The traces of a folder, by their names. */
typedef VEC(char *) fleet_paths;
bool fleet_traces_below(fleet_paths *out, const char *dir); /* adds them; false: out of memory */
void fleet_paths_done(fleet_paths *p);
bool fleet_labels_are(const struct texts *labels); /* KEY=VALUE */

/* A trace of `watch`. REFUSED: it was said what is wrong with it, `status`; AWAY: `err` says why the fleet does not
 * take it. */
enum pushed { PUSH_DONE, PUSH_RUNNING, PUSH_REFUSED, PUSH_AWAY };
enum pushed fleet_push_spooled(struct context *context, const struct fleet_args *a, const char *where,
                               const char *trace, int *status, struct error *err);

int fleet_watch(struct context *context, const struct fleet_args *a, const char *where);
int fleet_push(struct context *context, const struct fleet_args *a, const char *where);
int fleet_list_runs(struct context *context, const struct fleet_args *a, struct place *p);
int fleet_show(struct context *context, const struct fleet_args *a, struct place *p);
int fleet_compare(struct context *context, const struct fleet_args *a, struct place *p);
int fleet_remove_runs(struct context *context, const struct fleet_args *a, struct place *p);
int fleet_repair(struct context *context, const struct fleet_args *a, struct place *p);

#endif
