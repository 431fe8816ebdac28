/* feature_pass.c - see feature_pass.h. */
#include "reader/query/feature_pass.h"

#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/cursor/cursor.h"

/* ---- sets of features ---- */

#define UNKNOWN UINT32_MAX /* no number of a set */

/* Number of the set; UNKNOWN: out of memory. `bits` must not point into the sets. */
static uint32_t number_of(struct feature_sets *s, const uint64_t *bits)
{
    size_t bytes = s->words * sizeof *bits;
    uint64_t hash = map_hash(bits, bytes);
    for (;; hash = map_next_hash(hash)) {
        const struct feature_set *known = map_get(&s->by_bits, hash);
        if (known == NULL)
            break;
        if (memcmp(feature_set_bits(s, known->number), bits, bytes) == 0)
            return known->number;
    }
    if (!vec_reserve(&s->bits, s->bits.count + s->words) || !vec_reserve(&s->with_open, (size_t)s->count + 1))
        return UNKNOWN;
    struct feature_set *made = map_put(&s->by_bits, hash);
    if (made == NULL)
        return UNKNOWN;
    made->number = s->count;
    memcpy(&s->bits.items[s->bits.count], bits, bytes);
    s->bits.count += s->words;
    s->with_open.items[s->with_open.count++] = 0;
    return s->count++;
}

static void sets_done(struct feature_sets *s)
{
    vec_free(&s->bits);
    vec_free(&s->with_open);
    map_free(&s->by_bits);
}

/* ---- the pass ---- */

/* Sets p->open after the open features have changed; false: out of memory. */
static bool update_open(struct feature_pass *p)
{
    memset(p->scratch, 0, p->sets.words * sizeof *p->scratch);
    for (size_t i = 0; i < p->walk.open_count; i++)
        p->scratch[p->walk.open[i] / 64] |= (uint64_t)1 << p->walk.open[i] % 64;
    p->open = number_of(&p->sets, p->scratch);
    memset(p->sets.with_open.items, 0, p->sets.with_open.count * sizeof *p->sets.with_open.items);
    return p->open != UNKNOWN;
}

/* *set becomes its union with the open features; false: out of memory. */
static bool add_open(struct feature_pass *p, uint32_t *set)
{
    uint32_t known = p->sets.with_open.items[*set];
    if (known == 0) {
        for (size_t i = 0; i < p->sets.words; i++)
            p->scratch[i] = feature_set_bits(&p->sets, *set)[i] | feature_set_bits(&p->sets, p->open)[i];
        uint32_t both = number_of(&p->sets, p->scratch);
        if (both == UNKNOWN)
            return false;
        known = both + 1;
        p->sets.with_open.items[*set] = known;
    }
    *set = known - 1;
    return true;
}

static bool count_entry(struct feature_pass *p, uint32_t method)
{
    if (p->open == FEATURES_NONE)
        return true;
    if (!vec_extend(&p->methods, (size_t)method + 1) || !vec_extend(&p->calls, (size_t)p->open + 1))
        return false;
    p->calls.items[p->open]++;
    return add_open(p, &p->methods.items[method]);
}

static bool add_object(struct feature_pass *p, uint32_t id, unsigned event)
{
    uint32_t at = id >> OBJECT_PAGE_BITS;
    struct object_sets **page = &p->pages[at];
    if (at >= p->page_count)
        p->page_count = at + 1;
    if (*page == NULL) {
        *page = calloc(OBJECT_PAGE_IDS, sizeof **page);
        if (*page == NULL)
            return false;
    }
    struct object_sets *x = &(*page)[id & (OBJECT_PAGE_IDS - 1)];
    if (x->first == 0)
        x->first = p->open + 1;
    x->made |= event_has(event, USE_CREATE);
    return p->open == FEATURES_NONE || add_open(p, &x->all);
}

/* False: out of memory. */
static bool add_event(struct feature_pass *p, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(p->t, e->dataid);
    unsigned event = d != NULL ? d->event : 0;
    if (feature_walk_to(&p->walk, e->seq) && !update_open(p))
        return false;
    if (event_has(event, USE_ENTER) && !count_entry(p, same_method(p->t, d->method_id)))
        return false;
    if (e->kind != 'L' || e->value == 0 || e->value > UINT32_MAX)
        return true;
    return add_object(p, (uint32_t)e->value, event);
}

int feature_no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

int feature_pass_run(struct feature_pass *p, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    struct walk w;
    if (!tables_need_classes(p->t))
        return feature_no_memory(error);
    p->sets.words = p->walk.count / 64 + 1;
    p->scratch = arena_array(&p->walk.arena, p->sets.words, sizeof *p->scratch);
    if (p->scratch == NULL)
        return feature_no_memory(error);
    if (!update_open(p)) /* no feature is open: the empty set becomes number 0 */
        return feature_no_memory(error);
    walk_open_filter(&w, p->t, &filter);
    while (walk_step(&w, &e)) {
        if (!add_event(p, e)) {
            (void)walk_close(&w, NULL);
            return feature_no_memory(error);
        }
    }
    return walk_finish(&w, error);
}

void feature_pass_done(struct feature_pass *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->page_count; i++)
        free(p->pages[i]);
    vec_free(&p->methods);
    vec_free(&p->calls);
    sets_done(&p->sets);
    feature_walk_done(&p->walk);
    free(p);
}
