/* names.c - see names.h. */
#include "reader/cli/names.h"

/* Of a damaged trace nobody can say that a name is not there: the answer is what can be read, and the end of the
 * session tells of the damage. */
static bool complete(const struct session *s) { return hs_damage(s->trace) == NULL; }

int names_class(struct session *s, const char *class_glob)
{
    for (size_t i = 0; class_glob != NULL && i < hs_class_count(s->trace); i++)
        if (hs_class_matches(class_glob, hs_class_at(s->trace, i)->name))
            return PARSED;
    if (class_glob == NULL || !complete(s))
        return PARSED;
    return cli_fail(EXIT_FAILED, s->command,
                    "--class %s: no class of the trace has this name; hindsight classes lists them", class_glob);
}

int names_method(struct session *s, const char *class_glob, const char *method_glob)
{
    int status = names_class(s, class_glob);
    if (status != PARSED || method_glob == NULL)
        return status;
    bool known = false; /* methods of classes that were not woven are not */
    for (size_t i = 0; i < hs_class_count(s->trace); i++) {
        const struct hs_class *c = hs_class_at(s->trace, i);
        for (uint32_t k = 0; k < c->method_count && hs_class_matches(class_glob, c->name); k++) {
            known = true;
            if (hs_method_matches(method_glob, c->methods[k].name, c->methods[k].desc))
                return PARSED;
        }
    }
    if ((class_glob != NULL && !known) || !complete(s))
        return PARSED;
    return cli_fail(EXIT_FAILED, s->command,
                    "--method %s: no method of %s%s has this name; hindsight methods lists them", method_glob,
                    class_glob != NULL ? "--class " : "the trace", class_glob != NULL ? class_glob : "");
}

int names_type(struct session *s, const char *glob)
{
    for (size_t i = 0; glob != NULL && i < hs_type_count(s->trace); i++)
        if (hs_class_matches(glob, hs_type_at(s->trace, i)->name))
            return PARSED;
    if (glob == NULL || !complete(s))
        return PARSED;
    return cli_fail(EXIT_FAILED, s->command,
                    "--type %s: no type of the trace has this name; hindsight objects shows those of objects", glob);
}

int names_object(struct session *s, uint32_t id)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_error error = { 0 };
    const struct hs_event *event;
    hs_cursor *cursor;
    if (id == 0)
        return cli_fail(EXIT_USAGE, s->command, "--object 0: ids begin at 1; --value null finds the null reference");
    if (hs_object_get(s->trace, id) != NULL)
        return PARSED;
    filter.object = id; /* not described, but perhaps shown: of a trace that is incomplete */
    int more = hs_cursor_open(s->trace, &filter, &cursor, &error);
    if (more == 0) {
        more = hs_cursor_next(cursor, &event, &error);
        hs_cursor_close(cursor);
    }
    if (more < 0)
        return cli_fail(EXIT_FAILED, s->command, "%s", error.text);
    if (more > 0 || !complete(s))
        return PARSED;
    return cli_fail(EXIT_FAILED, s->command,
                    "--object %u: no object of the trace has this id; hindsight objects lists them", id);
}

/* The event that an option names is one of the trace. */
static int event_there(struct session *s, const char *option, uint64_t seq)
{
    uint64_t events = hs_event_count(s->trace);
    if (seq < events)
        return PARSED;
    if (events == 0)
        return cli_fail(EXIT_FAILED, s->command, "--%s %llu: the trace has no events", option, (unsigned long long)seq);
    return cli_fail(EXIT_FAILED, s->command, "--%s %llu: the last event of the trace is %llu", option,
                    (unsigned long long)seq, (unsigned long long)events - 1);
}

int names_range(struct session *s, uint64_t from, uint64_t to)
{
    if (to < from)
        return cli_fail(EXIT_USAGE, s->command, "--to %llu: is before --from %llu", (unsigned long long)to,
                        (unsigned long long)from);
    return from == 0 ? PARSED : event_there(s, "from", from);
}

int names_moment(struct session *s, uint64_t at) { return at == UINT64_MAX ? PARSED : event_there(s, "at", at); }

void names_empty(const struct session *s, uint64_t shown, uint64_t limit, const char *what)
{
    if (shown == 0 && limit > 0 && s->out.failed == 0 && complete(s))
        (void)cli_fail(EXIT_DONE, s->command, "%s: empty: there is no %s", hs_dir(s->trace), what);
}
