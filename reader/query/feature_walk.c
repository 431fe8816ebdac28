/* feature_walk.c - see features.h. Names of marks become features, marks become edges, which are sorted by seq. */
#include <stdlib.h>
#include <string.h>

#include "reader/query/features.h"
#include "reader/stream/stream.h"

struct named {
    const char *name;
    size_t mark;
    uint32_t feature;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->mark < y->mark ? -1 : x->mark > y->mark;
}

static int by_mark(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return x->mark < y->mark ? -1 : x->mark > y->mark;
}

static int by_seq(const void *a, const void *b)
{
    const struct feature_edge *x = a, *y = b;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Numbers the features in the order of their first marks. The leader of a mark is the first mark of its name. */
static void number_features(struct feature_walk *w, struct named *named, size_t count)
{
    qsort(named, count, sizeof *named, by_name);
    uint32_t *leader = w->open; /* by mark; large enough, and not used yet */
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && strcmp(named[i - 1].name, named[i].name) == 0;
        leader[named[i].mark] = same ? leader[named[i - 1].mark] : (uint32_t)named[i].mark;
    }
    qsort(named, count, sizeof *named, by_mark);
    for (size_t i = 0; i < count; i++) {
        if (leader[i] == i) {
            w->names[w->count] = named[i].name;
            named[i].feature = (uint32_t)w->count++;
        } else {
            named[i].feature = named[leader[i]].feature;
        }
        w->marks[named[i].feature]++;
    }
}

enum status feature_walk_begin(hs_trace *t, struct feature_walk *w, struct error *err)
{
    *w = (struct feature_walk){ 0 };
    enum status st = marks_number(t, err);
    if (st != OK)
        return st;
    const struct hs_mark *marks = t->marks.items;
    size_t count = t->marks.count;
    struct named *named = arena_array(&w->arena, count + 1, sizeof *named);
    w->names = arena_array(&w->arena, count + 1, sizeof *w->names);
    w->marks = arena_array(&w->arena, count + 1, sizeof *w->marks);
    w->unended = arena_array(&w->arena, count + 1, sizeof *w->unended);
    w->edges = arena_array(&w->arena, 2 * count + 1, sizeof *w->edges);
    w->opened = arena_array(&w->arena, count + 1, sizeof *w->opened);
    w->open = arena_array(&w->arena, count + 1, sizeof *w->open);
    if (named == NULL || w->names == NULL || w->marks == NULL || w->unended == NULL || w->edges == NULL ||
        w->opened == NULL || w->open == NULL) {
        feature_walk_done(w);
        return error_memory(err, "%s", hs_dir(t));
    }
    for (size_t i = 0; i < count; i++)
        named[i] = (struct named){ .name = marks[i].name, .mark = i };
    number_features(w, named, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t feature = named[i].feature;
        w->unended[feature] += marks[i].end_ns == HS_NO_TIME;
        if (marks[i].events == 0)
            continue;
        w->edges[w->edge_count++] = (struct feature_edge){ marks[i].first, feature, 1 };
        w->edges[w->edge_count++] = (struct feature_edge){ marks[i].first + marks[i].events, feature, -1 };
    }
    qsort(w->edges, w->edge_count, sizeof *w->edges, by_seq);
    return OK;
}

void feature_walk_done(struct feature_walk *w) { arena_done(&w->arena); }

bool feature_walk_change(struct feature_walk *w, uint64_t seq)
{
    while (w->next < w->edge_count && w->edges[w->next].seq <= seq) {
        const struct feature_edge *e = &w->edges[w->next++];
        /* at one seq a mark's end may be applied before its begin: the counter wraps and returns to 0 */
        w->opened[e->feature] += (uint32_t)e->step;
    }
    w->open_count = 0;
    for (uint32_t f = 0; f < w->count; f++)
        if (w->opened[f] > 0)
            w->open[w->open_count++] = f;
    return true;
}
