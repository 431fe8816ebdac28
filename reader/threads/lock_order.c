/* lock_order.c - see lock_order.h. */
#include "reader/threads/lock_order.h"

#include <stdio.h>
#include <string.h>

#include "formats/search.h"
#include "reader/threads/thread_state.h"
#include "reader/trace/open_trace.h"

/* A hold that has ended. It lies inside of the next one of its thread that ends and began before it. */
struct ended {
    uint64_t entered;
    uint32_t lock;
};
struct holder {
    uint64_t thread;         /* number + 1 */
    VEC(struct ended) ended; /* by when they were entered */
    struct ended open;       /* the innermost that never ended; lock: place + 1, 0 none */
};

/* A hold inside of which other threads held the monitor, as it was given back by Object.wait: whether it was waited for
 * at the begin is not known from the latest exit. */
struct spanning {
    uint64_t asked, entered, wait_ns;
    uint32_t lock, thread;
    bool waited;
};
struct reading {
    struct lock_order *out;
    hs_trace *trace;
    VEC(struct spanning) spanning;
    MAP(struct holder) holders;
    MAP(struct lock_key) by_tid; /* the first number + 1 of each Java thread */
};
enum { ENDED_MAX = 1 << 16 };

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

/* The number of the Java thread of that number: it has another one after each start of recording. */
static uint32_t same_thread(struct reading *r, uint32_t thread)
{
    const struct hs_thread *t = hs_thread_get(r->trace, thread);
    struct lock_key *first = t != NULL && t->tid != 0 ? map_put(&r->by_tid, t->tid) : NULL;
    if (first == NULL) /* its id is not known, or memory is out: then it counts as another thread */
        return thread;
    if (first->place == 0)
        first->place = thread + 1;
    return first->place - 1;
}

static uint32_t only_thread(uint32_t known, uint32_t thread)
{
    return known == 0 || known == thread + 1 ? thread + 1 : LOCK_MANY_THREADS;
}

/* ---- holds ---- */

static struct lock_key *key_of(struct lock_order *o, uint64_t object, const char *class_name)
{
    if (object != 0)
        return map_put(&o->by_object, object);
    uint64_t hash = map_hash(class_name, strlen(class_name));
    struct lock_key *k;
    while ((k = map_get(&o->by_class, hash)) != NULL &&
           strcmp(o->locks.items[k->place - 1].class_name, class_name) != 0)
        hash = map_next_hash(hash);
    return k != NULL ? k : map_put(&o->by_class, hash);
}

static struct lock_use *lock_of(struct lock_order *o, uint64_t object, const char *class_name)
{
    struct lock_key *k = key_of(o, object, class_name);
    if (k == NULL || k->place != 0)
        return k != NULL ? &o->locks.items[k->place - 1] : NULL;
    struct lock_use *l = vec_push(&o->locks);
    if (l == NULL)
        return NULL;
    *l = (struct lock_use){ .object = object };
    k->place = (uint32_t)o->locks.count;
    if (object == 0)
        l->class_name = class_name;
    return l;
}

static bool add_edge(struct lock_order *o, uint32_t from, uint32_t to, uint64_t outer, uint64_t inner, uint32_t thread)
{
    struct lock_key *k = map_put(&o->by_edge, ((uint64_t)from << 32 | to) + 1);
    if (k == NULL)
        return false;
    if (k->place == 0) {
        struct lock_edge *e = vec_push(&o->edges);
        if (e == NULL)
            return false;
        *e = (struct lock_edge){ .from = from, .to = to, .outer = outer, .inner = inner };
        k->place = (uint32_t)o->edges.count;
    }
    struct lock_edge *e = &o->edges.items[k->place - 1];
    e->count++;
    e->thread = only_thread(e->thread, thread);
    return true;
}

static int by_lock(const void *a, const void *b)
{
    const struct ended *x = a, *y = b;
    if (x->lock != y->lock)
        return x->lock < y->lock ? -1 : 1;
    return (x->entered > y->entered) - (x->entered < y->entered);
}

static int by_entered(const void *a, const void *b)
{
    const struct ended *x = a, *y = b;
    return (x->entered > y->entered) - (x->entered < y->entered);
}

/* Keeps the latest hold of each monitor: a hold around several of them is around the latest, too. */
static void keep_latest(struct holder *h)
{
    size_t n = 0;
    qsort(h->ended.items, h->ended.count, sizeof *h->ended.items, by_lock);
    for (size_t i = 0; i < h->ended.count; i++)
        if (i + 1 == h->ended.count || h->ended.items[i + 1].lock != h->ended.items[i].lock)
            h->ended.items[n++] = h->ended.items[i];
    h->ended.count = n < ENDED_MAX / 2 ? n : ENDED_MAX / 2; /* a program that holds so many at once: the first ones */
    qsort(h->ended.items, h->ended.count, sizeof *h->ended.items, by_entered);
}

/* A hold has ended: those that ended inside of it, with none between, are its edges. */
static bool end_hold(struct reading *r, uint32_t thread, uint32_t lock, uint64_t entered)
{
    struct holder *h = map_put(&r->holders, (uint64_t)thread + 1);
    if (h == NULL)
        return false;
    for (; h->ended.count > 0 && h->ended.items[h->ended.count - 1].entered > entered; h->ended.count--) {
        const struct ended *in = &h->ended.items[h->ended.count - 1];
        if (in->lock != lock && !add_edge(r->out, lock, in->lock, entered, in->entered, same_thread(r, thread)))
            return false;
    }
    if (h->ended.count == ENDED_MAX)
        keep_latest(h);
    struct ended *e = vec_push(&h->ended);
    if (e != NULL)
        *e = (struct ended){ entered, lock };
    return e != NULL;
}

static bool keep_open(struct reading *r, uint32_t thread, uint32_t lock, uint64_t entered)
{
    struct holder *h = map_put(&r->holders, (uint64_t)thread + 1);
    if (h != NULL && (h->open.lock == 0 || h->open.entered < entered))
        h->open = (struct ended){ entered, lock + 1 };
    return h != NULL;
}

/* The monitor of a hold. False: out of memory. `*out` NULL: it is not known whose monitor it was. */
static bool find_lock(struct reading *r, const struct hs_hold *hold, struct lock_use **out)
{
    const struct hs_dataid *d = hold->object == 0 ? hs_dataid_get(r->trace, hold->dataid) : NULL;
    const struct hs_class *c = d != NULL ? hs_class_get(r->trace, d->class_no) : NULL;
    *out = NULL;
    if (hold->object == 0 && c == NULL)
        return true;
    *out = lock_of(r->out, hold->object, c != NULL ? c->name : NULL);
    return *out != NULL;
}

/* The monitor was waited for if another thread gave it back between the two: that of the latest exit, unless other
 * threads have held it inside of this hold. False: out of memory. */
static bool count_wait(struct reading *r, struct lock_use *l, const struct hs_hold *hold, uint32_t thread)
{
    const uint64_t wait_ns = hold->wait_ns != HS_NO_TIME ? hold->wait_ns : 0;
    if (hold->asked == HS_NO_SEQ || l->last_thread == 0 || l->last_left < hold->asked)
        return true;
    if (l->last_left > hold->entered) {
        struct spanning *s = vec_push(&r->spanning);
        if (s != NULL)
            *s = (struct spanning){ .asked = hold->asked,
                                    .entered = hold->entered,
                                    .wait_ns = wait_ns,
                                    .lock = (uint32_t)(l - r->out->locks.items),
                                    .thread = thread };
        return s != NULL;
    }
    if (l->last_thread != thread + 1) {
        l->contended++;
        l->wait_ns += wait_ns;
    }
    return true;
}

static bool add_hold(struct reading *r, const struct hs_hold *hold)
{
    struct lock_use *l;
    if (!find_lock(r, hold, &l))
        return false;
    if (l == NULL)
        return true;
    const uint32_t thread = same_thread(r, hold->thread);
    l->entered++;
    l->hold_ns += hold->hold_ns != HS_NO_TIME ? hold->hold_ns : 0;
    l->holds_unknown += hold->hold_ns == HS_NO_TIME;
    l->waits_unknown += hold->asked == HS_NO_SEQ && !hold->again;
    l->thread = only_thread(l->thread, thread);
    if (hold->again) /* that never waits, is in no order, and does not give the monitor back */
        return true;
    if (!count_wait(r, l, hold, thread))
        return false;
    if (hold->left != HS_NO_SEQ) {
        l->last_left = hold->left;
        l->last_thread = thread + 1;
    }
    uint32_t lock = (uint32_t)(l - r->out->locks.items);
    return end_hold(r, hold->thread, lock, hold->entered) &&
           (hold->left != HS_NO_SEQ || keep_open(r, hold->thread, lock, hold->entered));
}

static int by_monitor(const void *a, const void *b)
{
    const struct spanning *x = a, *y = b;
    return (x->lock > y->lock) - (x->lock < y->lock);
}

/* Notes which holds of r->spanning were waited for until this one ended. */
static bool add_exit(struct reading *r, const struct hs_hold *hold)
{
    struct lock_use *l;
    size_t at;
    if (!find_lock(r, hold, &l))
        return false;
    if (l == NULL || hold->left == HS_NO_SEQ || hold->again)
        return true;
    const uint32_t lock = (uint32_t)(l - r->out->locks.items), thread = same_thread(r, hold->thread);
    LOWER_BOUND(at, r->spanning.count, r->spanning.items[at].lock < lock);
    for (; at < r->spanning.count && r->spanning.items[at].lock == lock; at++) {
        struct spanning *s = &r->spanning.items[at];
        s->waited |= s->thread != thread && s->asked < hold->left && hold->left < s->entered;
    }
    return true;
}

/* ---- what is held and waited for at the end ---- */

static struct lock_use *lock_at_end(struct reading *r, uint64_t object, const struct hs_class *of_class)
{
    return lock_of(r->out, of_class != NULL ? 0 : object, of_class != NULL ? of_class->name : NULL);
}

static uint64_t ns_until(hs_trace *trace, uint64_t seq, uint64_t end_ns)
{
    const struct hs_event *e;
    if (hs_event_at(trace, seq, &e, NULL) != 0)
        return 0;
    uint64_t ns = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(trace, e->stamp);
    return ns < end_ns ? end_ns - ns : 0;
}

static bool add_still_held(struct reading *r, const struct thread_held *h, uint64_t end_ns)
{
    struct lock_use *l = lock_at_end(r, h->key, h->of_class);
    if (l == NULL)
        return false;
    l->still_held++;
    l->hold_ns += ns_until(r->trace, h->entered, end_ns);
    l->holds_unknown -= l->holds_unknown > 0; /* its row has no end */
    return true;
}

/* A thread that waits at the end for a monitor has entered all but that one. */
static bool add_still_waiting(struct reading *r, const struct thread_state *t, uint64_t end_ns)
{
    const struct holder *h = map_get(&r->holders, (uint64_t)t->thread->thread + 1);
    const uint32_t thread = same_thread(r, t->thread->thread);
    struct lock_use *l = lock_at_end(r, t->object, t->of_class);
    if (l == NULL)
        return false;
    if (t->owner != NO_STATE) {
        l->contended++;
        l->still_waiting++;
        l->wait_ns += ns_until(r->trace, t->since, end_ns);
        l->thread = only_thread(l->thread, thread);
    }
    const uint32_t to = (uint32_t)(l - r->out->locks.items);
    return h == NULL || h->open.lock == 0 || h->open.entered > t->since || to + 1 == h->open.lock ||
           add_edge(r->out, h->open.lock - 1, to, h->open.entered, t->since, thread);
}

static int add_end(struct reading *r, struct hs_error *error)
{
    struct thread_states all;
    const uint64_t end_ns = hs_recording_end_ns(r->trace);
    const int failed = thread_states_read(r->trace, HS_NO_SEQ, &all, error);
    bool room = true;
    for (size_t i = 0; failed == 0 && room && i < all.held.count; i++)
        room = add_still_held(r, &all.held.items[i], end_ns);
    for (size_t i = 0; failed == 0 && room && i < all.list.count; i++)
        if (all.list.items[i].wait == HS_WAIT_ENTER)
            room = add_still_waiting(r, &all.list.items[i], end_ns);
    thread_states_free(&all);
    return failed == 0 && !room ? no_memory(error) : failed;
}

/* ---- circles ---- */

/* Strongly connected components, by Tarjan without recursion. */
struct visit {
    uint32_t index, low; /* index 0: not visited */
    bool open;
};
struct step {
    uint32_t lock;
    size_t next; /* of the edges that begin there */
};
struct walk {
    struct visit *visits;
    size_t *first; /* of each monitor, where its edges begin; they are sorted by `from` */
    VEC(struct step) path;
    u32_vec open;
    uint32_t visited, groups;
};

static int by_from(const void *a, const void *b)
{
    const struct lock_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->inner > y->inner) - (x->inner < y->inner);
}

static bool visit(struct walk *w, uint32_t lock)
{
    struct step *s = vec_push(&w->path);
    uint32_t *open = vec_push(&w->open);
    if (s == NULL || open == NULL)
        return false;
    w->visited++;
    w->visits[lock] = (struct visit){ w->visited, w->visited, true };
    *s = (struct step){ lock, w->first[lock] };
    *open = lock;
    return true;
}

/* Ends the visit of the last lock of the path; it may be the first one of its component. */
static void leave(struct walk *w, struct lock_order *o)
{
    uint32_t lock = w->path.items[--w->path.count].lock, top;
    if (w->path.count > 0) {
        struct visit *before = &w->visits[w->path.items[w->path.count - 1].lock];
        before->low = before->low < w->visits[lock].low ? before->low : w->visits[lock].low;
    }
    if (w->visits[lock].low != w->visits[lock].index)
        return;
    bool alone = w->open.items[w->open.count - 1] == lock;
    w->groups += !alone;
    do {
        top = w->open.items[--w->open.count];
        w->visits[top].open = false;
        o->locks.items[top].group = alone ? 0 : w->groups;
    } while (top != lock);
}

static bool find_groups(struct walk *w, struct lock_order *o)
{
    for (uint32_t root = 0; root < o->locks.count; root++) {
        if (w->visits[root].index != 0)
            continue;
        if (!visit(w, root))
            return false;
        while (w->path.count > 0) {
            struct step *s = &w->path.items[w->path.count - 1];
            if (s->next == w->first[s->lock + 1]) {
                leave(w, o);
                continue;
            }
            uint32_t to = o->edges.items[s->next++].to, from = s->lock;
            if (w->visits[to].index == 0) {
                if (!visit(w, to))
                    return false;
            } else if (w->visits[to].open && w->visits[to].index < w->visits[from].low) {
                w->visits[from].low = w->visits[to].index;
            }
        }
    }
    return true;
}

/* Circles of one thread alone: it never waits for itself. */
static bool mark_circles(struct lock_order *o, uint32_t groups)
{
    u32_vec threads = { 0 };
    bool room = vec_extend(&threads, (size_t)groups + 1);
    for (size_t i = 0; room && i < o->edges.count; i++) {
        struct lock_edge *e = &o->edges.items[i];
        uint32_t group = o->locks.items[e->from].group;
        e->circle = group != 0 && group == o->locks.items[e->to].group;
        if (e->circle)
            threads.items[group] =
                e->thread == LOCK_MANY_THREADS ? LOCK_MANY_THREADS : only_thread(threads.items[group], e->thread - 1);
    }
    for (size_t i = 0; room && i < o->edges.count; i++) {
        struct lock_edge *e = &o->edges.items[i];
        e->circle = e->circle && threads.items[o->locks.items[e->from].group] == LOCK_MANY_THREADS;
    }
    vec_free(&threads);
    return room;
}

static bool find_circles(struct lock_order *o)
{
    struct walk w = { .visits = calloc(o->locks.count + 1, sizeof *w.visits),
                      .first = calloc(o->locks.count + 2, sizeof *w.first) };
    bool room = w.visits != NULL && w.first != NULL;
    if (o->edges.count > 1)
        qsort(o->edges.items, o->edges.count, sizeof *o->edges.items, by_from);
    for (size_t i = 0; room && i < o->edges.count; i++)
        w.first[o->edges.items[i].from + 1]++;
    for (size_t i = 0; room && i < o->locks.count; i++)
        w.first[i + 1] += w.first[i];
    room = room && find_groups(&w, o) && mark_circles(o, w.groups);
    free(w.visits);
    free(w.first);
    vec_free(&w.path);
    vec_free(&w.open);
    return room;
}

size_t lock_order_way(const struct lock_order *o, uint32_t from, uint32_t to, const struct lock_edge **way, size_t max)
{
    u32_vec came = { 0 }, queue = { 0 }; /* came: of each monitor, the edge that was taken to it, + 1 */
    size_t length = 0;
    uint32_t *first = vec_extend(&came, o->locks.count) ? vec_push(&queue) : NULL;
    if (first != NULL)
        *first = from;
    for (size_t i = 0; first != NULL && i < queue.count && came.items[to] == 0; i++)
        for (uint32_t k = 0; k < o->edges.count; k++) {
            const struct lock_edge *e = &o->edges.items[k];
            if (!e->circle || e->from != queue.items[i] || e->to == from || came.items[e->to] != 0)
                continue;
            uint32_t *next = vec_push(&queue);
            if (next == NULL)
                break;
            *next = e->to;
            came.items[e->to] = k + 1;
        }
    uint32_t at = to;
    for (; first != NULL && at != from && came.items[at] != 0 && length < max; length++) {
        way[length] = &o->edges.items[came.items[at] - 1];
        at = way[length]->from;
    }
    for (size_t i = 0; i < length / 2; i++) {
        const struct lock_edge *e = way[i];
        way[i] = way[length - 1 - i];
        way[length - 1 - i] = e;
    }
    vec_free(&came);
    vec_free(&queue);
    return at == from ? length : 0;
}

/* ---- the whole ---- */

/* Gives each hold to `each`. */
static int read_holds(struct reading *r, bool (*each)(struct reading *r, const struct hs_hold *hold),
                      struct hs_error *error)
{
    const struct hs_hold *hold;
    hs_cursor *holds;
    bool room = true;
    int more = hs_holds_open(r->trace, NULL, 0, &holds, error);
    if (more != 0)
        return -1;
    while (room && (more = hs_hold_next(holds, &hold, error)) > 0)
        room = each(r, hold);
    hs_cursor_close(holds);
    return room ? more : no_memory(error);
}

/* Counts the waits of the holds inside of which other threads held the monitor. */
static int count_spanning(struct reading *r, struct hs_error *error)
{
    if (r->spanning.count == 0)
        return 0;
    qsort(r->spanning.items, r->spanning.count, sizeof *r->spanning.items, by_monitor);
    if (read_holds(r, add_exit, error) != 0)
        return -1;
    for (size_t i = 0; i < r->spanning.count; i++) {
        const struct spanning *s = &r->spanning.items[i];
        r->out->locks.items[s->lock].contended += s->waited;
        r->out->locks.items[s->lock].wait_ns += s->waited ? s->wait_ns : 0;
    }
    return 0;
}

int lock_order_read(struct lock_order *o, hs_trace *trace, struct hs_error *error)
{
    struct reading r = { .out = o, .trace = trace };
    *o = (struct lock_order){ 0 };
    const bool ok = read_holds(&r, add_hold, error) == 0 && count_spanning(&r, error) == 0 && add_end(&r, error) == 0;
    for (size_t i = 0; i < r.holders.cap; i++)
        vec_free(&r.holders.slots[i].ended);
    vec_free(&r.spanning);
    map_free(&r.holders);
    map_free(&r.by_tid);
    if (ok && !find_circles(o))
        return no_memory(error);
    return ok ? 0 : -1;
}

void lock_order_free(struct lock_order *o)
{
    vec_free(&o->locks);
    vec_free(&o->edges);
    map_free(&o->by_object);
    map_free(&o->by_class);
    map_free(&o->by_edge);
}
