/* contents_maps.c - what a call did to a map: its result says whether the key was there, and with which value, so that
 * keys are compared with those of that value only; see contents.h. */
#include "reader/query/contents_entries.h"

/* Of an entry that was there, with this value; what is not known of a map that was lost may be added. */
static bool set_entry(struct contents *c, const struct contents_op *op, struct hs_value key, const struct hs_value *old,
                      struct hs_value value)
{
    size_t i;
    enum sameness same = entries_find(c, key, old, c->known, false, &i);
    if (same == SAME)
        entries_replace(c, i, value, op->seq);
    else if (c->known)
        contents_lose(c, op, same == UNSURE ? entries_unclear : entries_contradiction);
    return true;
}

static void remove_entry(struct contents *c, const struct contents_op *op, struct hs_value key,
                         const struct hs_value *old)
{
    size_t i;
    enum sameness same = entries_find(c, key, old, c->known, false, &i);
    if (same == SAME)
        entries_take_out(c, i);
    else if (c->known)
        contents_lose(c, op, same == UNSURE ? entries_unclear : entries_contradiction);
}

/* A key that may be there. */
bool map_entry_put(struct contents *c, const struct contents_op *op, struct hs_value key, struct hs_value value)
{
    size_t i;
    enum sameness same = entries_find(c, key, NULL, false, false, &i);
    if (same == SAME)
        entries_replace(c, i, value, op->seq);
    else if (same == UNSURE)
        contents_lose(c, op, entries_unclear);
    else
        return entries_insert(c, contents_count(c), key, value, op->seq);
    return true;
}

static void remove_if_there(struct contents *c, const struct contents_op *op, struct hs_value key)
{
    size_t i;
    enum sameness same = entries_find(c, key, NULL, false, false, &i);
    if (same == SAME)
        entries_take_out(c, i);
    else if (same == UNSURE)
        contents_lose(c, op, entries_unclear);
}

static bool change(struct contents *c, const struct contents_op *op)
{
    struct hs_value key = op->arguments[0], value = op->arguments[1];
    bool none = op->result.bits == 0, nulls = c->nulls > 0;
    size_t i;
    switch ((unsigned)op->effect) {
    case DO_PUT:
        if (!none)
            return set_entry(c, op, key, &op->result, value);
        return nulls ? map_entry_put(c, op, key, value) : entries_insert(c, contents_count(c), key, value, op->seq);
    case DO_PUT_ABSENT:
        if (!none)
            break;
        return nulls ? map_entry_put(c, op, key, value) : entries_insert(c, contents_count(c), key, value, op->seq);
    case DO_PUT_RESULT:
        if (none)
            return true;
        if (nulls)
            return map_entry_put(c, op, key, op->result);
        switch (entries_find(c, key, &op->result, false, false, &i)) {
        case SAME: break;
        case UNSURE: contents_lose(c, op, entries_unclear); return true;
        case DIFFERENT: return entries_insert(c, contents_count(c), key, op->result, op->seq);
        }
        break;
    case DO_RESULT_IF_PRESENT:
        if (!none)
            return set_entry(c, op, key, NULL, op->result);
        if (nulls)
            contents_lose(c, op, entries_unclear);
        else
            remove_if_there(c, op, key);
        return true;
    case DO_PUT_RESULT_OR_REMOVE:
        if (!none)
            return map_entry_put(c, op, key, op->result);
        remove_if_there(c, op, key);
        return true;
    case DO_REMOVE_KEY:
        if (!none)
            remove_entry(c, op, key, &op->result);
        else if (nulls)
            remove_if_there(c, op, key);
        return true;
    case DO_REMOVE_MEMBER:
        if (!none)
            remove_entry(c, op, key, NULL);
        return true;
    case DO_REPLACE:
        if (none && nulls)
            contents_lose(c, op, entries_unclear);
        return none || set_entry(c, op, key, &op->result, value);
    case DO_REPLACE_IF_TRUE: return none || set_entry(c, op, key, NULL, op->arguments[2]);
    default: break;
    }
    /* a read; in a LinkedHashMap by order of access it moves the entry */
    if (c->by_access &&
        entries_find(c, key, op->effect == DO_GET_KEY && !none ? &op->result : NULL, !none, false, &i) == SAME)
        entries_replace(c, i, entries_at(c, i)->value, entries_at(c, i)->seq);
    return true;
}

bool map_change(struct contents *c, const struct contents_op *op)
{
    const bool by_access = c->by_access;
    c->by_access = by_access && !op->in_place;
    bool room = change(c, op);
    c->by_access = by_access;
    return room;
}

/* What is known of a map whose contents were lost: entries that were put or read since. */
bool map_change_lost(struct contents *c, const struct contents_op *op)
{
    struct hs_value key = op->arguments[0], value = op->arguments[1];
    bool none = op->result.bits == 0, puts = false;
    size_t i;
    switch ((unsigned)op->effect) {
    case DO_PUT: puts = true; break;
    case DO_PUT_ABSENT:
        puts = true;
        value = none ? value : op->result;
        break;
    case DO_PUT_RESULT:
    case DO_RESULT_IF_PRESENT:
    case DO_PUT_RESULT_OR_REMOVE:
    case DO_GET_KEY:
        puts = !none;
        value = op->result;
        break;
    case DO_REPLACE: puts = !none; break;
    case DO_REMOVE_KEY:
    case DO_REMOVE_MEMBER: break;
    case DO_ACCESS: return true;
    default: c->items.count = c->first = c->nulls = 0; return true;
    }
    for (enum sameness same; (same = entries_find(c, key, NULL, false, false, &i)) != DIFFERENT;) {
        if (same == SAME && entries_at(c, i)->value.bits == value.bits && puts)
            return true;
        entries_take_out(c, i);
    }
    return !puts || entries_insert(c, contents_count(c), key, value, op->seq);
}
