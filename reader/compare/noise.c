/* noise.c - see diff.h. What differs between two runs that should be alike (hash seeds, times) says nothing of a third.
 *
 * Both comparisons have the first trace in common. A difference is known again by where it is, in the terms of that
 * trace: the method and pc of a value, the branch of a decision, the method of a call and that around it. So a place is
 * noise as a whole: if its value is another one every time, no difference there is shown. */
#include "reader/compare/diff.h"

static uint64_t mix_text(uint64_t hash, const char *text) { return diff_mix(hash, map_hash(text, strlen(text))); }

static uint64_t mix_method(const struct diff *d, uint64_t hash, uint32_t method)
{
    const struct hs_compared_method *m = &d->methods.items[method].names;
    return mix_text(mix_text(mix_text(hash, m->class_name), m->name), m->desc);
}

static uint64_t mix_place(struct diff *d, uint64_t hash, int side, uint32_t dataid)
{
    const struct diff_site *site = diff_site(d, side, dataid);
    const struct hs_dataid *row = hs_dataid_get(d->sides[side].trace, dataid);
    return site == NULL || row == NULL ? hash : diff_mix(mix_method(d, hash, site->method), row->pc << 8 | row->event);
}

static uint64_t key_of(struct diff *d, const struct diff_row *row)
{
    const int side = row->events[0] == NULL;
    const struct hs_event *e = row->events[side];
    const struct diff_site *site = diff_site(d, side, e->dataid);
    const struct hs_dataid *at = hs_dataid_get(d->sides[side].trace, e->dataid);
    const bool exits = row->what != NULL && strcmp(row->what, "exit") == 0;
    uint64_t hash = row->kind;
    if (site == NULL || at == NULL)
        return hash;
    if (row->kind == HS_DIFFERENCE_VALUE)
        return exits ? mix_method(d, hash, site->method) : mix_place(d, hash, side, e->dataid);
    if (row->kind == HS_DIFFERENCE_DECISION)
        return diff_mix(mix_method(d, hash, site->method), e->value); /* the branch */
    if (row->first && row->behind != UINT32_MAX)
        return mix_place(d, diff_mix(hash, 1), 0, row->behind);
    hash = mix_method(d, hash, site->method);
    if (row->kind == HS_DIFFERENCE_COVERAGE)
        return diff_mix(mix_text(hash, row->what), row->what[0] == 'l' ? (uint64_t)at->line : 0);
    return row->path == NULL || row->path->count == 0 ? hash
                                                      : mix_method(d, hash, row->path->items[row->path->count - 1]);
}

bool diff_hides(struct diff *d, const struct diff_row *row)
{
    const uint64_t key = d->learns != NULL || d->noise != NULL ? key_of(d, row) : 0;
    d->hidden = d->learns != NULL || (d->noise != NULL && map_get(d->noise, key) != NULL);
    return d->learns == NULL || map_put(d->learns, key) != NULL || diff_no_memory(d);
}
