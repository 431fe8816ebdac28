/* history.c - the public functions for the writes of a location, which they name; writes.c finds the writes. */
#include "reader/index/index.h"
#include "reader/query/periods.h"
#include "reader/query/state.h"
#include "reader/query/writes.h"

#include <stdlib.h>

struct history {
    hs_cursor base;
    hs_trace *trace;
    uint64_t read; /* phase_resume */
    struct writes *writes;
    struct hs_write row;
};

static enum status open_writes(hs_trace *t, const char *what, struct writes **out, struct error *err)
{
    struct location l;
    index_wish(t);
    enum status st = location_parse(t, what, &l, err);
    if (st == OK)
        return writes_open(t, &l, out, err);
    location_done(&l);
    return st;
}

/* 1: found, 0: not found, -1: failed. */
static int answer(enum status st, struct hs_error *error, const struct error *err)
{
    if (st == ERR_NOT_FOUND)
        return 0;
    return st == OK ? 1 : give(error, err);
}

/* Gives the row with where recording went on before it. */
static int show_row(struct history *h, enum status st, const struct hs_write *write, const void **row,
                    struct hs_error *error, struct error *err)
{
    if (st == OK) {
        h->row = *write;
        *row = &h->row;
        st = period_begin(h->trace, write->event->stamp, &h->row.resumed, err);
    }
    return answer(st, error, err);
}

static int next_write(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct history *h = (struct history *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(h->trace, "history", &h->read);
    struct error err = { 0 };
    const struct hs_write *write = NULL;
    enum status st = writes_next(h->writes, &write, &err);
    return show_row(h, st, write, row, error, &err);
}

static int previous_write(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct history *h = (struct history *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(h->trace, "history", &h->read);
    struct error err = { 0 };
    const struct hs_write *write = NULL;
    enum status st = writes_previous(h->writes, &write, &err);
    return show_row(h, st, write, row, error, &err);
}

static int seek_write(hs_cursor *base, uint64_t seq, struct hs_error *error)
{
    struct history *h = (struct history *)base;
    struct error err = { 0 };
    return writes_seek(h->writes, seq, &err) == OK ? 0 : give(error, &err);
}

static void close_history(hs_cursor *base)
{
    struct history *h = (struct history *)base;
    writes_close(h->writes);
    free(h);
}

static const struct cursor_ops history_ops = { ROW_write, next_write, previous_write, seek_write, close_history };

int hs_history_open(hs_trace *t, const char *what, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "history");
    struct error err = { 0 };
    struct history *h = calloc(1, sizeof *h);
    enum status st = h != NULL ? open_writes(t, what, &h->writes, &err) : state_memory(t, &err);
    if (st != OK) {
        free(h);
        return give(error, &err);
    }
    h->base.ops = &history_ops;
    h->trace = t;
    *out = &h->base;
    return 0;
}

uint32_t hs_history_object(const hs_cursor *c)
{
    return c->ops == &history_ops ? writes_object(((const struct history *)c)->writes) : 0;
}

int hs_last_write(hs_trace *trace, const char *what, uint64_t seq, const struct hs_write **write,
                  struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "last write");
    struct error err = { 0 };
    struct writes *w;
    struct last_answers *last = state_last(trace);
    if (last == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    if (open_writes(trace, what, &w, &err) != OK)
        return give(error, &err);
    enum status st = writes_last(w, seq, &last->write, &err);
    if (st == OK) { /* its event is of `w` */
        last->write_event = *last->write.event;
        last->write.event = &last->write_event;
        *write = &last->write;
        st = period_begin_at(trace, seq, &last->write.resumed, &err);
    }
    writes_close(w);
    return answer(st, error, &err);
}
