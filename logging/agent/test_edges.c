/* test_edges.c - keep=failed: which methods mark where a test begins and ends (test_edges.def). */
#include <string.h>

#include "logging/agent/agent.h"

enum {
    FAILS = EDGE_TEST_FAILS,
    ENDS = EDGE_TEST_ENDS,
    HOLDS = EDGE_TEST_HOLDS,
    BEGINS = EDGE_TEST_BEGINS,
    SPAN = EDGE_TEST_SPAN,
};

static const struct edge_row {
    const char *class_name, *method;
    uint8_t edges;
} rows[] = {
#define TEST_EDGE(class, method, edges) { class, method, edges },
#include "logging/agent/test_edges.def"
};

static bool is(struct text name, const char *text)
{
    return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

struct method_triggers test_edges_of(void *context, struct text class_name, struct text method, struct text desc)
{
    const uint64_t entry = UINT64_C(1) << EVENT_METHOD_ENTRY,
                   exits = UINT64_C(1) << EVENT_METHOD_NORMAL_EXIT | UINT64_C(1) << EVENT_METHOD_EXCEPTIONAL_EXIT;
    (void)context, (void)desc;
    if (is(method, "<clinit>")) /* the first test that needs a class initializes it for all */
        return (struct method_triggers){ entry, exits, SPAN };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is(class_name, rows[i].class_name) && is(method, rows[i].method))
            return (struct method_triggers){ entry, (rows[i].edges & (BEGINS | SPAN)) != 0 ? exits : 0, rows[i].edges };
    return (struct method_triggers){ 0 };
}
