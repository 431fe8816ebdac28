/* xml.c - the format xml: the map of classes and methods, and the call graph, for tools that read XML. The schema is
 * docs/callgraph.xsd.
 *
 *     <hindsight version="1">
 *       <classes>
 *         <class id="c4" name="a.b.C"> <method id="m7" name="m" signature="m(int)" desc="(I)V"/> </class>
 *       </classes>
 *       <callgraph>
 *         <call from="m2" to="m7" calls="3" exceptions="0" total="1200" self="900" max="600"/>
 *       </callgraph>
 *     </hindsight>
 *
 * XML 1.0 has no way to write control characters and unpaired surrogates: they are Java escapes (\u0001). */
#include "formats/event.h"
#include <string.h>

#include "formats/jvm/classfile.h"
#include "formats/visible.h"
#include "reader/export/export.h"

static void put_bytes(void *out, const char *bytes, size_t n) { out_bytes(out, bytes, n); }

/* U+FFFE and U+FFFF, which XML does not allow either: their bytes are ef bf be, ef bf bf. */
static bool is_noncharacter(const char *s)
{
    return (s[0] & 0xff) == 0xef && (s[1] & 0xff) == 0xbf && (s[2] & 0xfe) == 0xbe;
}

/* Bytes that stand for themselves. */
static size_t plain(const char *s)
{
    size_t n = strcspn(s, "<>&\"\xef");
    while (s[n] == '\xef' && !is_noncharacter(s + n))
        n += 1 + strcspn(s + n + 1, "<>&\"\xef");
    return n;
}

static void attribute(struct out *o, const char *name, const char *text)
{
    out_format(o, " %s=\"", name);
    while (*text != '\0') {
        const size_t n = plain(text);
        visible_each(text, n, put_bytes, o);
        text += n;
        switch (*text) {
        case '\0': break;
        case '<': out_text(o, "&lt;"); break;
        case '>': out_text(o, "&gt;"); break;
        case '&': out_text(o, "&amp;"); break;
        case '"': out_text(o, "&quot;"); break;
        default: out_text(o, (text[2] & 0xff) == 0xbe ? "\\ufffe" : "\\uffff"); text += 2;
        }
        text += *text != '\0';
    }
    out_char(o, '"');
}

static void number(struct out *o, const char *name, uint64_t value)
{
    out_format(o, " %s=\"%llu\"", name, (unsigned long long)value);
}

static void put_method(struct export_job *x, const struct hs_method *m)
{
    struct out *o = x->out;
    struct writer signature = { 0 };
    write_bytes(&signature, m->name, strlen(m->name));
    (void)descriptor_to_parameters(m->desc, strlen(m->desc), &signature);
    write_u1(&signature, '\0');
    out_format(o, "      <method id=\"m%u\"", m->method_id);
    attribute(o, "name", m->name);
    attribute(o, "signature", signature.bad ? m->name : (const char *)signature.data);
    attribute(o, "desc", m->desc);
    number(o, "access", m->access);
    out_bytes(o, "/>\n", 3);
    if (signature.bad)
        (void)export_fail(x, "out of memory");
    writer_free(&signature);
}

static void put_class(struct export_job *x, const struct hs_class *c)
{
    struct out *o = x->out;
    out_format(o, "    <class id=\"c%u\"", c->class_no);
    attribute(o, "name", c->name);
    if (c->super[0] != '\0')
        attribute(o, "super", c->super);
    attribute(o, "loader", c->loader);
    if (c->source[0] != '\0')
        attribute(o, "source", c->source);
    if (c->source_file[0] != '\0')
        attribute(o, "file", c->source_file);
    out_bytes(o, ">\n", 2);
    for (uint32_t i = 0; i < c->method_count; i++)
        put_method(x, c->methods[i]);
    out_text(o, "    </class>");
    out_char(o, '\n');
}

static bool put_classes(struct export_job *x)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_class *c;
    hs_cursor *classes;
    int more = 0;
    if (hs_classes_open(x->trace, &classes, &error) != 0)
        return export_failed(x, &error);
    out_format(x->out, "  <classes>\n");
    while (export_ok(x) && (more = hs_class_next(classes, &c, &error)) > 0)
        if (c->state == HS_CLASS_WOVEN)
            put_class(x, c);
    out_format(x->out, "  </classes>\n");
    hs_cursor_close(classes);
    return more < 0 ? export_failed(x, &error) : export_ok(x);
}

static bool wanted(const struct export_job *x, uint32_t method_id)
{
    const struct hs_filter *f = &x->filter->filter;
    const struct hs_method *m = hs_method_get(x->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(x->trace, m->class_no) : NULL;
    return c != NULL && hs_class_matches(f->class_glob, c->name) && hs_method_matches(f->method_glob, m->name, m->desc);
}

static bool put_calls(struct export_job *x)
{
    const struct hs_filter *f = &x->filter->filter;
    struct hs_error error = HS_ERROR_INIT;
    struct out *o = x->out;
    const struct hs_context *edge;
    hs_cursor *edges;
    int more = 0;
    if (hs_contexts_open(x->trace, HS_CONTEXT_EDGES, f->from, f->to, SIZE_MAX, &edges, &error) != 0)
        return export_failed(x, &error);
    out_format(o, "  <callgraph>\n");
    while (export_ok(x) && (more = hs_context_next(edges, &edge, &error)) > 0) {
        if (!wanted(x, edge->method_id))
            continue;
        out_text(o, "    <call");
        if (edge->caller_id != HS_NO_METHOD)
            out_format(o, " from=\"m%u\"", edge->caller_id);
        out_format(o, " to=\"m%u\"", edge->method_id);
        number(o, "calls", edge->calls);
        number(o, "exceptions", edge->exceptions);
        if (edge->left > 0) {
            number(o, "total", edge->total_ns);
            number(o, "self", edge->self_ns);
            number(o, "max", edge->max_ns);
        }
        out_bytes(o, "/>\n", 3);
    }
    out_format(o, "  </callgraph>\n");
    hs_cursor_close(edges);
    return more < 0 ? export_failed(x, &error) : export_ok(x);
}

bool export_xml(struct export_job *x)
{
    const struct hs_filter *f = &x->filter->filter;
    if (!export_has_stream(x))
        return false;
    if (f->threads != NULL || f->events != NULL || f->object != 0 || f->value != NULL || f->text != NULL ||
        x->filter->where != NULL || x->limit != UINT64_MAX)
        return export_wrong(x, "xml is a call graph; of the filters it takes --class, --method, --from and --until");
    out_format(x->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out_format(x->out, "<hindsight version=\"1\">\n");
    bool done = put_classes(x) && put_calls(x);
    out_format(x->out, "</hindsight>\n");
    if (done)
        export_unwoven(x, "call", USE_ENTER);
    return done;
}
