/* handed_walk.h - back over the events that may give an object to something.
 *
 * Calls and ends of methods are those of which an index would say that they may hand the object to code that is not
 * woven (SET_HANDED): with an index or without, what is found within so many events is the same. */
#ifndef READER_HANDED_WALK_H
#define READER_HANDED_WALK_H

#include "reader/cursor/cursor.h"

struct handed_walk {
    hs_trace *trace;
    uint32_t object;
    struct walk handed;      /* CALL_PARAM, METHOD_NORMAL_EXIT */
    struct walk kept;        /* ARRAY_STORE_VALUE, INVOKE_DYNAMIC_PARAM: behind `on_hand` */
    struct hs_event on_hand; /* the next one of `handed` */
    bool has_handed;         /* there is one */
};
/* Stands before event `to`. handed_walk_close in any case. */
enum status handed_walk_open(struct handed_walk *g, hs_trace *t, uint32_t object, uint64_t to, struct error *err);
enum status handed_walk_seek(struct handed_walk *g, uint64_t to, struct error *err);
/* ERR_NOT_FOUND: there is none before (`err` left alone). */
enum status handed_walk_previous(struct handed_walk *g, struct hs_event *out, struct error *err);
/* As walk_end. */
enum status handed_walk_close(struct handed_walk *g, enum status st, struct error *err);

#endif
