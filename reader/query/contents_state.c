/* contents_state.c - contents that are empty, known, not known; see contents.h. */
#include "reader/query/contents.h"

#include <stdio.h>

static void drop(struct contents *c)
{
    c->items.count = c->first = c->nulls = 0;
    c->text.count = 0;
    c->array = 0;
}

void contents_start(struct contents *c)
{
    drop(c);
    c->known = true;
    c->lost = HS_NO_SEQ;
}

/* The method that was called: "java.util.List.sort". */
static void call_text(const struct contents_op *op, char *out, size_t size)
{
    const char *owner = op->site != NULL ? attribute_text(op->site, "owner") : NULL;
    const char *name = op->site != NULL ? attribute_text(op->site, "name") : NULL;
    if (owner == NULL || name == NULL)
        (void)snprintf(out, size, "code that is not recorded");
    else if (strcmp(name, "<init>") == 0)
        (void)snprintf(out, size, "new %.100s", owner);
    else
        (void)snprintf(out, size, "%.100s.%.60s", owner, name);
}

void contents_lose(struct contents *c, const struct contents_op *op, const char *why)
{
    char call[200];
    drop(c);
    if (!c->known && c->lost != HS_NO_SEQ)
        return; /* the first reason counts */
    c->known = false;
    c->lost = op->seq;
    call_text(op, call, sizeof call);
    if (op->effect == DO_GAP)
        (void)snprintf(c->why, sizeof c->why, "%s", why);
    else
        (void)snprintf(c->why, sizeof c->why, "%s %s", call, why);
}

void contents_done(struct contents *c)
{
    vec_free(&c->items);
    vec_free(&c->text);
    vec_free(&c->scratch);
    map_free(&c->boxes);
}
