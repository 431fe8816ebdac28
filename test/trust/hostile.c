/* hostile.c - traces that no recorder writes, with every checksum right: hostile IN OUT NAME (hostile.def); `hostile`
 * alone lists the names, each with what fsck says of it.
 *
 * Every row is copied into a new store; a class that is changed gets the row that its new class file demands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/jvm/classfile.h"
#include "test/fsck/copy_trace.h"

enum { LEVELS = 40, DEEP = 100000, ROWS_FROM = 1000000, NO_PLACE = 3 };

struct hostile {
    hs_trace *in;
    const char *name;
    unsigned places;
};

static bool is(const struct hostile *h, const char *name) { return strcmp(h->name, name) == 0; }

/* ---- classes ---- */

static void put2(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* The constant of the pool that names the class; 0 none. */
static uint32_t class_constant(const struct classfile *cf, const char *name)
{
    struct text text;
    for (uint32_t i = 1; i < cf->cp.count; i++)
        if (cpool_class(&cf->cp, i, &text) && text_is(text, name))
            return i;
    return 0;
}

/* Derived extends itself; or Base extends Derived too. Where the superclass stands in the file: behind this_class, in
 * front of the interfaces. */
static bool change_super(const struct hostile *h, struct class_row *row, const struct classfile *cf, uint8_t *bytes)
{
    const bool itself = is(h, "class_itself");
    const uint32_t super = class_constant(cf, "Derived");
    if (!text_is(row->name, itself ? "Derived" : "Base") || super == 0)
        return false;
    put2(bytes + (cf->interfaces - 4 - (const uint8_t *)bytes), super);
    row->super = TEXT_OF("Derived");
    return true;
}

/* `sipush n; ixor` again and again becomes a loop that counts down on the operand stack:
 *     sipush 32767; sipush 100; imul; L: iconst_1; isub; dup; ifne L; pop; nop ... */
static bool change_code(uint8_t *bytes, size_t size)
{
    static const uint8_t loop[] = { 0x11, 0x7f, 0xff, 0x11, 0, 100, 0x68, 0x04, 0x64, 0x59, 0x9a, 0xff, 0xfd, 0x57 };
    enum { SIPUSH = 0x11, IXOR = 0x82, EACH = 4, TIMES = 5 };
    for (size_t at = 0; at + TIMES * EACH <= size; at++) {
        size_t n = 0;
        while (n < TIMES && bytes[at + n * EACH] == SIPUSH && bytes[at + n * EACH + 3] == IXOR)
            n++;
        if (n < TIMES)
            continue;
        memset(bytes + at, 0, TIMES * EACH);
        memcpy(bytes + at, loop, sizeof loop);
        return true;
    }
    return false;
}

/* Of the code of a method, which stands behind max_stack, max_locals and its length in the attribute Code. */
static uint64_t code_hash(const struct classfile *cf, const struct member *m, uint32_t length)
{
    const struct attribute *code = classfile_attribute(cf, m->first_attribute, m->attribute_count, "Code");
    return code != NULL && code->length >= 8 + length ? XXH64(code->data + 8, length, 0) : 0;
}

/* The class file in `bytes` and its row, both changed if they are those. */
static bool change_class(struct hostile *h, struct class_row *row, uint8_t *bytes, size_t size)
{
    struct classfile cf = { 0 };
    struct error err;
    bool changed = false;
    if (row->state != CLASS_WOVEN || classfile_read(&cf, bytes, size, &err) != OK)
        return false;
    if (is(h, "class_itself") || is(h, "class_circle"))
        changed = change_super(h, row, &cf, bytes);
    else if (is(h, "silent_loop"))
        changed = change_code(bytes, size);
    for (size_t i = 0; changed && i < cf.methods.count && i < row->methods.count; i++)
        if (row->methods.items[i].code_length > 0)
            row->methods.items[i].hash = code_hash(&cf, &cf.methods.items[i], row->methods.items[i].code_length);
    classfile_done(&cf);
    row->hash = changed ? XXH64(bytes, size, 0) : row->hash;
    return changed;
}

/* Writes the class file or the row of class `number`; false: as it was. */
static bool copy_class(struct hostile *h, enum schema_db db, uint32_t number, struct writer *w, struct error *err)
{
    struct text file, bytes;
    struct class_row row = { 0 };
    bool changed = false;
    if (env_get(&h->in->env, DB_CLASSFILE, number, &file, err) != OK)
        return false;
    uint8_t *copy = malloc(file.size + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, file.data, file.size);
    const size_t size = file.size;
    if (env_get(&h->in->env, DB_CLASS, number, &bytes, err) == OK &&
        class_row_decode(bytes.data, bytes.size, &row, err) == OK) {
        changed = change_class(h, &row, copy, size);
        if (changed && db == DB_CLASS)
            class_row_encode(&row, w);
        else if (changed)
            write_bytes(w, copy, size);
        h->places += changed;
        class_row_done(&row);
    }
    free(copy);
    return changed;
}

/* ---- classes that are not woven ---- */

static enum status put_row(struct store *out, uint32_t number, const char *name, const char *super,
                           const char *const interfaces[2], struct error *err)
{
    struct hierarchy_row row = { .name = { name, strlen(name) }, .super = { super, strlen(super) } };
    struct writer w = { 0 };
    for (int i = 0; interfaces != NULL && i < 2; i++)
        *(struct text *)vec_push(&row.interfaces) = (struct text){ interfaces[i], strlen(interfaces[i]) };
    hierarchy_row_encode(&row, &w);
    enum status st = store_put(out, DB_HIERARCHY, number, w.data, w.size, err);
    hierarchy_row_done(&row);
    writer_free(&w);
    return st;
}

/* strange/L0 to L39, strange/R0 to R39: each extends both of the next level, those of the last level each other. */
static enum status put_interfaces(struct store *out, struct error *err)
{
    enum status st = OK;
    for (unsigned i = 0; i < 2 * LEVELS && st == OK; i++) {
        char name[40], left[40], right[40];
        const unsigned next = i / 2 + 1 < LEVELS ? i / 2 + 1 : i / 2;
        (void)snprintf(name, sizeof name, "strange/%c%u", i % 2 ? 'R' : 'L', i / 2);
        (void)snprintf(left, sizeof left, "strange/L%u", next);
        (void)snprintf(right, sizeof right, "strange/R%u", next);
        st = put_row(out, ROWS_FROM + i, name, "", (const char *const[]){ left, right }, err);
    }
    return st;
}

static enum status put_deep(struct store *out, struct error *err)
{
    enum status st = OK;
    for (unsigned i = 0; i < DEEP && st == OK; i++) {
        char name[40], super[40];
        (void)snprintf(name, sizeof name, "strange/D%u", i);
        (void)snprintf(super, sizeof super, "strange/D%u", i + 1);
        st = put_row(out, ROWS_FROM + i, name, i + 1 < DEEP ? super : "java/lang/Object", NULL, err);
    }
    return st;
}

/* The row of a class or interface that is not woven, changed to lead to the strange ones. */
static enum status copy_known(struct hostile *h, struct store *out, uint32_t number, struct text value,
                              struct error *err)
{
    struct hierarchy_row row;
    struct writer w = { 0 };
    enum status st = hierarchy_row_decode(value.data, value.size, &row, err);
    if (st != OK)
        return st;
    const bool is_class = row.super.size > 0;
    if (is(h, "known_itself") && is_class)
        row.super = row.name;
    else if (is(h, "deep") && is_class)
        row.super = TEXT_OF("strange/D0");
    else if (is(h, "interfaces")) {
        *(struct text *)vec_push(&row.interfaces) = TEXT_OF("strange/L0");
        *(struct text *)vec_push(&row.interfaces) = TEXT_OF("strange/R0");
    }
    if (h->places++ == 0)
        st = is(h, "deep") ? put_deep(out, err) : is(h, "interfaces") ? put_interfaces(out, err) : OK;
    hierarchy_row_encode(&row, &w);
    if (st == OK)
        st = store_put(out, DB_HIERARCHY, number, w.data, w.size, err);
    hierarchy_row_done(&row);
    writer_free(&w);
    return st;
}

static enum status copy_row(void *context, struct store *out, enum schema_db db, struct text key, struct text value,
                            struct error *err)
{
    struct hostile *h = context;
    struct writer w = { 0 };
    if (db == DB_HIERARCHY && (is(h, "known_itself") || is(h, "deep") || is(h, "interfaces")))
        return copy_known(h, out, (uint32_t)env_integer(key), value, err);
    bool changed = (db == DB_CLASS || db == DB_CLASSFILE) && copy_class(h, db, (uint32_t)env_integer(key), &w, err);
    enum status st = copy_same(out, db, key, changed ? (struct text){ (const char *)w.data, w.size } : value, err);
    writer_free(&w);
    return st;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *text, *said;
    } all[] = {
#define HOSTILE(name, text, said) { #name, text, said },
#include "test/trust/hostile.def"
#undef HOSTILE
    };
    struct error err = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    struct hostile h = { 0 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (argc < 2)
            (void)printf("%s %s\n", all[i].name, all[i].said);
        else if (argc == 4 && strcmp(argv[3], all[i].name) == 0)
            h.name = all[i].name;
    }
    if (argc < 2)
        return 0;
    if (h.name == NULL || hs_open(argv[1], 0, NULL, &h.in, &error) != 0) {
        (void)fprintf(stderr, "hostile: %s\n", h.name == NULL ? "IN OUT NAME" : error.text);
        return 2;
    }
    enum status st = copy_trace(h.in, argv[2], copy_row, &h, &err);
    if (st != OK)
        (void)fprintf(stderr, "hostile: %s\n", err.text);
    hs_close(h.in);
    return st != OK ? 1 : h.places == 0 ? NO_PLACE : 0;
}
