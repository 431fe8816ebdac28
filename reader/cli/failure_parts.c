/* failure_parts.c - see failure_parts.h. */
#include "reader/cli/failure_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader/command/thrown.h"

enum { TEXT_ROOM = 2048 };

int failure_no_memory(struct hs_error *error)
{
    if (error == NULL)
        return -1;
    error->code = HS_ERR_MEMORY;
    (void)snprintf(error->text, sizeof error->text, "out of memory");
    return -1;
}

const char *failure_class(hs_trace *t, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    return c != NULL ? c->name : NULL;
}

const char *failure_own_class(hs_trace *t, uint32_t method_id)
{
    const char *name = failure_class(t, method_id);
    return name != NULL && !test_library(name) ? name : NULL;
}

struct spot failure_spot(hs_trace *t, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    if (d == NULL)
        return (struct spot){ NULL, -1 };
    return d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT || d->event == HS_EVENT_CATCH ? thrown_spot(t, e) : SPOT_OF(d);
}

int failure_refused(const struct hs_error *error)
{
    return error->code == HS_ERR_NOT_FOUND || error->code == HS_ERR_USAGE ? 0 : -1;
}

int failure_keep(struct failure *f, hs_cursor *cursor, struct hs_error *error)
{
    hs_cursor **to = vec_push(&f->cursors);
    if (to == NULL) {
        hs_cursor_close(cursor);
        return failure_no_memory(error);
    }
    *to = cursor;
    return 0;
}

char *failure_text(struct failure *f, const char *format, ...)
{
    char text[TEXT_ROOM];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const size_t size = strlen(text) + 1;
    char *copy = arena_chars(&f->arena, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

const struct hs_event *failure_before(hs_trace *t, const struct hs_event *e)
{
    const struct hs_event *before;
    return e->position > 0 && e->seq > 0 && hs_last_event(t, e->thread, e->seq - 1, &before, NULL) > 0 ? before : NULL;
}

uint32_t failure_read_object(hs_trace *t, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    const struct hs_event *before = e;
    const struct hs_event at = *e;
    if (d == NULL || (d->event != HS_EVENT_GET_INSTANCE_FIELD_RESULT && d->event != HS_EVENT_ARRAY_LOAD_RESULT))
        return 0;
    for (unsigned back = 0; back < 2 && (before = failure_before(t, back == 0 ? &at : before)) != NULL; back++) {
        const struct hs_dataid *b = hs_dataid_get(t, before->dataid);
        if (b == NULL || b->method_id != d->method_id || b->pc != d->pc)
            return 0;
        if (b->event == HS_EVENT_GET_INSTANCE_FIELD || b->event == HS_EVENT_ARRAY_LOAD)
            return before->value - 1 < UINT32_MAX ? (uint32_t)before->value : 0;
    }
    return 0;
}
