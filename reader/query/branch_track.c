/* branch_track.c - the branches that a frame took, back from a moment.
 *
 *     frame     ENTRY  ...  LABEL  ...  LABEL  ...  LABEL  ...  LABEL  (moment)
 *     track             <- walk    2           1           0            -1, once it was asked about
 *
 * A question about many moments of one frame, such as the rounds of a long loop, would walk over the same events for
 * each. So the branches that a walk has met are kept, a track for each part of a frame that was asked about, and the
 * walk goes on where it stopped. Of the loops, the rounds that decided one another are kept, too: a chain for each
 * branch. What is kept says the same as a walk of its own would. */
#include "reader/query/branch_track.h"

#include "reader/query/decision.h"

#include <stdlib.h>

enum { TRACKS_MOST = 64, BRANCHES_MOST = 1 << 22, CHAINS_MOST = 16 };

struct tracks {
    struct branch_track of[TRACKS_MOST];
    size_t count;
    uint64_t clock;
};

static void chain_done(struct branch_chain *c)
{
    vec_free(&c->older);
    vec_free(&c->newer);
    free(c->from);
    free(c->to);
}

static void track_done(struct branch_track *k)
{
    for (size_t i = 0; i < k->chains.count; i++)
        chain_done(&k->chains.items[i]);
    vec_free(&k->chains);
    vec_free(&k->older);
    vec_free(&k->newer);
}

static void tracks_free(void *what)
{
    struct tracks *all = what;
    for (size_t i = 0; i < all->count; i++)
        track_done(&all->of[i]);
    free(all);
}

static struct tracks *tracks_of(hs_trace *t)
{
    struct tracks *all = trace_attached(t, ATTACHED_BRANCHES);
    if (all == NULL && (all = calloc(1, sizeof *all)) != NULL)
        trace_attach(t, ATTACHED_BRANCHES, all, tracks_free);
    return all;
}

/* ---- one track ---- */

static int64_t oldest_of(const struct branch_track *k) { return (int64_t)k->older.count - 1; }
static int64_t newest_of(const struct branch_track *k) { return -(int64_t)k->newer.count; }

static const struct branch *branch_at(const struct branch_track *k, int64_t number)
{
    return number >= 0 ? &k->older.items[number] : &k->newer.items[-number - 1];
}

/* False: the event is no branch. */
static bool branch_of(hs_trace *t, const struct hs_event *e, struct branch *out)
{
    struct way way;
    bool caught = false;
    if (!way_of(t, e, &way) && !(caught = way_caught(t, e, &way)))
        return false;
    *out = (struct branch){ .position = e->position, .from = way.branch, .to = way.to & INT32_MAX, .caught = caught };
    return true;
}

/* The number of the branch at a position. False: it is not in the track. */
static bool find_in(const struct branch_track *k, uint64_t position, int64_t *number)
{
    int64_t low = newest_of(k), high = oldest_of(k);
    if (branch_at(k, low)->position < position || branch_at(k, high)->position > position)
        return false;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (branch_at(k, middle)->position > position)
            low = middle + 1;
        else
            high = middle;
    }
    *number = low;
    return branch_at(k, low)->position == position;
}

static struct branch_track *find_track(struct tracks *all, const struct frame_walk *w, uint64_t position,
                                       const struct branch_track *other, int64_t *number)
{
    for (size_t i = 0; i < all->count; i++) {
        struct branch_track *k = &all->of[i];
        if (k != other && k->walk.stream == w->stream && k->walk.entry == w->entry && k->walk.method == w->method &&
            find_in(k, position, number)) {
            k->used = ++all->clock;
            return k;
        }
    }
    return NULL;
}

static void drop(struct tracks *all, struct branch_track *k)
{
    track_done(k);
    *k = all->of[--all->count];
}

static struct branch_track *least_used(struct tracks *all)
{
    struct branch_track *least = &all->of[0];
    for (size_t i = 1; i < all->count; i++)
        if (all->of[i].used < least->used)
            least = &all->of[i];
    return least;
}

/* A track that begins with the branch, which the walk has met last. NULL: out of memory. */
static struct branch_track *new_track(struct tracks *all, const struct frame_walk *walk, const struct branch *first)
{
    size_t branches = 0;
    for (size_t i = 0; i < all->count; i++)
        branches += all->of[i].older.count + all->of[i].newer.count;
    while (branches > BRANCHES_MOST || all->count == TRACKS_MOST) {
        struct branch_track *least = least_used(all);
        branches -= least->older.count + least->newer.count;
        drop(all, least);
    }
    struct branch_track *k = &all->of[all->count];
    *k = (struct branch_track){ .walk = *walk, .used = ++all->clock };
    struct branch *to = vec_push(&k->older);
    if (to == NULL)
        return NULL;
    *to = *first;
    all->count++;
    return k;
}

/* The walk has met the newest branch of another track: both become one. False: out of memory. */
static bool take_over(struct tracks *all, struct branch_track **track, struct branch_track *other)
{
    struct branch_track *k = *track;
    const size_t newer = other->newer.count, older = other->older.count;
    const int64_t steps = k->walked - branch_at(other, newest_of(other))->steps;
    if (!vec_reserve(&k->older, k->older.count + newer + older))
        return false;
    for (int64_t i = newest_of(other); i <= oldest_of(other); i++) {
        struct branch *to = &k->older.items[k->older.count++];
        *to = *branch_at(other, i);
        to->steps += steps;
    }
    k->walk = other->walk;
    k->walked = other->walked + steps;
    const bool moves = k == &all->of[all->count - 1];
    drop(all, other);
    if (moves)
        *track = other;
    return true;
}

/* The walk goes on by one event. */
static enum status extend(hs_trace *t, struct branch_track **track, struct error *err)
{
    struct tracks *all = tracks_of(t);
    struct branch_track *k = *track, *other;
    struct hs_event e;
    struct branch b;
    int64_t number;
    const enum status st = frame_walk_back(&k->walk, &e, err);
    if (st != OK) {
        if (st != ERR_NOT_FOUND)
            k->walk.stream = UINT32_MAX; /* nobody finds it any more */
        return st;
    }
    k->walked++;
    if (!branch_of(t, &e, &b))
        return OK;
    other = find_track(all, &k->walk, b.position, k, &number);
    if (other != NULL && number == newest_of(other))
        return take_over(all, track, other) ? OK : error_memory(err, "%s", t->dir);
    struct branch *to = vec_push(&k->older);
    if (to == NULL)
        return error_memory(err, "%s", t->dir);
    b.steps = k->walked;
    *to = b;
    return OK;
}

enum status branches_get(hs_trace *t, struct branch_start *s, int64_t number, struct branch *out, struct error *err)
{
    while (number > oldest_of(s->track)) {
        const enum status st = extend(t, &s->track, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (s->track->walked - s->steps > s->most)
            return ERR_LIMIT;
        if (st != OK)
            return st;
    }
    *out = *branch_at(s->track, number);
    return out->steps - s->steps > s->most ? ERR_LIMIT : OK;
}

/* ---- the begin of a walk ---- */

/* As find_track, of a walk that begins: a track that has become too large is begun anew. */
static struct branch_track *find_small_track(struct tracks *all, const struct frame_walk *w, uint64_t position,
                                             int64_t *number)
{
    struct branch_track *k = find_track(all, w, position, NULL, number);
    if (k != NULL && k->older.count + k->newer.count > BRANCHES_MOST) {
        drop(all, k);
        k = NULL;
    }
    return k;
}

/* The branch before the moment, by a walk; `*walked` events before it. */
static enum status walk_to_branch(struct frame_walk *walk, int64_t most, struct branch *out, int64_t *walked,
                                  struct error *err)
{
    struct hs_event e;
    for (*walked = 0;; ++*walked) {
        const enum status st = frame_walk_back(walk, &e, err);
        if (st != OK || *walked == most)
            return st != OK ? st : ERR_LIMIT;
        if (branch_of(walk->trace, &e, out)) {
            ++*walked;
            return OK;
        }
    }
}

/* Puts the branch at the moment itself before the newest one of the track. */
static enum status add_newest(hs_trace *t, struct event_position at, struct branch_track *k, int64_t steps,
                              struct error *err)
{
    struct hs_event e;
    struct branch b;
    const enum status st = positions_event(t, at, &e, err);
    struct branch *to = st == OK && branch_of(t, &e, &b) ? vec_push(&k->newer) : NULL;
    if (st != OK)
        return st;
    if (to == NULL)
        return error_memory(err, "%s", t->dir);
    b.steps = steps;
    *to = b;
    return OK;
}

enum status branches_from(hs_trace *t, struct event_position at, const struct call_frame *frame, bool is_branch,
                          int64_t most, struct branch_start *out, struct error *err)
{
    struct tracks *all = tracks_of(t);
    struct frame_walk walk;
    struct branch first;
    int64_t number, walked;
    *out = (struct branch_start){ .most = most };
    if (all == NULL)
        return error_memory(err, "%s", t->dir);
    frame_walk_begin(&walk, t, at, frame);
    out->track = is_branch ? find_small_track(all, &walk, at.position, &number) : NULL;
    if (out->track != NULL) {
        out->number = number + 1;
        out->steps = branch_at(out->track, number)->steps;
        return OK;
    }
    enum status st = walk_to_branch(&walk, most, &first, &walked, err);
    out->steps = -walked; /* as if the walk had a track of its own */
    if (st != OK)
        return st;
    out->track = find_small_track(all, &walk, first.position, &out->number);
    if (out->track != NULL && is_branch && out->number != newest_of(out->track))
        out->track = NULL;
    if (out->track == NULL) {
        out->number = 0;
        out->track = new_track(all, &walk, &first);
    }
    if (out->track == NULL)
        return error_memory(err, "%s", t->dir);
    out->steps += branch_at(out->track, out->number)->steps;
    return is_branch ? add_newest(t, at, out->track, out->steps, err) : OK;
}

/* ---- chains ---- */

static int64_t link_at(const struct branch_chain *c, int64_t link)
{
    return link >= 0 ? c->older.items[link] : c->newer.items[-link - 1];
}

struct branch_chain *branch_chain_of(struct branch_track *track, uint32_t base, int64_t number, int64_t *link)
{
    for (size_t i = track->chains.count; i-- > 0;) {
        struct branch_chain *c = &track->chains.items[i];
        int64_t low = -(int64_t)c->newer.count, high = (int64_t)c->older.count - 1;
        if (c->base != base || link_at(c, low) > number || link_at(c, high) < number)
            continue;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (link_at(c, middle) < number)
                low = middle + 1;
            else
                high = middle;
        }
        *link = low;
        if (link_at(c, low) == number)
            return c;
    }
    return NULL;
}

struct branch_chain *branch_chain_new(struct branch_track *track, uint32_t base, int64_t number)
{
    if (track->chains.count == CHAINS_MOST) {
        chain_done(&track->chains.items[0]);
        memmove(track->chains.items, track->chains.items + 1, --track->chains.count * sizeof *track->chains.items);
    }
    struct branch_chain *c = vec_push(&track->chains);
    if (c == NULL)
        return NULL;
    *c = (struct branch_chain){ .base = base, .now = base, .next = number + 1, .decision = NO_BRANCH };
    return branch_chain_add(c, number, false) ? c : NULL;
}

bool branch_chain_add(struct branch_chain *c, int64_t number, bool newer)
{
    int64_t *to = newer ? vec_push(&c->newer) : vec_push(&c->older);
    if (to != NULL)
        *to = number;
    return to != NULL;
}
