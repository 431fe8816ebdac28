/* history.c - the public functions for the writes of a location, which they name; writes.c finds the writes. */
#include "reader/index/index.h"
#include "reader/query/writes.h"

#include <stdlib.h>

struct hs_history {
    struct writes *writes;
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

int hs_history_open(hs_trace *t, const char *what, hs_history **out, struct hs_error *error)
{
    struct error err = { 0 };
    hs_history *h = calloc(1, sizeof *h);
    enum status st = h != NULL ? open_writes(t, what, &h->writes, &err) : state_memory(t, &err);
    if (st != OK) {
        free(h);
        return give(error, &err);
    }
    *out = h;
    return 0;
}

void hs_history_close(hs_history *h)
{
    if (h == NULL)
        return;
    writes_close(h->writes);
    free(h);
}

uint32_t hs_history_object(const hs_history *h) { return writes_object(h->writes); }

/* 1: found, 0: not found, -1: failed. */
static int answer(enum status st, struct hs_error *error, const struct error *err)
{
    if (st == ERR_NOT_FOUND)
        return 0;
    return st == OK ? 1 : give(error, err);
}

int hs_history_next(hs_history *h, const struct hs_write **write, struct hs_error *error)
{
    struct error err = { 0 };
    return answer(writes_next(h->writes, write, &err), error, &err);
}

int hs_history_previous(hs_history *h, const struct hs_write **write, struct hs_error *error)
{
    struct error err = { 0 };
    return answer(writes_previous(h->writes, write, &err), error, &err);
}

int hs_history_seek(hs_history *h, uint64_t seq, struct hs_error *error)
{
    struct error err = { 0 };
    return writes_seek(h->writes, seq, &err) == OK ? 0 : give(error, &err);
}

int hs_last_write(hs_trace *trace, const char *what, uint64_t seq, struct hs_write *write, struct hs_error *error)
{
    struct error err = { 0 };
    struct writes *w;
    if (open_writes(trace, what, &w, &err) != OK)
        return give(error, &err);
    int found = answer(writes_last(w, seq, write, &err), error, &err);
    writes_close(w);
    return found;
}
