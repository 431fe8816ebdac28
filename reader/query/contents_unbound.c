/* contents_unbound.c - references to methods without an object (List::clear): where one was given to code that is not
 * woven, that may call it for every object that it has; see contents.h.
 *
 *     CALL outer.add  CALL_PARAM #7        INVOKE_DYNAMIC_RESULT #9        CALL outer.forEach  CALL_PARAM #9
 *
 * The body of a lambda is recorded code, whose calls are seen. */
#include "reader/query/contents_views.h"

static const char *text_of(const struct hs_dataid *d, const char *name)
{
    const char *s = attribute_text(d, name);
    return s != NULL ? s : "";
}

static bool only_reads(enum contents_effect effect)
{
    return effect == DO_READ || effect == DO_SIZE || effect == DO_IS_EMPTY || effect == DO_GET_AT ||
           effect == DO_GET_KEY || effect == DO_ACCESS || effect == DO_VALUE_SEEN || effect == DO_ATOMIC_SEEN ||
           effect == DO_TEXT_RESULT || effect == DO_TEXT_LENGTH || effect == DO_PRESENT_IF_TRUE ||
           effect == DO_ABSENT_IF_TRUE || (effect >= DO_VIEW_ITERATOR && effect <= DO_VIEW_OTHER);
}

/* What objects of a class of the JDK may be, by its name. */
static unsigned shapes_of(const char *owner)
{
    static const struct {
        const char *word;
        unsigned shapes;
    } words[] = {
        { "Map", SHAPE_MAP },
        { "Hashtable", SHAPE_MAP },
        { "Dictionary", SHAPE_MAP },
        { "Set", SHAPE_SET },
        { "List", SHAPE_LIST },
        { "Vector", SHAPE_LIST },
        { "Stack", SHAPE_LIST },
        { "Queue", SHAPE_DEQUE | SHAPE_QUEUE },
        { "Deque", SHAPE_DEQUE | SHAPE_QUEUE },
        { "Collection", SHAPE_LIST | SHAPE_DEQUE | SHAPE_QUEUE | SHAPE_SET },
        { "StringBu", SHAPE_TEXT },
        { "Appendable", SHAPE_TEXT },
        { "Atomic", SHAPE_ATOMIC },
    };
    unsigned shapes = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(owner, words[i].word) != NULL)
            shapes |= words[i].shapes;
    return shapes;
}

static bool takes_object(const char *desc)
{
    const char *object = strchr(desc, ';'), *end = strchr(desc, ')');
    return object != NULL && end != NULL && object < end;
}

/* Can the method that the site refers to change the collection, where it gets it or a view of it? */
static bool may_change(const struct contents_calls *c, const struct hs_dataid *site)
{
    const char *type = text_of(site, "implementation_type"), *name = text_of(site, "implementation_name");
    const char *desc = text_of(site, "implementation_desc");
    char owner[300];
    size_t n = 0;
    if (*type == '\0' || strncmp(text_of(site, "desc"), "()", 2) != 0)
        return false; /* a lambda, or bound to an object */
    for (const char *s = text_of(site, "implementation_owner"); *s != '\0' && n + 1 < sizeof owner; s++)
        owner[n++] = *s == '/' ? '.' : *s;
    owner[n] = '\0';
    bool instance = strcmp(type, "instance") == 0;
    if (strncmp(owner, "java", 4) != 0)
        return (instance || takes_object(desc)) && !has_woven_class(c->t, owner);
    if (!instance)
        return strcmp(owner, "java.util.Collections") == 0 && !contents_reader(owner, name);
    if (c->view_given && strstr(owner, "Iterator") != NULL)
        return strstr(name, "has") != name && strcmp(name, "next") != 0;
    unsigned shapes = c->view_given && strncmp(owner, "java.util.", 10) == 0
                          ? SHAPE_LIST | SHAPE_DEQUE | SHAPE_QUEUE | SHAPE_SET | SHAPE_MAP
                          : c->class->shapes;
    return (shapes_of(owner) & shapes) != 0 && strstr(owner, "Iterator") == NULL && strchr(owner, '$') == NULL &&
           !only_reads(contents_method(shapes, name, desc));
}

enum status contents_unbound(struct contents_calls *c, struct error *err)
{
    struct walk w;
    struct hs_event e;
    u32_vec ids = { 0 };
    enum status st = c->given < c->to ? contents_sites(c, EVENT_INVOKE_DYNAMIC_RESULT, may_change, &ids, err) : OK;
    if (st == OK && ids.count > 0) {
        walk_open_ids(&w, c->t, &ids, 0, c->to);
        for (int i = 0; !c->full && walk_next(&w, &e) && e.seq <= c->to; i++) {
            contents_add_changer(c, &e, object_of(&e), c->given);
            if (i == CHANGES_MAX)
                contents_overflow(c, &e, CHANGES_MAX, "references to methods");
        }
        st = walk_close(&w, err);
    }
    vec_free(&ids);
    return st;
}
