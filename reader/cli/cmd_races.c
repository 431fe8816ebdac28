/* cmd_races.c - `hindsight races`: fields, elements and collections that two threads touched without order. */
#include <string.h>

#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    bool fail_if_any;
};
static const struct option_row options[] = {
    { "fail-if-any", 0, NULL, OPTION_FLAG, offsetof(struct args, fail_if_any),
      "exit status 1 if there is a race, for checks" },
    { 0 },
};
const struct usage usage_races = {
    .source = true,
    .about =
        "Candidates of data races: a field, an array element, or a collection of java.util that is not thread-safe "
        "(by calls on it), that two threads accessed, one of them by a write, "
        "where nothing in the recording makes one happen before the other: no monitor, volatile field, start or "
        "join of a thread, class initialiser, or call of java.util.concurrent. Each pair of places in the code is "
        "shown once, with the first accesses and how often it was met. Needs events of EXEC, CALL and SYNC, and of "
        "FIELD or ARRAY, of all code that synchronises. Where an order may be by chance it counts as one, so "
        "that a race can be missed in this run and be found in another. Volatile fields never race.",
    .example = "hindsight races",
    .options = options,
};

/* Class.field, or the type of the array or collection. */
static void location_text(struct show *s, const struct hs_race *r, const struct hs_dataid *d, char *out, size_t size)
{
    const bool whole = r->element || r->collection;
    const struct hs_object *o = whole ? hs_object_get(s->trace, (uint32_t)r->object) : NULL;
    const char *in = hs_field_declaring(s->trace, d->dataid), *name = show_text_attr(d, "name");
    if (whole)
        (void)snprintf(out, size, "%s", o != NULL && o->type != NULL ? o->type : "?");
    else
        (void)snprintf(out, size, "%s.%s", in != NULL ? in : "?", name != NULL ? name : "?");
}

static bool event_of(struct show *s, uint64_t seq, struct hs_event *out)
{
    const struct hs_event *e;
    bool ok = hs_event_at(s->trace, seq, &e, NULL) == 0;
    if (ok)
        *out = *e;
    return ok;
}

#define ROWS "reader/answers/races.def"
#define ROW                                                                                                            \
    struct show *show, const struct hs_race *r, const char *location, const struct hs_event *a, const struct hs_event *b
#include "reader/answers/row.h"

static void text(struct show *s, const struct hs_race *r, const char *location, const struct hs_event *a,
                 const struct hs_event *b)
{
    struct out *o = s->out;
    out_colour(o, COLOUR_NAME);
    out_text(o, location);
    out_colour(o, COLOUR_NONE);
    if (r->object != 0) {
        out_text(o, " of ");
        show_object_name(s, r->object);
    }
    if (r->element)
        out_format(o, " [%u]", r->index);
    if (r->collection)
        out_text(o, ", calls on a collection that is not thread-safe");
    out_format(o, ", %llu time%s\n", (unsigned long long)r->count, r->count > 1 ? "s" : "");
    out_text(o, "  ");
    show_event_text(s, a);
    out_text(o, "  ");
    show_event_text(s, b);
}

static uint64_t show_races(struct show *s, hs_cursor *races, const struct args *a)
{
    const struct hs_race *r;
    uint64_t shown = 0;
    while (shown < a->common.limit && s->out->failed == 0 && hs_race_next(races, &r, NULL) > 0) {
        struct hs_event first, second;
        char location[1024];
        if (!event_of(s, r->a, &first) || !event_of(s, r->b, &second))
            continue;
        location_text(s, r, hs_dataid_get(s->trace, second.dataid), location, sizeof location);
        if (a->common.json)
            races_json(s->out, s, r, location, &first, &second);
        else
            text(s, r, location, &first, &second);
        shown++;
    }
    return shown;
}

/* Without these groups what orders threads was not recorded, and everything would seem to race. */
static int needs_groups(struct session *s)
{
    static const unsigned needed[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_CALL, HS_EVENT_MONITOR_EXIT };
    char why[NAMES_UNWOVEN_MAX];
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (*names_unwoven(s, &needed[i], 1, why) != '\0')
            return session_fail(s, "what orders threads is not known%s", why);
    return PARSED;
}

int cmd_races(struct context *context)
{
    static const unsigned accesses[] = { HS_EVENT_GET_STATIC_FIELD, HS_EVENT_ARRAY_LOAD };
    enum { ACCESSES = sizeof accesses / sizeof *accesses };
    struct args a = { 0 };
    struct session s;
    struct show show;
    char why[NAMES_UNWOVEN_MAX];
    hs_cursor *races = NULL;
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    status = needs_groups(&s);
    if (status != PARSED)
        return status;
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    const bool none = *names_unwoven(&s, accesses, ACCESSES, why) != '\0';
    const bool ok = none || hs_races_open(s.trace, &races, &error) == 0;
    const uint64_t shown = races != NULL ? show_races(&show, races, &a) : 0;
    const bool any = races != NULL && hs_cursor_count(races) > 0, more = races != NULL && hs_races_cut(races);
    hs_cursor_close(races);
    show_done(&show);
    if (!ok)
        return session_fail(&s, "%s", error.text);
    names_empty_of(&s, shown, a.common.limit, "race", accesses, ACCESSES);
    if (more)
        (void)cli_fail(0, context, "%s: incomplete: there are races at more than these %d pairs of places",
                       hs_dir(s.trace), HS_RACES_MAX);
    if (more)
        return session_close(&s, EXIT_INCOMPLETE);
    return session_close(&s, a.fail_if_any && any ? EXIT_FAILED : EXIT_DONE);
}
