/* source.c - see source.h. Files are read when a line of them is asked for, and kept (bounded, KEPT_BYTES). */
#include "reader/command/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/command/source_find.h"

enum { FILE_BYTES_MAX = 16 << 20, KEPT_BYTES = 256 << 20, LINE_BYTES_MAX = 300, SAME_NAME_MAX = 20 };

/* One of the paths. */
struct place {
    char *path;
    zip_t *archive; /* NULL: a directory */
};
struct source_file {
    char *name;
    char *path; /* of the file; NULL: it is not there, or in an archive */
    char *text; /* NULL: not there */
    size_t size;
    VEC(size_t) lines; /* where each line begins */
};
struct sources {
    struct context *context;
    VEC(struct place) places;
    VEC(struct source_file) files;
    u32_vec of_class;           /* by class number: 1 + its source file; 0: not looked for */
    struct listed_files listed; /* all files, once one was missing */
    bool has_listed;
    size_t kept; /* bytes of texts */
    bool missed; /* a missing file was reported */
    char line[LINE_BYTES_MAX + sizeof "..."];
};

/* ---- paths ---- */

static int add_place(struct sources *s, const char *path, size_t n)
{
    struct stat info;
    int why = 0;
    struct place *p = vec_push(&s->places);
    if (p == NULL)
        return cli_fail(EXIT_FAILED, s->context, "out of memory");
    *p = (struct place){ .path = strndup(path, n) };
    if (p->path == NULL)
        return cli_fail(EXIT_FAILED, s->context, "out of memory");
    if (stat(p->path, &info) != 0)
        return cli_fail(EXIT_FAILED, s->context, "--source %s: %s", p->path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return PARSED;
    if (S_ISREG(info.st_mode))
        p->archive = zip_open(p->path, ZIP_RDONLY, &why);
    return p->archive != NULL
               ? PARSED
               : cli_fail(EXIT_FAILED, s->context, "--source %s: is neither a directory nor a jar or zip", p->path);
}

int sources_open(struct context *context, const char *paths, struct sources **out)
{
    struct sources *s = calloc(1, sizeof *s);
    int status = PARSED;
    if (s == NULL)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    s->context = context;
    for (const char *p = paths; *p != '\0' && status == PARSED;) {
        size_t n = strcspn(p, ":");
        if (n > 0)
            status = add_place(s, p, n);
        p += n + (p[n] == ':');
    }
    if (status == PARSED && s->places.count == 0)
        status = cli_fail(EXIT_USAGE, context, "--source wants directories, jars or zips, separated by colons");
    if (status != PARSED) {
        sources_close(s);
        return status;
    }
    *out = s;
    return PARSED;
}

static void drop_files(struct sources *s)
{
    for (size_t i = 0; i < s->files.count; i++) {
        free(s->files.items[i].name);
        free(s->files.items[i].path);
        free(s->files.items[i].text);
        vec_free(&s->files.items[i].lines);
    }
    vec_free(&s->files);
    vec_free(&s->of_class);
    s->kept = 0;
}

void sources_close(struct sources *s)
{
    if (s == NULL)
        return;
    drop_files(s);
    listed_done(&s->listed);
    for (size_t i = 0; i < s->places.count; i++) {
        if (s->places.items[i].archive != NULL)
            zip_discard(s->places.items[i].archive);
        free(s->places.items[i].path);
    }
    vec_free(&s->places);
    free(s);
}

/* ---- files ---- */

/* Does it lead from a folder to something below it? */
static bool leads_down(const char *path)
{
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += part != path;
        const size_t n = strcspn(part, "/");
        if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && memcmp(part, "..", 2) == 0))
            return false;
    }
    return true;
}

/* Of SourceDebugExtension: it has its folder. */
static bool name_of_file(const char *file, char name[SOURCE_NAME_MAX])
{
    const int n = snprintf(name, SOURCE_NAME_MAX, "%s", file);
    return n >= 0 && n < SOURCE_NAME_MAX && leads_down(file);
}

bool sources_name(const struct hs_class *c, const char *file, char name[SOURCE_NAME_MAX])
{
    if (file != NULL)
        return name_of_file(file, name);
    const char *dot = strrchr(c->name, '.');
    size_t package = dot != NULL ? (size_t)(dot - c->name) + 1 : 0;
    if (*c->source_file == '\0' || strchr(c->source_file, '/') != NULL || strcmp(c->source_file, "..") == 0 ||
        memchr(c->name, '/', package) != NULL)
        return false;
    int n = snprintf(name, SOURCE_NAME_MAX, "%.*s%s", (int)package, c->name, c->source_file);
    if (n < 0 || n >= SOURCE_NAME_MAX)
        return false;
    for (size_t i = 0; i < package; i++)
        if (name[i] == '.')
            name[i] = '/';
    return true;
}

/* Reads what `step` gives, at most FILE_BYTES_MAX; NULL: more, or it failed. */
static char *read_all(int64_t (*step)(void *from, void *to, size_t n), void *from, size_t *size)
{
    VEC(char) text = { 0 };
    int64_t got = 1;
    while (got > 0 && text.count <= FILE_BYTES_MAX) {
        if (!vec_reserve(&text, text.count + 65536)) {
            got = -1;
            break;
        }
        got = step(from, text.items + text.count, 65536);
        text.count += got > 0 ? (size_t)got : 0;
    }
    if (got != 0) {
        vec_free(&text);
        return NULL;
    }
    *size = text.count;
    return text.items;
}

static int64_t step_file(void *from, void *to, size_t n) { return read(*(int *)from, to, n); }
static int64_t step_entry(void *from, void *to, size_t n) { return zip_fread(from, to, n); }

static char *read_from_directory(const char *directory, const char *name, size_t *size)
{
    char path[2 * SOURCE_NAME_MAX];
    struct stat info;
    int n = snprintf(path, sizeof path, "%s/%s", directory, name);
    int fd = n > 0 && (size_t)n < sizeof path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    char *text = NULL;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        text = read_all(step_file, &fd, size);
    (void)close(fd);
    return text;
}

/* The entry of this name, or below one folder (a module); -1: there is none. */
static zip_int64_t find_entry(zip_t *archive, const char *name)
{
    zip_int64_t entry = zip_name_locate(archive, name, 0), count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; entry < 0 && i < count; i++) {
        const char *have = zip_get_name(archive, (zip_uint64_t)i, 0), *slash = have != NULL ? strchr(have, '/') : NULL;
        if (slash != NULL && strcmp(slash + 1, name) == 0)
            entry = i;
    }
    return entry;
}

static char *read_from_archive(zip_t *archive, const char *name, size_t *size)
{
    zip_int64_t entry = find_entry(archive, name);
    zip_file_t *file = entry >= 0 ? zip_fopen_index(archive, (zip_uint64_t)entry, 0) : NULL;
    if (file == NULL)
        return NULL;
    char *text = read_all(step_entry, file, size);
    (void)zip_fclose(file);
    return text;
}

static bool find_lines(struct source_file *f)
{
    size_t at = 0;
    while (at < f->size) {
        size_t *begin = vec_push(&f->lines);
        if (begin == NULL)
            return false;
        *begin = at;
        const char *end = memchr(f->text + at, '\n', f->size - at);
        at = end != NULL ? (size_t)(end - f->text) + 1 : f->size;
    }
    return true;
}

/* Reads it from a place, where its path is `name`. */
static void load_from(struct source_file *f, const struct place *p, const char *name)
{
    f->text = p->archive != NULL ? read_from_archive(p->archive, name, &f->size)
                                 : read_from_directory(p->path, name, &f->size);
    if (f->text != NULL && p->archive == NULL && asprintf(&f->path, "%s/%s", p->path, name) < 0)
        f->path = NULL;
}

/* By its name alone, if there is one such file of its package; returns how many there are. */
static size_t load_by_name(struct sources *s, struct source_file *f)
{
    const char *slash = strrchr(f->name, '/');
    size_t count, fit = 0;
    for (size_t i = 0; i < s->places.count && !s->has_listed; i++)
        if (!listed_add(&s->listed, i, s->places.items[i].path, s->places.items[i].archive))
            break;
    if (!s->has_listed)
        listed_sort(&s->listed);
    s->has_listed = true;
    const struct listed_file *named = listed_named(&s->listed, slash != NULL ? slash + 1 : f->name, &count);
    if (count > SAME_NAME_MAX)
        return count;
    for (size_t i = 0; i < count && !s->listed.cut; i++) {
        struct source_file other = { 0 };
        load_from(&other, &s->places.items[named[i].place], named[i].path);
        const bool fits = other.text != NULL && !declares_other_package(other.text, other.size, f->name);
        fit += fits;
        struct source_file *drop = fits && fit == 1 ? f : &other;
        free(drop->text);
        free(drop->path);
        if (drop == f) {
            f->text = other.text;
            f->path = other.path;
            f->size = other.size;
        }
    }
    if (fit == 1)
        return 1;
    free(f->text);
    free(f->path);
    f->text = f->path = NULL;
    return fit;
}

static void load(struct sources *s, struct source_file *f)
{
    size_t named = 0;
    for (size_t i = 0; i < s->places.count && f->text == NULL; i++)
        load_from(f, &s->places.items[i], f->name);
    if (f->text == NULL)
        named = load_by_name(s, f);
    if (f->text != NULL && find_lines(f)) {
        s->kept += f->size;
        return;
    }
    if (!s->missed)
        (void)cli_fail(
            0, s->context,
            "--source: there is no %s%s, and perhaps other files are missing as well; a place is the folder in which "
            "packages begin",
            f->name, named > 1 ? " (several files elsewhere have its name)" : "");
    s->missed = true;
}

void sources_guessed(struct sources *s) { s->missed = true; }

/* The position of the file in `files`, read if it was not; SIZE_MAX: there is no memory for it. */
static size_t file_of(struct sources *s, const char *name)
{
    for (size_t i = 0; i < s->files.count; i++)
        if (strcmp(s->files.items[i].name, name) == 0)
            return i;
    struct source_file *f = vec_push(&s->files);
    if (f == NULL)
        return SIZE_MAX;
    *f = (struct source_file){ .name = strdup(name) };
    if (f->name == NULL) {
        s->files.count--;
        return SIZE_MAX;
    }
    load(s, f);
    return s->files.count - 1;
}

static const struct source_file *file_at(struct sources *s, const struct hs_class *c, const char *file)
{
    char name[SOURCE_NAME_MAX];
    if (s->kept > KEPT_BYTES)
        drop_files(s);
    if (file != NULL) {
        const size_t at = sources_name(c, file, name) ? file_of(s, name) : SIZE_MAX;
        return at != SIZE_MAX ? &s->files.items[at] : NULL;
    }
    if (!vec_extend(&s->of_class, (size_t)c->class_no + 1))
        return NULL;
    if (s->of_class.items[c->class_no] == 0) {
        const size_t at = sources_name(c, NULL, name) ? file_of(s, name) : SIZE_MAX;
        if (at == SIZE_MAX)
            return NULL;
        s->of_class.items[c->class_no] = (uint32_t)at + 1;
    }
    return &s->files.items[s->of_class.items[c->class_no] - 1];
}

const char *sources_text(struct sources *s, const struct hs_class *c, const char *file, size_t *size)
{
    const struct source_file *f = file_at(s, c, file);
    if (f == NULL || f->text == NULL)
        return NULL;
    *size = f->size;
    return f->text;
}

const char *sources_path(struct sources *s, const struct hs_class *c, const char *file)
{
    const struct source_file *f = file_at(s, c, file);
    return f != NULL && f->text != NULL ? f->path : NULL;
}

const char *sources_line(void *sources, const struct hs_class *c, struct spot spot)
{
    struct sources *s = sources;
    const int32_t line = spot.line;
    const struct source_file *f = c != NULL && line > 0 ? file_at(s, c, spot.file) : NULL;
    if (f == NULL || f->text == NULL || (size_t)line > f->lines.count)
        return NULL;
    const char *text = f->text + f->lines.items[line - 1];
    size_t n = (size_t)line < f->lines.count ? f->lines.items[line] - f->lines.items[line - 1]
                                             : f->size - f->lines.items[line - 1];
    while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL)
        n--;
    while (n > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        n--;
    }
    bool cut = n > LINE_BYTES_MAX;
    if (cut)
        n = LINE_BYTES_MAX;
    while (cut && n > 0 && (text[n] & 0xc0) == 0x80) /* not in the middle of a character */
        n--;
    for (size_t i = 0; i < n; i++)
        s->line[i] = text[i] == '\t' ? ' ' : text[i] != '\0' ? text[i] : '\001'; /* shown escaped */
    (void)snprintf(s->line + n, sizeof s->line - n, "%s", cut ? "..." : "");
    return n > 0 ? s->line : NULL;
}
