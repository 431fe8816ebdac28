/* left_threads.c - see left_threads.h. thread_state.c reads the rows. */
#include "reader/threads/left_threads.h"

#include "formats/search.h"
#include "reader/cursor/cursor.h"
#include "reader/stream/stream.h"

enum { ARGUMENTS = 256 };

/* Has the thread a chunk in which these stamps may be? */
static bool has_between(const struct thread_chunks *s, uint64_t from, uint64_t to)
{
    size_t i;
    LOWER_BOUND(i, s->count, s->chunks[i].last_stamp < from);
    return i < s->count && s->chunks[i].first_stamp < to;
}

/* The CALL of which the event is an argument, or it itself. */
static struct hs_event call_of(hs_trace *t, const struct hs_event *last)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_event found = *last;
    const struct hs_event *e;
    hs_cursor *events;
    const struct hs_dataid *d = hs_dataid_get(t, last->dataid);
    filter.threads = &last->thread;
    filter.thread_count = 1;
    filter.to = last->seq;
    if (d == NULL || d->event != HS_EVENT_CALL_PARAM || hs_events_open(t, &filter, &events, NULL) != 0)
        return found;
    int more = hs_cursor_seek(events, HS_NO_SEQ, NULL) == 0;
    for (size_t i = 0; i < ARGUMENTS && d != NULL && d->event == HS_EVENT_CALL_PARAM && more > 0; i++)
        if ((more = hs_event_previous(events, &e, NULL)) > 0) {
            found = *e;
            d = hs_dataid_get(t, e->dataid);
        }
    hs_cursor_close(events);
    return found;
}

/* What the thread is in the middle of just before event `seq`; nothing: it has no event before. */
static enum status write_left_thread(hs_trace *t, uint32_t thread, uint64_t seq, struct writer *out, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    const struct hs_frame *f;
    hs_cursor *frames;
    int more = hs_last_event(t, thread, seq - 1, &e, &error);
    if (more <= 0)
        return more < 0 ? state_take(&error, err) : OK;
    const struct hs_event last = *e, call = call_of(t, &last);
    const struct hs_dataid *d = hs_dataid_get(t, call.dataid);
    const bool is_in = d != NULL && (d->event == HS_EVENT_CALL || d->event == HS_EVENT_MONITOR_ENTER);
    d = hs_dataid_get(t, last.dataid);
    bool leaves =
        d != NULL && (d->event == HS_EVENT_METHOD_NORMAL_EXIT || d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT);
    if (hs_frames_open(t, last.seq, &frames, &error) != 0)
        return state_take(&error, err);
    const uint64_t count = hs_cursor_count(frames);
    write_varint(out, is_in ? (uint64_t)call.dataid + 1 : 0);
    write_svarint(out, (int64_t)call.value);
    write_varint(out, count > leaves ? count - leaves : 0);
    for (; (more = hs_frame_next(frames, &f, &error)) > 0; leaves = false) {
        if (leaves)
            continue;
        write_varint(out, (uint64_t)f->method_id << 1 | f->has_this);
        if (f->has_this)
            write_varint(out, f->self);
        write_varint(out, f->pc);
        write_varint(out, (uint64_t)(f->line + 1));
    }
    hs_cursor_close(frames);
    return more < 0 ? state_take(&error, err) : OK;
}

enum status left_threads(hs_trace *t, left_vec *out, struct error *err)
{
    const window_vec *w = &t->to_keep;
    struct writer state = { 0 }, all = { 0 };
    enum status st = OK;
    for (size_t i = 0; i < w->count && st == OK; i++) {
        struct writer *row = vec_push(out);
        uint64_t threads = 0, seq = 0;
        if (row == NULL)
            return error_memory(err, "tests");
        *row = (struct writer){ 0 };
        all.size = 0;
        st = positions_below(t, w->items[i].begin, &seq, err);
        for (size_t k = 0; k < t->stream_count && seq > 0 && st == OK; k++) {
            const struct thread_chunks *s = &t->streams[k];
            state.size = 0;
            if (has_between(s, i > 0 ? w->items[i - 1].begin : 0, w->items[i].begin))
                st = write_left_thread(t, s->thread, seq, &state, err);
            if (state.size == 0)
                continue;
            write_varint(&all, s->thread);
            write_varint(&all, state.size);
            write_bytes(&all, state.data, state.size);
            threads++;
        }
        if (threads > 0) {
            write_varint(row, threads);
            write_bytes(row, all.data, all.size);
        }
        if (st == OK && (row->bad || all.bad || state.bad))
            st = error_memory(err, "tests");
    }
    writer_free(&state);
    writer_free(&all);
    return st;
}
