/* handed_walk.c - see handed_walk.h. */
#include "reader/query/handed_walk.h"
#include "reader/query/handover.h"

/* The next event of `handed`, and those of `kept` between it and event `to`. */
static enum status next_handed(struct handed_walk *g, uint64_t to, enum status st, struct error *err)
{
    static const unsigned kept[] = { EVENT_ARRAY_STORE_VALUE, EVENT_INVOKE_DYNAMIC_PARAM };
    bool may = false;
    while (st == OK && !may && (g->has_handed = walk_previous(&g->handed, &g->on_hand)))
        st = may_be_handover(g->trace, &g->on_hand, &may, err);
    st = walk_end(&g->kept, st, err);
    walk_open_types_from(&g->kept, g->trace, kept, 2, g->object, g->has_handed ? g->on_hand.seq : 0, to);
    walk_seek(&g->kept, to);
    return st;
}

enum status handed_walk_seek(struct handed_walk *g, uint64_t to, struct error *err)
{
    walk_seek(&g->handed, to);
    return next_handed(g, to, OK, err);
}

enum status handed_walk_open(struct handed_walk *g, hs_trace *t, uint32_t object, uint64_t to, struct error *err)
{
    static const unsigned handed[] = { EVENT_CALL_PARAM, EVENT_METHOD_NORMAL_EXIT };
    const struct index_key key = { SET_HANDED, object };
    *g = (struct handed_walk){ .trace = t, .object = object };
    walk_open_types(&g->handed, t, handed, 2, object, to);
    walk_set_keys(&g->handed, &key, object != 0);
    return handed_walk_seek(g, to, err);
}

enum status handed_walk_previous(struct handed_walk *g, struct hs_event *out, struct error *err)
{
    if (walk_previous(&g->kept, out))
        return OK;
    const enum status st = walk_status(&g->kept, err);
    if (st != OK || !g->has_handed)
        return st != OK ? st : ERR_NOT_FOUND;
    *out = g->on_hand;
    return next_handed(g, out->seq, OK, err);
}

enum status handed_walk_close(struct handed_walk *g, enum status st, struct error *err)
{
    st = walk_end(&g->handed, st, err);
    return walk_end(&g->kept, st, err);
}
