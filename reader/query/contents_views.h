/* contents_views.h - finding the calls of an object and of its views: what contents_calls.c and contents_views.c share.
 */
#ifndef READER_CONTENTS_VIEWS_H
#define READER_CONTENTS_VIEWS_H

#include "reader/query/contents.h"

/* An iterator, or an object that changes when the collection does. */
struct contents_view {
    uint64_t id;
    enum contents_effect of; /* VIEW_ITERATOR, BACKWARD: an iterator of a list, queue or set; KEYS, VALUES, ENTRIES of a
                              * map; OTHER */
    bool iterator, changes;  /* changes: the collection is changed by it */
};
struct contents_calls {
    struct contents *contents;
    hs_trace *t;
    const struct contents_class *class;
    uint64_t to;
    op_vec *ops;
    struct known_calls known;
    MAP(struct contents_view) views;
    bool entries_given; /* entries of a map may be in other hands than those of its iterators */
    bool full, no_memory;
};

/* More events than are looked at: the contents are not known from `e` on, and nothing is replayed. */
void contents_overflow(struct contents_calls *c, const struct hs_event *e, unsigned limit, const char *what);
struct contents_op *contents_add(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *site,
                                 enum contents_effect effect);
struct contents_op *contents_add_call(struct contents_calls *c, const struct hs_event *e, struct outside_call *call,
                                      enum contents_effect effect);
/* A CALL_PARAM or METHOD_NORMAL_EXIT with the object, or with a view: it may be changed by whoever has it then. */
enum status contents_given(struct contents_calls *c, const struct hs_event *e, struct error *err);

/* ---- contents_views.c ---- */
void contents_add_view(struct contents_calls *c, uint32_t id, enum contents_effect of);
enum status contents_view_calls(struct contents_calls *c, struct error *err);
void contents_views_done(struct contents_calls *c);

#endif
