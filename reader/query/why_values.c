/* why_values.c - values as against objects: which are equal, and of which objects identity says where they came from.
 * See why_search.h. */
#include "reader/query/why_search.h"

#include <stdlib.h>
#include <string.h>

/* ---- boxes ---- */

/* What a call of intValue and the like on the box has given, at any time: a box does not change. */
static enum status read_box(struct why *w, uint32_t box, struct hs_event *out, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL };
    enum { CALLS_READ = 4 };
    struct walk walk;
    struct hs_event e;
    struct outside_call call;
    bool found = false;
    enum status st = OK;
    walk_open_types(&walk, w->trace, types, 1, box, UINT64_MAX);
    for (size_t n = 0; st == OK && !found && n < CALLS_READ && walk_next(&walk, &e); n++) {
        st = outside_call_at(w->trace, &e, &call, err);
        const char *name = st == OK ? outside_call_name(&call) : "";
        const char *own = st == OK ? strrchr(outside_call_owner(&call), '.') : NULL;
        const size_t size = strlen(name);
        /* Integer.intValue and not Integer.longValue */
        found = own != NULL && size > 5 && strcmp(name + size - 5, "Value") == 0 && call.returned &&
                (own[1] | 0x20) == name[0] && call.argument_count == 0;
        if (found)
            *out = call.result;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    st = walk_end(&walk, st, err);
    return st != OK ? st : found ? OK : ERR_NOT_FOUND;
}

/* The primitive in the box, as the recorder copied it, as woven code made the box of it, or as the box gave it; with
 * `kind` and `value`. ERR_NOT_FOUND. */
static enum status unboxed(struct why *w, uint32_t box, struct hs_event *out, struct error *err)
{
    struct hs_event first;
    struct outside_call call;
    const struct hs_object *o = hs_object_get(w->trace, box);
    if (o == NULL || o->type == NULL || !is_box_type(o->type))
        return ERR_NOT_FOUND;
    struct seen_box *seen = &w->boxes[box % BOXES_SEEN];
    if (seen->object == box) {
        *out = seen->value;
        return seen->known ? OK : ERR_NOT_FOUND;
    }
    const struct hs_object_value *copied = hs_object_value_get(w->trace, box, HS_NO_SEQ);
    if (copied != NULL && copied->kind != 0) {
        *out = (struct hs_event){ .kind = copied->kind, .value = copied->bits };
        *seen = (struct seen_box){ .object = box, .known = true, .value = *out };
        return OK;
    }
    if (!search_goes_on(w, true))
        return ERR_NOT_FOUND;
    enum status st = first_result_of(w, box, &first, &call, err);
    if (st == OK && strcmp(outside_call_name(&call), "valueOf") == 0 && call.argument_count == 1 &&
        call.arguments[0].kind != HS_KIND_REF)
        *out = call.arguments[0];
    else if (st == OK || st == ERR_NOT_FOUND)
        st = read_box(w, box, out, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    *seen = (struct seen_box){ .object = box, .known = st == OK };
    if (st == OK)
        seen->value = *out;
    return st;
}

/* ---- equality ---- */

/* Do two different objects hold the same string? */
static bool is_same_string(hs_trace *t, uint32_t a, uint32_t b)
{
    const struct hs_object *x = hs_object_get(t, a);
    if (x == NULL || !x->has_string || x->cut || x->data_bytes > 1 << 16)
        return false;
    bool latin1 = x->latin1;
    size_t bytes = x->data_bytes;
    char *copy = malloc(bytes + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, x->data, bytes);
    const struct hs_object *y = hs_object_get(t, b);
    bool same = y != NULL && y->has_string && !y->cut && y->latin1 == latin1 && y->data_bytes == bytes &&
                memcmp(copy, y->data, bytes) == 0;
    free(copy);
    return same;
}

bool is_same_value(const struct why *w, const struct hs_event *e)
{
    return e->kind == w->now.kind && e->value == w->now.value;
}

enum status is_equal(struct why *w, const struct hs_event *a, const struct hs_event *b, bool *out, struct error *err)
{
    uint32_t m = object_of(a), n = object_of(b);
    struct hs_event x = *a, y = *b;
    *out = a->kind == b->kind && a->value == b->value;
    if (*out || (m == 0 && n == 0))
        return OK;
    if (m != 0 && n != 0)
        *out = is_same_string(w->trace, m, n);
    if (*out)
        return OK;
    enum status st = m != 0 ? unboxed(w, m, &x, err) : OK;
    if (st == OK && n != 0)
        st = unboxed(w, n, &y, err);
    if (st == OK)
        *out = x.kind == y.kind && x.kind != HS_KIND_REF && x.value == y.value;
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status is_equal_value(struct why *w, const struct hs_event *e, bool *out, struct error *err)
{
    return is_equal(w, &w->now, e, out, err);
}

/* ---- identity ---- */

/* Is it an object that valueOf caches (JLS 5.1.7)? One whose value is not known may be. */
static enum status is_cached_box(struct why *w, uint32_t object, const char *type, bool *out, struct error *err)
{
    struct hs_event value;
    *out = strcmp(type, "java.lang.Boolean") == 0 || strcmp(type, "java.lang.Byte") == 0;
    if (*out || strcmp(type, "java.lang.Float") == 0 || strcmp(type, "java.lang.Double") == 0)
        return OK;
    enum status st = unboxed(w, object, &value, err);
    int64_t n = value.kind == HS_KIND_LONG ? (int64_t)value.value : (int32_t)value.value;
    *out = st == ERR_NOT_FOUND || (n >= -128 && n <= 127);
    return st == ERR_NOT_FOUND ? OK : st;
}

static bool is_enum(hs_trace *t, const char *type)
{
    enum { DEPTH_MAX = 4 }; /* a constant with a body is of a subclass */
    bool unknown = false;
    const struct lineage *c = lineage_of(t, type, 0);
    for (unsigned i = 0; i < DEPTH_MAX && c != NULL && c->known; i++, c = lineage_super(t, c, &unknown))
        if (strcmp(c->super, "java.lang.Enum") == 0)
            return true;
    return false;
}

/* Does the first event of the object show that it is one that many have: a constant, an empty one? */
static bool is_first_shared(struct why *w, const struct hs_event *first)
{
    struct outside_call call;
    unsigned event = event_type(w->trace, first->dataid);
    if (event == EVENT_OBJECT_CONSTANT_LOAD || event == EVENT_GET_STATIC_FIELD)
        return true;
    if (event != EVENT_CALL_RETURN || outside_call_of(w->trace, first, &call, NULL) != OK || call.argument_count > 0)
        return false;
    const char *name = outside_call_name(&call);
    return strcmp(name, "intern") == 0 ||
           (object_of(&call.call) == 0 && (strncmp(name, "empty", 5) == 0 || strcmp(name, "of") == 0));
}

enum status has_identity(struct why *w, uint32_t object, bool *out, struct error *err)
{
    char type[200];
    struct hs_event first;
    bool shared = false;
    *out = true;
    const struct hs_object *o = hs_object_get(w->trace, object);
    if (o == NULL || o->type == NULL || strlen(o->type) >= sizeof type)
        return OK;
    *out = !(o->has_string && o->length == 0);
    memcpy(type, o->type, strlen(o->type) + 1);
    if (is_box_type(type)) {
        enum status st = is_cached_box(w, object, type, &shared, err);
        *out = st == OK && !shared;
        return st;
    }
    if (!*out || is_enum(w->trace, type)) {
        *out = false;
        return OK;
    }
    enum status st = first_event_of(w, object, &first, err);
    if (st == OK)
        *out = !is_first_shared(w, &first);
    return st == ERR_NOT_FOUND ? OK : st;
}
