/* diff.c - see diff.h: hs_diff_open. Each step compares a little more, and leaves its rows in a list; these live until
 * the next step. */
#include "reader/compare/diff.h"
#include "reader/trace/open_trace.h"

static const char *const kinds[] = {
    [HS_DIFFERENCE_CALL] = "call",
    [HS_DIFFERENCE_VALUE] = "value",
    [HS_DIFFERENCE_COVERAGE] = "coverage",
    [HS_DIFFERENCE_DECISION] = "decision",
};

const char *hs_difference_kind_name(enum hs_difference_kind kind)
{
    return (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
}

/* ---- both traces ---- */

static bool begin(struct diff *d, const struct hs_diff_options *o, hs_trace *b)
{
    hs_trace *traces[2] = { o->a, b };
    *d = (struct diff){ .class_glob = o->class_glob,
                        .method_glob = o->method_glob,
                        .kinds = o->kinds != 0 ? o->kinds : DIFF_ALL,
                        .error = HS_ERROR_INIT };
    bool ok = diff_identity_init(d);
    for (int side = 0; ok && side < 2; side++) {
        struct diff_side *s = &d->sides[side];
        s->trace = traces[side];
        s->site_count = hs_dataid_count(s->trace);
        s->sites = calloc((size_t)s->site_count + 1, sizeof *s->sites);
        ok = s->sites != NULL;
    }
    return ok ? diff_match_methods(d) && diff_match_threads(d) : diff_no_memory(d);
}

static void end(struct diff *d)
{
    diff_clear_rows(d);
    vec_free(&d->rows);
    arena_done(&d->arena);
    for (int side = 0; side < 2; side++) {
        free(d->sides[side].sites);
        map_free(&d->sides[side].by_id);
        map_free(&d->sides[side].made);
    }
    vec_free(&d->methods);
    vec_free(&d->threads);
    diff_identity_done(d);
}

static bool any_wanted(const struct diff *d)
{
    for (size_t i = 0; i < d->methods.count; i++)
        if (d->methods.items[i].wanted)
            return true;
    return d->methods.count == 0;
}

/* ---- the cursor ---- */

struct compared {
    hs_cursor base; /* first */
    struct diff diff;
    diff_keys noise;
    enum { FIRST, CALLS, COVERAGE, END } phase;
    bool first;             /* no other phase */
    size_t thread;          /* the next one, in diff.threads */
    struct diff_walk *walk; /* of CALLS: of the thread before; NULL: it is done */
    size_t next;            /* in diff.rows */
};

static void next_phase(struct compared *c)
{
    c->phase = c->first ? END : c->phase + 1;
    c->thread = 0;
    diff_identity_clear(&c->diff);
}

/* Compares a little more. False: diff.error says why. */
static bool advance(struct compared *c)
{
    struct diff *d = &c->diff;
    const unsigned wants[] = { [FIRST] = DIFF_ALL & ~HS_DIFFERENCE_COVERAGE,
                               [CALLS] = HS_DIFFERENCE_CALL | HS_DIFFERENCE_VALUE,
                               [COVERAGE] = HS_DIFFERENCE_COVERAGE };
    if (c->walk != NULL) {
        const int more = diff_walk_step(c->walk);
        if (more <= 0) {
            diff_walk_close(c->walk);
            c->walk = NULL;
        }
        return more >= 0;
    }
    if ((d->kinds & wants[c->phase]) == 0 || c->thread == d->threads.count) {
        next_phase(c);
        return true;
    }
    if (c->phase == COVERAGE) {
        c->thread = d->threads.count;
        return diff_coverage(d);
    }
    const struct diff_threads *threads = &d->threads.items[c->thread++];
    if (c->phase == FIRST)
        return diff_first(d, threads);
    c->walk = diff_walk_open(d, threads);
    return c->walk != NULL;
}

static int compared_next(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct compared *c = (struct compared *)base;
    struct diff *d = &c->diff;
    if (c->next == d->rows.count) {
        c->next = 0;
        diff_clear_rows(d);
    }
    while (d->rows.count == 0 && c->phase != END)
        if (!advance(c)) {
            struct error err;
            (void)error_set(&err, (enum status)d->error.code, "%s", d->error.text);
            c->phase = END;
            return give(error, &err);
        }
    if (d->rows.count == 0)
        return 0;
    *row = &d->rows.items[c->next++];
    return 1;
}

static void compared_close(hs_cursor *base)
{
    struct compared *c = (struct compared *)base;
    diff_walk_close(c->walk);
    end(&c->diff);
    map_free(&c->noise);
    free(c);
}

static const struct cursor_ops compared_ops = { .row = ROW_difference, .next = compared_next, .close = compared_close };

/* Compares to the end, for the noise alone. */
static bool learn(struct compared *c, const struct hs_diff_options *o)
{
    struct compared run = { .first = o->first };
    bool ok = begin(&run.diff, o, o->noise);
    run.diff.learns = &c->noise;
    run.diff.kinds = DIFF_ALL;
    while (ok && run.phase != END)
        ok = advance(&run);
    diff_walk_close(run.walk);
    end(&run.diff);
    c->diff.error = run.diff.error;
    return ok;
}

int hs_diff_open(const struct hs_diff_options *o, hs_cursor **out, struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct compared *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &err);
    c->base.ops = &compared_ops;
    c->first = o->first;
    if (o->size != sizeof *o)
        (void)error_set(&err, ERR_USAGE, "hs_diff_open: the options have %zu bytes, not %zu", o->size, sizeof *o);
    else if ((o->noise != NULL && !learn(c, o)) || !begin(&c->diff, o, o->b))
        (void)error_set(&err, (enum status)c->diff.error.code, "%s", c->diff.error.text);
    else if (!any_wanted(&c->diff))
        (void)error_set(&err, ERR_NOT_FOUND, "neither trace has a method that is chosen");
    else
        err.status = OK;
    if (err.status != OK) {
        compared_close(&c->base);
        return give(error, &err);
    }
    c->diff.noise = &c->noise;
    *out = &c->base;
    return 0;
}

void hs_diff_partial(const hs_cursor *diff, uint64_t *calls, uint64_t *methods)
{
    const struct compared *c = diff->ops == &compared_ops ? (const struct compared *)diff : NULL;
    if (calls != NULL)
        *calls = c != NULL ? c->diff.partial_calls : 0;
    if (methods != NULL)
        *methods = c != NULL ? c->diff.partial_methods : 0;
}

uint64_t hs_diff_noise(const hs_cursor *diff)
{
    return diff->ops == &compared_ops ? ((const struct compared *)diff)->diff.left_out : 0;
}
