/* names.c - see names.h. */
#include "reader/command/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/show.h"

/* In a damaged trace a missing name proves nothing: the command prints what can be read, and session_close reports the
 * damage. */
static bool complete(const struct session *s) { return hs_damage(s->trace) == NULL; }

/* `--option: no WHAT is called 'NAME'`, with the nearest names, or what lists all. */
static int no_name(const struct session *s, const char *option, const char *what, const char *name, const char *nearest,
                   const char *list)
{
    return cli_fail(EXIT_FAILED, s->context, "--%s: no %s is called '%s'%s%s", option, what, name,
                    nearest[0] != '\0' ? nearest : "; ", nearest[0] != '\0' ? "" : list);
}

static bool any_class(hs_trace *t, const char *glob)
{
    const struct hs_class *c;
    hs_cursor *classes;
    bool found = false;
    if (hs_classes_open(t, &classes, NULL) != 0)
        return false;
    while (!found && hs_class_next(classes, &c, NULL) > 0)
        found = hs_class_matches(glob, c->name);
    hs_cursor_close(classes);
    return found;
}

/* names_class of `option`. */
static int class_of_option(struct session *s, const char *option, const char *class_glob)
{
    if (class_glob == NULL || any_class(s->trace, class_glob) || !complete(s))
        return PARSED;
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    const struct hs_class *c;
    hs_cursor *classes = NULL;
    nearest_init(&n, class_glob);
    if (hs_classes_open(s->trace, &classes, NULL) == 0)
        while (hs_class_next(classes, &c, NULL) > 0)
            if (c->state == HS_CLASS_WOVEN) /* others have no events */
                nearest_offer_class(&n, c->name);
    hs_cursor_close(classes);
    return no_name(s, option, "class", class_glob, nearest_text(&n, text), "hindsight classes lists them");
}

int names_class(struct session *s, const char *class_glob) { return class_of_option(s, "class", class_glob); }

static bool any_method(const struct hs_class *c, const char *glob)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        if (hs_method_matches(glob, c->methods[i]->name, c->methods[i]->desc))
            return true;
    return false;
}

int names_method_of(struct session *s, const char *option, const char *class_glob, const char *method_glob)
{
    int status = class_of_option(s, option != NULL ? option : "class", class_glob);
    if (status != PARSED || method_glob == NULL)
        return status;
    bool known = false, found = false; /* methods of classes that were not woven are not known */
    const struct hs_class *c;
    hs_cursor *classes;
    struct nearest n;
    nearest_init(&n, method_glob);
    if (hs_classes_open(s->trace, &classes, NULL) != 0)
        return PARSED;
    while (!found && hs_class_next(classes, &c, NULL) > 0) {
        if (!hs_class_matches(class_glob, c->name))
            continue;
        known |= c->method_count > 0;
        found = any_method(c, method_glob);
        for (uint32_t i = 0; i < c->method_count && !found; i++)
            nearest_offer(&n, c->methods[i]->name);
    }
    hs_cursor_close(classes);
    if (found || (class_glob != NULL && !known) || !complete(s))
        return PARSED;
    char text[NEAREST_TEXT_MAX], what[200];
    (void)snprintf(what, sizeof what, "method of %.150s", class_glob != NULL ? class_glob : "the trace");
    return no_name(s, option != NULL ? option : "method", what, method_glob, nearest_text(&n, text),
                   "hindsight methods lists them");
}

int names_method(struct session *s, const char *class_glob, const char *method_glob)
{
    return names_method_of(s, NULL, class_glob, method_glob);
}

static bool any_type(hs_trace *t, const char *glob)
{
    const struct hs_type *type;
    hs_cursor *types;
    bool found = false;
    if (hs_types_open(t, &types, NULL) != 0)
        return false;
    while (!found && hs_type_next(types, &type, NULL) > 0)
        found = hs_class_matches(glob, type->name);
    hs_cursor_close(types);
    return found;
}

int names_type(struct session *s, const char *glob)
{
    if (glob == NULL || any_type(s->trace, glob) || !complete(s))
        return PARSED;
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    const struct hs_type *type;
    hs_cursor *types = NULL;
    nearest_init(&n, glob);
    if (hs_types_open(s->trace, &types, NULL) == 0)
        while (hs_type_next(types, &type, NULL) > 0)
            nearest_offer_class(&n, type->name);
    hs_cursor_close(types);
    return no_name(s, "type", "type", glob, nearest_text(&n, text), "hindsight objects shows those of objects");
}

bool names_has_type(const struct hs_object *o, const char *type, size_t length)
{
    if (length == 0 || o == NULL)
        return true;
    if (*type == '"') /* "text"#ID: the id says which string */
        return o->has_string;
    char *name = strndup(type, length);
    bool same = name != NULL && hs_class_matches(name, o->type != NULL ? o->type : "object");
    free(name);
    return same;
}

int names_typed_object(struct session *s, const char *option, const char *text, uint32_t *id)
{
    size_t length = 0;
    (void)cli_object(text, id, &length);
    const struct hs_object *o = hs_object_get(s->trace, *id);
    if (names_has_type(o, text, length))
        return PARSED;
    return cli_fail(EXIT_FAILED, s->context, "%s%s: object %u is of type %s", option, text, *id,
                    o->type != NULL ? o->type : "unknown");
}

int names_object(struct session *s, const char *option, const char *text, uint32_t *id)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *event;
    hs_cursor *cursor;
    int status = names_typed_object(s, option, text, id);
    if (status != PARSED || hs_object_get(s->trace, *id) != NULL)
        return status;
    filter.object = *id; /* not described, but perhaps shown: of a trace that is incomplete */
    int more = hs_events_open(s->trace, &filter, &cursor, &error);
    if (more == 0) {
        more = hs_event_next(cursor, &event, &error);
        hs_cursor_close(cursor);
    }
    if (more < 0)
        return cli_fail(EXIT_FAILED, s->context, "%s", error.text);
    if (more > 0 || !complete(s))
        return PARSED;
    return cli_fail(EXIT_FAILED, s->context, "%s%s: no object of the trace has this id; hindsight objects lists them",
                    option, text);
}

/* The event that an option names is one of the trace. */
static int event_there(struct session *s, const char *option, uint64_t seq)
{
    uint64_t events = hs_event_count(s->trace);
    if (seq < events)
        return PARSED;
    if (events == 0)
        return cli_fail(EXIT_FAILED, s->context, "--%s %llu: the trace has no events", option, (unsigned long long)seq);
    return cli_fail(EXIT_FAILED, s->context, "--%s %llu: the last event of the trace is %llu", option,
                    (unsigned long long)seq, (unsigned long long)events - 1);
}

void names_offer_fields(hs_trace *t, struct nearest *n)
{
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        char place[NEAREST_NAME_MAX];
        if (d == NULL || !event_has(d->event, USE_READ_FIELD | USE_WRITE_FIELD))
            continue;
        const char *owner = show_text_attr(d, "owner"), *name = show_text_attr(d, "name");
        if (owner == NULL || name == NULL)
            continue;
        (void)snprintf(place, sizeof place, "%s.%s", owner, name);
        nearest_offer_as(n, name, place);
    }
}

void names_offer_variables(hs_trace *t, struct nearest *n)
{
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        char place[NEAREST_NAME_MAX];
        if (d == NULL || !event_has(d->event, USE_READ_LOCAL | USE_WRITE_LOCAL))
            continue;
        const struct hs_method *m = hs_method_get(t, d->method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        const char *name = show_text_attr(d, "name");
        if (c == NULL || name == NULL)
            continue;
        (void)snprintf(place, sizeof place, "%s.%s:%s", c->name, m->name, name);
        nearest_offer_as(n, name, place);
    }
}

int names_range(struct session *s, uint64_t from, uint64_t to)
{
    if (to < from)
        return cli_fail(EXIT_USAGE, s->context, "--to %llu: is before --from %llu", (unsigned long long)to,
                        (unsigned long long)from);
    return from == 0 ? PARSED : event_there(s, "from", from);
}

int names_range_threads(struct session *s, uint64_t from, uint64_t to, const char *thread, u32_vec *threads)
{
    const int status = names_range(s, from, to);
    return status == PARSED && thread != NULL ? names_threads(s, thread, threads) : status;
}

int names_moment(struct session *s, uint64_t at) { return at == UINT64_MAX ? PARSED : event_there(s, "at", at); }

const char *names_unwoven(const struct session *s, const unsigned *events, size_t count, char text[NAMES_UNWOVEN_MAX])
{
    const char *weave = hs_info(s->trace, "weave"), *bad;
    group_set woven = 0, missing = 0;
    int length;
    text[0] = '\0';
    if (weave == NULL || !group_set_parse(weave, &woven, &bad, &length))
        return text;
    for (size_t i = 0; i < count; i++) {
        if (event_woven(events[i], woven))
            return text;
        missing |= (group_set)1 << event_first_group(events[i]);
        missing |= event_groups(events[i]) & ~woven;
    }
    missing &= ~woven;
    char groups[GROUP_SET_TEXT_MAX];
    group_set_text(missing, groups, sizeof groups);
    if (missing != 0)
        (void)snprintf(text, NAMES_UNWOVEN_MAX, ", since %s was not woven (weave=%.100s)", groups, weave);
    return text;
}

const char *names_unwoven_uses(const struct session *s, uint32_t uses, char text[NAMES_UNWOVEN_MAX])
{
    unsigned events[EVENT_LIMIT];
    size_t count = event_list(uses, events);
    return names_unwoven(s, events, count, text);
}

void names_empty_of(const struct session *s, uint64_t shown, uint64_t limit, const char *what, const unsigned *events,
                    size_t count)
{
    char all[NAMES_UNWOVEN_MAX + 256], text[NAMES_UNWOVEN_MAX];
    (void)snprintf(all, sizeof all, "%s%s", what, names_unwoven(s, events, count, text));
    names_empty(s, shown, limit, all);
}

void names_empty_without(const struct session *s, uint64_t shown, uint64_t limit, const char *what, uint32_t uses)
{
    unsigned events[EVENT_LIMIT];
    size_t count = event_list(uses, events);
    names_empty_of(s, shown, limit, what, events, count);
}

void names_empty(const struct session *s, uint64_t shown, uint64_t limit, const char *what)
{
    if (shown == 0 && limit > 0 && s->out.failed == 0 && complete(s))
        (void)cli_fail(EXIT_DONE, s->context, "%s: empty: there is no %s", hs_dir(s->trace), what);
}
