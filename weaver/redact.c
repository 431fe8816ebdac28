/* redact.c - see redact.h. */
#include "weaver/redact.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"

static char *part(const char *from, const char *end)
{
    return from != NULL ? strndup(from, (size_t)(end - from)) : NULL;
}

bool redact_add(struct redact *r, const char *glob)
{
    struct redact_glob *slot = vec_push(&r->globs);
    const char *end = glob + strlen(glob), *colon = strrchr(glob, ':'), *member_end = colon != NULL ? colon : end,
               *dot = memrchr(glob, '.', (size_t)(member_end - glob));
    if (slot == NULL)
        return false;
    *slot = (struct redact_glob){ .text = strdup(glob) };
    slot->whole_member = dot != NULL ? part(glob, member_end) : NULL;
    slot->member_part = dot != NULL ? part(dot + 1, member_end) : NULL;
    slot->local_part = colon != NULL ? part(colon + 1, end) : NULL;
    slot->named = dot != NULL && strspn(dot + 1, "*?") < (size_t)(member_end - dot - 1);
    return slot->text != NULL && (dot == NULL || (slot->whole_member != NULL && slot->member_part != NULL)) &&
           (colon == NULL || slot->local_part != NULL);
}

void redact_done(struct redact *r)
{
    for (size_t i = 0; i < r->globs.count; i++) {
        struct redact_glob *g = &r->globs.items[i];
        free(g->text);
        free(g->whole_member);
        free(g->member_part);
        free(g->local_part);
    }
    vec_free(&r->globs);
    lineage_done(&r->lineage);
}

static bool matches(const char *glob, const char *name)
{
    return name[0] != '\0' && fnmatch(glob, name, FNM_NOESCAPE) == 0;
}

/* The texts of a place, each with a zero byte. */
struct names {
    struct writer w;
    size_t name, member, owner, type;
    size_t captured; /* the variable that a field val$pin holds; 0: it is no such field */
};

/* Adds a text and a zero byte; gives the offset of the text. */
static size_t put(struct writer *w, struct text t)
{
    size_t at = w->size;
    write_bytes(w, t.data, t.size);
    write_u1(w, 0);
    return at;
}

static bool begins(struct text t, const char *with)
{
    return t.size > strlen(with) && memcmp(t.data, with, strlen(with)) == 0;
}

static const char *at(const struct names *n, size_t offset) { return (const char *)n->w.data + offset; }

/* Does the glob match CLASS.MEMBER or CLASS.MEMBER:VARIABLE, with $ or with dots between nested classes? */
static bool matches_whole(const char *glob, struct text owner, const struct redact_place *p)
{
    struct writer w = { 0 };
    write_bytes(&w, owner.data, owner.size);
    for (size_t i = 0; i < w.size; i++)
        if (w.data[i] == '/')
            w.data[i] = '.';
    write_u1(&w, '.');
    write_bytes(&w, p->member.data, p->member.size);
    if (p->local.size > 0) {
        write_u1(&w, ':');
        write_bytes(&w, p->local.data, p->local.size);
    }
    write_u1(&w, 0);
    bool is = w.bad || matches(glob, (const char *)w.data); /* without memory the value stays out */
    if (!is && memchr(w.data, '$', w.size) != NULL) {
        for (size_t i = 0; i < w.size; i++)
            if (w.data[i] == '$')
                w.data[i] = '.';
        is = matches(glob, (const char *)w.data);
    }
    writer_free(&w);
    return is;
}

struct above {
    const struct redact_glob *glob;
    const struct redact_place *place;
};
static bool matches_above(void *context, struct text class_name)
{
    const struct above *a = context;
    return matches_whole(a->glob->text, class_name, a->place);
}

/* Does the glob name the place by another class than the instruction's? */
static enum lineage_answer by_other_class(const struct redact *r, const struct redact_glob *g,
                                          const struct redact_place *p)
{
    struct above a = { g, p };
    const bool field = p->kind == REDACT_FIELD;
    if (p->kind == REDACT_OWN_ONLY)
        return LINEAGE_NO;
    enum lineage_answer answer =
        lineage_walk(&r->lineage, p->owner, field ? p->member : TEXT_OF(""), p->desc, matches_above, &a);
    if (answer == LINEAGE_NO && (r->lost || p->kind == REDACT_CALLED || p->kind == REDACT_OWN))
        answer = LINEAGE_UNKNOWN;
    return answer;
}

/* Does the glob match the place? Sets its flags. */
static bool match(const struct redact *r, struct redact_glob *g, const struct redact_place *p, const struct names *n)
{
    bool exact = matches(g->text, at(n, n->type)) || matches(g->text, at(n, n->name)) ||
                 (p->member.size > 0 && matches_whole(g->text, p->owner, p));
    bool guess = false;
    const char *local = g->local_part != NULL ? g->local_part : g->text;
    if (!exact && n->captured > 0)
        exact = matches(local, at(n, n->captured));
    if (!exact && p->local.size > 0 && begins(p->member, "lambda$"))
        exact = g->local_part != NULL && matches(local, at(n, n->name));
    if (!exact && p->member.size > 0 && g->whole_member != NULL && (p->local.size > 0) == (g->local_part != NULL) &&
        matches(g->member_part, at(n, n->member)) &&
        (g->local_part == NULL || matches(g->local_part, at(n, n->name)))) {
        enum lineage_answer answer = by_other_class(r, g, p);
        exact = answer == LINEAGE_YES;
        guess = answer == LINEAGE_UNKNOWN && (g->named || p->kind == REDACT_FIELD);
    }
    if (exact)
        g->matched = true;
    else if (guess)
        g->guessed = true;
    return exact || guess;
}

bool redact_hides(struct redact *r, const struct redact_place *p)
{
    struct names n = { 0 };
    struct text name = p->local.size > 0 ? p->local : p->member;
    n.name = put(&n.w, p->kind != REDACT_TYPE ? name : TEXT_OF(""));
    n.member = put(&n.w, p->member);
    n.type = put(&n.w, p->type);
    if (begins(name, "val$"))
        n.captured = n.name + 4;
    else if (begins(name, "$"))
        n.captured = n.name + 1;
    bool hides = n.w.bad;
    for (size_t i = 0; i < r->globs.count && !n.w.bad; i++)
        if (!hides || !r->globs.items[i].matched) /* those that match nothing are reported */
            hides |= match(r, &r->globs.items[i], p, &n);
    writer_free(&n.w);
    return hides;
}

static void see_members(struct redact *r, const struct classfile *cf, const struct member *list, size_t count)
{
    struct redact_place p = { 0 };
    (void)cpool_class(&cf->cp, cf->this_class, &p.owner);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < r->globs.count && cpool_utf8(&cf->cp, list[i].name, &p.member); k++) {
            struct redact_glob *g = &r->globs.items[k];
            if (g->whole_member != NULL && !g->declared && matches_whole(g->whole_member, p.owner, &p))
                g->declared = true;
        }
}

void redact_see_class(struct redact *r, const void *bytes, size_t size)
{
    struct classfile cf;
    struct error err;
    bool wanted = false;
    for (size_t i = 0; i < r->globs.count; i++)
        wanted |= r->globs.items[i].whole_member != NULL;
    if (!wanted)
        return;
    if (classfile_read(&cf, bytes, size, &err) == OK) {
        r->lost |= !lineage_add(&r->lineage, &cf);
        see_members(r, &cf, cf.fields.items, cf.fields.count);
        see_members(r, &cf, cf.methods.items, cf.methods.count);
    }
    classfile_done(&cf);
}

bool redact_unmatched(const struct redact_glob *g) { return !g->matched && !(g->guessed && g->declared); }
