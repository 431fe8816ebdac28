/* redact.c - see redact.h. */
#include "weaver/redact.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"

bool redact_add(struct redact *r, const char *glob)
{
    char *copy = strdup(glob), **slot = copy != NULL ? vec_push(&r->globs) : NULL;
    if (slot == NULL) {
        free(copy);
        return false;
    }
    *slot = copy;
    return true;
}

void redact_done(struct redact *r)
{
    for (size_t i = 0; i < r->globs.count; i++)
        free(r->globs.items[i]);
    vec_free(&r->globs);
}

static bool matches(const struct redact *r, const char *name)
{
    for (size_t i = 0; i < r->globs.count; i++)
        if (fnmatch(r->globs.items[i], name, FNM_NOESCAPE) == 0)
            return true;
    return false;
}

/* Adds a text and a zero byte; gives the offset of the text. */
static size_t put(struct writer *w, struct text t)
{
    size_t at = w->size;
    write_bytes(w, t.data, t.size);
    write_u1(w, 0);
    return at;
}

bool redact_hides(const struct redact *r, struct text owner, struct text member, struct text local, struct text type)
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
    bool hides = w.bad || (texts[name] != '\0' && (matches(r, texts + name) || matches(r, texts + full))) ||
                 (type.size > 0 && matches(r, texts + of_type));
    writer_free(&w);
    return hides;
}
