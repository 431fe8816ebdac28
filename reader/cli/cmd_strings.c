/* cmd_strings.c - `hindsight strings`. */
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *text;
};
static const struct option_row options[] = {
    { "text", 0, "TEXT", OPTION_TEXT, offsetof(struct args, text), "only strings that contain TEXT" },
    { 0 },
};
const struct usage usage_strings = {
    .about = "length is in UTF-16 units and that of the whole string; of a cut string only the beginning is recorded.",
    .example = "hindsight strings --text http: --limit 20",
    .options = options,
};
enum { TEXT_UNITS_MAX = 120 };

static void begin_of_string(struct out *o, const struct hs_object *x)
{
    if (out_quoted_string(o, x, TEXT_UNITS_MAX) || x->cut)
        out_text(o, "...");
}

#define ROWS "reader/answers/strings.def"
#define ROW  const struct hs_object *x
#include "reader/answers/row.h"

int cmd_strings(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object *object;
    hs_cursor *objects;
    int status = session_begin(&s, context, &a), more = 0;
    if (status == PARSED)
        status = session_needs_values(&s);
    if (status != PARSED)
        return status;
    if (!a.common.json)
        strings_heading(&s.out);
    uint64_t left = a.common.limit;
    if (hs_objects_open(s.trace, &objects, &error) != 0)
        return session_fail(&s, "%s", error.text);
    while (left > 0 && s.out.failed == 0 && (more = hs_object_next(objects, &object, &error)) > 0) {
        if (!object->has_string || (a.text != NULL && !hs_string_contains(object, a.text)))
            continue;
        (a.common.json ? strings_json : strings_text)(&s.out, object);
        left--;
    }
    hs_cursor_close(objects);
    if (more >= 0)
        names_empty(&s, a.common.limit - left, a.common.limit,
                    a.text != NULL ? "string that contains the text" : "string");
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
