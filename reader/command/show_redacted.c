/* show_redacted.c - numbers that redact= left out; see show.h. Their events have no kind: they are known by their
 * place, where a number would be. */
#include <string.h>

#include "formats/event.h"
#include "formats/jvm/primitive.h"
#include "reader/command/show.h"

/* By the type of the place. */
static bool has_number(const struct hs_dataid *d)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type == HS_ATTR_TEXT && strcmp(d->attrs[i]->name, "type") == 0)
            return primitive_letter(d->attrs[i]->text) != HS_KIND_REF;
    return false;
}

static bool returns_number(hs_trace *t, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const char *end = m != NULL ? strrchr(m->desc, ')') : NULL;
    return end != NULL && primitive_of_letter(end[1]) != NULL;
}

static bool is_redacted(const struct show *s, const struct hs_dataid *d)
{
    switch (d->event) {
    case HS_EVENT_METHOD_NORMAL_EXIT: return returns_number(s->trace, d->method_id);
    case HS_EVENT_CALL_PARAM:
    case HS_EVENT_CALL_RETURN:
    case HS_EVENT_INVOKE_DYNAMIC_PARAM:
    case HS_EVENT_INVOKE_DYNAMIC_RESULT: return has_number(d);
    case HS_EVENT_ARRAY_LOAD_RESULT:
    case HS_EVENT_ARRAY_STORE_VALUE: return true;
    default: return event_has(d->event, USE_NAMED) && has_number(d);
    }
}

bool show_has_value(struct show *s, const struct hs_event *e)
{
    if (e->kind != HS_KIND_VOID)
        return true;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    return d != NULL && d->kind == HS_KIND_VOID && is_redacted(s, d);
}

bool show_result_redacted(struct show *s, const struct hs_call *c)
{
    const struct hs_dataid *d = hs_dataid_get(s->trace, c->dataid);
    return c->result == NULL && c->left && !c->threw && c->left_out == 0 &&
           hs_info(s->trace, "redacted_places") != NULL && d != NULL && returns_number(s->trace, d->method_id);
}
