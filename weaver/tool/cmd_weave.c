/* cmd_weave.c - `hindsight weave IN [-o OUT]`: the weaver over class files, directories and jars, without a JVM.
 *
 * For looking at what weaving does (javap), for tests over whole corpora, and to find classes that cannot be woven. The
 * woven classes run only in a JVM with the agent, which weaves by itself; so OUT is for looking, not for deploying. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "reader/cli/cli.h"
#include "weaver/weave.h"

struct args {
    struct common common;
    const char *out, *weave;
    bool identity, twice;
};
static const struct option options[] = {
    { "output", 'o', "OUT", OPTION_TEXT, offsetof(struct args, out), "write what was woven: a file, directory or jar like IN" },
    { "weave", 'w', "G+G", OPTION_TEXT, offsetof(struct args, weave), "groups of events (default ALL)" },
    { "identity", 0, NULL, OPTION_FLAG, offsetof(struct args, identity), "only read and write each class, and compare" },
    { "twice", 0, NULL, OPTION_FLAG, offsetof(struct args, twice), "weave each class twice, and compare" },
    { 0 },
};
static const struct usage usage = {
    "IN [-o OUT] [--weave G+G] [--identity] [--twice]",
    "IN is a class file, a directory or a jar. Prints counts, and every class or method that could not take all its hooks.",
    "hindsight weave app.jar -o woven.jar --weave EXEC+CALL", options, 1, false,
};

struct totals {
    unsigned long long classes, methods, hooks, dataids, bytes_in, bytes_out, failed, methods_narrowed, methods_given_up, differ;
};

struct job {
    const struct args *args;
    struct out *out;
    group_set groups;
    struct totals t;
};

/* A reason for the list of what could not be woven. */
static void tell(struct job *j, struct text class_name, const struct method_row *m, const char *reason, size_t reason_size)
{
    out_format(j->out, "%.*s%s%.*s%.*s: %.*s", (int)class_name.size, class_name.data, m != NULL ? "." : "", m != NULL ? (int)m->name.size : 0,
            m != NULL ? m->name.data : "", m != NULL ? (int)m->desc.size : 0, m != NULL ? m->desc.data : "", (int)reason_size, reason);
    if (m != NULL) {
        out_format(j->out, "; woven:");
        for (unsigned g = 0; g < GROUP_COUNT; g++)
            if (m->groups & (group_set)1 << g)
                out_format(j->out, " %s", group_name(g));
    }
    out_format(j->out, "\n");
}

static bool same_again(const struct job *j, const void *data, size_t size, const struct weave_config *config, const struct writer *first)
{
    struct weave_result again;
    bool same = true;
    (void)j;
    if (weave_class(data, size, config, &again, NULL) == OK)
        same = again.bytes.size == first->size && (first->size == 0 || memcmp(again.bytes.data, first->data, first->size) == 0);
    weave_result_done(&again);
    return same;
}

/* Weaves one class; `woven` gets what to write (the original where nothing was woven). False: it is no valid class. */
static bool weave_one(struct job *j, const char *name, const void *data, size_t size, struct writer *woven)
{
    struct error err = { 0 };
    struct text label = { name, strlen(name) };
    j->t.classes++;
    j->t.bytes_in += size;
    if (j->args->identity) {
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
        .groups = j->groups, .hook_class = "java/lang/HindsightHook", .hook_class_outline = "java/lang/HindsightHookOutline",
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
        if (j->args->twice && !same_again(j, data, size, &config, &r.bytes)) {
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

static bool is_class(const char *name)
{
    size_t n = strlen(name);
    return n > 6 && strcmp(name + n - 6, ".class") == 0;
}

static bool read_file(const char *path, struct writer *w)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = fstat(fd, &st);
    while (n >= 0 && writer_reserve(w, w->size == 0 ? (size_t)st.st_size + 1 : 65536)) {
        n = read(fd, w->data + w->size, w->cap - w->size);
        if (n == 0)
            break;
        w->size += n > 0 ? (size_t)n : 0;
    }
    return close(fd) == 0 && n == 0 && !w->bad;
}

static bool write_file(const char *path, const struct writer *w)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    ssize_t n = 0;
    for (size_t at = 0; at < w->size && n >= 0; at += (size_t)n)
        n = write(fd, w->data + at, w->size - at);
    return close(fd) == 0 && n >= 0;
}

/* 0 done, else the exit status after an error was told. */
static int weave_path(struct job *j, const char *in, const char *out);

static int weave_file(struct job *j, const char *in, const char *out)
{
    struct writer data = { 0 }, woven = { 0 };
    int status = EXIT_DONE;
    if (!read_file(in, &data))
        status = cli_fail(EXIT_FAILED, "weave", "%s: %s", in, strerror(errno));
    else if (!weave_one(j, in, data.data, data.size, &woven))
        status = EXIT_FAILED;
    else if (out != NULL && !write_file(out, &woven))
        status = cli_fail(EXIT_FAILED, "weave", "%s: %s", out, strerror(errno));
    writer_free(&data);
    writer_free(&woven);
    return status;
}

static int weave_directory(struct job *j, const char *in, const char *out)
{
    int status = EXIT_DONE;
    if (out != NULL && mkdir(out, 0777) != 0 && errno != EEXIST)
        return cli_fail(EXIT_FAILED, "weave", "%s: %s", out, strerror(errno));
    struct dirent **names;
    int n = scandir(in, &names, NULL, alphasort);
    if (n < 0)
        return cli_fail(EXIT_FAILED, "weave", "%s: %s", in, strerror(errno));
    for (int i = 0; i < n; i++) {
        char from[4096], to[4096];
        const char *name = names[i]->d_name;
        struct stat st;
        (void)snprintf(from, sizeof from, "%s/%s", in, name);
        (void)snprintf(to, sizeof to, "%s/%s", out != NULL ? out : "", name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && stat(from, &st) == 0 && (S_ISDIR(st.st_mode) || is_class(name))) {
            int one = weave_path(j, from, out != NULL ? to : NULL);
            status = one != EXIT_DONE ? one : status;
        }
        free(names[i]);
    }
    free(names);
    return status;
}

/* Replaces entry `index`, or adds it to the copy. The bytes go to libzip, which frees them. */
static bool put_entry(zip_t *to, const char *name, time_t mtime, struct writer *w)
{
    zip_source_t *source = zip_source_buffer(to, w->data, w->size, 1);
    if (source == NULL)
        return false;
    *w = (struct writer){ 0 };
    zip_int64_t index = zip_file_add(to, name, source, ZIP_FL_ENC_UTF_8);
    if (index >= 0) /* the time of the original: the same input gives the same jar */
        return zip_file_set_mtime(to, (zip_uint64_t)index, mtime, 0) == 0;
    zip_source_free(source);
    return false;
}

static bool read_entry(zip_t *from, zip_uint64_t index, struct writer *w)
{
    zip_file_t *f = zip_fopen_index(from, index, 0);
    char buffer[65536];
    if (f == NULL)
        return false;
    zip_int64_t n;
    while ((n = zip_fread(f, buffer, sizeof buffer)) > 0)
        write_bytes(w, buffer, (size_t)n);
    return zip_fclose(f) == 0 && n == 0 && !w->bad;
}

static int weave_jar(struct job *j, const char *in, const char *out)
{
    int code = 0, status = EXIT_DONE;
    zip_t *from = zip_open(in, ZIP_RDONLY, &code), *to = NULL;
    if (from == NULL) {
        zip_error_t e;
        zip_error_init_with_code(&e, code);
        status = cli_fail(EXIT_FAILED, "weave", "%s: neither a class file nor a jar: %s", in, zip_error_strerror(&e));
        zip_error_fini(&e);
        return status;
    }
    if (out != NULL && (to = zip_open(out, ZIP_CREATE | ZIP_TRUNCATE, &code)) == NULL)
        status = cli_fail(EXIT_FAILED, "weave", "%s cannot be made", out);
    zip_int64_t count = zip_get_num_entries(from, 0);
    for (zip_int64_t i = 0; i < count && (status == EXIT_DONE || to == NULL); i++) {
        const char *name = zip_get_name(from, (zip_uint64_t)i, 0);
        struct writer data = { 0 }, woven = { 0 };
        zip_stat_t st;
        zip_stat_init(&st);
        (void)zip_stat_index(from, (zip_uint64_t)i, 0, &st);
        if (name == NULL || (!is_class(name) && to == NULL))
            continue;
        if (!read_entry(from, (zip_uint64_t)i, &data))
            status = cli_fail(EXIT_FAILED, "weave", "%s: entry %s cannot be read", in, name);
        else if (!is_class(name))
            woven = data, data = (struct writer){ 0 };
        else if (!weave_one(j, name, data.data, data.size, &woven))
            status = EXIT_FAILED;
        if (to != NULL && (status == EXIT_DONE || woven.size > 0) && !put_entry(to, name, st.valid & ZIP_STAT_MTIME ? st.mtime : 0, &woven))
            status = cli_fail(EXIT_FAILED, "weave", "%s: entry %s cannot be written", out, name);
        writer_free(&data);
        writer_free(&woven);
    }
    if (to != NULL && zip_close(to) != 0)
        status = cli_fail(EXIT_FAILED, "weave", "%s: %s", out, zip_strerror(to));
    zip_discard(from);
    return status;
}

static int weave_path(struct job *j, const char *in, const char *out)
{
    struct stat st;
    if (stat(in, &st) != 0)
        return cli_fail(EXIT_FAILED, "weave", "%s: %s", in, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return weave_directory(j, in, out);
    return is_class(in) ? weave_file(j, in, out) : weave_jar(j, in, out);
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
    struct job j = { .args = &args, .out = &out, .groups = GROUP_ALL };
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
        out_format(&out, "classes %llu methods %llu hooks %llu dataids %llu bytes %llu woven %llu failed %llu narrowed %llu given up %llu differ %llu\n", j.t.classes,
            j.t.methods, j.t.hooks, j.t.dataids, j.t.bytes_in, j.t.bytes_out, j.t.failed, j.t.methods_narrowed, j.t.methods_given_up, j.t.differ);
    if (out_flush(&out) != 0 && status == EXIT_DONE)
        status = EXIT_FAILED;
    if (status == EXIT_DONE && (j.t.failed > 0 || j.t.differ > 0))
        status = EXIT_FAILED;
    out_done(&out);
    return status;
}
