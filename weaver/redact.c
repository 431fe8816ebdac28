/* redact.c - see redact.h. */
#include "weaver/redact.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"

bool redact_add(struct redact *r, const char *glob)
{
    char *copy = strdup(glob);
    struct redact_glob *slot = copy != NULL ? vec_push(&r->globs) : NULL;
    if (slot == NULL) {
        free(copy);
        return false;
    }
    slot->text = copy;
    slot->matched = false;
    return true;
}

void redact_done(struct redact *r)
{
    for (size_t i = 0; i < r->globs.count; i++)
        free(r->globs.items[i].text);
    vec_free(&r->globs);
}

static bool glob_matches(const struct redact_glob *g, const char *name)
{
    return name[0] != '\0' && fnmatch(g->text, name, FNM_NOESCAPE) == 0;
}

/* Does any glob match one of the three texts? Each that does is marked. */
static bool any_matches(struct redact *r, const char *name, const char *full, const char *type)
{
    bool any = false;
    for (size_t i = 0; i < r->globs.count; i++) {
        struct redact_glob *g = &r->globs.items[i];
        if (any && g->matched)
            continue;
        bool one = (name[0] != '\0' && (glob_matches(g, name) || glob_matches(g, full))) || glob_matches(g, type);
        if (one)
            g->matched = true;
        any |= one;
    }
    return any;
}

/* Adds a text and a zero byte; gives the offset of the text. */
static size_t put(struct writer *w, struct text t)
{
    size_t at = w->size;
    write_bytes(w, t.data, t.size);
    write_u1(w, 0);
    return at;
}

bool redact_hides(struct redact *r, struct text owner, struct text member, struct text local, struct text type)
{
    struct writer w = { 0 };
    size_t name = put(&w, local.size > 0 ? local : member), of_type = put(&w, type), full = put(&w, owner);
    for (size_t i = full; i < w.size; i++)
        if (w.data[i] == '/')
            w.data[i] = '.';
    w.size -= w.size > 0;
    write_u1(&w, '.');
    write_bytes(&w, member.data, member.size);
    if (local.size > 0) {
        write_u1(&w, ':');
        write_bytes(&w, local.data, local.size);
    }
    write_u1(&w, 0);
    const char *texts = (const char *)w.data;
    /* without memory the value stays out */
    bool hides = w.bad || any_matches(r, texts + name, texts + full, texts + of_type);
    bool nested = false;
    for (size_t i = 0; i < w.size; i++)
        if (w.data[i] == '$') {
            w.data[i] = '.';
            nested = true;
        }
    hides |= !w.bad && nested && any_matches(r, texts + name, texts + full, texts + of_type);
    writer_free(&w);
    return hides;
}
