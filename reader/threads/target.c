/* target.c - see target.h. */
#include "reader/threads/target.h"

#include <stdlib.h>
#include <string.h>

#include "reader/code/code.h"

enum { ACCESS_PRIVATE = 0x0002 };

static const struct hs_method *declared_in(const struct hs_class *c, const char *name, const char *desc)
{
    for (uint32_t i = 0; c != NULL && i < c->method_count; i++)
        if (strcmp(c->methods[i]->name, name) == 0 && strcmp(c->methods[i]->desc, desc) == 0)
            return c->methods[i];
    return NULL;
}

struct call_target call_target_in(hs_trace *t, const char *class_name, uint64_t loader, const char *name,
                                  const char *desc)
{
    struct call_target to = { .loader = loader };
    for (int i = 0; i < HS_SUPERCLASSES_MAX && class_name != NULL; i++) {
        const struct hs_class *c = hs_class_find(t, class_name, loader);
        to.method = declared_in(c, name, desc);
        to.outside = c == NULL ? class_name : NULL;
        if (to.method != NULL || to.outside != NULL)
            break;
        class_name = c->super[0] != '\0' ? c->super : NULL;
    }
    return to;
}

struct call_target call_target(hs_trace *t, const struct hs_dataid *call, const struct hs_type *receiver)
{
    const char *owner = attribute_text(call, "owner"), *name = attribute_text(call, "name"),
               *desc = attribute_text(call, "desc"), *opcode = attribute_text(call, "opcode");
    const struct hs_class *caller = hs_class_get(t, call->class_no);
    if (owner == NULL || name == NULL || desc == NULL)
        return (struct call_target){ 0 };
    const uint64_t loader = caller != NULL ? caller->loader_id : 0;
    const struct hs_method *own = declared_in(hs_class_find(t, owner, loader), name, desc);
    if (own != NULL && (own->access & ACCESS_PRIVATE) != 0) /* no class overrides it */
        return (struct call_target){ .method = own, .loader = loader };
    if (receiver == NULL || (opcode != NULL && strcmp(opcode, "INVOKESPECIAL") == 0))
        return call_target_in(t, owner, loader, name, desc);
    return call_target_in(t, receiver->name, receiver->loader, name, desc);
}

const struct hs_type *target_type(hs_trace *t, uint64_t object)
{
    const struct hs_object *o = object != 0 && object <= UINT32_MAX ? hs_object_get(t, (uint32_t)object) : NULL;
    return o != NULL ? hs_type_get(t, o->class_id) : NULL;
}

/* ---- method references ---- */

static uint64_t reference(const struct hs_event *e) { return e->kind == HS_KIND_REF ? e->value : 0; }

/* The latest argument `index` that the thread of `upto` gave to the instruction of `site`: 1, 0 there is none, -1. */
static int find_argument(hs_trace *t, const struct hs_event *upto, const struct hs_dataid *site, unsigned event,
                         int64_t index, struct hs_event *out, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    filter.events = &event;
    filter.event_count = 1;
    filter.threads = &upto->thread;
    filter.thread_count = 1;
    filter.to = upto->seq;
    if (hs_events_open(t, &filter, &events, error) != 0)
        return -1;
    int more = hs_cursor_seek(events, HS_NO_SEQ, error) == 0 ? 1 : -1;
    while (more > 0 && (more = hs_event_previous(events, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d == NULL || d->method_id != site->method_id || d->pc != site->pc ||
            attribute_number(d, "index", -1) != index)
            continue;
        *out = *e;
        break;
    }
    hs_cursor_close(events);
    return more;
}

/* The event that made a lambda or a method reference: 1, 0 there is none, -1. */
static int find_made(hs_trace *t, uint64_t object, struct hs_event *out, struct hs_error *error)
{
    static const unsigned made = HS_EVENT_INVOKE_DYNAMIC_RESULT;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    if (object == 0 || object > UINT32_MAX)
        return 0;
    filter.events = &made;
    filter.event_count = 1;
    filter.object = (uint32_t)object;
    if (hs_events_open(t, &filter, &events, error) != 0)
        return -1;
    int more = hs_event_next(events, &e, error);
    if (more > 0)
        *out = *e;
    hs_cursor_close(events);
    return more;
}

/* The method that a call site of LambdaMetafactory refers to. */
static bool referred(hs_trace *t, const struct hs_dataid *site, const struct hs_type *receiver, struct call_target *out)
{
    const char *owner = attribute_text(site, "implementation_owner"),
               *name = attribute_text(site, "implementation_name"), *desc = attribute_text(site, "implementation_desc");
    const struct hs_class *in = hs_class_get(t, site->class_no);
    if (owner == NULL || name == NULL || desc == NULL || in == NULL)
        return false;
    if (receiver != NULL) {
        *out = call_target_in(t, receiver->name, receiver->loader, name, desc);
        return true;
    }
    char *dotted = strdup(owner);
    if (dotted == NULL)
        return false;
    for (char *c = dotted; *c != '\0'; c++)
        *c = *c == '/' ? '.' : *c;
    *out = call_target_in(t, dotted, in->loader_id, name, desc);
    free(dotted);
    return true;
}

int call_target_referred(hs_trace *t, const struct hs_event *call, const struct hs_event *last, struct call_target *out,
                         uint64_t *receiver, struct hs_error *error)
{
    const struct hs_dataid *call_site = hs_dataid_get(t, call->dataid);
    struct hs_event made, first;
    int more = find_made(t, reference(call), &made, error);
    const struct hs_dataid *site = more > 0 ? hs_dataid_get(t, made.dataid) : NULL;
    const char *type = site != NULL ? attribute_text(site, "implementation_type") : NULL,
               *desc = site != NULL ? attribute_text(site, "desc") : NULL;
    if (more <= 0 || type == NULL || desc == NULL || call_site == NULL)
        return more < 0 ? -1 : 0;
    *receiver = 0;
    if (strcmp(type, "instance") == 0) { /* object::method has captured the object; Class::method is given it */
        more = strncmp(desc, "()", 2) != 0
                   ? find_argument(t, &made, site, HS_EVENT_INVOKE_DYNAMIC_PARAM, 0, &first, error)
                   : find_argument(t, last, call_site, HS_EVENT_CALL_PARAM, 1, &first, error);
        if (more <= 0)
            return more;
        *receiver = reference(&first);
    }
    return referred(t, site, target_type(t, *receiver), out);
}

/* ---- classes ---- */

bool hs_class_extends(hs_trace *t, const char *name, uint64_t loader, const char *above, bool *unknown)
{
    bool ignored, *missing = unknown != NULL ? unknown : &ignored;
    *missing = false;
    for (int i = 0; i < HS_SUPERCLASSES_MAX && name != NULL; i++) {
        if (strcmp(name, above) == 0)
            return true;
        if (strcmp(name, "java.lang.Object") == 0)
            return false;
        name = hs_class_super(t, name, loader);
    }
    *missing = true;
    return false;
}

bool target_is_thread(hs_trace *t, const struct hs_dataid *call, const struct hs_type *receiver, bool *unknown)
{
    static const char thread[] = "java.lang.Thread";
    const struct hs_class *caller = hs_class_get(t, call->class_no);
    *unknown = false;
    return (receiver != NULL && hs_class_extends(t, receiver->name, receiver->loader, thread, unknown)) ||
           hs_class_extends(t, attribute_text(call, "owner"), caller != NULL ? caller->loader_id : 0, thread, NULL);
}
