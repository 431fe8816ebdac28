/* show_places.c - where something stands: methods, lines with their source, frames of stacks; see show.h. */
#include "reader/command/show.h"

#include <errno.h>
#include <string.h>

#include "formats/jvm/classfile.h"

const char *show_text_attr(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type == HS_ATTR_TEXT && strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->text;
    return NULL;
}

void show_method_members(struct out *o, const char *class_name, const char *method, const char *desc)
{
    out_member_name(o, "class", class_name);
    out_member_name(o, "method", method);
    out_member_name(o, "desc", desc);
    out_member_cut(o);
}

/* (String, Map) of (java.lang.String, java.util.Map) */
static void drop_packages(struct writer *w)
{
    size_t to = 0, word = 0;
    for (size_t i = 0; i < w->size; i++) {
        w->data[to++] = w->data[i];
        if (w->data[i] == '.')
            to = word;
        else if (strchr("(), ", w->data[i]) != NULL)
            word = to;
    }
    w->size = to;
}

void show_signature_text(struct out *o, const char *method, const char *desc)
{
    struct writer w = { 0 };
    out_name(o, method);
    bool read = descriptor_to_parameters(desc, strlen(desc), &w);
    if (out_narrow(o))
        drop_packages(&w);
    write_u1(&w, '\0');
    if (w.bad)
        o->failed = ENOMEM;
    out_name(o, read && !w.bad ? (const char *)w.data : desc);
    writer_free(&w);
}

void show_method_text(struct out *o, const char *class_name, const char *method, const char *desc, const char *end)
{
    out_class(o, class_name);
    out_char(o, '.');
    show_signature_text(o, method, desc);
    out_bytes(o, end, strlen(end)); /* of the caller's own, with its newline */
}

void show_place_text(struct show *s, const struct hs_dataid *d) { show_spot_text(s, d, SPOT_OF(d)); }

void show_spot_text(struct show *s, const struct hs_dataid *d, struct spot spot)
{
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    out_class(s->out, c != NULL ? c->name : "?");
    out_char(s->out, '.');
    out_name(s->out, m != NULL ? m->name : "?");
    out_spot(s->out, c, spot);
}

static const char *source_line(const struct show *s, uint32_t class_no, struct spot spot)
{
    const struct out *o = s->out;
    return o->source_line != NULL ? o->source_line(o->sources, hs_class_get(s->trace, class_no), spot) : NULL;
}

void show_source_text(struct show *s, uint32_t class_no, struct spot spot)
{
    const char *text = source_line(s, class_no, spot);
    if (text == NULL)
        return;
    out_colour(s->out, COLOUR_DIM);
    out_format(s->out, "  | %s", text);
    out_colour(s->out, COLOUR_NONE);
}

void show_source_member(struct show *s, uint32_t class_no, struct spot spot)
{
    const char *text = source_line(s, class_no, spot);
    if (text != NULL)
        json_member_text(&s->out->json, "source", text);
}

void show_spot_members(struct show *s, const struct hs_dataid *d, struct spot spot, bool source)
{
    if (d != NULL)
        show_method_spot_members(s, d->method_id, spot, source);
}

void show_method_spot_members(struct show *s, uint32_t method_id, struct spot spot, bool source)
{
    const struct hs_method *m = hs_method_get(s->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    out_member_name(s->out, "class", c->name);
    out_member_name(s->out, "method", m->name);
    out_member_spot(s->out, spot);
    if (source)
        show_source_member(s, c->class_no, spot);
    out_member_cut(s->out);
}

void show_frame_members(struct json *j, const struct hs_frame *f)
{
    if (!f->nowhere && !f->unsure)
        json_member_u64(j, "pc", f->pc);
    if (f->left_out > 0)
        json_member_u64(j, "left_out", f->left_out);
    if (f->entered != HS_NO_SEQ)
        json_member_u64(j, "entered", f->entered);
}

void show_stack_members(struct out *o, const struct hs_stack_frame *f)
{
    out_member_name(o, "class", f->class_name);
    out_member_name(o, "method", f->method);
    if (f->file[0] != '\0')
        out_member_name(o, "file", f->file);
    if (f->line >= 0)
        json_member_i64(&o->json, "line", f->line);
    if (f->native)
        json_member_bool(&o->json, "native", true);
    out_member_cut(o);
}

void show_frames_json(struct show *s, const char *name, const struct hs_thrown *t)
{
    struct json *j = &s->out->json;
    json_name(j, name);
    json_array(j);
    for (size_t i = 0; i < t->frame_count; i++) {
        json_object(j);
        show_stack_members(s->out, t->frames[i]);
        json_end(j);
    }
    json_end(j);
}
