/* section_paths.c - the calls of a segment by path, the methods from the outermost recorded call on: how many there
 * were, and their times. Reports add segments up instead of reading all events.
 *
 *     section  varint n | n times: varint its number - that of the path around it (0: none), varint method << 1 | is a
 *              call of it nested in one of the same method, varint calls begun, calls left,
 *              and if calls were left: varint exceptions, total ns, self ns, greatest ns
 *
 * The calls that are open when the segment begins have their paths, too, once they are needed. A segment has none where
 * the call table has none (section_calls.c), or with more than PATHS_MAX of them. */
#include "reader/index/sections.h"

enum { PATHS_MAX = 1 << 15 };

bool paths_init(struct path_writer *w, hs_trace *t)
{
    w->nodes = calloc(t->stream_count + 1, sizeof *w->nodes);
    w->stream_count = t->stream_count;
    return w->nodes != NULL;
}

void paths_done(struct path_writer *w)
{
    for (size_t i = 0; w->nodes != NULL && i < w->stream_count; i++)
        vec_free(&w->nodes[i]);
    free(w->nodes);
    vec_free(&w->paths);
    map_free(&w->by_parent);
}

void paths_clear(struct path_writer *w)
{
    for (size_t i = 0; i < w->stream_count; i++)
        w->nodes[i].count = 0;
    w->paths.count = 0;
    w->many = false;
    map_free(&w->by_parent);
}

/* The path of a method below another one: its number, NO_PATH if there are too many. False: out of memory. */
static bool find_path(struct path_writer *w, uint32_t parent, uint32_t method, bool nested, uint32_t *out)
{
    const uint64_t key = ((uint64_t)(parent + 1) << 32 | method) + 1; /* NO_PATH + 1 is 0 */
    struct path_of *known = map_get(&w->by_parent, key);
    *out = known != NULL ? known->path : NO_PATH;
    w->many |= known == NULL && w->paths.count == PATHS_MAX;
    if (known != NULL || w->many)
        return true;
    known = map_put(&w->by_parent, key);
    struct path_sum *new = known != NULL ? vec_push(&w->paths) : NULL;
    if (new == NULL)
        return false;
    *new = (struct path_sum){ .parent = parent, .nested = nested, .sums = { .method_id = method } };
    *out = known->path = (uint32_t)w->paths.count - 1;
    return true;
}

bool paths_apply(struct path_writer *w, uint32_t stream, const struct call_stack *s, const struct effect *f,
                 const struct costs *costs)
{
    const bool enters = f->op == EFFECT_ENTER;
    if ((!enters && f->op != EFFECT_LEAVE) || w->many)
        return true;
    u32_vec *nodes = &w->nodes[stream];
    const size_t depth = s->calls.count - enters; /* of the call, which is the last one or has just been removed */
    uint32_t own = !enters && depth < nodes->count ? nodes->items[depth] : NO_PATH;
    nodes->count = nodes->count < depth ? nodes->count : depth;
    for (size_t i = nodes->count; (enters || costs->left) && i < depth; i++) {
        const struct call *c = &s->calls.items[i];
        uint32_t path, *to = vec_push(nodes);
        if (to == NULL || !find_path(w, i > 0 ? nodes->items[i - 1] : NO_PATH, c->method, c->below != 0, &path))
            return false;
        *to = path;
        if (w->many)
            return true;
    }
    if (!enters && !costs->left) /* of a call that is not known */
        return true;
    const bool nested = enters ? s->calls.items[depth].below != 0 : costs->took.nested;
    if (own == NO_PATH && !find_path(w, depth > 0 ? nodes->items[depth - 1] : NO_PATH, f->method, nested, &own))
        return false;
    if (w->many)
        return true;
    struct hs_context *sums = &w->paths.items[own].sums;
    if (enters) {
        uint32_t *to = vec_push(nodes);
        if (to != NULL)
            *to = own;
        sums->calls++;
        return to != NULL;
    }
    sums->left++;
    sums->exceptions += f->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    sums->total_ns += costs->took.total;
    sums->self_ns += costs->took.self;
    sums->max_ns = costs->took.total > sums->max_ns ? costs->took.total : sums->max_ns;
    if (depth == 0)
        vec_free(nodes); /* not kept for the next call: there may be a hundred thousand threads */
    return true;
}

void paths_encode(const struct path_writer *w, struct writer *out)
{
    write_varint(out, w->paths.count);
    for (size_t i = 0; i < w->paths.count; i++) {
        const struct path_sum *p = &w->paths.items[i];
        const struct hs_context *x = &p->sums;
        write_varint(out, p->parent != NO_PATH ? i - p->parent : 0);
        write_varint(out, (uint64_t)x->method_id << 1 | p->nested);
        write_varint(out, x->calls);
        write_varint(out, x->left);
        if (x->left == 0)
            continue;
        write_varint(out, x->exceptions);
        write_varint(out, x->total_ns);
        write_varint(out, x->self_ns);
        write_varint(out, x->max_ns);
    }
}

struct path_walk {
    hs_trace *trace;
    path_sum_fn *each;
    void *context;
};

static enum status read_paths(void *context, uint64_t segment, const void *data, size_t size, struct error *err)
{
    const struct path_walk *w = context;
    struct reader r = reader_of(data, size);
    (void)segment;
    const uint64_t n = read_varint(&r);
    for (uint64_t i = 0; i < n && !r.bad; i++) {
        struct path_sum p = { .parent = NO_PATH };
        const uint64_t above = read_varint(&r), method = read_varint(&r);
        p.sums.calls = read_varint(&r);
        p.sums.left = read_varint(&r);
        if (p.sums.left > 0) {
            p.sums.exceptions = read_varint(&r);
            p.sums.total_ns = read_varint(&r);
            p.sums.self_ns = read_varint(&r);
            p.sums.max_ns = read_varint(&r);
        }
        if (r.bad || n > PATHS_MAX || above > i || method >> 1 > UINT32_MAX ||
            hs_method_get(w->trace, (uint32_t)(method >> 1)) == NULL)
            return ERR_NOT_FOUND;
        p.parent = above > 0 ? (uint32_t)(i - above) : NO_PATH;
        p.nested = (method & 1) != 0;
        p.sums.method_id = (uint32_t)(method >> 1);
        enum status st = w->each(w->context, (uint32_t)i, &p, err);
        if (st != OK)
            return st;
    }
    return r.bad ? ERR_NOT_FOUND : OK;
}

enum status index_paths(hs_trace *t, path_sum_fn *each, void *context, struct error *err)
{
    struct path_walk w = { t, each, context };
    return weavings_known(t) ? ERR_NOT_FOUND : index_each(t, SECTION_PATHS, read_paths, &w, err);
}
