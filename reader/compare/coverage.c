/* coverage.c - see diff.h. Methods that only one run reached, and lines of methods that both reached.
 *
 * Lines are compared in methods with the same code only, by the pcs of their events: another build may number them
 * anew; and not of methods of which percall= left events out of the other trace. A row has the first event that reached
 * the method or line, so the streams are read until the last of these. */
#include "reader/compare/diff.h"

struct reached {
    uint64_t key;
    uint32_t row; /* its number, from 1 on */
};
/* What a run reached. */
struct side_reached {
    uint64_t *counts;         /* by data ID */
    MAP(struct reached) code; /* diff_site.code */
    VEC(bool) methods;        /* by position in d->methods */
    VEC(bool) holes;          /* by position in d->methods: events of the method are missing */
};

static bool reach(struct diff *d, int side, struct side_reached *r)
{
    hs_trace *t = d->sides[side].trace;
    uint32_t ids = hs_dataid_count(t);
    r->counts = calloc(ids + UINT64_C(1), sizeof *r->counts);
    if (r->counts == NULL || !vec_extend(&r->methods, d->methods.count) || !vec_extend(&r->holes, d->methods.count))
        return diff_no_memory(d);
    if (hs_count_dataids(t, r->counts, NULL, &d->error) != 0)
        return false;
    for (uint32_t i = 0; i < ids; i++) {
        const struct diff_site *site = r->counts[i] > 0 ? diff_site(d, side, i) : NULL;
        if (site == NULL)
            continue;
        r->methods.items[site->method] = true;
        r->holes.items[site->method] = r->holes.items[site->method] || diff_is_hole(site);
        if (map_put(&r->code, site->code) == NULL)
            return diff_no_memory(d);
    }
    return true;
}

/* The key of what a data ID would be a row for; 0: both runs reached it. */
static uint64_t row_key(struct diff *d, int side, uint32_t dataid, const struct side_reached *other, bool *is_method)
{
    const struct diff_site *site = diff_site(d, side, dataid);
    const struct hs_dataid *row = hs_dataid_get(d->sides[side].trace, dataid);
    const struct hs_method *m = row != NULL ? hs_method_get(d->sides[side].trace, row->method_id) : NULL;
    if (site == NULL || m == NULL || !site->wanted || diff_is_hole(site) ||
        d->methods.items[site->method].made != DIFF_MADE_NOT ||
        diff_is_implicit(d, hs_class_get(d->sides[side].trace, row->class_no), m))
        return 0;
    *is_method = !other->methods.items[site->method];
    if (!*is_method && (row->line < 0 || other->holes.items[site->method] || !d->methods.items[site->method].same ||
                        row->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT)) /* has the last line, whichever threw */
        return 0;
    /* the names of files of a class are each at one address */
    uint64_t key[3] = { site->method, *is_method ? UINT64_MAX : (uint64_t)row->line,
                        *is_method ? 0 : (uint64_t)(uintptr_t)row->file };
    return map_hash(key, sizeof key);
}

/* Rows of what only `mine` reached, each with its first event. */
static bool add_side(struct diff *d, int side, const struct side_reached *mine, const struct side_reached *other)
{
    hs_trace *t = d->sides[side].trace;
    MAP(struct reached) common = { 0 }, rows = { 0 }; /* lines that both reached; rows that are to come */
    uint32_t ids = hs_dataid_count(t);
    hs_cursor *events = NULL;
    const struct hs_event *e;
    bool is_method, ok = true;
    int more = 1;
    for (uint32_t i = 0; ok && i < ids; i++) {
        uint64_t key = mine->counts[i] > 0 ? row_key(d, side, i, other, &is_method) : 0;
        if (key != 0 && map_get(&other->code, diff_site(d, side, i)->code) != NULL)
            ok = map_put(&common, key) != NULL || diff_no_memory(d);
    }
    for (uint32_t i = 0; ok && i < ids; i++) {
        uint64_t key = mine->counts[i] > 0 ? row_key(d, side, i, other, &is_method) : 0;
        if (key != 0 && map_get(&common, key) == NULL)
            ok = map_put(&rows, key) != NULL || diff_no_memory(d);
    }
    if (ok && rows.count > 0)
        ok = hs_events_open(t, NULL, &events, &d->error) == 0;
    while (ok && rows.count > 0 && (more = hs_event_next(events, &e, &d->error)) > 0) {
        uint64_t key = row_key(d, side, e->dataid, other, &is_method);
        struct reached *row = key != 0 ? map_get(&rows, key) : NULL;
        if (row == NULL)
            continue;
        struct diff_row shown = { .kind = HS_DIFFERENCE_COVERAGE, .what = is_method ? "method" : "line" };
        shown.events[side] = e;
        ok = diff_row(d, &shown);
        map_remove(&rows, row);
    }
    hs_cursor_close(events);
    map_free(&common);
    map_free(&rows);
    return ok && more >= 0;
}

/* Counts the methods whose lines are compared in part or not at all. */
static void count_holes(struct diff *d, const struct side_reached r[2])
{
    for (size_t i = 0; i < d->methods.count; i++)
        d->partial_methods += d->methods.items[i].wanted && d->methods.items[i].same && r[0].methods.items[i] &&
                              r[1].methods.items[i] && (r[0].holes.items[i] || r[1].holes.items[i]);
}

bool diff_coverage(struct diff *d)
{
    struct side_reached r[2] = { 0 };
    bool ok = reach(d, 0, &r[0]) && reach(d, 1, &r[1]);
    if (ok)
        count_holes(d, r);
    ok = ok && add_side(d, 0, &r[0], &r[1]) && add_side(d, 1, &r[1], &r[0]);
    for (int side = 0; side < 2; side++) {
        free(r[side].counts);
        map_free(&r[side].code);
        vec_free(&r[side].methods);
        vec_free(&r[side].holes);
    }
    return ok;
}
