/* diagram_calls.c - call graphs: the methods that weigh most with all that they called, and who called them. */
#include "reader/export/diagram.h"
#include "reader/export/method_names.h"
#include "reader/export/profile_edges.h"

#include <stdlib.h>
#include <string.h>

struct ranked {
    uint32_t method;
    uint64_t weight;
};

static int by_weight(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->method < y->method ? -1 : x->method > y->method;
}

/* Marks the methods that are shown. False: out of memory. */
static bool choose(const struct diagram *d, const struct profile *p, const struct profile_edges *e, bool *shown)
{
    struct ranked *list = malloc((p->methods.count + 1) * sizeof *list);
    for (uint32_t i = 0; list != NULL && i < p->methods.count; i++)
        list[i] = (struct ranked){ i, e->inclusive[i][p->weights[0]] };
    if (list != NULL && p->methods.count > 1)
        qsort(list, p->methods.count, sizeof *list, by_weight);
    for (size_t i = 0; list != NULL && i < p->methods.count && i < d->most; i++)
        shown[list[i].method] = list[i].weight > 0;
    free(list);
    return list != NULL;
}

static void write_graph(struct diagram *d, const struct profile *p, const struct profile_edges *e, const bool *shown,
                        struct method_names *names)
{
    const struct profile_weight_text *weight = &profile_weight_texts[p->weights[0]];
    char note[PROFILE_NOTE_MAX];
    uint64_t left_out = 0;
    d->language->begin(d);
    for (uint32_t i = 0; i < p->methods.count; i++) {
        left_out += !shown[i] && e->inclusive[i][p->weights[0]] > 0;
        if (!shown[i])
            continue;
        out_text(&d->scratch, method_name(names, p->methods.items[i].method_id));
        uint64_t own = e->own[i][p->weights[0]], all = e->inclusive[i][p->weights[0]];
        bool counted = strcmp(weight->unit, "count") == 0; /* "0 of 1 call", "3 of 162 calls", "5 of 9 nanoseconds" */
        const char *unit = counted ? weight->name : weight->unit;
        out_format(&d->scratch, "\n%llu of %llu %.*s", (unsigned long long)own, (unsigned long long)all,
                   (int)strlen(unit) - (counted && all == 1), unit);
        d->language->node(d, i + 1, diagram_text(d));
    }
    for (size_t i = 0; i < e->list.count && export_ok(d->job); i++) {
        const struct profile_edge *edge = &e->list.items[i];
        if (!shown[edge->caller] || !shown[edge->callee])
            continue;
        out_format(&d->scratch, "%llu", (unsigned long long)edge->calls);
        d->language->edge(d, edge->caller + 1, edge->callee + 1, diagram_text(d));
    }
    out_format(&d->scratch, "own and all %s; arrows: calls", profile_note(p, p->weights[0], note));
    if (left_out > 0)
        out_format(&d->scratch, "\n%llu methods of less weight are left out (--limit)", (unsigned long long)left_out);
    d->language->note(d, 0, diagram_text(d));
}

bool diagram_calls(struct diagram *d)
{
    struct profile p;
    struct profile_edges e = { 0 };
    struct method_names names = { 0 };
    bool *shown = NULL;
    bool done = profile_read(&p, d->job);
    if (done) {
        shown = calloc(p.methods.count + 1, sizeof *shown);
        done = (shown != NULL && profile_edges_init(&e, &p) && choose(d, &p, &e, shown) &&
                method_names_init(&names, d->job)) ||
               export_fail(d->job, "out of memory");
    }
    if (done)
        write_graph(d, &p, &e, shown, &names);
    free(shown);
    method_names_done(&names);
    profile_edges_done(&e);
    profile_done(&p);
    return done;
}
