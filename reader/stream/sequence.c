/* sequence.c - see sequence.h.
 *
 * The order is a list of runs: events of one thread with none of another between them. Of each thread its runs are kept
 * in the order of its events, each as two numbers, and every so many of them where they stand:
 *
 *     runs    | events of other threads in front of it, its events | ...      varints
 *     marks   position and seq of the run, and where it is in `runs`
 *
 * Most of the time the next event that is asked for is of the run that was asked for last, or of one soon behind. */
#include "reader/stream/sequence.h"

#include <stdlib.h>

#include "formats/bytes.h"
#include "formats/search.h"

enum { RUNS_BYTES_MAX = 128 << 20, MARK_EVERY = 128 };

struct mark {
    uint64_t position, seq; /* of the first event of the run */
    size_t at;              /* in `runs`, behind the run */
    uint32_t events;
};
struct thread_runs {
    struct writer runs;
    VEC(struct mark) marks;
    uint32_t behind_mark; /* runs behind the last one */
    struct mark last;     /* the run that was written last; later that which was asked for last */
};
struct sequence {
    struct thread_runs *threads; /* by stream */
    size_t count;
};

void sequence_free(struct sequence *s)
{
    for (size_t i = 0; s != NULL && s->threads != NULL && i < s->count; i++) {
        writer_free(&s->threads[i].runs);
        vec_free(&s->threads[i].marks);
    }
    if (s != NULL)
        free(s->threads);
    free(s);
}

/* Puts the run behind that which was written last. False: out of memory. */
static bool add_run(struct thread_runs *t, const struct order_batch *b, size_t *bytes)
{
    const uint64_t position = b->chunk->before + b->first, end = t->last.seq + t->last.events;
    const size_t size = t->runs.size;
    write_varint(&t->runs, b->seq - end);
    write_varint(&t->runs, b->count);
    t->last = (struct mark){ position, b->seq, t->runs.size, b->count };
    *bytes += t->runs.size - size;
    if (t->marks.count > 0 && ++t->behind_mark < MARK_EVERY)
        return !t->runs.bad;
    t->behind_mark = 0;
    struct mark *to = vec_push(&t->marks);
    if (to != NULL)
        *to = t->last;
    *bytes += sizeof *to;
    return to != NULL && !t->runs.bad;
}

/* Stamps are decoded whatever is wanted. */
static unsigned want_stamps(void *context, uint32_t thread, const struct chunk_ref *chunk)
{
    (void)context;
    (void)thread;
    (void)chunk;
    return 0;
}

/* ERR_NOT_FOUND: it would take too much memory. */
static enum status merge(hs_trace *t, struct sequence *s, struct order *o, struct error *err)
{
    struct order_batch b;
    enum status st;
    size_t bytes = 0;
    while ((st = order_next(o, UINT32_MAX, &b, err)) == OK) {
        size_t stream;
        LOWER_BOUND(stream, t->stream_count, t->streams[stream].thread < b.thread);
        if (!add_run(&s->threads[stream], &b, &bytes))
            return error_memory(err, "%s", t->dir);
        if (bytes > RUNS_BYTES_MAX)
            return ERR_NOT_FOUND;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status sequence_new(hs_trace *t, struct sequence **out, struct error *err)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "order");
    struct sequence *s = calloc(1, sizeof *s);
    struct order *o = NULL;
    *out = NULL;
    if (s == NULL || (s->threads = calloc(t->stream_count + 1, sizeof *s->threads)) == NULL) {
        sequence_free(s);
        return error_memory(err, "%s", t->dir);
    }
    s->count = t->stream_count;
    enum status st = order_new(t, want_stamps, NULL, &o, err);
    if (st == OK)
        st = merge(t, s, o, err);
    order_free(o);
    if (st != OK)
        sequence_free(s);
    else
        *out = s;
    return st == ERR_NOT_FOUND ? OK : st;
}

uint64_t sequence_seq(struct sequence *s, struct event_position at)
{
    struct thread_runs *t = &s->threads[at.stream];
    struct mark run = t->last;
    size_t behind; /* the last mark up to the position stands before it */
    LOWER_BOUND(behind, t->marks.count, t->marks.items[behind].position <= at.position);
    if (behind > 0 && (at.position < run.position || t->marks.items[behind - 1].position > run.position))
        run = t->marks.items[behind - 1];
    struct reader r = reader_of(t->runs.data, t->runs.size);
    r.at = run.at;
    while (at.position - run.position >= run.events && r.at < r.size) {
        const uint64_t others = read_varint(&r);
        run.position += run.events;
        run.seq += run.events + others;
        run.events = (uint32_t)read_varint(&r);
        run.at = r.at;
    }
    t->last = run;
    return run.seq + (at.position - run.position);
}
