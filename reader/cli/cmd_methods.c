/* cmd_methods.c - `hindsight methods`. */
#include "formats/event.h"
#include <string.h>

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

static void groups_json(struct json *j, uint32_t groups)
{
    bool first = true;
    json_name(j, "groups");
    json_text_begin(j);
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        if ((groups >> g & 1) == 0)
            continue;
        if (!first)
            json_text_code(j, '+');
        json_text_part(j, group_name(g), strlen(group_name(g)));
        first = false;
    }
    json_text_end(j);
}

static void json(struct out *o, const struct hs_class *c, const struct hs_method *m)
{
    struct json *j = &o->json;
    json_object(j);
    json_member_u64(j, "method_id", m->method_id);
    show_method_members(o, c->name, m->name, m->desc);
    json_member_u64(j, "access", m->access);
    if (m->hash != 0)
        out_member_hash(o, "hash", m->hash);
    json_member_u64(j, "code_length", m->code_length);
    groups_json(j, m->groups);
    if (m->reason[0] != '\0')
        json_member_text(j, "reason", m->reason);
    json_end_line(j);
}

static void text(struct out *o, const struct hs_class *c, const struct hs_method *m)
{
    out_format(o, "%8u %6u  ", m->method_id, m->code_length);
    show_method_text(o, c->name, m->name, m->desc, "");
    if (m->reason[0] != '\0')
        out_format(o, ": %s", m->reason);
    out_char(o, '\n');
}

int cmd_methods(int argc, char **argv)
{
    struct args a = { 0 };
    struct session s;
    int status = session_begin(&s, argc, argv, &a);
    if (status != PARSED)
        return status;
    if ((status = names_method(&s, a.class_glob, a.method_glob)) != PARSED)
        return session_close(&s, status);
    if (!a.common.json)
        out_format(&s.out, "%8s %6s  %s\n", "method", "bytes", "name");
    uint64_t left = a.common.limit;
    const struct hs_class *c;
    hs_cursor *classes;
    if (hs_classes_open(s.trace, &classes, NULL) != 0)
        return session_fail(&s, "out of memory");
    while (left > 0 && hs_class_next(classes, &c, NULL) > 0)
        for (uint32_t k = 0; left > 0 && k < c->method_count && hs_class_matches(a.class_glob, c->name); k++)
            if (hs_method_matches(a.method_glob, c->methods[k]->name, c->methods[k]->desc)) {
                (a.common.json ? json : text)(&s.out, c, c->methods[k]);
                left--;
            }
    hs_cursor_close(classes);
    names_empty(&s, a.common.limit - left, a.common.limit,
                "method of that name: those of classes that were not woven are not kept");
    return session_close(&s, EXIT_DONE);
}
