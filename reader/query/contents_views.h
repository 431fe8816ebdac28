/* contents_views.h - finding the calls of an object and of its views: what contents_calls.c and contents_views.c
 * share. */
#ifndef READER_CONTENTS_VIEWS_H
#define READER_CONTENTS_VIEWS_H

#include "reader/query/contents.h"

/* An iterator, an object that changes when the collection does, or one that has it. */
struct contents_view {
    uint64_t id;
    enum contents_effect of; /* VIEW_ITERATOR, BACKWARD: an iterator of a list, queue or set; KEYS, VALUES, ENTRIES of a
                              * map; OTHER; HANDED: any call on it may change the collection */
    bool iterator, changes;  /* changes: the collection is changed by it */
    uint64_t from;           /* seq of the first event that counts */
};
struct contents_calls {
    struct contents *contents;
    hs_trace *t;
    const struct contents_class *class;
    uint64_t to;
    op_vec *ops;
    struct known_calls known;
    MAP(struct contents_view) views;
    u64_vec found;    /* ids of views that are no iterators, as they were found */
    unsigned holders; /* how many of them were added by contents_add_holder */
    uint64_t given;  /* seq of the first time that other code, or an array, could keep it or a view; HS_NO_SEQ: never */
    bool view_given; /* a view */
    bool entries_given; /* entries of a map may be in other hands than those of its iterators */
    bool full, no_memory;
};

/* ---- contents_ops.c ---- */
/* More events than are looked at: the contents are not known from `e` on, and nothing is replayed. */
void contents_overflow(struct contents_calls *c, const struct hs_event *e, unsigned limit, const char *what);
struct contents_op *contents_add(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *site,
                                 enum contents_effect effect);
struct contents_op *contents_add_call(struct contents_calls *c, const struct hs_event *e, struct outside_call *call,
                                      enum contents_effect effect);
void contents_add_view(struct contents_calls *c, uint32_t id, enum contents_effect of);
void contents_views_done(struct contents_calls *c);
/* Appends the data IDs of that event which are wanted. */
typedef bool contents_site_fn(const struct contents_calls *c, const struct hs_dataid *site);
enum status contents_sites(const struct contents_calls *c, unsigned event, contents_site_fn *wanted, u32_vec *ids,
                           struct error *err);
/* The data IDs of calls of a method, of an owner whose name holds this word. False: out of memory. */
bool contents_add_sites(hs_trace *t, const char *name, const char *owner, u32_vec *ids);
enum { CHANGES_MAX = 100000 }; /* events of such sites that are looked at */

/* ---- contents_holders.c ---- */
/* An object that code which is not woven made or returned when it had the collection: it may be a view of it. */
void contents_add_holder(struct contents_calls *c, const struct hs_event *e, uint32_t id);
/* One of which any call may change the collection. */
void contents_add_changer(struct contents_calls *c, const struct hs_event *e, uint32_t id, uint64_t from);
/* An INVOKE_DYNAMIC_PARAM with the object or a view: a reference to its method (list::add) may change it from now on,
 * without a call by recorded code. False: it is none. */
bool contents_bound(struct contents_calls *c, const struct hs_event *e);
/* The same with all iterators that are in c->views. */
enum status contents_bound_iterators(struct contents_calls *c, struct error *err);
/* A CALL on an object that has the collection. */
enum status contents_holder_call(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *d,
                                 struct error *err);

/* ---- contents_unbound.c ---- */
/* Adds references to methods that may change it, since other code got it. */
enum status contents_unbound(struct contents_calls *c, struct error *err);

/* ---- contents_given.c ---- */
/* A CALL_PARAM or METHOD_NORMAL_EXIT with the object (`view` NULL), or with a view: it may be changed by whoever has it
 * then. */
enum status contents_given(struct contents_calls *c, const struct hs_event *e, const struct contents_view *view,
                           struct error *err);

/* ---- contents_set_value.c ---- */
/* The key of an entry: what its getKey returned last before this event. An entry of a TreeMap can get another key. */
bool contents_key_of(hs_trace *t, uint32_t entry, uint64_t seq, struct hs_value *out);
/* The calls of Map.Entry.setValue on entries of this map. */
enum status contents_set_values(struct contents_calls *c, struct error *err);

/* ---- contents_views.c ---- */
enum status contents_view_calls(struct contents_calls *c, struct error *err);

#endif
