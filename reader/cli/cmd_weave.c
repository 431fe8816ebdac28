/* cmd_weave.c - `hindsight weave IN [-o OUT]`: weaves class files, directories and jars without a JVM.
 *
 * Used to look at woven code (javap), to test the weaver with many classes, to find classes that cannot be woven, and
 * to weave once what is recorded often (option prewoven= of the agent). Woven classes run only in a JVM with the
 * agent. */
#include <string.h>

#include "formats/jvm/classfile.h"
#include "reader/command/cli.h"
#include "weaver/tool/offline.h"

struct args {
    struct common common;
    const char *out, *weave;
    bool identity, twice;
};
static const struct option_row options[] = {
    { "output", 'o', "OUT", OPTION_FILE, offsetof(struct args, out),
      "write the woven classes: to a file, directory or jar like IN" },
    { "weave", 'w', "G+G", OPTION_GROUPS, offsetof(struct args, weave), "event groups, joined by + (default ALL)" },
    { "identity", 'i', NULL, OPTION_FLAG, offsetof(struct args, identity),
      "do not weave: read and write each class, and compare" },
    { "twice", 't', NULL, OPTION_FLAG, offsetof(struct args, twice), "weave each class twice, and compare" },
    { 0 },
};
const struct usage usage_weave = {
    .about =
        "IN is a class file, a directory or a jar. Prints each class or method that did not get all of its hooks, and "
        "why, then counts. A jar keeps its order, manifest, resources and times; signatures are left out, with a note. "
        "Beside "
        "a jar OUT is written OUT.woven, in a directory OUT hindsight.woven: with option prewoven=DIR of the agent, "
        "the "
        "directory that has such files, classes are not woven again when they are loaded. Woven classes run only with "
        "the agent.",
    .example = "hindsight weave app.jar -o woven.jar --weave EXEC+CALL",
    .options = options,
};

struct listing {
    struct context *context;
    struct out out;
    bool json;
    group_set groups; /* that were asked for */
};

/* A row of its JSON, but for the totals; texts without data are absent. */
struct weaving {
    struct text class_name, method, desc, reason;
    const char *groups, *note;
};

static void text_member(struct out *o, const char *name, struct text text)
{
    if (text.data == NULL)
        return;
    json_name(&o->json, name);
    json_text_n(&o->json, text.data, text.size);
}

#define TOTAL(member) (t != NULL ? (uint64_t)t->member : HS_NO_SEQ)
#define ROWS          "reader/answers/weavings.def"
#define ROW           const struct weaving *w, const struct offline_totals *t
#include "reader/answers/row.h"

/* As a row of not_woven of info: the groups are those that are missing. */
static void json_incomplete(struct listing *l, struct text class_name, const struct method_row *m, struct text reason)
{
    char groups[128];
    struct weaving w = { .class_name = class_name, .reason = reason, .groups = groups };
    group_set_text(m != NULL ? l->groups & ~m->groups : l->groups, groups, sizeof groups);
    if (m != NULL) {
        w.method = m->name;
        w.desc = m->desc;
    }
    weavings_json(&l->out, &w, NULL);
}

static void print_incomplete(void *context, struct text class_name, const struct method_row *m, struct text reason)
{
    struct listing *l = context;
    struct out *o = &l->out;
    if (l->json) {
        json_incomplete(l, class_name, m, reason);
        return;
    }
    struct writer parameters = { 0 };
    out_format(o, "%.*s", (int)class_name.size, class_name.data);
    if (m != NULL)
        out_format(o, ".%.*s", (int)m->name.size, m->name.data);
    if (m != NULL && descriptor_to_parameters(m->desc.data, m->desc.size, &parameters) && !parameters.bad)
        out_format(o, "%.*s", (int)parameters.size, (const char *)parameters.data);
    writer_free(&parameters);
    out_format(o, ": %.*s", (int)reason.size, reason.data);
    if (m != NULL) {
        out_text(o, "; woven:");
        for (unsigned g = 0; g < GROUP_COUNT; g++)
            if (m->groups & (group_set)1 << g)
                out_format(o, " %s", group_name(g));
    }
    out_char(o, '\n');
}

static void print_failed(void *context, const char *message)
{
    struct listing *l = context;
    if (l->json)
        weavings_json(&l->out, &(struct weaving){ .reason = { message, strlen(message) } }, NULL);
    (void)cli_fail(EXIT_FAILED, l->context, "%s", message);
}

static void print_note(void *context, const char *message)
{
    struct listing *l = context;
    if (l->json)
        weavings_json(&l->out, &(struct weaving){ .note = message }, NULL);
    else
        out_format(&l->out, "note: %s\n", message);
}

static void print_totals(struct out *o, const struct offline_totals *t)
{
    out_format(o,
               "classes %llu methods %llu hooks %llu dataids %llu bytes %llu woven %llu failed %llu narrowed %llu "
               "given up %llu differ %llu\n",
               t->classes, t->methods, t->hooks, t->dataids, t->bytes_in, t->bytes_out, t->failed, t->methods_narrowed,
               t->methods_given_up, t->differ);
}

int cmd_weave(struct context *context)
{
    struct args args = { 0 };
    struct listing listing = { .context = context };
    const char *bad;
    int length;
    int status = cli_parse(context, &args);
    if (status != PARSED)
        return status;
    if (args.common.argument_count != 1)
        return cli_fail(EXIT_USAGE, context, "expected one class file, directory or jar; see hindsight weave -h");
    struct offline offline = {
        .groups = GROUP_ALL,
        .identity = args.identity,
        .twice = args.twice,
        .incomplete = print_incomplete,
        .failed = print_failed,
        .note = print_note,
        .context = &listing,
    };
    if (args.weave != NULL && !group_set_parse(args.weave, &offline.groups, &bad, &length))
        return cli_fail(EXIT_USAGE, context, "--weave %s: unknown group '%.*s'", args.weave, length, bad);
    listing.json = args.common.json;
    listing.groups = offline.groups;
    if (!cli_out_init(&listing.out, context, &args.common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    bool ok = offline_weave(&offline, args.common.arguments[0], args.out);
    if (args.common.json)
        weavings_json(&listing.out, &(struct weaving){ 0 }, &offline.totals);
    else if (offline.totals.classes > 1 || ok)
        print_totals(&listing.out, &offline.totals);
    return cli_out_end(&listing.out, context, ok && offline.totals.differ == 0 ? EXIT_DONE : EXIT_FAILED);
}
