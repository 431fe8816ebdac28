/* cmd_objects.c - `hindsight objects`. */
#include <string.h>

#include "reader/cli/names.h"

struct args {
    struct common common;
    const char *type;
};
static const struct option_row options[] = {
    { "type", 't', "GLOB", OPTION_TEXT, offsetof(struct args, type),
      "only objects of these types (a name without dots: of any package)" },
    { 0 },
};
const struct usage usage_objects = {
    .about = "first and last are the first and the last event that show the object.",
    .example = "hindsight objects --type 'String*' --limit 20",
    .options = options,
};

static void json(struct out *o, const struct hs_object *x, bool shown, uint64_t first, uint64_t last)
{
    out_format(o, "{\"id\":%u", x->id);
    if (x->type != NULL) {
        out_text(o, ",\"type\":");
        out_json_name(o, x->type);
        out_json_cut(o);
    }
    if (shown)
        out_format(o, ",\"first\":%llu,\"last\":%llu", (unsigned long long)first, (unsigned long long)last);
    out_line(o, "}");
}

static void text(struct out *o, const struct hs_object *x, bool shown, uint64_t first, uint64_t last)
{
    out_format(o, "%11u ", x->id);
    if (shown)
        out_format(o, "%12llu %12llu  ", (unsigned long long)first, (unsigned long long)last);
    else
        out_format(o, "%12s %12s  ", "-", "-");
    out_name(o, x->type != NULL ? x->type : "?");
    out_char(o, '\n');
}

/* The first objects are asked for one by one, the others from one pass over all events. */
enum { FEW = 100 };

int cmd_objects(int argc, char **argv)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error;
    const struct hs_object *x;
    hs_lives *lives = NULL;
    int status = session_begin(&s, argc, argv, &a), more = 0;
    if (status != PARSED)
        return status;
    if ((status = names_type(&s, a.type)) != PARSED)
        return session_close(&s, status);
    if (!a.common.json)
        out_format(&s.out, "%11s %12s %12s  %s\n", "id", "first", "last", "type");
    uint64_t shown_so_far = 0;
    for (uint32_t id = 0;
         shown_so_far < a.common.limit && s.out.failed == 0 && (more = hs_object_next(s.trace, id, &x, &error)) > 0;) {
        uint64_t first = 0, last = 0;
        struct hs_object object = *x;
        id = x->id;
        if (a.type != NULL && (x->type == NULL || !hs_class_matches(a.type, x->type)))
            continue;
        if (shown_so_far == FEW && hs_lives_open(s.trace, &lives, &error) != 0) {
            more = -1;
            break;
        }
        int shown = lives != NULL ? hs_lives_get(lives, object.id, &first, &last)
                                  : hs_life(s.trace, object.id, &first, &last, &error);
        if (shown < 0) {
            more = -1;
            break;
        }
        (a.common.json ? json : text)(&s.out, &object, shown > 0, first, last);
        shown_so_far++;
    }
    hs_lives_close(lives);
    if (more >= 0)
        names_empty(&s, shown_so_far, a.common.limit, a.type != NULL ? "object of that type" : "object");
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
