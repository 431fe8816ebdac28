/* target_weaver.c - the weaver: le2 groups, a byte of options, a class file. It gives the same bytes twice, a class
 * that it can read itself, that our verifier takes if it took the input, and a reason for what it refuses. verify.sh
 * has a JVM verify what it makes of the inputs that were found. */
#include "test/fuzz/target_weaver.h"

#include <string.h>

#include "formats/jvm/classfile.h"
#include "formats/windows.h"
#include "test/corpus/strip.h"
#include "test/fuzz/fuzz.h"
#include "weaver/generated.h"
#include "weaver/verify/verify.h"

enum { FEW_CONSTANTS = 1, COUNTS_ONLY = 2, ORDER_TOTAL = 4, SKIP = 8, RELOCATABLE = 16, TRIGGERS = 32, REDACT = 64 };

static struct method_triggers triggers_of(void *context, struct text class_name, struct text method, struct text desc)
{
    (void)context, (void)class_name, (void)desc;
    return (struct method_triggers){ .starts = method.size % 2 == 0 ? UINT64_MAX : 0,
                                     .ends = method.size % 3 == 0 ? UINT64_MAX : 0,
                                     .edges = method.size % 5 == 0 ? EDGE_TEST_SPAN : 0 };
}

static bool is_generated(const void *context, struct text name)
{
    (void)context;
    return name.size % 16 == 0;
}

enum status weaver_input(const uint8_t *data, size_t size, struct weave_result *out, struct error *err)
{
    static const struct weave_triggers triggers = { .events = triggers_of, .total = true };
    struct redact redact = { 0 };
    unsigned flags = data[2];
    FUZZ_CHECK(redact_add(&redact, "*s*") && redact_add(&redact, "*[]"));
    struct weave_config config = {
        .groups = ((group_set)data[0] | (group_set)data[1] << 8) & GROUP_ALL,
        .first_dataid = 1000,
        .few_constants = flags & FEW_CONSTANTS,
        .counts_only = flags & COUNTS_ONLY,
        .count_rounds = flags & COUNTS_ONLY,
        .direct = (flags & (COUNTS_ONLY | ORDER_TOTAL | TRIGGERS)) == 0,
        .order_total = flags & ORDER_TOTAL,
        .skip_generated = flags & SKIP,
        .fold_trivial = flags & SKIP,
        .in_generated =
            (flags & SKIP) && generated_around(data + WEAVER_INPUT_HEAD, size - WEAVER_INPUT_HEAD, is_generated, NULL),
        .relocatable = flags & RELOCATABLE,
        .hook_class = "java/lang/HindsightHook",
        .triggers = flags & TRIGGERS ? &triggers : NULL,
        .redact = flags & REDACT ? &redact : NULL,
        .redact_class = "java/lang/HindsightRedact",
    };
    enum status s = weave_class(data + WEAVER_INPUT_HEAD, size - WEAVER_INPUT_HEAD, &config, out, err);
    redact_done(&redact);
    return s;
}

/* Of a class that is verified: so is the woven one, and without the hooks it is the original. */
static void check_woven(const uint8_t *data, size_t size, const struct writer *woven)
{
    struct strip_result strip = { 0 };
    struct error err = { 0 };
    if (verify_class(woven->data, woven->size, &err) != OK) {
        (void)fprintf(stderr, "the woven class is not verified, the input is: %s\n", err.text);
        abort();
    }
    if (!strip_compare(data, size, woven->data, woven->size, &strip)) {
        (void)fprintf(stderr, "woven code is not the original and hooks: %s\n", strip.why);
        abort();
    }
}

void fuzz_weaver(const uint8_t *data, size_t size)
{
    struct weave_result a, b;
    struct error err = { 0 };
    if (size < WEAVER_INPUT_HEAD)
        return;
    uint8_t *exact = fuzz_exact(data, size);
    enum status s = weaver_input(exact, size, &a, &err);
    FUZZ_CHECK(s == OK || err.text[0] != '\0');
    enum status again = weaver_input(exact, size, &b, &err);
    FUZZ_CHECK(s == again && a.bytes.size == b.bytes.size &&
               (a.bytes.size == 0 || memcmp(a.bytes.data, b.bytes.data, a.bytes.size) == 0));
    if (s == OK) {
        struct writer rows = { 0 };
        class_row_encode(&a.row, &rows);
        dataid_rows_encode(&a.dataids, &rows);
        writer_free(&rows);
    }
    if (s == OK && a.bytes.size > 0) {
        struct classfile cf;
        if (classfile_read(&cf, a.bytes.data, a.bytes.size, &err) != OK) {
            (void)fprintf(stderr, "the woven class: %s\n", err.text);
            abort();
        }
        classfile_done(&cf);
        if (verify_class(exact + WEAVER_INPUT_HEAD, size - WEAVER_INPUT_HEAD, &err) == OK)
            check_woven(exact + WEAVER_INPUT_HEAD, size - WEAVER_INPUT_HEAD, &a.bytes);
    }
    weave_result_done(&a);
    weave_result_done(&b);
    free(exact);
}
