/* show_contents.c - see show_contents.h. */
#include "reader/cli/show_contents.h"

static const char *const names[] = {
    [HS_CONTENTS_LIST] = "list", [HS_CONTENTS_QUEUE] = "queue", [HS_CONTENTS_SET] = "set",
    [HS_CONTENTS_MAP] = "map",   [HS_CONTENTS_TEXT] = "text",   [HS_CONTENTS_VALUE] = "value",
};

const char *contents_shape_name(const struct hs_contents *c) { return names[c->shape]; }

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
    json_member_text(j, "kind", contents_shape_name(c));
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
    if (number == NULL)
        return;
    out_text(s->out, " = ");
    show_value_text(s, number->kind, number->bits);
}

void show_contents_unknown(struct show *s, const struct hs_contents *c)
{
    if (c->why == NULL) {
        out_text(s->out, "not recorded: how it was made and filled is not seen");
        return;
    }
    out_format(s->out, "not known since %llu: ", (unsigned long long)c->since);
    out_name(s->out, c->why);
}

void show_contents_text(struct show *s, const struct contents_page *page)
{
    const struct hs_contents *c = page->contents;
    struct out *o = s->out;
    out_text(o, "contents ");
    if (!c->known)
        show_contents_unknown(s, c);
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
