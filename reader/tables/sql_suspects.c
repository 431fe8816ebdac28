/* sql_suspects.c - `suspects` of `sql`: of the tests of the trace; suspects('good-1,good-2') compares the trace, which
 * failed, with recordings that passed, suspects('good', 'bad-2') also of others that failed; a third argument, 1, gives
 * what every passing run did and no failing one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/tables/sql_function.h"

#define ROWS "reader/answers/suspects.def"
#define ROW  const struct hs_suspect *x, const char *run
#include "reader/answers/plain_row.h"

void suspects_names(struct plain_row *to) { suspects_plain_names(to); }

void suspects_close(struct asked *a)
{
    for (size_t i = 0; i < a->traces.count; i++)
        hs_close(a->traces.items[i]);
    vec_free(&a->traces);
    suspect_runs_done(&a->runs);
}

static int no_memory(struct hs_error *error)
{
    error->code = HS_ERR_MEMORY;
    (void)snprintf(error->text, sizeof error->text, "%s", hs_status_text(HS_ERR_MEMORY));
    return -1;
}

static int add_trace(struct asked *a, const char *path, bool failed, struct hs_error *error)
{
    hs_trace *t = asked_open_trace(a, path, error);
    if (t == NULL)
        return -1;
    hs_trace **to = vec_push(&a->traces);
    if (to == NULL) {
        hs_close(t);
        return no_memory(error);
    }
    *to = t;
    return suspect_runs_add(&a->runs, t, path, failed) ? 0 : no_memory(error);
}

/* The traces that a list names, with commas between them. */
static int add_traces(struct asked *a, const char *list, bool failed, struct hs_error *error)
{
    char *paths = strdup(list), *rest = paths;
    int status = paths != NULL ? 0 : no_memory(error);
    for (char *path; status == 0 && (path = strsep(&rest, ",")) != NULL;)
        status = add_trace(a, path, failed, error);
    free(paths);
    return status;
}

static int add_runs(struct asked *a, const char *const *arguments, struct hs_error *error)
{
    hs_trace *trace = a->of->source->trace;
    size_t all;
    if (arguments[0] == NULL)
        return suspect_runs_add_tests(&a->runs, trace, NULL, NULL, &all, error);
    if (!suspect_runs_add(&a->runs, trace, "main", true))
        return no_memory(error);
    if (arguments[1] != NULL && arguments[1][0] != '\0' && add_traces(a, arguments[1], true, error) != 0)
        return -1;
    return add_traces(a, arguments[0], false, error);
}

int suspects_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    struct hs_suspect_options o = HS_SUSPECT_OPTIONS_INIT;
    suspects_close(a);
    a->runs = (struct suspect_runs){ 0 };
    if (add_runs(a, arguments, error) != 0)
        return -1;
    o.runs = a->runs.list.items;
    o.count = a->runs.list.count;
    o.never = arguments[2] != NULL && strcmp(arguments[2], "0") != 0;
    return hs_suspects_open(&o, out, error);
}

int suspects_next(struct asked *a, struct hs_error *error)
{
    const struct hs_suspect *x;
    const char *run = NULL;
    int more;
    do {
        more = hs_suspect_next(a->rows, &x, error);
        run = more > 0 ? a->runs.names.items[x->run] : NULL;
    } while (more > 0 && a->traces.count == 0 && suspect_of_test(x, run));
    if (more > 0)
        suspects_plain(&a->row, x, run);
    return more;
}
