/* fold.c - see fold.h. The steps of a frame are a stack in which every loop is one LOOP step, followed, while it is
 * open, by the steps of the round in progress:
 *
 *     A B C          A comes again      LOOP{ABC} A          ... B C, A comes       LOOP{ABC x2} A
 *
 * A loop ends when a step follows a complete round that does not belong to it: the round is absorbed and the loop
 * closed. It is then a step like any other, so that a round around it may begin with it. */
#include "reader/replay/replay.h"

enum {
    LOOKBACK = 256, /* most steps of a round, and paths of a loop, that are compared: longer ones are not folded */
};
enum state { PLAIN, LOOP_OPEN, LOOP_CLOSED };

struct fold_step {
    uint32_t site;         /* of a loop: of its first step */
    uint32_t length, kept; /* steps that it counts as in hashes; top-level steps in the consumer's list */
    enum state state;
    bool outer;                    /* a loop whose rounds begin with a loop at the same site: B B D  B B B D */
    uint64_t hash;                 /* not of open loops */
    size_t before, handle;         /* passed by the consumer */
    size_t first_path, path_count; /* of a loop; for other steps first_path is the number of paths when it began */
};

/* One path through a loop. */
struct fold_path {
    uint64_t hash, times;
    uint32_t length, kept;
    size_t handle, note;
};

void fold_done(struct fold *f)
{
    vec_free(&f->steps);
    vec_free(&f->paths);
    vec_free(&f->frames);
}

static const struct fold_frame *top(const struct fold *f) { return &f->frames.items[f->frames.count - 1]; }

#define UNFINISHED UINT64_C(0x9f0c8a1be43d7265) /* hash of an unfinished step */

/* Hashes of sequences are polynomials, so that the hash of a part can stand for its steps. */
#define BASE UINT64_C(0xd6e8feb86659fd93)

static uint64_t power(uint32_t n)
{
    uint64_t p = 1;
    for (uint64_t b = BASE; n > 0; n >>= 1, b *= b)
        p = n & 1 ? p * b : p;
    return p;
}

static struct fold_path sum_up(const struct fold *f, size_t from)
{
    struct fold_path sum = { .times = 1, .note = FOLD_NO_HANDLE };
    for (size_t i = from; i < f->steps.count; i++) {
        const struct fold_step *s = &f->steps.items[i];
        sum.hash = sum.hash * power(s->length) + s->hash;
        sum.length += s->length;
        sum.kept += s->kept;
    }
    sum.handle = from < f->steps.count ? f->steps.items[from].handle : FOLD_NO_HANDLE;
    return sum;
}

static struct fold_path *known(const struct fold *f, const struct fold_step *loop, const struct fold_path *path)
{
    size_t first = loop->path_count > LOOKBACK ? loop->path_count - LOOKBACK : 0;
    for (size_t i = loop->path_count; i-- > first;) {
        struct fold_path *p = &f->paths.items[loop->first_path + i];
        if (p->hash == path->hash && p->length == path->length)
            return p;
    }
    return NULL;
}

static void add_path(struct fold *f, struct fold_step *loop, const struct fold_path *path)
{
    f->paths.count = loop->first_path + loop->path_count; /* paths of loops inside the round are no longer needed */
    struct fold_path *p = vec_push(&f->paths);
    if (p == NULL)
        f->no_memory = true;
    else
        *p = *path;
    loop->path_count += p != NULL;
}

/* Counts the path once more and drops the round behind the loop, which equals it. */
static void count_round(struct fold *f, size_t loop, struct fold_path *path)
{
    f->ops->drop(f->context, f->steps.items[loop + 1].before);
    f->steps.count = loop + 1;
    path->times++;
    if (path->handle != FOLD_NO_HANDLE)
        path->note = f->ops->repeat(f->context, path->handle, path->kept, path->times, path->note);
}

static void close_loop(struct fold *f, struct fold_step *loop)
{
    loop->state = LOOP_CLOSED;
    loop->hash = loop->length = loop->kept = 0;
    for (size_t i = 0; i < loop->path_count; i++) {
        const struct fold_path *p = &f->paths.items[loop->first_path + i];
        loop->hash += loop->path_count == 1 ? p->hash : fold_mix(p->length, p->hash); /* order does not matter */
        loop->length = loop->path_count == 1 ? p->length : 1;
        loop->kept += p->kept;
    }
}

/* True if the round in progress equals an earlier one, which is then counted: the loop may end here. */
static bool absorb(struct fold *f, size_t loop)
{
    struct fold_path round = sum_up(f, loop + 1), *same = known(f, &f->steps.items[loop], &round);
    if (same == NULL || loop + 1 == f->steps.count)
        return false;
    count_round(f, loop, same);
    close_loop(f, &f->steps.items[loop]);
    return true;
}

/* Closes all loops from step `from` on, the innermost first. The steps behind a loop were its last round if they equal
 * an earlier one; for loops of single steps at least the first step may be another round. */
static void settle(struct fold *f, size_t from)
{
    for (size_t i = f->steps.count; i-- > from;) {
        bool near = f->steps.count - i <= LOOKBACK;
        if (f->steps.items[i].state != LOOP_OPEN || (near && absorb(f, i)))
            continue;
        struct fold_step *loop = &f->steps.items[i], *next = loop + 1;
        bool single = near && i + 1 < f->steps.count && next->state == PLAIN;
        for (size_t k = 0; k < loop->path_count && single; k++)
            single = f->paths.items[loop->first_path + k].length == 1;
        if (single) {
            struct fold_path path = { next->hash, 1, 1, 1, next->handle, FOLD_NO_HANDLE };
            if (known(f, loop, &path) == NULL) {
                add_path(f, loop, &path);
                for (size_t k = i + 1; k + 1 < f->steps.count; k++)
                    f->steps.items[k] = f->steps.items[k + 1];
                f->steps.count--;
            }
        }
        close_loop(f, loop);
    }
}

/* Ends a round: the steps from `at` on belong to the loop before them, or to a new one in their place. */
static void round_over(struct fold *f, size_t at)
{
    settle(f, at + 1);
    struct fold_path round = sum_up(f, at);
    struct fold_step *s = &f->steps.items[at], *loop = s - 1;
    bool of_loop = at > top(f)->steps && loop->state == LOOP_OPEN && loop->site == s->site;
    struct fold_path *same = of_loop ? known(f, loop, &round) : NULL;
    if (same != NULL) {
        count_round(f, at - 1, same);
        return;
    }
    if (!of_loop || (loop->outer && s->state == PLAIN)) {
        loop = s;
        loop->outer = s->state == LOOP_CLOSED;
        loop->state = LOOP_OPEN;
        loop->path_count = 0;
    }
    f->steps.count = (size_t)(loop - f->steps.items) + 1;
    add_path(f, loop, &round);
}

void fold_open(struct fold *f)
{
    struct fold_frame *frame = vec_push(&f->frames);
    if (frame == NULL)
        f->no_memory = true;
    else
        *frame = (struct fold_frame){ f->steps.count, f->paths.count };
}

void fold_next(struct fold *f, uint32_t site)
{
    size_t first = top(f)->steps, end = f->steps.count;
    size_t least = end - first > LOOKBACK ? end - LOOKBACK : first, open = end;
    for (size_t i = end; i-- > least;) {
        const struct fold_step *s = &f->steps.items[i];
        if (s->state == LOOP_OPEN) {
            open = open == end ? i : open;
        } else if (s->site == site) {
            round_over(f, i);
            return;
        }
    }
    if (open < end)
        (void)absorb(f, open);
}

void fold_add(struct fold *f, uint32_t site, size_t length, size_t handle)
{
    struct fold_step *s = vec_push(&f->steps);
    if (s == NULL)
        f->no_memory = true;
    else
        *s = (struct fold_step){ .site = site,
                                 .length = 1,
                                 .kept = 1,
                                 .state = PLAIN,
                                 .before = length,
                                 .handle = handle,
                                 .first_path = f->paths.count };
}

bool fold_again(struct fold *f, uint64_t times)
{
    const size_t n = f->steps.count;
    if (n < top(f)->steps + 2)
        return false;
    const struct fold_step *step = &f->steps.items[n - 1], *loop = step - 1;
    struct fold_path round = sum_up(f, n - 1);
    struct fold_path *same =
        step->state == PLAIN && loop->state == LOOP_OPEN && loop->site == step->site ? known(f, loop, &round) : NULL;
    if (same == NULL)
        return false;
    same->times += times;
    if (same->handle != FOLD_NO_HANDLE)
        same->note = f->ops->repeat(f->context, same->handle, same->kept, same->times, same->note);
    return true;
}

void fold_hash(struct fold *f, uint64_t hash)
{
    if (f->steps.count > top(f)->steps)
        f->steps.items[f->steps.count - 1].hash = hash;
}

struct fold_sum fold_close(struct fold *f)
{
    struct fold_frame frame = *top(f);
    settle(f, frame.steps);
    struct fold_path all = sum_up(f, frame.steps);
    f->steps.count = frame.steps;
    f->paths.count = frame.paths;
    f->frames.count--;
    return (struct fold_sum){ all.hash, all.length };
}

void fold_cut(struct fold *f)
{
    for (size_t i = f->frames.count; i-- > 0;) {
        struct fold_frame *frame = &f->frames.items[i];
        settle(f, frame->steps);
        f->steps.count = frame->steps;
        f->paths.count = frame->paths;
        /* the step that this frame makes gets a hash unlike any other, so that its round does not count as complete */
        if (i > 0 && f->steps.count > 0)
            f->steps.items[f->steps.count - 1].hash = UNFINISHED;
        frame->steps = frame->paths = 0;
    }
}
