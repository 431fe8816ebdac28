/* hierarchy.c - see hierarchy.h.
 *
 * Chains of superclasses are checked when the classes are loaded (lineage_fault). Interfaces are known when the class
 * files are read: one search over all classes, each once, with the path to the class that it is at. */
#include "reader/fsck/hierarchy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/mutf8.h"
#include "reader/code/code.h"

enum colour { NEW, OPEN, DONE };

/* A class on the path, and how many of its supertypes were followed. */
struct stop {
    const struct lineage *c;
    size_t next;
};
struct search {
    struct fsck *f;
    uint8_t *colours; /* by position */
    VEC(struct stop) path;
};

/* "interface A extends itself: A, B, A" */
static void report_circle(struct search *s, const struct lineage *c)
{
    char text[400];
    size_t first = s->path.count - 1, at;
    while (s->path.items[first].c != c)
        first--;
    at = (size_t)snprintf(text, sizeof text, "interface %.90s extends itself:", c->name);
    for (size_t i = first, shown = 0; i < s->path.count && shown < 2; i++, shown++)
        at += (size_t)snprintf(text + at, sizeof text - at, " %.90s,", s->path.items[i].c->name);
    fsck_report(s->f, RULE_table, NO_SEQ, "%s%s %.90s", text, s->path.count - first > 2 ? " ...," : "", c->name);
}

static bool enter(struct search *s, const struct lineage *c)
{
    uint8_t *colour = &s->colours[lineage_position(s->f->trace, c)];
    if (*colour == OPEN)
        report_circle(s, c);
    if (*colour != NEW)
        return true;
    struct stop *to = vec_push(&s->path);
    if (to != NULL)
        *to = (struct stop){ .c = c };
    *colour = OPEN;
    return to != NULL;
}

static bool search_from(struct search *s, const struct lineage *from)
{
    hs_trace *t = s->f->trace;
    bool ok = enter(s, from), unknown;
    while (ok && s->path.count > 0) {
        struct stop *top = &s->path.items[s->path.count - 1];
        const struct lineage *c = top->c, *next = NULL;
        size_t interfaces = c->known ? c->interface_count : 0;
        if (top->next < interfaces) {
            next = lineage_of(t, c->interfaces[top->next], c->loader);
        } else if (top->next == interfaces) {
            next = lineage_super(t, c, &unknown);
        } else {
            s->colours[lineage_position(t, c)] = DONE;
            s->path.count--;
            continue;
        }
        top->next++;
        ok = next == NULL || enter(s, next);
    }
    return ok;
}

/* The superclass in the class file of a woven class is that of its row. */
static void check_super(struct fsck *f, const struct hs_class *c)
{
    const struct classfile *cf = c->state == HS_CLASS_WOVEN ? class_file(f->trace, c, NULL) : NULL;
    struct text super = TEXT_OF("");
    struct writer w = { 0 };
    if (cf == NULL || (cf->super_class != 0 && !cpool_class(&cf->cp, cf->super_class, &super)))
        return;
    (void)mutf8_to_utf8(super.data, super.size, &w);
    const char *raw = trace_text(f->trace, super, true),
               *text = trace_text(f->trace, (struct text){ (const char *)w.data, w.size }, true);
    if (raw != NULL && text != NULL && strcmp(raw, c->super) != 0 && strcmp(text, c->super) != 0)
        fsck_report(f, RULE_code, NO_SEQ, "class %s: its superclass is '%s' in its row, '%s' in its class file",
                    c->name, c->super, text);
    writer_free(&w);
    f->result->checked++;
}

enum status fsck_hierarchy(struct fsck *f, struct error *err)
{
    struct search s = { .f = f };
    const char *fault;
    size_t count = 0;
    bool ok = true;
    for (size_t i = 0; (fault = lineage_fault(f->trace, i)) != NULL; i++)
        fsck_report(f, RULE_table, NO_SEQ, "%s", fault);
    while (lineage_name_at(f->trace, count) != NULL)
        count++;
    s.colours = calloc(count + 1, sizeof *s.colours);
    for (size_t i = 0; (ok &= s.colours != NULL) && i < count; i++)
        ok = search_from(&s, lineage_at(f->trace, i));
    for (size_t i = 0; i < class_rows(f->trace); i++)
        check_super(f, class_at(f->trace, i));
    free(s.colours);
    vec_free(&s.path);
    return ok ? OK : error_memory(err, "%s", f->trace->dir);
}
