/* drop_tests.c - see drop_tests.h. */
#include "reader/cli/drop_tests.h"

#include "formats/drop.h"
#include "reader/derive/derive.h"

enum status drop_tests(const char *dir, compact_step_fn *step, void *context, uint64_t *events, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    struct compact_result result;
    enum status st = OK;
    hs_trace *t;
    *events = 0;
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        return error_set(err, (enum status)error.code, "%s", error.text);
    struct derive_source chunks = { .trace = t };
    const struct expand_source source = derive_source(&chunks);
    if (trace_holds_passed(t) && hs_info(t, "end") == NULL)
        st = error_set(err, ERR_EXISTS, "%s: it is still being recorded; that ends with its JVM", dir);
    else if (trace_holds_passed(t))
        st = drop_passed(&source, step, context, &result, events, err);
    hs_close(t);
    return st;
}
