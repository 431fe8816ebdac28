/* profile.c - see profile.h. An entry is counted in the call that it begins, an exit in the call that it ends. */
#include "reader/export/profile.h"

#include <stdio.h>
#include <string.h>

#include "reader/command/report.h"
#include "reader/export/call_walk.h"

const struct profile_weight_text profile_weight_texts[PROFILE_WEIGHTS] = {
    [PROFILE_CALLS] = { "calls", "calls", "count" },
    [PROFILE_TIME] = { "time", "self time", "nanoseconds" },
    [PROFILE_EVENTS] = { "events", "events", "count" },
};

const char profile_outside[] = "(outside of recorded calls)";

/* ---- nodes ---- */

static uint32_t method_position(struct profile *p, const struct hs_dataid *entry)
{
    struct profile_entry *e = map_put(&p->method_of, (uint64_t)entry->method_id + 1);
    if (e == NULL)
        return PROFILE_NONE;
    if (e->value == 0) {
        struct profile_method *m = vec_push(&p->methods);
        if (m == NULL)
            return PROFILE_NONE;
        *m = (struct profile_method){ entry->method_id, SPOT_OF(entry) };
        e->value = (uint32_t)p->methods.count;
    }
    return e->value - 1;
}

/* The node of a call below another one, or that one itself where the tree is cut. False: out of memory. */
static bool node_below(struct profile *p, uint32_t parent, const struct hs_dataid *entry, uint32_t *out)
{
    uint32_t depth = parent == PROFILE_NONE ? 0 : p->nodes.items[parent].depth + 1;
    uint32_t method = method_position(p, entry);
    if (method == PROFILE_NONE)
        return false;
    uint64_t key = ((uint64_t)(uint32_t)(parent + 1) << 32 | method) + 1; /* PROFILE_NONE + 1 is 0 */
    struct profile_entry *e = map_get(&p->node_of, key);
    if (e != NULL) {
        *out = e->value;
        return true;
    }
    if (depth >= PROFILE_DEPTH_MAX || p->nodes.count >= PROFILE_NODES_MAX) {
        p->cut++;
        *out = parent;
        return true;
    }
    e = map_put(&p->node_of, key);
    struct profile_node *node = vec_push(&p->nodes);
    if (e == NULL || node == NULL)
        return false;
    *node = (struct profile_node){ .method = method, .parent = parent, .depth = depth };
    *out = e->value = (uint32_t)p->nodes.count - 1;
    return true;
}

/* ---- calls ---- */

/* The number of an open call: its node + 1 (0: none), and whether its entry passed the filter. */
#define CALL_MARK(node, counted) ((((uint64_t)(node) + 1) & UINT32_MAX) << 1 | (uint64_t)(counted))
#define MARK_NODE(mark)          ((uint32_t)(((mark) >> 1) - 1))

static uint32_t innermost(const struct thread_calls *t, size_t above)
{
    return t == NULL || t->marks.count <= above ? PROFILE_NONE : MARK_NODE(t->marks.items[t->marks.count - 1 - above]);
}

static void add(struct profile *p, uint32_t node, enum profile_weight weight, uint64_t n)
{
    if (node == PROFILE_NONE)
        p->outside[weight] += n;
    else
        p->nodes.items[node].own[weight] += n;
}

static bool enter(void *context, const struct hs_event *e, const struct open_calls_step *s, bool wanted)
{
    struct profile *p = context;
    uint32_t node;
    if (!node_below(p, innermost(s->thread, 1), hs_dataid_get(p->job->trace, e->dataid), &node))
        return export_fail(p->job, "out of memory");
    open_calls_set(s->thread, CALL_MARK(node, wanted));
    if (wanted)
        add(p, node, PROFILE_CALLS, 1);
    return true;
}

static bool leave(void *context, const struct hs_event *e, const struct open_calls_step *s)
{
    (void)e;
    if ((s->mark & 1) != 0)
        add(context, MARK_NODE(s->mark), PROFILE_TIME, s->took.self);
    return true;
}

static bool count(void *context, const struct hs_event *e, const struct thread_calls *thread)
{
    (void)e;
    add(context, innermost(thread, 0), PROFILE_EVENTS, 1);
    return true;
}

/* ---- weights ---- */

static bool choose_weights(struct profile *p)
{
    const char *wanted = p->job->options.weight;
    uint64_t resolution = report_resolution(p->job->trace);
    unsigned chosen = resolution == 1 ? PROFILE_TIME : PROFILE_CALLS;
    if (wanted != NULL)
        for (chosen = 0; chosen < PROFILE_WEIGHTS && strcmp(wanted, profile_weight_texts[chosen].option) != 0;)
            chosen++;
    if (chosen == PROFILE_WEIGHTS)
        return export_wrong(p->job, "--weight wants calls, time or events, not '%s'", wanted);
    if (chosen == PROFILE_TIME && resolution == HS_NO_TIME)
        return export_wrong(p->job, "--weight time: this recording has no times of calls");
    p->weights[p->weight_count++] = (enum profile_weight)chosen;
    if (chosen != PROFILE_CALLS)
        p->weights[p->weight_count++] = PROFILE_CALLS;
    if (chosen != PROFILE_TIME && resolution != HS_NO_TIME)
        p->weights[p->weight_count++] = PROFILE_TIME;
    return true;
}

const char *profile_note(const struct profile *p, enum profile_weight weight, char text[PROFILE_NOTE_MAX])
{
    uint64_t resolution = report_resolution(p->job->trace);
    int n = snprintf(text, PROFILE_NOTE_MAX, "%s", profile_weight_texts[weight].name);
    if (weight == PROFILE_TIME && resolution > 1 && resolution != HS_NO_TIME)
        (void)snprintf(text + n, PROFILE_NOTE_MAX - (size_t)n,
                       "; times of calls below %.1f ms are not exact, a recording with timestamp=true has exact ones",
                       (double)resolution / 1e6);
    return text;
}

bool profile_read(struct profile *p, struct export_job *x)
{
    *p = (struct profile){ .job = x };
    if (!choose_weights(p))
        return false;
    struct call_walk_fns fns = { enter, leave, p->weights[0] == PROFILE_EVENTS ? count : NULL };
    if (!call_walk(x, &fns, p))
        return false;
    if (p->cut > 0)
        (void)cli_fail(EXIT_DONE, x->session->context,
                       "stacks end at %d calls, and at %d different ones; %llu calls beyond count as their callers",
                       PROFILE_DEPTH_MAX, PROFILE_NODES_MAX, (unsigned long long)p->cut);
    return true;
}

void profile_done(struct profile *p)
{
    vec_free(&p->nodes);
    vec_free(&p->methods);
    map_free(&p->node_of);
    map_free(&p->method_of);
}

void profile_totals(const struct profile *p, enum profile_weight weight, uint64_t *totals)
{
    for (size_t i = 0; i < p->nodes.count; i++)
        totals[i] = p->nodes.items[i].own[weight];
    for (size_t i = p->nodes.count; i-- > 0;)
        if (p->nodes.items[i].parent != PROFILE_NONE)
            totals[p->nodes.items[i].parent] += totals[i];
}
