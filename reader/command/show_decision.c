/* show_decision.c - see show_decision.h. */
#include <string.h>

#include "reader/command/show_decision.h"

/* Has the condition a value that it does not show itself? */
static bool has_news(const struct hs_decision *d)
{
    for (size_t i = 0; i < d->value_count; i++)
        if (!d->values[i]->known)
            return false;
    return !d->says_value;
}

static void value_text(struct show *s, const struct hs_decision *d, size_t i)
{
    s->at = d->seq;
    show_value_text(s, d->values[i]->kind, d->values[i]->value);
}

void show_decided_text(struct show *s, const char *begin, const struct hs_decision *d)
{
    if (!has_news(d))
        return;
    out_text(s->out, begin);
    value_text(s, d, 0);
    for (size_t i = 1; i < d->value_count; i++) {
        out_format(s->out, " %s ", d->relation);
        value_text(s, d, i);
    }
}

void show_decision_text(struct show *s, const struct hs_decision *d)
{
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    out_class(s->out, c != NULL ? c->name : "?");
    out_char(s->out, '.');
    out_name(s->out, m != NULL ? m->name : "?");
    out_spot(s->out, c, SPOT_OF(&d->place));
    out_text(s->out, ": ");
    out_name(s->out, d->condition);
    show_decided_text(s, d->relation != NULL ? ", since " : ", since it is ", d);
}

static void value_json(struct show *s, const struct hs_decided *v)
{
    struct json *j = &s->out->json;
    json_object(j);
    out_member_name(s->out, "text", v->text);
    if (v->known) {
        json_name(j, "value");
        show_value_json(s, v->kind, v->value);
    }
    if (v->seq != HS_NO_SEQ)
        json_member_u64(j, "seq", v->seq);
    out_member_cut(s->out);
    json_end(j);
}

void show_decision_member(struct show *s, const char *name, const struct hs_decision *d)
{
    struct json *j = &s->out->json;
    if (d == NULL)
        return;
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    json_name(j, name);
    json_object(j);
    json_member_u64(j, "seq", d->seq);
    out_member_name(s->out, "class", c != NULL ? c->name : "?");
    out_member_name(s->out, "method", m != NULL ? m->name : "?");
    out_member_spot(s->out, SPOT_OF(&d->place));
    json_member_u64(j, "pc", d->place.pc);
    out_member_name(s->out, "condition", d->condition);
    if (d->relation != NULL)
        json_member_text(j, "relation", d->relation);
    json_name(j, "values");
    json_array(j);
    for (size_t i = 0; i < d->value_count; i++)
        value_json(s, d->values[i]);
    json_end(j);
    out_member_cut(s->out);
    json_end(j);
}
