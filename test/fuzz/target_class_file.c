/* target_class_file.c - the reader of class files: what it takes, it writes back byte for byte, and the code of every
 * method is parsed, and lines of other files; our verifier has a verdict about any input, and a reason if it
 * refuses. */
#include <string.h>

#include "formats/jvm/code.h"
#include "formats/jvm/source_map.h"
#include "test/fuzz/fuzz.h"
#include "weaver/verify/verify.h"
#include "weaver/weave.h"

static void read_codes(const struct classfile *cf)
{
    for (size_t i = 0; i < cf->methods.count; i++) {
        const struct member *m = &cf->methods.items[i];
        const struct attribute *a = classfile_attribute(cf, m->first_attribute, m->attribute_count, "Code");
        struct code c;
        struct error err = { 0 };
        if (a == NULL)
            continue;
        enum status s = code_read(&c, a->data, a->length, &err);
        FUZZ_CHECK(s == OK || err.text[0] != '\0');
        code_done(&c);
    }
}

/* Lines of other files: whatever the attribute holds, each line has one answer, in a file of the map. */
static void read_source_map(const struct classfile *cf)
{
    const struct attribute *a =
        classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "SourceDebugExtension");
    struct source_map map;
    struct error err = { 0 };
    if (a == NULL)
        return;
    enum status s = source_map_read(&map, (struct text){ (const char *)a->data, a->length }, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    for (uint32_t line = 0; s == OK && line < 65536; line++) {
        const struct mapped_lines *l = source_map_find(&map, line);
        FUZZ_CHECK(l == NULL || (l->file < map.files.count && l->first <= line && line <= l->last && l->increment > 0));
    }
    source_map_done(&map);
}

void fuzz_class_file(const uint8_t *data, size_t size)
{
    uint8_t *exact = fuzz_exact(data, size);
    struct classfile cf;
    struct writer w = { 0 };
    struct error err = { 0 };
    enum status s = classfile_read(&cf, exact, size, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    if (s == OK) {
        classfile_write(&cf, &w);
        FUZZ_CHECK(w.size == size && memcmp(w.data, exact, size) == 0);
        read_codes(&cf);
        read_source_map(&cf);
    }
    err.text[0] = '\0';
    s = verify_class(exact, size, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    classfile_done(&cf);
    writer_free(&w);
    free(exact);
}
