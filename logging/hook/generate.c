/* generate.c - generate TEMPLATE: the Java source of a hook class from its template and formats/hook.def, on standard
 * output. Run by the build.
 *
 * A line of the template that is `@CONSTANTS@` becomes the numbers that Java and C share, `@HOOKS@` the methods of the
 * rows HOOK, two a row. What a method does depends on the class:
 *
 *     HindsightHook          writes the record
 *     HindsightHookOutline   calls the method of HindsightHook
 *     HindsightHookTrigger   hands the values to native code
 *
 * With --idle the class is the one that takes its place while recording is stopped (IDLE in the template).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "logging/hook/shared.h"

enum { VALUES_MAX = 4, TRIGGER_VALUES = 3 };
static const char names[VALUES_MAX + 1] = "abce"; /* `d` is the descriptor */

/* By letter of a descriptor: the type in Java, and how its value becomes a long. */
static const struct type {
    char letter;
    const char *java, *before, *after;
    bool helper; /* `before` is a method of HindsightHook */
} types[] = {
    { 'I', "int", "", "", false },        { 'J', "long", "", "", false },
    { 'F', "float", "bits(", ")", true }, { 'D', "double", "Double.doubleToRawLongBits(", ")", false },
    { 'L', "Object", "ref(", ")", true },
};

struct hook {
    const char *shape;
    const struct type *values[VALUES_MAX];
    unsigned count;
};

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "generate: %s: %s\n", what, why);
    exit(1);
}

static const struct type *type_of(char letter)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].letter == letter)
            return &types[i];
    return NULL;
}

/* "(ILjava/lang/Object;I)V": values, then the data ID. */
static struct hook parse(const char *shape, const char *descriptor)
{
    struct hook h = { .shape = shape };
    const struct type *found[VALUES_MAX + 1];
    unsigned n = 0;
    const char *p = descriptor + 1;
    for (; *p != ')'; p++) {
        if (n == VALUES_MAX + 1 || (found[n] = type_of(*p)) == NULL)
            fail(shape, "a descriptor of at most four values of types IJFDL and the data ID is expected");
        if (*p == 'L')
            p = strchr(p, ';');
        n++;
    }
    if (n == 0 || found[n - 1]->letter != 'I' || strcmp(p, ")V") != 0)
        fail(shape, "the descriptor does not end in the data ID");
    h.count = n - 1;
    memcpy(h.values, found, h.count * sizeof *found);
    return h;
}

/* True if the shape is the letters of its values, so that the body can be generated. */
static bool is_plain(const struct hook *h)
{
    if (strcmp(h->shape, "v") == 0)
        return h->count == 0;
    for (unsigned i = 0; i < h->count; i++)
        if (h->shape[i] != h->values[i]->letter + ('a' - 'A'))
            return false;
    return h->shape[h->count] == '\0';
}

static void put_value(const struct hook *h, unsigned i, const char *class)
{
    const struct type *t = h->values[i];
    printf(", %s%s%c%s", t->helper ? class : "", t->before, names[i], t->after);
}

static void put_record(const struct hook *h, bool release)
{
    printf("if (!IDLE) put(id, %s", release ? "true" : "false");
    for (unsigned i = 0; i < h->count; i++)
        put_value(h, i, "");
    printf(")");
}

static void put_call(const struct hook *h, bool release)
{
    printf("HindsightHook.%s%s(", h->shape, release ? "_r" : "");
    for (unsigned i = 0; i < h->count; i++)
        printf("%c, ", names[i]);
    printf("id)");
}

static void put_trigger(const struct hook *h, bool release)
{
    printf("HindsightHook.trigger(id, %s", release ? "true" : "false");
    for (unsigned i = 0; i < h->count; i++)
        put_value(h, i, "HindsightHook.");
    for (unsigned i = h->count; i < TRIGGER_VALUES; i++)
        printf(", 0");
    printf(")");
}

static const struct hook_class {
    const char *file, *inlining;
    bool every; /* also the rows whose shape is not made of type letters; else the template has their methods */
    void (*put)(const struct hook *h, bool release);
} classes[] = {
    { "HindsightHook.java.in", "@ForceInline", false, put_record },
    { "HindsightHookOutline.java.in", "@DontInline", true, put_call },
    { "HindsightHookTrigger.java.in", "@DontInline", false, put_trigger },
};

static void put_method(const struct hook_class *c, const struct hook *h, bool release)
{
    printf("    %s public static void %s%s(", c->inlining, h->shape, release ? "_r" : "");
    for (unsigned i = 0; i < h->count; i++)
        printf("%s %c, ", h->values[i]->java, names[i]);
    printf("int id) { ");
    c->put(h, release);
    printf("; }\n");
}

static void put_hooks(const struct hook_class *c)
{
    static const struct {
        const char *shape, *descriptor;
    } rows[] = {
#define HOOK(shape, descriptor) { #shape, descriptor },
#include "formats/hook.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hook h = parse(rows[i].shape, rows[i].descriptor);
        if (!c->every && !is_plain(&h))
            continue;
        put_method(c, &h, false);
        put_method(c, &h, true);
    }
}

static void put_constants(bool idle)
{
    static const struct {
        const char *type, *name;
        int64_t value;
    } rows[] = {
#define FIELD(name, field)        { "long", #name, offsetof(struct thread_desc, field) },
#define NUMBER(type, name, value) { #type, #name, value },
#define SETTING(name, meaning)    { "int", "SETTING_" #name, SETTING_##name },
#include "formats/hook.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("    private static final %s %s = %lld%s;\n", rows[i].type, rows[i].name, (long long)rows[i].value,
               strcmp(rows[i].type, "long") == 0 ? "L" : "");
    printf("    private static final boolean IDLE = %s;\n", idle ? "true" : "false");
}

static const struct hook_class *class_of(const char *path)
{
    const char *file = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].file, file) == 0)
            return &classes[i];
    return NULL;
}

int main(int argc, char **argv)
{
    char line[1024];
    const bool idle = argc == 3 && strcmp(argv[1], "--idle") == 0;
    const struct hook_class *c = argc == 2 + idle ? class_of(argv[argc - 1]) : NULL;
    if (c == NULL)
        fail("usage", "generate [--idle] TEMPLATE, a template of logging/hook/java/lang");
    FILE *f = fopen(argv[argc - 1], "r");
    if (f == NULL)
        fail(argv[argc - 1], "cannot be read");
    while (fgets(line, sizeof line, f) != NULL) {
        const char *word = line + strspn(line, " ");
        if (strcmp(word, "@CONSTANTS@\n") == 0)
            put_constants(idle);
        else if (strcmp(word, "@HOOKS@\n") == 0)
            put_hooks(c);
        else
            (void)fputs(line, stdout);
    }
    (void)fclose(f);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
