/* cmd_methods.c - `hindsight methods`. */
#include "reader/command/names.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    const char *class_glob, *method_glob;
};
static const struct option_row options[] = {
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "only of these classes: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "only of this name: get*, put(String, int), or with its descriptor" },
    { 0 },
};
const struct usage usage_methods = {
    .about = "access holds the access_flags of the class file; hash is the XXH64 of the original bytecode.",
    .example = "hindsight methods --class Main",
    .options = options,
};

static void name_and_reason(struct out *o, const struct hs_class *c, const struct hs_method *m)
{
    show_method_text(o, c->name, m->name, m->desc, "");
    if (m->reason[0] != '\0')
        out_format(o, ": %s", m->reason);
}

#define ROWS "reader/answers/methods.def"
#define ROW  const struct hs_class *c, const struct hs_method *m
#include "reader/answers/row.h"

int cmd_methods(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    if ((status = names_method(&s, a.class_glob, a.method_glob)) != PARSED)
        return session_close(&s, status);
    if (!a.common.json)
        methods_heading(&s.out);
    uint64_t left = a.common.limit;
    const struct hs_class *c;
    hs_cursor *classes;
    if (hs_classes_open(s.trace, &classes, NULL) != 0)
        return session_fail(&s, "out of memory");
    while (left > 0 && hs_class_next(classes, &c, NULL) > 0)
        for (uint32_t k = 0; left > 0 && k < c->method_count && hs_class_matches(a.class_glob, c->name); k++)
            if (hs_method_matches(a.method_glob, c->methods[k]->name, c->methods[k]->desc)) {
                (a.common.json ? methods_json : methods_text)(&s.out, c, c->methods[k]);
                left--;
            }
    hs_cursor_close(classes);
    names_empty(&s, a.common.limit - left, a.common.limit,
                "method of that name: those of classes that were not woven are not kept");
    return session_close(&s, EXIT_DONE);
}
