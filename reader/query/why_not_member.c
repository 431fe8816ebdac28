/* why_not_member.c - why a collection does not contain an element: its contents are replayed call by call
 * (contents.h), so that it is known when the element came and which call took it out again.
 *
 *     CALL list.add x      it is there                 reached, of the add
 *     CALL list.remove x   it is not there any more    removed
 *     CALL set.add x   x.name = "b"                    hash_changed: set.contains(x) looks elsewhere
 *     CALL other.add x                                 other_collection (why_not_adds.c)
 *     CALL list.add y                                  other_element, or not_equal (why_not_equal.c) */
#include <stdio.h>
#include <string.h>

#include "reader/query/contents_entries.h"
#include "reader/query/why_not.h"

static struct hs_value looked_at(const struct member_search *s, const struct held *h)
{
    return entries_are_map(&s->contents) && !s->wanted->of_values ? h->key : h->value;
}

/* Is it among the entries? Sets its object. */
static bool holds(struct asking *a, uint32_t *object)
{
    struct member_search *s = a->member;
    const size_t n = contents_count(&s->contents);
    s->contents.work += n;
    for (size_t i = n; i-- > 0;) {
        const struct hs_value v = looked_at(s, entries_at(&s->contents, i));
        if (member_is(a, v) != SAME)
            continue;
        *object = v.bits <= UINT32_MAX ? (uint32_t)v.bits : 0;
        return true;
    }
    return false;
}

/* "java.util.List.remove" */
static void name_call(const struct contents_op *op, char *out, size_t size)
{
    const char *owner = op->site != NULL ? attribute_text(op->site, "owner") : NULL;
    const char *name = op->site != NULL ? attribute_text(op->site, "name") : NULL;
    (void)snprintf(out, size, "%.200s.%.100s", owner != NULL ? owner : "?", name != NULL ? name : "?");
}

static bool step(void *follower, struct contents *c, const struct contents_op *op)
{
    struct asking *a = follower;
    struct member_search *s = a->member;
    char name[320];
    uint32_t object = 0;
    const bool was = s->present;
    if (c != &s->contents || (!contents_changes(op) && c->known))
        return true;
    name_call(op, name, sizeof name);
    if (!c->known) {
        s->present = false;
        if (c->lost == op->seq && !s->failed && (was || s->adds.count == 0))
            s->failed = add_value(a, HS_SITUATION_CONTENTS_LOST, &op->call, name, NULL, NULL, NULL) != OK;
        return !s->failed;
    }
    s->present = holds(a, &object);
    if (!was && s->present) {
        uint64_t *to = vec_push(&s->adds);
        s->added = (struct member_added){ op->from, op->seq, object };
        s->failed = to == NULL;
        if (to != NULL)
            *to = op->from;
    } else if (was && !s->present) {
        const struct hs_value v = { s->added.object, HS_KIND_REF };
        s->failed = add_value(a, HS_SITUATION_REMOVED, &op->call, name, &v, NULL, NULL) != OK;
    }
    return !s->failed;
}

/* It is there: by the call that added it, or not found where its hashCode is looked for. */
static enum status ask_present(struct asking *a, struct error *err)
{
    struct member_search *s = a->member;
    struct hs_event call;
    bool changed = false;
    enum status st = member_hashes(s) ? ask_hash(a, &changed, err) : OK;
    if (st != OK || changed)
        return st;
    st = event_at(a->trace, s->added.from, &call, err);
    const struct hs_value v = { s->added.object, HS_KIND_REF };
    return st == OK ? add_value(a, HS_SITUATION_HELD, &call, NULL, &v, NULL, err) : st;
}

static enum status search(struct asking *a, struct error *err)
{
    struct member_search *s = a->member;
    struct contents_effort effort;
    enum status st =
        contents_follow(a->trace, s->wanted->collection, s->wanted->at, &effort, step, a, &s->contents, err);
    if (st == OK && s->present)
        st = ask_present(a, err);
    else if (st == OK)
        st = ask_alike(a, err);
    return st == OK ? ask_adds(a, err) : st;
}

enum status ask_member(struct asking *a, const struct absent_member *wanted, struct error *err)
{
    struct member_search s = { .wanted = wanted };
    const struct contents_class *k = contents_class_of(a->trace, wanted->collection);
    if (a->expects || a->options->times > 0)
        return error_set(err, ERR_USAGE, "'%s' is a question of its own: --expect and --times are for others",
                         a->options->place);
    if (k == NULL || (k->shapes & (SHAPE_TEXT | SHAPE_VALUE)) != 0)
        return error_set(err, ERR_NOT_FOUND, "'%s': object %u is no collection whose calls are followed",
                         a->options->place, wanted->collection);
    if (!tables_need_classes(a->trace))
        return state_memory(a->trace, err);
    a->member = &s;
    const enum status st = search(a, err);
    contents_done(&s.contents);
    map_free(&s.equals);
    vec_free(&s.adds);
    vec_free(&s.sites);
    a->member = NULL;
    return st;
}
