/* contents_holders.c - objects that have a collection and may change it whenever they are called: what code that is not
 * woven made of it or returned for it (a reversed list, a synchronized one), and references to its methods; see
 * contents.h. */
#include "reader/query/contents_views.h"

enum { HOLDERS_MAX = 1000 };

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static struct contents_view *add(struct contents_calls *c, uint32_t id, enum contents_effect of,
                                 const struct hs_event *e)
{
    if (id == 0 || id == c->contents->id || map_get(&c->views, id) != NULL)
        return NULL;
    if (c->holders++ == HOLDERS_MAX) {
        contents_overflow(c, e, HOLDERS_MAX, "objects that have it");
        return NULL;
    }
    contents_add_view(c, id, of);
    return map_get(&c->views, id);
}

void contents_add_changer(struct contents_calls *c, const struct hs_event *e, uint32_t id, uint64_t from)
{
    struct contents_view *v = add(c, id, DO_HANDED, e);
    if (v != NULL)
        v->from = from;
}

/* A collection or iterator of the JDK, of which methods that only read are known by their names. */
static bool is_view(const char *type)
{
    return strncmp(type, "java.util.", 10) == 0 && strncmp(type, "java.util.stream.", 17) != 0 &&
           strstr(type, "Lambda") == NULL;
}

/* Texts, arrays, copies and entries that are copies do not change it. */
void contents_add_holder(struct contents_calls *c, const struct hs_event *e, uint32_t id)
{
    const struct hs_object *o = id != 0 ? hs_object_get(c->t, id) : NULL;
    if (o == NULL || o->type == NULL || o->has_string || ends_with(o->type, "[]") || ends_with(o->type, "Entry") ||
        ends_with(o->type, "KeyValueHolder") || contents_class_named(o->type) != NULL)
        return;
    (void)add(c, id, is_view(o->type) ? DO_VIEW_OTHER : DO_HANDED, e);
}

/* javac has the object checked by Objects.requireNonNull right before. */
static bool is_bound(hs_trace *t, const struct hs_event *e)
{
    struct hs_event before;
    if (event_beside(t, e, -2, &before, NULL) != OK || before.value != e->value)
        return false;
    const struct hs_dataid *d = hs_dataid_get(t, before.dataid);
    const struct hs_dataid *site = d != NULL && d->event == EVENT_CALL_RETURN ? call_site(t, d) : NULL;
    const char *name = site != NULL ? attribute_text(site, "name") : NULL;
    return name != NULL && strcmp(name, "requireNonNull") == 0;
}

bool contents_bound(struct contents_calls *c, const struct hs_event *e)
{
    struct hs_event after;
    if (!is_bound(c->t, e))
        return false;
    (void)contents_add(c, e, NULL, DO_HANDED);
    if (dynamic_result(c->t, e, &after, NULL) == OK)
        contents_add_changer(c, e, object_of(&after), e->seq);
    return true;
}

static bool takes_iterator(const struct contents_calls *c, const struct hs_dataid *site)
{
    const char *type = attribute_text(site, "type");
    (void)c;
    return type != NULL && ends_with(type, "Iterator");
}

enum status contents_bound_iterators(struct contents_calls *c, struct error *err)
{
    struct walk w;
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = contents_sites(c, EVENT_INVOKE_DYNAMIC_PARAM, takes_iterator, &ids, err);
    if (st == OK && ids.count > 0) {
        walk_open_ids(&w, c->t, &ids, 0, c->to);
        for (int i = 0; !c->full && walk_next(&w, &e) && e.seq <= c->to; i++) {
            const struct contents_view *v = e.value != 0 ? map_get(&c->views, e.value) : NULL;
            bool entries = v != NULL && v->of == DO_VIEW_ENTRIES;
            if (v != NULL && v->iterator)
                c->entries_given |= contents_bound(c, &e) && entries;
            if (i == CHANGES_MAX)
                contents_overflow(c, &e, CHANGES_MAX, "references to methods of iterators");
        }
        st = walk_close(&w, err);
    }
    vec_free(&ids);
    return st;
}

enum status contents_holder_call(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *d,
                                 struct error *err)
{
    const unsigned of_any_class = 1u << 31;
    bool outside;
    if (contents_method(of_any_class, attribute_text(d, "name"), attribute_text(d, "desc")) != DO_LOSE)
        return OK;
    enum status st = is_handover(c->t, &c->known, e, &outside, err);
    if (st == OK && outside)
        (void)contents_add(c, e, d, DO_HANDED);
    return st;
}
