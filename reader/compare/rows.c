/* rows.c - see diff.h. The rows of one step, with all that they point to. */
#include "reader/compare/diff.h"

void diff_clear_rows(struct diff *d)
{
    d->rows.count = 0;
    arena_clear(&d->arena);
    for (int side = 0; side < 2; side++) {
        hs_cursor_close(d->decisions[side]);
        d->decisions[side] = NULL;
    }
}

/* The innermost calls of the path; rows in a row that have the same ones share them. */
static bool take_path(struct diff *d, const u32_vec *path, struct hs_difference *row)
{
    const size_t count = path->count < HS_DIFFERENCE_PATH_MAX ? path->count : HS_DIFFERENCE_PATH_MAX;
    const struct hs_difference *last = d->rows.count > 1 ? row - 1 : NULL;
    const struct hs_compared_method *calls[HS_DIFFERENCE_PATH_MAX];
    for (size_t i = 0; i < count; i++)
        calls[i] = &d->methods.items[path->items[path->count - count + i]].names;
    row->has_path = true;
    row->path_count = count;
    row->outer = path->count - count;
    if (last != NULL && last->path_count == count && count > 0 &&
        memcmp(last->path, calls, count * sizeof *calls) == 0) {
        row->path = last->path;
        return true;
    }
    void *to = arena_array(&d->arena, count, sizeof *calls);
    if (to == NULL)
        return false;
    memcpy(to, calls, count * sizeof *calls);
    row->path = to;
    return true;
}

/* In what the instructions of two events of one type differ. */
static bool take_attributes(struct diff *d, struct hs_difference *row)
{
    const struct hs_dataid *a = hs_dataid_get(d->sides[0].trace, row->a->dataid);
    const struct hs_dataid *b = hs_dataid_get(d->sides[1].trace, row->b->dataid);
    const char *names[8];
    if (a == NULL || b == NULL || a->event != b->event)
        return true;
    for (size_t i = 0; diff_attributes[i] != NULL; i++)
        if (!diff_same_attribute(d, a, b, diff_attributes[i]))
            names[row->differs_count++] = diff_attributes[i];
    void *to = arena_array(&d->arena, row->differs_count, sizeof *names);
    if (to == NULL)
        return false;
    memcpy(to, names, row->differs_count * sizeof *names);
    row->differs = to;
    return true;
}

/* The branch before each LABEL. False: d->error says why. */
static bool take_decisions(struct diff *d, struct hs_difference *row)
{
    const struct hs_event *labels[2] = { row->a, row->b };
    const struct hs_decision **to[2] = { &row->a_decision, &row->b_decision };
    for (int side = 0; side < 2; side++) {
        struct hs_why_options o = HS_WHY_OPTIONS_INIT;
        const struct hs_cause *cause;
        o.seq = labels[side]->seq;
        o.max = 1;
        o.control = true;
        if (hs_causes_open(d->sides[side].trace, &o, &d->decisions[side], &d->error) != 0)
            return false;
        if (hs_cause_next(d->decisions[side], &cause, NULL) > 0)
            *to[side] = cause->decision;
    }
    return true;
}

static const struct hs_event *take_event(struct diff *d, const struct hs_event *e, bool *ok)
{
    struct hs_event *to = e != NULL ? arena_get(&d->arena, sizeof *to) : NULL;
    *ok = *ok && (e == NULL || to != NULL);
    if (to != NULL)
        *to = *e;
    return to;
}

bool diff_row(struct diff *d, const struct diff_row *of)
{
    const bool wanted = (d->kinds & of->kind) != 0;
    bool ok = true;
    if (!diff_hides(d, of))
        return false;
    d->left_out += d->hidden && wanted;
    if (d->hidden || !wanted)
        return true;
    struct hs_difference *row = vec_push(&d->rows);
    if (row == NULL)
        return diff_no_memory(d);
    *row = (struct hs_difference){
        .kind = of->kind, .first = of->first, .what = of->what, .times = of->times, .calls = of->calls
    };
    row->a = take_event(d, of->events[0], &ok);
    row->b = take_event(d, of->events[1], &ok);
    if (!ok || (of->path != NULL && !take_path(d, of->path, row)))
        return diff_no_memory(d);
    if (of->kind == HS_DIFFERENCE_VALUE) {
        row->a_was = d->was[0];
        row->b_was = d->was[1];
    }
    if (of->kind == HS_DIFFERENCE_CALL && row->a != NULL && row->b != NULL && !take_attributes(d, row))
        return diff_no_memory(d);
    return of->kind != HS_DIFFERENCE_DECISION || take_decisions(d, row);
}
