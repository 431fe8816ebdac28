/* cmd_weave.c - `hindsight weave IN [-o OUT]`: the weaver over class files, directories and jars, without a JVM.
 *
 * For looking at what weaving does (javap), for tests over whole corpora, and to find classes that cannot be woven. The
 * woven classes run only in a JVM with the agent, which weaves by itself; so OUT is for looking, not for deploying. */
#include <string.h>
#include <sys/stat.h>

#include "weaver/tool/job.h"
#include "weaver/weave.h"

struct args {
    struct common common;
    const char *out, *weave;
    bool identity, twice;
};
static const struct option options[] = {
    { "output", 'o', "OUT", OPTION_TEXT, offsetof(struct args, out),
      "write what was woven: a file, directory or jar like IN" },
    { "weave", 'w', "G+G", OPTION_TEXT, offsetof(struct args, weave), "groups of events (default ALL)" },
    { "identity", 0, NULL, OPTION_FLAG, offsetof(struct args, identity),
      "only read and write each class, and compare" },
    { "twice", 0, NULL, OPTION_FLAG, offsetof(struct args, twice), "weave each class twice, and compare" },
    { 0 },
};
static const struct usage usage = {
    "IN [-o OUT] [--weave G+G] [--identity] [--twice]",
    "IN is a class file, a directory or a jar. Prints counts, and every class or method that could not take all its "
    "hooks.",
    "hindsight weave app.jar -o woven.jar --weave EXEC+CALL",
    options,
    1,
    false,
};

/* A reason for the list of what could not be woven. */
static void tell(struct job *j, struct text class_name, const struct method_row *m, const char *reason,
                 size_t reason_size)
{
    out_format(j->out, "%.*s%s%.*s%.*s: %.*s", (int)class_name.size, class_name.data, m != NULL ? "." : "",
               m != NULL ? (int)m->name.size : 0, m != NULL ? m->name.data : "", m != NULL ? (int)m->desc.size : 0,
               m != NULL ? m->desc.data : "", (int)reason_size, reason);
    if (m != NULL) {
        out_format(j->out, "; woven:");
        for (unsigned g = 0; g < GROUP_COUNT; g++)
            if (m->groups & (group_set)1 << g)
                out_format(j->out, " %s", group_name(g));
    }
    out_format(j->out, "\n");
}

static bool same_again(const struct job *j, const void *data, size_t size, const struct weave_config *config,
                       const struct writer *first)
{
    struct weave_result again;
    bool same = true;
    (void)j;
    if (weave_class(data, size, config, &again, NULL) == OK)
        same = again.bytes.size == first->size &&
               (first->size == 0 || memcmp(again.bytes.data, first->data, first->size) == 0);
    weave_result_done(&again);
    return same;
}

bool job_weave(struct job *j, const char *name, const void *data, size_t size, struct writer *woven)
{
    struct error err = { 0 };
    struct text label = { name, strlen(name) };
    j->t.classes++;
    j->t.bytes_in += size;
    if (j->identity) {
        enum status s = weave_identity(data, size, woven, &err);
        bool same = s == OK && woven->size == size && memcmp(woven->data, data, size) == 0;
        j->t.differ += s == OK && !same;
        j->t.failed += s != OK;
        if (s != OK)
            (void)cli_fail(EXIT_FAILED, "weave", "%s: %s", name, err.text);
        else if (!same)
            tell(j, label, NULL, "differs when read and written", 29);
        return s == OK;
    }
    struct weave_result r;
    struct weave_config config = {
        .groups = j->groups,
        .hook_class = "java/lang/HindsightHook",
        .hook_class_outline = "java/lang/HindsightHookOutline",
        .first_dataid = (uint32_t)(j->t.dataids & 0x3fffffff),
    };
    enum status s = weave_class(data, size, &config, &r, &err);
    if (s != OK) {
        j->t.failed++;
        (void)cli_fail(EXIT_FAILED, "weave", "%s: %s", name, err.text);
    } else {
        j->t.hooks += r.hook_calls;
        j->t.dataids += r.row.dataid_count;
        for (size_t i = 0; i < r.row.methods.count; i++) {
            const struct method_row *m = &r.row.methods.items[i];
            j->t.methods += m->code_length > 0;
            j->t.methods_narrowed += m->reason.size > 0 && m->groups != 0;
            j->t.methods_given_up += m->reason.size > 0 && m->groups == 0;
            if (m->reason.size > 0)
                tell(j, r.row.name, m, m->reason.data, m->reason.size);
        }
        if (j->twice && !same_again(j, data, size, &config, &r.bytes)) {
            j->t.differ++;
            tell(j, label, NULL, "differs when woven twice", 24);
        }
        if (r.bytes.size > 0)
            *woven = r.bytes, r.bytes = (struct writer){ 0 };
        else
            write_bytes(woven, data, size);
    }
    j->t.bytes_out += woven->size;
    weave_result_done(&r);
    return s == OK;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int cmd_weave(int argc, char **argv)
{
    struct args args = { 0 };
    int status = cli_parse(&usage, argc, argv, &args);
    if (status != PARSED)
        return status;
    if (args.common.argument_count != 1)
        return cli_fail(EXIT_USAGE, "weave", "a class file, a directory or a jar is needed; see hindsight weave -h");
    struct out out;
    struct job j = { .out = &out, .groups = GROUP_ALL, .identity = args.identity, .twice = args.twice };
    const char *bad;
    int length;
    if (args.weave != NULL && !group_set_parse(args.weave, &j.groups, &bad, &length))
        return cli_fail(EXIT_USAGE, "weave", "--weave %s: there is no group '%.*s'", args.weave, length, bad);
    if (!out_init(&out))
        return cli_fail(EXIT_FAILED, "weave", "out of memory");
    status = args.out != NULL && same_file(args.common.arguments[0], args.out)
                 ? cli_fail(EXIT_FAILED, "weave", "%s: OUT is IN; the input is never overwritten", args.out)
                 : weave_path(&j, args.common.arguments[0], args.out);
    if (j.t.classes > 1 || status == EXIT_DONE)
        out_format(&out,
                   "classes %llu methods %llu hooks %llu dataids %llu bytes %llu woven %llu failed %llu narrowed %llu "
                   "given up %llu differ %llu\n",
                   j.t.classes, j.t.methods, j.t.hooks, j.t.dataids, j.t.bytes_in, j.t.bytes_out, j.t.failed,
                   j.t.methods_narrowed, j.t.methods_given_up, j.t.differ);
    if (out_flush(&out) != 0 && status == EXIT_DONE)
        status = EXIT_FAILED;
    if (status == EXIT_DONE && (j.t.failed > 0 || j.t.differ > 0))
        status = EXIT_FAILED;
    out_done(&out);
    return status;
}
