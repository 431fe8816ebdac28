/* dap_lines.c - the request `lines`: each time that a call came to a line, and the values that it saw there.
 *
 * A visit of a line begins where the line changes, or where code goes back within it (a loop that is written on one
 * line). LINE_NUMBER events are not needed. */
#include <string.h>

#include "reader/serve/dap.h"

enum { EVENTS_DEFAULT = 500, EVENTS_MAX = 10000 };

/* What an event says of its line: the value of a variable or field, which its data ID names, or `what` of the
 * method. */
static const struct {
    unsigned event;
    const char *what, *prefix;
} said[] = {
    { HS_EVENT_METHOD_PARAM, NULL, "" },
    { HS_EVENT_LOCAL_LOAD, NULL, "" },
    { HS_EVENT_LOCAL_STORE, NULL, "" },
    { HS_EVENT_LOCAL_INCREMENT, NULL, "" },
    { HS_EVENT_GET_INSTANCE_FIELD_RESULT, NULL, "." },
    { HS_EVENT_PUT_INSTANCE_FIELD_VALUE, NULL, "." },
    { HS_EVENT_GET_STATIC_FIELD, NULL, "" },
    { HS_EVENT_PUT_STATIC_FIELD, NULL, "" },
    { HS_EVENT_METHOD_NORMAL_EXIT, "return", "" },
    { HS_EVENT_METHOD_THROW, "throw", "" },
    { HS_EVENT_CATCH, "catch", "" },
};

struct seen {
    const char *prefix, *name;
    struct expression_value value;
};

struct visits {
    struct dap *dap;
    const char *file; /* of the frame: lines of others, of code that is inlined, are left out */
    bool open;
    int32_t line;
    uint32_t pc;             /* of its latest event */
    VEC(struct seen) values; /* the latest of each name, in the order in which they came up */
    bool no_memory;
};

static void end_visit(struct visits *v)
{
    struct dap *d = v->dap;
    struct json *j = &d->json;
    if (!v->open)
        return;
    json_name(j, "values");
    json_array(j);
    for (size_t i = 0; i < v->values.count; i++) {
        const struct seen *s = &v->values.items[i];
        json_object(j);
        d->text.used = 0;
        out_text(&d->text, s->prefix);
        out_name(&d->text, s->name);
        out_char(&d->text, '\0');
        json_member_text(j, "name", d->text.data);
        json_member_text(j, "value", dap_value_text(d, &s->value));
        json_member_u64(j, "seq", s->value.seq);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    v->open = false;
}

static void begin_visit(struct visits *v, int32_t line, uint64_t seq)
{
    struct json *j = &v->dap->json;
    json_object(j);
    json_member_i64(j, "line", line - v->dap->lines_from_0);
    json_member_u64(j, "seq", seq);
    v->open = true;
    v->line = line;
    v->values.count = 0;
}

static void add_value(struct visits *v, const char *prefix, const char *name, const struct hs_event *e)
{
    size_t i = 0;
    const struct seen *s = v->values.items;
    while (i < v->values.count && (strcmp(s[i].name, name) != 0 || strcmp(s[i].prefix, prefix) != 0))
        i++;
    struct seen *to = i < v->values.count ? &v->values.items[i] : vec_push(&v->values);
    const struct expression_value value = { .known = true, .kind = e->kind, .bits = e->value, .seq = e->seq };
    if (to != NULL)
        *to = (struct seen){ prefix, name, value };
    v->no_memory |= to == NULL;
}

static bool add_event(void *context, const struct hs_event *e)
{
    struct visits *v = context;
    const struct hs_dataid *d = hs_dataid_get(v->dap->trace, e->dataid);
    if (d == NULL || d->line < 0 || d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT) /* which has no place of its own */
        return true;
    if (!spot_equal((struct spot){ v->file, d->line }, SPOT_OF(d)))
        return true;
    if (!v->open || d->line != v->line || d->pc < v->pc) {
        end_visit(v);
        begin_visit(v, d->line, e->seq);
    }
    v->pc = d->pc;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *name = said[i].what != NULL ? said[i].what : show_text_attr(d, "name");
        if (said[i].event == d->event && name != NULL && show_has_value(&v->dap->show, e))
            add_value(v, said[i].prefix, name, e);
    }
    return true;
}

/* The visits of the lines of a frame, in their order: of its last `limit` events up to the moment, and of as many that
 * follow. */
bool dap_lines(struct dap *d, const cJSON *arguments)
{
    struct visits visits = { .dap = d };
    struct dap_frame f;
    struct error err = { 0 };
    int64_t limit = dap_number(arguments, "limit", EVENTS_DEFAULT);
    if (!dap_frame_get(d, dap_number(arguments, "frameId", 0), &f))
        return dap_fail(d, "frameId: there is no such frame");
    const struct hs_frame *frame = dap_frame_at(d, &f);
    visits.file = frame != NULL ? frame->file : NULL;
    size_t most = limit < 1 ? 1 : limit > EVENTS_MAX ? EVENTS_MAX : (size_t)limit;
    json_name(&d->json, "visits");
    json_array(&d->json);
    nav_set_poll(d->nav, dap_poll, d);
    enum status st = nav_frame_events(d->nav, f.thread, f.frame, most, add_event, &visits, &err);
    nav_set_poll(d->nav, NULL, NULL);
    if (st == OK || st == ERR_NOT_FOUND)
        end_visit(&visits);
    vec_free(&visits.values);
    if (st != OK && st != ERR_NOT_FOUND)
        return dap_fail(d, "%s", err.text);
    if (visits.no_memory)
        return dap_fail(d, "out of memory");
    json_end(&d->json);
    return true;
}
