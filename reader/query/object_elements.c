/* object_elements.c - the elements of an array at a moment, as recorded writes and reads show them: one walk backwards
 * over its accesses. */
#include "formats/map.h"
#include "reader/expression/expression.h"
#include "reader/query/access.h"
#include "reader/query/creation.h"
#include "reader/query/defaults.h"
#include "reader/query/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_index(const void *a, const void *b)
{
    const struct found_member *x = a, *y = b;
    return x->made.index < y->made.index ? -1 : x->made.index > y->made.index;
}

/* Elements that were seen. Of a part those with the least indices are kept, so that memory follows what is asked for;
 * when the whole part is known, some more accesses are looked at, since there may be few others. */
struct seen_elements {
    struct answer_members *m;
    MAP(uint64_t) indices; /* each + 1 */
    uint64_t end;          /* those from here on are not wanted */
    uint64_t in_part;      /* seen of the part's own indices */
    uint32_t more;         /* accesses looked at since the part is known */
};
enum { BEHIND_PART = 1 << 16 };

static bool keep_least(struct seen_elements *s)
{
    struct answer_members *m = s->m;
    qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
    m->members.count = (size_t)m->part.most;
    map_free(&s->indices);
    s->end = m->part.most > 0 ? m->members.items[m->members.count - 1].made.index : 0;
    m->cut = true;
    for (size_t i = 0; i < m->members.count; i++)
        if (map_put(&s->indices, m->members.items[i].made.index + 1) == NULL)
            return false;
    return true;
}

static enum status add_element(struct seen_elements *s, uint64_t index, const struct hs_event *value, struct error *err)
{
    struct answer_members *m = s->m;
    const size_t before = s->indices.count;
    if (index > INT32_MAX || index < m->part.from || index >= s->end) /* of a damaged trace, or not wanted */
        return OK;
    if (map_put(&s->indices, index + 1) == NULL)
        return state_memory(m->trace, err);
    if (s->indices.count == before)
        return OK;
    s->in_part += index - m->part.from < m->part.most;
    enum status st = members_add(m, NULL, index, value, err);
    if (st == OK && m->members.count >= BEHIND_PART && m->members.count / 2 >= m->part.most && !keep_least(s))
        return state_memory(m->trace, err);
    return st;
}

/* Adds the element that event `e` accesses, unless it is there already. */
static enum status add_accessed_element(struct seen_elements *s, const struct hs_event *e,
                                        const struct hs_object_state *o, struct error *err)
{
    struct heap_access a;
    enum status st = access_at(s->m->trace, e, &a, err);
    if (st == ERR_NOT_FOUND)
        return OK;
    if (st != OK)
        return st;
    if (a.value.seq > s->m->seq || (o->has_length && a.index >= o->length))
        return OK;
    return add_element(s, a.index, &a.value, err);
}

/* Is nothing to be found any more? */
static bool is_complete(struct seen_elements *s, const struct hs_object_state *o)
{
    const uint64_t from = s->m->part.from, left = o->has_length && o->length > from ? o->length - from : 0;
    if (o->has_length && s->indices.count >= left)
        return true;
    if (s->in_part < s->m->part.most || (s->m->part.most > 0 && s->more++ < BEHIND_PART))
        return false;
    return s->m->cut = true;
}

/* `made`: what multianewarray stored in the array, by index. */
static enum status collect_elements(struct answer_members *m, const event_vec *made, const struct hs_object_state *o,
                                    struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE, EVENT_ARRAY_LOAD };
    struct walk w;
    struct hs_event e;
    struct seen_elements seen = { .m = m, .end = UINT64_MAX };
    enum status st = OK;
    walk_open_types(&w, m->trace, types, 2, m->id, UINT64_MAX);
    walk_seek_after(&w, m->seq);
    while (!is_complete(&seen, o) && walk_previous(&w, &e)) {
        st = add_accessed_element(&seen, &e, o, err);
        if (st != OK)
            goto out;
    }
    st = walk_status(&w, err);
    if (st != OK)
        goto out;
    for (size_t i = 0; i < made->count && made->items[i].seq <= m->seq; i++) {
        st = add_element(&seen, i, &made->items[i], err);
        if (st != OK)
            goto out;
    }
    if (m->cut && m->members.count > m->part.most && !keep_least(&seen))
        st = state_memory(m->trace, err);
out:
    (void)walk_close(&w, NULL);
    map_free(&seen.indices);
    return st;
}

enum status elements_find(struct answer_members *m, bool nested, struct hs_object_state *out, struct error *err)
{
    event_vec made = { 0 };
    enum status st = nested ? multi_elements(m->trace, m->id, &made, err) : OK;
    if (st != OK)
        goto out;
    if (!out->has_length && made.count > 0) {
        out->has_length = true;
        out->length = made.count;
    }
    st = collect_elements(m, &made, out, err);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
out:
    vec_free(&made);
    return st;
}

/* ---- what nothing has written ---- */

/* Of a whole array not all of them: it may be large, and few of them written. */
enum { DEFAULTS_MOST = 1 << 16 };

enum status elements_add_defaults(struct answer_members *m, const char *type, struct hs_object_state *o,
                                  const struct hs_event *made, struct error *err)
{
    char element[16];
    const size_t size = strlen(type), known = m->members.count;
    (void)snprintf(element, sizeof element, "%.*s", size > 2 && size < sizeof element ? (int)size - 2 : 0, type);
    const char kind = expression_kind_of(element);
    if (!o->has_length || !default_of_elements(m->trace, kind))
        return OK;
    o->all_known = true;
    uint64_t most = m->part.most < UINT64_MAX ? m->part.most : DEFAULTS_MOST;
    size_t at = 0;
    enum status st = OK;
    for (uint64_t i = m->part.from; st == OK && most > 0 && i < o->length; i++) {
        while (at < known && m->members.items[at].made.index < i)
            at++;
        const bool written = at < known && m->members.items[at].made.index == i;
        if (!written)
            st = members_add_default(m, NULL, i, kind, made, err);
        most -= !written || m->part.most < UINT64_MAX;
        m->cut |= most == 0 && i + 1 < o->length;
    }
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
    if (m->members.count > m->part.most)
        m->members.count = (size_t)m->part.most;
    return st;
}
