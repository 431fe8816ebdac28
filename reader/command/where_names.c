/* where_names.c - see where_names.h. */
#include "reader/command/where_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/nearest.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

static struct where_value absent(void) { return (struct where_value){ 0 }; }
static struct where_value text_value(const char *text) { return (struct where_value){ .text = text }; }
static struct where_value class_value(const char *name)
{
    return (struct where_value){ .text = name, .is_class = true };
}
static struct where_value value(char kind, uint64_t bits) { return (struct where_value){ .kind = kind, .bits = bits }; }
static struct where_value number(uint64_t n) { return value(HS_KIND_LONG, n); }
/* Absent is also what redact= left out. */
static struct where_value value_of(const struct hs_value *v, uint64_t at)
{
    return v != NULL && v->kind != 'V' ? (struct where_value){ .kind = v->kind, .bits = v->bits, .at = at } : absent();
}

static struct where_value thread_value(hs_trace *t, uint32_t thread)
{
    const struct hs_thread *row = hs_thread_get(t, thread);
    const char *name = row != NULL && row->known ? row->name : NULL;
    return (struct where_value){ .text = name, .kind = HS_KIND_LONG, .bits = thread };
}

/* The number of an argument: arg0 is the first. */
static bool argument_number(const char *name, uint64_t *out)
{
    return strncmp(name, "arg", 3) == 0 && cli_u64(name + 3, out);
}

/* The names that every place in the code has. */
static bool place_value(hs_trace *t, const struct hs_dataid *d, const char *name, struct where_value *out)
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

/* The kind of a type as in Java source. */
static char kind_of_type(const char *type)
{
#define KIND(letter, name, hook, meaning)                                                                              \
    if (strcasecmp(type, #name) == 0)                                                                                  \
        return letter;
#include "formats/kinds.def"
#undef KIND
    return HS_KIND_REF;
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
        if (type != NULL ? strcmp(wanted, type) != 0 : kind_of_type(wanted) != kind)
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

/* Events whose value is that of the field, variable or parameter that they name. */
static bool carries_variable(unsigned event)
{
    switch (event) {
    case HS_EVENT_METHOD_PARAM:
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT:
    case HS_EVENT_GET_STATIC_FIELD:
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE:
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
    case HS_EVENT_PUT_STATIC_FIELD:
    case HS_EVENT_LOCAL_LOAD:
    case HS_EVENT_LOCAL_STORE:
    case HS_EVENT_LOCAL_INCREMENT: return true;
    default: return false;
    }
}

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
    const char *type = call != NULL && call->event == HS_EVENT_CALL ? show_text_attr(call, "methodtype") : NULL;
    return number_attr(d, "index") - (type != NULL && strcmp(type, "static") != 0);
}

struct where_value where_of_event(void *where_event, const char *name)
{
    const struct where_event *w = where_event;
    const struct hs_event *e = w->event;
    const struct hs_dataid *d = hs_dataid_get(w->trace, e->dataid);
    struct where_value out, its = value_of(&(struct hs_value){ .kind = e->kind, .bits = e->value }, e->seq);
    uint64_t argument;
    if (strcmp(name, "seq") == 0)
        return number(e->seq);
    if (strcmp(name, "thread") == 0)
        return thread_value(w->trace, e->thread);
    if (strcmp(name, "value") == 0)
        return its;
    if (d == NULL)
        return absent();
    if (strcmp(name, "event") == 0)
        return text_value(hs_event_name(d->event));
    if (strcmp(name, "result") == 0 && is_result(d->event))
        return its;
    if (argument_number(name, &argument) && (d->event == HS_EVENT_METHOD_PARAM || d->event == HS_EVENT_CALL_PARAM))
        return argument_position(w->trace, d) == (int64_t)argument ? its : absent();
    if (carries_variable(d->event)) {
        const char *variable = show_text_attr(d, "name");
        if (variable != NULL &&
            is_member(name, show_text_attr(d, "owner"), variable, show_text_attr(d, "type"), e->kind))
            return its;
    }
    return place_value(w->trace, d, name, &out) ? out : absent();
}

/* ---- calls ---- */

/* The argument of a parameter's name: the METHOD_PARAMs follow the METHOD_ENTRY. */
static struct where_value parameter(const struct where_call *w, const struct hs_dataid *entry, const char *name)
{
    for (uint32_t i = 0; i < w->call->argument_count; i++) {
        const struct hs_dataid *d = hs_dataid_get(w->trace, entry->dataid + 1 + i);
        if (d == NULL || d->event != HS_EVENT_METHOD_PARAM || d->method_id != entry->method_id)
            break;
        const char *own = show_text_attr(d, "name");
        if (own != NULL && strcmp(own, name) == 0)
            return value_of(w->call->arguments[i], w->call->seq);
    }
    return absent();
}

struct where_value where_of_call(void *where_call, const char *name)
{
    const struct where_call *w = where_call;
    const struct hs_call *c = w->call;
    const struct hs_dataid *d = hs_dataid_get(w->trace, c->dataid);
    struct where_value out;
    uint64_t argument;
    if (d != NULL) {
        out = parameter(w, d, name);
        if (out.kind != 0)
            return out;
    }
    if (strcmp(name, "seq") == 0)
        return number(c->seq);
    if (strcmp(name, "thread") == 0)
        return thread_value(w->trace, w->thread);
    if (strcmp(name, "depth") == 0)
        return number(c->depth);
    if (strcmp(name, "calls") == 0 && c->calls != HS_NO_SEQ)
        return number(c->calls);
    if (strcmp(name, "this") == 0)
        return value_of(c->receiver, c->seq);
    if (strcmp(name, "result") == 0)
        return value_of(c->result, c->seq);
    if (strcmp(name, "exception") == 0 && c->threw) {
        const struct hs_object *o = c->exception <= UINT32_MAX ? hs_object_get(w->trace, (uint32_t)c->exception) : NULL;
        out = value(HS_KIND_REF, c->exception);
        out.text = o != NULL ? o->type : NULL;
        out.is_class = true;
        return out;
    }
    if (argument_number(name, &argument))
        return argument < c->argument_count ? value_of(c->arguments[argument], c->seq) : absent();
    return d != NULL && place_value(w->trace, d, name, &out) ? out : absent();
}

/* ---- objects ---- */

/* Of fields of one name that of the object's own class counts, else that of the first; those of several types in one
 * class all count. Sets `old` if the value may have changed since. */
static struct where_value member_value(struct where_object *w, const char *type, const char *name)
{
    enum { SAME_NAME = sizeof w->same_name / sizeof *w->same_name };
    const struct hs_object_state *state = w->state;
    struct where_value found = absent();
    bool old = false, found_own = false;
    for (size_t i = 0; i < state->field_count; i++) { /* "a.b.Declaring.field", or with ":type" */
        const struct hs_member *m = state->fields[i];
        const size_t n = strcspn(m->name, ":");
        char *whole = strndup(m->name, n);
        char *dot = whole != NULL ? strrchr(whole, '.') : NULL;
        if (dot != NULL)
            *dot = '\0';
        const bool same =
            dot != NULL && is_member(name, whole, dot + 1, m->name[n] == ':' ? m->name + n + 1 : NULL, m->kind);
        const bool own = same && type != NULL && strcmp(whole, type) == 0;
        free(whole);
        const struct where_value its = { .kind = m->kind, .bits = m->value, .at = w->at };
        if (same && (found.kind == 0 || (own && !found_own))) {
            found = its;
            old = false;
        } else if (same && m->name[n] == ':' && own == found_own && found.more_count < SAME_NAME) {
            w->same_name[found.more_count++] = its;
        } else {
            continue;
        }
        found_own = own;
        old |= m->stale || m->unrecorded;
    }
    found.more = w->same_name;
    w->old |= old;
    return found;
}

void where_members_free(where_members *members)
{
    for (size_t i = 0; i < members->count; i++)
        map_free(&members->items[i].types);
    vec_free(members);
}

static struct where_member *find_member(where_members *members, const char *name)
{
    for (size_t i = 0; i < members->count; i++)
        if (members->items[i].name == name)
            return &members->items[i];
    struct where_member *made = vec_push(members);
    if (made != NULL)
        *made = (struct where_member){ .name = name };
    return made;
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
static bool may_have(const struct where_object *w, const struct hs_object *o, const char *name)
{
    if (o == NULL || o->type == NULL || o->class_id == 0)
        return true;
    if (name[0] == '[' || strchr(o->type, '[') != NULL)
        return name[0] == '[' && strchr(o->type, '[') != NULL;
    struct where_member *member = find_member(w->members, name);
    struct where_type *type = member != NULL ? map_get(&member->types, o->class_id) : NULL;
    if (type == NULL && member != NULL && (type = map_put(&member->types, o->class_id)) != NULL) {
        char *field = field_name(name);
        type->may_have = field == NULL || hs_type_may_have(w->trace, o->class_id, field);
        free(field);
    }
    return type == NULL || type->may_have;
}

/* Its fields and its length. */
static bool find_state(struct where_object *w)
{
    if (w->state == NULL && !w->failed)
        w->failed = hs_object_part_at(w->trace, w->id, w->at, 0, 0, &w->state, NULL) != 0;
    return !w->failed;
}

/* [index] */
static struct where_value element(struct where_object *w, const char *name)
{
    const struct hs_object_state *state;
    char *end;
    const uint64_t index = strtoull(name + 1, &end, 10);
    w->state = NULL; /* there is one at a time */
    if (strcmp(end, "]") != 0 || w->failed ||
        (w->failed = hs_object_part_at(w->trace, w->id, w->at, index, 1, &state, NULL) != 0) ||
        state->element_count == 0 || state->elements[0]->index != index)
        return absent();
    w->old |= state->elements[0]->stale || state->elements[0]->unrecorded;
    return value_of(&(struct hs_value){ .kind = state->elements[0]->kind, .bits = state->elements[0]->value }, w->at);
}

struct where_value where_of_object(void *where_object, const char *name)
{
    struct where_object *w = where_object;
    const struct hs_object *o = hs_object_get(w->trace, w->id);
    const char *type = o != NULL ? o->type : NULL;
    if (o != NULL && strcmp(name, "string") == 0 && o->has_string)
        return value(HS_KIND_REF, w->id);
    if (o != NULL && strcmp(name, "length") == 0 && o->has_string)
        return number(o->length);
    if (name[0] == '[')
        return may_have(w, o, name) ? element(w, name) : absent();
    if (may_have(w, o, name) && find_state(w)) {
        struct where_value found = member_value(w, type, name);
        if (found.kind != 0)
            return found;
    }
    if (strcmp(name, "id") == 0)
        return (struct where_value){ .is_id = true, .kind = HS_KIND_LONG, .bits = w->id };
    if (strcmp(name, "type") == 0)
        return type != NULL ? class_value(type) : absent();
    if (strcmp(name, "length") == 0 && (type == NULL || strchr(type, '[') != NULL) && find_state(w) &&
        w->state->has_length)
        return number(w->state->length);
    return absent();
}

/* ---- names that nothing has ---- */

static void offer_words(struct nearest *n, const char *words)
{
    char word[32];
    for (size_t length; *words != '\0'; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, words);
        nearest_offer(n, word);
    }
}

static void offer_locals(struct nearest *n, hs_trace *t)
{
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        const char *name = d != NULL && carries_variable(d->event) ? show_text_attr(d, "name") : NULL;
        if (name != NULL && show_text_attr(d, "owner") == NULL)
            nearest_offer(n, name);
    }
}

/* Has an event of this data ID the name, if its value was recorded? */
static bool can_have(hs_trace *t, uint32_t dataid, const char *name)
{
    const struct hs_event event = { .dataid = dataid, .kind = HS_KIND_LONG };
    struct where_event w = { t, &event };
    const struct where_value v = where_of_event(&w, name);
    return v.text != NULL || v.kind != 0;
}

/* "shipping (LOCAL_LOAD in a.b.Orders.total)" */
static void say_where(hs_trace *t, const char *name, const struct hs_dataid *d, char *out, size_t size)
{
    const struct hs_method *m = hs_method_get(t, d->method_id);
    const struct hs_class *c = hs_class_get(t, d->class_no);
    (void)snprintf(out, size, "%.100s (%s in %.150s.%.100s)", name, hs_event_name(d->event), c != NULL ? c->name : "?",
                   m != NULL ? m->name : "?");
}

/* Are there events with either name, and none with both? Then `first` are data IDs that have them. */
static bool are_apart(hs_trace *t, const char *const names[2], const struct hs_dataid *first[2])
{
    first[0] = first[1] = NULL;
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        bool has[2] = { d != NULL && can_have(t, id, names[0]), d != NULL && can_have(t, id, names[1]) };
        if (has[0] && has[1])
            return false;
        for (int i = 0; i < 2; i++)
            first[i] = has[i] && first[i] == NULL ? d : first[i];
    }
    return first[0] != NULL && first[1] != NULL;
}

bool where_tell_apart(const struct where *where, const struct session *s, int *status)
{
    struct where_joined at = { 0 };
    const struct hs_dataid *first[2];
    char a[512], b[512];
    while (where_next_joined(where, &at)) {
        if (!are_apart(s->trace, at.names, first))
            continue;
        say_where(s->trace, at.names[0], first[0], a, sizeof a);
        say_where(s->trace, at.names[1], first[1], b, sizeof b);
        (void)cli_fail(EXIT_DONE, s->command,
                       "--where: no event has both %s and %s: an event has one value; use || for either, tree --where "
                       "for parameters of one call, objects --where for fields of one object",
                       a, b);
        *status = at.whole && hs_damage(s->trace) == NULL ? EXIT_FAILED : EXIT_DONE;
        return true;
    }
    return false;
}

/* Says that no row has the name; the exit status as of where_tell_unknown. */
static int tell_unknown(const struct session *s, const char *name, const char *words, bool locals)
{
    uint64_t number;
    char text[NEAREST_TEXT_MAX];
    const char *dot = strrchr(name, '.');
    struct nearest n;
    nearest_init(&n, dot != NULL ? dot + 1 : name);
    offer_words(&n, words);
    if (locals)
        offer_locals(&n, s->trace);
    names_offer_fields(s->trace, &n); /* without the class, of which the condition may name another */
    /* an element or argument of a high number is no misspelt name, and in a damaged trace a missing name proves
     * nothing */
    const bool misspelt = !n.exact && name[0] != '[' && !argument_number(name, &number);
    const char *nearest = n.exact ? "" : nearest_text(&n, text);
    if (misspelt && *nearest == '\0')
        (void)cli_fail(EXIT_DONE, s->command, "--where: no row has '%s'; names are %s, and those of fields%s", name,
                       words, locals ? ", parameters and local variables" : "");
    else
        (void)cli_fail(EXIT_DONE, s->command, "--where: no row has '%s'%s", name, nearest);
    return misspelt && hs_damage(s->trace) == NULL ? EXIT_FAILED : EXIT_DONE;
}

int where_tell_unknown(const struct where *where, const struct session *s, const char *words, bool locals)
{
    int status = EXIT_DONE;
    size_t at = 0;
    for (const char *name; (name = where_next_unknown(where, &at)) != NULL;)
        if (tell_unknown(s, name, words, locals) != EXIT_DONE)
            status = EXIT_FAILED;
    return status;
}

int where_refuse_unknown(const struct where *where, const struct session *s)
{
    size_t at = 0;
    for (const char *name; (name = where_next_name(where, &at)) != NULL;) {
        const uint32_t count = hs_dataid_count(s->trace);
        uint32_t id = 0;
        while (id < count && !can_have(s->trace, id, name))
            id++;
        if (id == count && tell_unknown(s, name, WHERE_EVENT_WORDS, true) != EXIT_DONE)
            return EXIT_FAILED;
    }
    return PARSED;
}
