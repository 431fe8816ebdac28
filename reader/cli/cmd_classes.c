/* cmd_classes.c - `hindsight classes`. */
#include "reader/command/names.h"

struct args {
    struct common common;
    const char *class_glob;
    bool woven;
};
static const struct option_row options[] = {
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob),
      "only classes of this name: a.b.*, or Foo" },
    { "woven", 'w', NULL, OPTION_FLAG, offsetof(struct args, woven), "only classes that were woven" },
    { 0 },
};
const struct usage usage_classes = {
    .about = "woven is true for a woven class, and false for one that was excluded by options or could not be woven "
             "(with the reason).",
    .example = "hindsight classes --class 'com.acme.*'",
    .options = options,
};

static const char *const states[] = { "woven", "filtered", "given up" };

static void name_and_reason(struct out *o, const struct hs_class *c)
{
    out_name(o, c->name);
    if (c->reason[0] != '\0')
        out_format(o, ": %s", c->reason);
}

#define ROWS "reader/answers/classes.def"
#define ROW  const struct hs_class *c
#include "reader/answers/row.h"

int cmd_classes(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    if ((status = names_class(&s, a.class_glob)) != PARSED)
        return session_close(&s, status);
    if (!a.common.json)
        classes_heading(&s.out);
    uint64_t left = a.common.limit;
    const struct hs_class *c;
    hs_cursor *classes;
    if (hs_classes_open(s.trace, &classes, NULL) != 0)
        return session_fail(&s, "out of memory");
    while (left > 0 && hs_class_next(classes, &c, NULL) > 0) {
        if (!hs_class_matches(a.class_glob, c->name) || (a.woven && c->state != HS_CLASS_WOVEN))
            continue;
        (a.common.json ? classes_json : classes_text)(&s.out, c);
        left--;
    }
    hs_cursor_close(classes);
    names_empty(&s, a.common.limit - left, a.common.limit, "class");
    return session_close(&s, EXIT_DONE);
}
