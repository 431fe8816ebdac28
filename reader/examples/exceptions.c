/* exceptions.c - which exceptions were thrown, why, and what became of them?   exceptions TRACE */
#include <inttypes.h>
#include <stdio.h>

#include "reader/trace.h"

static const char *type_of(hs_trace *trace, uint64_t id)
{
    const struct hs_object *object = id != 0 && id <= UINT32_MAX ? hs_object_get(trace, (uint32_t)id) : NULL;
    return object != NULL && object->type != NULL ? object->type : "-";
}

static void print_seq(const char *what, uint64_t seq)
{
    if (seq != HS_NO_SEQ)
        (void)printf(" %s %" PRIu64, what, seq);
}

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    const struct hs_exception *list;
    size_t count;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: exceptions TRACE\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (hs_exceptions(trace, &list, &count, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        hs_close(trace);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        (void)printf("%s", type_of(trace, list[i].id));
        print_seq("thrown", list[i].thrown);
        print_seq("caught", list[i].caught);
        (void)printf("%s\n", list[i].swallowed ? " swallowed" : "");
        const struct hs_thrown *held = hs_thrown_get(trace, list[i].id); /* its fields; NULL: not recorded */
        if (held == NULL)
            continue;
        (void)printf("  message %s\n  cause %s\n", held->message != NULL ? held->message : "-",
                     type_of(trace, held->cause));
        for (size_t k = 0; k < held->frame_count; k++)
            (void)printf("  at %s.%s:%d\n", held->frames[k].class_name, held->frames[k].method,
                         (int)held->frames[k].line);
    }
    hs_close(trace);
    return 0;
}
