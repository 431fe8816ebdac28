/* percall.c - see percall.h. */
#include "logging/drain/percall.h"

void percall_done(struct percall *p)
{
    for (size_t i = 0; i < p->threads.count; i++)
        vec_free(&p->threads.items[i].calls);
    vec_free(&p->threads);
    vec_free(&p->marks);
}

/* The data IDs of a method follow each other, that of EVENTS_LEFT_OUT first. */
static uint32_t mark_of(struct percall *p, uint32_t id, const uint8_t *roles, uint32_t ids)
{
    while (p->marks.count < ids && id >= p->marks.count) {
        uint32_t next = (uint32_t)p->marks.count, before = next > 0 ? p->marks.items[next - 1] : NO_MARK;
        uint32_t *to = vec_push(&p->marks);
        if (to == NULL)
            return NO_MARK;
        *to = roles[next] == ROLE_LEFT_OUT ? next : roles[next] == ROLE_NEUTRAL ? NO_MARK : before;
    }
    return id < p->marks.count ? p->marks.items[id] : NO_MARK;
}

static struct counted_call *top_of(struct counted_thread *t)
{
    return t->calls.count > 0 ? &t->calls.items[t->calls.count - 1] : NULL;
}

/* The call that an event of this method belongs to: calls above it ended without an event. If there is none, it began
 * before the recording. NULL: no memory. */
static struct counted_call *own_call(const struct percall *p, struct counted_thread *t, uint32_t mark)
{
    size_t n = t->calls.count;
    while (n > 0 && t->calls.items[n - 1].mark != mark)
        n--;
    if (n > 0) {
        t->calls.count = n;
        return &t->calls.items[n - 1];
    }
    struct counted_call *c = vec_push(&t->calls);
    if (c != NULL)
        *c = (struct counted_call){ .mark = mark, .whole = p->resumed };
    return c;
}

void percall_begin(struct percall *p, uint32_t thread, uint32_t period)
{
    if (!vec_extend(&p->threads, (size_t)thread + 1) || p->threads.items[thread].period == period)
        return;
    p->threads.items[thread].period = period;
    p->threads.items[thread].calls.count = 0;
}

bool percall_due(const struct percall *p, uint32_t thread)
{
    return thread < p->threads.count && p->threads.items[thread].pending && p->threads.items[thread].calls.count > 0;
}

bool percall_take(struct percall *p, uint32_t thread, struct left_out *out)
{
    if (!percall_due(p, thread))
        return false;
    struct counted_thread *t = &p->threads.items[thread];
    const struct counted_call *c = top_of(t);
    *out = (struct left_out){ c->mark, c->left_out, t->stamp, t->time };
    t->pending = false;
    return true;
}

static bool is_boundary(uint8_t role) { return role == ROLE_ENTER || role == ROLE_LEAVE || role == ROLE_EXCEPTIONAL; }

bool percall_keeps(struct percall *p, uint32_t thread, const struct record *r, const uint8_t *roles, uint32_t ids)
{
    uint32_t mark = mark_of(p, r->id, roles, ids);
    if (mark == NO_MARK || is_boundary(roles[r->id]) || !vec_extend(&p->threads, (size_t)thread + 1))
        return true;
    struct counted_thread *t = &p->threads.items[thread];
    struct counted_call *before = top_of(t);
    if (t->pending && before != NULL && before->mark != mark)
        return true; /* the call whose events are pending ended without an exit */
    struct counted_call *c = own_call(p, t, mark);
    if (c == NULL || c->whole || (c->left_out == 0 && c->kept < p->most && r->count <= p->most - c->kept))
        return true;
    if (!t->pending) {
        t->pending = true;
        t->stamp = r->stamp;
        t->time = r->time;
    }
    p->calls += c->left_out == 0;
    p->events += r->count;
    c->left_out += r->count;
    return false;
}

void percall_count(struct percall *p, uint32_t thread, const struct record *r, const uint8_t *roles)
{
    uint32_t mark = r->id < p->marks.count ? p->marks.items[r->id] : NO_MARK;
    if (mark == NO_MARK || thread >= p->threads.count)
        return;
    struct counted_thread *t = &p->threads.items[thread];
    struct counted_call *c;
    switch (roles[r->id]) {
    case ROLE_ENTER:
        c = vec_push(&t->calls);
        if (c != NULL)
            *c = (struct counted_call){ .mark = mark, .kept = r->count };
        break;
    case ROLE_LEAVE:
    case ROLE_EXCEPTIONAL:
        (void)own_call(p, t, mark);
        if (t->calls.count > 0)
            t->calls.count--;
        break;
    default:
        c = own_call(p, t, mark);
        if (c != NULL)
            c->kept += r->count;
    }
}
