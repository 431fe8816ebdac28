/* selogger_tables.c - classes.txt, methods.txt and dataids.txt of the format selogger (selogger.h). Rows are in the
 * order of their first column without gaps, which SELogger's reader relies on. */
#include <string.h>

#include "formats/search.h"
#include "formats/visible.h"
#include "reader/export/selogger.h"

/* ---- columns ---- */

static void put_bytes(void *out, const char *bytes, size_t n) { out_bytes(out, bytes, n); }

/* `special` are written as escapes, but for dots, which become slashes. */
static void put_text(struct out *o, const char *text, const char *special)
{
    while (*text != '\0') {
        size_t n = strcspn(text, special);
        visible_each(text, n, put_bytes, o);
        text += n;
        if (*text == '.')
            out_char(o, '/');
        else if (*text != '\0')
            out_format(o, "\\u%04x", (unsigned char)*text);
        text += *text != '\0';
    }
}

void selogger_text(struct out *o, const char *text) { put_text(o, text, ",\"="); }
void selogger_internal(struct out *o, const char *class_name) { put_text(o, class_name, ",\"=."); }

void selogger_loader(struct out *o, uint64_t loader, const char *class_name)
{
    out_format(o, "Loader@%llx:", (unsigned long long)loader);
    selogger_internal(o, class_name);
}

void selogger_attributes(struct out *o, const struct hs_dataid *d)
{
    out_char(o, '"');
    if (d->attr_count == 0)
        out_text(o, "null");
    for (uint32_t i = 0; i < d->attr_count; i++) {
        const struct hs_attr *a = d->attrs[i];
        if (i > 0)
            out_char(o, ',');
        out_text(o, a->name);
        out_char(o, '=');
        switch (a->type) {
        case HS_ATTR_INT: out_i64(o, a->number); break;
        case HS_ATTR_BOOL: out_text(o, a->number != 0 ? "true" : "false"); break;
        case HS_ATTR_TEXT: selogger_text(o, a->text); break;
        }
    }
    out_char(o, '"');
}

bool selogger_place(hs_trace *t, const struct hs_dataid *d, const struct hs_class **c, const struct hs_method **m)
{
    *c = hs_class_get(t, d->class_no);
    *m = hs_method_get(t, d->method_id);
    return *c != NULL && *m != NULL;
}

/* ---- tables ---- */

static bool put_class(struct selogger *s, const struct hs_class *c)
{
    struct out *o = s->job->out;
    uint32_t *number = vec_push(&s->classes);
    if (number == NULL)
        return export_fail(s->job, "out of memory");
    *number = c->class_no;
    out_format(o, "%zu,", s->classes.count - 1);
    selogger_text(o, c->source);
    out_char(o, ',');
    selogger_internal(o, c->name);
    out_char(o, ',');
    selogger_internal(o, c->name);
    out_format(o, ",Normal,%016llx,", (unsigned long long)c->hash);
    selogger_loader(o, c->loader_id, c->name);
    out_bytes(o, ",\n", 2);
    return true;
}

static size_t class_id(const struct selogger *s, uint32_t class_no)
{
    size_t at = 0;
    LOWER_BOUND(at, s->classes.count, s->classes.items[at] < class_no);
    return at;
}

static void put_method(struct selogger *s, const struct hs_class *c, const struct hs_method *m)
{
    struct out *o = s->job->out;
    out_format(o, "%zu,%u,", class_id(s, c->class_no), m->method_id);
    selogger_internal(o, c->name);
    out_char(o, ',');
    selogger_text(o, m->name);
    out_char(o, ',');
    selogger_text(o, m->desc);
    out_format(o, ",%u,", m->access);
    selogger_text(o, c->source_file);
    out_format(o, ",%016llx,,\n", (unsigned long long)m->hash);
}

static const char *value_descriptor(const struct hs_dataid *d)
{
    static const char kinds[] = "VZBCSIJFD";
    static const char *const descriptors[] = { "V", "Z", "B", "C", "S", "I", "J", "F", "D" };
    const char *at = d->kind != '\0' ? strchr(kinds, d->kind) : NULL;
    return at != NULL ? descriptors[at - kinds] : d->kind == HS_KIND_PC ? "I" : "Ljava/lang/Object;";
}

/* The columns in front of the event type. */
static bool put_location(struct selogger *s, uint32_t dataid, const struct hs_dataid *d)
{
    struct out *o = s->job->out;
    const struct hs_class *c;
    const struct hs_method *m;
    if (!selogger_place(s->job->trace, d, &c, &m))
        return false;
    out_format(o, "%u,%zu,%u,", dataid, class_id(s, d->class_no), d->method_id);
    selogger_internal(o, c->name);
    out_char(o, ',');
    selogger_text(o, m->name);
    out_format(o, ",%d,%u,", d->table_line, d->pc);
    return true;
}

static bool put_dataid(struct selogger *s, uint32_t dataid, const struct hs_dataid *d)
{
    struct out *o = s->job->out;
    if (d == NULL || !put_location(s, dataid, d)) {
        out_format(o, "%u,0,0,,,-1,-1,RESERVED,V,\"null\"\n", dataid);
        return true;
    }
    /* a name that SELogger does not have would end its reader */
    bool known = d->event != HS_EVENT_EVENTS_LEFT_OUT;
    out_format(o, "%s,%s,", known ? hs_event_name(d->event) : "RESERVED", value_descriptor(d));
    selogger_attributes(o, d);
    out_char(o, '\n');
    if (d->event != HS_EVENT_METHOD_EXCEPTIONAL_EXIT)
        return true;
    uint32_t *exit = vec_push(&s->exits);
    if (exit == NULL)
        return export_fail(s->job, "out of memory");
    *exit = dataid;
    return true;
}

uint32_t selogger_catch(const struct selogger *s, uint32_t exit)
{
    size_t at = 0;
    LOWER_BOUND(at, s->exits.count, s->exits.items[at] < exit);
    return hs_dataid_count(s->job->trace) + (uint32_t)at;
}

static bool put_dataids(struct selogger *s)
{
    struct export_job *x = s->job;
    const uint32_t count = hs_dataid_count(x->trace);
    if (!export_file_open(x, "dataids.txt"))
        return false;
    out_line(x->out, "DataID,ClassID,MethodID,ClassName,MethodName,Line,InstructionIndex,EventType,ValueDesc,"
                     "Attributes");
    for (uint32_t i = 0; i < count && export_ok(x); i++)
        if (!put_dataid(s, i, hs_dataid_get(x->trace, i)))
            return false;
    for (size_t i = 0; i < s->exits.count && export_ok(x); i++) {
        const struct hs_dataid *d = hs_dataid_get(x->trace, s->exits.items[i]);
        if (d != NULL && put_location(s, count + (uint32_t)i, d))
            out_format(x->out,
                       "CATCH,Ljava/lang/Object;,\"type=java.lang.Throwable,location=exceptional-exit,start=0,"
                       "end=%u,handler=%u\"\n",
                       d->pc, d->pc);
    }
    return export_ok(x);
}

bool selogger_tables(struct selogger *s)
{
    struct export_job *x = s->job;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_class *c;
    hs_cursor *classes = NULL;
    bool done = false;
    int more;
    if (hs_classes_open(x->trace, &classes, &error) != 0)
        return export_failed(x, &error);
    if (!export_file_open(x, "classes.txt"))
        goto out;
    out_line(x->out, "ClassID,LoadedFrom,FileName,ClassName,LogLevel,ClassHash,ClassLoaderID,Annotations");
    while ((more = hs_class_next(classes, &c, &error)) > 0 && export_ok(x))
        if (c->state == HS_CLASS_WOVEN && !put_class(s, c))
            goto out;
    if (more < 0 || hs_cursor_seek(classes, 0, &error) != 0) {
        (void)export_failed(x, &error);
        goto out;
    }
    if (!export_file_open(x, "methods.txt"))
        goto out;
    out_line(x->out, "ClassID,MethodID,ClassName,MethodName,MethodDesc,Access,SourceFileName,MethodHash,"
                     "VisibleAnnotations,InvisibleAnnotations");
    while ((more = hs_class_next(classes, &c, &error)) > 0 && export_ok(x))
        for (uint32_t i = 0; c->state == HS_CLASS_WOVEN && i < c->method_count; i++)
            put_method(s, c, c->methods[i]);
    done = more < 0 ? export_failed(x, &error) : put_dataids(s);
out:
    hs_cursor_close(classes);
    return done;
}
