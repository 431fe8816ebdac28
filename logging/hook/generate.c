/* generate.c - generate TEMPLATE: the Java source of the hook class from its template and formats/hook.def, on standard
 * output. Run by the build.
 *
 * A line of the template that is `@CONSTANTS@` becomes the numbers that Java and C share, `@HOOKS@` the methods of the
 * rows HOOK whose shape is made of type letters; the template has the others. Of each row there are
 *
 *     SHAPE, SHAPE_r                   write the record (the template says how, in "records")
 *     trigger_SHAPE, trigger_SHAPE_r   hand the values to native code
 *     loop_SHAPE                       writes an entry of a counter (the template says how, in "entries")
 *
 * `@PUBLISH@` is a store that another thread must not see before those in front of it; no store behind the line
 * `@FENCE@` comes before it. On x86-64 all stores are in order: a plain one, and nothing. The machine is the build's.
 * test/litmus/orders.txt has each of them, and what would go wrong without it.
 *
 * With --idle the class is the one that takes its place while recording is stopped (IDLE in the template). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "formats/values.h"
#include "logging/hook/shared.h"

#ifdef __x86_64__
#define PUBLISH "U.putLong"
#define FENCE   ""
#else
#define PUBLISH "U.putLongRelease"
#define FENCE   "        U.storeFence();\n"
#endif

enum { VALUES_MAX = JOURNAL_RECORD_VALUES };
static const char names[] = "abce"; /* `d` is the descriptor */
_Static_assert(sizeof names == VALUES_MAX + 1, "one name for each value of a record");

/* By letter of a descriptor: the type in Java, and how its value becomes a long. */
static const struct type {
    char letter;
    const char *java, *before, *after;
} types[] = {
    { 'I', "int", "", "" },         { 'J', "long", "", "" },
    { 'F', "float", "bits(", ")" }, { 'D', "double", "Double.doubleToRawLongBits(", ")" },
    { 'L', "Object", "ref(", ")" },
};

static bool is_reference(const struct type *t) { return t->letter == 'L'; }

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

/* The values as longs, each behind a comma. */
static void put_values(const struct hook *h)
{
    for (unsigned i = 0; i < h->count; i++)
        printf(", %s%c%s", h->values[i]->before, names[i], h->values[i]->after);
}

/* Each followed by a comma: the values as parameters, and as arguments. */
static void put_parameters(const struct hook *h)
{
    for (unsigned i = 0; i < h->count; i++)
        printf("%s %c, ", h->values[i]->java, names[i]);
}
static void put_arguments(const struct hook *h)
{
    for (unsigned i = 0; i < h->count; i++)
        printf("%c, ", names[i]);
}

/* The rest of a condition: or the id of one of the objects is missing. */
static void put_unknown(const struct hook *h)
{
    for (unsigned i = 0; i < h->count; i++)
        if (is_reference(h->values[i]))
            printf(" || %c%c < 0", names[i], names[i]);
}

/* The head of a method, up to its body: PREFIX and the shape are its name. */
static void put_head(const char *modifiers, const char *prefix, const struct hook *h, bool release)
{
    printf("    @Hidden %s static void %s%s%s(", modifiers, prefix, h->shape, release ? "_r" : "");
    put_parameters(h);
    printf("int id) {");
}

/* The value as it stands in the record. */
static void put_stored(const struct hook *h, unsigned i)
{
    const struct type *t = h->values[i];
    if (is_reference(t))
        printf("%c%c", names[i], names[i]);
    else
        printf("%s%c%s", t->before, names[i], t->after);
}

/* Where there are counters, `put` has them. Else the record in line, unless something is missing: a descriptor, the id
 * of an object, or room. `slowly_SHAPE` is the only call, and gets the values as they are. */
static void put_record(const struct hook *h, bool release)
{
    put_head("public", "", h, release);
    if (h->count == 0 && !release)
        printf("\n        if (FRAMES) {\n            frame(id);\n            return;\n        }");
    printf("\n        if (COUNTER_ROOM != 0) {\n            put(id, %s", release ? "true" : "false");
    put_values(h);
    printf(");\n            return;\n        }\n        long d = desc(), p");
    for (unsigned i = 0; i < h->count; i++)
        if (is_reference(h->values[i]))
            printf(", %c%c = known(%c)", names[i], names[i], names[i]);
    printf(";\n        if (d == 0 || (p = U.getLong(null, d + POS)) >= U.getLong(null, d + LIMIT)");
    put_unknown(h);
    printf(") {\n            slowly_%s%s(", h->shape, release ? "_r" : "");
    put_arguments(h);
    printf("id);\n            return;\n        }\n"
           "        U.putLong(null, p, stamp(d, %s) << 32 | id);\n"
           "        if (TIMED)\n            U.putLong(null, p + 8, System.nanoTime());\n",
           release ? "true" : "false");
    for (unsigned i = 0; i < h->count; i++) {
        printf("        U.putLong(null, p + (HEAD + %u), ", 8 * i);
        put_stored(h, i);
        printf(");\n");
    }
    printf("        " PUBLISH "(null, d + POS, p + (HEAD + %u));\n    }\n", 8 * h->count);

    put_head("@DontInline private", "slowly_", h, release);
    printf(" put(id, %s", release ? "true" : "false");
    put_values(h);
    printf("); }\n");
}

/* loop_SHAPE: the entry in line, unless the id of an object or the counter is missing. */
static void put_loop(const struct hook *h, bool idle)
{
    printf("    @Hidden public static long loop_%s(", h->shape);
    put_parameters(h);
    printf("int id, long at, long number) {\n");
    if (idle) {
        printf("        return 0;\n    }\n");
    } else {
        for (unsigned i = 0; i < h->count; i++)
            if (is_reference(h->values[i]))
                printf("        long %c%c = known(%c);\n", names[i], names[i], names[i]);
        printf("        if (at == 0");
        put_unknown(h);
        printf(")\n            return loopSlowly_%s(", h->shape);
        put_arguments(h);
        printf("id, at, number);\n        %sentry(0, at, false);\n", h->count > 0 ? "long p = " : "");
        for (unsigned i = 0; i < h->count; i++) {
            printf("        U.putLong(null, p + %u, ", 8 * i);
            put_stored(h, i);
            printf(");\n");
        }
        printf("        return next(id, at, number, %u);\n    }\n", h->count);
    }
    printf("    @Hidden @DontInline private static long loopSlowly_%s(", h->shape);
    put_parameters(h);
    printf("int id, long at, long number) {\n");
    if (idle) {
        printf("        return 0;\n    }\n");
        return;
    }
    printf("        return loopSlowly(id, at, number, %u", h->count);
    put_values(h);
    for (unsigned i = h->count; i < VALUES_MAX; i++)
        printf(", 0");
    printf(");\n    }\n");
}

/* The same methods without a body, for a class that records nothing: JVMTI RedefineClasses replaces a class only by one
 * with the same methods. */
static void put_idle(const struct hook *h, bool release)
{
    put_head("@ForceInline public", "", h, release);
    printf("}\n");
    put_head("@DontInline private", "slowly_", h, release);
    printf("}\n");
}

static void put_trigger(const struct hook *h, bool release)
{
    put_head("@DontInline public", "trigger_", h, release);
    printf(" trigger(id, %s", release ? "true" : "false");
    put_values(h);
    for (unsigned i = h->count; i < VALUES_MAX; i++)
        printf(", 0");
    printf("); }\n");
}

static void put_hooks(bool idle)
{
    static const struct {
        const char *shape, *descriptor;
    } rows[] = {
#define HOOK(shape, descriptor) { #shape, descriptor },
#include "formats/hook.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hook h = parse(rows[i].shape, rows[i].descriptor);
        if (!is_plain(&h))
            continue;
        for (int release = 0; release < 2; release++) {
            if (idle)
                put_idle(&h, release);
            else
                put_record(&h, release);
            put_trigger(&h, release);
        }
        put_loop(&h, idle);
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

static void put_line(const char *line)
{
    static const char word[] = "@PUBLISH@";
    const char *found = strstr(line, word);
    if (found == NULL)
        (void)fputs(line, stdout);
    else
        printf("%.*s" PUBLISH "%s", (int)(found - line), line, found + strlen(word));
}

int main(int argc, char **argv)
{
    char line[1024];
    const bool idle = argc == 3 && strcmp(argv[1], "--idle") == 0;
    if (argc != 2 + idle)
        fail("usage", "generate [--idle] TEMPLATE, logging/hook/java/lang/HindsightHook.java.in");
    FILE *f = fopen(argv[argc - 1], "r");
    if (f == NULL)
        fail(argv[argc - 1], "cannot be read");
    while (fgets(line, sizeof line, f) != NULL) {
        const char *word = line + strspn(line, " ");
        if (strcmp(word, "@CONSTANTS@\n") == 0)
            put_constants(idle);
        else if (strcmp(word, "@HOOKS@\n") == 0)
            put_hooks(idle);
        else if (strcmp(word, "@FENCE@\n") == 0)
            (void)fputs(FENCE, stdout);
        else
            put_line(line);
    }
    (void)fclose(f);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
