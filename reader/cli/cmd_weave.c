/* cmd_weave.c - `hindsight weave IN [-o OUT]`: weaves class files, directories and jars without a JVM.
 *
 * Used to look at woven code (javap), to test the weaver with many classes, to find classes that cannot be woven, and
 * to weave once what is recorded often (option prewoven= of the agent). Woven classes run only in a JVM with the agent.
 */
#include <string.h>

#include "formats/jvm/classfile.h"
#include "reader/cli/cli.h"
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
        "IN is a class file, a directory or a jar. Prints counts, and each class or method that did not get all of "
        "its hooks. A jar keeps its order, manifest, resources and times; signatures are left out, with a note. Beside "
        "a jar OUT is written OUT.woven, in a directory OUT hindsight.woven: with option prewoven=DIR of the agent, "
        "the "
        "directory that has such files, classes are not woven again when they are loaded. Woven classes run only with "
        "the agent.",
    .example = "hindsight weave app.jar -o woven.jar --weave EXEC+CALL",
    .options = options,
};

static void print_incomplete(void *context, struct text class_name, const struct method_row *m, struct text reason)
{
    struct out *o = context;
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
    (void)context;
    (void)cli_fail(EXIT_FAILED, "weave", "%s", message);
}

static void print_note(void *context, const char *message) { out_format(context, "note: %s\n", message); }

static void print_totals(struct out *o, const struct offline_totals *t)
{
    out_format(o,
               "classes %llu methods %llu hooks %llu dataids %llu bytes %llu woven %llu failed %llu narrowed %llu "
               "given up %llu differ %llu\n",
               t->classes, t->methods, t->hooks, t->dataids, t->bytes_in, t->bytes_out, t->failed, t->methods_narrowed,
               t->methods_given_up, t->differ);
}

int cmd_weave(int argc, char **argv)
{
    struct args args = { 0 };
    struct out out;
    const char *bad;
    int length;
    int status = cli_parse(argc, argv, &args);
    if (status != PARSED)
        return status;
    if (args.common.argument_count != 1)
        return cli_fail(EXIT_USAGE, argv[0], "expected one class file, directory or jar; see hindsight weave -h");
    struct offline offline = {
        .groups = GROUP_ALL,
        .identity = args.identity,
        .twice = args.twice,
        .incomplete = print_incomplete,
        .failed = print_failed,
        .note = print_note,
        .context = &out,
    };
    if (args.weave != NULL && !group_set_parse(args.weave, &offline.groups, &bad, &length))
        return cli_fail(EXIT_USAGE, argv[0], "--weave %s: unknown group '%.*s'", args.weave, length, bad);
    if (!cli_out_init(&out, &args.common))
        return cli_fail(EXIT_FAILED, argv[0], "out of memory");
    bool ok = offline_weave(&offline, args.common.arguments[0], args.out);
    if (offline.totals.classes > 1 || ok)
        print_totals(&out, &offline.totals);
    return cli_out_end(&out, argv[0], ok && offline.totals.differ == 0 ? EXIT_DONE : EXIT_FAILED);
}
