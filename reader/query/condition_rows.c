/* condition_rows.c - what the names of a condition stand for in events, calls and objects; see condition.h. */
#include "reader/query/condition.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "reader/code/code.h"
#include "reader/query/state.h"

struct condition_name *condition_name(struct condition *c, const char *name)
{
    for (size_t i = 0; i < c->names.count; i++)
        if (c->names.items[i].row.name == name)
            return &c->names.items[i];
    return NULL;
}

/* ---- values ---- */

static struct expression_value absent(void) { return expression_unknown; }
static struct expression_value text_value(const char *text)
{
    struct expression_value v = expression_number(EXPRESSION_TEXT, 0);
    v.text = text;
    v.known = text != NULL;
    return v;
}
static struct expression_value class_value(const char *name)
{
    struct expression_value v = text_value(name);
    v.is_class = true;
    return v;
}
static struct expression_value number(uint64_t n) { return expression_number('J', n); }
/* Absent is also what redact= left out. */
static struct expression_value value_at(char kind, uint64_t bits, uint64_t at)
{
    struct expression_value v = expression_number(kind, bits);
    v.moment = at;
    return kind != 0 && kind != HS_KIND_VOID ? v : absent();
}
static struct expression_value value_of(const struct hs_value *v, uint64_t at)
{
    return v != NULL ? value_at(v->kind, v->bits, at) : absent();
}

static struct expression_value thread_value(hs_trace *t, uint32_t thread)
{
    const struct hs_thread *row = hs_thread_get(t, thread);
    struct expression_value v = number(thread);
    v.text = row != NULL && row->known ? row->name : NULL;
    return v;
}

/* The number of an argument: arg0 is the first. */
static bool argument_number(const char *name, uint64_t *out)
{
    if (strncmp(name, "arg", 3) != 0 || name[3] == '\0' || strspn(name + 3, "0123456789") != strlen(name + 3) ||
        strlen(name + 3) > 9)
        return false;
    *out = strtoull(name + 3, NULL, 10);
    return true;
}

/* The names that every place in the code has. */
static bool place_value(hs_trace *t, const struct hs_dataid *d, const char *name, struct expression_value *out)
{
    const struct hs_method *m = hs_method_get(t, d->method_id);
    const struct hs_class *c = hs_class_get(t, d->class_no);
    if (strcmp(name, "class") == 0)
        *out = c != NULL ? class_value(c->name) : absent();
    else if (strcmp(name, "method") == 0)
        *out = m != NULL ? text_value(m->name) : absent();
    else if (strcmp(name, "line") == 0)
        *out = d->line >= 0 ? number((uint64_t)d->line) : absent();
    else if (strcmp(name, "pc") == 0)
        *out = number(d->pc);
    else
        return false;
    return true;
}

/* Is `typed` the name, a class of the owner, a dot and the name, or one of these and ":type"? `type` NULL: it is not
 * known, only the kind of the value. */
static bool is_member(const char *typed, const char *owner, const char *name, const char *type, char kind)
{
    const size_t size = strcspn(typed, ":"), length = strlen(name);
    if (size < length || strncmp(typed + size - length, name, length) != 0)
        return false;
    if (typed[size] == ':') {
        const char *wanted = typed + size + 1;
        if (type != NULL ? strcmp(wanted, type) != 0 : expression_kind_of(wanted) != kind)
            return false;
    }
    if (size == length)
        return true;
    if (typed[size - length - 1] != '.' || owner == NULL)
        return false;
    char *class = strndup(typed, size - length - 1);
    bool same = class != NULL && hs_class_matches(class, owner);
    free(class);
    return same;
}

/* ---- events ---- */

static bool is_result(unsigned event)
{
    return event == HS_EVENT_METHOD_NORMAL_EXIT || event == HS_EVENT_CALL_RETURN ||
           event == HS_EVENT_INVOKE_DYNAMIC_RESULT;
}

static int64_t number_attr(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type == HS_ATTR_INT && strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->number;
    return -1;
}

enum { ACCESS_STATIC = 0x0008 };

/* The position of a parameter or argument, from 0 on: the attribute `index` counts the receiver, where there is one. */
static int64_t argument_position(hs_trace *t, const struct hs_dataid *d)
{
    const struct hs_dataid *call = d;
    const struct hs_method *m = hs_method_get(t, d->method_id);
    if (d->event == HS_EVENT_METHOD_PARAM)
        return number_attr(d, "index") - (m != NULL && (m->access & ACCESS_STATIC) == 0);
    while (call != NULL && call->event == HS_EVENT_CALL_PARAM && call->dataid > 0)
        call = hs_dataid_get(t, call->dataid - 1);
    const char *type = call != NULL && call->event == HS_EVENT_CALL ? attribute_text(call, "methodtype") : NULL;
    return number_attr(d, "index") - (type != NULL && strcmp(type, "static") != 0);
}

struct expression_value row_event(struct row *w, const char *name)
{
    const struct hs_event *e = w->event;
    hs_trace *t = w->objects.trace;
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    const struct expression_value its = value_at(e->kind, e->value, e->seq);
    struct expression_value out;
    uint64_t argument;
    if (strcmp(name, "seq") == 0)
        return number(e->seq);
    if (strcmp(name, "thread") == 0)
        return thread_value(t, e->thread);
    if (strcmp(name, "value") == 0)
        return its;
    if (d == NULL)
        return absent();
    if (strcmp(name, "event") == 0)
        return text_value(hs_event_name(d->event));
    if (strcmp(name, "result") == 0 && is_result(d->event))
        return its;
    if (argument_number(name, &argument) && (d->event == HS_EVENT_METHOD_PARAM || d->event == HS_EVENT_CALL_PARAM))
        return argument_position(t, d) == (int64_t)argument ? its : absent();
    if (event_has(d->event, USE_NAMED)) {
        const char *variable = attribute_text(d, "name");
        if (variable != NULL &&
            is_member(name, attribute_text(d, "owner"), variable, attribute_text(d, "type"), e->kind))
            return its;
    }
    return place_value(t, d, name, &out) ? out : absent();
}

bool row_is_place(const struct hs_dataid *d, const char *name)
{
    static const char *const words[] = { "event", "class", "method", "line", "pc" };
    const char *variable = event_has(d->event, USE_NAMED) ? attribute_text(d, "name") : NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return i == 0 || variable == NULL || strcmp(variable, name) != 0;
    return false;
}

bool hs_event_may_have(hs_trace *trace, uint32_t dataid, const char *name)
{
    const struct hs_event event = { .dataid = dataid, .kind = HS_KIND_LONG };
    struct row w = { .objects = { .trace = trace }, .event = &event };
    return row_event(&w, name).known;
}

/* ---- calls ---- */

/* The argument of a parameter's name: the METHOD_PARAMs follow the METHOD_ENTRY. */
static struct expression_value parameter(const struct row *w, const struct hs_dataid *entry, const char *name)
{
    for (uint32_t i = 0; i < w->call->argument_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(w->objects.trace, entry->dataid + 1 + i);
        if (d == NULL || d->event != HS_EVENT_METHOD_PARAM || d->method_id != entry->method_id)
            break;
        const char *own = attribute_text(d, "name");
        if (own != NULL && strcmp(own, name) == 0)
            return value_of(w->call->arguments[i], w->call->seq);
    }
    return absent();
}

struct expression_value row_call(struct row *w, const char *name)
{
    const struct hs_call *c = w->call;
    hs_trace *t = w->objects.trace;
    const struct hs_dataid *d = hs_dataid_get(t, c->dataid);
    struct expression_value out;
    uint64_t argument;
    if (d != NULL) {
        out = parameter(w, d, name);
        if (out.known)
            return out;
    }
    if (strcmp(name, "seq") == 0)
        return number(c->seq);
    if (strcmp(name, "thread") == 0)
        return thread_value(t, w->thread);
    if (strcmp(name, "depth") == 0)
        return number(c->depth);
    if (strcmp(name, "calls") == 0 && c->calls != HS_NO_SEQ)
        return number(c->calls);
    if (strcmp(name, "this") == 0)
        return value_of(c->receiver, c->seq);
    if (strcmp(name, "result") == 0)
        return value_of(c->result, c->seq);
    if (strcmp(name, "exception") == 0 && c->threw) {
        const struct hs_object *o = c->exception <= UINT32_MAX ? hs_object_get(t, (uint32_t)c->exception) : NULL;
        out = expression_number(HS_KIND_REF, c->exception);
        out.text = o != NULL ? o->type : NULL;
        out.is_class = true;
        return out;
    }
    if (argument_number(name, &argument))
        return argument < c->argument_count ? value_of(c->arguments[argument], c->seq) : absent();
    return d != NULL && place_value(t, d, name, &out) ? out : absent();
}

/* ---- overflows ---- */

struct expression_value row_overflow(struct row *w, const char *name)
{
    const struct hs_overflow *o = w->overflow;
    const struct hs_dataid *d = hs_dataid_get(w->objects.trace, o->dataid);
    struct expression_value out;
    if (strcmp(name, "seq") == 0)
        return number(o->seq);
    if (strcmp(name, "count") == 0)
        return number(o->count);
    if (strcmp(name, "thread") == 0)
        return thread_value(w->objects.trace, o->thread);
    if (strcmp(name, "line") == 0)
        return o->line >= 0 ? number((uint64_t)o->line) : absent();
    if (strcmp(name, "pc") == 0)
        return number(o->pc);
    if (strcmp(name, "op") == 0)
        return text_value(o->op);
    if (strcmp(name, "loss") == 0)
        return text_value(hs_loss_name(o->loss));
    if (strcmp(name, "bits") == 0)
        return o->loss == HS_LOSS_BITS ? number(o->bits) : absent();
    if (strcmp(name, "left") == 0)
        return value_of(&o->left, o->seq);
    if (strcmp(name, "right") == 0)
        return value_of(&o->right, o->seq);
    if (strcmp(name, "result") == 0)
        return value_of(&o->result, o->seq);
    return d != NULL && place_value(w->objects.trace, d, name, &out) ? out : absent();
}

/* ---- objects ---- */

/* Does the name alone, in the class of the object, stand for this field? */
static bool is_resolved(struct row *w, const char *declaring, const char *name)
{
    const struct hs_object *o = hs_object_get(w->objects.trace, w->id);
    const struct hs_type *type = o != NULL ? hs_type_get(w->objects.trace, o->class_id) : NULL;
    struct field f;
    return type != NULL && field_find(w->objects.trace, type->name, name, NULL, type->loader, &f) &&
           strcmp(f.declaring, declaring) == 0 && !field_overloaded(w->objects.trace, f);
}

/* Of fields of one name that of the object's own class counts, else that of the first; those of several types in one
 * class all count. Sets `old` if the value may have changed since. */
static struct expression_value member_value(struct row *w, const char *type, const char *name)
{
    enum { SAME_NAME = sizeof w->same_name / sizeof *w->same_name };
    const struct hs_object_state *state = w->state;
    struct expression_value found = absent();
    bool old = false, of_final = false, found_own = false;
    uint64_t oldest = HS_NO_SEQ;
    for (size_t i = 0; i < state->field_count; i++) { /* "a.b.Declaring.field", or with ":type" */
        const struct hs_member *m = state->fields[i];
        const size_t n = strcspn(m->name, ":");
        char *whole = strndup(m->name, n);
        char *dot = whole != NULL ? strrchr(whole, '.') : NULL;
        if (dot != NULL)
            *dot = '\0';
        const bool same = dot != NULL &&
                          is_member(name, whole, dot + 1, m->name[n] == ':' ? m->name + n + 1 : NULL, m->kind) &&
                          (!w->accessed_alone || is_resolved(w, whole, name));
        const bool own = same && type != NULL && strcmp(whole, type) == 0;
        free(whole);
        const struct expression_value its = value_at(m->kind, m->value, w->at);
        if (same && (!found.known || (own && !found_own))) {
            found = its;
            old = of_final = false;
            oldest = HS_NO_SEQ;
        } else if (same && m->name[n] == ':' && own == found_own && found.more_count < SAME_NAME) {
            w->same_name[found.more_count++] = its;
        } else {
            continue;
        }
        found_own = own;
        old |= m->stale || m->unrecorded;
        if (w->accessed_alone) {
            of_final |= sites_field(w->objects.trace, m->event->dataid).is_final;
            oldest = m->event->seq < oldest ? m->event->seq : oldest;
        }
    }
    found.more = found.more_count > 0 ? w->same_name : NULL;
    w->old |= old;
    w->of_final |= of_final;
    w->oldest = oldest < w->oldest ? oldest : w->oldest;
    return found;
}

/* The name alone, without class and type. To be freed. */
static char *field_name(const char *name)
{
    const size_t size = strcspn(name, ":");
    const char *dot = memrchr(name, '.', size);
    const size_t skip = dot != NULL ? (size_t)(dot - name) + 1 : 0;
    return strndup(name + skip, size - skip);
}

/* May the object have the field or element of that name? Yes if that is not known. */
static bool may_have(const struct row *w, const struct hs_object *o, const char *name)
{
    if (o == NULL || o->type == NULL || o->class_id == 0)
        return true;
    if (name[0] == '[' || strchr(o->type, '[') != NULL)
        return name[0] == '[' && strchr(o->type, '[') != NULL;
    const uint32_t class_id = o->class_id;
    struct condition_name *member = w->condition != NULL ? condition_name(w->condition, name) : NULL;
    struct member_type *type = member != NULL ? map_get(&member->types, class_id) : NULL;
    if (type != NULL)
        return type->may_have;
    char *field = field_name(name);
    const bool yes = field == NULL || hs_type_may_have(w->objects.trace, class_id, field);
    free(field);
    type = member != NULL ? map_put(&member->types, class_id) : NULL;
    if (type != NULL)
        type->may_have = yes;
    return yes;
}

/* Its fields and its length. */
static bool find_state(struct row *w)
{
    struct error err;
    if (w->state == NULL && !w->failed)
        w->failed = object_part_at(w->objects.trace, w->id, w->at, (struct part){ 0 }, &w->state, &err) != OK;
    return !w->failed;
}

/* Those of which an object was asked for, and that may have the field. */
static bool asked_classes(void *context, u32_vec *out)
{
    const struct condition_name *member = context;
    for (size_t i = 0; i < member->types.cap; i++) {
        const struct member_type *type = &member->types.slots[i];
        if (type->class_id == 0 || !type->may_have)
            continue;
        uint32_t *to = vec_push(out);
        if (to == NULL)
            return false;
        *to = (uint32_t)type->class_id;
    }
    return true;
}

static struct expression_value field(struct row *w, const char *type, const char *name)
{
    if (!w->accessed_alone)
        return find_state(w) ? member_value(w, type, name) : absent();
    char *alone = field_name(name);
    struct condition_name *member = alone != NULL && w->condition != NULL ? condition_name(w->condition, name) : NULL;
    const bool found = member != NULL
                           ? accessed_get(&member->accessed, w->objects.trace, w->id, alone, w->at, asked_classes,
                                          member, &w->state) == 0
                           : alone != NULL && object_accessed(w->objects.trace, w->id, alone, w->at, &w->state) == 0;
    free(alone);
    return found ? member_value(w, type, name) : absent();
}

/* [index] */
static struct expression_value element(struct row *w, const char *name)
{
    const struct hs_object_state *state;
    struct error err;
    char *end;
    const uint64_t index = strtoull(name + 1, &end, 10);
    w->state = NULL; /* there is one at a time */
    if (strcmp(end, "]") != 0 || w->failed ||
        (w->failed =
             object_part_at(w->objects.trace, w->id, w->at, (struct part){ index, 1, 0 }, &state, &err) != OK) ||
        state->element_count == 0 || state->elements[0]->index != index)
        return absent();
    w->old |= state->elements[0]->stale || state->elements[0]->unrecorded;
    return value_at(state->elements[0]->kind, state->elements[0]->value, w->at);
}

struct expression_value row_object(struct row *w, const char *name)
{
    const struct hs_object *o = hs_object_get(w->objects.trace, w->id);
    const char *type = o != NULL ? o->type : NULL;
    if (o != NULL && strcmp(name, "string") == 0 && o->has_string)
        return value_at(HS_KIND_REF, w->id, HS_NO_SEQ);
    if (o != NULL && strcmp(name, "length") == 0 && o->has_string)
        return number(o->length);
    const bool may = may_have(w, o, name);
    if (name[0] == '[') {
        w->unsure |= may;
        return may && !w->accessed_alone ? element(w, name) : absent();
    }
    if (may) {
        const struct expression_value found = field(w, type, name);
        w->unsure |= !found.known;
        if (found.known || w->accessed_alone)
            return found;
    }
    if (strcmp(name, "id") == 0) {
        struct expression_value id = number(w->id);
        id.is_id = true;
        return id;
    }
    if (strcmp(name, "type") == 0)
        return type != NULL ? class_value(type) : absent();
    if (strcmp(name, "length") == 0 && (type == NULL || strchr(type, '[') != NULL)) {
        w->unsure = true;
        if (!w->accessed_alone && find_state(w) && w->state->has_length)
            return number(w->state->length);
    }
    return absent();
}

/* ---- any row ---- */

static struct expression_value row_value(struct row *w, const char *name)
{
    return w->event != NULL      ? row_event(w, name)
           : w->call != NULL     ? row_call(w, name)
           : w->overflow != NULL ? row_overflow(w, name)
                                 : row_object(w, name);
}

static bool lookup(struct evaluation *e, const char *name, struct expression_value *out)
{
    struct row *w = e->host->context;
    struct condition_name *n = condition_name(w->condition, name);
    *out = row_value(w, name);
    if (n != NULL) {
        n->row.asked = true;
        n->row.seen |= out->known;
    }
    return out->known;
}

enum hs_truth condition_part(struct condition *c, const struct expression *tree, uint64_t moment)
{
    static const enum hs_truth truths[] = {
        [EXPRESSION_NO] = HS_FALSE, [EXPRESSION_YES] = HS_TRUE, [EXPRESSION_NOT_KNOWN] = HS_UNKNOWN
    };
    const struct expression_host host = {
        .context = &c->row, .lookup = lookup, .objects = &trace_objects, .as_shown = true
    };
    struct evaluation e = { .host = &host, .arena = &c->arena };
    c->row.objects.moment = moment;
    const enum expression_answer answer = expression_decide(&e, tree);
    if (c->arena.bytes > 0) {
        arena_done(&c->arena);
        c->arena = (struct arena){ 0 };
    }
    return truths[answer];
}
