/* cmd_source.c - `hindsight source`: the source file of a class. */
#include <string.h>

#include "reader/command/cli.h"
#include "reader/command/names.h"
#include "reader/command/source.h"

struct args {
    struct common common;
};
const struct usage usage_source = {
    .source = true,
    .about =
        "Prints the whole file that a recorded class was compiled from, or a file that other answers name as `file`. "
        "Which file that is stands in the class; --source says where files are.",
    .example = "hindsight source com.acme.Main --source src",
};

/* A file of a class; `class` NULL: none. */
struct source {
    const struct hs_class *class;
    const char *file; /* as in struct spot */
    const char *text;
    size_t size;
};

/* The source file of the first class that matches and has one. */
static bool find_class(struct session *s, const struct hs_class *c, const char *glob, struct source *out)
{
    return hs_class_matches(glob, c->name) && (out->text = sources_text(s->sources, c, NULL, &out->size)) != NULL;
}

/* The file of this name, by which lines of the class name it. */
static bool find_file(struct session *s, const struct hs_class *c, const char *name, struct source *out)
{
    const struct hs_dataid *d;
    const char *last = NULL;
    for (uint32_t i = 0; i < c->dataid_count; i++) {
        d = hs_dataid_get(s->trace, c->first_dataid + i);
        if (d == NULL || d->file == NULL || d->file == last)
            continue;
        last = d->file;
        const char *slash = strrchr(d->file, '/');
        if (strcmp(d->file, name) != 0 && (slash == NULL || strcmp(slash + 1, name) != 0))
            continue;
        out->file = d->file;
        out->text = sources_text(s->sources, c, d->file, &out->size);
        return true;
    }
    return false;
}

typedef bool find_fn(struct session *s, const struct hs_class *c, const char *name, struct source *out);

static struct source find(struct session *s, find_fn *fn, const char *name)
{
    struct source found = { 0 };
    const struct hs_class *c;
    hs_cursor *classes;
    if (hs_classes_open(s->trace, &classes, NULL) != 0)
        return found;
    while (found.class == NULL && hs_class_next(classes, &c, NULL) > 0)
        if (fn(s, c, name, &found))
            found.class = c;
    hs_cursor_close(classes);
    return found;
}

/* The digits of the number of lines. */
static int width_of(const char *text, size_t size)
{
    int width = 1;
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    while (lines >= 10) {
        lines /= 10;
        width++;
    }
    return width;
}

#define ROWS "reader/answers/source_lines.def"
#define ROW  const struct hs_class *c, const char *file, uint64_t number, const char *line, size_t size
#include "reader/answers/row.h"

int cmd_source(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    const char *name = NULL;
    char file[SOURCE_NAME_MAX];
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &name);
    if (name == NULL)
        return cli_fail(EXIT_USAGE, context, "expected a class or a file; see hindsight source -h");
    if (a.common.source == NULL)
        return cli_fail(EXIT_USAGE, context, "--source PATH:PATH says where source files are");
    if ((status = session_open(&s, context, &a.common, trace)) != PARSED)
        return status;
    struct source found = find(&s, find_class, name);
    if (found.class == NULL)
        found = find(&s, find_file, name);
    if (found.class == NULL && (status = names_class(&s, name)) != PARSED)
        return session_close(&s, status);
    if (found.text == NULL || !sources_name(found.class, found.file, file))
        return session_fail(&s, "%s: its source file is not in %s", name, a.common.source);
    const char *text = found.text;
    const size_t size = found.size;
    int width = width_of(text, size);
    uint64_t number = 0;
    for (size_t at = 0; at < size && number < a.common.limit;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t next = end != NULL ? (size_t)(end - text) : size;
        const char *line = text + at;
        const size_t length = next - at - (next > at && text[next - 1] == '\r');
        number++;
        if (a.common.json)
            source_lines_json(&s.out, found.class, file, number, line, length);
        else
            out_format(&s.out, "%*llu  %.*s\n", width, (unsigned long long)number, (int)length, line);
        at = next + 1;
    }
    return session_close(&s, EXIT_DONE);
}
