/* show_contents.c - see show_contents.h. */
#include "reader/command/show_contents.h"

static const char *const names[] = {
    [HS_CONTENTS_LIST] = "list", [HS_CONTENTS_QUEUE] = "queue", [HS_CONTENTS_SET] = "set",
    [HS_CONTENTS_MAP] = "map",   [HS_CONTENTS_TEXT] = "text",   [HS_CONTENTS_VALUE] = "value",
};

static uint64_t end_of(const struct contents_page *p)
{
    uint64_t count = p->contents->entry_count;
    return p->first >= count ? p->first : p->limit < count - p->first ? p->first + p->limit : count;
}

static void value_json(struct show *s, const char *name, const char *number_name, const struct hs_value *value,
                       const struct hs_value *number)
{
    if (value == NULL)
        return;
    json_name(&s->out->json, name);
    show_value_json(s, value->kind, value->bits);
    if (number == NULL)
        return;
    json_name(&s->out->json, number_name);
    show_value_json(s, number->kind, number->bits);
}

void show_contents_json(struct show *s, const struct contents_page *page)
{
    const struct hs_contents *c = page->contents;
    struct json *j = &s->out->json;
    json_name(j, "contents");
    json_object(j);
    json_member_text(j, "kind", names[c->shape]);
    json_member_bool(j, "known", c->known);
    if (c->since != HS_NO_SEQ)
        json_member_u64(j, "since", c->since);
    if (c->why != NULL)
        json_member_text(j, "why", c->why);
    if (c->shape == HS_CONTENTS_TEXT) {
        if (c->text != NULL) {
            json_member_text(j, "text", c->text);
            json_member_u64(j, "length", c->length);
        }
        json_end(j);
        return;
    }
    json_member_bool(j, "ordered", c->ordered);
    json_member_u64(j, "size", c->entry_count);
    json_name(j, "entries");
    json_array(j);
    for (uint64_t i = page->first, end = end_of(page); i < end; i++) {
        const struct hs_entry *e = c->entries[i];
        json_object(j);
        value_json(s, "key", "key_number", e->key, e->key_number);
        value_json(s, "value", "value_number", e->value, e->value_number);
        if (e->seq != HS_NO_SEQ)
            json_member_u64(j, "seq", e->seq);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void value_text(struct show *s, const struct hs_value *value, const struct hs_value *number)
{
    out_colour(s->out, COLOUR_VALUE);
    show_value_text(s, value->kind, value->bits);
    out_colour(s->out, COLOUR_NONE);
    if (number == NULL || hs_object_value_get(s->trace, (uint32_t)value->bits, HS_NO_SEQ) != NULL)
        return; /* it stands there already */
    out_text(s->out, " = ");
    show_value_text(s, number->kind, number->bits);
}

static void unknown(struct show *s, const struct hs_contents *c)
{
    if (c->why == NULL) {
        out_text(s->out, "not recorded: how it was made and filled is not seen");
        return;
    }
    if (c->since != HS_NO_SEQ)
        out_format(s->out, "not known since %llu: ", (unsigned long long)c->since);
    else
        out_text(s->out, "not known: ");
    out_name(s->out, c->why);
}

void show_contents_text(struct show *s, const struct contents_page *page)
{
    const struct hs_contents *c = page->contents;
    struct out *o = s->out;
    out_text(o, "contents ");
    if (!c->known)
        unknown(s, c);
    else if (c->shape == HS_CONTENTS_TEXT)
        out_quoted(o, c->text);
    else
        out_format(o, "%zu%s", c->entry_count, c->ordered ? "" : ", in the order in which they came");
    out_char(o, '\n');
    for (uint64_t i = page->first, end = end_of(page); i < end; i++) {
        const struct hs_entry *e = c->entries[i];
        out_format(o, "  %llu  ", (unsigned long long)i);
        if (e->key != NULL) {
            value_text(s, e->key, e->key_number);
            out_text(o, ": ");
        }
        value_text(s, e->value, e->value_number);
        out_colour(o, COLOUR_DIM);
        if (e->seq != HS_NO_SEQ)
            out_format(o, "  at %llu", (unsigned long long)e->seq);
        out_colour(o, COLOUR_NONE);
        out_char(o, '\n');
    }
}

void show_contents_value(struct show *s, const struct hs_value *value, const struct hs_value *number)
{
    const struct hs_object *o = value->kind == HS_KIND_REF && value->bits - 1 < UINT32_MAX
                                    ? hs_object_get(s->trace, (uint32_t)value->bits)
                                    : NULL;
    if (o != NULL && o->has_string)
        out_string_content(s->out, o);
    else
        show_value_text(s, (number != NULL ? number : value)->kind, (number != NULL ? number : value)->bits);
}

void show_contents_summary(struct show *s, const struct hs_contents *c)
{
    struct out *o = s->out;
    if (!c->known)
        unknown(s, c);
    else if (c->shape == HS_CONTENTS_TEXT)
        out_quoted(o, c->text);
    else if (c->shape != HS_CONTENTS_VALUE)
        out_format(o, "size = %zu", c->entry_count);
    else if (c->entry_count == 0)
        out_text(o, "empty");
    else
        show_value_text(s, c->entries[0]->value->kind, c->entries[0]->value->bits);
}

void show_contents_line(struct show *s, const struct hs_contents *c)
{
    enum { ENTRIES_MAX = 100 };
    struct out *o = s->out;
    if (!c->known || c->shape == HS_CONTENTS_VALUE || c->shape == HS_CONTENTS_TEXT) {
        if (c->known && c->shape == HS_CONTENTS_TEXT)
            out_name(o, c->text);
        else
            show_contents_summary(s, c);
        return;
    }
    out_char(o, c->shape == HS_CONTENTS_MAP ? '{' : '[');
    for (size_t i = 0; i < c->entry_count && i < ENTRIES_MAX; i++) {
        const struct hs_entry *e = c->entries[i];
        out_text(o, i > 0 ? ", " : "");
        if (e->key != NULL) {
            show_contents_value(s, e->key, e->key_number);
            out_char(o, '=');
        }
        show_contents_value(s, e->value, e->value_number);
    }
    if (c->entry_count > ENTRIES_MAX)
        out_format(o, ", ... %zu in all", c->entry_count);
    out_char(o, c->shape == HS_CONTENTS_MAP ? '}' : ']');
}
