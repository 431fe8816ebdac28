/* sql_functions.c - answers that are asked for with arguments, as table functions of SQLite: `alloc`,
 * diff(other, noise), heap(at, since), `output`, `overflows`, suspects(passed, failed, never) and
 * watch(place, text, condition).
 * https://www.sqlite.org/vtab.html#tabfunc2
 *
 * The columns are those of the answer (answers/watched.def, allocations.def, diff.def, heap.def, output.def,
 * overflows.def), and hidden ones for the arguments. */
#include "reader/tables/sql_function.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/answers/plain.h"
#include "reader/command/cli.h"
#include "reader/command/output_line.h"

/* ---- output ---- */

#define ROWS "reader/answers/output.def"
#define ROW  const struct hs_output_line *x, const struct hs_output_part *p
#include "reader/answers/plain_row.h"

static int output_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    (void)arguments;
    return hs_output_open(a->of->source->trace, out, error);
}

static int output_next(struct asked *a, struct hs_error *error)
{
    const struct hs_output_line *x;
    const int more = hs_output_line_next(a->rows, &x, error);
    if (more > 0)
        output_plain(&a->row, x, x->parts[0]);
    return more;
}

/* ---- alloc ---- */

#define ROWS "reader/answers/allocations.def"
#define ROW                                                                                                            \
    const struct hs_allocation *x, const struct hs_class *c, const struct hs_method *m, const struct hs_dataid *d,     \
        bool is_tree
#include "reader/answers/plain_row.h"

static int alloc_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    const struct hs_allocation_options o = HS_ALLOCATION_OPTIONS_INIT;
    (void)arguments;
    return hs_allocations_open(a->of->source->trace, &o, out, error);
}

static int alloc_next(struct asked *a, struct hs_error *error)
{
    hs_trace *t = a->of->source->trace;
    const struct hs_allocation *x;
    const struct hs_class *c = NULL;
    const struct hs_method *m = NULL;
    int more = 0;
    while (c == NULL && (more = hs_allocation_next(a->rows, &x, error)) > 0) {
        m = hs_method_get(t, x->method_id);
        c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    }
    if (more > 0)
        allocations_plain(&a->row, x, c, m, hs_dataid_get(t, x->dataid), false);
    return more;
}

/* ---- diff ---- */

#define ROWS "reader/answers/diff.def"
#define ROW  struct plain_row *other, const struct hs_difference *x
#include "reader/answers/plain_row.h"

static void close_others(struct asked *a)
{
    if (a->others[0] != NULL)
        plain_done(&a->other);
    for (int i = 0; i < OTHERS; i++) {
        hs_close(a->others[i]);
        a->others[i] = NULL;
    }
}

static int open_other(struct asked *a, int i, const char *path, struct hs_error *error)
{
    a->others[i] = asked_open_trace(a, path, error);
    if (a->others[i] == NULL)
        return -1;
    if (i > 0 || plain_init(&a->other, a->others[i]))
        return 0;
    hs_close(a->others[i]);
    a->others[i] = NULL;
    error->code = HS_ERR_MEMORY;
    (void)snprintf(error->text, sizeof error->text, "%s", hs_status_text(HS_ERR_MEMORY));
    return -1;
}

static int diff_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    struct hs_diff_options o = HS_DIFF_OPTIONS_INIT;
    close_others(a);
    for (int i = 0; i < OTHERS; i++)
        if ((i == 0 || arguments[i] != NULL) && open_other(a, i, arguments[i], error) != 0)
            return -1;
    o.a = a->of->source->trace;
    o.b = a->others[0];
    o.noise = a->others[1];
    return hs_diff_open(&o, out, error);
}

static int diff_next(struct asked *a, struct hs_error *error)
{
    const struct hs_difference *x;
    const int more = hs_difference_next(a->rows, &x, error);
    plain_begin(&a->other);
    if (more == 0)
        diff_tell_partial(a->rows, true, a->of->source->reader);
    if (more > 0)
        diff_plain(&a->row, &a->other, x);
    return more;
}

/* ---- heap ---- */

#define ROWS "reader/answers/heap.def"
#define ROW  const struct hs_heap_row *x, bool since
#include "reader/answers/plain_row.h"

/* False: it is no number of an event. */
static bool seq_given(const char *text, uint64_t *seq, struct hs_error *error)
{
    *seq = HS_NO_SEQ;
    if (text == NULL)
        return true;
    char *end;
    errno = 0;
    *seq = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && errno == 0)
        return true;
    error->code = HS_ERR_USAGE;
    (void)snprintf(error->text, sizeof error->text, "heap wants the number of an event, not '%.40s'", text);
    return false;
}

static int heap_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    struct hs_heap_options o = HS_HEAP_OPTIONS_INIT;
    if (!seq_given(arguments[0], &o.at, error) || !seq_given(arguments[1], &o.since, error))
        return -1;
    return hs_heap_open(a->of->source->trace, &o, out, error);
}

static int heap_next(struct asked *a, struct hs_error *error)
{
    const struct hs_heap_row *x;
    const int more = hs_heap_row_next(a->rows, &x, error);
    if (more > 0)
        heap_plain(&a->row, x, true);
    return more;
}

/* ---- overflows ---- */

#define ROWS "reader/answers/overflows.def"
#define ROW  const struct hs_overflow *x, const struct hs_class *c, const struct hs_method *m, bool each
#include "reader/answers/plain_row.h"

static int overflows_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    struct hs_overflow_options o = HS_OVERFLOW_OPTIONS_INIT;
    (void)arguments;
    o.each = true;
    return hs_overflows_open(a->of->source->trace, &o, out, error);
}

static int overflows_next(struct asked *a, struct hs_error *error)
{
    hs_trace *t = a->of->source->trace;
    const struct hs_overflow *x;
    const struct hs_class *c = NULL;
    const struct hs_method *m = NULL;
    int more = 0;
    while (c == NULL && (more = hs_overflow_next(a->rows, &x, error)) > 0) {
        m = hs_method_get(t, x->method_id);
        c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    }
    if (more > 0)
        overflows_plain(&a->row, x, c, m, true);
    return more;
}

/* ---- watch ---- */

#define ROWS "reader/answers/watched.def"
#define ROW  const struct hs_watched *x, const struct hs_class *c, const struct hs_method *m, const struct hs_dataid *d
#include "reader/answers/plain_row.h"

static const char *const value_names[VALUES_MAX] = { "value1", "value2", "value3", "value4",
                                                     "value5", "value6", "value7", "value8" };

static void watch_names(struct plain_row *to)
{
    watched_plain_names(to);
    for (size_t i = 0; i < VALUES_MAX; i++)
        plain_null(to, value_names[i]);
}

static int watch_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error)
{
    struct hs_watch_options o = HS_WATCH_OPTIONS_INIT;
    o.place = arguments[0];
    o.text = arguments[1];
    o.where = arguments[2];
    return hs_watch_open(a->of->source->trace, &o, out, error);
}

static int watch_next(struct asked *a, struct hs_error *error)
{
    hs_trace *t = a->of->source->trace;
    const struct hs_watched *x;
    const struct hs_dataid *d = NULL;
    const struct hs_class *c = NULL;
    const struct hs_method *m = NULL;
    int more;
    while (c == NULL && (more = hs_watched_next(a->rows, &x, error)) > 0) {
        d = hs_dataid_get(t, x->event->dataid);
        m = d != NULL ? hs_method_get(t, d->method_id) : NULL;
        c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    }
    if (c == NULL)
        return more;
    a->row.show.at = x->event->seq;
    watched_plain(&a->row, x, c, m, d);
    for (size_t i = 0; i < VALUES_MAX; i++) {
        const struct hs_evaluation *v = i < x->value_count ? x->values[i] : NULL;
        const struct hs_value value = { v != NULL ? v->bits : 0, v != NULL ? v->kind : HS_KIND_VOID };
        if (v == NULL || v->not_recorded != NULL || v->throws != NULL)
            plain_null(&a->row, value_names[i]);
        else if (v->text != NULL)
            plain_text(&a->row, value_names[i], v->text);
        else
            plain_value(&a->row, value_names[i], &value);
    }
    return more;
}

static const struct function functions[] = {
    { "alloc", { NULL }, 0, NULL, allocations_plain_names, alloc_open, alloc_next },
    { "diff", { "other", "noise", NULL }, 1, "diff('trace-2')", diff_plain_names, diff_open, diff_next },
    { "heap", { "at", "since_at", NULL }, 0, NULL, heap_plain_names, heap_open, heap_next },
    { "output", { NULL }, 0, NULL, output_plain_names, output_open, output_next },
    { "overflows", { NULL }, 0, NULL, overflows_plain_names, overflows_open, overflows_next },
    { "suspects", { "passed", "failed", "never_did", NULL }, 0, NULL, suspects_names, suspects_open, suspects_next },
    { "watch",
      { "place", "message", "condition", NULL },
      2,
      "watch('Class.method:line', 'text {expression}')",
      watch_names,
      watch_open,
      watch_next },
};

/* ---- the module ---- */

struct connection {
    const struct function *function;
    struct sql_source *source;
};

static int connect_function(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
    const struct connection *of = aux;
    struct plain_row names = { 0 };
    sqlite3_str *s = sqlite3_str_new(db);
    (void)argc;
    (void)argv;
    (void)error;
    of->function->names(&names);
    sqlite3_str_appendall(s, "CREATE TABLE x(");
    for (size_t i = 0; i < names.count; i++)
        sqlite3_str_appendf(s, "%s\"%w\"", i > 0 ? ", " : "", names.cells[i].name);
    for (size_t i = 0; of->function->arguments[i] != NULL; i++)
        sqlite3_str_appendf(s, ", \"%w\" HIDDEN", of->function->arguments[i]);
    sqlite3_str_appendall(s, ")");
    char *sql = sqlite3_str_finish(s);
    const int code = sql != NULL ? sqlite3_declare_vtab(db, sql) : SQLITE_NOMEM;
    sqlite3_free(sql);
    struct function_table *t = code == SQLITE_OK ? sqlite3_malloc(sizeof *t) : NULL;
    if (t == NULL)
        return code != SQLITE_OK ? code : SQLITE_NOMEM;
    *t = (struct function_table){ .function = of->function, .source = of->source, .columns = (int)names.count };
    *out = &t->base;
    return SQLITE_OK;
}

static int disconnect_function(sqlite3_vtab *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

/* idxNum: the arguments that are given, a bit each. */
static int plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct function_table *t = (const struct function_table *)base;
    int place[GIVEN_MAX], given = 0;
    bool later = false;
    for (int i = 0; i < GIVEN_MAX; i++)
        place[i] = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        const int argument = c->iColumn - t->columns;
        if (argument < 0 || c->op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        later |= !c->usable;
        if (c->usable)
            place[argument] = i;
    }
    if (later) /* from a table that is read before */
        return SQLITE_CONSTRAINT;
    info->idxNum = 0;
    for (int i = 0; i < GIVEN_MAX; i++)
        if (place[i] >= 0) {
            info->aConstraintUsage[place[i]].argvIndex = ++given;
            info->aConstraintUsage[place[i]].omit = 1;
            info->idxNum |= 1 << i;
        }
    for (unsigned i = 0; i < t->function->needed; i++)
        if (place[i] < 0) {
            sqlite3_free(base->zErrMsg);
            base->zErrMsg = sqlite3_mprintf("%s wants %u argument%s: %s", t->function->name, t->function->needed,
                                            t->function->needed == 1 ? "" : "s", t->function->example);
            return SQLITE_ERROR;
        }
    info->estimatedCost = 1e6;
    return SQLITE_OK;
}

static int open_asked(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct asked *a = calloc(1, sizeof *a);
    if (a == NULL)
        return SQLITE_NOMEM;
    a->of = (const struct function_table *)base;
    *out = &a->base;
    return SQLITE_OK;
}

static int close_asked(sqlite3_vtab_cursor *base)
{
    struct asked *a = (struct asked *)base;
    hs_cursor_close(a->rows);
    close_others(a);
    suspects_close(a);
    if (a->ready)
        plain_done(&a->row);
    free(a);
    return SQLITE_OK;
}

static int failed(struct asked *a, const struct hs_error *error)
{
    sqlite3_vtab *table = a->base.pVtab;
    a->of->source->usage |= error->code == HS_ERR_USAGE;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", error->text);
    a->ended = true;
    return error->code == HS_CANCELLED ? SQLITE_INTERRUPT : SQLITE_ERROR;
}

static int next_asked(sqlite3_vtab_cursor *base)
{
    struct asked *a = (struct asked *)base;
    struct hs_error error = HS_ERROR_INIT;
    const int more = a->of->function->next(a, &error);
    a->number++;
    a->ended = more <= 0;
    return more < 0 ? failed(a, &error) : SQLITE_OK;
}

static int filter_asked(sqlite3_vtab_cursor *base, int given, const char *unused, int argc, sqlite3_value **argv)
{
    struct asked *a = (struct asked *)base;
    struct hs_error error = HS_ERROR_INIT;
    const char *arguments[GIVEN_MAX] = { NULL };
    (void)unused;
    hs_cursor_close(a->rows);
    a->rows = NULL;
    a->number = -1;
    if (a->of->source->without != NULL) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("%s: " NO_STREAM_TEXT, a->of->function->name, a->of->source->without);
        return SQLITE_ERROR;
    }
    for (int i = 0, at = 0; i < GIVEN_MAX; i++)
        if ((given & 1 << i) != 0 && at < argc)
            arguments[i] = (const char *)sqlite3_value_text(argv[at++]);
    if (!a->ready && !(a->ready = plain_init(&a->row, a->of->source->trace)))
        return SQLITE_NOMEM;
    if (a->of->function->open(a, arguments, &a->rows, &error) != 0)
        return failed(a, &error);
    return next_asked(base);
}

static int at_end(sqlite3_vtab_cursor *base) { return ((struct asked *)base)->ended; }

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = ((struct asked *)base)->number;
    return SQLITE_OK;
}

static int give_cell(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
    const struct asked *a = (const struct asked *)base;
    const struct plain_cell *c = (size_t)column < a->row.count ? &a->row.cells[column] : NULL;
    switch (c != NULL ? c->is : CELL_NULL) {
    case CELL_NULL: break;
    case CELL_BOOL:
    case CELL_INT: sqlite3_result_int64(to, c->number); break;
    case CELL_DOUBLE: sql_give_double(to, c->real); break;
    case CELL_TEXT: sqlite3_result_text64(to, c->text, c->bytes, SQLITE_TRANSIENT, SQLITE_UTF8); break;
    }
    return SQLITE_OK;
}

/* Without xCreate it is there by its name alone. */
static const sqlite3_module module = { .iVersion = 1,
                                       .xConnect = connect_function,
                                       .xBestIndex = plan,
                                       .xDisconnect = disconnect_function,
                                       .xOpen = open_asked,
                                       .xClose = close_asked,
                                       .xFilter = filter_asked,
                                       .xNext = next_asked,
                                       .xEof = at_end,
                                       .xColumn = give_cell,
                                       .xRowid = row_number };

/* The table is made when a query names it first: here, since the query of a user may not. */
static int make_table(sqlite3 *db, const struct function *f)
{
    sqlite3_stmt *query = NULL;
    char *sql = sqlite3_mprintf("SELECT 1 FROM %s(%s)", f->name, f->needed > 0 ? "'',''" : "");
    int code = sql != NULL ? sqlite3_prepare_v2(db, sql, -1, &query, NULL) : SQLITE_NOMEM;
    (void)sqlite3_finalize(query);
    sqlite3_free(sql);
    return code;
}

int sql_functions_create(sqlite3 *db, struct sql_source *source)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < sizeof functions / sizeof *functions; i++) {
        struct connection *of = malloc(sizeof *of);
        if (of == NULL)
            return SQLITE_NOMEM;
        *of = (struct connection){ &functions[i], source };
        code = sqlite3_create_module_v2(db, functions[i].name, &module, of, free); /* frees it also if it fails */
        if (code == SQLITE_OK)
            code = make_table(db, &functions[i]);
    }
    return code;
}
