/* cmd_classes.c - `hindsight classes`. */
#include <stdio.h>

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

static void member(struct out *o, const char *name, const char *value)
{
    if (value[0] != '\0')
        out_member_name(o, name, value);
}

static void json(struct out *o, const struct hs_class *c)
{
    struct json *j = &o->json;
    json_object(j);
    out_member_name(o, "class", c->name);
    member(o, "loader", c->loader);
    member(o, "source", c->source);
    json_member_u64(j, "version", c->major);
    json_member_bool(j, "woven", c->state == HS_CLASS_WOVEN);
    if (c->hash != 0)
        out_member_hash(o, "hash", c->hash);
    member(o, "super", c->super);
    member(o, "source_file", c->source_file);
    json_member_bool(j, "given_up", c->state == HS_CLASS_GIVEN_UP);
    member(o, "reason", c->reason);
    out_member_cut(o);
    json_member_u64(j, "first_dataid", c->first_dataid);
    json_member_u64(j, "dataids", c->dataid_count);
    json_member_u64(j, "methods", c->method_count);
    json_member_u64(j, "bytes", c->size_bytes);
    json_end_line(j);
}

static void text(struct out *o, const struct hs_class *c)
{
    static const char *const states[] = { "woven", "filtered", "given up" };
    out_format(o, "%-8s %4u %7u %8u  ", states[c->state], c->major, c->method_count, c->dataid_count);
    out_name(o, c->name);
    if (c->reason[0] != '\0')
        out_format(o, ": %s", c->reason);
    out_char(o, '\n');
}

int cmd_classes(int argc, char **argv)
{
    struct args a = { 0 };
    struct session s;
    int status = session_begin(&s, argc, argv, &a);
    if (status != PARSED)
        return status;
    if ((status = names_class(&s, a.class_glob)) != PARSED)
        return session_close(&s, status);
    if (!a.common.json)
        out_format(&s.out, "%-8s %4s %7s %8s  %s\n", "state", "file", "methods", "data IDs", "class");
    uint64_t left = a.common.limit;
    const struct hs_class *c;
    hs_cursor *classes;
    if (hs_classes_open(s.trace, &classes, NULL) != 0)
        return session_fail(&s, "out of memory");
    while (left > 0 && hs_class_next(classes, &c, NULL) > 0) {
        if (!hs_class_matches(a.class_glob, c->name) || (a.woven && c->state != HS_CLASS_WOVEN))
            continue;
        (a.common.json ? json : text)(&s.out, c);
        left--;
    }
    hs_cursor_close(classes);
    names_empty(&s, a.common.limit - left, a.common.limit, "class");
    return session_close(&s, EXIT_DONE);
}
