/* dap_values.c - values as text, and what is made of expressions: evaluate, completions, log messages. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/primitive.h"
#include "reader/command/show_contents.h"
#include "reader/serve/dap.h"

/* What a collection, text or box holds, in a few words; when the request has taken long already, nothing. What never
 * changes stands there already. */
static void summary(struct dap *d, uint32_t id)
{
    enum { SUMMARIES_MS = 50 };
    const struct hs_contents *c;
    if (hs_object_value_get(d->trace, id, HS_NO_SEQ) != NULL || dap_now_ms() - d->began_ms > SUMMARIES_MS)
        return;
    const struct hs_object_value *v = hs_object_value_get(d->trace, id, nav_seq(d->nav));
    if (v != NULL) {
        out_char(&d->text, ' ');
        out_name(&d->text, v->text);
        return;
    }
    if (hs_contents_at(d->trace, id, nav_seq(d->nav), &c, NULL) <= 0)
        return;
    out_char(&d->text, ' ');
    show_contents_summary(&d->show, c);
}

static void render(struct dap *d, const struct expression_value *v)
{
    struct out *o = &d->text;
    o->used = 0;
    if (!v->known)
        out_text(o, "not recorded");
    else if (v->kind == EXPRESSION_TEXT)
        out_quoted(o, v->text);
    else
        show_value_text(&d->show, v->kind, v->bits);
    if (v->known && v->kind == HS_KIND_REF && v->bits - 1 < UINT32_MAX)
        summary(d, (uint32_t)v->bits);
    if (v->note != NULL && v->seq == HS_NO_SEQ)
        out_format(o, " (%s)", v->note);
    else if (v->note != NULL)
        out_format(o, " (%s, event %llu)", v->note, (unsigned long long)v->seq);
    if (v->unrecorded)
        out_text(o, " (may have changed: recording was stopped since)");
    else if (v->stale)
        out_text(o, " (may have changed: the object was given to code that is not recorded)");
}

const char *dap_value_text(struct dap *d, const struct expression_value *value)
{
    render(d, value);
    out_char(&d->text, '\0');
    return d->text.failed == 0 ? d->text.data : "(too long)";
}

static const char *type_of(struct dap *d, const struct expression_value *v)
{
    if (!v->known)
        return NULL;
    const struct primitive *p = primitive_of_letter(v->kind);
    if (p != NULL)
        return p->name;
    const struct hs_object *o =
        v->kind == 'L' && v->bits - 1 < UINT32_MAX ? hs_object_get(d->trace, (uint32_t)v->bits) : NULL;
    return v->kind == EXPRESSION_TEXT ? "java.lang.String" : o != NULL ? o->type : NULL;
}

void dap_value_members(struct dap *d, const char *name, const struct expression_value *value)
{
    struct json *j = &d->json;
    const char *text = dap_value_text(d, value);
    json_member_text(j, name, text);
    const char *type = type_of(d, value);
    if (type != NULL)
        json_member_text(j, "type", type);
    const struct hs_object *o = value->known && value->kind == 'L' && value->bits - 1 < UINT32_MAX
                                    ? hs_object_get(d->trace, (uint32_t)value->bits)
                                    : NULL;
    bool opens = value->known && value->kind == 'L' && value->bits - 1 < UINT32_MAX && (o == NULL || !o->has_string);
    struct dap_handle handle = { .scope = SCOPE_OBJECT, .object = (uint32_t)value->bits };
    json_member_i64(j, "variablesReference", opens ? dap_handle_of(d, handle) : 0);
}

void dap_variable(struct dap *d, const char *name, const struct expression_value *value, const char *expression,
                  const char *what)
{
    struct json *j = &d->json;
    json_object(j);
    json_member_text(j, "name", name);
    dap_value_members(d, "value", value);
    if (expression != NULL)
        json_member_text(j, "evaluateName", expression);
    if (what != NULL)
        json_member_text(j, "location", what);
    if (!value->known) {
        json_name(j, "presentationHint");
        json_object(j);
        json_name(j, "attributes");
        json_array(j);
        json_text(j, "readOnly");
        json_end(j);
        json_member_text(j, "kind", "virtual");
        json_end(j);
    }
    json_end(j);
}

/* ---- evaluate ---- */

bool dap_evaluate(struct dap *d, const cJSON *arguments)
{
    const char *text = dap_text(arguments, "expression");
    struct dap_frame f = { nav_thread(d->nav), 0 };
    struct arena arena = { 0 };
    struct expression_value v;
    struct error err = { 0 };
    int64_t frame = dap_number(arguments, "frameId", 0);
    if (text == NULL)
        return dap_fail(d, "evaluate wants an expression");
    if (frame != 0 && !dap_frame_get(d, frame, &f))
        return dap_fail(d, "frameId: there is no such frame");
    enum status st = nav_evaluate(d->nav, f.thread, f.frame, text, &arena, &v, &err);
    if (st == OK)
        dap_value_members(d, "result", &v);
    else
        (void)dap_fail(d, "%s", err.text);
    arena_done(&arena);
    return st == OK;
}

static bool refuse(struct dap *d)
{
    return dap_fail(d, "a recording cannot be changed: it shows what the program did");
}

bool dap_setVariable(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return refuse(d);
}

bool dap_setExpression(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return refuse(d);
}

static void expand_part(struct dap *d, const char *text, uint32_t thread, struct writer *out)
{
    struct arena arena = { 0 };
    struct expression_value v;
    struct error err = { 0 };
    const char *value =
        nav_evaluate(d->nav, thread, 0, text, &arena, &v, &err) == OK ? dap_value_text(d, &v) : err.text;
    write_bytes(out, value, strlen(value));
    arena_done(&arena);
}

/* A message that cannot be read is written as it is, with the reason behind it. */
void dap_expand(struct dap *d, const char *message, uint32_t thread, struct writer *out)
{
    struct template t;
    struct error err = { 0 };
    if (template_parse(message, &t, &err) != OK) {
        write_bytes(out, message, strlen(message));
        write_bytes(out, " (", 2);
        write_bytes(out, err.text, strlen(err.text));
        write_bytes(out, ")", 1);
    } else {
        for (size_t i = 0; i < t.parts.count; i++)
            if (t.parts.items[i].tree != NULL)
                expand_part(d, t.parts.items[i].text, thread, out);
            else
                write_bytes(out, t.parts.items[i].text, t.parts.items[i].size);
    }
    template_done(&t);
}

/* ---- completions ---- */

static void offer(struct dap *d, const char *name, const char *prefix, const char *type)
{
    struct json *j = &d->json;
    if (name == NULL || strncmp(name, prefix, strlen(prefix)) != 0)
        return;
    json_object(j);
    json_member_text(j, "label", name);
    json_member_text(j, "type", type);
    json_end(j);
}

static void offer_fields(struct dap *d, uint64_t object, const char *prefix)
{
    struct arena arena = { 0 };
    struct nav_object o;
    if (object - 1 < UINT32_MAX && nav_object(d->nav, (uint32_t)object, &arena, &o, NULL) == OK) {
        for (size_t i = 0; i < o.member_count; i++)
            offer(d, o.members[i].name, prefix, "field");
        if (o.has_length)
            offer(d, "length", prefix, "property");
    }
    arena_done(&arena);
}

static void offer_variables(struct dap *d, const struct dap_frame *f, const char *prefix)
{
    const struct hs_frame *const *frames;
    size_t count;
    if (nav_frames(d->nav, f->thread, &frames, &count, NULL) != OK || f->frame >= count)
        return;
    const struct hs_frame *frame = frames[f->frame];
    for (size_t i = 0; i < frame->local_count; i++)
        offer(d, frame->locals[i]->name, prefix, "variable");
    for (size_t i = 0; i < frame->parameter_count; i++) {
        bool again = false;
        for (size_t k = 0; k < frame->local_count; k++)
            again |= strcmp(frame->locals[k]->name, frame->parameters[i]->name) == 0;
        if (!again)
            offer(d, frame->parameters[i]->name, prefix, "variable");
    }
    if (frame->has_this) {
        offer(d, "this", prefix, "keyword");
        offer_fields(d, frame->self, prefix);
    }
}

/* The name that ends at the column, and what stands before its last dot. */
bool dap_completions(struct dap *d, const cJSON *arguments)
{
    const char *text = dap_text(arguments, "text");
    int64_t column = dap_number(arguments, "column", 0) - !d->columns_from_0;
    struct dap_frame f = { nav_thread(d->nav), 0 };
    struct arena arena = { 0 };
    struct expression_value v = { 0 };
    int64_t frame = dap_number(arguments, "frameId", 0);
    if (text == NULL || column < 0)
        return dap_fail(d, "completions wants a text and a column");
    if (frame != 0 && !dap_frame_get(d, frame, &f))
        return dap_fail(d, "frameId: there is no such frame");
    size_t end = (size_t)column < strlen(text) ? (size_t)column : strlen(text), begin = end, from;
    while (begin > 0 && (isalnum((unsigned char)text[begin - 1]) || strchr("_$", text[begin - 1]) != NULL))
        begin--;
    from = begin > 0 ? begin - 1 : 0;
    while (from > 0 && (isalnum((unsigned char)text[from - 1]) || strchr("_$.[]#", text[from - 1]) != NULL))
        from--;
    char *prefix = strndup(text + begin, end - begin);
    char *object = begin > from + 1 && text[begin - 1] == '.' ? strndup(text + from, begin - 1 - from) : NULL;
    json_name(&d->json, "targets");
    json_array(&d->json);
    if (prefix != NULL && object == NULL)
        offer_variables(d, &f, prefix);
    if (prefix != NULL && object != NULL && nav_evaluate(d->nav, f.thread, f.frame, object, &arena, &v, NULL) == OK &&
        v.known && v.kind == 'L')
        offer_fields(d, v.bits, prefix);
    json_end(&d->json);
    arena_done(&arena);
    free(prefix);
    free(object);
    return true;
}
