/* cmd_objects.c - `hindsight objects`. */
#include "reader/command/conditions.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *type, *where_text;
    uint64_t at;
    hs_condition *where;
};
static const struct option_row options[] = {
    { "type", 't', "GLOB", OPTION_TEXT, offsetof(struct args, type),
      "only objects of these types (a name without dots: of any package)" },
    { "where", 'w', "CONDITION", OPTION_TEXT, offsetof(struct args, where_text), WHERE_OBJECT_NAMES },
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at),
      "with --where: just after this event (default: at the end)" },
    { 0 },
};
const struct usage usage_objects = {
    .about = "first and last are the first and the last event that show the object.\n" WHERE_HELP,
    .example = "hindsight objects --type 'String*' --where 'length > 3' --limit 20",
    .options = options,
};

#define ROWS "reader/answers/objects.def"
#define ROW  const struct hs_object *x, const struct hs_life *life
#include "reader/answers/row.h"

/* The first objects are asked for one by one, the others from one pass over all events: when those have cost a quarter
 * of it, at about the time of a chunk each. */
static uint64_t few_objects(const hs_trace *t)
{
    enum { FEW = 100, CHUNK_EVENTS = 65536 };
    return FEW + hs_event_count(t) / CHUNK_EVENTS / 4;
}

/* 1, 0 if no event shows the object, -1. */
static int find_life(hs_trace *t, hs_cursor *lives, uint32_t id, const struct hs_life **life, struct hs_error *error)
{
    if (lives == NULL)
        return hs_life_get(t, id, life, error);
    if (hs_cursor_seek(lives, id, error) != 0)
        return -1;
    int more = hs_life_next(lives, life, error);
    return more > 0 ? (*life)->id == id : more;
}

int cmd_objects(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object *x;
    hs_cursor *objects, *lives = NULL;
    int more = 0, status = cli_parse(context, &a);
    if (status == PARSED)
        status = condition_parse(context, a.where_text, &a.where);
    if (status == PARSED)
        status = session_open(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    if ((status = session_needs_values(&s)) != PARSED)
        return status;
    if (a.where != NULL && (status = session_needs_stream(&s)) != PARSED)
        return status;
    status = names_type(&s, a.type);
    if (status == PARSED)
        status = names_moment(&s, a.at);
    if (status != PARSED)
        return session_close(&s, status);
    if ((a.type != NULL ? hs_objects_of_type_open(s.trace, a.type, &objects, &error)
                        : hs_objects_open(s.trace, &objects, &error)) != 0)
        return session_fail(&s, "%s", error.text);
    if (!a.common.json)
        objects_heading(&s.out);
    uint64_t shown_so_far = 0, old = 0, few = few_objects(s.trace);
    while (shown_so_far < a.common.limit && s.out.failed == 0 && (more = hs_object_next(objects, &x, &error)) > 0) {
        const struct hs_life *life = NULL;
        uint32_t id = x->id;
        bool is_old = false;
        if (a.where != NULL && hs_condition_object(a.where, s.trace, id, a.at, &is_old) != HS_TRUE)
            continue;
        if (shown_so_far == few && hs_lives_open(s.trace, &lives, &error) != 0) {
            more = -1;
            break;
        }
        int shown = find_life(s.trace, lives, id, &life, &error);
        if (shown < 0) {
            more = -1;
            break;
        }
        x = hs_object_get(s.trace, id); /* the search may have looked at others */
        (a.common.json ? objects_json : objects_text)(&s.out, x, shown > 0 ? life : NULL);
        shown_so_far++;
        old += is_old;
    }
    hs_cursor_close(lives);
    hs_cursor_close(objects);
    if (more >= 0 && shown_so_far == 0)
        status = condition_tell_unknown(a.where, &s, WHERE_OBJECT_WORDS, false);
    else
        status = EXIT_DONE;
    if (more >= 0 && status == EXIT_DONE)
        names_empty(&s, shown_so_far, a.common.limit,
                    a.where != NULL  ? "object that satisfies every option"
                    : a.type != NULL ? "object of that type"
                                     : "object");
    if (more >= 0 && old > 0)
        (void)cli_fail(
            EXIT_DONE, context,
            "note: of %llu of these objects a value of the condition may have changed since it was seen: the "
            "object was handed to code that is not woven, or recording was stopped (see hindsight object)",
            (unsigned long long)old);
    hs_condition_free(a.where);
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, status);
}
